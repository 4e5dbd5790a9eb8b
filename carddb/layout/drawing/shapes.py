"""The shapes of a `game.yaml` as outlines: by their names, or from an SVG drawing."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from carddb.core.errors import UsageError
from carddb.core.units import Size, parse_length
from carddb.game.parts import SHAPE
from carddb.layout.drawing import path, svg_parser
from carddb.layout.drawing.outline import Line, Outline, flattened, polygon, rectangle

_MOST_POINTS = 2000
_REMEDY = (
    "Write rectangle, rectangle 3mm, circle, hexagon flat, hexagon pointed, standee 10mm, die, "
    "or the name of an SVG drawing among the game's templates that has one closed path."
)


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
