"""Printing: sheets, components, proof."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from carddb.cli import show
from carddb.cli.arguments import QueryCommand, judging_options, pairs, query_argument
from carddb.cli.changed import Wanted, change_options
from carddb.cli.clock import DAY, creation, today
from carddb.cli.job import Job, coarser, say_ink
from carddb.cli.pictures import Asked, make, picture_options
from carddb.cli.selection import Terms, is_deck_file, select, stamp_of
from carddb.cli.session import Session
from carddb.errors import UsageError
from carddb.findings import Severity, exit_code, has_errors, verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from carddb.games import Game
    from carddb.press.sheets import SheetOptions
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


def paper_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("--lang", default="en", show_default=True, help="The language of the cards and their ideographs."),
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

    return options._replace(printer=printer_for(name, tray, options))


@click.command(cls=QueryCommand)
@query_argument("selection", required=True)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, allow_dash=True, readable=False), metavar="FILE", help="The PDF."
)
@picture_options
@click.option("--game", "key", metavar="G", help="The game of a query or reference.")
@click.option("--dry-run", is_flag=True, help="Say what would be printed: sheets, slots, cuts; draw nothing.")
@change_options
@judging_options
@click.option("--allow-illegal", is_flag=True, help="Print a deck that is not legal, and say so on every page.")
@click.option("--allow-faults", is_flag=True, help="Print faces with errors, such as text that does not fit.")
@click.option("--json", "json_", is_flag=True, help="What was printed, or would be, as JSON.")
@_art_options
@paper_options
@_printer_options
@click.pass_obj
def sheets(
    session: Session,
    /,
    selection: tuple[str, ...],
    key: str | None,
    dry_run: bool,
    day: date | None,
    allow_illegal: bool,
    allow_faults: bool,
    json_: bool,
    **given: Any,
) -> int:
    """Print sheets of a deck, of cards by reference, or of a query: fronts and backs, or pictures of each card.

    A selection that is a file is a deck, and is checked first; one that is a reference is that card; all else is one
    query.
    """
    asked = Asked(**{name: given.pop(name) for name in Asked._fields})
    if not dry_run:
        asked.check()
    only_pdf(asked.output)
    if json_ and str(asked.output) == "-":
        raise UsageError("standard output takes the sheets or the JSON, not both", "Use -o FILE.pdf.")
    wanted = Wanted(**{name: given.pop(name) for name in Wanted._fields})
    wanted.check(asked.sheets)
    terms = Terms(**{name: given.pop(name) for name in Terms._fields})
    if given["max_mb"] and not (dry_run or asked.sheets):
        raise UsageError("--max-mb limits a PDF of sheets, not pictures", "Choose a lower --dpi for pictures.")
    on = day or today()
    options = sheet_options(given, on)
    game, copies, title, found, sections = select(session, selection, key, on, terms)
    stamp = stamp_of(found, on) if allow_illegal else ""
    options = options._replace(stamp=stamp)
    job = Job(game, copies, title, options, wanted, on, found, sections, allow_faults, json_)
    if dry_run and not has_errors(found) and copies:
        return _foretell(job)
    code = _run(session, job, asked, allow_illegal)
    if json_:
        show.as_json(job.report(asked.place))
    return code


def _run(session: Session, job: Job, asked: Asked, illegal_too: bool) -> int:
    """Does a job and gives its exit code; nothing is written of a deck that is not legal, unless that is wanted."""
    if has_errors(job.found) and not illegal_too:
        show.findings(job.found, err=True)
        session.say("nothing was printed: mend the deck first, or print it with --allow-illegal")
        return 1
    show.findings(job.found, err=True, least=Severity.NOT_CHECKABLE)
    if verdict(job.found) == "not_checkable":
        session.say("whether the deck is legal could not be checked; it is printed all the same")
    if not job.copies:
        session.say("no card matches")
        return 1
    if job.wanted.missing:
        job.faults = job.leave_owned(session, job.wanted.missing)
        if has_errors(job.faults):
            session.say(f"nothing was printed: mend {job.wanted.missing} first")
            return 1
        if not job.copies:
            return 0
    of_faces = job.print_sheets(session, asked.sheets) if asked.sheets else make(session, job, asked)
    show.findings(of_faces, err=True)
    job.faults += of_faces
    return exit_code(of_faces)


def _foretell(job: Job) -> int:
    """Says what a job would come to."""
    from carddb.cli.dryrun import as_data, tell
    from carddb.press.outlook import outlook

    sheets = outlook(job.game, job.copies, job.options)
    if job.as_json:
        show.as_json(as_data(job.title, sheets))
    else:
        tell(job.title, sheets)
    return 0


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
@_art_options
@paper_options
@_printer_options
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
    from carddb.press.limit import within
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
        printed = within(
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
    from carddb.press.chosen import Choice, chosen
    from carddb.press.forms import form_xlsx

    keys = list(dict.fromkeys(part.key for part in chosen(game.spec, Choice(names))))
    session.write(output, form_xlsx(game, keys))
    session.say(f"{output}: {game.spec.components[keys[0]].label}")
    return 0


@click.command()
@click.argument("ref")
@show.output_option("PDF, PNG or SVG by its ending.")
@click.option("--game", "key", metavar="G", help="The game, where several have the reference.")
@click.option("--dpi", type=click.IntRange(30, 1200), default=300, show_default=True, help="Of a PNG.")
@paper_options
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
    options = sheet_options(paper, on)
    workshop = open_workshop(game, [card], session.project.art_folder, options.lang)
    data, found = proof_bytes(workshop, card, options, kind, dpi)
    session.write(output, data)
    session.say(f"{output}: {card.name} [{card.ref}]")
    show.findings(found, err=True)
    return exit_code(found)
