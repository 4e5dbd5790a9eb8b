"""The commands that examine a game or an installation: `conform`, `rules coverage`, `ci`, `doctor`, `restore`."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import click

from carddb.app.conformance import JUNIT, REPORT, CiRequest, Conformance, coverage_json, rule_coverage, run_ci
from carddb.app.conformance import conform as check_games
from carddb.app.doctor import examine
from carddb.app.doctor import restore as restored
from carddb.app.workspace.clock import today
from carddb.app.workspace.published_folder import write_folder
from carddb.app.workspace.words import TAGS
from carddb.cli import show
from carddb.cli.options import DAY, declared_options, games_option, json_option, taken, verb
from carddb.cli.serve import write_site
from carddb.cli.session import Session
from carddb.core.plain_text import amount, tally
from carddb.findings import Severity, exit_code
from carddb.findings import counts as by_severity
from carddb.games.opening.cross_references import Coverage, counts


@click.group()
def rules() -> None:
    """Show the rules of a game as a whole."""


@rules.command()
@click.argument("game")
@click.option(
    "--missing", is_flag=True, help="Only rules that are neither checked, printed nor left to the players yet."
)
@json_option
@click.pass_obj
def coverage(session: Session, game: str, missing: bool, json_: bool) -> None:
    """List each rule with its tag and where it is checked, printed or left to the players."""
    loaded = session.project.game(game)
    rows = rule_coverage(loaded)
    shown = [row for row in rows if row.missing] if missing else rows
    if json_:
        return show.as_json(coverage_json(loaded, rows, shown))
    show.table(("rule", "", "where"), [(row.rule, "".join(row.tags), _where(row)) for row in shown])
    for tag, number in counts(rows).items():
        lack = f", {number['missing']} of them missing" if number["missing"] else ""
        session.say(f"{tag}  {TAGS[tag]}: {amount(number['rules'], 'rule')}{lack}")


def _where(row: Coverage) -> str:
    parts = []
    if "S" in row.tags:
        parts.append("checked: " + (", ".join(row.checked) or "nowhere yet"))
    if "P" in row.tags:
        parts.append("printed: " + (", ".join(row.printed) or "nowhere yet"))
    if "H" in row.tags:
        parts.append("left to the players")
    return "; ".join(parts)


@verb()
@click.argument("keys", nargs=-1, metavar="[GAME]...")
@games_option
@click.option("--on", "day", type=DAY, help="The day by which decks are checked (default: today).")
@click.option("--json", "json_", is_flag=True, help="The report as JSON.")
def conform(
    session: Session, /, keys: tuple[str, ...], game_folders: tuple[Path, ...], day: date | None, json_: bool
) -> int:
    """Check all games, or the named ones: files, cards, faces, components, codes, bans.

    Your own games are checked like the bundled ones; their examples are in `examples` beside game.yaml.
    """
    session.project.game_folders += game_folders
    on = day or today()
    reports = []
    for report in check_games(session.project, keys, on):
        reports.append(report)
        if not json_:  # each report as soon as it is ready
            _show(session, report)
    if json_:
        games = [report.to_json() for report in reports]
        show.as_json({"schema": "carddb.conform/1", "on": on.isoformat(), "games": games})
    return exit_code([finding for report in reports for finding in report.findings])


def _show(session: Session, report: Conformance) -> None:
    """Prints a line for the game, then a line for each check that has findings, followed by the findings."""
    show.echo(
        show.style(report.key, bold=True)
        + f": {amount(len(report.results), 'check')}, {tally(by_severity(report.findings))}"
    )
    for result in report.results:
        findings = [f for f in result.findings if session.verbose or f.severity is not Severity.INFO]
        if findings or session.verbose:
            show.echo(f"  {result.name}: {result.claim}")
        show.findings(findings)
    for file, waiting in report.waiting.items():
        show.echo(f"  skipped until {file} exists and has no errors: {', '.join(waiting)}")
    if report.missing:
        show.echo("  Still to make, in this order:")
        for number, missing in enumerate(report.missing, start=1):
            show.echo(f"  {number}. {missing}")


@verb()
@click.option("--json", "json_", is_flag=True, help="The report as JSON.")
def doctor(session: Session, json_: bool) -> int:
    """Examine the installation, the project, its games, catalogue, printers and cache, and say what to do.

    Nothing is changed, and no catalogue is made. The exit code is 1 if there is an error. A character that a faulty
    disk has changed is noticed only if it makes a file invalid; to be sure, compare the files with a copy.
    """
    diagnosis = examine(session.project)
    if json_:
        show.as_json(diagnosis.to_json())
        return diagnosis.exit_code
    width = max(len(part.name) for part in diagnosis.parts)
    for part in diagnosis.parts:
        bad = any(finding.severity is Severity.ERROR for finding in part.findings)
        word = show.style(part.word, fg="red" if bad else "green", bold=True)
        if bad or not session.quiet:
            show.echo(f"{part.name.ljust(width)}  {word}  {part.subject}".rstrip())
        show.findings(part.findings, least=Severity.WARNING if session.quiet else Severity.INFO)
    session.say(f"{tally(by_severity(diagnosis.findings)).capitalize()}.")
    return diagnosis.exit_code


@verb()
@show.output_option("The folder for the report and everything that is printed.", folder=True)
@declared_options(CiRequest)
@click.option("--site", is_flag=True, help="Also write the web site of the game, into the subfolder `site`.")
def ci(session: Session, /, output: Path, site: bool, **options: Any) -> int:
    """Check and print a game after every change: conform, faces, decks, sheets, changes; report.md and junit.xml.

    The exit code is 1 if a check finds an error. Even then, the folder has everything that could be printed.
    """
    request = CiRequest(**taken(CiRequest, options))
    report = run_ci(session.project, request)
    files = {**report.files, REPORT: report.markdown().encode(), JUNIT: report.junit()}
    write_folder(session.project, output, files, (REPORT,))
    if site:
        key = session.project.only_game(request.game).key
        write_site(session, output / "site", games=(key,), on=request.on)
    for check in report.checks:
        if check.fault:
            session.say(f"{check.part}: {check.fault}")
        show.findings(check.findings, err=True, least=Severity.WARNING)
    failed = sum(not check.passed for check in report.checks)
    session.say(f"{output / REPORT}: {amount(len(report.checks), 'check')}, {failed} failed")
    return 1 if failed else 0


@verb()
@click.argument("copy", type=click.Path(path_type=Path))
def restore(session: Session, copy: Path) -> None:
    """Replace the catalogue, or events.db, by an earlier copy of it.

    The copy is examined first. The replaced file, with its logs, is kept beside it under another name.
    """
    path, earlier = restored(session.project, copy)
    session.say(f"{path}: restored from {copy}" + (f"; the replaced file is {earlier}" if earlier else ""))
