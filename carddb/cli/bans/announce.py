"""Commands for the log of announcements: `bans announce`, `bans lint`, `bans log`."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from carddb.app.bans import announcements
from carddb.app.bans.lists import change_words, made_words
from carddb.app.decks.forecast import affected_decks
from carddb.app.workspace.ban_file import in_sums
from carddb.app.workspace.words import tally
from carddb.bans.log import Announcement
from carddb.cli import show as display
from carddb.cli.options import DAY, FILE, PATH, game_option, json_option, verb
from carddb.cli.session import Session
from carddb.core.plain_text import amount
from carddb.findings import Severity, exit_code

_game = game_option("The game, where several have ban lists.")


@verb()
@click.argument("file", type=FILE)
@_game
@click.option("--from", "day", type=DAY, help="The day from which changed lists and levels apply (default: today).")
@click.option("--dry-run", is_flag=True, help="Show the effect, without changing anything.")
@click.option(
    "--decks", "folder", type=PATH, metavar="FOLDER", help="List the decks of a folder that it makes illegal."
)
@json_option
def announce(
    session: Session, file: Path, key: str | None, day: date | None, dry_run: bool, folder: Path | None, json_: bool
) -> int:
    """Add announcements to the log: all of a file, or, if it has faults, none.

    The file holds one announcement, or a list of them. Announcements are never changed or removed. A mistake is
    corrected by a correction or a withdrawal, which are announcements too.
    """
    report = announcements.announce(session.project, file, key, day, dry_run)
    decks = affected_decks(session.project, report, folder) if folder else []
    if json_:
        affected = {"decks": [deck.to_json() for deck in decks]} if folder else {}
        return display.as_json({**report.to_json(), **affected}, exit_code(report.findings))
    display.findings(report.findings, err=True, least=Severity.INFO if session.verbose else Severity.WARNING)
    if report.result.refused:
        session.say(f"nothing was announced: {tally(report.findings)}")
        return 1
    for starts, list_, changes in report.effects():
        display.echo(display.style(f"{report.result.log.lists[list_].title}, from {starts}", bold=True))
        for change in changes:
            display.echo(f"  {change_words(change, report.pool)}")
        if not changes:
            display.echo("  stays as it is")
    for deck in decks:
        display.echo(display.style(f"{deck.name} ({deck.file})", bold=True))
        for starts, finding in deck.coming:
            display.echo(f"  from {starts}: {finding.message}" + (f"\n    fix: {finding.fix}" if finding.fix else ""))
    if folder and not decks:
        display.echo("no deck of the folder becomes illegal by it")
    session.say(f"{file}: {'would be: ' if dry_run else ''}{in_sums(report.result)}")
    return 0


@verb()
@click.argument("file", type=FILE, required=False)
@_game
@json_option
def lint(session: Session, file: Path | None, key: str | None, json_: bool) -> int:
    """Check the whole log, or a file before it is loaded: notice, levels, order, unknown cards, idle waivers."""
    findings = announcements.lint(session.project, file, key)
    if json_:
        display.as_json({"schema": "carddb.ban-lint/1", "findings": [finding.to_json() for finding in findings]})
        return exit_code(findings)
    display.findings(findings, least=Severity.WARNING if session.quiet else Severity.INFO)
    session.say(tally(findings))
    return exit_code(findings)


@verb()
@display.output_option("Write the whole log, as YAML or JSON by its ending.", required=False)
@_game
@json_option
def log(session: Session, output: Path | None, key: str | None, json_: bool) -> int:
    """List every announcement, in the order in which they were made; or write the log to a file that can be loaded."""
    game, whole = announcements.game_log(session.project, key)
    if output:
        session.write(output, announcements.log_file(whole, output.suffix.lower().removeprefix(".")))
        session.say(f"{output}: {amount(len(whole.announcements), 'announcement')}")
        return 0
    if json_:
        return display.as_json({"schema": "carddb.ban-log/1", "game": game.key, **announcements.log_json(whole)})
    rows = [
        (each.id, made_words(each), each.effective, each.kind, " ".join(whole.touched(each)), _note(each))
        for each in whole.announcements
    ]
    display.table(("id", "made (UTC)", "in force", "kind", "lists", ""), rows)
    return 0 if rows else 1


def _note(announcement: Announcement) -> str:
    notes = {"target": "of", "supersedes": "supersedes", "waiver": "waiver:"}
    words = [f"{word} {text}" for name, word in notes.items() if (text := getattr(announcement, name))]
    count = len(announcement.changes)
    return "; ".join([*([amount(count, "change")] if count else []), *words])
