"""A scale that is read through the paper: numbered lines on the front, evenly spaced ones on the back.

The back's lines lie 2 mm apart, the front's a twentieth less, so exactly one of the front's meets a line of the back
for each tenth of a millimetre that the back is off; as this repeats every 2 mm, the back's long line points at a
letter. A reading is both: `F10` where nothing is off.

Micrometres; `along` the scale to the right or down, `inwards` across it, from the paper's edge to its middle. What
lies on the back is given as seen through the front.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from carddb.core.errors import UsageError

PITCH = 2000
STEP = 1900
"""From line to line on the back, and on the front."""
RESOLUTION = PITCH - STEP
NUMBERS = 21
ZERO = 10
LETTERS = "ABCDEFGHJKL"
RIGHT = f"{LETTERS[len(LETTERS) // 2]}{ZERO}"
"""What is read where nothing is off."""
CELL = 1200
"""The room of a letter: so much less than PITCH that a long line between two letters may be read as either."""
RANGE = CELL * len(LETTERS) // 2
"""How far off a back can be and still be read, along the scale."""
SLACK = 5000
"""How far it can be off across it."""

GAP = 1500
"""Half the height of the gap in which front and back are compared."""
BACK_HALF = SLACK + GAP
STRIP = (10200, 12200)
"""Where the cells of the letters lie, inwards."""
POINTER = (STRIP[0] + STRIP[1]) // 2 + SLACK + 1300
"""How far the long line reaches inwards."""
DEPTH = 14800
"""How far the front's part reaches inwards."""
FRONT_HALF = STEP * ZERO + 1300
BACK_LINES = -(-(STEP * ZERO + RANGE) // PITCH)
"""Lines of the back on either side of the long one, so that the outermost number has one at the farthest."""

_READING = re.compile(r"([A-HJ-La-hj-l])\s*([0-9]{1,2})")


@dataclass(frozen=True, slots=True)
class Vernier:
    """A scale round `x`, `y` that reads along an axis; `side` is 1 where inwards is right or down, else -1."""

    axis: Literal["x", "y"]
    x: int
    y: int
    side: int

    def at(self, along: int, inwards: int) -> tuple[int, int]:
        """A point of the scale on the page."""
        across = inwards * self.side
        return (self.x + along, self.y + across) if self.axis == "x" else (self.x + across, self.y + along)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a person reads at one scale: the letter by the long line, the number whose line is met."""

    letter: str
    number: int

    def __str__(self) -> str:
        return f"{self.letter}{self.number}"

    @property
    def front(self) -> int:
        """Where the front's line lies, along the scale."""
        return (self.number - ZERO) * STEP

    @property
    def back(self) -> int:
        """Where the back's line that meets it was drawn, along the scale: the one that agrees best with the letter."""
        cell = (LETTERS.index(self.letter) - len(LETTERS) // 2) * CELL
        return round(Fraction(self.front - cell, PITCH)) * PITCH


def parse_reading(text: str, example: str) -> Reading:
    """`"c7"` -> C7. Raises UsageError, with a right `example`, for what no scale can say."""
    match = _READING.fullmatch(text.strip())
    if not match or int(match[2]) >= NUMBERS:
        raise UsageError(
            f"{text.strip()!r} is not a reading: a letter {LETTERS[0]} to {LETTERS[-1]} (no I) "
            f"and a number 0 to {NUMBERS - 1}",
            f"Write it like this: {example}. Where the long line is beside all letters, the sides are more than "
            f"{RANGE // 1000} mm apart, and the printer itself must be mended first.",
        )
    return Reading(match[1].upper(), int(match[2]))


def front_lines(scale: Vernier) -> Iterator[tuple[int, tuple[int, int], tuple[int, int]]]:
    """The lines of the front as number, start and end: above and below the gap, the longer one where the number is."""
    for number in range(NUMBERS):
        along = (number - ZERO) * STEP
        for way in (-1, 1):
            long = (way == -1) == (number % 2 == 0)
            yield number, scale.at(along, way * GAP), scale.at(along, way * (4200 if long else 3400))


def back_lines(scale: Vernier, off: int = 0) -> Iterator[tuple[bool, tuple[int, int], tuple[int, int]]]:
    """The lines of the back, moved by `off`: whether it is the long one, start and end."""
    for number in range(-BACK_LINES, BACK_LINES + 1):
        along = number * PITCH + off
        yield number == 0, scale.at(along, -BACK_HALF), scale.at(along, POINTER if number == 0 else BACK_HALF)
