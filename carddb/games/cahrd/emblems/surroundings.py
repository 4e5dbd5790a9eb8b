"""What lies before a strategy's fortress: a siege, a coast, a river, roads and fields."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from carddb.games.cahrd.emblems.chance import Chance
from carddb.games.cahrd.emblems.geometry import (
    Point,
    Window,
    away,
    chain,
    loop,
    polar,
    segment,
    smooth,
)
from carddb.games.cahrd.emblems.pen import Pen

_CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1))
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


def draw(pen: Pen, place: Place, kind: str, chance: Chance, palette: Mapping[str, str]) -> None:
    """One of the surroundings by its name: siege, coast, river, roads, fields."""
    _KINDS[kind](pen, place, chance, palette)


def _siege(pen: Pen, place: Place, chance: Chance, palette: Mapping[str, str]) -> None:
    """Two parallels, the saps between them, three batteries."""
    line, paper, centre, r = palette["line"], palette["paper"], place.centre, place.r
    base = 0 if place.side > 0 else 180
    for reach, spread in ((1.47, 24), (1.68, 20)):
        trench = smooth([polar(centre, r * reach, base - spread + i * spread / 5) for i in range(11)], closed=False)
        pen.path(trench, stroke=line, width=0.6)
        pen.path(trench, stroke=paper, width=0.26)
    saps = ((1.68, 3), (1.61, -4), (1.54, 4), (1.47, -3), (1.41, 4), (1.34, -3), (1.28, 1))
    pen.path(chain(polar(centre, r * reach, base + turn) for reach, turn in saps), stroke=line, width=0.4)
    for spread in (-14, 0, 14):
        angle = base + spread * 0.95
        middle = polar(centre, r * 1.83, angle)
        corners = [_turned(middle, 1.6 * across, 0.95 * down, angle + 90) for across, down in _CORNERS]
        pen.path(loop(corners), line)
        pen.path(segment(corners[3], corners[1]), stroke=paper, width=0.24)


def _turned(middle: Point, dx: float, dy: float, degrees: float) -> Point:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return Point(middle.x + dx * c - dy * s, middle.y + dx * s + dy * c)


def _coast(pen: Pen, place: Place, chance: Chance, palette: Mapping[str, str]) -> None:
    """The sea on the open side, two ships in it."""
    turns = [chance.between(-0.05, 0.05) for _ in range(9)]
    shore = [place.at(0.60 + 0.06 * math.sin(i * 0.9) + turn, -0.1 + i * 0.15) for i, turn in enumerate(turns)]
    sea = [*shore, place.at(1.2, 1.1), place.at(1.2, -0.1)]
    pen.path(chain(sea) + "Z", palette["paper"])
    with pen.within(chain(sea) + "Z"):
        for off, width in _SEA:
            pen.path(smooth(shore, closed=False), stroke=palette["mid"], width=2 * off + width)
            pen.path(smooth(shore, closed=False), stroke=palette["paper"], width=2 * off - width)
    pen.path(smooth(shore, closed=False), stroke=palette["line"], width=0.3)
    for down in (chance.between(0.2, 0.34), chance.between(0.6, 0.74)):
        pen.stamp("charge-barge", place.at(chance.between(0.80, 0.86), down), 4.2, palette["line"])


def _river(pen: Pen, place: Place, chance: Chance, palette: Mapping[str, str]) -> None:
    """A river along the open side, a bridge over it and the road there."""
    lean = chance.between(-0.03, 0.03)
    course = [place.at(0.66 + 0.07 * math.sin(i * 1.1) + lean * (i - 4), -0.1 + i * 0.15) for i in range(9)]
    _road(pen, [place.at(0.3, 0.52), place.at(0.66, 0.47), place.at(1.1, 0.54)], palette)
    bank = smooth(course, closed=False)
    for colour, width in (("line", 3.0), ("paper", 2.6), ("mid", 1.2), ("paper", 0.95)):
        pen.path(bank, stroke=palette[colour], width=width)
    middle = place.at(0.66 + 0.07 * math.sin(4 * 1.1), 0.49)
    pen.path(segment((middle.x - 2.6, middle.y), (middle.x + 2.6, middle.y)), stroke=palette["line"], width=1.5)
    pen.path(segment((middle.x - 2.8, middle.y), (middle.x + 2.8, middle.y)), stroke=palette["paper"], width=0.9)


def _roads(pen: Pen, place: Place, chance: Chance, palette: Mapping[str, str]) -> None:
    """Roads to all sides, hamlets on them."""
    for angle in (10, 75, 170, 255, 318):
        turn = angle + chance.between(-12, 12)
        way = [polar(place.centre, place.r * reach, turn + bend) for reach, bend in ((0.9, 0), (1.9, 7), (3.4, -3))]
        _road(pen, way, palette)
        house = polar(place.centre, place.r * 1.75, turn + 11)
        for dx, dy in ((0, 0), (1.5, 0.5), (0.5, 1.5)):
            corners = [(house.x + dx + 0.5 * across, house.y + dy + 0.35 * down) for across, down in _CORNERS]
            pen.path(loop(corners), palette["line"])


def _road(pen: Pen, way: list[Point], palette: Mapping[str, str]) -> None:
    pen.path(smooth(way, closed=False), stroke=palette["line"], width=0.75)
    pen.path(smooth(way, closed=False), stroke=palette["paper"], width=0.5)


def _fields(pen: Pen, place: Place, chance: Chance, palette: Mapping[str, str]) -> None:
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
        corners = [_turned(spot, wide * across, high * down, turn) for across, down in _CORNERS]
        pen.path(loop(corners), palette["tint"], palette["line"], 0.2)
        rows = [-0.75 + 0.25 * n for n in range(7)]
        pen.path(
            "".join(
                segment(_turned(spot, -wide * 0.9, high * row, turn), _turned(spot, wide * 0.9, high * row, turn))
                for row in rows
            ),
            stroke=palette["mid"],
            width=0.22,
        )


_KINDS: Mapping[str, Callable[[Pen, Place, Chance, Mapping[str, str]], None]] = {
    "siege": _siege,
    "coast": _coast,
    "river": _river,
    "roads": _roads,
    "fields": _fields,
}
