"""A booklet: pages two by two on sheets that are printed on both sides, folded in the middle and stapled."""

from __future__ import annotations

from typing import NamedTuple

BLANK = 0


class Side(NamedTuple):
    """One side of a sheet: the numbers of the pages on its left and on its right, BLANK where there is none."""

    left: int
    right: int


def sides(pages: int) -> list[Side]:
    """The sides of the sheets of a booklet in the order in which they are printed, fronts and backs by turns.

    The sheets lie in one another: the outermost has the first page and the last. The sheet is turned over its short
    edge, so that the page behind a right one stands on the left.
    """
    last = -(-pages // 4) * 4
    pairs = [(last - at, at + 1) if at % 2 == 0 else (at + 1, last - at) for at in range(last // 2)]
    return [Side(*(number if number <= pages else BLANK for number in pair)) for pair in pairs]
