"""The margins of a sheet: room in them, a ruler, and words that are broken until they find room."""

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
"""Where along the cards a thing stands if it can."""

APART = 3000
"""Between things that follow each other along a margin."""


class MarginSlot(NamedTuple):
    """A place in a margin; things in it are turned by `angle` degrees clockwise."""

    box: Box
    angle: int

    def at(self, along: int, down: int) -> tuple[int, int]:
        """Returns a point of the page, given its distance from the start of the reading line and from the top of the
        words.
        """
        box = self.box
        if self.angle == 270:
            return box.x + down, box.bottom - along
        if self.angle == 90:
            return box.right - down, box.y + along
        return box.x + along, box.y + down


class MarginSpace:
    """The margins of a page round its `cards`, which are printed as far as their `bleed`.

    `marks` and `others` are boxes that nothing may touch; `gap` is what is left beside them.
    """

    def __init__(
        self, paper: Size, cards: Box, bleed: Box, marks: Sequence[Box], others: Sequence[Box], gap: int
    ) -> None:
        views = [_View(side, paper, bleed) for side in ("left", "right", "top", "bottom")]
        self._margins = {view.side: _Margin(view, cards, marks, others, gap) for view in views}

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
        """Returns a free place in a margin, at least `inset` from the paper's edge; it is occupied from then on.

        Beyond the marks is tried first, then between them; `within` keeps it beside the cards. A `floating` thing
        stands in the middle of what is free beyond the marks, or at the far end between them on the left and right;
        another is put on a `level` with something already placed, if it can be.
        """
        margin = self._margins[side]
        box = margin.place(length, thickness, where, inset, beside_cards, floating, level.box if level else None)
        if box is None:
            return None
        for each in self._margins.values():
            each.block(box)
        return MarginSlot(box, margin.view.angle)


class _View(NamedTuple):
    """One side of a page: a box there is seen with x along it and y outwards from the cards' bleed."""

    side: str
    paper: Size
    bleed: Box

    @property
    def angle(self) -> int:
        """The turn of words, in degrees clockwise."""
        return {"left": 270, "right": 90}.get(self.side, 0)

    def from_page(self, box: Box) -> Box:
        """Returns a box of the page as it is seen from here."""
        bleed = self.bleed
        if self.side == "left":
            return Box(self.paper.height - box.bottom, bleed.x - box.right, box.height, box.width)
        if self.side == "right":
            return Box(box.y, box.x - bleed.right, box.height, box.width)
        if self.side == "top":
            return Box(box.x, bleed.y - box.bottom, box.width, box.height)
        return Box(box.x, box.y - bleed.bottom, box.width, box.height)

    def on_page(self, box: Box) -> Box:
        """Returns the box of the page for one seen from here."""
        bleed = self.bleed
        if self.side == "left":
            return Box(bleed.x - box.bottom, self.paper.height - box.right, box.height, box.width)
        if self.side == "right":
            return Box(bleed.right + box.y, box.x, box.height, box.width)
        if self.side == "top":
            return Box(box.x, bleed.y - box.bottom, box.width, box.height)
        return Box(box.x, bleed.bottom + box.y, box.width, box.height)


class _Margin:
    """The free room of one margin; arguments and results are boxes of the page, all others are seen from the margin."""

    def __init__(self, view: _View, cards: Box, marks: Sequence[Box], others: Sequence[Box], gap: int) -> None:
        self.view = view
        self.gap = gap
        self.whole = view.from_page(Box(0, 0, view.paper.width, view.paper.height))
        self.cards = view.from_page(cards)
        self.bleed = view.from_page(view.bleed)
        self.obstacles = [(box, gap) for box in map(view.from_page, (*marks, *others)) if box.bottom > 0]
        self.clear = max((box.bottom for box in map(view.from_page, marks) if self._is_beside(box)), default=0) + gap

    def block(self, box: Box) -> None:
        """Occupies a box of the page."""
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
        """Returns the free box of the page that suits best, if there is one."""
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
        """Yields how far out from the bleed a thing may begin, best first; one that floats is `floating` thick."""
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
        """Yields the free stretches along a strip: start and end."""
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
"""What nearly every printer, and what a good one, leaves unprinted: tried where the margin itself has no room."""


def room_of(page: Page, marking: Marking) -> MarginSpace:
    """Returns the margins of a page, clear of the marks and numbers of this sheet and of a full one."""
    sheets = dict.fromkeys((page, page._replace(filled=len(page.slots))))
    marks = [box for sheet in sheets for box in segments(sheet, marking)]
    figures = [number.box for sheet in sheets for number in numbers(sheet, marking)]
    others = [*figures, *fold_lines(page), *_perforations(page)]
    gap = GAP if page.grid.cut else GAP_AT_PERFORATIONS
    return MarginSpace(page.size, page.block, _bleed(page), marks, others, gap)


def insets(grid: Grid) -> list[int]:
    """Returns how near the paper's edge things may stand, the distance that is sure to be printed first."""
    return sorted({max(grid.margin, _INSETS[-1]), *_INSETS}, reverse=True)


def sides_for(page: Page, places: Mapping[str, Where]) -> Mapping[str, Where]:
    """Returns the margins a thing may stand in: on stock that is not cut only below, where there is nothing to tear."""
    return places if page.grid.cut else {"bottom": places["bottom"]}


def _bleed(page: Page) -> Box:
    """Returns the rectangle round all slots of this side, with their bleed."""
    boxes = clips(page.grid)
    if page.side == "back":
        boxes = tuple(map(turn_axis(page.size, page.flip).mirror, boxes))
    if page.grid.fold:
        boxes += tuple(map(page.grid.fold.mirror, boxes))
    return bounds(boxes)


def _perforations(page: Page) -> Iterator[Box]:
    """Yields the lines at which stock comes apart that is not cut, and the margin above, which has a heading."""
    if page.grid.cut:
        return
    size = page.size
    for slot in page.slots:
        yield from (Box(x, 0, 0, size.height) for x in (slot.x, slot.right))
        yield from (Box(0, y, size.width, 0) for y in (slot.y, slot.bottom))
    yield Box(0, 0, size.width, page.block.y)


Label = Callable[[str, int, int, int, str, int], tuple[Run, ...]]
"""label(text, x, y, size, "start" | "middle" | "end", angle): a line of text on its baseline."""

RULER_TYPE = 2120
"""Six points."""
_RULER_STROKE = Stroke("#000000", 150)
_LINE = 2 * UM_PER_INCH
_LABEL = 6500
_AFTER = 900
_NOTE = 2800
"""What a line of words below takes."""
_NOTE_BASELINE = 2200


class Build(NamedTuple):
    """How large a ruler is drawn: `half` its longest ticks, `noted` with a line of words below.

    Its labels stand one above the other, or in one line where it is `slender`.
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
        """The place where the words below begin on their baseline, along and down."""
        return 0, 2 * self.half + _NOTE_BASELINE


BUILDS = (Build(3000, noted=True), Build(3000), Build(2200, noted=True), Build(2200))
"""The usual rulers, best first."""
SLENDER = Build(1500, slender=True)
"""For margins that hold no other."""


def ruler(slot: MarginSlot, build: Build, label: Label) -> tuple[Shape, ...]:
    """Returns the line from zero with its ticks and labels."""
    half = build.half

    def stroke(along: int, down: int, to_along: int, to_down: int) -> Path:
        return line(*slot.at(along, half + down), *slot.at(to_along, half + to_down), _RULER_STROKE)

    def words(text: str, along: int, down: int) -> tuple[Run, ...]:
        return label(text, *slot.at(_LINE + _AFTER + along, half + down), RULER_TYPE, "start", slot.angle)

    ticks = [stroke(at, 0, at, -half * part // 30) for at, part in _ticks(UM_PER_MM, 50, 10, 5)]
    ticks += [stroke(at, 0, at, half * part // 30) for at, part in _ticks(UM_PER_INCH // 8, 16, 8, 4)]
    places = ((0, 700), (_LABEL, 700)) if build.slender else ((0, -500), (0, 2000))
    return (stroke(0, 0, _LINE, 0), *ticks, *words("50 mm", *places[0]), *words("2 in", *places[1]))


def _ticks(step: int, count: int, long: int, middle: int) -> Iterator[tuple[int, int]]:
    """Yields each tick of a scale, and how long it is in thirtieths of the longest: that of every `long`th tick."""
    for tick in range(count + 1):
        yield tick * step, 30 if tick % long == 0 else 21 if tick % middle == 0 else 11


TYPE = 2300
PITCH = 2900
ASCENT = 1750
_MOST_LINES = 3

Lines = tuple[tuple[str, ...], ...]


class MarginText(NamedTuple):
    """Pieces to be set by `label`, joined by `join`; `tail` is the room kept after the last of them."""

    label: Label
    join: str
    tail: int = 0

    def width(self, pieces: Sequence[str]) -> int:
        """Returns the width of some pieces on one line, in micrometres."""
        return width(self.label, self.join.join(pieces)) if pieces else 0

    def broken(self, pieces: Sequence[str], count: int) -> tuple[int, Lines]:
        """Pieces on so many lines, the longest as short as can be, and how long it is."""
        ends = (len(pieces) + bool(self.tail)) - 1
        ways = (
            tuple(tuple(pieces[a:b]) for a, b in pairwise((0, *cuts, len(pieces))))
            for cuts in combinations(range(1, ends + 1), count - 1)
        )
        return min(((self._longest(lines), lines) for lines in ways), default=(0, ()))

    def _longest(self, lines: Lines) -> int:
        *above, last = (self.width(line) for line in lines)
        return max(*above, last + self.tail) if above else last + self.tail


@lru_cache(maxsize=1024)
def width(label: Label, text: str, size: int = TYPE) -> int:
    """Returns the width of a text on one line, in micrometres."""
    return sum(run.width for run in label(text, 0, 0, size, "start", 0))


class SetText(NamedTuple):
    """A text at its place: `align` says whether its lines begin or end together."""

    text: MarginText
    lines: Lines
    slot: MarginSlot
    length: int
    align: str

    def runs(self) -> tuple[Run, ...]:
        """Returns the words themselves."""
        set_line = self.text.label
        return tuple(
            run
            for number, line in enumerate(self.lines)
            if line
            for run in set_line(self.text.join.join(line), *self._at(number), TYPE, self.align, self.slot.angle)
        )

    def continued(self, words: str) -> tuple[Run, ...]:
        """Returns further words after the last, in the room that the text's tail keeps."""
        last = self.lines[-1]
        join = self.text.join.lstrip() if last else ""
        after = self.text.width([f"{self.text.join.join(last)} "]) if last else 0
        place = self._at(len(self.lines) - 1, after)
        return self.text.label(f"{join}{words}", *place, TYPE, "start", self.slot.angle)

    def _at(self, number: int, along: int = 0) -> tuple[int, int]:
        """Returns the place where the baseline of a line begins, or ends."""
        return self.slot.at(self.length if self.align == "end" else along, ASCENT + number * PITCH)


def place_text(
    text: MarginText,
    choices: Sequence[Sequence[Sequence[str]]],
    room: MarginSpace,
    sides: Mapping[str, Where],
    insets: Sequence[int],
    level: MarginSlot | None = None,
) -> SetText | None:
    """Returns the best of some pieces for which there is room.

    `choices` are groups of pieces, best first: a group is given up only when none of it fits anywhere. The text is put
    on a `level` with another where it can be.
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
