"""The options for printing sheets that a caller chooses."""

from __future__ import annotations

from typing import NamedTuple

from carddb.core.units import Size
from carddb.layout.calibration.registration import Printer
from carddb.layout.sheets.crop_marks import EDGES, Marking
from carddb.layout.sheets.grid import MARGIN, NO_GUTTER
from carddb.layout.stock import card_on, card_size, stock_named


class SheetOptions(NamedTuple):
    """The options for printing. Lengths are in micrometres, and `creation` is in seconds since 1970.

    `gutter` is the space between columns and between rows. `bleed` is None if the stock decides it. `unprinted` is the
    edge that the printer leaves white, 0 if unknown. `lang` is the language of the texts, empty for the game's own.
    `art_dpi` is the resolution of pictures; with `tight`, no picture has more. `most_bytes` is the greatest size of the
    file, 0 for any. `stamp` is a text in the margin of every page. `processes` is the number of processes that may draw
    the faces of a large job, on systems where a process can be copied safely; the result is the same with any number.
    """

    paper: str = "letter"
    stock: str = "plain"
    card_size: str = ""
    margin: int = MARGIN
    unprinted: int = 0
    gutter: Size = NO_GUTTER
    bleed: int | None = None
    fold: bool = False
    marking: Marking = EDGES
    flip: str = "long-edge"
    lang: str = ""
    creation: int = 0
    art_dpi: int = 300
    tight: bool = False
    most_bytes: int = 0
    printer: Printer | None = None
    ink: str = "full"
    stamp: str = ""
    processes: int = 1


def target_size(natural: Size, options: SheetOptions) -> Size:
    """Returns the size at which a card is printed. Raises UsageError for unknown names."""
    chosen = card_size(options.card_size) if options.card_size else None
    return card_on(stock_named(options.stock), natural, chosen)
