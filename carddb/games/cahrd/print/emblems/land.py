"""The coasts of the world, cut to what a map shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from carddb.games.cahrd.print.emblems.geometry import Point

_UNIT = 0.01
"""Of a number in the table, in degrees."""


class Region(NamedTuple):
    """A part of the earth between two meridians and two parallels, in degrees east and north."""

    west: float
    south: float
    east: float
    north: float


class _Stretch(NamedTuple):
    """A part of a coast, and what it lies within."""

    points: Sequence[Point]
    bounds: Region


class _Coast(NamedTuple):
    stretches: Sequence[_Stretch]
    bounds: Region


_LONG = 48
"""How many points a stretch has at most. Of the 6,628 of Eurasia a map has a few stretches, and the ends of the others:
cutting takes 0.5 ms, and would take 6 ms with all points."""


def land_in(region: Region, table: str) -> Iterator[Sequence[Point]]:
    """The outlines of land and of inland seas in a region, cut to it: longitude and latitude in degrees.

    `table` is the game's `land.yaml`: an outline a line. What lies beyond 180 degrees east or west comes round.
    """
    turns = [0.0, *([-360.0] if region.west < -180 else []), *([360.0] if region.east > 180 else [])]
    for turn in turns:
        here = Region(region.west - turn, region.south, region.east - turn, region.north)
        for coast in _coasts(table):
            if _apart(coast.bounds, here):
                continue
            outline = _cut(_near(coast, here), coast.bounds, here)
            if len(outline) > 2:
                yield [Point(x + turn, y) for x, y in outline] if turn else outline


@lru_cache(maxsize=1)
def _coasts(table: str) -> list[_Coast]:
    """Read once: 30 ms, of which most is the sums."""
    coasts = []
    for line in table.splitlines():
        numbers = [int(number) for number in line.split()]
        x = y = 0
        outline = []
        for dx, dy in zip(numbers[::2], numbers[1::2], strict=True):
            x, y = x + dx, y + dy
            outline.append(Point(x * _UNIT, y * _UNIT))
        parts = [outline[at : at + _LONG] for at in range(0, len(outline), _LONG)]
        coasts.append(_Coast([_Stretch(part, _bounds(part)) for part in parts], _bounds(outline)))
    return coasts


def _bounds(points: Sequence[Point]) -> Region:
    across, down = [point.x for point in points], [point.y for point in points]
    return Region(min(across), min(down), max(across), max(down))


def _near(coast: _Coast, region: Region) -> list[Point]:
    """The outline of a coast without what cannot change its cut: the inner points of stretches beyond one side."""
    points: list[Point] = []
    for stretch in coast.stretches:
        if _apart(stretch.bounds, region):
            points += (stretch.points[0], stretch.points[-1])
        else:
            points += stretch.points
    return points


def _apart(a: Region, b: Region) -> bool:
    return a.east <= b.west or a.west >= b.east or a.north <= b.south or a.south >= b.north


def _cut(outline: Sequence[Point], bounds: Region, region: Region) -> Sequence[Point]:
    """The part of an outline in a region, side by side where it crosses one (Sutherland and Hodgman, 1974)."""
    west, south, east, north = region
    if bounds.west < west:
        outline = _cut_at(outline, lambda p: p.x >= west, lambda a, b: _at_x(a, b, west))
    if bounds.east > east:
        outline = _cut_at(outline, lambda p: p.x <= east, lambda a, b: _at_x(a, b, east))
    if bounds.south < south:
        outline = _cut_at(outline, lambda p: p.y >= south, lambda a, b: _at_y(a, b, south))
    if bounds.north > north:
        outline = _cut_at(outline, lambda p: p.y <= north, lambda a, b: _at_y(a, b, north))
    return outline


def _cut_at(
    outline: Sequence[Point], inside: Callable[[Point], bool], crossing: Callable[[Point, Point], Point]
) -> Sequence[Point]:
    out: list[Point] = []
    if not outline:
        return out
    before, was_inside = outline[-1], inside(outline[-1])
    for point in outline:
        is_inside = inside(point)
        if is_inside != was_inside:
            out.append(crossing(before, point))
        if is_inside:
            out.append(point)
        before, was_inside = point, is_inside
    return out


def _at_x(a: Point, b: Point, x: float) -> Point:
    return Point(x, a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x))


def _at_y(a: Point, b: Point, y: float) -> Point:
    return Point(a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y), y)
