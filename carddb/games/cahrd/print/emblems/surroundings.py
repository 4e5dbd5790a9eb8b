"""What lies before a strategy's fortress: a siege, a coast, a river, roads and fields."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from carddb.games.cahrd.print.emblems.chance import Chance
from carddb.games.cahrd.print.emblems.geometry import (
    Point,
    Window,
    away,
    chain,
    loop,
    polar,
    rectangle,
    segment,
    smooth,
    turned,
)
from carddb.games.cahrd.print.emblems.pen import Pen

_SEA = ((2.4, 0.12), (1.5, 0.14), (0.7, 0.17))
"""Lines that echo a coast: how far off, how thick."""
_PLOTS, _PLOT_TRIES = 7, 300


@dataclass(frozen=True, slots=True)
class Place:
    """The window, the middle and the reach of the fortress in it, and the side (-1 or 1) that is open."""

    window: Window
    centre: Point
    r: float
    side: int

    def at(self, across: float, down: float) -> Point:
        """A point by its share of the way from the fortress to the open side, and of the height."""
        room = self.window.width / 2
        return Point(self.centre.x + self.side * room * across, self.window.at(0, down).y)


def draw(pen: Pen, place: Place, kind: str, chance: Chance) -> None:
    """One of the surroundings by its name: siege, coast, river, roads, fields."""
    _KINDS[kind](pen, place, chance)


def _siege(pen: Pen, place: Place, chance: Chance) -> None:
    """Two parallels, the saps between them, three batteries."""
    centre, r = place.centre, place.r
    base = 0 if place.side > 0 else 180
    for reach, spread in ((1.47, 24), (1.68, 20)):
        trench = smooth([polar(centre, r * reach, base - spread + i * spread / 5) for i in range(11)], closed=False)
        pen.strokes(trench, ("line", 0.6), ("paper", 0.26))
    saps = ((1.68, 3), (1.61, -4), (1.54, 4), (1.47, -3), (1.41, 4), (1.34, -3), (1.28, 1))
    pen.path(chain(polar(centre, r * reach, base + turn) for reach, turn in saps), stroke="line", width=0.4)
    for spread in (-14, 0, 14):
        angle = base + spread * 0.95
        corners = rectangle(polar(centre, r * 1.83, angle), 1.6, 0.95, angle + 90)
        pen.path(loop(corners), "line")
        pen.path(segment(corners[3], corners[1]), stroke="paper", width=0.24)


def _coast(pen: Pen, place: Place, chance: Chance) -> None:
    """The sea on the open side, two ships in it."""
    turns = [chance.between(-0.05, 0.05) for _ in range(9)]
    shore = [place.at(0.60 + 0.06 * math.sin(i * 0.9) + turn, -0.1 + i * 0.15) for i, turn in enumerate(turns)]
    sea = [*shore, place.at(1.2, 1.1), place.at(1.2, -0.1)]
    pen.path(loop(sea), "paper")
    line = smooth(shore, closed=False)
    with pen.within(loop(sea)):
        for distance, width in _SEA:
            pen.strokes(line, ("mid", 2 * distance + width), ("paper", 2 * distance - width))
    pen.path(line, stroke="line", width=0.3)
    for down in (chance.between(0.2, 0.34), chance.between(0.6, 0.74)):
        pen.stamp("charge-barge", place.at(chance.between(0.80, 0.86), down), 4.2, "line")


def _river(pen: Pen, place: Place, chance: Chance) -> None:
    """A river along the open side, a bridge over it and the road there."""
    lean = chance.between(-0.03, 0.03)
    course = [place.at(0.66 + 0.07 * math.sin(i * 1.1) + lean * (i - 4), -0.1 + i * 0.15) for i in range(9)]
    _road(pen, [place.at(0.3, 0.52), place.at(0.66, 0.47), place.at(1.1, 0.54)])
    bank = smooth(course, closed=False)
    pen.strokes(bank, ("line", 3.0), ("paper", 2.6), ("mid", 1.2), ("paper", 0.95))
    middle = place.at(0.66 + 0.07 * math.sin(4 * 1.1), 0.49)
    pen.path(segment((middle.x - 2.6, middle.y), (middle.x + 2.6, middle.y)), stroke="line", width=1.5)
    pen.path(segment((middle.x - 2.8, middle.y), (middle.x + 2.8, middle.y)), stroke="paper", width=0.9)


def _roads(pen: Pen, place: Place, chance: Chance) -> None:
    """Roads to all sides, hamlets on them."""
    for angle in (10, 75, 170, 255, 318):
        turn = angle + chance.between(-12, 12)
        way = [polar(place.centre, place.r * reach, turn + bend) for reach, bend in ((0.9, 0), (1.9, 7), (3.4, -3))]
        _road(pen, way)
        house = polar(place.centre, place.r * 1.75, turn + 11)
        for dx, dy in ((0, 0), (1.5, 0.5), (0.5, 1.5)):
            pen.path(loop(rectangle((house.x + dx, house.y + dy), 0.5, 0.35)), "line")


def _road(pen: Pen, way: list[Point]) -> None:
    pen.strokes(smooth(way, closed=False), ("line", 0.75), ("paper", 0.5))


def _fields(pen: Pen, place: Place, chance: Chance) -> None:
    """Ploughed plots on the open side, apart from each other and from the walls."""
    plots: list[Point] = []
    for _ in range(_PLOT_TRIES):
        spot = place.at(chance.between(0.55, 0.92), chance.between(0.1, 0.9))
        apart = away(spot, place.centre) > place.r * 1.55 and all(away(spot, other) > 5.2 for other in plots)
        if apart and len(plots) < _PLOTS:
            plots.append(spot)
    for spot in plots:
        turn = chance.between(-30, 30)
        wide, high = chance.between(2.2, 2.9), chance.between(1.4, 2.0)
        pen.path(loop(rectangle(spot, wide, high, turn)), "tint", "line", 0.2)
        furrows = [
            chain(turned(spot, side * wide * 0.9, high * (-0.75 + 0.25 * n), turn) for side in (-1, 1))
            for n in range(7)
        ]
        pen.path("".join(furrows), stroke="mid", width=0.22)


_KINDS: Mapping[str, Callable[[Pen, Place, Chance], None]] = {
    "siege": _siege,
    "coast": _coast,
    "river": _river,
    "roads": _roads,
    "fields": _fields,
}
