"""Lays out figures by their plans, as wide as the plan says or for a narrower page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from carddb.core.units import Box, Size, mm, points, to_mm
from carddb.game.frozen import replaced
from carddb.layout.text.text_setting import Setter, Style
from carddb.press.documents.figure_plan import CallOut, FigurePlan, Item, PlanStep, Point
from carddb.press.faces.workshop import Families

APART = mm(2.6)
"""The space between call-outs or steps in a column."""


def box_of(item: Item, size: Size, x: int) -> Box:
    """Returns the box of an item of this size. `x` is its left edge if the plan gives it no place."""
    own = turned_size(size, item.turn)
    width = mm(item.width) or own.width
    left, top = (mm(item.at[0]), mm(item.at[1])) if item.at else (x, 0)
    return Box(left, top, width, own.height * width // own.width)


def turned_size(size: Size | None, turn: int) -> Size:
    """Returns `size` after a turn by `turn` degrees, a multiple of 90; an empty size for None."""
    if size is None:
        return Size(0, 0)
    return size if turn % 180 == 0 else size.turned


def fitted(size: Size, width: int, height: int) -> Size:
    """Returns `size` scaled down to fit `width` and `height`. It is never scaled up."""
    if size.width * size.height == 0:
        return Size(0, 0)
    if size.width * height > size.height * width:
        return Size(min(width, size.width), size.height * min(width, size.width) // size.width)
    return Size(size.width * min(height, size.height) // size.height, min(height, size.height))


def stacked(tops: Sequence[int], heights: Sequence[int], bottom: int) -> list[int]:
    """Returns tops for boxes in a column, near `tops` but without overlaps, and above `bottom` if there is room."""
    placed: list[int] = []
    free = 0
    for top, height in zip(tops, heights, strict=True):
        placed.append(max(top, free))
        free = placed[-1] + height + APART
    limit = max(bottom, sum(heights) + APART * (len(heights) - 1))
    for at in reversed(range(len(placed))):
        placed[at] = min(placed[at], limit - heights[at])
        limit = placed[at] - APART
    return placed


def arrow_shape(line: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """Returns the line of an arrow as `points`, and as `head` the triangle whose tip is the line's last point."""
    (x0, y0), (x1, y1) = line[-2:]
    length = max(1.0, ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5)
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    head, half = mm(2.0), mm(1.1)
    base = (x1 - dx * head, y1 - dy * head)
    corners = [(x1, y1), (base[0] - dy * half, base[1] + dx * half), (base[0] + dy * half, base[1] - dx * half)]
    return {"points": points_text([*line[:-1], base]), "head": points_text(corners)}


def points_text(line: Sequence[tuple[float, float]]) -> str:
    """Returns points in micrometres as SVG writes them, in millimetres."""
    return " ".join(f"{round(x / 1000, 2):g} {round(y / 1000, 2):g}" for x, y in line)


def in_mm(box: Box) -> dict[str, float]:
    return {"x": to_mm(box.x), "y": to_mm(box.y), "w": to_mm(box.width), "h": to_mm(box.height)}


_GAP = mm(7)
"""The space between a picture and the texts beside it."""
_OUTSIDE = mm(1.95)
"""The distance of the centre of a call-out's dot from the point that it refers to: its radius, and one millimetre."""
_BEND = mm(3)
"""The distance from the column of call-outs to the bends of their lines."""
BADGE = mm(2.3)
_BESIDE_BADGE = mm(6.6)
ARROW = mm(7)
"""The space between two pictures of a strip."""
_UNDER = mm(3)
_NARROWEST = mm(15)
"""The least width of a column of text."""


class _Look(NamedTuple):
    """The look of a text on a figure; `size` is in points, and `lead`, the height of a line, in micrometres."""

    size: float
    lead: int
    weight: int = 400
    is_heading: bool = False


_LABEL = _Look(9.5, mm(4.3), 600, is_heading=True)
_TEXT = _Look(8.0, mm(3.5))


Targets = Sequence[tuple[tuple[int, int], CallOut]]
"""The points on a figure to which call-outs refer, each with its call-out."""


@dataclass
class FigureLayout:
    """Everything on a figure, with its place.

    `boxes` are the boxes of the pictures in micrometres, each with its rotation in degrees clockwise. The texts and
    lines are in millimetres, as the template needs them.
    """

    size: Size
    boxes: list[tuple[Box, int]]
    labels: list[dict[str, Any]] = field(default_factory=list)
    leaders: list[dict[str, Any]] = field(default_factory=list)
    badges: list[dict[str, Any]] = field(default_factory=list)
    rings: list[dict[str, float]] = field(default_factory=list)
    frames: list[dict[str, float]] = field(default_factory=list)
    """The outlines of pictures of things cut from paper. Drawings have none."""
    arrows: list[dict[str, Any]] = field(default_factory=list)
    covers: list[Box] = field(default_factory=list)
    """The boxes of texts and badges in micrometres. They make what lies below them unreadable."""

    def to_context(self) -> Mapping[str, Any]:
        """Returns the values that the template of figures needs."""
        return {
            "width": to_mm(self.size.width), "height": to_mm(self.size.height), "labels": self.labels,
            "leaders": self.leaders, "badges": self.badges, "arrows": self.arrows,
            "frames": self.frames, "rings": self.rings,
        }  # fmt: skip


class Column(NamedTuple):
    """A column of texts, one below the other."""

    x: int
    width: int


class Arranger:
    """Arranges the parts of a figure at the width that its plan gives."""

    def __init__(self, plan: FigurePlan, setter: Setter, families: Families) -> None:
        self.plan, self.setter, self.families = plan, setter, families
        self.width = mm(plan.width)
        self.figure = FigureLayout(Size(self.width, 0), [])
        self.bottom = 0

    def layout(self, sizes: Sequence[Size | None]) -> FigureLayout:
        """Returns the layout for pictures of these sizes; None stands for a step without a picture."""
        if self.plan.strip:
            self.strip(sizes)
        else:
            self.items([size for size in sizes if size])
        for badge in self.plan.badges:
            self.badge(mm(badge.at[0]), mm(badge.at[1]), badge.text)
        for ring in self.plan.rings:
            self.figure.rings.append({"x": ring.at[0], "y": ring.at[1], "r": ring.radius})
            self.bottom = max(self.bottom, mm(ring.at[1] + ring.radius))
        for words in self.plan.words:
            look = _Look(words.size, points(words.size) * 5 // 4, 700 if words.bold else 400)
            self._words(words.text, Column(mm(words.at[0]), mm(words.width)), mm(words.at[1]), look, words.align)
        for arrow in self.plan.arrows:
            self.figure.arrows.append(arrow_shape([(mm(x), mm(y)) for x, y in arrow.points]))
            self.bottom = max(self.bottom, *(mm(y) for _, y in arrow.points))
        height = mm(self.plan.height) or self.bottom + mm(0.6)
        self.figure.size = Size(self.width, max(height, mm(5)))
        return self.figure

    def items(self, sizes: Sequence[Size]) -> None:
        """Places the items, and the texts beside them."""
        plan, right = self.plan, self.place_items(sizes)
        if plan.call_outs:
            box = self.figure.boxes[0][0]
            left_targets, right_targets = self.targets(box, sizes[0])
            self._call_out_column(left_targets, Column(0, max(box.x - _GAP, _NARROWEST)), box, at_left=True)
            x = box.right + _GAP
            self._call_out_column(right_targets, Column(x, max(self.width - x, _NARROWEST)), box, at_left=False)
        if plan.steps:
            x = mm(plan.steps_at) or (right + _GAP if plan.items else 0)
            self.steps(plan.steps, Column(x, max(self.width - x, _NARROWEST)), mm(1))

    def place_items(self, sizes: Sequence[Size]) -> int:
        """Places the items side by side, or where the plan says. Returns the right edge of the rightmost item."""
        plan = self.plan
        widths = [turned_size(size, item.turn).width for size, item in zip(sizes, plan.items, strict=True)]
        room = sum(mm(item.width) or width for width, item in zip(widths, plan.items, strict=True) if not item.at)
        x = 0 if plan.steps else (self.width - room - _GAP * (len(plan.items) - 1)) // 2
        for item, size in zip(plan.items, sizes, strict=True):
            box = box_of(item, size, x)
            if not item.at:
                x = box.right + _GAP
            self.lay(box, item)
            self.bottom = max(self.bottom, box.bottom)
        return max((box.right for box, _ in self.figure.boxes), default=0)

    def lay(self, box: Box, shown: Item | PlanStep) -> None:
        """Puts a picture into its box, with a frame unless it is a drawing."""
        self.figure.boxes.append((box, shown.turn))
        if not shown.show.startswith("drawing:"):
            self.figure.frames.append(in_mm(box))

    def targets(self, box: Box, size: Size) -> tuple[Targets, Targets]:
        """Returns the targets of the call-outs at the left and at the right of `box`, each from top to bottom."""
        targets = []
        for call in self.plan.call_outs:
            x, y = (mm(length) for length in call.at)
            place = box.x + x * box.width // size.width, box.y + y * box.height // size.height
            targets.append((place, call))
        targets.sort(key=lambda each: each[0][1])
        middle = box.x + box.width // 2
        left = [each for each in targets if each[1].side == "left" or (not each[1].side and each[0][0] <= middle)]
        return left, [each for each in targets if each not in left]

    def _call_out_column(self, targets: Targets, column: Column, box: Box, *, at_left: bool) -> None:
        heights = [
            self._height(call.label, column.width, _LABEL) + self._height(call.text, column.width, _TEXT)
            for _, call in targets
        ]
        tops = stacked([y - _LABEL.lead // 2 for (_, y), _ in targets], heights, box.bottom)
        for (target, call), top, height in zip(targets, tops, heights, strict=True):
            self._label(call.label, call.text, column, top)
            self.bottom = max(self.bottom, top + height)
            y = top + _LABEL.lead // 2
            if at_left:
                end = column.x + min(self.setter.width(call.label, self._style(_LABEL)) + mm(1.5), column.width)
                self.leader([(end, y), (column.x + column.width + _BEND, y), (target[0] - _OUTSIDE, target[1])])
            else:
                bend = (column.x - _BEND - mm(0.5), y)
                self.leader([(column.x - mm(1.2), y), bend, (target[0] + _OUTSIDE, target[1])])

    def leader(self, line: Sequence[tuple[int, int]]) -> None:
        """Adds a line from a text to what it explains, where the line ends in a dot."""
        x, y = line[-1]
        self.figure.leaders.append({"points": points_text(line), "x": to_mm(x), "y": to_mm(y)})

    def steps(self, steps: Sequence[PlanStep | CallOut], column: Column, top: int, first: int = 1) -> None:
        """Places steps in a column that begins at `top`, numbered from `first`."""
        inside = Column(column.x + _BESIDE_BADGE, column.width - _BESIDE_BADGE)
        for number, step in enumerate(steps, start=first):
            self.badge(column.x + BADGE, top + _LABEL.lead // 2, str(number))
            top += self._label(step.label, step.text, inside, top) + APART
        self.bottom = max(self.bottom, top - APART)

    def steps_height(self, steps: Sequence[PlanStep | CallOut], width: int) -> int:
        """Returns the height, in micrometres, of steps in a column of this width."""
        inside = width - _BESIDE_BADGE
        heights = [self._height(step.label, inside, _LABEL) + self._height(step.text, inside, _TEXT) for step in steps]
        return sum(heights) + APART * (len(steps) - 1)

    def strip(self, sizes: Sequence[Size | None]) -> None:
        """Places all steps of a strip in one row."""
        self.strip_row(sizes, 0, len(sizes), 0)

    def strip_row(self, sizes: Sequence[Size | None], first: int, count: int, top: int) -> None:
        """Places the steps of a strip from the index `first` on, at most `count`, in a row at `top`."""
        steps, highest = self.plan.strip[first : first + count], mm(self.plan.strip_height)
        cell = (self.width - ARROW * (count - 1)) // count
        turned = [turned_size(size, step.turn) for size, step in zip(sizes[first : first + count], steps, strict=True)]
        shown = [fitted(size, cell, highest) for size in turned]
        high = max((size.height for size in shown), default=0)
        below = top + high + (_UNDER if high else 0)
        for number, (step, size) in enumerate(zip(steps, shown, strict=True)):
            x = number * (cell + ARROW)
            if size.width:
                box = Box(x + (cell - size.width) // 2, top + (high - size.height) // 2, size.width, size.height)
                self.lay(box, step)
            if number:
                y = top + high // 2
                self.figure.arrows.append(arrow_shape([(x - ARROW + mm(1), y), (x - mm(1), y)]))
            self.badge(x + BADGE, below + _LABEL.lead // 2, str(first + number + 1))
            column = Column(x + _BESIDE_BADGE, cell - _BESIDE_BADGE)
            self.bottom = max(self.bottom, below + self._label(step.label, step.text, column, below))

    def _label(self, label: str, text: str, column: Column, top: int) -> int:
        """Places a label at `top`, and the text below it. Returns their total height."""
        height = self._words(label, column, top, _LABEL)
        return height + (self._words(text, column, top + height, _TEXT) if text else 0)

    def _words(self, text: str, column: Column, top: int, look: _Look, align: str = "left") -> int:
        """Places a text in a column at `top`. Returns its height."""
        height = self._height(text, column.width, look)
        self.bottom = max(self.bottom, top + height)
        box, style = Box(column.x, top, column.width, height), self._style(look)
        spare = column.width - min(column.width, self.setter.width(text, style))
        at = column.x + {"left": 0, "center": spare // 2, "right": spare}[align]
        self.figure.covers.append(box._replace(x=at, width=column.width - spare))
        leading = round(look.lead / points(look.size), 3)
        self.figure.labels.append({**in_mm(box), **look._asdict(), "text": text, "leading": leading, "align": align})
        return height

    def _height(self, text: str, width: int, look: _Look) -> int:
        return self.setter.count_lines(text, self._style(look), width) * look.lead if text else 0

    def _style(self, look: _Look) -> Style:
        return Style(self.families.heading if look.is_heading else self.families.text, points(look.size), look.weight)

    def badge(self, x: int, y: int, text: str) -> None:
        """Adds a disc with a text, centred at (`x`, `y`)."""
        self.bottom = max(self.bottom, y + BADGE)
        self.figure.covers.append(Box(x - BADGE, y - BADGE, 2 * BADGE, 2 * BADGE))
        self.figure.badges.append({"x": to_mm(x), "y": to_mm(y), "r": to_mm(BADGE), "text": text})


_CELL = mm(30)
"""The least width of a step in a strip of several rows."""
_MARGIN = 2 * BADGE + mm(2.7)
"""The space beside a card for the numbers of its call-outs."""
_LIST = mm(34)
"""The least width of a list of steps beside a picture."""
_BELOW = mm(5)
"""The space between rows of a figure, and above a list."""
_GUTTER = mm(6)
_UPRIGHT = 0.7
"""The least scale at which a figure of pictures alone, with no type of its own, is not turned to be larger."""


def lay_out(
    plan: FigurePlan, sizes: Sequence[Size | None], setter: Setter, families: Families, room: Size | None = None
) -> tuple[FigureLayout, bool]:
    """Returns the layout of a plan, and True if the figure must be turned by 90° counter-clockwise.

    `sizes` are the sizes of what the plan's items, or the steps of its strip, show. If the plan is wider than `room`,
    the room on a page, its parts are rearranged, or the figure is turned where that makes it larger.
    """
    layout = Arranger(plan, setter, families).layout(sizes)
    if not room or mm(plan.width) <= room.width or (plan.call_outs and not _has_list(plan)):
        return layout, False
    shown = [size for size in sizes if size]
    narrow = plan if plan.strip or plan.call_outs else _fitted(_broken(plan, shown, room), shown, room.width)
    narrow = replaced(narrow, width=to_mm(room.width), height=0)
    arranged = _NarrowArranger(narrow, setter, families).layout(sizes)
    upright = 1.0 if plan.steps or plan.words or plan.badges else _UPRIGHT
    is_turned = share_of(arranged.size, room) < min(share_of(layout.size.turned, room), upright)
    return (layout, True) if is_turned else (arranged, False)


def can_be_narrow(plan: FigurePlan) -> bool:
    """Returns True if the parts of a plan can be rearranged for a screen as narrow as a phone."""
    return bool(plan.strip or plan.break_at or (_has_list(plan) if plan.call_outs else plan.steps))


def _has_list(plan: FigurePlan) -> bool:
    """Returns True if a plan explains a single picture, so that a list can replace its call-outs."""
    return len(plan.items) == 1 and not plan.items[0].at and not plan.steps


class _NarrowArranger(Arranger):
    """Arranges the parts of a figure in less width than its plan was made for."""

    def strip(self, sizes: Sequence[Size | None]) -> None:
        """Places the steps of a strip in several rows of about equal length."""
        most = max(1, (self.width + ARROW) // (_CELL + ARROW))
        rows = -(-len(sizes) // most)
        count = -(-len(sizes) // rows)
        for first in range(0, len(sizes), count):
            self.strip_row(sizes, first, count, self.bottom + _BELOW if first else 0)

    def items(self, sizes: Sequence[Size]) -> None:
        """Places the items, and the texts about them as a list beside them, or below if there is too little room."""
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
        """Places an item with numbers at its left and right, and the list of call-outs with these numbers."""
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
        """Places numbers in a column beside a box, each with a line to its target."""
        tops = stacked([y - BADGE for (_, y), _ in targets], [2 * BADGE] * len(targets), box.bottom)
        for number, ((target, _), top) in enumerate(zip(targets, tops, strict=True), start=first):
            y = top + BADGE
            inner = x + BADGE if x < box.x else x - BADGE
            bend = box.x - mm(1.5) if x < box.x else box.right + mm(1.5)
            outside = -_OUTSIDE if x < box.x else _OUTSIDE
            self.leader([(inner, y), (bend, y), (target[0] + outside, target[1])])
            self.badge(x, y, str(number))

    def _list_below(self, steps: Sequence[PlanStep | CallOut]) -> None:
        """Places numbered steps below everything else, in two columns of about equal height, or in one if narrow."""
        top, width = self.bottom + _BELOW, (self.width - _GUTTER) // 2
        if width < _LIST:
            self.steps(steps, Column(0, self.width), top)
            return
        halves = [(self.steps_height(steps[:at], width), self.steps_height(steps[at:], width), at)
                  for at in range(1, len(steps) + 1)]  # fmt: skip
        half = min(halves, key=lambda each: max(each[:2]))[2]
        self.steps(steps[:half], Column(0, width), top)
        self.steps(steps[half:], Column(width + _GUTTER, width), top, half + 1)


def _broken(plan: FigurePlan, sizes: Sequence[Size], room: Size) -> FigurePlan:
    """Returns the plan with everything to the right of its `break_at` moved below the rest, if it must be split."""
    if not plan.break_at or room.width >= mm(plan.break_below or plan.width):
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
    """Returns the plan scaled down so that everything with a fixed place fits `width`.

    Texts keep their type size. A plan that already fits is centred, unless it has steps, which need the room beside it.
    """
    ends = [box_of(item, size, 0).right for item, size in zip(plan.items, sizes, strict=True)]
    ends += [mm(words.at[0] + words.width) for words in plan.words]
    ends += [mm(badge.at[0]) + BADGE for badge in plan.badges]
    share = min(1.0, width / max(ends, default=width))
    if share == 1.0:
        spare = 0 if plan.steps else to_mm(width - max(ends, default=width)) / 2
        return _moved(plan, lambda at: (at[0] + spare, at[1]))
    small = _moved(plan, lambda at: (at[0] * share, at[1] * share))
    items = [
        replaced(item, width=to_mm(round(box_of(item, size, 0).width * share)))
        for item, size in zip(small.items, sizes, strict=True)
    ]
    words = [replaced(words, width=words.width * share) for words in small.words]
    rings = [replaced(ring, radius=ring.radius * share) for ring in small.rings]
    return replaced(small, items=tuple(items), words=tuple(words), rings=tuple(rings))


def _moved(plan: FigurePlan, place: Callable[[Point], Point]) -> FigurePlan:
    """Returns the plan with every point replaced by what `place` returns for it."""
    return replaced(
        plan,
        items=tuple(replaced(item, at=place(item.at)) if item.at else item for item in plan.items),
        words=tuple(replaced(words, at=place(words.at)) for words in plan.words),
        badges=tuple(replaced(badge, at=place(badge.at)) for badge in plan.badges),
        rings=tuple(replaced(ring, at=place(ring.at)) for ring in plan.rings),
        arrows=tuple(replaced(arrow, points=tuple(map(place, arrow.points))) for arrow in plan.arrows),
    )


def share_of(size: Size, room: Size) -> float:
    """Returns the greatest scale, at most 1, at which a figure of this size fits `room`."""
    return min(1.0, room.width / size.width, room.height / size.height)
