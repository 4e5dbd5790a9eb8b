"""Rectangles and outlines: how far letters reach, what two rectangles share, whether an outline holds a point."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from carddb.core.units import Box, Size
from carddb.layout.display_list import Op, Run
from carddb.layout.drawing.path import direction

CHORDS = 8
"""Straight pieces in place of a curve."""

Point = tuple[float, float]
Edges = tuple[tuple[Point, Point], ...]


class Span(NamedTuple):
    """A rectangle by its sides."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def of(cls, box: Box) -> Span:
        return cls(box.x, box.y, box.right, box.bottom)

    @property
    def box(self) -> Box:
        return Box(self.left, self.top, self.right - self.left, self.bottom - self.top)

    def holds(self, other: Span, slack: int = 0) -> bool:
        return (
            other.left >= self.left - slack
            and other.top >= self.top - slack
            and other.right <= self.right + slack
            and other.bottom <= self.bottom + slack
        )

    def overlaps(self, other: Span) -> bool:
        """Whether two rectangles have anything in common."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def common(self, other: Span) -> Span:
        """What two rectangles have in common; sides change places where that is nothing."""
        left, top = max(self.left, other.left), max(self.top, other.top)
        return Span(left, top, min(self.right, other.right), min(self.bottom, other.bottom))

    def inset(self, face: Size) -> int:
        """From the nearest edge of a face of that size; negative where some of the rectangle lies beyond it."""
        return min(self.left, self.top, face.width - self.right, face.height - self.bottom)


def union(spans: Iterable[Span]) -> Span:
    """The rectangle round some rectangles, at least one."""
    lefts, tops, rights, bottoms = zip(*spans, strict=True)
    return Span(min(lefts), min(tops), max(rights), max(bottoms))


def span_of_path(ops: tuple[Op, ...]) -> Span:
    """The rectangle round the points of an outline, the handles of its curves among them."""
    places = [*chain.from_iterable([points for _, points in ops])]
    xs, ys = places[::2], places[1::2]
    return Span(min(xs), min(ys), max(xs), max(ys))


def is_rectangle(ops: tuple[Op, ...]) -> bool:
    """Says whether an outline is one rectangle with level and upright sides."""
    if len(ops) != 5 or [letter for letter, _ in ops] != ["M", "L", "L", "L", "Z"]:
        return False
    corners = {points for _, points in ops[:4]}
    return len(corners) == 4 and len({x for x, _ in corners}) == 2 and len({y for _, y in corners}) == 2


def letter_box(run: Run, above: int = 800, below: int = 250) -> Span:
    """The rectangle round the letters of a run, whichever way it runs.

    `above` and `below` are how far letters reach over and under their baseline, in thousandths of the em.
    """
    size, width = run.words[0].size, run.width
    top, bottom = -(-size * above // 1000), size * below // 1000
    if not run.angle:
        return Span(run.x, run.y - top, run.x + width, run.y + bottom)
    corners = [letter_point(run, along, up) for along in (0, width) for up in (top, -bottom)]
    xs, ys = ([round(corner[axis]) for corner in corners] for axis in (0, 1))
    return Span(min(xs), min(ys), max(xs), max(ys))


def letter_point(run: Run, along: float, up: float) -> Point:
    """The point so far along a run's baseline and so far over it."""
    cos, sin = direction(run.angle)
    return run.x + along * cos + up * sin, run.y + along * sin - up * cos


def edges(ops: tuple[Op, ...]) -> Iterator[tuple[Point, Point]]:
    """The straight pieces round an outline, loop by loop, every loop closed; curves as short chords."""
    start = here = (0.0, 0.0)
    for command, n in ops:
        if command == "M":
            if here != start:
                yield here, start
            start = here = (n[0], n[1])
        elif command == "Z":
            if here != start:
                yield here, start
            here = start
        elif command == "L":
            yield here, (n[0], n[1])
            here = (n[0], n[1])
        else:
            x0, y0 = here
            for i in range(1, CHORDS + 1):
                t = i / CHORDS
                a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
                point = (a * x0 + b * n[0] + c * n[2] + d * n[4], a * y0 + b * n[1] + c * n[3] + d * n[5])
                yield here, point
                here = point
    if here != start:
        yield here, start


def covers(edges: Edges, x: float, y: float, evenodd: bool) -> bool:
    """Whether an outline holds a point (point in polygon)."""
    winding = crossings = 0
    for (x1, y1), (x2, y2) in edges:
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            crossings += 1
            winding += 1 if y2 > y1 else -1
    return bool(crossings % 2) if evenodd else winding != 0


@lru_cache(maxsize=1024)
def core(ops: tuple[Op, ...], span: Span, evenodd: bool) -> Span | None:
    """A rectangle that a convex outline holds: as much of its span as its corners leave.

    The cards of a game have most outlines alike.
    """
    outline = tuple(edges(ops))
    if not _convex(outline):
        return None
    width, height = span.right - span.left, span.bottom - span.top
    for percent in (0, 2, 4, 8, 15):
        inset = min(width, height) * percent // 100 + 1
        inner = Span(span.left + inset, span.top + inset, span.right - inset, span.bottom - inset)
        left, top, right, bottom = inner
        corners = ((left, top), (right, top), (left, bottom), (right, bottom))
        if all(covers(outline, x, y, evenodd) for x, y in corners):
            return inner
    return None


def _convex(edges: Edges) -> bool:
    """Whether an outline is one closed loop that always turns the same way, once round."""
    turns = set()
    for (a, b), (c, d) in zip(edges, (*edges[1:], *edges[:1]), strict=True):
        if b != c:
            return False
        cross = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0])
        if abs(cross) > 1e-6:
            turns.add(cross > 0)
    tops = sum(
        (one[1][1] - one[0][1] < 0) != (two[1][1] - two[0][1] < 0)
        for one, two in zip(edges, (*edges[1:], *edges[:1]), strict=True)
    )
    return len(turns) == 1 and tops <= 2
