"""The margins of a sheet: finding free space in them, and texts that are broken into lines until they fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, pairwise, product
from typing import Literal, NamedTuple

from carddb.core.units import Box, Size
from carddb.layout.display_list import Run
from carddb.layout.drawing.path import Matrix
from carddb.layout.sheets.crop_marks import Marking, fold_lines, numbers, segments
from carddb.layout.sheets.grid import turn_axis
from carddb.layout.sheets.imposition import Page, adjusted, bounds, clips

Where = Literal["start", "middle", "end"]
"""Where along the side of the cards a thing in a margin is preferably placed."""

APART = 3000
"""The distance between two things in the same margin."""


class MarginSlot(NamedTuple):
    """A place in a margin; its contents are rotated by `angle` degrees clockwise."""

    box: Box
    angle: int

    @property
    def length(self) -> int:
        """The length in the reading direction."""
        return self.box.height if self.angle else self.box.width

    def at(self, along: int, down: int) -> tuple[int, int]:
        """Returns the point of the page that is `along` the reading direction and `down` from the start of the slot."""
        box = self.box
        if self.angle == 270:
            return box.x + down, box.bottom - along
        if self.angle == 90:
            return box.right - down, box.y + along
        return box.x + along, box.y + down


class MarginSpace:
    """The margins of a page around its `cards`, which are printed with `bleed`.

    `marks` and `others` are boxes that must stay uncovered; `gap` is the distance to keep from them.
    """

    def __init__(
        self, paper: Size, cards: Box, bleed: Box, marks: Sequence[Box], others: Sequence[Box], gap: int
    ) -> None:
        angles = {"left": 270, "right": 90, "top": 0, "bottom": 0}
        # Each margin has coordinates of its own: x along the side, y outwards from the cards' bleed.
        matrices: dict[str, Matrix] = {
            "left": (0, -1, -1, 0, paper.height, bleed.x),
            "right": (0, 1, 1, 0, 0, -bleed.right),
            "top": (1, 0, 0, -1, 0, bleed.y),
            "bottom": (1, 0, 0, 1, 0, -bleed.bottom),
        }
        self._margins = {
            side: _Margin(angles[side], matrix, Box(0, 0, *paper), cards, bleed, marks, others, gap)
            for side, matrix in matrices.items()
        }

    def place(
        self,
        side: str,
        length: int,
        thickness: int,
        where: Where,
        inset: int,
        *,
        beside_cards: bool = False,
        floating: bool = False,
        level: MarginSlot | None = None,
    ) -> MarginSlot | None:
        """Returns a free place in a margin and marks it as occupied; None if there is none.

        The place is at least `inset` from the paper's edge. Places beyond the crop marks are tried first, then places
        between them; `beside_cards` allows only places beside the cards. A `floating` thing is centred in the free
        space beyond the marks, or, between marks in the left or right margin, placed at the far end. Otherwise the
        thing is aligned with the slot `level` if possible.
        """
        margin = self._margins[side]
        first, end = (margin.cards.x, margin.cards.right) if beside_cards else (margin.whole.x, margin.whole.right)
        first, end = max(first, inset), min(end, margin.whole.right - inset)
        if end - first < length:
            return None
        distances = list(margin.distances(margin.whole.bottom - inset - thickness, thickness if floating else 0))
        if level and margin.from_page(level.box).y in distances:
            distances.insert(0, margin.from_page(level.box).y)
        for distance in distances:
            far = floating and margin.angle and distance < margin.clear
            begin, last = margin.cards.x, margin.cards.right - length
            preferred = {"start": begin, "middle": (begin + last) // 2, "end": last}["end" if far else where]
            strip = Box(first, distance, end - first, thickness)
            starts = [min(max(preferred, a), b - length) for a, b in margin.free(strip) if b - a >= length]
            if starts:
                start = min(starts, key=lambda start: (abs(start - preferred), start))
                box = margin.on_page(Box(start, distance, length, thickness))
                for each in self._margins.values():
                    each.block(box)
                return MarginSlot(box, margin.angle)
        return None


class _Margin:
    """The free space of a margin, whose texts are rotated by `angle`, in coordinates of its own.

    `matrix` converts to them from the coordinates of the page, in which all boxes are given.
    """

    def __init__(
        self, angle: int, matrix: Matrix, page: Box, cards: Box, bleed: Box, marks: Sequence[Box],
        others: Sequence[Box], gap: int,
    ) -> None:  # fmt: skip
        self.angle, self.gap, self._matrix = angle, gap, matrix
        self.whole, self.cards, self.bleed = map(self.from_page, (page, cards, bleed))
        self.obstacles = [(box, gap) for box in map(self.from_page, (*marks, *others)) if box.bottom > 0]
        self.clear = max((box.bottom for box in map(self.from_page, marks) if self._is_beside(box)), default=0) + gap

    def from_page(self, box: Box) -> Box:
        """Converts a box from page coordinates to the coordinates of this margin."""
        return adjusted(box, self._matrix)

    def on_page(self, box: Box) -> Box:
        """Converts a box from the coordinates of this margin to page coordinates."""
        a, b, c, d, e, f = self._matrix  # each turn or reflection used here is its own inverse, but not the shift
        return adjusted(box, (a, b, c, d, -a * e - c * f, -b * e - d * f))

    def block(self, box: Box) -> None:
        """Marks a box, given in page coordinates, as occupied."""
        obstacle = self.from_page(box)
        if obstacle.bottom > 0:
            self.obstacles.append((obstacle, APART))

    def _is_beside(self, box: Box) -> bool:
        return box.bottom > 0 and box.x <= self.bleed.right and self.bleed.x <= box.right

    def distances(self, last: int, floating: int) -> Iterator[int]:
        """Yields possible distances from the bleed, best first, up to `last`; `floating` is a thickness or 0."""
        if last < self.gap:
            return
        if floating and self.clear <= last:
            yield min((self.clear + last) // 2, self.clear + 2 * floating // 3)
        elif last < self.clear:
            yield (self.gap + last) // 2
        beside = [box for box, _ in self.obstacles if self._is_beside(box)]
        possible = {self.gap, self.clear, *(box.bottom + self.gap for box in beside), *(box.y for box in beside)}
        reachable = sorted(distance for distance in possible if self.gap <= distance <= last)
        yield from (distance for distance in reachable if distance >= self.clear)
        yield from (distance for distance in reachable if distance < self.clear)

    def free(self, strip: Box) -> Iterator[tuple[int, int]]:
        """Yields the start and end of each free interval along a strip."""
        around = strip.grown(self.gap)
        here = strip.x
        for start, end in sorted(
            (box.x - apart, box.right + apart) for box, apart in self.obstacles if box.overlaps(around)
        ):
            if start > here:
                yield here, min(start, strip.right)
            here = max(here, end)
        if here < strip.right:
            yield here, strip.right


GAP = 1000
GAP_AT_PERFORATIONS = 3000


def room_of(page: Page, marking: Marking) -> MarginSpace:
    """Returns the margins of a page that stay free of marks and numbers, on this sheet as on a full one."""
    sheets = dict.fromkeys((page, page._replace(filled=len(page.slots))))
    marks = [box for sheet in sheets for box in segments(sheet, marking)]
    figures = [box.grown(GAP // 2) for sheet in sheets for box in numbers(sheet, marking).values()]
    others = [*figures, *fold_lines(page), *_perforations(page), *_around_registration(page)]
    gap = (GAP if marks else 2 * GAP) if page.grid.cut else GAP_AT_PERFORATIONS
    with_bleed = clips(page.grid, max(page.grid.bleed, page.grid.back_bleed))
    if page.side == "back":
        with_bleed = tuple(map(turn_axis(page.size, page.flip).mirror, with_bleed))
    if page.grid.fold:
        with_bleed += tuple(map(page.grid.fold.mirror, with_bleed))
    return MarginSpace(page.size, page.block, bounds(with_bleed), marks, others, gap)


_CLEAR_OF_MARKS = 5000
"""The distance of texts from a registration mark, so that the machine does not mistake a text for a mark."""


def _around_registration(page: Page) -> Iterator[Box]:
    """Yields the corners of a front that are kept clear for registration marks: from the mark to the paper's edges."""
    cutter, paper = page.grid.cutter, page.size
    for box in cutter.boxes(paper) if cutter and page.side == "front" else ():
        left, top, right, bottom = box.x, box.y, box.right, box.bottom
        left, right = (0, right + _CLEAR_OF_MARKS) if 2 * left < paper.width else (left - _CLEAR_OF_MARKS, paper.width)
        top, bottom = (0, bottom + _CLEAR_OF_MARKS) if 2 * top < paper.height else (top - _CLEAR_OF_MARKS, paper.height)
        yield Box(left, top, right - left, bottom - top)


def _perforations(page: Page) -> Iterator[Box]:
    """Yields the lines at which pre-cut stock comes apart, and the top margin, which is reserved for a heading."""
    if page.grid.cut:
        return
    size = page.size
    for slot in page.slots:
        yield from (Box(x, 0, 0, size.height) for x in (slot.x, slot.right))
        yield from (Box(0, y, size.width, 0) for y in (slot.y, slot.bottom))
    yield Box(0, 0, size.width, page.block.y)


Label = Callable[[str, int, int, int, str, int], tuple[Run, ...]]
"""label(text, x, y, size, "start" | "middle" | "end", angle) returns a line of text with its baseline at (x, y)."""

TYPE = 2300
"""The type size of all words in margins: 6.5 points, in micrometres."""
PITCH = 2900
ASCENT = 1750
_MOST_LINES = 3

Lines = tuple[tuple[str, ...], ...]


class MarginText(NamedTuple):
    """Pieces of text that `label` sets, separated by `join`; `tail` is the length to keep free after the last piece."""

    label: Label
    join: str
    tail: int = 0

    def width(self, pieces: Sequence[str]) -> int:
        """Returns the width of `pieces` on one line, in micrometres."""
        return width(self.label, self.join.join(pieces)) if pieces else 0

    def broken(self, pieces: Sequence[str], count: int) -> tuple[int, Lines]:
        """Returns the length of the longest line, and the `pieces` in `count` lines of nearly equal length."""
        ends = (len(pieces) + bool(self.tail)) - 1
        ways = (
            tuple(tuple(pieces[a:b]) for a, b in pairwise((0, *cuts, len(pieces))))
            for cuts in combinations(range(1, ends + 1), count - 1)
        )
        sized = (([*map(self.width, lines[:-1]), self.width(lines[-1]) + self.tail], lines) for lines in ways)
        return min(((max(lengths), lines) for lengths, lines in sized), default=(0, ()))


@lru_cache(maxsize=1024)
def width(label: Label, text: str, size: int = TYPE) -> int:
    """Returns the width of a text on one line, in micrometres."""
    return sum(run.width for run in label(text, 0, 0, size, "start", 0))


class SetText(NamedTuple):
    """A text at its place in a margin; `align` says whether its lines are aligned at their `start` or `end`."""

    text: MarginText
    lines: Lines
    slot: MarginSlot
    align: str

    def runs(self) -> tuple[Run, ...]:
        """Returns the runs of the text."""
        set_line = self.text.label
        return tuple(
            run
            for number, line in enumerate(self.lines)
            if line
            for run in set_line(self.text.join.join(line), *self._at(number), TYPE, self.align, self.slot.angle)
        )

    def continued(self, words: str) -> tuple[Run, ...]:
        """Returns the runs of `words`, placed after the end of the text, where its `tail` keeps room for them."""
        last = self.lines[-1]
        join = self.text.join.lstrip() if last else ""
        after = self.text.width([f"{self.text.join.join(last)} "]) if last else 0
        place = self._at(len(self.lines) - 1, after)
        return self.text.label(f"{join}{words}", *place, TYPE, "start", self.slot.angle)

    def _at(self, number: int, along: int = 0) -> tuple[int, int]:
        """Returns the point to which line `number` (from 0) is aligned: its start, moved by `along`, or its end."""
        return self.slot.at(self.slot.length if self.align == "end" else along, ASCENT + number * PITCH)


def place_text(
    text: MarginText,
    choices: Sequence[Sequence[Sequence[str]]],
    room: MarginSpace,
    sides: Mapping[str, Where],
    insets: Sequence[int],
    level: MarginSlot | None = None,
) -> SetText | None:
    """Returns the best version of a text that fits into a margin, at its place; None if no version fits.

    `choices` are groups of versions, the best first. Each version is a list of pieces; a later group is tried only if
    no version of the earlier groups fits anywhere. The text is aligned with the slot `level` if possible.
    """
    for group in choices:
        for inset, pieces, beside in product(insets, group, (True, False)):
            for count in range(1, min(_MOST_LINES, len(pieces)) + 1):
                length, lines = text.broken(pieces, count)
                thickness = TYPE + (count - 1) * PITCH
                for side, where in sides.items():
                    slot = room.place(side, length, thickness, where, inset, beside_cards=beside, level=level)
                    if slot:
                        return SetText(text, lines, slot, "end" if where == "end" else "start")
    return None
