"""A printer that misses, in plain numbers, for the tests of calibration: what it does to pages, and what is then read.

Nothing here asks the program for more than where the lines of a scale are drawn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from carddb.core.units import Size
from carddb.layout.calibration import (
    CELL,
    LETTERS,
    NUMBERS,
    STRIP,
    Correction,
    ScaleReading,
    Vernier,
    back_lines,
    front_lines,
    scales,
)

Affine = tuple[float, float, float, float, float, float]
"""x' = ax + cy + e, y' = bx + dy + f, in micrometres of the page."""
Point = tuple[float, float]
SAME: Affine = (1, 0, 0, 1, 0, 0)


@dataclass(frozen=True)
class Printer:
    """What happens to the front and to the back, each as its own side is seen."""

    size: Size
    flip: str
    front: Affine
    back: Affine


def affine(size: Size, x: float, y: float, degrees: float, across: float, down: float) -> Affine:
    """Stretched and turned clockwise about the middle of the page, then moved."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    a, b, c, d = cos * across, sin * across, -sin * down, cos * down
    mx, my = size.width / 2, size.height / 2
    return a, b, c, d, mx + x - a * mx - c * my, my + y - b * mx - d * my


def drawn(correction: Correction, size: Size, side: str) -> Affine:
    """What a correction says is done to a page, from its numbers."""
    scale = affine(size, 0, 0, 0, 1 + correction.scale_x / 1e6, 1 + correction.scale_y / 1e6)
    if side == "front":
        return scale
    turn = math.degrees(correction.angle / 1e6)
    across, down = 1 + correction.back_x / 1e6, 1 + correction.back_y / 1e6
    return then(scale, affine(size, correction.x, correction.y, turn, across, down))


def then(first: Affine, second: Affine) -> Affine:
    a, b, c, d, e, f = first
    (aa, bb), (cc, dd), (ee, ff) = (_linear(second, x, y) for x, y in ((a, b), (c, d), (e, f)))
    return aa, bb, cc, dd, ee + second[4], ff + second[5]


def _linear(matrix: Affine, x: float, y: float) -> Point:
    return matrix[0] * x + matrix[2] * y, matrix[1] * x + matrix[3] * y


def at(matrix: Affine, point: Point) -> Point:
    x, y = _linear(matrix, *point)
    return x + matrix[4], y + matrix[5]


def turned(printer: Printer) -> Affine:
    """A sheet turned like a leaf of a book, or like a page of a pad."""
    upright = printer.size.height >= printer.size.width
    if (printer.flip == "long-edge") == upright:
        return (-1, 0, 0, 1, printer.size.width, 0)
    return (1, 0, 0, -1, 0, printer.size.height)


def through(printer: Printer, correction: Correction) -> tuple[Affine, Affine]:
    """Where what is designed on front and back, both as seen from the front, comes to lie on paper."""
    over = turned(printer)
    front = then(drawn(correction, printer.size, "front"), printer.front)
    back = then(over, then(drawn(correction, printer.size, "back"), then(printer.back, over)))
    return front, back


def read(printer: Printer, correction: Correction) -> list[ScaleReading]:
    """What somebody with good eyes reads on a page drawn with a correction."""
    front, back = through(printer, correction)
    return [_read(scale, front, back) for scale in scales(printer.size)]


def _read(scale: Vernier, front: Affine, back: Affine) -> ScaleReading:
    """The number whose gap a line of the back passes nearest to its middle, and the cell that the long line crosses."""
    ends = [(at(back, start), at(back, end), long) for long, start, end in back_lines(scale)]
    lines = list(front_lines(scale))
    gaps: list[Point] = []
    for (_, upper, _), (_, lower, _) in list(pairwise(lines))[::2]:
        gaps.append(at(front, ((upper[0] + lower[0]) / 2, (upper[1] + lower[1]) / 2)))
    assert len(gaps) == NUMBERS
    number = min(range(NUMBERS), key=lambda n: min(abs(_away(gaps[n], start, end)) for start, end, _ in ends))
    start, end, _ = next(line for line in ends if line[2])
    middle = (STRIP[0] + STRIP[1]) // 2
    cells = [at(front, scale.at((place - len(LETTERS) // 2) * CELL, middle)) for place in range(len(LETTERS))]
    letter = min(range(len(LETTERS)), key=lambda place: abs(_away(cells[place], start, end)))
    assert abs(_away(cells[letter], start, end)) <= CELL * 0.55, "off the scale"
    return ScaleReading(LETTERS[letter], number)


def _away(point: Point, start: Point, end: Point) -> float:
    """How far a point lies from the line through two others."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    return ((point[0] - start[0]) * dy - (point[1] - start[1]) * dx) / math.hypot(dx, dy)


def apart(printer: Printer, correction: Correction) -> tuple[float, float]:
    """How far back and front of a corrected sheet are apart at the worst of its corners, across and down."""
    front, back = through(printer, correction)
    corners = [(x, y) for x in (0, printer.size.width) for y in (0, printer.size.height)]
    gaps = [(at(front, c)[0] - at(back, c)[0], at(front, c)[1] - at(back, c)[1]) for c in corners]
    return max(abs(x) for x, _ in gaps), max(abs(y) for _, y in gaps)
