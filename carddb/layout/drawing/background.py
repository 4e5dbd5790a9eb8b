"""What lies under a shape: the fills of a drawing in order, with what they are printed as."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from carddb.layout.display_list import Group, Path, Picture, Run, Shape
from carddb.layout.drawing.geometry import (
    Edges,
    Span,
    core,
    covers,
    edges,
    is_rectangle,
    letter_box,
    span_of_path,
    union,
)

PAPER = "#ffffff"
OPAQUE = 1000
"""The opacity through which nothing is seen, in thousandths."""

Printed = Literal["white", "solid", "hatched"]


class Fill:
    """A filled outline, within `span`: its own, and that of the `window` it is clipped to.

    `opacity` is in thousandths.
    """

    def __init__(self, path: Path, colour: str, window: Span | None = None, opacity: int = OPAQUE) -> None:
        self.path = path
        self.colour = colour
        self.opacity = opacity
        span = span_of_path(path.ops)
        self.span = span.common(window) if window else span

    @cached_property
    def edges(self) -> Edges:
        return tuple(edges(self.path.ops))

    @cached_property
    def core(self) -> Span | None:
        """A rectangle that the outline holds for certain; None where none was found."""
        if is_rectangle(self.path.ops):
            left, top, right, bottom = self.span
            return Span(left + 1, top + 1, right - 1, bottom - 1)
        return core(self.path.ops, self.span, self.path.evenodd)

    def covers(self, x: float, y: float) -> bool:
        """Whether a point lies on it."""
        return covers(self.edges, x, y, self.path.evenodd)


@dataclass(frozen=True, eq=False, slots=True)
class Background:
    """A fill with what it is printed as; it shows within `clips` only."""

    fill: Fill
    printed: Printed
    clips: tuple[Fill, ...] = ()

    def covers(self, x: int, y: int) -> bool:
        """Whether a point lies on it."""
        span = self.fill.span
        if not (span.left <= x <= span.right and span.top <= y <= span.bottom and self.fill.covers(x, y)):
            return False
        return all(clip.covers(x, y) for clip in self.clips)


class BackgroundStack:
    """The backgrounds of a face in drawing order; new ones are clipped to `clips`."""

    def __init__(self) -> None:
        self._backgrounds: list[Background] = []
        self.clips: tuple[Fill, ...] = ()

    def add(self, path: Path, colour: str, printed: Printed) -> None:
        """Lays a background on top."""
        self._backgrounds.append(Background(Fill(path, colour), printed, self.clips))

    def at(self, x: int, y: int) -> Background | None:
        """Returns the background of a point; None is paper."""
        return next((background for background in reversed(self._backgrounds) if background.covers(x, y)), None)

    def colour_at(self, x: int, y: int) -> str:
        """The colour of a point in the drawing as it was."""
        background = self.at(x, y)
        return background.fill.colour if background else PAPER


def span_of(shape: Shape) -> Span | None:
    """The rectangle round a shape, lines taken as thin; None for a shape without extent."""
    if isinstance(shape, Group):
        spans = [span for inner in shape.shapes if (span := span_of(inner))]
        return union(spans) if spans else None
    if isinstance(shape, Run):
        return letter_box(shape)
    if isinstance(shape, Picture):
        return Span.of(shape.clip)
    return Fill(shape, PAPER).span if any(points for _, points in shape.ops) else None


def thickness(path: Path) -> float:
    """How thick a filled outline is on the whole, in micrometres: twice its area by its length.

    A bar or a ring is as thick as it is broad, a disc as its radius.
    """
    loops = _loops(tuple(edges(path.ops)))
    length = sum(math.dist(a, b) for loop in loops for a, b in loop)
    areas = [sum(a[0] * b[1] - b[0] * a[1] for a, b in loop) / 2 for loop in loops]
    if path.evenodd:
        areas = [
            abs(area) * (-1) ** sum(covers(other, *loop[0][0], True) for other in loops if other is not loop)
            for area, loop in zip(areas, loops, strict=True)
        ]
    return 2 * abs(sum(areas)) / length if length else 0.0


def _loops(outline: Edges) -> list[Edges]:
    """The closed loops of an outline."""
    loops: list[Edges] = []
    for edge in outline:
        if not loops or loops[-1][-1][1] != edge[0] or loops[-1][0][0] == loops[-1][-1][1]:
            loops.append(())
        loops[-1] += (edge,)
    return loops
