"""Cards out of the catalogue into a file: export."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from carddb.app.cards.export import export_cards, export_printings, export_translations
from carddb.cli import show
from carddb.cli.options.arguments import DAY, QueryCommand, lang_option, query_argument
from carddb.cli.session import Session
from carddb.core.errors import UsageError


@click.command(cls=QueryCommand)
@query_argument()
@show.output_option("CSV, TSV, XLSX, JSON or YAML by its ending; - for standard output.")
@click.option("--game", "key", metavar="G", help="The game.")
@click.option("--format", "format_", metavar="F", help="The format, where the file's name does not tell.")
@click.option("--on", "day", type=DAY, help="The cards as they stood on this day (default: today).")
@click.option("--printings", is_flag=True, help="The printings of these cards, as a file of printings.")
@lang_option("Their words in this language beside their own, to fill in (PO too).")
@click.pass_obj
def export(
    session: Session,
    query: tuple[str, ...],
    output: Path,
    key: str | None,
    format_: str | None,
    day: date | None,
    printings: bool,
    lang: str,
) -> int:
    """Write cards to a file; loading an untouched export changes nothing."""
    kind = format_ or output.suffix.lower().removeprefix(".") or "csv"
    words = " ".join(query)
    if lang and printings:
        raise UsageError("printings are the same in every language", "Leave --lang or --printings out.")
    if lang:
        exported = export_translations(session.project, words, kind, key, day, lang)
    else:
        exported = (export_printings if printings else export_cards)(session.project, words, kind, key, day)
    if not exported.cards:
        session.say("no card matches")
        return 1
    session.write(output, exported.data)
    session.say(f"{output}: {exported.cards} cards")
    return 0
