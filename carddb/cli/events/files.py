"""An event on paper and in files: event print, export."""

from __future__ import annotations

from pathlib import Path

import click

from carddb.app.events import export as tournament_export
from carddb.app.events import prints as tournament_prints
from carddb.app.events import tournament
from carddb.cli import show
from carddb.cli.session import Session
from carddb.core.amounts import amount
from carddb.core.errors import UsageError
from carddb.core.plain_text import json_bytes

_key = click.argument("key")


@click.command("print")
@_key
@show.output_option("The deck lists, a PDF.")
@click.option("--paper", default="letter", show_default=True, help="letter, a4, ...")
@click.option("--only", type=click.Choice(["illegal"]), help="The failing ones alone, with their reasons.")
@click.option("--address", default="", metavar="URL", help="What stands before the fingerprint in each QR code.")
@click.pass_obj
def print_(session: Session, key: str, output: Path, paper: str, only: str | None, address: str) -> int:
    """Write all deck lists, or the failing ones, as one PDF; the QR code of each holds its fingerprint."""
    with tournament.open_events(session.project) as events:
        record = tournament.event_called(events, key)
        printed = tournament_prints.print_event_lists(
            session.project, events, record, paper, only == "illegal", address
        )
    session.write(output, printed.data)
    session.say(f"{output}: {printed.summary}")
    show.findings(printed.findings, err=True)
    return 0


@click.command()
@_key
@show.output_option("Everything as JSON, or with each list as text and the table as ZIP, by its ending.")
@click.pass_obj
def export(session: Session, key: str, output: Path) -> int:
    """Write an event with every version of every deck list."""
    kind = output.suffix.lower()
    if kind not in (".json", ".zip"):
        raise UsageError(f"an event is not written as {kind or 'a file without ending'!r}", "Known: .json, .zip.")
    with tournament.open_events(session.project) as events:
        record = tournament.event_called(events, key)
        value = tournament_export.export_json(events, record)
        archive = tournament_export.export_archive(session.project, events, record) if kind == ".zip" else b""
        data = archive or json_bytes(value)
    session.write(output, data)
    session.say(f"{output}: {amount(len(value['players']), 'player')}")
    return 0
