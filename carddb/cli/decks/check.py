"""The commands `check` and `forecast`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from carddb.app.decks.check import CheckRequest, check_deck
from carddb.app.decks.forecast import forecast as forecast_deck
from carddb.cli import show
from carddb.cli.options import (
    DAY,
    FILE,
    PATH,
    declared_options,
    executor_options,
    executor_request,
    json_option,
    taken,
    verb,
)
from carddb.cli.session import Session
from carddb.core.errors import UsageError, check_kind
from carddb.core.executors import ExecutorRequest
from carddb.deck.check.forecast import GRAVE, NO_MORE
from carddb.findings import VERDICTS, Finding, Severity, verdict

if TYPE_CHECKING:
    from carddb.app.decks.check_many import Form

KINDS: dict[str, Form] = {"html": "html", "csv": "rows", "json": "json"}
"""The form of the results of many decks that each kind of file needs, by the ending of the file."""
BY = ("format", "editions", "options")
"""The options that say how a deck is checked, besides the game and the day."""
deck_options = declared_options(CheckRequest, ("game", *BY, "event", "on"))
"""The options of every command that checks a deck."""


def check_request(options: dict[str, Any]) -> CheckRequest:
    """Removes from `options` those that say how a deck is checked, and returns them as a request."""
    return CheckRequest(**taken(CheckRequest, options))


@verb()
@click.argument("decks", nargs=-1, required=True, type=FILE, metavar="DECK...")
@deck_options
@click.option("--json", "json_", is_flag=True, help="Show the report as JSON.")
@click.option("--report", type=PATH, metavar="FILE", help="For many decks: write the table as HTML, CSV or JSON.")
@executor_options("check many decks", trust=True)
def check(session: Session, /, decks: tuple[Path, ...], json_: bool, report: Path | None, **options: Any) -> int:
    """Check a deck: show all findings at once, with line, rule and the smallest fix.

    For several decks, or a folder of decks, show a table: player, deck, verdict, fingerprint, first reason.
    """
    executor = executor_request(options)
    request = check_request(options)
    if len(decks) == 1 and not decks[0].is_dir():
        if report:
            remedy = "Name a folder or several deck files, or use --json for one deck."
            raise UsageError("--report writes a table of many decks, but only one deck was named", remedy)
        result = check_deck(session.project, decks[0], request)
        if json_:
            show.as_json(result.to_json())
            return result.exit_code
        show.findings(result.findings, least=Severity.WARNING if session.quiet else Severity.INFO)
        if not session.quiet or result.findings:
            show.echo(show.verdict(result.sentence, result.verdict))
        return result.exit_code
    return _check_many(session, decks, request, executor, json_, report)


def _check_many(
    session: Session,
    paths: Sequence[Path],
    request: CheckRequest,
    executor: ExecutorRequest,
    json_: bool,
    file: Path | None,
) -> int:
    from carddb.app.decks.check_many import check_many  # 5 ms, not needed for one deck

    kind = file.suffix.lower().removeprefix(".") if file else ""
    forms: set[Form] = {"json" if json_ else "rows"}
    if file:
        check_kind("a table of decks is", kind, KINDS)
        forms.add(KINDS[kind])
    with check_many(session.project, paths, request, forms, executor) as decks:
        sentence = decks.counts.sentence
        if json_:
            for text in decks.json():
                show.echo(text, nl=False, wrap=False)
        else:
            colours = {VERDICTS[answer].lower(): colour for answer, colour in show.VERDICT_COLOURS.items()}
            rows = [(r.player, r.deck, r.verdict, r.fingerprint, show.one_line(r.reason, 80)) for r in decks]
            show.table(("player", "deck", "verdict", "fingerprint", "first reason"), rows, colours=colours)
            show.echo(sentence)
        if file:
            table = decks.csv() if kind == "csv" else decks.page() if kind == "html" else map(str.encode, decks.json())
            session.write(file, table)
            session.say(f"{file}: {sentence}")
        return decks.counts.exit_code


@verb()
@click.argument("deck", type=FILE)
@declared_options(CheckRequest, ("game", *BY, "on"), {"on": "The first day (default: today)."})
@click.option("--until", "last", type=DAY, help="The last day (default: the day of the last announced change).")
@json_option
def forecast(session: Session, /, deck: Path, last: date | None, json_: bool, **options: Any) -> int:
    """Show when and by which announcement or rotation a deck becomes illegal, and when it is legal again."""
    result = forecast_deck(session.project, deck, check_request(options), last)
    if json_:
        show.as_json(result.to_json())
        return result.exit_code
    show.findings(result.findings)
    show.echo(f"{VERDICTS[verdict(result.findings)]} on {result.on}.")
    for day, findings in result.by_day():
        by = ", ".join(dict.fromkeys(map(_source, findings)))
        gravest = min((finding.severity for finding in findings), key=GRAVE.index)
        show.echo(show.style(f"{NO_MORE[gravest]} from {day}, by {by}", bold=True))
        for finding in findings:
            show.echo(f"  {finding.message}" + (f"\n    fix: {finding.fix}" if finding.fix else ""))
    if not result.coming:
        until = f" until {last}" if last else ""
        none = f"No announced change forbids the deck{until}."
        show.echo(none if result.has_list else "The format of the deck has no ban list.")
    if result.legal_again:
        show.echo(f"Legal again from {result.legal_again}.")
    return result.exit_code


def _source(finding: Finding) -> str:
    """Returns what causes a finding, in words: an announcement's id, the format's ban list, or its rotation."""
    data = finding.data
    cause = "the ban list of its format" if data.get("list") else "the rotation of its format"
    return str(data.get("announcement") or cause)
