"""How sheets are to be printed: what a user says, else the project's defaults, else the house's."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, TypedDict

from carddb.app.workspace.clock import creation
from carddb.app.workspace.keyword_options import refuse_unknown
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError
from carddb.core.names import did_you_mean
from carddb.core.units import Size, parse_length
from carddb.layout.sheets.crop_marks import Marking
from carddb.layout.sheets.grid import NO_GUTTER
from carddb.layout.sheets.print_modes import FLIPS, INK_MODES, MARKS, Flip, InkMode, Marks
from carddb.layout.stock import stock_named
from carddb.press.sheets.options import SheetOptions

_WORDS = {"ink": INK_MODES, "flip": FLIPS, "marks": MARKS}
"""What options take that are words of a closed list."""
_OF_SHEETS = ("paper", "margin", "gutter", "flip", "fold", "marks", "guides", "outlines")
"""The options that say how cards lie on a sheet."""


class PaperOptions(TypedDict, total=False):
    """The paper options of the command line by their names with `_` for `-`; lengths in micrometres, or as `3mm`."""

    paper: str | None
    stock: str | None
    card_size: str
    margin: int | str | None
    gutter: Size | int | str
    bleed: int | str | None
    fold: bool
    flip: Flip | None
    marks: Marks
    guides: bool
    outlines: bool
    ink: InkMode
    lang: str
    art_dpi: int
    max_mb: float | None
    printer: str | None
    tray: str | None


def sheet_options(project: Workspace, paper: PaperOptions, on: date, processes: int = 1) -> SheetOptions:
    """The options as the press takes them. Raises UsageError for unknown names and lengths."""
    refuse_unknown(paper, PaperOptions)
    check_words(paper)
    defaults = {name: value for name, value in project.settings.defaults.items() if paper.get(name) is None}
    house = SheetOptions()
    margin, bleed = paper.get("margin"), paper.get("bleed")
    options = SheetOptions(
        paper=paper.get("paper") or defaults.get("paper") or house.paper,
        stock=paper.get("stock") or defaults.get("stock") or house.stock,
        card_size=paper.get("card_size", ""),
        margin=house.margin if margin is None else _length(margin),
        unprinted=0 if margin is None else _length(margin),
        gutter=_gutter(paper.get("gutter", NO_GUTTER)),
        bleed=None if bleed is None else _length(bleed),
        fold=paper.get("fold", False),
        marking=Marking(paper.get("marks", "edges"), paper.get("guides", False), paper.get("outlines", False)),
        flip=paper.get("flip") or defaults.get("flip") or house.flip,
        lang=paper.get("lang", house.lang),
        creation=creation(on),
        art_dpi=paper.get("art_dpi", house.art_dpi),
        most_bytes=round((paper.get("max_mb") or 0) * 1_000_000),
        ink=paper.get("ink", house.ink),
        processes=processes,
    )
    printer, tray = paper.get("printer") or defaults.get("printer"), paper.get("tray") or defaults.get("tray")
    if printer is None and tray is None:
        return options
    from carddb.app.printing.printers import printer_for  # Pydantic, 40 ms, for a printer that is named

    return options._replace(printer=printer_for(printer, tray, options))


def check_words(options: Mapping[str, Any]) -> None:
    """Raises UsageError for a word that an option of a print does not take."""
    for name, words in _WORDS.items():
        value = options.get(name)
        if value and value not in words:
            raise UsageError(f"{name} cannot be {value!r}", did_you_mean(str(value), words))


def unused_options(paper: PaperOptions, stock: str, on_sheets: bool = True) -> str:
    """A sentence that names the options of a sheet that change nothing: of pictures, or of a stock with own paper."""
    house = {"gutter": NO_GUTTER, "marks": "edges"}
    chosen = [name for name in _OF_SHEETS if paper.get(name) not in (None, False, house.get(name))]
    if not on_sheets:
        reason = "each picture is one card, without a sheet"
    elif not stock_named(stock).cut:
        reason, chosen = f"the stock {stock} has its own paper", [name for name in chosen if name == "paper"]
    else:
        return ""
    names = " and ".join(f"--{name}" for name in chosen)
    return f"{reason}: {names} {'is' if len(chosen) == 1 else 'are'} not used" if chosen else ""


def _length(value: int | str) -> int:
    """A length in micrometres. Raises UsageError for a text that is none."""
    try:
        if not isinstance(value, int | str):
            raise ValueError(f"not a length: {value!r}")
        return value if isinstance(value, int) else parse_length(value, "mm")
    except ValueError as fault:
        raise UsageError(str(fault), "Write a length as 3mm, 0.125in or 9pt, and two as 3mm,2mm.") from fault


def _gutter(value: Size | int | str) -> Size:
    """One length for both ways, or two: between columns, between rows."""
    if isinstance(value, Size):
        return value
    parts = [part.strip() for part in value.split(",")] if isinstance(value, str) else [value]
    lengths = [_length(part) for part in parts]
    return Size(lengths[0], lengths[-1])
