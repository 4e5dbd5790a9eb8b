"""Distributes the pieces of a document over the columns of its pages; columns that end together are made equally high.

A piece is any object that tells its height for a given width and can be split, as ReportLab's flowables do. Lengths are
in points, or in any other unit if no page has two bands of columns.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, NamedTuple

_STEPS = 12
"""The number of bisection steps for the height of balanced columns: precise to a quarter of a point on a page."""
_LEAST = 90.0
"""The height that must be left on the page for a band of columns to begin there, unless the whole band fits."""
_UNDER = 38.0
"""The height of text that stays below a heading: three lines."""
_EMPTY = 0.28
"""The share of a page that is not left empty before a heading with its figure."""
_FULL = 2 / 3
"""The share of a column that must be filled for a figure to move to the next page before a section begins."""


_LEAST_LAST = 0.3
"""The share of the last page of a document that must be filled, if the other pages can be filled less."""
_SHARES = [share / 100 for share in range(98, 68, -2)]
"""The shares of their height to which pages are filled in turn, so that the last page is not nearly empty."""


class Bookmark(NamedTuple):
    """An entry of the PDF outline: its title, its level, and the link target for other documents of the book."""

    title: str
    level: int
    link: str = ""


@dataclass(frozen=True, slots=True)
class FlowItem:
    """One flowable, with the space `before` it and its bookmark.

    An item with `keep` stays with the next item, and a `wide` item spans all columns. An item that `floats` moves to
    the next page if it does not fit, and what follows fills the current page; its `split` returns it smaller, or
    nothing if it would be too small. A `pinned` item stands at the foot of its page, and what follows begins above it.
    """

    flowable: Any
    before: float = 0.0
    keep: bool = False
    wide: bool = False
    bookmark: Bookmark | None = None
    floats: bool = False
    pinned: bool = False
    under: FlowItem | None = None
    """The heading that is repeated above this item if the item begins a column."""


class PlacedPiece(NamedTuple):
    """A piece at its position on a page: `x` from the left and `y` down from the top of the page's frame."""

    piece: FlowItem
    x: float
    y: float
    width: float
    height: float


class Band(NamedTuple):
    """Columns side by side: their top and bottom, and the number of columns that are not empty."""

    top: float
    bottom: float
    columns: int


@dataclass(frozen=True, slots=True)
class FlowPage:
    """The pieces placed on one page, and its bands of columns."""

    placed: tuple[PlacedPiece, ...]
    bands: tuple[Band, ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a page: their number, the width of each, the gutter between two, and the reading direction."""

    count: int
    width: float
    gutter: float
    is_right_to_left: bool = False

    @property
    def whole(self) -> float:
        return self.count * self.width + (self.count - 1) * self.gutter

    def left(self, number: int) -> float:
        """Returns the left edge of column `number`, counted in reading order."""
        place = self.count - 1 - number if self.is_right_to_left else number
        return place * (self.width + self.gutter)


def flow(pieces: Sequence[FlowItem], columns: Columns, first: float, later: float) -> list[FlowPage]:
    """Returns the pages of a document; `first` is the height of the first page's frame, `later` that of all others."""
    pages = _PageFiller(columns, first, later)
    grouped = groupby(_widened(pieces), key=lambda piece: (piece.wide and columns.count > 1, piece.pinned))
    bands = deque((wide, list(band)) for (wide, _), band in grouped)
    while bands:
        wide, band = bands.popleft()
        if wide and band[-1].floats and (start := _chain(band)):
            bands.appendleft((True, band[start:]))
            band = band[:start]
        text: list[FlowItem] = []
        if not wide and bands and bands[0][1][-1].floats and not _chain(bands[0][1]):
            text = pages.add(band, wide, hold=True)
            wide, band = bands.popleft()
        *above, last = band
        if last.floats and bands and not bands[0][0] and pages.has_room_beside(text, band):
            text = [*text, *(replace(piece, wide=False) for piece in above), *bands.popleft()[1]]
            if rest := pages.begin(text):
                bands.appendleft((False, rest))
            bands.appendleft((True, [last]))
        else:
            pages.add(text, False)
            (pages.pin if band[0].pinned else pages.add)(band, wide)
    return pages.finish()


def _chain(pieces: Sequence[FlowItem]) -> int:
    """Returns the index of the first piece that stays with the last one."""
    start = len(pieces) - 1
    while start and pieces[start - 1].keep:
        start -= 1
    return start


def leveled(pieces: Sequence[FlowItem], columns: Columns, first: float, later: float, count: int = 0) -> list[FlowPage]:
    """Returns the pages of a document; if the last were nearly empty, the others are filled less, if that helps.

    With `count`, there are as many pages, if pages that are filled less make so many.
    """
    pages = flow(pieces, columns, first, later)
    for share in _SHARES if count > len(pages) or (count or len(pages)) > 1 else ():
        if len(pages) >= count and _bottom(pages[-1]) >= later * _LEAST_LAST:
            break
        lower = flow(pieces, columns, first * share, later * share)
        if len(lower) > max(count, len(pages)):
            break
        if len(lower) > len(pages) or _bottom(lower[-1]) > _bottom(pages[-1]):
            pages = lower
    return pages


def _bottom(page: FlowPage) -> float:
    return max((band.bottom for band in page.bands), default=0.0)


def _widened(pieces: Sequence[FlowItem]) -> list[FlowItem]:
    """Returns the pieces, with each heading that is kept with a wide piece made wide too."""
    out: list[FlowItem] = []
    wide = False
    for piece in reversed(pieces):
        wide = piece.wide or (wide and piece.keep)
        out.append(replace(piece, wide=wide))
    return out[::-1]


class _PageFiller:
    """Fills pages from the top down."""

    def __init__(self, columns: Columns, first: float, later: float) -> None:
        self.columns = columns
        self.height = first
        self.later = later
        self.y = 0.0
        self.pages: list[FlowPage] = []
        self.placed: list[PlacedPiece] = []
        self.bands: list[Band] = []

    def add(self, pieces: list[FlowItem], wide: bool, hold: bool = False) -> list[FlowItem]:
        """Places pieces; with `hold`, those that end on the current page are not placed but returned."""
        one = Columns(1, self.columns.whole, 0) if wide else self.columns
        while pieces:
            gap = pieces[0].before if self.y else 0.0
            left = self.height - self.y - gap
            if pieces[-1].keep and self.y and left < _LEAST + _height(pieces[-1], one.whole):
                self.turn()  # a heading that belongs to the next band
                continue
            level = _level(pieces, one, left)
            if level and hold:
                return pieces
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
        return []

    def pin(self, pieces: list[FlowItem], _wide: bool) -> None:
        """Places pieces at the foot of the first page with room for them, and takes their height off the page's."""
        for piece in pieces:
            height = _height(piece, self.columns.whole)
            if self.y and self.y + piece.before + height > self.height:
                self.turn()
            self.placed.append(PlacedPiece(piece, 0.0, self.height - height, self.columns.whole, height))
            self.height -= height + piece.before

    def has_room_beside(self, text: list[FlowItem], band: list[FlowItem]) -> bool:
        """Says whether a wide band is too high for the current page below `text`, but more text could stand there."""
        room = self.height - self.y
        if text:
            columns, _ = _level(text, self.columns, room - text[0].before) or ([], text)
            room -= text[0].before + max((piece.y + piece.height for column in columns for piece in column), default=0)
        above = sum(piece.before + _height(piece, self.columns.whole) for piece in band[:-1]) + band[-1].before
        is_lower = bool(band[-1].flowable.split(self.columns.whole, room - above))
        too_high = above + _height(band[-1], self.columns.whole) > room
        least = _UNDER if text else _LEAST + _UNDER
        if text and any(piece.bookmark for piece in band):  # a heading is parted from its figure only on an empty page
            least = self.later * _EMPTY
        return bool(self.y or text) and room >= least and too_high and not is_lower

    def begin(self, pieces: list[FlowItem]) -> list[FlowItem]:
        """Fills the current page with columns of pieces, and returns those left over."""
        gap = pieces[0].before
        left = self.height - self.y - gap
        filled, rest = _level(pieces, self.columns, left) or _fill(pieces, self.columns, left)
        if any(filled):
            self.put(filled, self.columns, self.y + gap)
        else:
            self.turn()
        return rest

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
    """Returns all pieces in columns of the smallest possible height, or None if they do not fit into `height`."""
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
    """Returns the columns, filled one after the other, and the pieces left over.

    With `force`, the first column gets a piece even if it is too high.
    """
    filled = []
    rest = list(pieces)
    for number in range(columns.count):
        column, rest = _column(rest, columns.width, height, force and not number)
        filled.append(column)
    return filled, rest


def _column(
    pieces: list[FlowItem], width: float, height: float, force: bool
) -> tuple[list[PlacedPiece], list[FlowItem]]:
    """Returns one column, filled from the top, and the remaining pieces; the last piece may be split."""
    out: list[PlacedPiece] = []
    floating: list[FlowItem] = []
    y, at = 0.0, 0
    if pieces and pieces[0].under:
        pieces = [pieces[0].under, *pieces]
    while at < len(pieces):
        bookmark = pieces[at].bookmark
        if floating and bookmark and bookmark.level <= 1 and y > height * _FULL:  # a section begins
            return out, [*floating, *pieces[at:]]
        end = at
        while pieces[end].keep and end + 1 < len(pieces):
            end += 1
        first = end
        chain = _stacked(pieces[at : end + 1], width, y)
        while (
            first > at
            and (out or not force)
            and end + 1 < len(pieces)
            and not pieces[end + 1].keep
            and not pieces[end + 1].floats
            and chain[-1].y + chain[-1].height - chain[first - at].y < _UNDER
        ):
            end += 1
            chain = _stacked(pieces[at : end + 1], width, y)
        *above, last = chain
        if last.y + last.height <= height + 0.01:
            out += chain
            y, at = last.y + last.height, end + 1
            continue
        smaller = last.piece.flowable.split(width, height - last.y) if last.piece.floats and height > last.y else []
        if smaller:
            piece = replace(last.piece, flowable=smaller[0])
            out += [*above, last._replace(piece=piece, height=_height(piece, width))]
            y, at = out[-1].y + out[-1].height, end + 1
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
        if out and first > at and last.y + _height(begun, width) - chain[first - at].y < _UNDER:
            return out, [*floating, *pieces[at:]]
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
