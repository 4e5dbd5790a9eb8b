"""The plan of a figure, written as YAML in a rule sheet: what it shows, and where. Lengths are in millimetres.

A figure shows faces, components and drawings of the game, with texts about them:

    items: [{show: "face:RIS-001", width: 62}]
    call_outs: [{at: [9, 10], label: Strength, text: The die and all bonuses are added to it.}]
"""

# No `from __future__ import annotations`, because the annotations of these classes are evaluated as they are defined.

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from carddb.findings import Finding
from carddb.game.frozen import Frozen, Misfit
from carddb.read.documents import located_document
from carddb.read.documents.strict_models import checked_part

Point = tuple[float, float]
_WIDEST, _HIGHEST, _FARTHEST = 180.0, 230.0, 500.0
_SMALLEST, _LARGEST = 4.0, 72.0
"""Type sizes in points."""
_MOST, _LONGEST = 64, 8
"""The most parts of one kind, and the most steps of a strip."""


class Item(Frozen):
    """Something drawn on the figure: a card's face or back, a component, or a drawing.

    `show` is a source as in pictures of a document, such as `face:RIS-001`, or `drawing:GAME/NAME` for the game's
    template `figure-NAME.svg`. The item's upper left corner is at the point `at` of the figure; items without `at` are
    centred side by side. `width` is its width on the figure, 0 for its natural width. `turn` is in degrees clockwise.
    """

    show: str
    at: Point | None = None
    width: float = 0
    turn: Literal[0, 90, 180, 270] = 0
    values: Mapping[str, Any] = {}
    """Further values for the template of a drawing."""


class CallOut(Frozen):
    """A text beside the first item, with a line to the point `at` of that item, in the item's own millimetres."""

    at: Point
    label: str
    text: str = ""
    side: Literal["", "left", "right"] = ""
    """Empty means the nearer side."""


class PlanStep(Frozen):
    """A step of a sequence: a label, a sentence and, in a strip, also a picture."""

    label: str
    text: str = ""
    show: str = ""
    turn: Literal[0, 90, 180, 270] = 0
    values: Mapping[str, Any] = {}
    """Further values for the template of a drawing."""


class Badge(Frozen):
    """A disc with a number or letter, centred at a point of the figure."""

    at: Point
    text: str


class Ring(Frozen):
    """A circle of this radius around the point `at` of the figure, which marks what is there."""

    at: Point
    radius: float = 4


class FigureText(Frozen):
    """A text on the figure. `at` is its upper left corner, `size` the type size in points."""

    at: Point
    text: str
    width: float = 40
    size: float = 8
    bold: bool = False
    align: Literal["left", "center", "right"] = "left"


class Arrow(Frozen):
    """A line through points of the figure, with a head at its end."""

    points: tuple[Point, ...]


class FigurePlan(Frozen):
    """The plan of a figure. With a `height` of 0, the figure is as high as its content."""

    width: float = 170
    height: float = 0
    items: tuple[Item, ...] = ()
    call_outs: tuple[CallOut, ...] = ()
    strip: tuple[PlanStep, ...] = ()
    """Steps side by side, with arrows between them."""
    strip_height: float = 40
    """The greatest height of the pictures of a strip."""
    steps: tuple[PlanStep, ...] = ()
    """Steps one below the other, to the right of the items."""
    steps_at: float = 0
    """The left edge of the column of steps; 0 means beside the last item."""
    break_at: float = 0
    """The position, from the left, where the figure may be split into two rows on a narrow page; 0 for none."""
    break_below: float = 0
    """The width of pages below which it is split there; 0 means the width of the figure."""
    badges: tuple[Badge, ...] = ()
    rings: tuple[Ring, ...] = ()
    words: tuple[FigureText, ...] = ()
    arrows: tuple[Arrow, ...] = ()

    def misfits(self) -> Iterator[Misfit]:
        """Yields errors about parts that cannot be combined, and about parts that are too large or too many."""
        if not 20 <= self.width <= _WIDEST:
            yield ("width",), f"the figure is {self.width:g} mm wide", f"Choose a width from 20 to {_WIDEST:g} mm."
        if not 0 <= self.height <= _HIGHEST:
            yield ("height",), f"the figure is {self.height:g} mm high", f"Choose a height up to {_HIGHEST:g} mm."
        if self.call_outs and not self.items:
            yield ("call_outs",), "the call-outs have nothing to point at", "Name an item."
        if self.strip and (self.items or self.steps or self.call_outs):
            yield (
                ("strip",),
                "a strip cannot be combined with other parts",
                "Leave the items, steps and call-outs out, or the strip.",
            )
        for name in ("items", "call_outs", "strip", "steps", "badges", "rings", "words", "arrows"):
            if (count := len(getattr(self, name))) > _MOST:
                yield (name,), f"the figure has {count} {name}", f"Use at most {_MOST}."
        if len(self.strip) > _LONGEST:
            yield ("strip",), f"the strip has {len(self.strip)} steps", f"Use at most {_LONGEST}."
        for at, item in enumerate(self.items):
            if not item.show or item.width < 0:
                what = f"is {item.width:g} mm wide" if item.show else "shows nothing"
                yield ("items", at), f"an item {what}", "Say what it shows, and choose a width of 0 or more."
        for at, words in enumerate(self.words):
            if not (_SMALLEST <= words.size <= _LARGEST and words.width > 0):
                fix = f"Choose a size from {_SMALLEST:g} to {_LARGEST:g} points, and a width above 0."
                yield ("words", at), f"words are set at {words.size:g} pt in a width of {words.width:g} mm", fix
        for at, arrow in enumerate(self.arrows):
            if len(arrow.points) < 2:
                yield ("arrows", at), "an arrow has fewer than two points", "Give two points or more."
        for name, point in self._points():
            if not all(abs(length) <= _FARTHEST for length in point):  # also if one is not a number (.nan)
                far = f"{point[0]:g}, {point[1]:g} is far outside the figure"
                yield (name,), far, f"Choose lengths up to {_FARTHEST:g} mm."

    def _points(self) -> Iterator[tuple[str, Point]]:
        for item in self.items:
            if item.at:
                yield "items", item.at
            yield "items", (item.width, 0)
        yield from (("call_outs", each.at) for each in self.call_outs)
        yield from (("badges", each.at) for each in self.badges)
        for ring in self.rings:
            yield "rings", ring.at
            yield "rings", (ring.radius, 0)
        for words in self.words:
            yield "words", words.at
            yield "words", (words.width, words.size)
        yield from (("arrows", point) for arrow in self.arrows for point in arrow.points)
        yield "strip_height", (self.strip_height, 0)
        yield "steps_at", (self.steps_at, 0)
        yield "break_at", (self.break_at, 0)


def read_plan(text: str, file: str, line: int) -> tuple[FigurePlan | None, list[Finding]]:
    """Returns the plan in `text`, None if it is faulty, and the findings. The text follows line `line` of `file`."""
    parsed, findings = located_document.parse("\n" * line + text, file)
    if parsed is None:
        return None, findings
    plan, faults = checked_part(FigurePlan, parsed.value if isinstance(parsed.value, dict) else {}, parsed)
    return plan, [*findings, *faults]
