"""Announcements into the log: bans announce."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import click

from carddb.app.bans import announcements
from carddb.app.bans.words import change_words
from carddb.app.decks.announcement_effect import AffectedDeck, affected_decks
from carddb.app.workspace.ban_file import in_sums
from carddb.app.workspace.words import tally
from carddb.bans.log import Change
from carddb.cli import show as display
from carddb.cli.options.arguments import DAY
from carddb.cli.session import Session
from carddb.findings import Severity, exit_code


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True, readable=False))
@click.option("--game", "key", metavar="G", help="The game, where several have ban lists.")
@click.option("--from", "day", type=DAY, help="The day from which changed lists and levels hold (default: today).")
@click.option("--dry-run", is_flag=True, help="Show the effect, and change nothing.")
@click.option(
    "--decks",
    "folder",
    type=click.Path(path_type=Path, readable=False),
    metavar="FOLDER",
    help="Name the decks of a folder that it makes illegal.",
)
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.pass_obj
def announce(
    session: Session,
    file: Path,
    key: str | None,
    day: date | None,
    dry_run: bool,
    folder: Path | None,
    json_: bool,
) -> int:
    """Add announcements to the log: all of a file, or nothing of it with every fault at once.

    The file holds one announcement, or a list of them. What was announced is never changed or removed: a mistake is
    mended by a correction or a withdrawal, which are announcements too.
    """
    report = announcements.announce(session.project, file, key, day, dry_run)
    decks = affected_decks(session.project, report, folder) if folder else []
    if json_:
        affected = {"decks": [deck.to_json() for deck in decks]} if folder else {}
        display.as_json({**report.to_json(), **affected})
        return exit_code(report.findings)
    display.findings(report.findings, err=True, least=Severity.INFO if session.verbose else Severity.WARNING)
    if report.result.refused:
        session.say(f"nothing was announced: {tally(report.findings)}")
        return 1
    for effect in report.effects():
        _show_effect(report, *effect)
    if folder:
        _show_decks(decks)
    session.say(f"{file}: {'would be: ' if dry_run else ''}{in_sums(report.result)}")
    return 0


def _show_effect(report: announcements.AnnounceReport, day: date, key: str, changes: Sequence[Change]) -> None:
    """What announcements change on a list on a day."""
    display.echo(display.style(f"{report.result.log.lists[key].title}, from {day}", bold=True))
    for change in changes:
        display.echo(f"  {change_words(change, report.pool)}")
    if not changes:
        display.echo("  stays as it is")


def _show_decks(decks: Sequence[AffectedDeck]) -> None:
    """The decks that announcements make illegal, each with the day and the reason."""
    for deck in decks:
        display.echo(display.style(f"{deck.name} ({deck.file})", bold=True))
        for day, finding in deck.coming:
            display.echo(f"  from {day}: {finding.message}" + (f"\n    fix: {finding.fix}" if finding.fix else ""))
    if not decks:
        display.echo("no deck of the folder becomes illegal by it")
