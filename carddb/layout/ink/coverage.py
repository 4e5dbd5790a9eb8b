"""Estimates the ink that a face needs from its display list, without rasterizing it.

The paper is divided into cells, and shapes darken the cells in drawing order. Ink is measured as darkness, from 0 for
white to 1 for black. For a colour this is the mean of (1 - channel) over red, green and blue, that is, the least that a
printer with three inks uses.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache

from carddb.core.units import Size
from carddb.layout.colours import channels
from carddb.layout.display_list import UNSEEN, Face, Group, Op, Path, Picture, Run, Shape, Stroke, rectangle
from carddb.layout.drawing.path import Edges, edges, letter_point

CELL = 2000
"""The side of a cell, in micrometres."""
PICTURE = Fraction(55, 100)
"""The assumed darkness of a picture, which is typical of a painting in full colour."""
LETTERS = 0.2
"""The share that letters cover of a rectangle as high as the type size and as long as the line."""
_LINES = 4
"""The number of scan lines per cell."""

Bars = dict[int, dict[int, float]]
"""`{row: {column: share of the cell that a shape covers}}`."""


def coverage(face: Face, picture: Fraction = PICTURE) -> Fraction:
    """Returns the ink share of a face (0 to 1, in thousandths); `picture` is the darkness assumed for pictures."""
    return share(face.shapes, face.size, picture)


def share(shapes: Iterable[Shape], size: Size, picture: Fraction = PICTURE) -> Fraction:
    """Returns the ink share of a rectangle of `size` at the origin that `shapes` are drawn on."""
    cells = _Cells(size, float(picture))
    cells.draw(shapes, None, 1.0)
    return cells.share()


@lru_cache(maxsize=1024)
def darkness(colour: str) -> float:
    """Returns the darkness of a colour, from 0 (white) to 1 (black)."""
    return 1 - sum(channels(colour)) / 765


class _Cells:
    def __init__(self, size: Size, picture: float) -> None:
        self._columns, self._rows = -(-size.width // CELL), -(-size.height // CELL)
        self._size = size
        self._picture = picture
        self._ink = [[0.0] * self._columns for _ in range(self._rows)]

    def share(self) -> Fraction:
        """Returns the mean darkness; cells at the edges count with the area that is on the paper."""
        widths = [self._side(column, self._size.width) for column in range(self._columns)]
        total = sum(
            self._side(row, self._size.height) * sum(map(operator.mul, line, widths))
            for row, line in enumerate(self._ink)
        )
        return Fraction(round(1000 * total / (self._size.width * self._size.height)), 1000)

    @staticmethod
    def _side(number: int, whole: int) -> int:
        return min(CELL, whole - number * CELL)

    def draw(self, shapes: Iterable[Shape], within: Bars | None, opacity: float) -> None:
        """Darkens the cells for `shapes` in drawing order, clipped to `within` and with the given opacity (0 to 1)."""
        for shape in shapes:
            if isinstance(shape, Group):
                inner = _common(within, self._bars(shape.clip, shape.evenodd)) if shape.clip else within
                self.draw(shape.shapes, inner, opacity * shape.opacity / 1000)
            elif isinstance(shape, Path):
                if shape.fill:
                    self._cover(_common(within, self._bars(shape.ops, shape.evenodd)), darkness(shape.fill), opacity)
                if shape.stroke:
                    self._line(shape.ops, shape.stroke, within, opacity)
            elif isinstance(shape, Picture):
                self._cover(_common(within, self._bars(rectangle(shape.clip), False)), self._picture, opacity)
            else:
                self._letters(shape, within, opacity)

    def _cover(self, bars: Bars, dark: float, opacity: float) -> None:
        for row, shares in bars.items():
            line = self._ink[row]
            for column, part in shares.items():
                line[column] += (dark - line[column]) * part * opacity

    def _add_ink(self, x: float, y: float, area: float, dark: float, within: Bars | None) -> None:
        column, row = int(x // CELL), int(y // CELL)
        if 0 <= row < self._rows and 0 <= column < self._columns:
            part = area / (CELL * CELL)
            if within is not None:
                part *= within.get(row, {}).get(column, 0.0)
            line = self._ink[row]
            line[column] += (dark - line[column]) * min(1.0, part)

    def _line(self, ops: tuple[Op, ...], stroke: Stroke, within: Bars | None, opacity: float) -> None:
        """Darkens the cells along a stroked outline, step by step."""
        area = stroke.width * opacity * _inked(stroke)
        across = max(1, round(stroke.width / CELL))
        dark = darkness(stroke.colour)
        for (x1, y1), (x2, y2) in edges(ops, closed=False):
            length = math.hypot(x2 - x1, y2 - y1)
            if not length:
                continue
            steps = max(1, round(length / CELL))
            dx, dy = (x2 - x1) / steps, (y2 - y1) / steps
            ux, uy = -(y2 - y1) / length * stroke.width / across, (x2 - x1) / length * stroke.width / across
            for i in range(steps):
                for k in range(across):
                    aside = k - (across - 1) / 2
                    x, y = x1 + dx * (i + 0.5) + ux * aside, y1 + dy * (i + 0.5) + uy * aside
                    self._add_ink(x, y, area * length / steps / across, dark, within)

    def _letters(self, run: Run, within: Bars | None, opacity: float) -> None:
        if run.colour == UNSEEN:
            return
        steps = max(1, round(run.width / CELL))
        area = run.width / steps * run.size * LETTERS * opacity
        for i in range(steps):
            x, y = letter_point(run, run.width * (i + 0.5) / steps, run.size * 0.3)
            self._add_ink(x, y, area, darkness(run.colour), within)

    def _bars(self, ops: tuple[Op, ...], evenodd: bool) -> Bars:
        """Returns the share of each cell that is inside an outline, computed with scan lines."""
        bars: Bars = {}
        for line, crossings in _crossings(tuple(edges(ops)), self._rows * _LINES).items():
            row = bars.setdefault(line // _LINES, {})
            for left, right in _inside(sorted(crossings), evenodd):
                self._bar(row, left, right)
        return bars

    def _bar(self, row: dict[int, float], left: float, right: float) -> None:
        left, right = max(0.0, left / CELL), min(float(self._columns), right / CELL)
        if right <= left:
            return
        first, last = int(left), min(int(right), self._columns - 1)
        row[first] = row.get(first, 0.0) + (min(right, first + 1) - left) / _LINES
        for column in range(first + 1, last):
            row[column] = row.get(column, 0.0) + 1 / _LINES
        if last > first:
            row[last] = row.get(last, 0.0) + (right - last) / _LINES


def _crossings(pieces: Edges, lines: int) -> dict[int, list[tuple[float, int]]]:
    """Returns, for each scan line, the x at which the outline crosses it, with the direction (1 down, -1 up)."""
    apart = CELL / _LINES
    crossings: dict[int, list[tuple[float, int]]] = {}
    for (x1, y1), (x2, y2) in pieces:
        if y1 == y2:
            continue
        way, slope = (1, (x2 - x1) / (y2 - y1)) if y2 > y1 else (-1, (x2 - x1) / (y2 - y1))
        low, high = min(y1, y2), max(y1, y2)
        first, end = max(0, math.ceil(low / apart - 0.5)), min(lines, math.ceil(high / apart - 0.5))
        for line in range(first, end):
            crossings.setdefault(line, []).append((x1 + ((line + 0.5) * apart - y1) * slope, way))
    return crossings


def _inside(crossings: list[tuple[float, int]], evenodd: bool) -> Iterator[tuple[float, float]]:
    winding, start = 0, 0.0
    for x, way in crossings:
        was = winding
        winding = 1 - winding if evenodd else winding + way
        if not was:
            start = x
        elif not winding:
            yield start, x


def _common(one: Bars | None, other: Bars) -> Bars:
    """Returns, for each cell that both shapes cover, the product of their shares."""
    if one is None:
        return other
    return {
        row: {column: one[row][column] * part for column, part in parts.items() if column in one[row]}
        for row, parts in other.items()
        if row in one
    }


def _inked(stroke: Stroke) -> float:
    """Returns the share of a dashed line that is drawn, 0 to 1."""
    dash = stroke.dash * 2 if len(stroke.dash) % 2 else stroke.dash
    if not dash or not sum(dash):
        return 1.0
    caps = 0 if stroke.cap == "butt" else stroke.width * (0.785 if stroke.cap == "round" else 1)
    return min(1.0, sum(length + caps for length in dash[::2]) / sum(dash))
