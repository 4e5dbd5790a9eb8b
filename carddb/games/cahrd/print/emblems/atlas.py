"""An officer's picture without known places: an imaginary land, a campaign across it, and the officer's banner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from carddb.games.cahrd.print.emblems import banner
from carddb.games.cahrd.print.emblems.pen import (
    Chance,
    Pen,
    Point,
    Window,
    apart,
    away,
    blob,
    box,
    coast,
    compass,
    grid,
    inside,
    neatline,
    ring,
    scaled,
    sea,
    smooth,
)
from carddb.games.cahrd.print.emblems.pen import hills as draw_hills

_NEATLINE = 0.9
_SEA = ((2.9, "sea-far"), (1.85, "sea-middle"), (0.95, "sea-near"))
"""Lines parallel to the coast: their distance in mm, and their colour."""
_TOWNS = (0.10, 0.34, 0.62, 0.90)
_TRIES = 60
_HILLS, _HILL_TRIES = 11, 400
_COMPASS = 3.5
_SHAPES = (
    (0.60, 0.50, 0.34, 0.40),
    (0.78, 0.50, 0.52, 0.62),
    (0.66, 0.10, 0.42, 0.62),
    (0.66, 0.90, 0.42, 0.62),
)
"""An island, a mainland, a northern and a southern coast: centre and extent as shares, with the banner in the west."""
_HOISTED = 15
"""The least height of a map with room for a banner, in mm."""


@dataclass(frozen=True, slots=True)
class _Land:
    """A land: its coast, centre and inland area, its west and east bounds apart from the banner, the place of the
    compass.
    """

    coast: Sequence[Point]
    middle: Point
    inland: Sequence[Point]
    west: float
    east: float
    rose: Point

    def free(self, spot: Point, rim: float) -> bool:
        """Returns whether a point is inland and more than `rim` mm from the compass."""
        return inside(spot, self.inland) and away(spot, self.rose) > rim


def draw(pen: Pen, window: Window, seed: str, cloth: banner.Cloth) -> None:
    """Draws the picture with its frame into the window."""
    chance = Chance(seed)
    sheet = window.inset(_NEATLINE)
    left = chance.below(2) == 0
    axis = sheet.at(0.185 if left else 0.815, 0).x
    land = _land(sheet, left, axis, chance)
    islands = _islands(sheet, left, land.coast, chance)
    towns = _towns(sheet, land, chance)
    hills = _hills(sheet, land, towns, chance)
    with pen.within(box(*sheet)):
        _sea(pen, sheet, [land.coast, *islands])
        _river(pen, land, chance)
        draw_hills(pen, [(spot, chance.between(1.15, 1.55)) for spot in hills])
        if len(towns) > 1:
            _march(pen, towns if not left else towns[::-1])
        compass(pen, land.rose, _COMPASS, "ink")
        if sheet.height >= _HOISTED:
            banner.draw(pen, Point(axis, sheet.y + 4.6), 10.4, sheet.height - 7.0, cloth, chance)
    neatline(pen, window, _NEATLINE, 3.2)


def _land(sheet: Window, left: bool, axis: float, chance: Chance) -> _Land:
    """Returns a land on the side away from the banner, which hangs at `axis` (mm)."""
    across, down, wide, high = _SHAPES[chance.below(len(_SHAPES))]
    middle = sheet.at(across if left else 1 - across, down + chance.between(-0.04, 0.04))
    rough = blob(middle, sheet.width * wide, sheet.height * high, chance, 0.34, 40, 7)
    shore = coast(rough, chance, 0.55)
    inland = scaled(shore, middle, 0.80, 0.72)
    edge = sheet.inset(3)
    west, east = max(edge.x, min(x for x, _ in inland)), min(edge.right, max(x for x, _ in inland))
    west, east = (max(west, axis + 8.8), east) if left else (west, min(east, axis - 8.8))
    rose = Point(sheet.right - 5.0 if left else sheet.x + 5.0, sheet.bottom - 4.7)
    return _Land(shore, middle, inland, west, east, rose)


def _islands(sheet: Window, left: bool, land: Sequence[Point], chance: Chance) -> list[list[Point]]:
    """Returns up to two islets; an islet that would touch the land is left out."""
    near = Point(
        sheet.at(0.36 if left else 0.64, 0).x + chance.between(-2, 2) - (4 if left else -4),
        sheet.at(0, chance.between(0.72, 0.86)).y,
    )
    first = blob(near, chance.between(2.2, 3.4), chance.between(1.2, 1.9), chance, 0.25, 14, 4)
    far = Point(sheet.at(0.92 if left else 0.08, 0).x + chance.between(-1, 1), sheet.at(0, chance.between(0.12, 0.3)).y)
    second = blob(far, chance.between(2.2, 3.6), chance.between(1.4, 2.2), chance, 0.25, 14, 4)
    return [
        islet
        for islet in (first, second)
        if not any(inside(point, land) for point in islet)
        and min(away(one, other) for one in islet for other in land) > 1
    ]


def _sea(pen: Pen, sheet: Window, lands: Sequence[Sequence[Point]]) -> None:
    pen.path(box(*sheet), "paper")
    pen.path(grid(sheet, 9, 4), stroke="mist", width=0.12)
    shore = "".join(smooth(land) for land in lands)
    sea(pen, shore, _SEA, 0.14)
    pen.path(shore, "buff", "ink", 0.26)


def _towns(sheet: Window, land: _Land, chance: Chance) -> list[Point]:
    """Returns the towns on the route of the march, from west to east."""
    towns: list[Point] = []
    edge = sheet.inset(2.5)
    margin = [edge.at(across, down) for across, down in ((0, 0), (1, 0), (1, 1), (0, 1))]
    for share in _TOWNS:
        for _ in range(_TRIES):
            x = land.west + (land.east - land.west) * (share + chance.between(-0.05, 0.05))
            spot = Point(x, sheet.at(0, chance.between(0.2, 0.8)).y)
            if inside(spot, margin) and land.free(spot, 5.6):
                towns.append(spot)
                break
    return towns


def _hills(sheet: Window, land: _Land, towns: Sequence[Point], chance: Chance) -> list[Point]:
    """Returns the places of hills, apart from each other and from the towns, from north to south."""
    hills: list[Point] = []
    for _ in range(_HILL_TRIES):
        if len(hills) == _HILLS:
            break
        spot = Point(chance.between(land.west, land.east), chance.between(sheet.y + 3.2, sheet.bottom - 1.6))
        clear = all(apart(spot, hill, 3.4, 1.9) for hill in hills) and all(
            apart(spot, (town.x, town.y + 0.6), 2.9, 2.2) for town in towns
        )
        if clear and land.free(spot, 5.4):
            hills.append(spot)
    return sorted(hills, key=lambda hill: hill.y)


def _river(pen: Pen, land: _Land, chance: Chance) -> None:
    """Draws a river from near the centre to the coast and beyond."""
    mouth = land.coast[chance.below(len(land.coast))]
    source = scaled([mouth], land.middle, 0.12)[0]
    course = []
    for i in range(7):
        along, aside, down = i / 6 * 1.15, chance.between(-0.9, 0.9) if i else 0, chance.between(-0.9, 0.9)
        course.append((source.x + (mouth.x - source.x) * along + aside, source.y + (mouth.y - source.y) * along + down))
    with pen.within(smooth(land.coast)):
        pen.strokes(smooth(course, closed=False), ("sea-near", 0.42), ("paper", 0.16))


def _march(pen: Pen, towns: Sequence[Point]) -> None:
    way = smooth(towns, closed=False)
    pen.path(way, stroke="buff", width=1.0)
    pen.path(way, stroke="red", width=0.5, dash="1.3 0.75")
    *passed, last = towns
    for town in passed:
        pen.path(ring(*town, 0.75), "paper", "ink", 0.22)
        pen.path(ring(*town, 0.25), "ink")
    pen.path(ring(*last, 1.75), "paper", "ink", 0.2)
    pen.stamp("charge-swords", last, 2.7, "red")
