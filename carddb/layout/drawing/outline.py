"""Outlines of pieces: the closed path along which a piece is cut out, and the lines along which it is folded."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from carddb.core.errors import UsageError
from carddb.core.units import Size, parse_length
from carddb.game.parts import SHAPE
from carddb.layout.display_list import Op
from carddb.layout.drawing import path, svg_parser
from carddb.layout.drawing.path import Matrix, Point, Span

Line = tuple[Op, ...]
"""A path in micrometres."""

_TOLERANCE = 10
"""The greatest distance between a curve and the straight lines that replace it, in micrometres."""
_SMOOTH = math.radians(25)
"""The greatest turn between two lines at which an outline still counts as a curve."""
_SHARP = 0.2
"""The least cosine of half a turn, so that a sharp corner does not move far."""
_MOST_POINTS = 2000
_CORNER = 3000
_REMEDY = (
    "Write rectangle, rectangle 3mm, circle, hexagon flat, hexagon pointed, standee 10mm, die, "
    "or the name of an SVG drawing among the game's templates that has one closed path."
)


@dataclass(frozen=True, slots=True)
class Outline:
    """A closed path in micrometres from the top left corner of an upright piece, and lines to score and to perforate.

    `straight` says that it follows the sides of the piece, whose corners may be rounded. Outlines that nest are placed
    in rows or columns that reach into each other.
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

        Where the outline has a notch narrower than that, the result crosses itself; filled by the non-zero rule, it
        covers all points that are at most `by` away from the piece.
        """
        points = flattened(self.path)
        if _area(points) < 0:
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

    def inset(self, box: Span) -> int:
        """Returns the distance of a rectangle inside the outline from it, or less than 0 if a part is outside."""
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
    """Returns the points of a path of one loop, with curves replaced by straight lines; the first is not repeated."""
    points: list[Point] = []
    for letter, n in line:
        if letter == "C":
            ends = [points[-1], (n[0], n[1]), (n[2], n[3]), (n[4], n[5])]
            bend = max(math.dist((a[0] + c[0], a[1] + c[1]), (2 * b[0], 2 * b[1])) for a, b, c in (ends[:3], ends[1:]))
            steps = max(1, math.ceil(math.sqrt(bend * 6 / 8 / _TOLERANCE)))
            points += [_on_curve(ends, step / steps) for step in range(1, steps + 1)]
        elif n:
            points.append((n[0], n[1]))
    kept = [here for before, here in zip([points[-1], *points], points, strict=False) if math.dist(before, here) >= 1]
    return kept or points[:1]


def polygon(points: Sequence[Point]) -> Line:
    """Returns the closed path through some points."""
    whole = [(round(x), round(y)) for x, y in points]
    return (("M", whole[0]), *(("L", point) for point in whole[1:]), ("Z", ()))


def rectangle(size: Size, corner: int | None = None, folds: tuple[Line, ...] = ()) -> Outline:
    """Returns a rectangle with rounded corners; by default they have a twentieth of the short side, at most 3 mm."""
    short = min(size.width, size.height)
    radius = min(_CORNER, short // 20) if corner is None else min(corner, short // 2)
    sides = path.rect(0, 0, size.width, size.height, radius)
    return Outline(path.place(sides, path.IDENTITY), folds, straight=True)


def outline_of(shape: str, size: Size, drawing: Callable[[str], str]) -> Outline:
    """Returns the outline that the text `shape` of a `game.yaml` gives to a piece of `size`.

    `drawing` returns the text of an SVG file by its name. Raises UsageError for another text, and for a drawing that
    has not one closed path.
    """
    words = SHAPE.fullmatch(shape)
    if not words:
        raise UsageError(f"there is no shape {shape!r}", _REMEDY)
    if words["file"]:
        return _drawn(shape, size, drawing(shape))
    wide, high = size
    length = parse_length(words["length"]) if words["length"] else None
    match words["kind"]:
        case "circle":
            disc = path.ellipse(wide / 2, high / 2, wide / 2, high / 2)
            return Outline(path.place(disc, path.IDENTITY))
        case "hexagon" if words["way"] == "flat":
            quarter, middle = wide / 4, high / 2
            corners = [
                (quarter, 0),
                (3 * quarter, 0),
                (wide, middle),
                (3 * quarter, high),
                (quarter, high),
                (0, middle),
            ]
            return Outline(polygon(corners), nests="columns")
        case "hexagon":
            quarter, middle = high / 4, wide / 2
            corners = [
                (middle, 0),
                (wide, quarter),
                (wide, 3 * quarter),
                (middle, high),
                (0, 3 * quarter),
                (0, quarter),
            ]
            return Outline(polygon(corners), nests="rows")
        case "standee":
            base = length or 0
            if not 0 < base < high // 2:
                raise UsageError(f"a standee of {size} has no room for two bases of {words['length']}", _REMEDY)
            folds = tuple((("M", (0, y)), ("L", (wide, y))) for y in (base, high // 2, high - base))
            return rectangle(size, 0, folds)
        case "die":
            return rectangle(size, min(size) // 6 if length is None else length)
    return rectangle(size, length)


def _drawn(file: str, size: Size, text: str) -> Outline:
    """Returns the path of an SVG drawing, whose viewBox is stretched to `size`.

    Paths with the ids `score` and `perforate` are further lines.
    """
    lines: dict[str, Line] = {}
    try:
        root = svg_parser.parse(text)
        left, top, wide, high = svg_parser.view_box(root)
        across, down = size.width / wide, size.height / high
        for part in root.iter():
            if svg_parser.tag_of(part) == "path":
                name = part.get("id", "") if part.get("id") in ("score", "perforate") else "cut"
                if name in lines:
                    raise ValueError("it has several paths")
                place = across, 0.0, 0.0, down, -left * across, -top * down
                lines[name] = path.place(path.parse_path(part.get("d", "")), place)
        line = lines["cut"]
    except KeyError:
        raise UsageError(f"{file} is no outline: it has no path", _REMEDY) from None
    except (svg_parser.DrawingFault, ValueError) as fault:
        reason = fault.message if isinstance(fault, svg_parser.DrawingFault) else fault
        raise UsageError(f"{file} is no outline: {reason}", _REMEDY) from fault
    letters = [letter for letter, _ in line]
    if letters[:1] != ["M"] or letters.count("M") > 1 or letters[-1:] != ["Z"] or letters.count("Z") > 1:
        raise UsageError(f"{file} is no outline: its path is not one closed line", _REMEDY)
    points = flattened(line)
    if not 3 <= len(points) <= _MOST_POINTS:
        raise UsageError(f"{file} is no outline: it has {len(points)} points, 3 to {_MOST_POINTS} are allowed", _REMEDY)
    folds, perforations = (_loops(lines.get(kind, ())) for kind in ("score", "perforate"))
    return Outline(line, folds, perforations)


def _loops(line: Line) -> tuple[Line, ...]:
    """Returns the parts of a path, each of which begins with a move."""
    starts = [at for at, (letter, _) in enumerate(line) if letter == "M"]
    return tuple(line[start:end] for start, end in pairwise([*starts, len(line)]))


def _on_curve(ends: Sequence[Point], t: float) -> Point:
    a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
    x, y = (a * p + b * q + c * r + d * s for p, q, r, s in zip(*ends, strict=True))
    return x, y


def _area(points: Sequence[Point]) -> float:
    """Returns twice the area of a polygon, below 0 if it turns to the left."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, [*points[1:], points[0]], strict=True))


def _normal(start: Point, end: Point) -> float:
    """Returns the direction to the left of a line, in radians; of an outline that turns to the right, it is outside."""
    return math.atan2(start[0] - end[0], end[1] - start[1])


def _distance(point: Point, start: Point, end: Point) -> float:
    """Returns the distance of a point from a line between two points."""
    across, down = end[0] - start[0], end[1] - start[1]
    length = across * across + down * down
    along = ((point[0] - start[0]) * across + (point[1] - start[1]) * down) / length if length else 0.0
    t = min(1.0, max(0.0, along))
    return math.dist(point, (start[0] + t * across, start[1] + t * down))
