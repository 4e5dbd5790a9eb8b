"""The parts of a calibration page: lines of text, scales, rulers, discs, and boxes to write in.

Lengths are in micrometres, type sizes in points; no text is set smaller than 6 points.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from carddb.core.units import UM_PER_MM, Box, points
from carddb.layout.calibration.registration import (
    CELL,
    FRONT_HALF,
    LETTERS,
    NUMBERS,
    SLACK,
    STEP,
    STRIP,
    ZERO,
    Reading,
    Vernier,
    back_lines,
    front_lines,
)
from carddb.layout.display_list import Path, Run, Shape, Stroke, line, rectangle
from carddb.layout.text.text_setting import Setter, Setting, Style

INK = "#000000"
FINE = Stroke(INK, 180)
HAIR = Stroke(INK, 120)
LONG = 380
"""The width of the long line on the back."""
SPACE = 2_000
BOX = 8_000
"""The height of a box to write in; SPACE is the gap between two such boxes."""
_PALE = "#d5d5d5"
_SEEN_THROUGH = "#9c9c9c"
_SMALLEST = points(6)
_CIRCLE = 0.5523
"""The length of a Bézier handle for a quarter circle of radius 1."""


@dataclass(frozen=True, slots=True)
class LabelWriter:
    """Sets texts in one font family."""

    setter: Setter
    family: str

    def line(
        self, text: str, x: int, y: int, size: float, align: str = "start", weight: int = 400, colour: str = INK
    ) -> tuple[Run, ...]:
        """Returns one line of text of `size` points, with its baseline at `y`."""
        style = Style(self.family, points(size), weight, colour=colour)
        return self.setter.line(text, style, x, y, align).runs

    def centred(
        self, text: str, place: tuple[int, int], size: float, weight: int = 400, colour: str = INK
    ) -> tuple[Run, ...]:
        """Returns one line of text, centred on the point `place`."""
        return self.line(text, place[0], place[1] + points(size * 0.345), size, "middle", weight, colour)

    def block(
        self, text: str, box: Box, size: float, gap: int = 450, valign: str = "top"
    ) -> tuple[tuple[Run, ...], int]:
        """Returns the paragraphs of `text`, set in `box` at `size` points or as much smaller as needed (at least 6
        points), and the y at which they end.
        """
        setting = Setting(valign=valign, leading=1250, gap=gap, smallest=_SMALLEST, shrink=True)
        block = self.setter.fit(text, Style(self.family, points(size)), box, setting)
        return block.runs, box.y + block.height


def scale_shapes(scale: Vernier, writer: LabelWriter) -> Iterator[Shape]:
    """Yields the shapes of a scale's front side: lines with a gap, their numbers, and the cells with the letters."""
    for _, start, end in front_lines(scale):
        yield line(*start, *end, FINE)
    for number in range(NUMBERS):
        yield from _number(number, scale, writer)
    for place, letter in enumerate(LETTERS):
        along = (place - len(LETTERS) // 2) * CELL
        (x1, y1), (x2, y2) = scale.at(along - CELL // 2, STRIP[0]), scale.at(along + CELL // 2, STRIP[1])
        cell = Box(min(x1, x2), min(y1, y2), abs(x1 - x2), abs(y1 - y2))
        yield Path(rectangle(cell), fill=None if place % 2 else _PALE, stroke=HAIR)
        yield from writer.centred(letter, scale.at(along, STRIP[1] + 1400 if place % 2 else STRIP[0] - 1400), 7.2, 700)


def _number(number: int, scale: Vernier, writer: LabelWriter) -> tuple[Run, ...]:
    """Returns the label of one line of the scale.

    Even numbers are set outside the lines and odd ones inside, because one row has no room for all of them.
    """
    along, inwards = (number - ZERO) * STEP, 1 if number % 2 else -1
    if scale.axis == "x":
        return writer.centred(str(number), scale.at(along, inwards * 5_400), 6.4)
    x, y = scale.at(along, inwards * 4_800)
    return writer.line(str(number), x, y + 780, 6.4, "start" if inwards == scale.side else "end")


def example(x: int, y: int, writer: LabelWriter) -> Iterator[Shape]:
    """Yields a sample scale as it looks when the sheet is held against a lamp, with its reading below."""
    scale = Vernier("x", x, y, 1)
    shown = Reading("D", 16)
    for long, start, end in back_lines(scale, shown.front - shown.back):
        if abs(start[0] - x) <= FRONT_HALF:
            foot = end[1] - (SLACK if long else 2_000)
            yield line(*start, end[0], foot, Stroke(_SEEN_THROUGH, LONG if long else FINE.width))
    yield from scale_shapes(scale, writer)
    yield from writer.line("Example:", x - FRONT_HALF + 1_300, y + 13_200, 7.5, "start")
    yield from writer.line(f"{shown}", x - FRONT_HALF + 1_300, y + 16_600, 9.5, "start", 700)


def boxes(x: int, y: int, width: int, names: tuple[str, ...], writer: LabelWriter) -> Iterator[Shape]:
    """Yields a row of boxes to write in, each labelled with one of `names`, with commas between the boxes."""
    for place, name in enumerate(names):
        left = x + place * (width + SPACE)
        yield Path(rectangle(Box(left, y, width, BOX)), stroke=HAIR)
        yield from writer.line(name, left + 700, y + 2_400, 6, colour="#555555")
        if place + 1 < len(names):
            yield from writer.line(",", left + width + SPACE // 2, y + BOX - 1_200, 10, "middle", 700)


def rulers(room: Box, lengths: tuple[int, int], writer: LabelWriter) -> Iterator[Shape]:
    """Yields two millimetre rulers of the given `lengths`: across the bottom of `room`, and down its right side."""
    across, down = (length // UM_PER_MM for length in lengths)
    y, x = room.bottom - 7_500, room.right - 3_500
    yield line(room.x, y, room.x + lengths[0], y, FINE)
    for tick in range(across + 1):
        at = room.x + tick * UM_PER_MM
        yield line(at, y, at, y - _tick(tick), FINE if tick % 10 == 0 else HAIR)
        if tick % 10 == 0:
            unit = " mm" if tick == across else ""
            yield from writer.line(f"{tick}{unit}", at, y + 2_700, 6.5, "middle")
    top = y - lengths[1]
    yield line(x, top, x, y, FINE)
    for tick in range(down + 1):
        at = top + tick * UM_PER_MM
        yield line(x, at, x - _tick(tick), at, FINE if tick % 10 == 0 else HAIR)
        if tick % 10 == 0:
            yield from writer.line(f"{tick}", x + 700, at + 780, 6.5)


def _tick(millimetre: int) -> int:
    return 3_400 if millimetre % 10 == 0 else 2_400 if millimetre % 5 == 0 else 1_500


def disc(x: int, y: int, radius: int, fill: str | None = None, stroke: Stroke | None = None) -> Path:
    """Returns a circle round (`x`, `y`), made of four Bézier curves."""
    r, h = radius, round(radius * _CIRCLE)
    ops = (
        ("M", (x + r, y)),
        ("C", (x + r, y + h, x + h, y + r, x, y + r)),
        ("C", (x - h, y + r, x - r, y + h, x - r, y)),
        ("C", (x - r, y - h, x - h, y - r, x, y - r)),
        ("C", (x + h, y - r, x + r, y - h, x + r, y)),
        ("Z", ()),
    )
    return Path(ops, fill, stroke)
