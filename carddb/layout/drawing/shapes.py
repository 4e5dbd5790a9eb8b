"""Outlines of pieces from the shapes that a `game.yaml` names: standard shapes, and SVG drawings."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from carddb.core.errors import UsageError
from carddb.core.units import Size, mm, parse_length, to_mm
from carddb.game.parts import SHAPE
from carddb.layout.drawing import path, svg_parser
from carddb.layout.drawing.outline import Line, Outline, flattened, polygon, rectangle
from carddb.layout.drawing.svg_parser import DrawingError

_MOST_POINTS = 2000
_BASE = mm(10)
"""The height of a standee's base if its shape does not give one."""
_SLACK = 20
"""The tolerance for rounding, in micrometres."""
_REMEDY = (
    "Write rectangle, rectangle 3mm, circle, hexagon flat, hexagon pointed, standee 10mm, die, "
    "or the file name of an SVG drawing with one closed path among the game's templates."
)


def outline_of(shape: str, size: Size, drawing: Callable[[str], str]) -> Outline:
    """Returns the outline of a piece of `size` that has the `shape` named in a `game.yaml`.

    `drawing` returns the text of the SVG file with a name. Raises UsageError if `shape` is neither a known shape nor
    the name of a drawing with exactly one closed path.
    """
    words = SHAPE.fullmatch(shape)
    if not words:
        raise UsageError(f"there is no shape {shape!r}", _REMEDY)
    if words["file"]:
        return _drawn(shape, size, drawing(shape))
    wide, high = size
    length = parse_length(words["length"]) if words["length"] else None
    kind = words["kind"] or words["sized"]
    match kind:
        case "circle":
            disc = path.ellipse(wide / 2, high / 2, wide / 2, high / 2)
            return Outline(path.place(disc, path.IDENTITY))
        case "hexagon flat" | "hexagon pointed":
            flat = kind == "hexagon flat"
            along, across = size if flat else size.turned
            first, last, middle = along / 4, 3 * along / 4, across / 2
            corners = [(first, 0), (last, 0), (along, middle), (last, across), (first, across), (0, middle)]
            return Outline(
                polygon(corners if flat else [(y, x) for x, y in corners]), nests="columns" if flat else "rows"
            )
        case "standee":
            base = _BASE if length is None else length
            if not 0 < base < high // 2:
                fix = f"Write a base of more than 0 and less than {to_mm(high // 2):g} mm, such as standee 5mm."
                raise UsageError(f"a standee of {size} has no room for two bases of {to_mm(base):g} mm", fix)
            folds = tuple((("M", (0, y)), ("L", (wide, y))) for y in (base, high // 2, high - base))
            return rectangle(size, 0, folds)
        case "die":
            return rectangle(size, min(size) // 6 if length is None else length)
    return rectangle(size, length)


def _drawn(file: str, size: Size, text: str) -> Outline:
    """Returns the outline in the text of an SVG file, its viewBox stretched to `size`. Raises UsageError if none."""
    try:
        lines = _lines(text, size)
        line = lines.get("cut", ())
        letters = [letter for letter, _ in line]
        if letters[:1] != ["M"] or letters.count("M") > 1 or letters[-1:] != ["Z"] or letters.count("Z") > 1:
            raise ValueError("it does not have exactly one closed path")
        points = flattened(line)
        if not 3 <= len(points) <= _MOST_POINTS:
            raise ValueError(f"its path has {len(points)} points, but 3 to {_MOST_POINTS:,} are allowed")
        if not all(-_SLACK <= x <= size.width + _SLACK and -_SLACK <= y <= size.height + _SLACK for x, y in points):
            raise ValueError("its path extends beyond the viewBox")
    except (DrawingError, ValueError) as fault:
        reason = fault.message if isinstance(fault, DrawingError) else fault
        raise UsageError(f"{file} cannot be used as an outline: {reason}", _REMEDY) from fault
    return Outline(line, _loops(lines.get("score", ())), _loops(lines.get("perforate", ())))


def _lines(text: str, size: Size) -> dict[str, Line]:
    """Returns the paths of an SVG drawing by use: `score` and `perforate` by their ids, `cut` for any other path.

    Raises DrawingError for a faulty drawing, and ValueError for two paths of one use and for a path that is too large.
    """
    root = svg_parser.parse(text)
    left, top, wide, high = svg_parser.view_box(root)
    across, down = size.width / wide, size.height / high
    place = across, 0.0, 0.0, down, -left * across, -top * down
    lines: dict[str, Line] = {}
    for part in root.iter():
        if svg_parser.tag_of(part) != "path":
            continue
        kind = part.get("id", "")
        kind = kind if kind in ("score", "perforate") else "cut"
        if kind in lines:
            raise ValueError(f"it has several paths to {kind}")
        line = path.place(path.parse_path(part.get("d", "")), place)
        if len(line) > _MOST_POINTS:
            raise ValueError(f"a path has {len(line):,} parts, but at most {_MOST_POINTS:,} are allowed")
        if any(abs(number) > 2 * max(size) for _, numbers in line for number in numbers):
            raise ValueError("a path extends far beyond the viewBox")
        lines[kind] = line
    return lines


def _loops(line: Line) -> tuple[Line, ...]:
    """Returns the parts of a path, each beginning where the pen moves without drawing."""
    starts = [at for at, (letter, _) in enumerate(line) if letter == "M"]
    return tuple(line[start:end] for start, end in pairwise([*starts, len(line)]))
