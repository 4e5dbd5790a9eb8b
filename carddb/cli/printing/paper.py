"""How sheets are to be printed, as options of every verb that prints them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import click

from carddb.app.printing.options import PaperOptions
from carddb.cli.options.arguments import DAY
from carddb.core.errors import UsageError
from carddb.core.units import Size, parse_length
from carddb.layout.sheets.print_modes import FLIPS, INK_MODES, MARKS


class LengthType(click.ParamType[int]):
    """A length such as 3mm, 0.125in or 9pt; a bare number is millimetres."""

    name = "length"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
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
        if isinstance(value, Size):
            return value
        lengths = [LENGTH.convert(part.strip(), param, ctx) for part in value.split(",")]
        if len(lengths) > 2:
            self.fail(f"{value!r} has more than two lengths: between columns, between rows.", param, ctx)
        return Size(lengths[0], lengths[-1])


LENGTH = LengthType()
GUTTER = GutterType()


def paper_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Paper, stock, marks and ink, as options of a verb."""
    for option in (
        click.option("--lang", default="", help="The language of words and ideographs (default: the game's)."),
        click.option("--on", "day", type=DAY, help="The cards as they stand on this day (default: today)."),
        click.option(
            "--ink",
            type=click.Choice(INK_MODES),
            default="full",
            show_default=True,
            help="light: greys, no art, patterns for colours; text: black words and lines alone.",
        ),
        click.option("--outlines", is_flag=True, help="Thin lines round every card, on the cut."),
        click.option("--guides", is_flag=True, help="Crop marks go on to the paper's edges."),
        click.option(
            "--marks",
            type=click.Choice(MARKS),
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
            type=click.Choice(FLIPS),
            show_default="long-edge",
            help="How the printer turns the paper; none prints fronts only.",
        ),
        click.option("--card-size", default="", help="playing-card, index-5x7, 2.5x3.5in, ... (default: the game's)."),
        click.option(
            "--stock",
            show_default="plain",
            help="plain, avery-5388, index-3x5, index-4x6, index-5x8; card: every page is one card.",
        ),
        click.option("--paper", show_default="letter", help="letter, a4, legal, tabloid, a3, a5 or 148x210mm."),
    ):
        command = option(command)
    return command


def art_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """How fine pictures are, and how large the file may be, as options of a verb."""
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


def printer_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The printer that a verb corrects for, as options of it."""
    tray = click.option("--tray", metavar="T", help="The printer's tray (default: 1).")
    name = click.option("--printer", metavar="NAME", help="Correct for this printer; see `carddb printer`.")
    return name(tray(command))


def only_pdf(output: Path | None) -> None:
    """Sheets are PDF. Raises UsageError for a name that says otherwise."""
    if output is not None and output.suffix.lower() not in ("", ".pdf"):
        raise UsageError(f"sheets are written as PDF, not as {output.suffix}", "Pictures: carddb sheets … --png DIR.")


def paper_of(options: dict[str, Any]) -> PaperOptions:
    """The options of paper, taken out of those of a verb."""
    taken = {name: options.pop(name) for name in PaperOptions.__annotations__ if name in options}
    return cast("PaperOptions", taken)
