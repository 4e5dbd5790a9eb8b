"""The parts of a calibration page: lines of words, scales, rulers, discs, boxes to write in.

Lengths in micrometres, type in points; no word is set under 6 points.
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
"""How heavy the back's long line is."""
SPACE = 2_000
BOX = 8_000
"""The height of a box to write in, and the space between two."""
_PALE = "#d5d5d5"
_SEEN_THROUGH = "#9c9c9c"
_SMALLEST = points(6)
_CIRCLE = 0.5523
"""How far the handles of a quarter circle reach."""


@dataclass(frozen=True, slots=True)
class LabelWriter:
    """Sets words in one family."""

    setter: Setter
    family: str

    def line(
        self, text: str, x: int, y: int, size: float, align: str = "start", weight: int = 400, colour: str = INK
    ) -> tuple[Run, ...]:
        """Returns a line of `size` points on its baseline."""
        style = Style(self.family, points(size), weight, colour=colour)
        return self.setter.line(text, style, x, y, align).runs

    def centred(
        self, text: str, place: tuple[int, int], size: float, weight: int = 400, colour: str = INK
    ) -> tuple[Run, ...]:
        """Returns a line round a point."""
        return self.line(text, place[0], place[1] + points(size * 0.345), size, "middle", weight, colour)

    def block(
        self, text: str, box: Box, size: float, gap: int = 450, valign: str = "top"
    ) -> tuple[tuple[Run, ...], int]:
        """Paragraphs in a box, as large as they fit down to 6 points, and where they end."""
        setting = Setting(valign=valign, leading=1250, gap=gap, smallest=_SMALLEST, shrink=True)
        block = self.setter.fit(text, Style(self.family, points(size)), box, setting)
        return block.runs, box.y + block.height


def scale_shapes(scale: Vernier, writer: LabelWriter) -> Iterator[Shape]:
    """Draws the front of a scale: lines with a gap, their numbers, and the cells of the letters."""
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
    """Returns even numbers on the paper's side of the lines, odd ones on the other, for there is no room for all in a
    row.
    """
    along, inwards = (number - ZERO) * STEP, 1 if number % 2 else -1
    if scale.axis == "x":
        return writer.centred(str(number), scale.at(along, inwards * 5_400), 6.4)
    x, y = scale.at(along, inwards * 4_800)
    return writer.line(str(number), x, y + 780, 6.4, "start" if inwards == scale.side else "end")


def example(x: int, y: int, writer: LabelWriter) -> Iterator[Shape]:
    """Yields a scale as it looks against a lamp, and its reading."""
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
    """Boxes to write in, with commas between them."""
    for place, name in enumerate(names):
        left = x + place * (width + SPACE)
        yield Path(rectangle(Box(left, y, width, BOX)), stroke=HAIR)
        yield from writer.line(name, left + 700, y + 2_400, 6, colour="#555555")
        if place + 1 < len(names):
            yield from writer.line(",", left + width + SPACE // 2, y + BOX - 1_200, 10, "middle", 700)


def rulers(room: Box, lengths: tuple[int, int], writer: LabelWriter) -> Iterator[Shape]:
    """Millimetres across at the foot of the room, and down at its right."""
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
    """Returns a circle of four curves."""
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
