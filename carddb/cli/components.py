"""Print what a game needs besides its cards."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from carddb.cli import show
from carddb.cli.arguments import pairs
from carddb.cli.clock import today
from carddb.cli.job import coarser, say_ink
from carddb.cli.paper import art_options, only_pdf, paper_options, printer_options, sheet_options
from carddb.cli.selection import is_deck_file
from carddb.cli.session import Session
from carddb.findings import exit_code

if TYPE_CHECKING:
    from carddb.games import Game


@click.command()
@click.argument("key", metavar="GAME")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@show.output_option("The PDF.")
@click.option(
    "--players",
    type=click.IntRange(1, 20),
    help="How many need what each player has (default: the fewest that play; one with --deck).",
)
@click.option("--deck", default="", help="A deck file, or the name of a deck, for a title card.")
@click.option(
    "--module",
    default="",
    metavar="ID",
    help="What one module needs, and what all of them have; or a file with a module of your own.",
)
@click.option(
    "--set",
    "values",
    multiple=True,
    metavar="KEY=VALUE",
    help="Where components differ in KEY, those of this value, as n=6; see `carddb games`.",
)
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
    no_contents: bool,
    day: date | None,
    **paper: Any,
) -> int:
    """Print reference cards, tracks, mats, counters and sheets to write on: all of a game's, or those named.

    Where none is named, a page comes first that lists them with their sheets, and what else to bring. A sheet to fill
    in can be a spreadsheet too: -o FILE.xlsx.
    """
    from carddb.press.components import deck_facts, print_components
    from carddb.press.size_budget import within_budget
    from carddb.press.workshop import open_workshop

    game = session.game(key)
    if Path(module).suffix:
        from carddb.cli.own_module import with_module

        game, module = with_module(session, game, Path(module))
    if output.suffix.lower() == ".xlsx":
        return _form(session, game, names, output)
    only_pdf(output)
    options = sheet_options(paper, day or today())
    facts = {"name": deck}
    if is_deck_file(deck):
        from carddb.cli.judging import read_deck

        facts = deck_facts(read_deck(session, Path(deck), key, day or today()).deck, game.spec)
    workshop = open_workshop(game, art_folder=session.project.art_folder, lang=options.lang)
    with show.progress("drawing", session.quiet):
        printed = within_budget(
            options,
            lambda o: print_components(
                workshop, names, o, players, facts,
                module=module, values=pairs(values, "--set"), contents=not no_contents,
            ),
        )  # fmt: skip
    session.write(output, printed.data)
    pieces, sheets_ = show.amount(printed.cards, "piece"), show.amount(printed.sheets, "sheet")
    session.say(f"{output}: {pieces} on {sheets_}{coarser(options, printed)}")
    say_ink(session, printed)
    show.findings(printed.findings, err=True)
    return exit_code(printed.findings)


def _form(session: Session, game: Game, names: tuple[str, ...], output: Path) -> int:
    from carddb.press.component_forms import form_xlsx
    from carddb.press.component_selection import Choice, select_components

    keys = list(dict.fromkeys(part.key for part in select_components(game.spec, Choice(names))))
    session.write(output, form_xlsx(game, keys))
    session.say(f"{output}: {game.spec.components[keys[0]].label}")
    return 0
