"""Pieces of a document into the columns of its pages: filled one after the other, level where a band of them ends.

A piece is anything that says how high it is at a width and can be cut, as ReportLab's flowables do. Lengths are points,
or any other unit where no page has two bands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, NamedTuple

_STEPS = 12
"""How often the height of level columns is halved: to a quarter of a point on a page."""
_LEAST = 90.0
"""A band does not begin with less than this left of the page, unless all of it fits."""


class Bookmark(NamedTuple):
    """An entry of the outline: its words, its level, and the link that leads to it from other documents of a book."""

    title: str
    level: int
    link: str = ""


@dataclass(frozen=True, slots=True)
class FlowItem:
    """One flowable: air before it, `keep` with what follows, `wide` across all columns, its bookmark.

    One that `floats` stands on the next page where it has no room; what follows in its section fills the page before.
    """

    flowable: Any
    before: float = 0.0
    keep: bool = False
    wide: bool = False
    bookmark: Bookmark | None = None
    floats: bool = False
    under: FlowItem | None = None
    """The heading that is set again above it where it begins a column."""


class PlacedPiece(NamedTuple):
    """A piece on a page: left edge and top from the page's frame, downwards."""

    piece: FlowItem
    x: float
    y: float
    width: float
    height: float


class Band(NamedTuple):
    """Columns side by side: their top and bottom, and how many of them hold something."""

    top: float
    bottom: float
    columns: int


@dataclass(frozen=True, slots=True)
class FlowPage:
    """What stands on a page."""

    placed: tuple[PlacedPiece, ...]
    bands: tuple[Band, ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a page: how many, the width of each, the gutter between them, and whether the right is first."""

    count: int
    width: float
    gutter: float
    is_right_to_left: bool = False

    @property
    def whole(self) -> float:
        return self.count * self.width + (self.count - 1) * self.gutter

    def left(self, number: int) -> float:
        """Returns where a column begins, from the left of the first or, from right to left, of the last."""
        place = self.count - 1 - number if self.is_right_to_left else number
        return place * (self.width + self.gutter)


def flow(pieces: Sequence[FlowItem], columns: Columns, first: float, later: float) -> list[FlowPage]:
    """Returns the pages of a document; `first` and `later` are the heights of their frames."""
    pages = _PageFiller(columns, first, later)
    for wide, band in groupby(_widened(pieces), key=lambda piece: piece.wide and columns.count > 1):
        pages.add(list(band), wide)
    return pages.finish()


def _widened(pieces: Sequence[FlowItem]) -> list[FlowItem]:
    """Headings that are kept with a wide piece are as wide as it is."""
    out: list[FlowItem] = []
    wide = False
    for piece in reversed(pieces):
        wide = piece.wide or (wide and piece.keep)
        out.append(replace(piece, wide=wide))
    return out[::-1]


class _PageFiller:
    """Pages being filled from their top."""

    def __init__(self, columns: Columns, first: float, later: float) -> None:
        self.columns = columns
        self.height = first
        self.later = later
        self.y = 0.0
        self.pages: list[FlowPage] = []
        self.placed: list[PlacedPiece] = []
        self.bands: list[Band] = []

    def add(self, pieces: list[FlowItem], wide: bool) -> None:
        one = Columns(1, self.columns.whole, 0) if wide else self.columns
        while pieces:
            gap = pieces[0].before if self.y else 0.0
            left = self.height - self.y - gap
            if pieces[-1].keep and self.y and left < _LEAST + _height(pieces[-1], one.whole):
                self.turn()  # a heading whose band is the next one
                continue
            level = _level(pieces, one, left)
            if level is None and self.y and left < _LEAST:
                self.turn()
                continue
            filled, rest = level or _fill(pieces, one, left, force=not self.y)
            if not any(filled):
                self.turn()
                continue
            self.put(filled, one, self.y + gap)
            pieces = rest
            if pieces:
                self.turn()

    def put(self, filled: list[list[PlacedPiece]], columns: Columns, top: float) -> None:
        for number, column in enumerate(filled):
            x = columns.left(number)
            self.placed += [placed._replace(x=x, y=top + placed.y) for placed in column]
        bottom = max(top + placed.y + placed.height for column in filled for placed in column)
        self.bands.append(Band(top, bottom, sum(map(bool, filled))))
        self.y = bottom

    def turn(self) -> None:
        self.pages.append(FlowPage(tuple(self.placed), tuple(self.bands)))
        self.placed, self.bands, self.y, self.height = [], [], 0.0, self.later

    def finish(self) -> list[FlowPage]:
        if self.placed or not self.pages:
            self.turn()
        return self.pages


Filled = tuple[list[list[PlacedPiece]], list[FlowItem]]


def _level(pieces: Sequence[FlowItem], columns: Columns, height: float) -> Filled | None:
    """Returns all pieces in columns as short as can be; None where they do not fit."""
    best = _fill(pieces, columns, height)
    if best[1]:
        return None
    low, high = 0.0, height
    for _ in range(_STEPS if columns.count > 1 else 0):
        middle = (low + high) / 2
        filled = _fill(pieces, columns, middle)
        if filled[1]:
            low = middle
        else:
            best, high = filled, middle
    return best


def _fill(pieces: Sequence[FlowItem], columns: Columns, height: float, force: bool = False) -> Filled:
    """Columns filled one after the other, and what is left over; `force` puts something into the first in any case."""
    filled = []
    rest = list(pieces)
    for number in range(columns.count):
        column, rest = _column(rest, columns.width, height, force and not number)
        filled.append(column)
    return filled, rest


def _column(
    pieces: list[FlowItem], width: float, height: float, force: bool
) -> tuple[list[PlacedPiece], list[FlowItem]]:
    """Returns one column from its top: whole pieces, then as much of the next as there is room for."""
    out: list[PlacedPiece] = []
    floating: list[FlowItem] = []
    y, at = 0.0, 0
    if pieces and pieces[0].under:
        pieces = [pieces[0].under, *pieces]
    while at < len(pieces):
        bookmark = pieces[at].bookmark
        if floating and bookmark and bookmark.level <= 1:  # a section begins
            return out, [*floating, *pieces[at:]]
        end = at
        while pieces[end].keep and end + 1 < len(pieces):
            end += 1
        chain = _stacked(pieces[at : end + 1], width, y)
        *above, last = chain
        if last.y + last.height <= height + 0.01:
            out += chain
            y, at = last.y + last.height, end + 1
            continue
        if out and pieces[at].floats:
            floating.append(pieces[at])
            at += 1
            continue
        parts = last.piece.flowable.split(width, height - last.y) if height > last.y else []
        if len(parts) < 2 and force and not out:
            parts = parts or [last.piece.flowable]  # higher than a whole column
        elif len(parts) < 2:
            return out, [*floating, *pieces[at:]]
        begun = replace(last.piece, flowable=parts[0], keep=False)
        over = [replace(last.piece, flowable=part, bookmark=None) for part in parts[1:]]
        rest = [*floating, *over, *pieces[end + 1 :]]
        return [*out, *above, last._replace(piece=begun, height=_height(begun, width))], rest
    return out, floating


def _stacked(pieces: Sequence[FlowItem], width: float, y: float) -> list[PlacedPiece]:
    out = []
    for piece in pieces:
        y += piece.before if y else 0.0
        out.append(PlacedPiece(piece, 0.0, y, width, _height(piece, width)))
        y += out[-1].height
    return out


def _height(piece: FlowItem, width: float) -> float:
    return float(piece.flowable.wrap(width, 1e6)[1])
