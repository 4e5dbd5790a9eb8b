"""Where everything of a composed picture lies: items, call-outs in the columns beside them, steps, strips.

Lengths are micrometres; what the template of figures gets is in millimetres.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from carddb.core.units import Box, Size, mm, points, to_mm
from carddb.layout.text.text_setting import Setter, Style
from carddb.press.documents.figure_geometry import (
    APART,
    arrow_shape,
    box_of,
    fitted,
    in_mm,
    place_on,
    points_text,
    stacked,
    turned_size,
)
from carddb.press.documents.figure_plan import CallOut, FigurePlan, Item, Step

_GAP = mm(7)
"""Between what is shown and the words beside it."""
_BEND = mm(3)
"""From the end of a call-out's line at its column to where it turns to its place."""
BADGE = mm(2.3)
_BESIDE_BADGE = mm(6.6)
ARROW = mm(7)
"""Between two pictures of a strip."""
_UNDER = mm(3)
_NARROWEST = mm(15)
"""Of a column of words."""


class _Look(NamedTuple):
    """How words on a figure look: the size in points, from line to line in micrometres."""

    size: float
    lead: int
    weight: int = 400
    is_heading: bool = False


_LABEL = _Look(9.5, mm(4.3), 600, is_heading=True)
_TEXT = _Look(8.0, mm(3.5))


class Family(NamedTuple):
    """The families of a figure's words."""

    heading: str
    text: str


Targets = Sequence[tuple[tuple[int, int], CallOut]]
"""Places of the figure, each with the words about it."""


@dataclass
class FigureLayout:
    """What lies where on a figure of a size: `boxes` those of the items; the rest are words and lines, in mm."""

    size: Size
    boxes: list[tuple[Box, int]]
    labels: list[dict[str, Any]] = field(default_factory=list)
    leaders: list[dict[str, Any]] = field(default_factory=list)
    badges: list[dict[str, Any]] = field(default_factory=list)
    frames: list[dict[str, float]] = field(default_factory=list)
    """The edges of what is cut out of paper; a drawing has none."""
    arrows: list[dict[str, Any]] = field(default_factory=list)

    def to_context(self) -> Mapping[str, Any]:
        """What the template of figures sees."""
        return {
            "width": to_mm(self.size.width), "height": to_mm(self.size.height), "labels": self.labels,
            "leaders": self.leaders, "badges": self.badges, "arrows": self.arrows,
            "frames": self.frames,
        }  # fmt: skip


def lay_out(plan: FigurePlan, sizes: Sequence[Size | None], setter: Setter, family: Family) -> FigureLayout:
    """Arranges a plan; `sizes` are those of what its items, or the steps of its strip, show."""
    return Arranger(plan, setter, family).layout(sizes)


class Column(NamedTuple):
    """Where words stand one below the other."""

    x: int
    width: int


class Arranger:
    """Arranges one plan as wide as it says."""

    def __init__(self, plan: FigurePlan, setter: Setter, family: Family) -> None:
        self.plan, self.setter, self.family = plan, setter, family
        self.width = mm(plan.width)
        self.figure = FigureLayout(Size(self.width, 0), [])
        self.bottom = 0

    def layout(self, sizes: Sequence[Size | None]) -> FigureLayout:
        """The layout, where what is shown has these sizes."""
        if self.plan.strip:
            self.strip(sizes)
        else:
            self.items([size for size in sizes if size])
        for badge in self.plan.badges:
            self.badge(mm(badge.at[0]), mm(badge.at[1]), badge.text)
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
        """Items, and the words beside them."""
        plan, right = self.plan, self.place_items(sizes)
        if plan.call_outs:
            self._call_outs(self.figure.boxes[0][0], sizes[0])
        if plan.steps:
            x = mm(plan.steps_at) or (right + _GAP if plan.items else 0)
            self.steps(plan.steps, Column(x, max(self.width - x, _NARROWEST)), mm(1))

    def place_items(self, sizes: Sequence[Size]) -> int:
        """Lays the items side by side or where the plan says; how far they reach to the right."""
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

    def lay(self, box: Box, shown: Item | Step) -> None:
        """Lays something shown into its box."""
        self.figure.boxes.append((box, shown.turn))
        if not shown.show.startswith("drawing:"):
            self.figure.frames.append(in_mm(box))

    def _call_outs(self, box: Box, size: Size) -> None:
        """Call-outs in the columns left and right of a box; what they point at is given on a face of that size."""
        left, right = self.targets(box, size)
        self._call_out_column(left, Column(0, max(box.x - _GAP, _NARROWEST)), box, at_left=True)
        x = box.right + _GAP
        self._call_out_column(right, Column(x, max(self.width - x, _NARROWEST)), box, at_left=False)

    def targets(self, box: Box, size: Size) -> tuple[Targets, Targets]:
        """What call-outs left and right of a box point at, each from the top."""
        targets = [(place_on(box, size, call.at), call) for call in self.plan.call_outs]
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
                self.leader([(end, y), (column.x + column.width + _BEND, y), target])
            else:
                self.leader([(column.x - mm(1.2), y), (column.x - _BEND - mm(0.5), y), target])

    def leader(self, line: Sequence[tuple[int, int]]) -> None:
        """A line from words to what they are about, its last point."""
        x, y = line[-1]
        self.figure.leaders.append({"points": points_text(line), "x": to_mm(x), "y": to_mm(y)})

    def steps(self, steps: Sequence[Step | CallOut], column: Column, top: int, first: int = 1) -> None:
        """Numbered steps in a column from `top` on."""
        inside = Column(column.x + _BESIDE_BADGE, column.width - _BESIDE_BADGE)
        for number, step in enumerate(steps, start=first):
            self.badge(column.x + BADGE, top + _LABEL.lead // 2, str(number))
            top += self._label(step.label, step.text, inside, top) + APART
        self.bottom = max(self.bottom, top - APART)

    def steps_height(self, steps: Sequence[Step | CallOut], width: int) -> int:
        """How high steps are in a column of a width."""
        inside = width - _BESIDE_BADGE
        heights = [self._height(step.label, inside, _LABEL) + self._height(step.text, inside, _TEXT) for step in steps]
        return sum(heights) + APART * (len(steps) - 1)

    def strip(self, sizes: Sequence[Size | None]) -> None:
        """The steps of a strip in one row."""
        self.strip_row(sizes, 0, len(sizes), 0)

    def strip_row(self, sizes: Sequence[Size | None], first: int, count: int, top: int) -> None:
        """Steps of a strip from the `first` on, in a row with places for `count` of them."""
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
        """A heading and its sentence from `top` on; how high they are."""
        height = self._words(label, column, top, _LABEL)
        return height + (self._words(text, column, top + height, _TEXT) if text else 0)

    def _words(self, text: str, column: Column, top: int, look: _Look, align: str = "left") -> int:
        """Words in a column from `top` on; how high they are."""
        height = self._height(text, column.width, look)
        self.bottom = max(self.bottom, top + height)
        box = in_mm(Box(column.x, top, column.width, height))
        leading = round(look.lead / points(look.size), 3)
        self.figure.labels.append({**box, **look._asdict(), "text": text, "leading": leading, "align": align})
        return height

    def _height(self, text: str, width: int, look: _Look) -> int:
        return self.setter.count_lines(text, self._style(look), width) * look.lead if text else 0

    def _style(self, look: _Look) -> Style:
        return Style(self.family.heading if look.is_heading else self.family.text, points(look.size), look.weight)

    def badge(self, x: int, y: int, text: str) -> None:
        """A disc with a text, its middle at a place."""
        self.bottom = max(self.bottom, y + BADGE)
        self.figure.badges.append({"x": to_mm(x), "y": to_mm(y), "r": to_mm(BADGE), "text": text})
