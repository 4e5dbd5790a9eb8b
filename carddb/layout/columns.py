"""Blocks of rows flowed into columns and pages: where each heading and row of a list stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Block:
    """A heading and its rows; `rows` are whatever the template draws."""

    heading: str
    count: int
    rows: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """A heading or a row at its place: `column` from 0, `y` its top, micrometres from the top of the columns."""

    kind: str
    column: int
    y: int
    value: object


@dataclass(frozen=True, slots=True)
class Measures:
    """Heights in micrometres: a row, a heading with what follows it, the air before a further heading."""

    row: int
    heading: int
    gap: int


def flow(blocks: Sequence[Block], heights: Sequence[int], last_height: int, measures: Measures) -> list[list[Item]]:
    """Items by page, two columns each.

    `heights` are those of the pages in turn (the last one repeats for further pages), `last_height` the
    height kept for a page that ends the list. A heading is never parted from its first row; a list that fits
    one page is balanced over its two columns.
    """
    pieces = _pieces(blocks, measures)
    first = heights[0]
    if _fits(pieces, last_height, measures):
        return [_fill(pieces, _balanced(pieces, last_height, measures), measures)[0]]
    pages: list[list[Item]] = []
    while pieces:
        height = heights[min(len(pages), len(heights) - 1)] if pages else first
        items, pieces = _fill(pieces, height, measures)
        pages.append(items)
    return pages


def _pieces(blocks: Sequence[Block], measures: Measures) -> list[tuple[str, object, int]]:
    """(kind, value, height) in order."""
    out: list[tuple[str, object, int]] = []
    for block in blocks:
        out.append(("heading", block, measures.heading))
        out.extend(("row", row, measures.row) for row in block.rows)
    return out


def _fill(
    pieces: Sequence[tuple[str, object, int]], height: int, measures: Measures
) -> tuple[list[Item], list[tuple[str, object, int]]]:
    """One page of two columns, and what is left over."""
    items: list[Item] = []
    column, y = 0, 0
    for at, (kind, value, tall) in enumerate(pieces):
        before = measures.gap if kind == "heading" and y else 0
        needed = before + tall + (measures.row if kind == "heading" else 0)
        if y and y + needed > height:
            if column == 1:
                return items, list(pieces[at:])
            column, y, before = 1, 0, 0
        items.append(Item(kind, column, y + before, value))
        y += before + tall
    return items, []


def _fits(pieces: Sequence[tuple[str, object, int]], height: int, measures: Measures) -> bool:
    return not _fill(pieces, height, measures)[1]


def _balanced(pieces: Sequence[tuple[str, object, int]], height: int, measures: Measures) -> int:
    """The least height at which everything still fits, to a millimetre."""
    best, least = height, measures.heading + measures.row + 1000
    while best > least and _fits(pieces, best - 1000, measures):
        best -= 1000
    return best
