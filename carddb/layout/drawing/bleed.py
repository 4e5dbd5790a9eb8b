"""The background under a shape, and the bleed of a face, so that an inaccurate cut leaves no white edge."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from carddb.core.units import Box, Size
from carddb.layout.display_list import OPAQUE, Group, Path, PlacedImage, Run, Shape
from carddb.layout.drawing.path import Edges as OutlineEdges
from carddb.layout.drawing.path import Extent, core, covers, edges, is_rectangle, letter_box, span_of_path, union

PAPER = "#ffffff"

Printed = Literal["white", "solid", "hatched"]


class Fill:
    """A filled outline; `span` is its bounding rectangle, clipped to `window`, and `opacity` is in thousandths."""

    def __init__(self, path: Path, colour: str, window: Extent | None = None, opacity: int = OPAQUE) -> None:
        self.path = path
        self.colour = colour
        self.opacity = opacity
        self.span = span_of_path(path.ops).within(window)

    @cached_property
    def edges(self) -> OutlineEdges:
        return tuple(edges(self.path.ops))

    @cached_property
    def core(self) -> Extent | None:
        """A rectangle that certainly lies inside the outline, or None if none was found."""
        if is_rectangle(self.path.ops):
            left, top, right, bottom = self.span
            return Extent(left + 1, top + 1, right - 1, bottom - 1)
        return core(self.path.ops, self.span, self.path.evenodd)

    def covers(self, x: float, y: float) -> bool:
        """Returns whether the point (`x`, `y`) is inside the outline and its window."""
        left, top, right, bottom = self.span
        return left <= x <= right and top <= y <= bottom and covers(self.edges, x, y, self.path.evenodd)


def one_colour(fills: Sequence[Fill], span: Extent) -> str | None:
    """Returns the only colour behind a rectangle, or None if there may be several. `fills` are in drawing order."""
    left, top, right, bottom = span
    for fill in reversed(fills):
        under = fill.span
        if under[0] < right and left < under[2] and under[1] < bottom and top < under[3]:
            plain = fill.opacity == OPAQUE and not fill.path.gradient
            solid = plain and fill.core and fill.core.holds(span)
            return fill.colour if solid else None
    return PAPER


@dataclass(frozen=True, eq=False, slots=True)
class Background:
    """A fill, and how it is `printed`; the fill is visible only inside all `clips`."""

    fill: Fill
    printed: Printed
    clips: tuple[Fill, ...] = ()

    def covers(self, x: int, y: int) -> bool:
        """Returns whether the point (`x`, `y`) is inside the visible part of the fill."""
        return self.fill.covers(x, y) and all(clip.covers(x, y) for clip in self.clips)


class BackgroundStack:
    """The backgrounds of a face in drawing order; each new one is clipped to the current `clips`."""

    def __init__(self) -> None:
        self._backgrounds: list[Background] = []
        self.clips: tuple[Fill, ...] = ()

    def add(self, path: Path, colour: str, printed: Printed) -> None:
        """Adds a fill on top of the others: its outline, its colour in the drawing, and how it is `printed`."""
        self._backgrounds.append(Background(Fill(path, colour), printed, self.clips))

    def at(self, x: int, y: int) -> Background | None:
        """Returns the topmost background at a point, or None if there is only paper."""
        return next((background for background in reversed(self._backgrounds) if background.covers(x, y)), None)

    def colour_at(self, x: int, y: int) -> str:
        """Returns the colour at a point as it is in the drawing, that is, before ink is saved."""
        background = self.at(x, y)
        return background.fill.colour if background else PAPER


def span_of(shape: Shape) -> Extent | None:
    """Returns the bounding rectangle of a shape, without the width of its lines; None for an empty shape."""
    if isinstance(shape, Group):
        spans = [span for inner in shape.shapes if (span := span_of(inner))]
        return union(spans) if spans else None
    if isinstance(shape, Run):
        return letter_box(shape)
    if isinstance(shape, PlacedImage):
        return Extent.of(shape.clip)
    return Fill(shape, PAPER).span if any(points for _, points in shape.ops) else None


def thickness(path: Path) -> float:
    """Returns the mean thickness of a filled outline in micrometres: a bar's or ring's width, a disc's radius."""
    loops = _loops(tuple(edges(path.ops)))
    length = sum(math.dist(a, b) for loop in loops for a, b in loop)
    areas = [sum(a[0] * b[1] - b[0] * a[1] for a, b in loop) / 2 for loop in loops]
    if path.evenodd:
        areas = [
            abs(area) * (-1) ** sum(covers(other, *loop[0][0], True) for other in loops if other is not loop)
            for area, loop in zip(areas, loops, strict=True)
        ]
    return 2 * abs(sum(areas)) / length if length else 0.0


def _loops(outline: OutlineEdges) -> list[OutlineEdges]:
    """Returns the edges of an outline, grouped into closed loops."""
    loops: list[OutlineEdges] = []
    for edge in outline:
        if not loops or loops[-1][-1][1] != edge[0] or loops[-1][0][0] == loops[-1][-1][1]:
            loops.append(())
        loops[-1] += (edge,)
    return loops


REACH = 5000
"""The width of the bleed beyond the trim, in micrometres: more than any card printer requires."""
_NEAR = 25

WAYS = ("edge", "none")
"""The values of `data-bleed`: `edge` extends all shapes, `none` extends none. By default, rectangles are extended."""


class Edges(NamedTuple):
    """The frame of a drawing on its face, and the box `beyond` to which shapes at the frame's edges are extended.

    If a drawing does not fill its face because the proportions differ, the extended shapes fill the rest of it too.
    """

    frame: Box
    beyond: Box

    @classmethod
    def of(cls, frame: Box, face: Size) -> Edges:
        return cls(frame, Box(0, 0, face.width, face.height).grown(REACH))

    def path(self, path: Path, way: str) -> list[Path]:
        """Returns `path` with its fill extended beyond those edges of the frame that it reaches.

        A stroke stays where it is, as a second path. `way` is one of WAYS, or empty for the default.
        """
        if path.fill is None or way == "none" or not (way == "edge" or is_rectangle(path.ops)):
            return [path]
        moves: tuple[Callable[[int], int], ...] = (self._across, self._down)
        grown = tuple((letter, tuple(moves[at % 2](n) for at, n in enumerate(points))) for letter, points in path.ops)
        if grown == path.ops:
            return [path]
        if path.stroke is None:
            return [path._replace(ops=grown)]
        return [path._replace(ops=grown, stroke=None), path._replace(fill=None)]

    def box(self, box: Box, way: str) -> Box:
        """Returns the visible box of a picture, extended beyond the frame's edges it reaches unless `way` is "none"."""
        if way == "none":
            return box
        left, top = self._across(box.x), self._down(box.y)
        return Box(left, top, self._across(box.right) - left, self._down(box.bottom) - top)

    def _across(self, x: int) -> int:
        return _moved(x, self.frame.x, self.frame.right, self.beyond.x, self.beyond.right)

    def _down(self, y: int) -> int:
        return _moved(y, self.frame.y, self.frame.bottom, self.beyond.y, self.beyond.bottom)


def _moved(place: int, first: int, last: int, before: int, after: int) -> int:
    """Returns `place`, but moved out to `before` if it is at `first` or beyond it, and to `after` if at `last`."""
    if place <= first + _NEAR:
        return min(place, before)
    if place >= last - _NEAR:
        return max(place, after)
    return place
