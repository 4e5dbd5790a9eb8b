"""The plan of a composed picture: what lies where on it, written as YAML in a rule sheet. Lengths in millimetres.

A plan shows faces, components and drawings of the game, and words about them:

    items: [{show: "face:RIS-001", width: 62}]
    call_outs: [{at: [9, 10], label: Strength, text: The die and all bonuses are added to it.}]
"""

# No `from __future__ import annotations`: the annotations of a part are read when it is defined.

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from carddb.findings import Finding
from carddb.game.frozen import Frozen, Misfit
from carddb.read.documents import located_document
from carddb.read.documents.schema_faults import checked_part

Point = tuple[float, float]
_WIDEST, _HIGHEST, _FARTHEST = 180.0, 230.0, 500.0
_SMALLEST, _LARGEST = 4.0, 72.0
"""Sizes of words, in points."""
_MOST, _LONGEST = 64, 8
"""Parts of one kind, and steps of a strip."""


class Item(Frozen):
    """Something drawn: a face, a back or a component as in a picture of a document, or `drawing:NAME`, which is the
    template `figure-NAME.svg` of the game.

    Its upper left corner lies `at` a place of the figure; without one it lies in the middle. `width` is that on the
    figure, 0 its own; it is turned by `turn` degrees clockwise.
    """

    show: str
    at: Point | None = None
    width: float = 0
    turn: Literal[0, 90, 180, 270] = 0
    values: Mapping[str, Any] = {}
    """Further values for the template of a drawing."""


class CallOut(Frozen):
    """Words beside the first item, with a line to a place of it, in its own millimetres."""

    at: Point
    label: str
    text: str = ""
    side: Literal["", "left", "right"] = ""
    """Without it the nearer side."""


class PlanStep(Frozen):
    """A step of what happens: a heading, a sentence, in a strip also a picture."""

    label: str
    text: str = ""
    show: str = ""
    turn: Literal[0, 90, 180, 270] = 0
    values: Mapping[str, Any] = {}
    """Further values for the template of a drawing."""


class Badge(Frozen):
    """A number or a letter in a disc, with its middle at a place of the figure."""

    at: Point
    text: str


class Words(Frozen):
    """A text at a place of the figure: `at` is its upper left corner; `size` in points."""

    at: Point
    text: str
    width: float = 40
    size: float = 8
    bold: bool = False
    align: Literal["left", "center", "right"] = "left"


class Arrow(Frozen):
    """A line from point to point of the figure, with a head at its end."""

    points: tuple[Point, ...]


class FigurePlan(Frozen):
    """A composed picture; a `height` of 0 is as high as what is on it."""

    width: float = 170
    height: float = 0
    items: tuple[Item, ...] = ()
    call_outs: tuple[CallOut, ...] = ()
    strip: tuple[PlanStep, ...] = ()
    """Steps side by side, with arrows between them."""
    strip_height: float = 40
    """The greatest height of the pictures of a strip."""
    steps: tuple[PlanStep, ...] = ()
    """Steps one below the other, at the right of the items."""
    steps_at: float = 0
    """The left edge of their column; 0 is beside the last item."""
    break_at: float = 0
    """The place at which the figure may be broken in two rows on a narrow page; 0 is nowhere."""
    badges: tuple[Badge, ...] = ()
    words: tuple[Words, ...] = ()
    arrows: tuple[Arrow, ...] = ()

    def misfits(self) -> Iterator[Misfit]:
        """Yields parts that a plan cannot have together, and those that would be too large to draw."""
        if not 20 <= self.width <= _WIDEST:
            yield ("width",), f"the figure is {self.width:g} mm wide", f"From 20 to {_WIDEST:g} mm."
        if not 0 <= self.height <= _HIGHEST:
            yield ("height",), f"the figure is {self.height:g} mm high", f"At most {_HIGHEST:g} mm."
        if self.call_outs and not self.items:
            yield ("call_outs",), "there is nothing to point at", "Name an item."
        if self.strip and (self.items or self.steps or self.call_outs):
            yield ("strip",), "a strip stands alone", "Leave the items, steps and call-outs out, or the strip."
        for name, parts in {"items": self.items, "call_outs": self.call_outs, "strip": self.strip, "steps": self.steps,
                            "badges": self.badges, "words": self.words, "arrows": self.arrows}.items():  # fmt: skip
            if len(parts) > _MOST:
                yield (name,), f"the figure has {len(parts)} {name}", f"At most {_MOST}."
        if len(self.strip) > _LONGEST:
            yield ("strip",), f"the strip has {len(self.strip)} steps", f"At most {_LONGEST}."
        for at, item in enumerate(self.items):
            if not item.show or item.width < 0:
                yield ("items", at), "an item shows nothing", "Say what it shows; its width is 0 or more."
        for at, words in enumerate(self.words):
            if not (_SMALLEST <= words.size <= _LARGEST and words.width > 0):
                yield ("words", at), f"words of {words.size:g} points in {words.width:g} mm", "From 4 to 72 points."
        for at, arrow in enumerate(self.arrows):
            if len(arrow.points) < 2:
                yield ("arrows", at), "an arrow leads from point to point", "Give two points or more."
        for name, point in self._points():
            if not all(abs(length) <= _FARTHEST for length in point):  # also where it is no number
                yield (name,), f"{point[0]:g}, {point[1]:g} is far outside", f"At most {_FARTHEST:g} mm away."

    def _points(self) -> Iterator[tuple[str, Point]]:
        for item in self.items:
            if item.at:
                yield "items", item.at
            yield "items", (item.width, 0)
        yield from (("call_outs", each.at) for each in self.call_outs)
        yield from (("badges", each.at) for each in self.badges)
        for words in self.words:
            yield "words", words.at
            yield "words", (words.width, words.size)
        yield from (("arrows", point) for arrow in self.arrows for point in arrow.points)
        yield "strip_height", (self.strip_height, 0)
        yield "steps_at", (self.steps_at, 0)
        yield "break_at", (self.break_at, 0)


def read_plan(text: str, file: str, line: int) -> tuple[FigurePlan | None, list[Finding]]:
    """Returns the plan that begins behind a line of a file, or every fault of it."""
    parsed, findings = located_document.parse("\n" * line + text, file)
    if parsed is None:
        return None, findings
    plan, faults = checked_part(FigurePlan, parsed.value if isinstance(parsed.value, dict) else {}, parsed)
    return plan, [*findings, *faults]
