"""The commands `components` and `box`, which print what a game needs besides its cards."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import click

from carddb.app.printing.component_prints import (
    BoxRequest,
    ComponentRequest,
    component_spreadsheet,
    print_game_box,
    print_game_components,
)
from carddb.cli import show
from carddb.cli.options import declared_options, taken, verb
from carddb.cli.printing.paper import only_pdf, paper_of, paper_options, print_options
from carddb.cli.session import Session


@verb()
@click.argument("key", metavar="GAME")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@show.output_option("The PDF.")
@declared_options(ComponentRequest)
@click.option("--no-contents", is_flag=True, help="Leave out the first page, which lists the components.")
@print_options("pictures")
@paper_options
@print_options("press", "printer")
def components(
    session: Session,
    /,
    key: str,
    names: tuple[str, ...],
    output: Path,
    no_contents: bool,
    day: date | None,
    **options: Any,
) -> int:
    """Print reference cards, tracks, mats, counters and sheets to write on: all of a game's, or those named.

    If none is named, the first page lists all components with their sheets, and what else you need. A sheet to fill in
    can also be a spreadsheet: -o FILE.xlsx.
    """
    request = ComponentRequest(key, names, contents=not no_contents, **taken(ComponentRequest, options))
    if output.suffix.lower() == ".xlsx":
        printed = component_spreadsheet(session.project, request)
    else:
        only_pdf(output)
        printed = print_game_components(session.project, request, day, paper_of(options, output))
    return session.write_printed(output, printed)


@verb()
@click.argument("subject", metavar="DECK|GAME|QUERY")
@show.output_option("The PDF.")
@declared_options(BoxRequest)
@print_options("pictures")
@paper_options
@print_options("press")
def box(session: Session, /, subject: str, output: Path, day: date | None, **options: Any) -> int:
    """Print a box for a deck, or for all cards of a game or query: its net with its faces, to cut out, fold and glue.

    Its size follows from the size, number and thickness of the cards.
    """
    only_pdf(output)
    request = BoxRequest(subject, **taken(BoxRequest, options))
    return session.write_printed(output, print_game_box(session.project, request, day, paper_of(options, output)))
