"""Printing: sheets, components, proof."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from carddb.cli import show
from carddb.cli.arguments import QueryCommand, query_argument
from carddb.cli.clock import DAY, creation, today
from carddb.cli.selection import is_deck_file, select
from carddb.cli.session import Session
from carddb.errors import UsageError
from carddb.findings import Finding, exit_code, has_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from carddb.games import Game
    from carddb.pool import Card
    from carddb.press.sheets import Printed, SheetOptions
    from carddb.units import Size


class LengthType(click.ParamType[int]):
    """A length such as 3mm, 0.125in or 9pt; a bare number is millimetres."""

    name = "length"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        from carddb.units import parse_length

        if isinstance(value, int):
            return value
        try:
            length = parse_length(value, "mm")
        except ValueError as error:
            self.fail(f"{error}.", param, ctx)
        if not 0 <= length <= 200_000:
            self.fail(f"{value!r} is not between 0 and 200 mm.", param, ctx)
        return length


class GutterType(click.ParamType["Size"]):
    """One length for both ways, or two: between columns, between rows."""

    name = "length[,length]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Size:
        from carddb.units import Size

        if isinstance(value, Size):
            return value
        lengths = [LENGTH.convert(part.strip(), param, ctx) for part in value.split(",")]
        if len(lengths) > 2:
            self.fail(f"{value!r} has more than two lengths: between columns, between rows.", param, ctx)
        return Size(lengths[0], lengths[-1])


LENGTH = LengthType()
GUTTER = GutterType()


def _paper_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option(
            "--lang", default="en", show_default=True, help="The language of the cards, as the file tells it."
        ),
        click.option("--on", "day", type=DAY, help="The cards as they stand on this day (default: today)."),
        click.option(
            "--ink",
            type=click.Choice(["full", "light", "text"]),
            default="full",
            show_default=True,
            help="light: greys, no art, patterns for colours; text: black words and lines alone.",
        ),
        click.option("--outlines", is_flag=True, help="Thin lines round every card, on the cut."),
        click.option("--guides", is_flag=True, help="Crop marks go on to the paper's edges."),
        click.option(
            "--marks",
            type=click.Choice(["edges", "cards", "none"]),
            default="edges",
            show_default=True,
            help="Crop marks at the edges of the block, at all cards where the gutter leaves room, or none.",
        ),
        click.option(
            "--fold", is_flag=True, help="Fronts and backs on one side, to fold and glue: for a printer without duplex."
        ),
        click.option(
            "--bleed",
            type=LENGTH,
            help="How far faces are printed beyond their trim, between cards at most half the gutter (default: 1.5mm).",
        ),
        click.option(
            "--gutter",
            type=GUTTER,
            default="0",
            show_default=True,
            help="Space between cards; 3mm,5mm between columns and between rows.",
        ),
        click.option(
            "--margin",
            type=LENGTH,
            help="What the printer leaves unprinted (default: 6.35mm); named, single cards are checked for it.",
        ),
        click.option(
            "--flip",
            type=click.Choice(["long-edge", "short-edge", "none"]),
            default="long-edge",
            show_default=True,
            help="How the printer turns the paper; none prints fronts only.",
        ),
        click.option("--card-size", default="", help="playing-card, index-5x7, 2.5x3.5in, ... (default: the game's)."),
        click.option(
            "--stock",
            default="plain",
            show_default=True,
            help="plain, avery-5388, index-3x5, index-4x6, index-5x8; card: every page is one card.",
        ),
        click.option(
            "--paper", default="letter", show_default=True, help="letter, a4, legal, tabloid, a3, a5 or 148x210mm."
        ),
    ):
        command = option(command)
    return command


def _art_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option(
            "--max-mb",
            type=click.FloatRange(0, min_open=True),
            metavar="N",
            help="The largest file, in millions of bytes: pictures are made coarser for it, text never.",
        ),
        click.option(
            "--art-dpi",
            type=click.IntRange(72, 1200),
            default=300,
            show_default=True,
            help="The pixels per inch that pictures need in print; much finer ones are made smaller.",
        ),
    ):
        command = option(command)
    return command


def _printer_options(command: Callable[..., Any]) -> Callable[..., Any]:
    tray = click.option("--tray", metavar="T", help="The printer's tray (default: 1).")
    name = click.option("--printer", metavar="NAME", help="Correct for this printer; see `carddb printer`.")
    return name(tray(command))


def only_pdf(output: Path | None) -> None:
    """Sheets are PDF. Raises UsageError for a name that says otherwise."""
    if output is not None and output.suffix.lower() not in ("", ".pdf"):
        raise UsageError(f"sheets are written as PDF, not as {output.suffix}", "Pictures: carddb sheets … --png DIR.")


def sheet_options(given: dict[str, Any], on: date) -> SheetOptions:
    """The options of the command line as the press takes them."""
    from carddb.layout.marks import Marking
    from carddb.press.sheets import SheetOptions

    name, tray = given.pop("printer", None), given.pop("tray", None)
    margin = given.pop("margin")
    if margin is not None:
        given |= {"margin": margin, "unprinted": margin}
    given["marking"] = Marking(given.pop("marks"), given.pop("guides"), given.pop("outlines"))
    most = round((given.pop("max_mb", None) or 0) * 1_000_000)
    options = SheetOptions(creation=creation(on), most_bytes=most, **given)
    if name is None and tray is None:
        return options
    from carddb.cli.printers import printer_for

    return replace(options, printer=printer_for(name, tray, options))


@click.command(cls=QueryCommand)
@query_argument("selection", required=True)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, allow_dash=True, readable=False), metavar="FILE", help="The PDF."
)
@click.option(
    "--png",
    "png_folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="A picture of each card instead.",
)
@click.option("--dpi", type=click.IntRange(30, 1200), default=300, show_default=True, help="Of the pictures.")
@click.option("--game", "key", metavar="G", help="The game of a query or reference.")
@click.option("--dry-run", is_flag=True, help="Say what would be printed: sheets, slots, cuts; draw nothing.")
@click.option("--json", "json_", is_flag=True, help="The dry run as JSON.")
@_art_options
@_paper_options
@_printer_options
@click.pass_obj
def sheets(
    session: Session,
    /,
    selection: tuple[str, ...],
    output: Path | None,
    png_folder: Path | None,
    dpi: int,
    key: str | None,
    dry_run: bool,
    json_: bool,
    day: date | None,
    **paper: Any,
) -> int:
    """Print sheets of a deck, of cards by reference, or of a query: fronts and backs, or one PNG a card.

    A selection that is a file is a deck; one that is a reference is that card; all else is one query.
    """
    if json_ and not dry_run:
        raise UsageError("--json tells of a dry run", "Add --dry-run.")
    if not dry_run and (output is None) == (png_folder is None):
        raise UsageError("name one place for the result", "Use -o FILE.pdf or --png DIR.")
    only_pdf(output)
    if png_folder is not None and paper["max_mb"]:
        raise UsageError("--max-mb limits a PDF, not pictures", "Choose a lower --dpi for pictures.")
    on = day or today()
    options = sheet_options(paper, on)
    game, copies, title, found = select(session, selection, key, on)
    if has_errors(found):
        show.findings(found, err=True)
        session.say("nothing was printed: mend the deck first")
        return 1
    if not copies:
        session.say("no card matches")
        return 1
    if dry_run:
        return _foretell(game, copies, options, title, json_)
    printed = print_selection(session, game, copies, options, title, output, png_folder, dpi)
    show.findings(printed, err=True)
    return exit_code(printed)


def _foretell(game: Game, copies: Sequence[tuple[Card, int]], options: SheetOptions, title: str, json_: bool) -> int:
    """Says what a job would come to."""
    from carddb.cli.dryrun import as_data, tell
    from carddb.press.outlook import outlook

    job = outlook(game, copies, options)
    if json_:
        show.as_json(as_data(title, job))
    else:
        tell(title, job)
    return 0


def print_selection(
    session: Session, game: Game, copies: Sequence[tuple[Card, int]], options: SheetOptions, title: str,
    output: Path | None, png_folder: Path | None, dpi: int,
) -> list[Finding]:  # fmt: skip
    """Draws and writes; gives what is wrong with the faces."""
    from carddb.press.limit import within
    from carddb.press.sheets import pictures, print_cards
    from carddb.press.workshop import open_workshop

    cards = list({card.ref: card for card, _ in copies}.values())
    workshop = open_workshop(game, cards, session.project.art_folder)
    if output is not None:
        with show.progress(f"drawing {len(cards)} cards", session.quiet):
            printed = within(options, lambda o: print_cards(workshop, copies, o, f"{game.spec.name}: {title}", title))
        session.write(output, printed.data)
        session.say(summary(output, printed) + _coarser(options, printed))
        _say_ink(session, printed)
        return list(printed.findings)
    assert png_folder is not None
    made, bank = pictures(workshop, cards, options, dpi)
    with show.counted("drawing", len(cards), session.quiet) as step:
        for name, data in made:
            session.write(png_folder / name, data)
            step()
    session.say(f"{png_folder}: {_many(len(cards), 'picture')} at {dpi} dpi")
    return bank.findings


def summary(output: Path, printed: Printed) -> str:
    """One line about a printed file."""
    sides = "both sides" if printed.pages > printed.sheets else "one side"
    where = f"{_many(printed.cards, 'card')} on {_many(printed.sheets, 'sheet')}"
    return f"{output}: {where}, {sides}; {printed.label}"


def _coarser(options: SheetOptions, printed: Printed) -> str:
    """What was done to keep a file small."""
    if printed.art_dpi == options.art_dpi:
        return ""
    return f"; pictures at {printed.art_dpi} dpi, for {options.most_bytes / 1e6:g} MB"


def _say_ink(session: Session, printed: Printed) -> None:
    if printed.ink and not session.quiet:
        session.say(str(printed.ink()))


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


@click.command()
@click.argument("key", metavar="GAME")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@show.output_option("The PDF.")
@click.option(
    "--players", type=click.IntRange(1, 20), default=1, show_default=True, help="How many need what each player has."
)
@click.option("--deck", default="", help="A deck file, or the name of a deck, for a title card.")
@_art_options
@_paper_options
@_printer_options
@click.pass_obj
def components(
    session: Session,
    /,
    key: str,
    names: tuple[str, ...],
    output: Path,
    players: int,
    deck: str,
    day: date | None,
    **paper: Any,
) -> int:
    """Print reference cards, tracks, mats, counters and sheets to write on: all of a game's, or those named."""
    from carddb.press.components import deck_facts, print_components
    from carddb.press.limit import within
    from carddb.press.workshop import open_workshop

    only_pdf(output)
    game = session.game(key)
    options = sheet_options(paper, day or today())
    facts = {"name": deck}
    if is_deck_file(deck):
        from carddb.cli.judging import read_deck

        facts = deck_facts(read_deck(session, Path(deck), key, day or today()).deck, game.spec)
    workshop = open_workshop(game, art_folder=session.project.art_folder)
    with show.progress("drawing", session.quiet):
        printed = within(options, lambda o: print_components(workshop, names, o, players, facts))
    session.write(output, printed.data)
    session.say(
        f"{output}: {_many(printed.cards, 'piece')} on {_many(printed.sheets, 'sheet')}{_coarser(options, printed)}"
    )
    _say_ink(session, printed)
    show.findings(printed.findings, err=True)
    return exit_code(printed.findings)


@click.command()
@click.argument("ref")
@show.output_option("PDF, PNG or SVG by its ending.")
@click.option("--game", "key", metavar="G", help="The game, where several have the reference.")
@click.option("--dpi", type=click.IntRange(30, 1200), default=300, show_default=True, help="Of a PNG.")
@_paper_options
@click.pass_obj
def proof(
    session: Session, /, ref: str, output: Path, key: str | None, dpi: int, day: date | None, **paper: Any
) -> int:
    """Draw one face with its trim and safe lines."""
    from carddb.cli.lookup import find
    from carddb.press.proof import proof_bytes
    from carddb.press.workshop import open_workshop

    on = day or today()
    with session.catalog() as catalog:
        game, card = find(session, catalog, ref, key, on)
    kind = output.suffix.lower().removeprefix(".") or "pdf"
    if kind not in ("pdf", "png", "svg"):
        raise UsageError(f"a proof is not written as {kind!r}", "Known: pdf, png, svg.")
    workshop = open_workshop(game, [card], session.project.art_folder)
    data, found = proof_bytes(workshop, card, sheet_options(paper, on), kind, dpi)
    session.write(output, data)
    session.say(f"{output}: {card.name} [{card.ref}]")
    show.findings(found, err=True)
    return exit_code(found)
