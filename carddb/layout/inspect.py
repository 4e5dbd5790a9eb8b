"""Whether a drawn face can be read: size floor, contrast, nothing outside the trim."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from carddb.layout.display import Face, Group, Op, Path, Run, Shape
from carddb.layout.svg import Note
from carddb.units import Box, Size, points

SMALLEST_TYPE = points(6)
LEAST_CONTRAST = 4.5
_PAPER = "#ffffff"
_SLACK = 20
"""Rounding of a scaled drawing, in micrometres."""


def notes(face: Face) -> list[Note]:
    """Every run that is too small, too faint or outside the face."""
    out: list[Note] = []
    for run, ground in _runs_with_ground(face):
        if run.size < SMALLEST_TYPE - 1:
            out.append(Note("text_too_small", run.field, run.text, {"size_um": run.size, "least_um": SMALLEST_TYPE}))
        ratio = contrast(run.colour, ground)
        if ratio < LEAST_CONTRAST:
            out.append(Note("contrast_low", run.field, run.text, {"ratio": round(ratio, 2), "least": LEAST_CONTRAST}))
        if not _inside(run, face.size):
            out.append(Note("text_outside", run.field, run.text, {"x_um": run.x, "y_um": run.y, "width_um": run.width}))
    return out


@lru_cache(maxsize=1024)
def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def _inside(run: Run, size: Size) -> bool:
    along = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}.get(run.angle)
    if along is None:
        return True
    end_x, end_y = run.x + along[0] * run.width, run.y + along[1] * run.width
    left, top = min(run.x, end_x), min(run.y, end_y)
    return Box(0, 0, size.width, size.height).contains(Box(left, top, abs(end_x - run.x), abs(end_y - run.y)), _SLACK)


def _runs_with_ground(face: Face) -> Iterator[tuple[Run, str]]:
    """Each run and the colour it stands on: the last filled shape under its middle, else paper."""
    filled: list[tuple[Path, Box]] = []
    for shape, window in _in_order(face.shapes, None):
        if isinstance(shape, Run):
            x, y = _middle(shape)
            under = (
                path
                for path, box in reversed(filled)
                if box.x <= x <= box.right and box.y <= y <= box.bottom and _covers(path, x, y)
            )
            path = next(under, None)
            yield shape, (path.fill if path and path.fill else _PAPER)
        elif isinstance(shape, Path) and shape.fill:
            filled.append((shape, _within(_bounds(shape.ops), window)))


def _in_order(shapes: tuple[Shape, ...], window: Box | None) -> Iterator[tuple[Shape, Box | None]]:
    """Shapes as they are drawn, each with the box that its groups cut it to."""
    for shape in shapes:
        if isinstance(shape, Group):
            yield from _in_order(shape.shapes, _within(_bounds(shape.clip), window) if shape.clip else window)
        else:
            yield shape, window


def _within(box: Box, window: Box | None) -> Box:
    if window is None:
        return box
    left, top = max(box.x, window.x), max(box.y, window.y)
    return Box(left, top, min(box.right, window.right) - left, min(box.bottom, window.bottom) - top)


def _middle(run: Run) -> tuple[int, int]:
    half, up = run.width // 2, run.size * 3 // 10
    dx, dy = {0: (half, -up), 90: (up, half), 180: (-half, up), 270: (-up, -half)}.get(run.angle, (0, 0))
    return run.x + dx, run.y + dy


def _bounds(ops: tuple[Op, ...]) -> Box:
    xs = [v for _, n in ops for v in n[::2]]
    ys = [v for _, n in ops for v in n[1::2]]
    if not xs:
        return Box(0, 0, 0, 0)
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _covers(path: Path, x: int, y: int) -> bool:
    """Point in polygon, curves taken as short chords."""
    winding = crossings = 0
    for (x1, y1), (x2, y2) in _edges(path.ops):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            crossings += 1
            winding += 1 if y2 > y1 else -1
    return bool(crossings % 2) if path.evenodd else winding != 0


def _edges(ops: tuple[Op, ...]) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    start = here = (0.0, 0.0)
    for command, n in ops:
        if command == "M":
            if here != start:
                yield here, start
            start = here = (n[0], n[1])
        elif command == "Z":
            yield here, start
            here = start
        elif command == "L":
            yield here, (n[0], n[1])
            here = (n[0], n[1])
        else:
            x0, y0 = here
            for i in range(1, 9):
                t = i / 8
                a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
                point = (a * x0 + b * n[0] + c * n[2] + d * n[4], a * y0 + b * n[1] + c * n[3] + d * n[5])
                yield here, point
                here = point
    if here != start:
        yield here, start
