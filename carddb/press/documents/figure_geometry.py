"""The geometry of a composed picture: boxes that are turned and fitted, places on them, columns, arrows.

Lengths are micrometres; what the template of figures gets is in millimetres.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from carddb.core.units import Box, Size, mm, to_mm
from carddb.press.documents.figure_plan import Item, Point

APART = mm(2.6)
"""Between two call-outs or steps of a column."""


def box_of(item: Item, size: Size, x: int) -> Box:
    """Where an item lies; `x` is the next free place for one without a place of its own."""
    own = turned_size(size, item.turn)
    width = mm(item.width) or own.width
    left, top = (mm(item.at[0]), mm(item.at[1])) if item.at else (x, 0)
    return Box(left, top, width, own.height * width // own.width)


def turned_size(size: Size | None, turn: int) -> Size:
    """The size of something turned by quarters, in degrees; nothing at all has none."""
    if size is None:
        return Size(0, 0)
    return size if turn % 180 == 0 else size.turned


def fitted(size: Size, width: int, height: int) -> Size:
    """A size made smaller until it is within a room, never larger."""
    if size.width * size.height == 0:
        return Size(0, 0)
    if size.width * height > size.height * width:
        return Size(min(width, size.width), size.height * min(width, size.width) // size.width)
    return Size(size.width * min(height, size.height) // size.height, min(height, size.height))


def place_on(box: Box, size: Size, at: Point) -> tuple[int, int]:
    """The place of the figure that is `at` a place of a face of this size, which lies in the box."""
    return box.x + mm(at[0]) * box.width // size.width, box.y + mm(at[1]) * box.height // size.height


def stacked(tops: Sequence[int], heights: Sequence[int], bottom: int) -> list[int]:
    """Tops as near to those that are best as columns without overlaps allow; from 0, and if it can be to `bottom`."""
    placed: list[int] = []
    free = 0
    for top, height in zip(tops, heights, strict=True):
        placed.append(max(top, free))
        free = placed[-1] + height + APART
    limit = max(bottom, sum(heights) + APART * (len(heights) - 1))
    for at in reversed(range(len(placed))):
        placed[at] = min(placed[at], limit - heights[at])
        limit = placed[at] - APART
    return placed


def arrow_shape(line: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """A line with a head: the head is a triangle whose tip is the last point."""
    (x0, y0), (x1, y1) = line[-2:]
    length = max(1.0, ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5)
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    head, half = mm(2.0), mm(1.1)
    base = (x1 - dx * head, y1 - dy * head)
    corners = [(x1, y1), (base[0] - dy * half, base[1] + dx * half), (base[0] + dy * half, base[1] - dx * half)]
    return {"points": points_text([*line[:-1], base]), "head": points_text(corners)}


def points_text(line: Sequence[tuple[float, float]]) -> str:
    """Points as SVG has them."""
    return " ".join(f"{round(x / 1000, 2):g} {round(y / 1000, 2):g}" for x, y in line)


def in_mm(box: Box) -> dict[str, float]:
    return {"x": to_mm(box.x), "y": to_mm(box.y), "w": to_mm(box.width), "h": to_mm(box.height)}
