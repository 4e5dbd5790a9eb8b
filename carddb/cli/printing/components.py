"""Print what a game needs besides its cards."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import click

from carddb.app.printing.component_prints import ComponentRequest, component_spreadsheet, print_game_components
from carddb.cli import show
from carddb.cli.options.arguments import pairs, reading_option
from carddb.cli.printing.paper import art_options, only_pdf, paper_of, paper_options, printer_options
from carddb.cli.session import Session
from carddb.findings import exit_code


@click.command()
@click.argument("key", metavar="GAME")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@show.output_option("The PDF.")
@click.option(
    "--players",
    type=click.IntRange(1, 20),
    help="How many need what each player has (default: the fewest that play; one with --deck).",
)
@click.option("--deck", default="", help="A deck file, whose module is taken too; or a deck's name for a title card.")
@click.option(
    "--module",
    default="",
    metavar="ID",
    help="What one module needs, and what all of them have; or a file with a module of your own; or all.",
)
@click.option(
    "--set",
    "values",
    multiple=True,
    metavar="KEY=VALUE",
    help="Where components differ in KEY, those of this value, as n=6; see `carddb games`.",
)
@reading_option
@click.option("--no-contents", is_flag=True, help="Without the first page, which lists what is printed.")
@art_options
@paper_options
@printer_options
@click.pass_obj
def components(
    session: Session,
    /,
    key: str,
    names: tuple[str, ...],
    output: Path,
    players: int | None,
    deck: str,
    module: str,
    values: tuple[str, ...],
    options: tuple[str, ...],
    no_contents: bool,
    day: date | None,
    **paper: Any,
) -> int:
    """Print reference cards, tracks, mats, counters and sheets to write on: all of a game's, or those named.

    Where none is named, a page comes first that lists them with their sheets, and what else to bring. A sheet to fill
    in can be a spreadsheet too: -o FILE.xlsx.
    """
    request = ComponentRequest(
        key, names, players, deck, module, pairs(values, "--set"), not no_contents, pairs(options, "--option")
    )
    if output.suffix.lower() == ".xlsx":
        printed = component_spreadsheet(session.project, request)
    else:
        only_pdf(output)
        printed = print_game_components(session.project, request, day, paper_of(paper))
    session.write(output, printed.data)
    session.say(f"{output}: {printed.summary}")
    for run in printed.runs:
        session.say(run)
    if printed.ink and not session.quiet:
        session.say(str(printed.ink()))
    show.findings(printed.findings, err=True)
    return exit_code(printed.findings)
