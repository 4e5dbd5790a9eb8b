"""Work on a whole event, on paper and in files: event new, list, show, recheck, print, export."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import click

from carddb.app.decks.check import CheckRequest
from carddb.app.events import checks as tournament_checks
from carddb.app.events import table, tournament
from carddb.cli import show
from carddb.cli.decks.check import BY
from carddb.cli.options import DAY, declared_options, json_option, taken
from carddb.cli.session import Session
from carddb.core.errors import UsageError
from carddb.core.plain_text import amount, json_bytes
from carddb.events.store import EventTerms
from carddb.findings import VERDICTS


@click.command()
@click.argument("name")
@click.option("--day", "day", type=DAY, required=True, help="The day of the event; decks are checked by it.")
@click.option("--key", default="", help="What the event is called in commands and addresses (default: from its name).")
@click.option("--game", "game", metavar="G", help="The game.")
@declared_options(CheckRequest, BY)
@click.option(
    "--deadline", default="", metavar="MOMENT", help="Until when decks are taken (default: as the day begins)."
)
@click.option("--zone", default="", metavar="ZONE", help="The time zone, as Europe/Berlin (default: this machine's).")
@click.option("--no-registration", "closed", is_flag=True, help="Players get their links from you alone.")
@json_option
@click.pass_obj
def new(
    session: Session, /, name: str, day: date, key: str, game: str | None, deadline: str, zone: str,
    closed: bool, json_: bool, **options: Any,
) -> int:  # fmt: skip
    """Make an event: its name, its day, its format, and until when decks are taken."""
    project, zone = session.project, zone or tournament.usual_zone()
    ends = tournament.to_deadline(deadline, day, zone)
    chosen = project.only_game(game).key
    terms = EventTerms(name, chosen, day=day, deadline=ends, zone=zone, **taken(CheckRequest, options))
    with tournament.open_events(project) as events:
        record = tournament.new_event(project, events, terms, key, not closed)
    if json_:
        show.as_json(tournament.event_json(record))
    else:
        show.echo(record.key)
        until = tournament.deadline_words(record.terms)
        session.say(f"{tournament.events_path(project)}: decks for {day} are taken until {until}")
    return 0


@click.command("list")
@json_option
@click.pass_obj
def list_(session: Session, json_: bool) -> int:
    """List the events, the latest day first."""
    with tournament.open_events(session.project) as events:
        every = events.events()
        rows = [
            (each.key, each.name, each.terms.game, each.terms.day, amount(len(events.players(each)), "player"))
            for each in every
        ]
    if json_:
        show.as_json({"schema": "carddb.events/1", "events": [tournament.event_json(each) for each in every]})
    else:
        show.table(("key", "name", "game", "day", "players"), rows)
        if not rows:
            session.say("there is no event yet; make one: carddb event new NAME --day DAY")
    return 0


@click.command("show")
@click.argument("key")
@click.option("--state", type=click.Choice(list(table.STATES)), help="Only these.")
@click.option("--search", default="", metavar="WORDS", help="In player, deck, card or fingerprint.")
@click.option("--sort", default="verdict", show_default=True, metavar="COLUMN", help="A column; -COLUMN for backwards.")
@click.option("--csv", "file", type=click.Path(path_type=Path, allow_dash=True), metavar="FILE", help="Also as CSV.")
@json_option
@click.pass_obj
def show_(session: Session, key: str, state: str | None, search: str, sort: str, file: Path | None, json_: bool) -> int:
    """Show the table: player, deck, verdict, first reason, fingerprint, since when."""
    with tournament.open_events(session.project) as events:
        record = tournament.event_called(events, key)
        every = table.table(session.project, events, record)
    rows = table.in_order(table.filtered(every, state or "", search), sort)
    if json_:
        show.as_json(table.table_json(record, rows))
    else:
        cells = [(row.player.name, row.words, row.fingerprint, show.one_line(row.reason, 60)) for row in rows]
        show.table(("player", "verdict", "fingerprint", "first reason"), cells)
        show.echo(f"{record.name}, {record.terms.day}: {table.sentence(every)}")
    if file:
        session.write(file, table.table_csv(rows))
    return 0


@click.command()
@click.argument("key")
@json_option
@click.pass_obj
def recheck(session: Session, key: str, json_: bool) -> int:
    """Check every deck list again, as after an announcement, and say whose verdict has changed."""
    with tournament.open_events(session.project) as events:
        result = tournament_checks.recheck(session.project, events, tournament.event_called(events, key))
    changed = [{"player": player.name, "before": old, "after": new} for player, old, new in result.changed]
    if json_:
        show.as_json({"schema": "carddb.event-recheck/1", "decks": result.decks, "changed": changed})
    else:
        show.table(
            ("player", "before", "after"),
            [(each["player"], VERDICTS[each["before"]].lower(), VERDICTS[each["after"]].lower()) for each in changed],
        )
        session.say(f"{amount(result.decks, 'deck')} checked, {len(changed)} changed")
    return 0


@click.command("print")
@click.argument("key")
@show.output_option("The deck lists, a PDF.")
@click.option("--paper", default="letter", show_default=True, help="letter, a4, ...")
@click.option("--only", type=click.Choice(["illegal"]), help="The failing ones alone, with their reasons.")
@click.option("--address", default="", metavar="URL", help="What stands before the fingerprint in each QR code.")
@click.pass_obj
def print_(session: Session, key: str, output: Path, paper: str, only: str | None, address: str) -> int:
    """Write all deck lists, or the failing ones, as one PDF; the QR code of each holds its fingerprint."""
    with tournament.open_events(session.project) as events:
        record = tournament.event_called(events, key)
        printed = table.print_event_lists(session.project, events, record, paper, only == "illegal", address)
    session.write(output, printed.data)
    session.say(f"{output}: {printed.summary}")
    show.findings(printed.findings, err=True)
    return 0


@click.command()
@click.argument("key")
@show.output_option("Everything as JSON, or with each list as text and the table as ZIP, by its ending.")
@click.pass_obj
def export(session: Session, key: str, output: Path) -> int:
    """Write an event with every version of every deck list."""
    kind = output.suffix.lower()
    if kind not in (".json", ".zip"):
        raise UsageError(f"an event is not written as {kind or 'a file without ending'!r}", "Known: .json, .zip.")
    with tournament.open_events(session.project) as events:
        record = tournament.event_called(events, key)
        value = table.export_json(events, record)
        data = table.export_archive(session.project, events, record) if kind == ".zip" else json_bytes(value)
    session.write(output, data)
    session.say(f"{output}: {amount(len(value['players']), 'player')}")
    return 0
