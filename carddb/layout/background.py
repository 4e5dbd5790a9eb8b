"""What lies under a shape: the fills of a drawing in order, as they were and as what they are printed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from carddb.layout.display_list import Group, Path, Picture, Run, Shape
from carddb.layout.legibility import Edges, Fill, Span, edges

PAPER = "#ffffff"

Printed = Literal["white", "solid", "hatched"]


@dataclass(frozen=True, eq=False, slots=True)
class Background:
    """A fill: its outline and colour in the drawing, what it is printed as, and what it shows within."""

    fill: Fill
    printed: Printed
    clips: tuple[Fill, ...] = ()

    def covers(self, x: int, y: int) -> bool:
        """Whether a point lies on it."""
        span = self.fill.span
        if not (span.left <= x <= span.right and span.top <= y <= span.bottom and self.fill.covers(x, y)):
            return False
        return all(clip.covers(x, y) for clip in self.clips)


@dataclass(frozen=True, eq=False, slots=True)
class Layer:
    """Grounds that were drawn together, within `span`."""

    grounds: tuple[Background, ...]
    span: Span


class Scene:
    """The grounds of a face, told in drawing order."""

    def __init__(self) -> None:
        self.layers: list[Layer] = []
        self.clips: tuple[Fill, ...] = ()

    def add(self, path: Path, colour: str, printed: Printed) -> None:
        """A fill was drawn."""
        fill = Fill(path, colour)
        self.layers.append(Layer((Background(fill, printed, self.clips),), fill.span))

    def join(self, start: int) -> None:
        """The layers from `start` on become one."""
        grounds = tuple(ground for layer in self.layers[start:] for ground in layer.grounds)
        if grounds:
            self.layers[start:] = [Layer(grounds, union(ground.fill.span for ground in grounds))]

    def under(self, span: Span) -> tuple[Layer, ...]:
        """The layers that lie under a rectangle, in part at least."""
        return tuple([layer for layer in self.layers if meet(layer.span, span)])

    def at(self, x: int, y: int) -> Background | None:
        """The ground of a point; None is paper."""
        for layer in reversed(self.layers):
            span = layer.span
            if span.left <= x <= span.right and span.top <= y <= span.bottom:
                for ground in reversed(layer.grounds):
                    if ground.covers(x, y):
                        return ground
        return None

    def colour_at(self, x: int, y: int) -> str:
        """The colour of a point in the drawing as it was."""
        ground = self.at(x, y)
        return ground.fill.colour if ground else PAPER


def meet(one: Span, other: Span) -> bool:
    """Whether two rectangles have anything in common."""
    across = one.left < other.right and other.left < one.right
    return across and one.top < other.bottom and other.top < one.bottom


def union(spans: Iterable[Span]) -> Span:
    """The rectangle round some rectangles, at least one."""
    lefts, tops, rights, bottoms = zip(*spans, strict=True)
    return Span(min(lefts), min(tops), max(rights), max(bottoms))


def span_of(shape: Shape) -> Span | None:
    """The rectangle round a shape, lines taken as thin; None for a shape without extent."""
    if isinstance(shape, Group):
        spans = [span for inner in shape.shapes if (span := span_of(inner))]
        return union(spans) if spans else None
    if isinstance(shape, Run):
        return letters(shape)
    if isinstance(shape, Picture):
        clip = shape.clip
        return Span(clip.x, clip.y, clip.right, clip.bottom)
    return Fill(shape, PAPER).span if any(points for _, points in shape.ops) else None


def letters(run: Run) -> Span:
    """The rectangle round the letters of a run, whichever way it runs."""
    cos, sin = math.cos(math.radians(run.angle)), math.sin(math.radians(run.angle))
    up, down, width = -run.size * 4 // 5, run.size // 4, run.width
    corners = [(0, up), (width, up), (width, down), (0, down)]
    xs = [round(run.x + x * cos - y * sin) for x, y in corners]
    ys = [round(run.y + x * sin + y * cos) for x, y in corners]
    return Span(min(xs), min(ys), max(xs), max(ys))


def box_path(span: Span) -> Path:
    """A rectangle as a white path."""
    left, top, right, bottom = span
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return Path((("M", corners[0]), *(("L", corner) for corner in corners[1:]), ("Z", ())), fill=PAPER)


def thickness(path: Path) -> float:
    """How thick a filled outline is on the whole, in micrometres: twice its area by its length.

    A bar or a ring is as thick as it is broad, a disc as its radius.
    """
    loops = _loops(tuple(edges(path.ops)))
    length = sum(math.dist(a, b) for loop in loops for a, b in loop)
    areas = [sum(a[0] * b[1] - b[0] * a[1] for a, b in loop) / 2 for loop in loops]
    if path.evenodd:
        areas = [
            abs(area) * (-1) ** sum(_holds(other, loop[0][0]) for other in loops if other is not loop)
            for area, loop in zip(areas, loops, strict=True)
        ]
    return 2 * abs(sum(areas)) / length if length else 0.0


def _loops(pieces: Edges) -> list[Edges]:
    loops: list[list[tuple[tuple[float, float], tuple[float, float]]]] = []
    for piece in pieces:
        if not loops or loops[-1][-1][1] != piece[0] or loops[-1][0][0] == loops[-1][-1][1]:
            loops.append([])
        loops[-1].append(piece)
    return [tuple(loop) for loop in loops]


def _holds(loop: Edges, point: tuple[float, float]) -> bool:
    """Whether a point lies within a loop."""
    x, y = point
    crossed = sum((b > y) != (d > y) and x < a + (y - b) * (c - a) / (d - b) for (a, b), (c, d) in loop)
    return crossed % 2 == 1
