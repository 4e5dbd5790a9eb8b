"""Papers, card sizes and stocks, by the names that a user types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from carddb.core.errors import UsageError
from carddb.core.names import did_you_mean
from carddb.core.units import UM_PER_INCH, Box, Size, to_mm

_EIGHTH_INCH = UM_PER_INCH // 8


def _sizes(table: Mapping[str, str]) -> dict[str, Size]:
    return {name: Size.parse(text) for name, text in table.items()}


PAPERS: Mapping[str, Size] = _sizes(
    {
        "letter": "8.5x11in",
        "a4": "210x297mm",
        "legal": "8.5x14in",
        "tabloid": "11x17in",
        "a3": "297x420mm",
        "a5": "148x210mm",
    }
)

CARDS: Mapping[str, Size] = _sizes(
    {
        "index-3x5": "3x5in",
        "index-4x6": "4x6in",
        "index-5x7": "5x7in",
        "index-5x8": "5x8in",
        "3x5": "3x5in",
        "4x6": "4x6in",
        "5x7": "5x7in",
        "5x8": "5x8in",
        "poker": "2.5x3.5in",
        "playing-card": "2.5x3.5in",
        "tcg": "63x88mm",
        "bridge": "2.25x3.5in",
        "japanese": "59x86mm",
        "tarot": "2.75x4.75in",
        "mini": "1.75x2.5in",
        "mini-euro": "44x68mm",
        "mini-american": "41x63mm",
        "small-square": "2.5x2.5in",
        "square-70mm": "70x70mm",
        "square-3.5": "3.5x3.5in",
        "jumbo": "3.5x5.5in",
        "domino": "1.75x3.5in",
        "business-us": "2x3.5in",
        "business-eu": "55x85mm",
        "micro": "1.25x1.75in",
        "id-1": "85.60x53.98mm",
    }
)


class Stock(NamedTuple):
    """The material in the printer's tray.

    `paper` and `slots` are given if the stock determines them, in micrometres. `cut` says that cards are cut out after
    printing. A stock without slots is plain paper with a computed grid or, if it is not cut, a single card per page.
    """

    name: str
    label: str
    paper: Size | None = None
    slots: tuple[Box, ...] = ()
    cut: bool = True

    @property
    def card(self) -> Size | None:
        """The size of the stock's cards, upright, or None if cards of any size can be cut from it."""
        if not self.slots:
            return None
        width, height = sorted((self.slots[0].width, self.slots[0].height))
        return Size(width, height)


def _direct(name: str) -> Stock:
    """Returns the stock for index cards of a named size that are fed one by one, so that each card is a page."""
    size = CARDS[name]
    return Stock(name, f"{describe(size)} cards", size, (Box(0, 0, size.width, size.height),), cut=False)


def describe(size: Size) -> str:
    """Returns a size in customary units: `3 × 5 in` if both sides are multiples of 1/8 inch, else in millimetres."""
    if size.width % _EIGHTH_INCH or size.height % _EIGHTH_INCH:
        return f"{to_mm(size.width):g} × {to_mm(size.height):g} mm"
    return f"{size.width / UM_PER_INCH:g} × {size.height / UM_PER_INCH:g} in"


_AVERY_5388 = tuple(Box(UM_PER_INCH * 7 // 4, UM_PER_INCH * top, UM_PER_INCH * 5, UM_PER_INCH * 3) for top in (1, 4, 7))
"""The slots of a sheet of Avery 5388: three cards of 5 by 3 inches, one above the other."""


STOCKS: Mapping[str, Stock] = {
    stock.name: stock
    for stock in (
        Stock("plain", "plain"),
        Stock("card", "single cards", cut=False),
        Stock("avery-5388", "Avery 5388", PAPERS["letter"], _AVERY_5388, cut=False),
        _direct("index-3x5"),
        _direct("index-4x6"),
        _direct("index-5x8"),
    )
}


def paper_size(name: str) -> Size:
    """Returns the size of the paper called `name`, or written as `148x210mm`. Raises UsageError for others."""
    return _size_of("paper", name, PAPERS)


def card_size(name: str) -> Size:
    """Returns the card size called `name`, or given by `name` as in `2.5x3.5in`. Raises UsageError otherwise."""
    return _size_of("card size", name, CARDS)


def size_name(size: Size | None) -> str:
    """Returns the first name of a card size, such as `poker`; empty if the size has no name or is None."""
    return next((name for name, card in CARDS.items() if card == size), "")


def stock_named(name: str) -> Stock:
    """Returns the stock called `name`. Raises UsageError, suggesting the nearest name, if there is none."""
    try:
        return STOCKS[name.casefold()]
    except KeyError:
        raise UsageError(f"there is no stock {name!r}", did_you_mean(name, STOCKS)) from None


def card_on(stock: Stock, face: Size, size: Size | None = None) -> Size:
    """Returns the size of a printed card: `size`, else the stock's in the face's orientation, or the face's."""
    if size or not stock.card:
        return size or face
    return stock.card.turned if face.width > face.height else stock.card


def paper_label(size: Size) -> str:
    """Returns the paper's name (`Letter`, `A4`), or its dimensions if it has no name."""
    for name, paper in PAPERS.items():
        if paper in (size, size.turned):
            return name.capitalize()
    return describe(size)


def paper_name(size: Size) -> str:
    """Returns the paper as a user types it: `letter`, or dimensions such as `3x5in`. `paper_size` parses the result."""
    names = [name for name, paper in PAPERS.items() if paper == size]
    return names[0] if names else describe(size).replace("×", "x").replace(" ", "")


def _size_of(kind: str, name: str, sizes: Mapping[str, Size]) -> Size:
    if name.casefold() in sizes:
        return sizes[name.casefold()]
    try:
        return Size.parse(name)
    except ValueError:
        remedy = f"{did_you_mean(name, sizes)} A size can also be written as 63x88mm or 2.5x3.5in."
        raise UsageError(f"there is no {kind} {name!r}", remedy) from None
