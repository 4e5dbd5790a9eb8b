"""An officer's picture: a banner beside a campaign on a real map, or in an invented land if its places are unknown."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor
from typing import Any, NamedTuple

from carddb.games.cahrd.print.pen import (
    Chance,
    Pen,
    PictureWindow,
    Point,
    apart,
    away,
    blob,
    box,
    chain,
    coast,
    compass,
    grid,
    hills,
    inside,
    loop,
    neatline,
    ring,
    scaled,
    sea,
    segment,
    smooth,
)

_POLED = 0.74
"""The factor by which a cloth that hangs along its pole is narrower."""
_FOOT = 0.5
"""The length of the pole below its cloth, in mm: it ends inside the map."""
_PAIR = re.compile(r"([\d.]+)\s+([\d.]+)")


@dataclass(frozen=True, slots=True)
class Cloth:
    """A banner to draw: the cut of the cloth in shares of its size, its colour, and the drawing on it (the charge)."""

    cut: str
    colour: str
    charge: str
    poled: bool = False
    """True if the cloth hangs along its pole, False if from a bar."""

    def outline(self, area: PictureWindow) -> str:
        """Returns the outline of the cloth in a window."""
        points = (area.at(float(x), float(y)) for x, y in _PAIR.findall(self.cut))
        return _PAIR.sub(lambda _: "{:.2f} {:.2f}".format(*next(points)), self.cut)


def _hoist(pen: Pen, top: Point, width: float, height: float, cloth: Cloth, chance: Chance) -> None:
    """Draws a banner; `top` is the centre of its upper edge."""
    width = width * _POLED if cloth.poled else width
    area = PictureWindow(top.x - width / 2 + (0.6 if cloth.poled else 0), top.y, width, height)
    shape = cloth.outline(area)
    pen.path(shape, "paper", "paper", 2.4)
    if cloth.poled:
        pen.path(segment((area.x - 0.9, top.y - 1.6), (area.x - 0.9, area.bottom + _FOOT)), stroke="paper", width=2.4)
    else:
        pen.path(segment((area.x - 2.1, top.y), (area.right + 2.1, top.y)), stroke="paper", width=2.4, cap="round")
    division = chance.below(4)
    with pen.within(shape):
        size, colour = _division(pen, division, area, cloth.colour)
    pen.stamp(f"charge-{cloth.charge}", area.at(0.5, 0.42), size, colour)
    if division == 0:
        hem = PictureWindow(area.at(0.5, 0).x - width * 0.42, top.y + height * 0.046, width * 0.84, height * 0.90)
        pen.path(cloth.outline(hem), stroke="paper", width=0.22)
    pen.path(shape, stroke="ink", width=0.3)
    if cloth.poled:
        _pole(pen, area, cloth.colour)
    else:
        _bar(pen, area.x - 1.5, area.right + 1.5, top.y, cloth.colour)


def _division(pen: Pen, division: int, area: PictureWindow, colour: str) -> tuple[float, str]:
    """Draws the pattern `division` (0 to 3) of a cloth; returns the size (mm) and the colour of the charge on it."""
    x, y, width, height = area
    if division == 0:
        pen.path(box(*area), colour)
        return width * 0.66, "paper"
    pen.path(box(*area), "paper")
    head = box(x, y, width, height * 0.09)
    if division == 1:
        pen.path(box(x, y, width * 0.2, height) + box(x + width * 0.8, y, width * 0.2, height), colour)
        return width * 0.56, colour
    if division == 2:
        foot = [(0, 1), (0, 0.80), (0.5, 0.60), (1, 0.80), (1, 1)]
        pen.path(loop(area.at(across, down) for across, down in foot) + head, colour)
    else:
        bars = [box(x, y + height * (0.70 + i * 0.08), width, height * 0.04) for i in range(4)]
        pen.path("".join(bars) + head, colour)
    return width * 0.66, colour


def _pole(pen: Pen, area: PictureWindow, colour: str) -> None:
    """Draws the pole along the side of a cloth, its crossbar and loops, and the knob at its top."""
    x, y = area.x - 0.9, area.y
    pen.path(segment((x, y - 1.6), (x, area.bottom + _FOOT)), stroke="ink", width=0.55, cap="round")
    pen.path(segment((area.x - 1.5, y - 0.05), (area.right + 0.3, y - 0.05)), stroke="ink", width=0.4, cap="round")
    loops = [y + 1 + i * (area.height - 2) / 5 for i in range(6)]
    pen.path("".join(segment((x, at), (area.x + 0.1, at)) for at in loops), stroke="ink", width=0.35)
    pen.path(ring(x, y - 2.1, 0.7), colour, "ink", 0.2)


def _bar(pen: Pen, left: float, right: float, y: float, colour: str) -> None:
    """Draws the bar from which a banner hangs, with knobs at its ends and a cord over its centre."""
    middle = (left + right) / 2
    pen.path(segment((left, y), (right, y)), stroke="ink", width=0.6, cap="round")
    pen.path(ring(left - 0.3, y, 0.62) + ring(right + 0.3, y, 0.62), colour, "ink", 0.2)
    pen.path(chain([(left + 0.4, y), (middle, y - 3.2), (right - 0.4, y)]), stroke="ink", width=0.22)
    pen.path(ring(middle, y - 3.3, 0.5), "ink")


_UNIT = 0.01
"""The unit of the numbers in the table of coasts, in degrees."""


class Region(NamedTuple):
    """A part of the earth between two meridians and two parallels, in degrees east and north."""

    west: float
    south: float
    east: float
    north: float


_Stretch = tuple[list[Point], Region]
"""Successive points of a coast, and their bounds."""
_LONG = 48
"""The most points of a stretch. Of Eurasia (6,628 points), a map needs a few stretches, and the ends of the others:
clipping takes 0.5 ms instead of 6 ms for all points."""


def land_in(region: Region, table: str) -> Iterator[Sequence[Point]]:
    """Yields the outlines of land and of inland seas, clipped to a region, as longitude and latitude in degrees.

    `table` has the coasts of the game's `land.yaml`, an outline in each line. A region may reach beyond 180 degrees.
    """
    turns = [0.0, *([-360.0] if region.west < -180 else []), *([360.0] if region.east > 180 else [])]
    for turn in turns:
        here = Region(region.west - turn, region.south, region.east - turn, region.north)
        for stretches, bounds in _coasts(table):
            if _apart(bounds, here):
                continue
            outline = _cut(_near(stretches, here), bounds, here)
            if len(outline) > 2:
                yield [Point(x + turn, y) for x, y in outline] if turn else outline


@lru_cache(maxsize=1)
def _coasts(table: str) -> list[tuple[list[_Stretch], Region]]:
    """Returns each coast in the table as its stretches and its bounds; cached because reading the table takes 30 ms."""
    coasts = []
    for line in table.splitlines():
        numbers = [int(number) for number in line.split()]
        x = y = 0
        outline = []
        for dx, dy in zip(numbers[::2], numbers[1::2], strict=True):
            x, y = x + dx, y + dy
            outline.append(Point(x * _UNIT, y * _UNIT))
        parts = [outline[at : at + _LONG] for at in range(0, len(outline), _LONG)]
        coasts.append(([(part, _bounds(part)) for part in parts], _bounds(outline)))
    return coasts


def _bounds(points: Sequence[Point]) -> Region:
    across, down = [point.x for point in points], [point.y for point in points]
    return Region(min(across), min(down), max(across), max(down))


def _near(stretches: Sequence[_Stretch], region: Region) -> list[Point]:
    """Returns the points of a coast, but of stretches outside the region only the ends, which suffice for clipping."""
    points: list[Point] = []
    for part, bounds in stretches:
        points += (part[0], part[-1]) if _apart(bounds, region) else part
    return points


def _apart(a: Region, b: Region) -> bool:
    return a.east <= b.west or a.west >= b.east or a.north <= b.south or a.south >= b.north


def _cut(outline: Sequence[Point], bounds: Region, region: Region) -> Sequence[Point]:
    """Returns an outline, which lies in `bounds`, clipped at each side of a region (Sutherland and Hodgman, 1974)."""
    for side, axis, sign in ((0, 0, 1), (2, 0, -1), (1, 1, 1), (3, 1, -1)):  # west, east, south, north
        if sign * bounds[side] < sign * region[side]:
            outline = _cut_at(outline, axis, sign, region[side])
    return outline


def _cut_at(outline: Sequence[Point], axis: int, sign: int, limit: float) -> Sequence[Point]:
    """Returns the part of an outline east of a meridian (axis 0) or north of a parallel; west, south for `sign` -1."""
    inside = [sign * point[axis] >= sign * limit for point in outline]
    out: list[Point] = []
    for at, b in enumerate(outline):
        if inside[at] != inside[at - 1]:
            a, other = outline[at - 1], 1 - axis
            crossing = a[other] + (b[other] - a[other]) * (limit - a[axis]) / (b[axis] - a[axis])
            out.append(Point(crossing, limit) if axis else Point(limit, crossing))
        if inside[at]:
            out.append(b)
    return out


_WRITTEN_OUT = re.compile(r"(.*\S)\s+(-?\d+(?:\.\d+)?)\s+(-?\d+(?:\.\d+)?)")
_HIGH, _LEAST_HIGH = 7.0, 1.3
"""The height of a map in degrees: around a single place, and the least around several places."""


class CampaignPlace(NamedTuple):
    """A place of a campaign in degrees north and east, and the drawing there if the campaign ends at the place."""

    name: str
    north: float
    east: float
    goal: str = "swords"


def places_of(campaign: Iterable[str], realm: str, gazetteer: Mapping[str, Any]) -> list[CampaignPlace]:
    """Returns the places of a campaign in order, or, if it has none, the place after which a realm is named.

    A place not in the gazetteer is written with its latitude and longitude: `Dvin 40.0 44.6`. Others are left out.
    """
    known = gazetteer["places"]
    places = [place for name in campaign if (place := place_named(name, known))]
    return _joined(places) or [CampaignPlace(realm, *known[realm]) for realm in [realm] if realm in known]


def _joined(places: Sequence[CampaignPlace]) -> list[CampaignPlace]:
    """Returns the places with full turns added to longitudes; successive places are at most 180 degrees apart."""
    joined: list[CampaignPlace] = []
    for place in places:
        before = joined[-1].east if joined else place.east
        joined.append(place._replace(east=place.east + 360 * round((before - place.east) / 360)))
    return joined


def place_named(name: str, known: Mapping[str, Any]) -> CampaignPlace | None:
    """Returns a place of the gazetteer, or a place written with its degrees; None for any other name."""
    name = name.strip()
    if name in known:
        return CampaignPlace(name, *known[name])
    parts = _WRITTEN_OUT.fullmatch(name)
    place = CampaignPlace(parts[1], float(parts[2]), float(parts[3])) if parts else None
    return place if place and abs(place.north) < 80 and abs(place.east) <= 180 else None


@dataclass(frozen=True, slots=True)
class MapChart:
    """An equirectangular map, true to scale on its middle parallel; `scale` is in millimetres for a degree north."""

    window: PictureWindow
    centre: Point
    """The centre of the places on the paper, in mm."""
    east: float
    north: float
    """The centre of the places in degrees."""
    scale: float
    shrink: float
    """The length of a degree east as a share of a degree north."""

    def at(self, east: float, north: float) -> Point:
        """Returns the point on the paper (mm) for a longitude and a latitude."""
        x = self.centre.x + (east - self.east) * self.scale * self.shrink
        return Point(x, self.centre.y - (north - self.north) * self.scale)

    def region(self, margin: float) -> Region:
        """Returns the region that the window shows, with a margin in millimetres."""
        west = self.east + (self.window.x - margin - self.centre.x) / (self.scale * self.shrink)
        east = self.east + (self.window.right + margin - self.centre.x) / (self.scale * self.shrink)
        north = self.north + (self.centre.y - self.window.y + margin) / self.scale
        south = self.north - (self.window.bottom + margin - self.centre.y) / self.scale
        return Region(west, south, east, north)


def chart_of(places: Sequence[CampaignPlace], window: PictureWindow, room: PictureWindow) -> MapChart:
    """Returns the largest map in a window on which all places are inside `room`, a part of the window."""
    east, west = max(place.east for place in places), min(place.east for place in places)
    north, south = max(place.north for place in places), min(place.north for place in places)
    middle = (north + south) / 2
    shrink = math.cos(math.radians(middle))
    across, down = (east - west) * shrink, north - south
    scale = window.height / (_LEAST_HIGH if len(places) > 1 else _HIGH)
    if across:
        scale = min(scale, room.width / across)
    if down:
        scale = min(scale, room.height / down)
    return MapChart(window, room.at(0.5, 0.5), (east + west) / 2, middle, scale, shrink)


_NEATLINE = 0.9
_HOISTED = 12
"""The least height of a map with room for a banner, in mm."""
_BANNER, _LONGEST, _SQUAREST, _AXIS = 10.4, 19.5, 0.8, 0.185
_MARGIN = 3.0
"""The margin around the window in mm within which land is drawn, so that its clipped edge is invisible."""
_FINE = 0.3
"""The least distance between drawn points of a coast, in mm; the pen is about as thick."""
_RULED = 0.72
"""The distance between two lines of the sea, in mm."""
_ROSE, _TITLE = 2.9, 4.9
_HILL, _HILLS_APART, _HILL_STEP = 1.2, (2.9, 1.8), 2.7
_TRIES = 45
"""The number of places that are tried for the hills of an invented land."""
_CLOSE, _SLOPES = 5.0, ((1.6, 2.1), (-1.6, -2.1))
"""The scale (mm for a degree) above which a range also has hills beside its crest, and their offsets in mm."""
_GRATICULE = (0.5, 1, 2, 5, 10, 20)
_FIELD = 5.5
"""The least distance between meridians in mm; the step in degrees is chosen from `_GRATICULE` accordingly."""
_CROSS = 0.5
_BESIDE = 1.6
"""The distance between the words of the title and the ends of its panel, in mm."""
_CLEAR, _CLEAR_OF_GOAL = 2.6, 3.3
"""The least distance of places from the edge of the map and from the title's panel, and of the goal, whose ring is
larger, from the panel, in mm."""


def draw_real_land(
    pen: Pen,
    window: PictureWindow,
    places: Sequence[CampaignPlace],
    cloth: Cloth,
    ground: Mapping[str, Any],
    coasts: str,
    width_of: Callable[[str], float],
) -> None:
    """Draws a campaign on a framed real map; `ground` has rivers, lakes and ranges, `coasts` the table for `land_in`.

    The banner is on the left of every card, so that all banners are visible in a fan of cards. The title names the
    first and last place, or the last if both are too wide or take a fifth of the map; `width_of` is a width in mm.
    """
    sheet, left = window.inset(_NEATLINE), _beside_banner(window)
    west = left - 2.4 if sheet.height >= _HOISTED else sheet.x
    title = f"{places[0].name} \u2013 {places[-1].name}" if len(places) > 1 else places[0].name
    broadest = min(sheet.right - west, sheet.width * sheet.height / _TITLE / 5)
    title = title if width_of(title) + 2 * _BESIDE <= broadest else places[-1].name
    chart, caption = _titled_chart(places, sheet, left, west, width_of(title) + 2 * _BESIDE)
    march = [chart.at(place.east, place.north) for place in places]
    rose = _rose(sheet, left - 2.4, march, caption)
    with pen.within(box(*sheet)):
        _ground(pen, chart, ground, coasts)
        clear = [*march, *([rose] if rose else [])]
        feet = _feet(chart, ground["ranges"], clear, caption, left - 2 if sheet.height >= _HOISTED else sheet.x)
        _furnish(pen, feet, march, places[-1].goal, rose)
    _raise(pen, sheet, cloth, Chance(title))
    pen.path(box(*caption), "paper", "ink", 0.18)
    neatline(pen, window, _NEATLINE, 3.2)
    pen.title(title, caption.at(0.5, 0).x, caption.bottom - 1.65, "middle")


def _titled_chart(
    places: Sequence[CampaignPlace], sheet: PictureWindow, left: float, west: float, wide: float
) -> tuple[MapChart, PictureWindow]:
    """Returns the largest map with a corner that is free for a title, `wide` mm wide, and that corner.

    The places lie to the right of `left`; a title on the left begins at `west`. If the campaign reaches every corner,
    it is moved above the title, which is in the lower right corner.
    """
    corners = [
        PictureWindow(x, y, wide, _TITLE) for y in (sheet.bottom - _TITLE, sheet.y) for x in (sheet.right - wide, west)
    ]
    top = sheet.y + _CLEAR
    for bottom in (sheet.bottom - _CLEAR, sheet.bottom - _CLEAR - _TITLE, sheet.bottom - _CLEAR_OF_GOAL - _TITLE):
        chart = chart_of(places, sheet, PictureWindow(left, top, sheet.right - 4.2 - left, max(bottom - top, 2)))
        path = list(_along([chart.at(place.east, place.north) for place in places], 1))
        for corner in corners:
            around = [(corner.inset(-_CLEAR), spot) for spot in path] + [(corner.inset(-_CLEAR_OF_GOAL), path[-1])]
            if not any(area.x < x < area.right and area.y < y < area.bottom for area, (x, y) in around):
                return chart, corner
    return chart, corners[0]


def draw_imaginary_land(pen: Pen, window: PictureWindow, seed: str, cloth: Cloth) -> None:
    """Draws the picture of an officer without known places: a campaign across an invented land."""
    chance, sheet, left = Chance(seed), window.inset(_NEATLINE), _beside_banner(window)
    room = PictureWindow(left, sheet.y, sheet.right - left, sheet.height)
    middle = room.at(chance.between(0.4, 0.6), chance.between(0.25, 0.75))
    wide, high = room.width * chance.between(0.55, 0.7), room.height * chance.between(0.55, 0.8)
    shore = coast(blob(middle, wide, high, chance, 0.34, 40, 7), chance, 0.55)
    inland, rose = scaled(shore, middle, 0.88), Point(sheet.right - 5, sheet.bottom - 5)
    spots = [room.at(share, chance.between(0.22, 0.78)) for share in (0.93, 0.64, 0.35, 0.06)]
    march = [spot for spot in spots if inside(spot, inland) and away(spot, rose) > 5.6] or [middle]
    feet: list[Point] = []
    for _ in range(_TRIES):
        foot = room.inset(2).at(chance.unit(), chance.unit())
        clear = all(apart(foot, (x, y + 0.7), 2.9, 2.2) for x, y in (*march, *feet)) and away(foot, rose) > 5.4
        if clear and inside(foot, inland):
            feet.append(foot)
    with pen.within(box(*sheet)):
        _water(pen, sheet, smooth(shore))
        _furnish(pen, sorted(feet, key=lambda foot: foot.y), march, "swords", rose)
    _raise(pen, sheet, cloth, chance)
    neatline(pen, window, _NEATLINE, 3.2)


def _beside_banner(window: PictureWindow) -> float:
    """Returns the left edge of the part of a map beside the banner, in mm."""
    sheet = window.inset(_NEATLINE)
    return sheet.at(_AXIS, 0).x + 9.2 if sheet.height >= _HOISTED else sheet.x + 3.5


def _furnish(pen: Pen, feet: Iterable[Point], march: Sequence[Point], goal: str, rose: Point | None) -> None:
    """Draws hills (`feet` are the middles of their bases), the march and the compass."""
    hills(pen, [(foot, _HILL) for foot in feet])
    _march(pen, march, goal)
    if rose:
        compass(pen, rose, _ROSE, "ink")


def _raise(pen: Pen, sheet: PictureWindow, cloth: Cloth, chance: Chance) -> None:
    """Draws the banner over the map, if there is room, as separate `ClippedParts`: some faces have only the banner."""
    if sheet.height >= _HOISTED:
        length = min(sheet.height - 6.4, _LONGEST)
        wide = min(_BANNER, _SQUAREST * length)
        with pen.within(box(*sheet)):
            _hoist(pen, Point(sheet.at(_AXIS, 0).x, sheet.y + 4.6), wide, length, cloth, chance)


def _rose(sheet: PictureWindow, left: float, march: Sequence[Point], title: PictureWindow) -> Point | None:
    """Returns the centre of the compass: the free corner farthest from the campaign; None if none is far enough."""
    path = list(_along(march, 1.5))
    reach = _ROSE * 1.12 + 0.5
    roses = [Point(x, y) for x in (sheet.right - reach, left + reach) for y in (sheet.y + reach, sheet.bottom - reach)]
    free = {
        rose: min(max(abs(rose.x - x), abs(rose.y - y)) for x, y in path) - reach
        for rose in roses
        if not _overlap(title, PictureWindow(rose.x - reach, rose.y - reach, 2 * reach, 2 * reach))
    }
    best = max(free, key=free.__getitem__, default=None)
    return best if best and free[best] > 0.6 else None


def _overlap(a: PictureWindow, b: PictureWindow) -> bool:
    return a.x < b.right and b.x < a.right and a.y < b.bottom and b.y < a.bottom


def _along(way: Sequence[Point], step: float) -> Iterator[Point]:
    """Yields points on straight lines from point to point, at most `step` apart, including the corners."""
    yield way[0]
    for a, b in pairwise(way):
        parts = int(away(a, b) / step) + 1
        for i in range(1, parts + 1):
            yield Point(a.x + (b.x - a.x) * i / parts, a.y + (b.y - a.y) * i / parts)


def _ground(pen: Pen, chart: MapChart, ground: Mapping[str, Any], coasts: str) -> None:
    """Draws the sea, land with crosses of meridians and parallels, rivers and lakes."""
    sheet, region = chart.window, chart.region(_MARGIN)
    level = _water(pen, sheet, "".join(_outline(chart, coast) for coast in land_in(region, coasts)))
    pen.path(_graticule(chart), stroke="rings", width=0.13)
    for course in ground["rivers"]:
        if _seen(course, region):
            bed = smooth([chart.at(east, north) for north, east in course], closed=False)
            pen.strokes(bed, ("buff", 0.9), ("sea-near", 0.34))
    for lake in ground["lakes"]:
        if _seen(lake, region):
            water = smooth([chart.at(east, north) for north, east in lake])
            pen.path(water, "paper", "ink", 0.36)
            with pen.within(water):
                pen.path(level, stroke="sea-near", width=0.13)


def _water(pen: Pen, sheet: PictureWindow, shore: str) -> str:
    """Draws the sea, the coast with a line of shallow water, and land; returns the outline of the lines of the sea."""
    pen.path(box(*sheet), "paper")
    rows = int(sheet.height / _RULED) + 1
    level = "".join(segment((sheet.x, y), (sheet.right, y)) for y in (sheet.y + i * _RULED for i in range(1, rows)))
    pen.path(level, stroke="sea-near", width=0.13)
    pen.strokes(shore, ("sea-near", 1.5), ("paper", 1.24), ("ink", 0.5))
    pen.path(shore, "buff")
    return level


def _graticule(chart: MapChart) -> str:
    """Returns crosses at the intersections of meridians and parallels at round numbers of degrees."""
    region = chart.region(0)
    step = next((step for step in _GRATICULE if step * chart.scale * chart.shrink >= _FIELD), _GRATICULE[-1])
    xs = [chart.at(n * step, 0).x for n in range(ceil(region.west / step), floor(region.east / step) + 1)]
    ys = [chart.at(0, n * step).y for n in range(ceil(region.south / step), floor(region.north / step) + 1)]
    arm = _CROSS
    return "".join(segment((x - arm, y), (x + arm, y)) + segment((x, y - arm), (x, y + arm)) for x in xs for y in ys)


def _outline(chart: MapChart, coast: Iterable[Point]) -> str:
    """Returns the outline of a coast on the paper, without details finer than the pen; empty if nothing is left."""
    points: list[Point] = []
    for east, north in coast:
        point = chart.at(east, north)
        if not points or abs(point.x - points[-1].x) + abs(point.y - points[-1].y) > _FINE:
            points.append(point)
    return loop(points) if len(points) > 2 else ""


def _seen(line: Sequence[Sequence[float]], region: Region) -> bool:
    """Returns whether a line of points (north, east) may cross a region."""
    return not _apart(_bounds([Point(east, north) for north, east in line]), region)


def _feet(
    chart: MapChart,
    ranges: Iterable[Sequence[Sequence[float]]],
    clear: Sequence[Point],
    caption: PictureWindow,
    left: float,
) -> list[Point]:
    """Returns the feet of hills along `ranges`, apart from each other, the points `clear`, the title and the banner."""
    sheet, region, feet = chart.window, chart.region(0), list[Point]()
    for line in ranges:
        if not _seen(line, region):
            continue
        crest = list(_along([chart.at(east, north) for north, east in line], _HILL_STEP))
        slopes = [Point(x + dx, y + dy) for x, y in crest for dx, dy in _SLOPES] if chart.scale > _CLOSE else []
        for foot in (*crest, *slopes):
            free = (
                left < foot.x < sheet.right - 1.2
                and sheet.y + 2.2 < foot.y < sheet.bottom - 0.5
                and all(apart(foot, other, *_HILLS_APART) for other in feet)
                and all(apart(foot, (spot.x, spot.y + 0.7), 2.6, 2.1) for spot in clear)
                and not _overlap(caption, PictureWindow(foot.x - 1.6, foot.y - 2, 3.2, 2.4))
            )
            if free:
                feet.append(foot)
    return feet


def _march(pen: Pen, march: Sequence[Point], goal: str) -> None:
    """Draws the route from place to place, and the mark at its end."""
    last = march[-1]
    if len(march) > 1:
        way = smooth(march, closed=False)
        pen.strokes(way, ("paper", 1.25))
        pen.path(way, stroke="red", width=0.55, dash="1.3 0.7")
    for town in march[:-1]:
        if away(town, last) > 2:
            pen.path(ring(*town, 0.75), "paper", "ink", 0.24)
            pen.path(ring(*town, 0.28), "ink")
    pen.path(ring(*last, 1.8), "paper", "ink", 0.24)
    pen.stamp(f"charge-{goal}", last, 2.8, "red")


_GROUND_SEA = ((12.0, "sea-far"), (7.5, "sea-far"), (3.8, "sea-middle"))
_SQUARE = 22.0


def draw_ground(pen: Pen, window: PictureWindow, seed: str) -> None:
    """Draws the ground of the mat: a framed map of an imaginary land that fills the window."""
    chance = Chance(seed)
    sheet = window.inset(2.2)
    middle = window.at(0.5, 0.52)
    land = coast(blob(middle, window.width * 0.40, window.height * 0.33, chance, 0.20, 46, 7), chance, 3)
    islets = [
        blob(Point(window.x + 52, window.y + 20), 26, 11, chance, 0.25, 16, 4),
        blob(Point(window.right - 46, window.bottom - 20), 24, 10, chance, 0.25, 16, 4),
    ]
    shore = "".join(smooth(coast_) for coast_ in (land, *islets))
    with pen.within(box(*sheet)):
        pen.path(grid(sheet, round(sheet.width / _SQUARE), round(sheet.height / _SQUARE)), stroke="mist", width=0.15)
        sea(pen, shore, _GROUND_SEA, 0.24)
        pen.path(shore, "land", "hair", 0.4)
    neatline(pen, window, 2.2, 11)
