"""A booklet: pages two by two on sheets that are printed on both sides, folded in the middle and stapled."""

from __future__ import annotations

from typing import Literal, NamedTuple

from carddb.core.units import Size, mm

BLANK = 0
Binding = Literal["none", "booklet", "booklet-test"]
"""How pages are bound: not at all, as a booklet, or as the sheet that tries how one is printed."""
Edge = Literal["left", "right"]
"""Where a booklet has its fold: on the left, on the right in languages that are written from right to left."""
SIDE, TOP, BOTTOM = 14, 22, 23
"""Millimetres round the words of a page: at its two sides, above them where it is not the first, and below."""


def page_of(paper: Size) -> Size:
    """The size of a page; `paper` is that of the sheet, upright."""
    return Size(paper.height // 2, paper.width)


def booklet_room(paper: Size) -> Size:
    """The room between the margins of a page; `paper` is that of the sheet, upright."""
    page = page_of(paper)
    return Size(page.width - mm(2 * SIDE), page.height - mm(TOP + BOTTOM))


class Side(NamedTuple):
    """One side of a sheet: the numbers of the pages on its left and on its right, BLANK where there is none."""

    left: int
    right: int


def sides(pages: int, fold: Edge = "left") -> list[Side]:
    """The sides of the sheets of a booklet in the order in which they are printed, fronts and backs by turns.

    The sheets lie in one another: the outermost has the first page and the last. The sheet is turned over its short
    edge, so that the page behind a right one stands on the left. With its fold on the right left and right change.
    """
    last = -(-pages // 4) * 4
    pairs = [(last - at, at + 1) if at % 2 == 0 else (at + 1, last - at) for at in range(last // 2)]
    placed = [Side(*(number if number <= pages else BLANK for number in pair)) for pair in pairs]
    return placed if fold == "left" else [Side(side.right, side.left) for side in placed]
