"""Outlines of pieces: the closed path along which a piece is cut out, and the lines along which it is folded."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from carddb.core.units import Size
from carddb.layout.display_list import Op
from carddb.layout.drawing import path
from carddb.layout.drawing.path import Extent, Matrix, Point

Line = tuple[Op, ...]
"""A path in micrometres."""

_TOLERANCE = 10
"""The greatest distance between a curve and the straight lines that replace it, in micrometres."""
_SMOOTH = math.radians(25)
"""The greatest turn between two lines, in radians, at which an outline still counts as a curve there."""
_SHARP = 0.2
"""The least divisor (cosine of half the turn) for the distance by which a corner moves, so that none moves too far."""
_CORNER = 3000
"""The greatest radius of a card's rounded corners, in micrometres."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The closed path along which a piece is cut out, and the lines along which it is folded and perforated.

    All are in micrometres from the top left corner of the upright piece. `straight` says that the path follows the
    sides of the piece, whose corners may be rounded. `nests` says whether rows or columns of such pieces interlock.
    """

    path: Line
    folds: tuple[Line, ...] = ()
    perforations: tuple[Line, ...] = ()
    straight: bool = False
    nests: Literal["", "rows", "columns"] = ""

    def moved(self, matrix: Matrix) -> Outline:
        """Returns the outline transformed by a matrix into whole micrometres."""
        folds, perforations = (
            tuple(path.place(line, matrix) for line in lines) for lines in (self.folds, self.perforations)
        )
        return Outline(path.place(self.path, matrix), folds, perforations, self.straight, self.nests)

    def grown(self, by: int) -> Line:
        """Returns the outline moved outwards by `by` micrometres, round at its corners, or inwards if `by` is below 0.

        At a narrow notch, the returned path crosses itself; filled by the non-zero rule, it covers all points that are
        at most `by` away from the piece.
        """
        points = flattened(self.path)
        twice_the_area = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, [*points[1:], points[0]], strict=True))
        if twice_the_area < 0:  # it runs counter-clockwise
            points.reverse()
        grown: list[Point] = []
        for before, here, after in zip([points[-1], *points], points, [*points[1:], points[0]], strict=False):
            start, end = _normal(before, here), _normal(here, after)
            turn = math.remainder(end - start, math.tau)
            steps = max(1, math.ceil(abs(turn) / _SMOOTH)) if by > 0 else 1
            angles = [start + turn / 2] if steps == 1 else [start + turn * step / steps for step in range(steps + 1)]
            reach = by / max(_SHARP, math.cos(turn / 2)) if steps == 1 else by
            grown += [(here[0] + reach * math.cos(angle), here[1] + reach * math.sin(angle)) for angle in angles]
        return polygon(grown)

    def inset(self, box: Extent) -> int:
        """Returns the least distance, in micrometres, between the outline and a rectangle inside it.

        If a corner of the rectangle is outside, the distance is negative: how far the farthest corner is outside.
        """
        edges = tuple(path.edges(self.path))
        corners = [(x, y) for x in (box.left, box.right) for y in (box.top, box.bottom)]
        outside = [corner for corner in corners if not path.covers(edges, *corner, False)]
        if outside:
            return -1 - round(max(min(_distance(corner, *edge) for edge in edges) for corner in outside))
        notches = [
            math.hypot(max(box.left - x, 0, x - box.right), max(box.top - y, 0, y - box.bottom)) for (x, y), _ in edges
        ]
        return round(min(*notches, *(_distance(corner, *edge) for corner in corners for edge in edges)))


def flattened(line: Line) -> list[Point]:
    """Returns the points of a closed path, with curves replaced by short lines; the first point is not repeated."""
    points: list[Point] = []
    for letter, n in line:
        if letter == "C":
            ends = [points[-1], (n[0], n[1]), (n[2], n[3]), (n[4], n[5])]
            bend = max(math.dist((a[0] + c[0], a[1] + c[1]), (2 * b[0], 2 * b[1])) for a, b, c in (ends[:3], ends[1:]))
            steps = max(1, math.ceil(math.sqrt(bend * 6 / 8 / _TOLERANCE)))
            points += [path.on_curve(ends, step / steps) for step in range(1, steps + 1)]
        elif n:
            points.append((n[0], n[1]))
    kept = [here for before, here in zip([points[-1], *points], points, strict=False) if math.dist(before, here) >= 1]
    return kept or points[:1]


def polygon(points: Sequence[Point]) -> Line:
    """Returns the closed path of straight lines through some points, rounded to whole micrometres."""
    whole = [(round(x), round(y)) for x, y in points]
    return (("M", whole[0]), *(("L", point) for point in whole[1:]), ("Z", ()))


@lru_cache(maxsize=256)
def rectangle(size: Size, corner: int | None = None, folds: tuple[Line, ...] = ()) -> Outline:
    """Returns a rectangle with corners of the radius `corner`: if None, 1/20 of the short side, but at most 3 mm."""
    short = min(size.width, size.height)
    radius = min(_CORNER, short // 20) if corner is None else min(corner, short // 2)
    sides = path.rect(0, 0, size.width, size.height, radius)
    return Outline(path.place(sides, path.IDENTITY), folds, straight=True)


def _normal(start: Point, end: Point) -> float:
    """Returns the direction, in radians, to the left of a line at a right angle; for a clockwise outline, outwards."""
    return math.atan2(start[0] - end[0], end[1] - start[1])


def _distance(point: Point, start: Point, end: Point) -> float:
    """Returns the distance of a point from the nearest point of the segment from `start` to `end`."""
    across, down = end[0] - start[0], end[1] - start[1]
    length = across * across + down * down
    along = ((point[0] - start[0]) * across + (point[1] - start[1]) * down) / length if length else 0.0
    t = min(1.0, max(0.0, along))
    return math.dist(point, (start[0] + t * across, start[1] + t * down))
