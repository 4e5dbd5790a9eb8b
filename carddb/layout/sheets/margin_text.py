"""The margins of a sheet: finding free space in them, a ruler, and texts that are broken into lines until they fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, pairwise, product
from typing import Literal, NamedTuple

from carddb.core.units import UM_PER_INCH, UM_PER_MM, Box, Size
from carddb.layout.display_list import Path, Run, Shape, Stroke, line
from carddb.layout.sheets.crop_marks import Marking, fold_lines, numbers, segments
from carddb.layout.sheets.grid import Grid, turn_axis
from carddb.layout.sheets.imposition import Page, bounds, clips

Where = Literal["start", "middle", "end"]
"""The preferred position of a thing along the cards."""

APART = 3000
"""The distance between two things in the same margin."""


class MarginSlot(NamedTuple):
    """A place in a margin; its contents are rotated by `angle` degrees clockwise."""

    box: Box
    angle: int

    def at(self, along: int, down: int) -> tuple[int, int]:
        """Returns the point of the page at the distance `along` the reading direction and `down` from the top of the
        text.
        """
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
        views = {side: _View(side, paper, bleed) for side in ("left", "right", "top", "bottom")}
        self._margins = {side: _Margin(view, cards, marks, others, gap) for side, view in views.items()}

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
        """Returns a free place in a margin and marks it as occupied, or returns None if there is none.

        The place is at least `inset` from the paper's edge. Places beyond the crop marks are tried first, then places
        between them; `beside_cards` allows only places beside the cards. A `floating` thing is centred in the free
        space beyond the marks, or, between marks in the left or right margin, placed at the far end. Otherwise the
        thing is aligned with the slot `level` if possible.
        """
        margin = self._margins[side]
        box = margin.place(length, thickness, where, inset, beside_cards, floating, level.box if level else None)
        if box is None:
            return None
        for each in self._margins.values():
            each.block(box)
        return MarginSlot(box, margin.view.angle)


class _View(NamedTuple):
    """One side of a page, with its own coordinates: x along the side, y outwards from the cards' bleed."""

    side: str
    paper: Size
    bleed: Box

    @property
    def angle(self) -> int:
        """The rotation of texts, in degrees clockwise."""
        return {"left": 270, "right": 90}.get(self.side, 0)

    def from_page(self, box: Box) -> Box:
        """Converts a box from page coordinates to the coordinates of this side."""
        match self.side:
            case "left":
                return Box(self.paper.height - box.bottom, self.bleed.x - box.right, box.height, box.width)
            case "right":
                return Box(box.y, box.x - self.bleed.right, box.height, box.width)
            case "top":
                return box._replace(y=self.bleed.y - box.bottom)
        return box._replace(y=box.y - self.bleed.bottom)

    def on_page(self, box: Box) -> Box:
        """Converts a box from the coordinates of this side to page coordinates."""
        match self.side:
            case "left":
                return Box(self.bleed.x - box.bottom, self.paper.height - box.right, box.height, box.width)
            case "right":
                return Box(self.bleed.right + box.y, box.x, box.height, box.width)
            case "top":
                return box._replace(y=self.bleed.y - box.bottom)
        return box._replace(y=self.bleed.bottom + box.y)


class _Margin:
    """The free space of one margin.

    Arguments and results of its methods are in page coordinates, all attributes in the coordinates of the margin's
    `view`.
    """

    def __init__(self, view: _View, cards: Box, marks: Sequence[Box], others: Sequence[Box], gap: int) -> None:
        self.view = view
        self.gap = gap
        self.whole = view.from_page(Box(0, 0, view.paper.width, view.paper.height))
        self.cards = view.from_page(cards)
        self.bleed = view.from_page(view.bleed)
        self.obstacles = [(box, gap) for box in map(view.from_page, (*marks, *others)) if box.bottom > 0]
        self.clear = max((box.bottom for box in map(view.from_page, marks) if self._is_beside(box)), default=0) + gap

    def block(self, box: Box) -> None:
        """Marks a box of the page as occupied."""
        obstacle = self.view.from_page(box)
        if obstacle.bottom > 0:
            self.obstacles.append((obstacle, APART))

    def place(
        self,
        length: int,
        thickness: int,
        where: Where,
        inset: int,
        beside_cards: bool,
        floating: bool,
        level: Box | None,
    ) -> Box | None:
        """Returns the most suitable free box of the page, or None if there is none."""
        first, end = (self.cards.x, self.cards.right) if beside_cards else (self.whole.x, self.whole.right)
        first, end = max(first, inset), min(end, self.whole.right - inset)
        if end - first < length:
            return None
        distances = list(self._distances(self.whole.bottom - inset - thickness, thickness if floating else 0))
        if level and self.view.from_page(level).y in distances:
            distances.insert(0, self.view.from_page(level).y)
        for distance in distances:
            far = floating and self.view.angle and distance < self.clear
            begin, last = self.cards.x, self.cards.right - length
            preferred = {"start": begin, "middle": (begin + last) // 2, "end": last}["end" if far else where]
            strip = Box(first, distance, end - first, thickness)
            starts = [min(max(preferred, a), b - length) for a, b in self._free(strip) if b - a >= length]
            if starts:
                start = min(starts, key=lambda start: (abs(start - preferred), start))
                return self.view.on_page(Box(start, distance, length, thickness))
        return None

    def _is_beside(self, box: Box) -> bool:
        return box.bottom > 0 and box.x <= self.bleed.right and self.bleed.x <= box.right

    def _distances(self, last: int, floating: int) -> Iterator[int]:
        """Yields possible distances from the bleed, the best first; `floating` is the thickness if floating, else 0."""
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

    def _free(self, strip: Box) -> Iterator[tuple[int, int]]:
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
_INSETS = (4200, 3000)
"""Unprintable margins of nearly all printers and of good ones, which are tried if the set margin leaves no room."""


def room_of(page: Page, marking: Marking) -> MarginSpace:
    """Returns the margins of a page that stay free of marks and numbers, both on this sheet and on a full one."""
    sheets = dict.fromkeys((page, page._replace(filled=len(page.slots))))
    marks = [box for sheet in sheets for box in segments(sheet, marking)]
    figures = [number.box for sheet in sheets for number in numbers(sheet, marking)]
    others = [*figures, *fold_lines(page), *_perforations(page), *_around_registration(page)]
    gap = GAP if page.grid.cut else GAP_AT_PERFORATIONS
    return MarginSpace(page.size, page.block, _bleed(page), marks, others, gap)


def insets(grid: Grid) -> list[int]:
    """Returns the distances from the paper's edge to try, the one that all printers can print first."""
    return sorted({max(grid.margin, _INSETS[-1]), *_INSETS}, reverse=True)


def sides_for(page: Page, places: Mapping[str, Where]) -> Mapping[str, Where]:
    """Returns the margins that a thing may use: on pre-cut stock only the bottom one, where nothing is torn off."""
    return places if page.grid.cut else {"bottom": places["bottom"]}


def _bleed(page: Page) -> Box:
    """Returns the bounding rectangle of all slots of this side with their bleed."""
    boxes = clips(page.grid, max(page.grid.bleed, page.grid.back_bleed))
    if page.side == "back":
        boxes = tuple(map(turn_axis(page.size, page.flip).mirror, boxes))
    if page.grid.fold:
        boxes += tuple(map(page.grid.fold.mirror, boxes))
    return bounds(boxes)


_CLEAR_OF_MARKS = 5000
"""The distance of texts from a registration mark, so that the machine takes none of them for a mark."""


def _around_registration(page: Page) -> Iterator[Box]:
    """Yields the corners of a front that registration marks need: from the mark to the paper's edges."""
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
_RULER_STROKE = Stroke("#000000", 150)
_LINE = 2 * UM_PER_INCH
_LABEL = 7000
_AFTER = 900
_NOTE = 2800
"""The height of the line of text below a ruler."""
_NOTE_BASELINE = 2200


class Build(NamedTuple):
    """The size of a ruler: `half` is the length of its longest ticks, `noted` says that there is a text below.

    Its two labels are one above the other, or side by side if it is `slender`.
    """

    half: int
    noted: bool = False
    slender: bool = False

    @property
    def length(self) -> int:
        return _LINE + _AFTER + _LABEL * (2 if self.slender else 1)

    @property
    def thickness(self) -> int:
        return 2 * self.half + (_NOTE if self.noted else 0)

    @property
    def note(self) -> tuple[int, int]:
        """The point (along, down) where the baseline of the text below begins."""
        return 0, 2 * self.half + _NOTE_BASELINE


BUILDS = (Build(3000, noted=True), Build(3000), Build(2200, noted=True), Build(2200))
"""The usual rulers, the best first."""
SLENDER = Build(1500, slender=True)
"""A ruler for margins that are too narrow for any other."""


def ruler(slot: MarginSlot, build: Build, label: Label) -> tuple[Shape, ...]:
    """Returns the ruler's line with its ticks and labels."""
    half = build.half

    def stroke(along: int, down: int, to_along: int, to_down: int) -> Path:
        return line(*slot.at(along, half + down), *slot.at(to_along, half + to_down), _RULER_STROKE)

    def words(text: str, along: int, down: int) -> tuple[Run, ...]:
        return label(text, *slot.at(_LINE + _AFTER + along, half + down), TYPE, "start", slot.angle)

    ticks = [stroke(at, 0, at, -half * part // 30) for at, part in _ticks(UM_PER_MM, 50, 10, 5)]
    ticks += [stroke(at, 0, at, half * part // 30) for at, part in _ticks(UM_PER_INCH // 8, 16, 8, 4)]
    places = ((0, 700), (_LABEL, 700)) if build.slender else ((0, -500), (0, 2000))
    return (stroke(0, 0, _LINE, 0), *ticks, *words("50 mm", *places[0]), *words("2 in", *places[1]))


def _ticks(step: int, count: int, long: int, middle: int) -> Iterator[tuple[int, int]]:
    """Yields each tick of a scale as (position, length), with the length in thirtieths of the longest tick.

    Every `long`th tick is the longest, every `middle`th one is shorter, and all others are the shortest.
    """
    for tick in range(count + 1):
        yield tick * step, 30 if tick % long == 0 else 21 if tick % middle == 0 else 11


PITCH = 2900
ASCENT = 1750
_MOST_LINES = 3

Lines = tuple[tuple[str, ...], ...]


class MarginText(NamedTuple):
    """Pieces of text that `label` sets, separated by `join`; `tail` is the space to keep free after the last."""

    label: Label
    join: str
    tail: int = 0

    def width(self, pieces: Sequence[str]) -> int:
        """Returns the width of `pieces` on one line, in micrometres."""
        return width(self.label, self.join.join(pieces)) if pieces else 0

    def broken(self, pieces: Sequence[str], count: int) -> tuple[int, Lines]:
        """Returns the length of the longest line, and the lines: `count` of them, as equal in length as possible."""
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
    """A text at its place; `align` says whether its lines are aligned at their `start` or `end`."""

    text: MarginText
    lines: Lines
    slot: MarginSlot
    length: int
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
        """Returns the runs of `words`, placed after the end of the text, in the space kept by its `tail`."""
        last = self.lines[-1]
        join = self.text.join.lstrip() if last else ""
        after = self.text.width([f"{self.text.join.join(last)} "]) if last else 0
        place = self._at(len(self.lines) - 1, after)
        return self.text.label(f"{join}{words}", *place, TYPE, "start", self.slot.angle)

    def _at(self, number: int, along: int = 0) -> tuple[int, int]:
        """Returns the start of a line's baseline, moved by `along`, or its end if lines are aligned at their end."""
        return self.slot.at(self.length if self.align == "end" else along, ASCENT + number * PITCH)


def place_text(
    text: MarginText,
    choices: Sequence[Sequence[Sequence[str]]],
    room: MarginSpace,
    sides: Mapping[str, Where],
    insets: Sequence[int],
    level: MarginSlot | None = None,
) -> SetText | None:
    """Returns the best version of a text for which there is room, or None.

    `choices` are groups of versions (each a list of pieces), the best first; a later group is tried only if no version
    of the earlier groups fits anywhere. The text is aligned with the slot `level` if possible.
    """
    for group in choices:
        for inset, pieces, beside in product(insets, group, (True, False)):
            for count in range(1, min(_MOST_LINES, len(pieces)) + 1):
                length, lines = text.broken(pieces, count)
                thickness = TYPE + (count - 1) * PITCH
                for side, where in sides.items():
                    slot = room.place(side, length, thickness, where, inset, beside_cards=beside, level=level)
                    if slot:
                        return SetText(text, lines, slot, length, "end" if where == "end" else "start")
    return None
