"""The pictures of strategies and tactics: plans of fortresses and of battles."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from carddb.games.cahrd.print.pen import (
    Chance,
    Pen,
    PictureWindow,
    Point,
    away,
    blob,
    box,
    chain,
    chamfered,
    compass,
    grid,
    loop,
    polar,
    polygon,
    rectangle,
    ring,
    scaled,
    segment,
    smooth,
    turned,
)

_SEA = ((2.4, 0.12), (1.5, 0.14), (0.7, 0.17))
"""The lines parallel to a coast: the distance of each from it, and the line's width, in mm."""
_PLOTS, _PLOT_TRIES = 7, 300


@dataclass(frozen=True, slots=True)
class FortressPlace:
    """A fortress in a window: its centre and radius, and the side with more room beside it (-1 left, 1 right)."""

    window: PictureWindow
    centre: Point
    r: float
    side: int

    def at(self, across: float, down: float) -> Point:
        """Returns a point `across` half windows from the fortress to the open side, `down` as a share of the height."""
        room = self.window.width / 2
        return Point(self.centre.x + self.side * room * across, self.window.at(0, down).y)


def _siege(pen: Pen, place: FortressPlace, chance: Chance) -> None:
    """Draws two siege trenches, the saps between them, and three batteries."""
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


def _coast(pen: Pen, place: FortressPlace, chance: Chance) -> None:
    """Draws the sea on the open side, with two ships."""
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


def _river(pen: Pen, place: FortressPlace, chance: Chance) -> None:
    """Draws a river along the open side, with a bridge and a road."""
    lean = chance.between(-0.03, 0.03)
    course = [place.at(0.66 + 0.07 * math.sin(i * 1.1) + lean * (i - 4), -0.1 + i * 0.15) for i in range(9)]
    _road(pen, [place.at(0.3, 0.52), place.at(0.66, 0.47), place.at(1.1, 0.54)])
    pen.strokes(smooth(course, closed=False), ("line", 3.0), ("paper", 2.6), ("mid", 1.2), ("paper", 0.95))
    middle = place.at(0.66 + 0.07 * math.sin(4 * 1.1), 0.49)
    pen.path(segment((middle.x - 2.6, middle.y), (middle.x + 2.6, middle.y)), stroke="line", width=1.5)
    pen.path(segment((middle.x - 2.8, middle.y), (middle.x + 2.8, middle.y)), stroke="paper", width=0.9)


def _roads(pen: Pen, place: FortressPlace, chance: Chance) -> None:
    """Draws roads to all sides, with hamlets."""
    for angle in (10, 75, 170, 255, 318):
        turn = angle + chance.between(-12, 12)
        way = [polar(place.centre, place.r * reach, turn + bend) for reach, bend in ((0.9, 0), (1.9, 7), (3.4, -3))]
        _road(pen, way)
        house = polar(place.centre, place.r * 1.75, turn + 11)
        is_whole = place.window.y + 1.6 < house.y < place.window.bottom - 3
        for dx, dy in ((0, 0), (1.5, 0.5), (0.5, 1.5)) if is_whole else ():
            pen.path(loop(rectangle((house.x + dx, house.y + dy), 0.5, 0.35)), "line")


def _road(pen: Pen, way: list[Point]) -> None:
    pen.strokes(smooth(way, closed=False), ("line", 0.75), ("paper", 0.5))


def _surrounding_fields(pen: Pen, place: FortressPlace, chance: Chance) -> None:
    """Draws ploughed plots on the open side, apart from each other and from the walls."""
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


_KINDS: Mapping[str, Callable[[Pen, FortressPlace, Chance], None]] = {
    "siege": _siege,
    "coast": _coast,
    "river": _river,
    "roads": _roads,
    "fields": _surrounding_fields,
}
_UP = -90.0
_HATCHES = 9
_GLACIS = 1.40
"""The radius of the foot of the slope at the bastions, as a multiple of the fortress's."""


def draw_fortress(pen: Pen, window: PictureWindow, seed: str, around: str) -> None:
    """Draws a fortress into the window; `around` is the name of its surroundings, such as `siege` or `coast`."""
    chance = Chance(seed)
    bastions = 4 + chance.below(5)
    side = -1 if chance.below(2) else 1
    centre, r = window.at(0.5, 0.5), min((window.height / 2 - 1.3) / _GLACIS, 0.25 * window.width)
    with pen.within(box(*window)):
        pen.path(box(*window), "paper")
        pen.path(_fields(window, chance), stroke="mid", width=0.13)
        _KINDS[around](pen, FortressPlace(window, centre, r, side), chance)
        rose = Point(window.x + 6 if side > 0 else window.right - 6, window.bottom - 5.9)
        compass(pen, rose, min(3.6, r * 0.32), "line")
        _scale_bar(pen, Point(window.x + 2.6 if side > 0 else window.right - 10.6, window.y + 2.8))
    _glacis(pen, centre, r, bastions)
    _walls(pen, centre, r, bastions)
    _streets(pen, centre, r, bastions)
    pen.path(box(*window), stroke="line", width=0.65)
    pen.path(box(*window.inset(0.95)), stroke="line", width=0.14)


def _fields(window: PictureWindow, chance: Chance) -> str:
    rows = []
    for row in range(8):
        points = [
            (
                window.x - 3 + i * (window.width + 6) / 11,
                window.at(0, 0.02 + 0.135 * row).y + 1.3 * math.sin(i * 0.95 + row * 0.6) + chance.between(-0.3, 0.3),
            )
            for i in range(12)
        ]
        rows.append(smooth(points, closed=False))
    return "".join(rows)


def _zigzag(centre: Point, far: float, near: float, bastions: int) -> list[Point]:
    """Returns the corners of a line outside the walls, at the radius `far` at bastions and `near` between them."""
    return [polar(centre, near if i % 2 else far, _UP + i * 180 / bastions) for i in range(2 * bastions)]


def _glacis(pen: Pen, centre: Point, r: float, bastions: int) -> None:
    """Draws the covered way and the slope outside it, with hatching downhill."""
    way, foot = _zigzag(centre, r * 1.13, r * 0.98, bastions), _zigzag(centre, r * _GLACIS, r * 1.22, bastions)
    pen.path(loop(foot), "paper", "paper", 1.2)
    hatches = []
    for i in range(2 * bastions):
        j = (i + 1) % (2 * bastions)
        for step in range(_HATCHES):
            along, length = step / _HATCHES, 0.5 if step % 3 else 0.78
            a, b = _between(way[i], way[j], along), _between(foot[i], foot[j], along)
            hatches.append(segment(a, _between(a, b, length)))
    pen.path("".join(hatches), stroke="line", width=0.12)
    pen.path(loop(way), "tint", "line", 0.28)
    pen.path(loop(scaled(way, centre, 0.955)), stroke="line", width=0.12)


def _between(a: Point, b: Point, share: float) -> Point:
    return Point(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)


def _walls(pen: Pen, centre: Point, r: float, bastions: int) -> None:
    """Draws a ravelin outside every curtain wall, then the walls, whose bastions reach the radius `r`."""
    step = 360 / bastions
    outer, inner = [], []
    for i in range(bastions):
        angle, half = _UP + (i + 0.5) * step, step * 0.135
        outer.append(_arrowhead(centre, r, (0.915, 0.735, 0.69), angle, half))
        inner.append(_arrowhead(centre, r, (0.85, 0.745, 0.725), angle, half * 0.52))
    pen.path("".join(outer), "paper", "line", 0.3)
    pen.path("".join(inner), stroke="line", width=0.12)
    trace = _trace(centre, r, bastions)
    pen.path(loop(trace), "paper", "line", 0.55)
    pen.path(loop(scaled(trace, centre, 0.90)), "tint", "line", 0.15)


def _arrowhead(centre: Point, r: float, reach: tuple[float, float, float], angle: float, half: float) -> str:
    tip, wing, notch = reach
    points = [(tip, angle), (wing, angle - half), (notch, angle), (wing, angle + half)]
    return loop(polar(centre, r * share, at) for share, at in points)


def _trace(centre: Point, r: float, bastions: int) -> list[Point]:
    """Returns the corners of the walls: gorge, flank and salient of each bastion; the salients are at radius `r`."""
    corners = polygon(centre, r * 0.70, bastions, _UP)
    flank = r * 0.105
    out = []
    for i, corner in enumerate(corners):
        pairs = [_shoulder(centre, corner, corners[j % bastions], flank) for j in (i - 1, i + 1)]
        (gorge, shoulder), (next_gorge, next_shoulder) = pairs
        out += [gorge, shoulder, polar(centre, r, _UP + i * 360 / bastions), next_shoulder, next_gorge]
    return out


def _shoulder(centre: Point, corner: Point, other: Point, flank: float) -> tuple[Point, Point]:
    dx, dy = other.x - corner.x, other.y - corner.y
    length = math.hypot(dx, dy)
    ux, uy = dx / length, dy / length
    nx, ny = uy, -ux
    if (corner.x + other.x - 2 * centre.x) * nx + (corner.y + other.y - 2 * centre.y) * ny < 0:
        nx, ny = -nx, -ny
    gorge = _between(corner, other, 0.20)
    return gorge, Point(gorge.x + (nx - ux * 0.12) * flank, gorge.y + (ny - uy * 0.12) * flank)


def _streets(pen: Pen, centre: Point, r: float, bastions: int) -> None:
    pen.path(loop(polygon(centre, r * 0.52, bastions)), "paper", "line", 0.2)
    step = 360 / bastions
    ways = []
    for i in range(bastions):
        for share, reach in ((0.0, 0.52), (0.5, 0.52 * math.cos(math.radians(step / 2)))):
            angle = _UP + (i + share) * step
            ways.append(segment(polar(centre, r * 0.15, angle), polar(centre, r * reach, angle)))
    pen.path("".join(ways) + loop(polygon(centre, r * 0.33, bastions)), stroke="line", width=0.16)
    pen.path(loop(polygon(centre, r * 0.15, bastions)), "paper", "line", 0.25)
    pen.path(ring(*centre, r * 0.05), "line")


def _scale_bar(pen: Pen, corner: Point) -> None:
    pen.path(box(corner.x - 0.5, corner.y - 0.6, 8.0, 2.0), "paper")
    for dark in (False, True):
        bars = [box(corner.x + i * 1.75, corner.y, 1.75, 0.8) for i in range(4) if (i % 2 == 0) == dark]
        pen.path("".join(bars), "line" if dark else "paper", "line", 0.15)


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
"""The places of hills, as shares of the window; one row is chosen for each picture."""


@dataclass(frozen=True, slots=True)
class _Side:
    """The side from which the player's army comes; manoeuvres are written for the west, and mirrored if necessary."""

    window: PictureWindow
    east: bool
    south: bool

    def at(self, across: float, down: float) -> Point:
        """Returns the point at a share `across` of the width and `down` of the height, mirrored for this side."""
        return self.window.at(1 - across if self.east else across, 1 - down if self.south else down)

    def turned(self, degrees: float) -> float:
        return degrees if self.east == self.south else -degrees


def draw_battle(pen: Pen, window: PictureWindow, seed: str, manoeuvre: Mapping[str, Any]) -> None:
    """Draws a `manoeuvre`, a row of the game's table of units, arrows and field works, in shares of the window."""
    chance = Chance(seed)
    frame = chamfered(*window, _CUT)
    grown = max(0.8, min(math.sqrt(window.height * window.width / 1.95) / _USUAL, 1.8))
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


def _ground(pen: Pen, window: PictureWindow, chance: Chance) -> None:
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
    """Returns an arrow along a curve with the `ends` start, control point and end, from the width `tail` to `neck`."""
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
