"""A ruler to prove the scale of a print: 50 millimetres on one side of a line, two inches on the other.

Lengths in micrometres. It is drawn lying, along and down from the corner of its place, and turned with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from carddb.core.units import UM_PER_INCH, UM_PER_MM
from carddb.layout.display_list import Path, Run, Shape, Stroke, line
from carddb.layout.sheets.margin_space import MarginSlot

Label = Callable[[str, int, int, int, str, int], tuple[Run, ...]]
"""label(text, x, y, size, "start" | "middle" | "end", angle): a line of text on its baseline."""

RULER_TYPE = 2120
"""Six points."""
_INK = Stroke("#000000", 150)
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
        """Where the words below begin on their baseline, along and down."""
        return 0, 2 * self.half + _NOTE_BASELINE


BUILDS = (Build(3000, noted=True), Build(3000), Build(2200, noted=True), Build(2200))
"""The usual rulers, best first."""
SLENDER = Build(1500, slender=True)
"""For margins that hold no other."""


def ruler(slot: MarginSlot, build: Build, label: Label) -> tuple[Shape, ...]:
    """The line from zero with its ticks and labels."""
    half = build.half

    def stroke(along: int, down: int, to_along: int, to_down: int) -> Path:
        return line(*slot.at(along, half + down), *slot.at(to_along, half + to_down), _INK)

    def words(text: str, along: int, down: int) -> tuple[Run, ...]:
        return label(text, *slot.at(_LINE + _AFTER + along, half + down), RULER_TYPE, "start", slot.angle)

    ticks = [stroke(at, 0, at, -half * part // 30) for at, part in _millimetres()]
    ticks += [stroke(at, 0, at, half * part // 30) for at, part in _eighths()]
    places = ((0, 700), (_LABEL, 700)) if build.slender else ((0, -500), (0, 2000))
    return (stroke(0, 0, _LINE, 0), *ticks, *words("50 mm", *places[0]), *words("2 in", *places[1]))


def _millimetres() -> Iterator[tuple[int, int]]:
    """A tick each millimetre, and how long it is in thirtieths of the longest."""
    for tick in range(51):
        yield tick * UM_PER_MM, 30 if tick % 10 == 0 else 21 if tick % 5 == 0 else 11


def _eighths() -> Iterator[tuple[int, int]]:
    for tick in range(17):
        yield tick * UM_PER_INCH // 8, 30 if tick % 8 == 0 else 21 if tick % 4 == 0 else 11
