"""The commands of `printer`: calibrate, set, show, list, forget."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from carddb.app.printing import printers
from carddb.cli import show
from carddb.cli.options import ReadType, declared_options, json_option
from carddb.cli.printing.paper import only_pdf
from carddb.cli.session import Session
from carddb.core.errors import UsageError
from carddb.core.plain_text import amount


def _name(text: str) -> str:
    """Returns the name of a printer or tray. Raises ValueError, which Click reports, if the name is invalid."""
    try:
        return printers.check_name(text)
    except UsageError as fault:
        raise ValueError(f"{fault.message}: {fault.remedy[:1].lower()}{fault.remedy[1:].removesuffix('.')}") from fault


NAME = ReadType(_name, "name")
_paper = declared_options(printers.PageReading, ["paper"])
_tray = click.option("--tray", type=NAME, default="1", show_default=True, metavar="T", help="The tray of the paper.")


@click.group()
def printer() -> None:
    """Align fronts and backs: print a page, read it against a lamp, and store the printer's correction."""


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
    help="The edge over which the printer turns the paper.",
)
@click.pass_obj
def calibrate(session: Session, /, name: str | None, output: Path, paper: str, tray: str, flip: str) -> int:
    """Print a page of scales to hold against a lamp. The page says what to read and what to type.

    It is drawn with the present correction of the printer. If the correction is right, all scales read F10.
    """
    only_pdf(output)
    return session.write_printed(output, printers.calibration_page(session.project, name, paper, tray, flip))


@printer.command("set")
@click.argument("name", type=NAME)
@declared_options(printers.PageReading)
@_tray
@json_option
@click.pass_obj
def set_(session: Session, /, name: str, json_: bool, **reading: Any) -> None:
    """Store the readings of a calibration page: `carddb printer set home --page KQXB --read E6,E2,E7,F14,E4,E18`.

    The code of the page says with which correction it was drawn; the reading is added to that correction. Readings of
    only the first and the last scale show how far the back is moved, but not its angle and scale.
    """
    feed, correction = printers.store_reading(printers.PageReading(name, **reading))
    if json_:
        entry = printers.correction_json(name, feed, correction)
        return show.as_json({"schema": "carddb.printers/1", "printers": [entry]})
    show.echo(f"{name}, {feed}: {correction.full}")
    session.say(f"To check that all scales read F10 now: {printers.calibrate_command(name, feed)}")


@printer.command("show")
@click.argument("name", type=NAME, required=False)
@json_option
@click.pass_obj
def show_(session: Session, name: str | None, json_: bool) -> None:
    """Show the corrections of a printer, or of all: one for each tray, paper and way of turning."""
    _report(session, name, json_)


@printer.command("list")
@json_option
@click.pass_obj
def list_(session: Session, json_: bool) -> None:
    """List the printers whose corrections are stored."""
    if json_:
        return _report(session, None, json_)
    book = printers.open_book()
    rows = [(name, "; ".join(str(feed) for feed, _ in book.entries(name))) for name in book.printers]
    show.table(("printer", "calibrated for"), rows)
    session.say(str(book.path) if rows else _NOBODY)


_NOBODY = "No printer is calibrated yet. To begin: carddb printer calibrate NAME -o page.pdf"


def _report(session: Session, name: str | None, json_: bool) -> None:
    book = printers.open_book()
    rows = [(n, feed, correction) for n in ([name] if name else book.printers) for feed, correction in book.entries(n)]
    if json_:
        entries = [printers.correction_json(*row) for row in rows]
        return show.as_json({"schema": "carddb.printers/1", "file": str(book.path), "printers": entries})
    show.table(("printer", "for", "correction"), [(n, str(feed), correction.full) for n, feed, correction in rows])
    session.say(str(book.path) if rows else _NOBODY)


@printer.command()
@click.argument("name", type=NAME)
@click.pass_obj
def forget(session: Session, name: str) -> None:
    """Forget a printer with all its corrections."""
    count = printers.forget_printer(name)
    session.say(f"{name}: removed with {amount(count, 'correction')}")
