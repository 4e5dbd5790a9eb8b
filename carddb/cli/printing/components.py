"""The commands that print what a game needs besides its cards: `components`, `box`, and `report` of a table."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from carddb.app.printing.component_prints import (
    BoxRequest,
    ComponentRequest,
    component_spreadsheet,
    print_game_box,
    print_game_components,
    print_score_sheets,
)
from carddb.cli import show
from carddb.cli.options import PATH, declared_options, taken, verb
from carddb.cli.printing.paper import only_pdf, paper_of, paper_options, print_options
from carddb.cli.session import Session
from carddb.findings import exit_code

if TYPE_CHECKING:
    from carddb.cli.tables import Terminal
    from carddb.play.table.front import Front


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
    """Print all components of a game, or the named ones: reference cards, tracks, mats, counters, sheets to write on.

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
    """Print a box, to cut out, fold and glue, for a deck or for all cards of a game or query.

    Its size follows from the size, number and thickness of the cards.
    """
    only_pdf(output)
    request = BoxRequest(subject, **taken(BoxRequest, options))
    return session.write_printed(output, print_game_box(session.project, request, day, paper_of(options, output)))


def score_sheets(front: Front[Any]) -> click.Command:
    """Returns the command `report` of a game's table, which shows or writes its score sheets."""
    form = front.sheets
    assert form is not None

    @click.command("report", help=form.help)
    @click.argument("files", nargs=-1, type=PATH, metavar=f"[{front.verb.upper()}.json]...")
    @show.output_option("A PDF, XLSX or CSV (default: shown here).", required=False)
    @paper_options
    @click.pass_obj
    def write(terminal: Terminal, /, files: tuple[Path, ...], output: Path | None, **options: Any) -> int:
        table = terminal.file
        filled = table.filled_sheets(files or (table.path,))
        if output is None:
            show.table(form.columns, filled.rows)
            return 0
        kind = output.suffix.lower().removeprefix(".")
        printed = print_score_sheets(table.project, table.game, form, filled, kind, paper_of(options))
        show.findings(printed.findings, err=True)
        printed.write(output)
        return exit_code(printed.findings)

    return write
