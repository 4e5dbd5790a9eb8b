"""A composed picture on a page narrower than its plan: arranged again rather than made small.

A strip goes on in a second row, call-outs become numbers with a list, steps stand below what is shown, a figure is
broken where its plan says; a mat is turned. Lengths are micrometres.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from carddb.core.units import Box, Size, mm, to_mm
from carddb.game.frozen import replaced
from carddb.layout.text.text_setting import Setter
from carddb.press.documents.figure_geometry import box_of, stacked
from carddb.press.documents.figure_layout import (
    ARROW,
    BADGE,
    Arranger,
    Column,
    Family,
    FigureLayout,
    Targets,
    lay_out,
)
from carddb.press.documents.figure_plan import CallOut, FigurePlan, Item, Point, Step

_CELL = mm(30)
"""The least width of a step in a strip of several rows."""
_MARGIN = 2 * BADGE + mm(3.4)
"""Beside a card, for the numbers of its call-outs."""
_LIST = mm(34)
"""The least width of a list of steps beside what is shown."""
_BELOW = mm(5)
"""Between rows of a figure, and above a list."""
_GUTTER = mm(6)
_WORTH_TURNING = 1.2
"""How much larger a figure has to become by a quarter turn."""

Place = Callable[[Point], Point]
"""Gives a point of a plan its new place, in millimetres."""


class NarrowFigure(NamedTuple):
    """A layout, and whether it is turned by a quarter against the clock."""

    layout: FigureLayout
    is_turned: bool = False


def lay_out_within(
    plan: FigurePlan, sizes: Sequence[Size | None], setter: Setter, family: Family, room: Size
) -> NarrowFigure:
    """Arranges a plan on a page with this room; one that fits is as it is on any page."""
    if mm(plan.width) <= room.width:
        return NarrowFigure(lay_out(plan, sizes, setter, family))
    has_list = len(plan.items) == 1 and not plan.items[0].at and not plan.steps
    if plan.strip or plan.break_at or (plan.steps and not plan.call_outs) or (plan.call_outs and has_list):
        shown = [size for size in sizes if size]
        narrow = plan if plan.strip or plan.call_outs else _fitted(_broken(plan, shown), shown, room.width)
        narrow = replaced(narrow, width=to_mm(room.width), height=0)
        return NarrowFigure(_NarrowArranger(narrow, setter, family).layout(sizes))
    layout = lay_out(plan, sizes, setter, family)
    upright, turned = _share(layout.size, room), _share(layout.size.turned, room)
    return NarrowFigure(layout, turned > upright * _WORTH_TURNING)


class _NarrowArranger(Arranger):
    """Arranges a plan in less width than it was drawn for."""

    def strip(self, sizes: Sequence[Size | None]) -> None:
        """The steps of a strip in rows of about as many."""
        most = max(1, (self.width + ARROW) // (_CELL + ARROW))
        rows = -(-len(sizes) // most)
        count = -(-len(sizes) // rows)
        for first in range(0, len(sizes), count):
            self.strip_row(sizes, first, count, self.bottom + _BELOW if first else 0)

    def items(self, sizes: Sequence[Size]) -> None:
        """Items, with a list of what is said about them beside them, or below where that is too narrow."""
        plan = self.plan
        if plan.call_outs:
            self._numbered(plan.items[0], sizes[0])
            return
        right = self.place_items(sizes)
        if plan.steps and self.width - right - _GUTTER >= _LIST:
            self.steps(plan.steps, Column(right + _GUTTER, self.width - right - _GUTTER), mm(1))
        elif plan.steps:
            self._list_below(plan.steps)

    def _numbered(self, item: Item, size: Size) -> None:
        """A card with numbers left and right of it, which a list explains."""
        width = min(mm(item.width) or size.width, self.width - 2 * _MARGIN)
        high = size.height * width // size.width
        x = 2 * _MARGIN + width + mm(4)
        column = Column(x, self.width - x)
        calls = self.plan.call_outs
        is_beside = column.width >= _LIST and self.steps_height(calls, column.width) <= high * 11 // 10
        box = Box(_MARGIN if is_beside else (self.width - width) // 2, 0, width, high)
        self.lay(box, item)
        self.bottom = max(self.bottom, box.bottom)
        left, right = self.targets(box, size)
        self._numbers(left, box, box.x - _MARGIN + BADGE, 1)
        self._numbers(right, box, box.right + _MARGIN - BADGE, 1 + len(left))
        ordered = [call for _, call in (*left, *right)]
        if is_beside:
            self.steps(ordered, column, 0)
        else:
            self._list_below(ordered)

    def _numbers(self, targets: Targets, box: Box, x: int, first: int) -> None:
        """Numbers in a column beside a box, each with a line to what it stands for."""
        tops = stacked([y - BADGE for (_, y), _ in targets], [2 * BADGE] * len(targets), box.bottom)
        for number, ((target, _), top) in enumerate(zip(targets, tops, strict=True), start=first):
            y = top + BADGE
            inner = x + BADGE if x < box.x else x - BADGE
            bend = box.x - mm(1.5) if x < box.x else box.right + mm(1.5)
            self.leader([(inner, y), (bend, y), target])
            self.badge(x, y, str(number))

    def _list_below(self, steps: Sequence[Step | CallOut]) -> None:
        """Numbered steps in two columns of about the same height, below all that is shown."""
        top, width = self.bottom + _BELOW, (self.width - _GUTTER) // 2
        halves = [(self.steps_height(steps[:at], width), self.steps_height(steps[at:], width), at)
                  for at in range(1, len(steps) + 1)]  # fmt: skip
        half = min(halves, key=lambda each: max(each[:2]))[2]
        self.steps(steps[:half], Column(0, width), top)
        self.steps(steps[half:], Column(width + _GUTTER, width), top, half + 1)


def _broken(plan: FigurePlan, sizes: Sequence[Size]) -> FigurePlan:
    """A plan whose part right of its break lies below the rest."""
    if not plan.break_at:
        return plan
    above = [
        box_of(item, size, 0).bottom
        for item, size in zip(plan.items, sizes, strict=True)
        if item.at and item.at[0] < plan.break_at
    ]
    down = to_mm(max(above, default=0) + _BELOW)

    def moved(at: Point) -> Point:
        return at if at[0] < plan.break_at else (at[0] - plan.break_at, at[1] + down)

    return _moved(plan, moved)


def _fitted(plan: FigurePlan, sizes: Sequence[Size], width: int) -> FigurePlan:
    """A plan made smaller until what lies at places of its own is within a width; words keep their size."""
    ends = [box_of(item, size, 0).right for item, size in zip(plan.items, sizes, strict=True)]
    ends += [mm(words.at[0] + words.width) for words in plan.words]
    share = min(1.0, width / max(ends, default=width))
    if share == 1.0:
        return plan
    small = _moved(plan, lambda at: (at[0] * share, at[1] * share))
    items = [
        replaced(item, width=to_mm(round(box_of(item, size, 0).width * share)))
        for item, size in zip(small.items, sizes, strict=True)
    ]
    words = [replaced(words, width=words.width * share) for words in small.words]
    return replaced(small, items=tuple(items), words=tuple(words))


def _moved(plan: FigurePlan, place: Place) -> FigurePlan:
    """A plan with everything at another place."""
    return replaced(
        plan,
        items=tuple(replaced(item, at=place(item.at)) if item.at else item for item in plan.items),
        words=tuple(replaced(words, at=place(words.at)) for words in plan.words),
        badges=tuple(replaced(badge, at=place(badge.at)) for badge in plan.badges),
        arrows=tuple(replaced(arrow, points=tuple(map(place, arrow.points))) for arrow in plan.arrows),
    )


def _share(size: Size, room: Size) -> float:
    """How large a figure of a size is in a room, of 1 at most."""
    return min(1.0, room.width / size.width, room.height / size.height)
