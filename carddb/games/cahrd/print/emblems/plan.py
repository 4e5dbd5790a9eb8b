"""A tactic's picture: the plan of a battle, with the own units solid, enemy units open, and arrows for movements."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from carddb.games.cahrd.print.emblems.pen import (
    Chance,
    Pen,
    Point,
    Window,
    away,
    blob,
    box,
    chamfered,
    grid,
    loop,
    rectangle,
    ring,
    scaled,
    segment,
    smooth,
)

_CUT = 2.2
_USUAL = 27.4
"""The height in mm of the window for which a manoeuvre's sizes are written; its width is 1.95 times the height."""
_STEPS = 18
_CONTOURS = 5
_HILLS = (
    ((0.17, 0.20), (0.83, 0.70), (0.50, 0.06)),
    ((0.50, 0.96), (0.08, 0.48), (0.90, 0.22)),
    ((0.28, 0.90), (0.72, 0.08)),
    ((0.10, 0.85), (0.44, 0.06), (0.94, 0.48), (0.64, 0.98)),
)
"""Possible places of hills, as shares of the window."""


@dataclass(frozen=True, slots=True)
class _Side:
    """The direction from which the own army comes; a manoeuvre is written for an army from the west, with north
    above.
    """

    window: Window
    east: bool
    south: bool

    def at(self, across: float, down: float) -> Point:
        """Returns the point at a share of the width and of the height, mirrored as necessary."""
        return self.window.at(1 - across if self.east else across, 1 - down if self.south else down)

    def turned(self, degrees: float) -> float:
        return degrees if self.east == self.south else -degrees


def draw(pen: Pen, window: Window, seed: str, manoeuvre: Mapping[str, Any]) -> None:
    """Draws the picture into the window.

    A `manoeuvre` is a row of the game's table: units, arrows and field works, in shares of the window.
    """
    chance = Chance(seed)
    frame = chamfered(*window, _CUT)
    grown = max(0.8, min(window.height / _USUAL, window.width / _USUAL / 1.95, 1.8))
    side = _Side(window, east=chance.below(2) == 1, south=chance.below(2) == 1)
    with pen.within(frame):
        _ground(pen, window, chance)
        if manoeuvre.get("works"):
            _works(pen, side)
        for own in (False, True):
            for x, y, wide, high, turn in manoeuvre.get("own" if own else "enemy", ()):
                corners = rectangle(side.at(x, y), wide / 2 * grown, high / 2 * grown, side.turned(turn))
                pen.path(loop(corners), "line" if own else "paper", "line", 0.3 if own else 0.4)
                pen.path(segment(corners[3], corners[1]), stroke="paper" if own else "line", width=0.28)
        for arrow in manoeuvre.get("arrows", ()):
            ends = [side.at(*point) for point in arrow["from_by_to"]]
            solid = not arrow.get("open")
            dash = "1 0.55" if arrow.get("feigned") else "none"
            d = _arrow(ends, arrow["width"][0] * grown, arrow["width"][1] * grown, arrow["head"] * grown)
            pen.path(d, "line" if solid else "paper", "none" if solid else "line", 0 if solid else 0.29, dash)
        if manoeuvre.get("stopped"):
            spot = side.at(*manoeuvre["stopped"])
            pen.path(ring(*spot, 2.0 * grown), "paper", "line", 0.3)
            pen.stamp("icon-x", spot, 2.1 * grown, "line")
    pen.path(frame, stroke="line", width=0.45)


def _ground(pen: Pen, window: Window, chance: Chance) -> None:
    """Draws a grid, hills as contour lines, a stream and a road."""
    pen.path(box(*window), "paper")
    pen.path(grid(window, 8, 4), stroke="tint", width=0.2)
    r = chance.between
    hills = [(x + r(-0.08, 0.08), y + r(-0.1, 0.1), r(5, 8.5)) for x, y in _HILLS[chance.below(len(_HILLS))]]
    contours = []
    for x, y, size in hills:
        top = window.at(x, y)
        foot = blob(top, size * 1.5, size, chance, 0.16, 18, 4)
        contours += [smooth(scaled(foot, top, 1 - n * 0.19)) for n in range(_CONTOURS)]
    pen.path("".join(contours), stroke="mid", width=0.17)
    start, lean, bend = r(0.25, 0.75), r(-0.05, 0.05), r(0, math.tau)
    banks = [start + 0.05 * math.sin(i * 1.3 + bend) + r(-0.02, 0.02) + (i - 3.5) * lean for i in range(8)]
    stream = [(window.at(x, 0).x, window.y - 2 + i * (window.height + 4) / 7) for i, x in enumerate(banks)]
    pen.strokes(smooth(stream, closed=False), ("mid", 1.1), ("paper", 0.75), ("mid", 0.12))
    level, slope = r(0.2, 0.8), r(-0.06, 0.06)
    road = [
        (window.x - 2 + i * (window.width + 4) / 6, window.at(0, level + (i - 3) * slope + 0.03 * math.sin(i * 2.1)).y)
        for i in range(7)
    ]
    pen.path(smooth(road, closed=False), stroke="road", width=0.28, dash="1.2 0.6")


def _arrow(ends: list[Point], tail: float, neck: float, head: float) -> str:
    """Returns a tapered arrow along a quadratic curve; `ends` are its start, control point and end."""
    a, b, c = ends

    def at(t: float) -> Point:
        return Point(
            (1 - t) ** 2 * a.x + 2 * t * (1 - t) * b.x + t * t * c.x,
            (1 - t) ** 2 * a.y + 2 * t * (1 - t) * b.y + t * t * c.y,
        )

    def normal(t: float) -> Point:
        dx, dy = 2 * (1 - t) * (b.x - a.x) + 2 * t * (c.x - b.x), 2 * (1 - t) * (b.y - a.y) + 2 * t * (c.y - b.y)
        length = math.hypot(dx, dy) or 1
        return Point(-dy / length, dx / length)

    long = 0.5 * (away(a, c) + away(a, b) + away(b, c))
    end = max(0.6, 1 - head * 1.15 / long)
    near, far = [], []
    for i in range(_STEPS + 1):
        t = end * i / _STEPS
        spot, out, half = at(t), normal(t), (tail + (neck - tail) * i / _STEPS) / 2
        near.append((spot.x + out.x * half, spot.y + out.y * half))
        far.append((spot.x - out.x * half, spot.y - out.y * half))
    spot, out, half = at(end), normal(end), head * 0.62
    barbs = [(spot.x + out.x * half, spot.y + out.y * half), c, (spot.x - out.x * half, spot.y - out.y * half)]
    return loop([*near, *barbs, *reversed(far)])


def _works(pen: Pen, side: _Side) -> None:
    """Draws field works: a bank with stakes before it."""
    bank = [side.at(*share) for share in ((0.41, 0.10), (0.43, 0.3), (0.425, 0.5), (0.43, 0.7), (0.40, 0.86))]
    pen.path(smooth(bank, closed=False), stroke="line", width=0.7)
    stakes = [0.12 + i * 0.059 for i in range(13)]
    pen.path("".join(segment(side.at(0.422, y), side.at(0.447, y - 0.02)) for y in stakes), stroke="line", width=0.3)
