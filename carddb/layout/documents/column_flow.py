"""Blocks of rows flowed into columns and pages: where each heading and row of a list stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Block:
    """A heading and its rows; `rows` are whatever the template draws. `continued`: the heading is repeated.

    `aside` stands beside the heading, such as the section that several headings belong to.
    """

    heading: str
    count: int
    rows: tuple[object, ...]
    continued: bool = False
    aside: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """A heading or a row at its place: `column` from 0, `y` its top, micrometres from the top of the columns."""

    kind: str
    column: int
    y: int
    height: int
    value: object

    @property
    def bottom(self) -> int:
        return self.y + self.height


@dataclass(frozen=True, slots=True)
class Measures:
    """Heights in micrometres: a row, a heading with what follows it, the air before a further heading."""

    row: int
    heading: int
    gap: int


def flow(blocks: Sequence[Block], heights: Sequence[int], last_height: int, measures: Measures) -> list[list[Item]]:
    """Items by page, two columns each.

    `heights` are those of the pages in turn (the last one repeats for further pages), `last_height` what a list on
    one page may take. Such a list, and the last page of a longer one, is balanced over its columns. A heading stands
    over two of its rows at least, where it has them, and is repeated where its rows go on elsewhere.
    """
    if _fits(blocks, last_height, measures):
        return [_page(blocks, _balanced(blocks, last_height, measures), measures)[0]]
    pages: list[list[Item]] = []
    rest = list(blocks)
    while rest:
        height = heights[min(len(pages), len(heights) - 1)]
        items, rest = _page(rest, _balanced(rest, height, measures) or height, measures)
        pages.append(items)
    return pages


def _page(blocks: Sequence[Block], height: int, measures: Measures) -> tuple[list[Item], list[Block]]:
    """One page of two columns, and the blocks that are left over."""
    first, rest = _column(blocks, 0, height, measures)
    second, rest = _column(rest, 1, height, measures)
    return [*first, *second], rest


def _column(blocks: Sequence[Block], column: int, height: int, measures: Measures) -> tuple[list[Item], list[Block]]:
    """One column, and what is left over, its first block perhaps a continued one. Something is always placed."""
    items: list[Item] = []
    y = 0
    for number, block in enumerate(blocks):
        before = measures.gap if items else 0
        together = measures.heading + min(2, len(block.rows)) * measures.row
        if items and y + before + together > height:
            return items, list(blocks[number:])
        items.append(Item("heading", column, y + before, measures.heading, block))
        y += before + measures.heading
        for at, row in enumerate(block.rows):
            if at and y + measures.row > height:
                return items, [replace(block, rows=block.rows[at:], continued=True), *blocks[number + 1 :]]
            items.append(Item("row", column, y, measures.row, row))
            y += measures.row
    return items, []


def _fits(blocks: Sequence[Block], height: int, measures: Measures) -> bool:
    items, rest = _page(blocks, height, measures)
    return not rest and all(item.bottom <= height for item in items)


def _balanced(blocks: Sequence[Block], height: int, measures: Measures) -> int:
    """The least height at which everything still fits, to a millimetre; 0 where there is nothing.

    `height` itself where not even that is enough.
    """
    while height >= 1000 and _fits(blocks, height - 1000, measures):
        height -= 1000
    return height
