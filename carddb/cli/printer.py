"""Printers: calibrate, set, show, list, forget."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from carddb.cli import show
from carddb.cli.clock import creation, today
from carddb.cli.session import Session
from carddb.errors import UsageError

if TYPE_CHECKING:
    from carddb.cli.printers import Feed, PrinterBook
    from carddb.layout.calibration import Calibration
    from carddb.layout.printer_correction import Correction
    from carddb.units import Size


class WordType(click.ParamType[str]):
    """A short name without spaces: letters, digits, point, hyphen."""

    name = "name"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not re.fullmatch(r"\w[\w.-]{0,23}", value):
            self.fail(
                f"{value!r} is not a name: up to 24 letters, digits, points and hyphens, such as home.", param, ctx
            )
        return str(value)


NAME = WordType()
_paper = click.option(
    "--paper", default="letter", show_default=True, help="letter, a4, legal, tabloid, a3, a5, 3x5in or 148x210mm."
)
_tray = click.option("--tray", type=NAME, default="1", show_default=True, metavar="T", help="The tray it lies in.")
_json = click.option("--json", "json_", is_flag=True, help="As JSON.")


@click.group()
def printer() -> None:
    """Bring fronts and backs together: a page to be read against a lamp, and the printer's correction."""


@printer.command()
@click.argument("name", type=NAME, required=False)
@show.output_option("The PDF.")
@_paper
@_tray
@click.option(
    "--flip",
    type=click.Choice(["long-edge", "short-edge"]),
    default="long-edge",
    show_default=True,
    help="How the printer turns the paper.",
)
@click.pass_obj
def calibrate(session: Session, /, name: str | None, output: Path, paper: str, tray: str, flip: str) -> int:
    """Print a page of scales, to be held against a lamp; it says what to read and what to type.

    It is drawn with the correction that the printer has already, so that a right one reads F10 everywhere.
    """
    from carddb.cli.paper import only_pdf
    from carddb.cli.printers import Feed, open_book
    from carddb.layout.calibration import Calibration
    from carddb.layout.printer_correction import NONE
    from carddb.layout.stock import paper_label, paper_size
    from carddb.press.calibration import calibration_pdf

    only_pdf(output)
    size = paper_size(paper)
    correction = open_book().past(name, Feed(tray, size, flip))[-1] if name else NONE
    page = Calibration(size, flip, correction, name or "", tray)
    session.write(output, calibration_pdf(page, creation(today())))
    session.say(f"{output}: {paper_label(size)}, both sides, {flip}; drawn with {correction.full}")
    return 0


@printer.command("set")
@click.argument("name", type=NAME)
@click.option(
    "--page", "code", metavar="CODE", help="The four letters printed on the page.  [default: the newest page]"
)
@click.option("--read", "read", metavar="E6,E2,...", help="What the scales read, in order; or the first and the last.")
@click.option("--measured", metavar="X,Y", help="How long the rulers are on paper: 99.6mm,100.2mm.")
@_paper
@_tray
@_json
@click.pass_obj
def set_(
    session: Session,
    /,
    name: str,
    code: str | None,
    read: str | None,
    measured: str | None,
    paper: str,
    tray: str,
    json_: bool,
) -> int:
    """Store what a calibration page reads: `carddb printer set home --page KQXB --read E6,E2,E7,F14,E4,E18`.

    The code says with which correction the page was drawn, to which the reading then adds. Two readings, of the
    first and the last scale, tell how far the back is moved, and nothing of its angle and scale.
    """
    from carddb.cli.printers import Feed, calibrate_command, open_book
    from carddb.layout.registration import registered
    from carddb.layout.stock import paper_size

    book = open_book()
    page = _page(book, name, tray, paper_size(paper), code)
    if read is None and measured is None:
        raise UsageError("nothing was read", f"Add --read {_example(page.size)}, or --measured 99.6mm,100.2mm.")
    correction = page.correction
    if read is not None:
        correction = registered(_readings(read, page.size), page.size, page.flip, correction)
    if measured is not None:
        correction = _rescaled(correction, measured, page.size)
    feed = Feed(tray, page.size, page.flip)
    book.put(name, feed, correction)
    book.write()
    if json_:
        show.as_json({"schema": "carddb.printers/1", "printers": [_entry(name, feed, correction)]})
        return 0
    click.echo(f"{name}, {feed}: {correction.full}")
    session.say(f"To see it read F10 everywhere: {calibrate_command(name, feed)}")
    return 0


def _page(book: PrinterBook, name: str, tray: str, size: Size, code: str | None) -> Calibration:
    """The page with that code, or the newest, turned on the long edge where no correction says otherwise.

    Raises UsageError where none of this printer, tray and paper has the code.
    """
    from carddb.cli.printers import Feed, calibrate_command
    from carddb.layout.calibration import Calibration

    drawn = {flip: book.past(name, Feed(tray, size, flip)) for flip in ("long-edge", "short-edge")}
    if code is None:
        flip = max(drawn, key=lambda flip: len(drawn[flip]))
        return Calibration(size, flip, drawn[flip][-1], name, tray)
    for flip, corrections in drawn.items():
        pages = [Calibration(size, flip, past, name, tray) for past in corrections]
        for page in reversed([Calibration(size, flip, tray=tray), *pages]):
            if page.code == code.strip().upper():
                return page
    raise UsageError(
        f"no page {code!r} was made for {name}, {Feed(tray, size, 'either edge')}",
        "Type the command as the page has it, with its --paper and --tray. A new page: "
        + calibrate_command(name, Feed(tray, size, "long-edge")),
    )


def _example(size: Size) -> str:
    from carddb.layout.registration import example

    return example(size)


def _readings(text: str, size: Size) -> list[Any]:
    from carddb.layout.vernier import parse_reading

    return [parse_reading(part, f"--read {_example(size)}") for part in text.split(",")]


def _rescaled(correction: Correction, text: str, size: Size) -> Correction:
    """The correction with the scale that two measured rulers ask for. Raises UsageError."""
    from carddb.layout.calibration import ruler_lengths
    from carddb.layout.printer_correction import with_scale
    from carddb.units import parse_length, to_mm

    rulers = ruler_lengths(size)
    if rulers is None:
        raise UsageError("a card has no rulers to measure", "Leave --measured out.")
    across, down = rulers
    right = (
        f"Write both rulers, across and down, like this: --measured {to_mm(across) - 0.4:g}mm,{to_mm(down) + 0.2:g}mm."
    )
    try:
        lengths = [parse_length(part, "mm") for part in text.split(",")]
    except ValueError as fault:
        raise UsageError(f"{fault}", right) from fault
    if len(lengths) != 2:
        raise UsageError(f"{text!r} is not two lengths", right)
    if not all(abs(length - ruler) * 100 <= 3 * ruler for length, ruler in zip(lengths, rulers, strict=True)):
        raise UsageError(
            f"{text!r} is more than 3 % off rulers of {to_mm(across):g} and {to_mm(down):g} mm",
            f"Was the page printed to fit? Print it at 100 %. {right}",
        )
    return with_scale(correction, rulers, (lengths[0], lengths[1]))


@printer.command("show")
@click.argument("name", type=NAME, required=False)
@_json
@click.pass_obj
def show_(session: Session, name: str | None, json_: bool) -> int:
    """Show the corrections of a printer, or of all: one for each tray, paper and way of turning."""
    return _report(session, name, json_)


@printer.command("list")
@_json
@click.pass_obj
def list_(session: Session, json_: bool) -> int:
    """List the printers that are known."""
    from carddb.cli.printers import open_book

    if json_:
        return _report(session, None, json_)
    book = open_book()
    rows = [(name, "; ".join(str(feed) for feed, _ in book.entries(name))) for name in book.printers]
    show.table(("printer", "calibrated for"), rows)
    session.say(str(book.path) if rows else _NOBODY)
    return 0


_NOBODY = "No printer is known yet: carddb printer calibrate NAME -o page.pdf"


def _report(session: Session, name: str | None, json_: bool) -> int:
    from carddb.cli.printers import open_book

    book = open_book()
    rows = [(n, feed, correction) for n in ([name] if name else book.printers) for feed, correction in book.entries(n)]
    if json_:
        entries = [_entry(*row) for row in rows]
        show.as_json({"schema": "carddb.printers/1", "file": str(book.path), "printers": entries})
        return 0
    show.table(("printer", "for", "correction"), [(n, str(feed), correction.full) for n, feed, correction in rows])
    session.say(str(book.path) if rows else _NOBODY)
    return 0


def _entry(name: str, feed: Feed, correction: Correction) -> dict[str, Any]:
    from carddb.layout.stock import paper_name

    return {
        "name": name,
        "tray": feed.tray,
        "paper": paper_name(feed.paper),
        "flip": feed.flip,
        "x_um": correction.x,
        "y_um": correction.y,
        "angle_urad": correction.angle,
        "back_ppm": [correction.back_x, correction.back_y],
        "scale_ppm": [correction.scale_x, correction.scale_y],
    }


@printer.command()
@click.argument("name", type=NAME)
@click.pass_obj
def forget(session: Session, name: str) -> int:
    """Forget a printer with all its corrections."""
    from carddb.cli.printers import open_book

    book = open_book()
    count = len(book.feeds(name))
    del book.printers[name]
    book.write()
    session.say(f"forgot {name} with {count} correction{'' if count == 1 else 's'}")
    return 0
