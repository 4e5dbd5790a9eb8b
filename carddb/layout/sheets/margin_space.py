"""Room in the margins: places for things that touch neither cards nor marks nor each other.

Lengths in micrometres. Each margin is seen as if it lay below the cards and were read from left to right: that on the
left is read upwards, that on the right downwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from carddb.core.units import Box, Size

Where = Literal["start", "middle", "end"]
"""Where along the cards a thing stands if it can."""

APART = 3000
"""Between things that follow each other along a margin."""


class MarginSlot(NamedTuple):
    """A place in a margin; things in it are turned by `angle` degrees clockwise."""

    box: Box
    angle: int

    def at(self, along: int, down: int) -> tuple[int, int]:
        """A point of the page, given its distance from the start of the reading line and from the top of the words."""
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
        """A free place in a margin, at least `inset` from the paper's edge; it is occupied from then on.

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
        """How words are turned."""
        return {"left": 270, "right": 90}.get(self.side, 0)

    def from_page(self, box: Box) -> Box:
        """A box of the page as it is seen from here."""
        bleed = self.bleed
        if self.side == "left":
            return Box(self.paper.height - box.bottom, bleed.x - box.right, box.height, box.width)
        if self.side == "right":
            return Box(box.y, box.x - bleed.right, box.height, box.width)
        if self.side == "top":
            return Box(box.x, bleed.y - box.bottom, box.width, box.height)
        return Box(box.x, box.y - bleed.bottom, box.width, box.height)

    def on_page(self, box: Box) -> Box:
        """Where a box seen from here lies on the page."""
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
        """The free box of the page that suits best, if there is one."""
        first, end = (self.cards.x, self.cards.right) if beside_cards else (self.whole.x, self.whole.right)
        first, end = max(first, inset), min(end, self.whole.right - inset)
        if end - first < length:
            return None
        distances = list(self._distances(self.whole.bottom - inset - thickness, thickness if floating else 0))
        if level and self.view.from_page(level).y in distances:
            distances.insert(0, self.view.from_page(level).y)
        for distance in distances:
            far = floating and self.view.angle and distance < self.clear
            preferred = self._preferred(length, "end" if far else where)
            strip = Box(first, distance, end - first, thickness)
            starts = [min(max(preferred, a), b - length) for a, b in self._free(strip) if b - a >= length]
            if starts:
                start = min(starts, key=lambda start: (abs(start - preferred), start))
                return self.view.on_page(Box(start, distance, length, thickness))
        return None

    def _is_beside(self, box: Box) -> bool:
        return box.bottom > 0 and box.x <= self.bleed.right and self.bleed.x <= box.right

    def _distances(self, last: int, floating: int) -> Iterator[int]:
        """How far out from the bleed a thing may begin, best first; `floating` is the thickness of one that floats."""
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

    def _preferred(self, length: int, where: Where) -> int:
        """Where a thing of that length begins if nothing is in its way."""
        first, last = self.cards.x, self.cards.right - length
        return {"start": first, "middle": (first + last) // 2, "end": last}[where]

    def _free(self, strip: Box) -> Iterator[tuple[int, int]]:
        """What is free along a strip."""
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
