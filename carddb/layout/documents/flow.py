"""Distributes the pieces of a document over the columns of its pages; columns that end together are made equally high.

A piece has the methods `wrap`, which returns its size for a given width, and `split` of ReportLab's flowables. Lengths
are in points, or in any other unit if no page has two bands of columns.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import nsmallest
from itertools import accumulate, groupby
from typing import Any, NamedTuple

_STEPS = 12
"""The number of bisection steps for the height of balanced columns: precise to a quarter of a point on a page."""
_LEAST = 90.0
"""The height that must be left on the page for a band of columns to begin there, unless the whole band fits."""
_UNDER = 34.0
"""The least height of text below a heading in the same column: three lines. Less moves both to the next column."""
_LINE = 20.0
"""The least height of such text if the whole section is shorter and ends in that column: more than one line."""
_EMPTY = 0.28
"""The share of the page that must be left empty otherwise, for a heading to be separated from its figure."""
_FULL = 2 / 3
"""If a figure moves to the next column, a section that would begin after it in this column moves too, unless less than
this share of the column is filled."""
_LAST, _TORN, _SCRAP = 3.0, 0.06, 66.0
"""_LAST: how many times as much the share missing on the last page counts as a blank share of another page. _TORN: the
cost of a page on which less text than the height _SCRAP (five lines) is above a table or figure that spans it."""
_FREE, _STUCK = 0.06, 4.0
"""_FREE: the blank share of a page that nobody notices once the space between pieces is widened. _STUCK: how many times
as much a blank share counts below a table that goes on, which has no space to widen."""
_BLANK = 0.2
"""The blank share of a last page above which its space is not widened."""
_LEAST_FILLED, _STEP = 0.68, 0.03
"""The least share of its height to which a page is filled to make later pages fuller, and the step down to it."""
_CLOSER = 1.012
"""The factor by which all pages may be overfilled if the document then takes fewer pages: some eight points."""
_BALANCED, _TRIED = 10, 12
"""The number of pages, at the end of a document, that are balanced, and of the arrangements kept after each of them."""


class Balance(NamedTuple):
    """The aims of `balanced`, by which it compares the arrangements of a document."""

    opened: float = 1.0
    """The most by which the space between pieces is widened to end columns and pages together, as a share of it."""
    filled: float = 0.6
    """The share of the last page that should be filled."""
    amid: float = 0.015
    """The cost of a page that begins in the middle of a section; a blank share of a tenth costs 0.01."""


SPREAD = Balance()
"""The balance of a document of few pages, which all look alike."""


class Bookmark(NamedTuple):
    """An entry of the PDF outline: its title, its level, and the link target for other documents of the book."""

    title: str
    level: int
    link: str = ""


@dataclass(frozen=True, slots=True)
class FlowItem:
    """One flowable, with the space `before` it and its bookmark.

    An item with `keep` stays with the next item, and a `wide` item spans all columns. An item that `floats` moves to
    the next page if it does not fit, and the items after it fill the current page; the `split` of its flowable returns
    a smaller flowable, or nothing if that would be too small. A `pinned` item is at the foot of its page, and the items
    after it are placed above. At the head of a column, the flowable `again` is placed above the item.
    """

    flowable: Any
    before: float = 0.0
    keep: bool = False
    wide: bool = False
    bookmark: Bookmark | None = None
    floats: bool = False
    pinned: bool = False
    again: Any = None


class PlacedPiece(NamedTuple):
    """A piece at its position on a page: `x` from the left and `y` from the top of the page's frame."""

    piece: FlowItem
    x: float
    y: float
    width: float
    height: float


class ColumnBand(NamedTuple):
    """Columns side by side, each with its pieces, and their common top; a column may be empty."""

    top: float
    columns: tuple[tuple[PlacedPiece, ...], ...]

    @property
    def ends(self) -> list[float]:
        """The lower end of each column."""
        return [column[-1].y + column[-1].height if column else self.top for column in self.columns]

    @property
    def bottom(self) -> float:
        return max(self.ends)

    @property
    def blank(self) -> float:
        """The average height that is blank below the columns, measured from the end of the longest."""
        return self.bottom - sum(self.ends) / len(self.columns)

    @property
    def space(self) -> float:
        """The total space between the pieces of one column, the one with the most space."""
        return max(map(_space, self.columns))

    def opened(self, down: float, more: float, most: float) -> ColumnBand:
        """Returns the band, moved `down`, with the space between pieces widened so that columns end together.

        They end `more` below the bottom of the band, unless the space would grow by more than the share `most`.
        """
        columns = []
        for column, end in zip(self.columns, self.ends, strict=True):
            share = min((self.bottom + more - end) / (_space(column) or 1), most)
            moves = accumulate((share * placed.piece.before for placed in column[1:]), initial=down)
            columns.append(tuple(at._replace(y=at.y + move) for at, move in zip(column, moves, strict=False)))
        return ColumnBand(self.top + down, tuple(columns))


@dataclass(frozen=True, slots=True)
class FlowPage:
    """The bands of columns on one page, and the pieces pinned to its foot."""

    bands: tuple[ColumnBand, ...]
    pinned: tuple[PlacedPiece, ...] = ()

    @property
    def placed(self) -> tuple[PlacedPiece, ...]:
        """All pieces on the page, in reading order; the pieces pinned to its foot come last."""
        return (*(placed for band in self.bands for column in band.columns for placed in column), *self.pinned)

    @property
    def bottom(self) -> float:
        """The lower end of the pieces that are not pinned to the foot."""
        return max((band.bottom for band in self.bands), default=0.0)

    @property
    def foot(self) -> float:
        """The height that is kept for the pieces pinned to the foot."""
        return sum(placed.height + placed.piece.before for placed in self.pinned)

    def opened(self, height: float, is_last: bool, most: float) -> FlowPage:
        """Returns the page with the space between pieces widened or slightly narrowed so that columns end at its foot.

        The space grows by the share `most` at most; if much of a last page is blank, it stays.
        """
        missing = height - self.foot - self.bottom
        apart = [0.0, *(band.columns[0][0].piece.before for band in self.bands[1:])]
        space = sum(apart) + sum(band.space for band in self.bands)
        most = 0.0 if is_last and missing > height * _BLANK else most
        share = min(missing / space, most) if space else 0.0
        bands, down = [], 0.0
        for band, before in zip(self.bands, apart, strict=False):
            down += share * before
            bands.append(band.opened(down, share * band.space, most))
            down += share * band.space
        return replace(self, bands=tuple(bands))


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
        """Returns the left edge of column `number`, counted from 0 in reading order."""
        place = self.count - 1 - number if self.is_right_to_left else number
        return place * (self.width + self.gutter)


def flow(pieces: Sequence[FlowItem], columns: Columns, first: float, later: float) -> list[FlowPage]:
    """Returns the pages of a document; the first page has the height `first`, all others the height `later`.

    If pinned pieces would be alone on a page, pieces of the page before move to them.
    """
    pages = _pages(pieces, columns, first, later)
    if len(pages) > 1 and not pages[-1][0].bands:
        *begun, before, _ = pages
        tries = _choices(begun[-1][1] if begun else pieces, columns, later if begun else first)
        page, rest = next((each for each in tries if not each[1][0].pinned), before)
        pages = [*begun, (page, rest), *_pages(rest, columns, later, later)]
    return [page for page, _ in pages]


def balanced(
    pieces: Sequence[FlowItem], columns: Columns, first: float, later: float, count: int = 0, *, aim: Balance = SPREAD
) -> list[FlowPage]:
    """Returns the pages of a document, with the blank space spread evenly and the last page not nearly empty.

    Each of the last pages may be filled less than it could be. Of the arrangements with the fewest pages, but at least
    `count`, the chosen one has the least sum of costs by `aim`; a page costs about the square of its blank share.
    """
    pages = _arranged(pieces, columns, first, later, count, aim)
    return [page.opened(later if at else first, page is pages[-1], aim.opened) for at, page in enumerate(pages)]


def _arranged(
    pieces: Sequence[FlowItem], columns: Columns, first: float, later: float, count: int, aim: Balance
) -> list[FlowPage]:
    greedy = _pages(pieces, columns, first, later)
    if len(closer := _pages(pieces, columns, first * _CLOSER, later * _CLOSER)) < len(greedy) and count <= len(closer):
        greedy, first, later = closer, first * _CLOSER, later * _CLOSER
    begun = greedy[: 0 if count > len(greedy) else max(0, len(greedy) - _BALANCED)]
    most = max(len(greedy), count)
    states = [(0.0, [page for page, _ in begun], begun[-1][1] if begun else list(pieces))]
    for number in range(len(begun), most):
        height = later if number else first
        reached: dict[tuple[int, int], tuple[float, list[FlowPage], list[FlowItem]]] = {}
        for cost, pages, left in states:
            for page, rest in _choices(left, columns, height):
                is_cut = not {id(piece.flowable) for piece in rest} <= {id(piece.flowable) for piece in left}
                is_amid = bool(rest) and not rest[0].bookmark
                total = cost + _poverty(page, height, aim.filled, is_last=not rest, is_cut=is_cut) + aim.amid * is_amid
                key = (len(rest), round(_height(rest[0], columns.width)) if rest else 0)
                if key not in reached or total < reached[key][0]:
                    reached[key] = total, [*pages, page], rest
        ended = reached.pop((0, 0), None)
        if ended and number + 1 >= count:
            return ended[1]
        states = nsmallest(
            _TRIED,
            reached.values(),
            lambda each: each[0] + _expected(each[2], columns, most - len(each[1]), later, aim.filled),
        )
    return [page for page, _ in greedy]


def _expected(pieces: Sequence[FlowItem], columns: Columns, count: int, height: float, filled: float) -> float:
    """Returns an estimate of the least cost of `count` pages for the pieces; infinite if they need more pages."""
    spare = count - sum(
        piece.before + (_height(piece, columns.whole) if piece.wide else _height(piece, columns.width) / columns.count)
        for piece in pieces
    ) / height  # fmt: skip
    over = spare - (1 - filled) - _FREE * (count - 1)
    return float("inf") if spare <= 0 else max(0.0, over) ** 2 / count


def _choices(pieces: Sequence[FlowItem], columns: Columns, height: float) -> Iterator[tuple[FlowPage, list[FlowItem]]]:
    """Yields (page, pieces left over) for the next page: first filled as far as possible, and then less and less."""
    room = height
    while room >= height * _LEAST_FILLED:
        page, rest = _page(pieces, columns, room)
        yield page, rest
        room = min(room - height * _STEP, page.bottom - 1)


def _poverty(page: FlowPage, height: float, least: float, is_last: bool, is_cut: bool) -> float:
    """Returns the cost of a page: the square of the share that is blank and should not be, and more for a torn page.

    A torn page has only a few lines above a table or figure that spans it. `is_cut` says that the page's last piece is
    split, and `least` is the share of a last page that should be filled.
    """
    filled, ragged = page.bottom / height, sum(band.blank for band in page.bands) / height
    stuck = is_cut * max(0.0, 1 - filled - sum(band.space for band in page.bands) / height)
    blank = max(0.0, _LAST * (least - filled) if is_last else ragged + 1 - filled - _FREE + _STUCK * stuck)
    blank += ragged * is_last
    return blank**2 + _TORN * (len(page.bands) > 1 and page.bands[0].bottom < _SCRAP)


def _pages(
    pieces: Sequence[FlowItem], columns: Columns, first: float, later: float
) -> list[tuple[FlowPage, list[FlowItem]]]:
    """Returns the pages, each filled as far as possible, as (page, pieces left over after it)."""
    out = [_page(pieces, columns, first)]
    while rest := out[-1][1]:
        out.append(_page(rest, columns, later))
    return out


def _page(pieces: Sequence[FlowItem], columns: Columns, height: float) -> tuple[FlowPage, list[FlowItem]]:
    """Returns one page, filled from the top down as far as possible, and the pieces left over."""
    page = _PageFiller(columns, height)
    grouped = groupby(_widened(pieces), key=lambda piece: (piece.wide and columns.count > 1, piece.pinned))
    bands = deque((wide, list(band)) for (wide, _), band in grouped)
    rest: list[FlowItem] = []
    while bands and not rest:
        wide, band = bands.popleft()
        if wide and band[-1].floats and (start := _chain(band)):
            bands.appendleft((True, band[start:]))
            band = band[:start]
        text: list[FlowItem] = []
        is_before = not wide and bands and bands[0][1][-1].floats and not _chain(bands[0][1])
        if is_before and _level(band, columns, page.room(band)):
            text = band
            wide, band = bands.popleft()
        *above, last = band
        if last.floats and bands and not bands[0][0] and page.has_room_beside(text, band):
            text = [*text, *(replace(piece, wide=False) for piece in above), *bands.popleft()[1]]
            rest = page.add(text, False, least=0.0)
            bands.extendleft(((False, rest), (True, [last])) if rest else ((True, [last]),))
        else:
            over = text and page.add(text, False)
            rest = [*over, *band] if over else page.add(band, wide)
            if rest:
                bands.appendleft((wide, rest))
    return FlowPage(tuple(page.bands), tuple(page.pinned)), [piece for _, band in bands for piece in band]


def _chain(pieces: Sequence[FlowItem]) -> int:
    """Returns the index of the first of the pieces at the end that must stay together."""
    start = len(pieces) - 1
    while start and pieces[start - 1].keep:
        start -= 1
    return start


def _space(column: Sequence[PlacedPiece]) -> float:
    """Returns the total space between the pieces of a column."""
    return sum(placed.piece.before for placed in column[1:])


def _widened(pieces: Sequence[FlowItem]) -> list[FlowItem]:
    """Returns the pieces, with each heading that is kept with a wide piece made wide too."""
    out: list[FlowItem] = []
    wide = False
    for piece in reversed(pieces):
        wide = piece.wide or (wide and piece.keep)
        out.append(replace(piece, wide=True) if wide > piece.wide else piece)
    return out[::-1]


class _PageFiller:
    """Fills a page from the top down."""

    def __init__(self, columns: Columns, height: float) -> None:
        self.columns, self.height = columns, height
        self.y = 0.0
        self.bands: list[ColumnBand] = []
        self.pinned: list[PlacedPiece] = []

    def room(self, pieces: Sequence[FlowItem]) -> float:
        """Returns the height left on the page for `pieces`, below the space before the first of them."""
        return self.height - self.y - (pieces[0].before if self.y else 0.0)

    def add(self, pieces: list[FlowItem], wide: bool, least: float = _LEAST) -> list[FlowItem]:
        """Places as many pieces as fit, and returns those left over; pinned pieces are placed at the foot.

        Unless all fit, they begin on this page only if the height `least` is left on it.
        """
        if pieces[0].pinned:
            return self._pin(pieces)
        one = Columns(1, self.columns.whole, 0) if wide else self.columns
        left = self.room(pieces)
        if pieces[-1].keep and self.y and left < least + _height(pieces[-1], one.whole):
            return pieces  # a heading that belongs to the next band
        level = _level(pieces, one, left)
        if level is None and self.y and left < least:
            return pieces
        filled, rest = level or _fill(pieces, one, left, force=not self.y)
        if rest and rest == pieces[-len(rest) :] and rest != pieces:  # what is whole on this page is balanced
            filled = (_level(pieces[: -len(rest)], one, left) or (filled, rest))[0]
        if any(filled):
            self.put(filled, one, self.height - left)
        return rest

    def _pin(self, pieces: list[FlowItem]) -> list[FlowItem]:
        """Places pieces at the foot, which reduces the page's height; returns the pieces that do not fit."""
        for at, piece in enumerate(pieces):
            height = _height(piece, self.columns.whole)
            if self.y and self.y + piece.before + height > self.height:
                return pieces[at:]
            self.pinned.append(PlacedPiece(piece, 0.0, self.height - height, self.columns.whole, height))
            self.height -= height + piece.before
        return []

    def has_room_beside(self, text: list[FlowItem], band: list[FlowItem]) -> bool:
        """Returns whether the wide `band` does not fit on the page below `text`, although more text would."""
        room = self.height - self.y
        if text:
            columns, _ = _level(text, self.columns, room - text[0].before) or ([], text)
            room -= text[0].before + max((piece.y + piece.height for column in columns for piece in column), default=0)
        above = sum(piece.before + _height(piece, self.columns.whole) for piece in band[:-1]) + band[-1].before
        is_lower = bool(band[-1].flowable.split(self.columns.whole, room - above))
        too_high = above + _height(band[-1], self.columns.whole) > room
        least = _UNDER if text else _LEAST + _UNDER
        if text and any(piece.bookmark for piece in band):
            least = self.height * _EMPTY
        return bool(self.y or text) and room >= least and too_high and not is_lower

    def put(self, filled: list[list[PlacedPiece]], columns: Columns, top: float) -> None:
        moved = (
            tuple(placed._replace(x=columns.left(number), y=top + placed.y) for placed in column)
            for number, column in enumerate(filled)
        )
        self.bands.append(ColumnBand(top, tuple(moved)))
        self.y = self.bands[-1].bottom


Filled = tuple[list[list[PlacedPiece]], list[FlowItem]]


def _level(pieces: Sequence[FlowItem], columns: Columns, height: float) -> Filled | None:
    """Returns all pieces in columns that are as low as possible, and no rest; None if they need more than `height`."""
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
    """Returns columns filled in turn, and the pieces left over; with `force`, the first gets even a piece too high."""
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
    if pieces and pieces[0].again:
        pieces = [FlowItem(pieces[0].again, keep=True), replace(pieces[0], again=None), *pieces[1:]]
    y, at = 0.0, 0
    while at < len(pieces):
        bookmark = pieces[at].bookmark
        if floating and bookmark and bookmark.level <= 1 and y > height * _FULL:  # a section begins
            return out, [*floating, *pieces[at:]]
        end = at
        while pieces[end].keep and end + 1 < len(pieces):
            end += 1
        head, first = at, end
        chain = _stacked(pieces[at : end + 1], width, y)
        while (
            first > at
            and (out or not force)
            and end + 1 < len(pieces)
            and not pieces[end + 1].floats
            and _height_below(chain, head - at, first - at, pieces[end + 1])
            < _least_under(pieces[head], pieces[end + 1])
        ):
            end += 1
            if pieces[end].keep:  # a further heading
                head = end
                while pieces[end].keep and end + 1 < len(pieces):
                    end += 1
                first = end
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


def _height_below(chain: Sequence[PlacedPiece], head: int, first: int, following: FlowItem) -> float:
    """Returns the height of the text that ends a chain; before another heading, of all below the chain's heading."""
    top = chain[head].y + chain[head].height if following.keep else chain[first].y
    return chain[-1].y + chain[-1].height - top


def _least_under(heading: FlowItem, following: FlowItem) -> float:
    """Returns the least height of text that must be below `heading` in its column, before `following` comes."""
    if not following.keep:
        return _UNDER
    if not heading.bookmark or heading.bookmark.level > 1:
        return 0.0
    return _UNDER if following.bookmark and following.bookmark.level > heading.bookmark.level else _LINE


def _stacked(pieces: Sequence[FlowItem], width: float, y: float) -> list[PlacedPiece]:
    out = []
    for piece in pieces:
        y += piece.before if y else 0.0
        out.append(PlacedPiece(piece, 0.0, y, width, _height(piece, width)))
        y += out[-1].height
    return out


def _height(piece: FlowItem, width: float) -> float:
    return float(piece.flowable.wrap(width, 1e6)[1])
