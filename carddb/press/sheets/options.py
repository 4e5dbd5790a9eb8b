"""The options of printing sheets that a caller chooses."""

from __future__ import annotations

from typing import NamedTuple

from carddb.core.units import Size
from carddb.layout.calibration.registration import Printer
from carddb.layout.sheets.crop_marks import EDGES, Marking
from carddb.layout.sheets.grid import MARGIN, NO_GUTTER
from carddb.layout.stock import card_on, card_size, stock_named


class SheetOptions(NamedTuple):
    """How to print: names of the contract, lengths in micrometres, `creation` in seconds since 1970.

    `gutter` lies between columns and between rows; `bleed` is None where the stock decides it; `unprinted` is what the
    printer is known to leave white, 0 where nobody says; `lang` is the language of the words, the game's own where it
    is empty; `art_dpi` is the pixels per inch that pictures are printed with, `tight` that none has more; `most_bytes`
    is the largest file allowed, 0 for any; `stamp` is what every page says across its margin. `processes` is how many
    may draw the faces of a large job together, on systems where a process can copy itself safely; 1 starts none. The
    result is the same with any number.
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
    """Returns the size a card is printed at. Raises UsageError for unknown names."""
    chosen = card_size(options.card_size) if options.card_size else None
    return card_on(stock_named(options.stock), natural, chosen)
