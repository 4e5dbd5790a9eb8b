"""The commands `proof` and `preflight`."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import click

from carddb.app.printing.preflight import inspect_faces, print_proof
from carddb.cli import show
from carddb.cli.options import QUERY_GAME, REF_GAME, QueryCommand, query_argument, verb
from carddb.cli.printing.paper import paper_of, paper_options
from carddb.cli.session import Session
from carddb.core.plain_text import amount
from carddb.findings import exit_code
from carddb.press.sheets.proof import MOST_IN_HAND


@verb(cls=QueryCommand)
@query_argument("selection", required=True)
@QUERY_GAME
@click.option(
    "--translations",
    "table",
    type=click.Path(path_type=Path, dir_okay=False, readable=False),
    metavar="FILE",
    help="Write the missing translations for --lang, to fill in and load: CSV, XLSX, JSON, YAML or PO.",
)
@click.option("--json", "json_", is_flag=True, help="Show the report as JSON.")
@paper_options
def preflight(
    session: Session,
    /,
    selection: tuple[str, ...],
    key: str | None,
    table: Path | None,
    json_: bool,
    day: date | None,
    **options: Any,
) -> int:
    """Find what is wrong with faces before they are printed.

    It finds text that does not fit (and by how much), is smaller than six points, has letters that no font has, is too
    near the cut, a frame or other text, or is too faint on its ground. It also finds icons in the colour of their
    ground, fields that are hidden when cards are held in a hand, pictures that are missing or too coarse for their
    size and, with --lang, texts without a translation.
    """
    report = inspect_faces(session.project, selection, key, day, paper_of(options))
    if not report.cards:
        session.say("no card matches, so no face was examined")
        return 1
    if table:
        session.write(table, report.table(table.suffix.lower().removeprefix(".") or "csv"))
        session.say(f"{table}: {amount(len(report.to_translate), 'card')} to translate into {report.lang}")
    if json_:
        show.as_json(report.to_json())
    else:
        show.findings(report.findings)
        if not session.quiet:
            clean = "; nothing is wrong" if not report.findings else ""
            show.echo(f"{amount(report.cards, 'card')} examined{clean}")
    return exit_code(report.findings)


@verb(cls=QueryCommand)
@query_argument("selection", required=True)
@show.output_option("The file: .pdf, .png or .svg.")
@click.option(
    "--fan", is_flag=True, help=f"Draw the cards of a deck or query as they are held in a hand, at most {MOST_IN_HAND}."
)
@REF_GAME
@click.option("--dpi", type=click.IntRange(30, 1200), default=300, show_default=True, help="Resolution of a PNG.")
@paper_options
def proof(
    session: Session,
    /,
    selection: tuple[str, ...],
    output: Path,
    fan: bool,
    key: str | None,
    dpi: int,
    day: date | None,
    **options: Any,
) -> int:
    """Draw the face of one card with its trim line (the cut) and safe line or, with --fan, a hand of cards."""
    kind = output.suffix.lower().removeprefix(".") or "pdf"
    printed = print_proof(session.project, selection, key, day, kind, dpi, paper_of(options), fan=fan)
    return session.write_printed(output, printed)
