"""An officer's picture: a campaign across a real map, or across an imaginary land if its places are not known."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor
from typing import Any, NamedTuple

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
    loop,
    neatline,
    ring,
    scaled,
    sea,
    segment,
    smooth,
)
from carddb.games.cahrd.print.emblems.pen import hills as draw_hills

_NEATLINE = 0.9
_IMAGINARY_SEA = ((2.9, "sea-far"), (1.85, "sea-middle"), (0.95, "sea-near"))
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


def draw_imaginary_land(pen: Pen, window: Window, seed: str, cloth: banner.Cloth) -> None:
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
            _imaginary_march(pen, towns if not left else towns[::-1])
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
    sea(pen, shore, _IMAGINARY_SEA, 0.14)
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


def _imaginary_march(pen: Pen, towns: Sequence[Point]) -> None:
    way = smooth(towns, closed=False)
    pen.path(way, stroke="buff", width=1.0)
    pen.path(way, stroke="red", width=0.5, dash="1.3 0.75")
    *passed, last = towns
    for town in passed:
        pen.path(ring(*town, 0.75), "paper", "ink", 0.22)
        pen.path(ring(*town, 0.25), "ink")
    pen.path(ring(*last, 1.75), "paper", "ink", 0.2)
    pen.stamp("charge-swords", last, 2.7, "red")


_UNIT = 0.01
"""The unit of the numbers in the table, in degrees."""


class Region(NamedTuple):
    """A part of the earth between two meridians and two parallels, in degrees east and north."""

    west: float
    south: float
    east: float
    north: float


class _Stretch(NamedTuple):
    """A part of a coast, and its bounds."""

    points: Sequence[Point]
    bounds: Region


class _Coast(NamedTuple):
    stretches: Sequence[_Stretch]
    bounds: Region


_LONG = 48
"""The most points of a stretch. Of the 6,628 of Eurasia a map has a few stretches, and the ends of the others:
cutting takes 0.5 ms, and would take 6 ms with all points."""


def land_in(region: Region, table: str) -> Iterator[Sequence[Point]]:
    """Yields the outlines of land and of inland seas, clipped to a region, as longitude and latitude in degrees.

    `table` is the game's `land.yaml`, with an outline in each line. A region may extend beyond 180 degrees east or
    west.
    """
    turns = [0.0, *([-360.0] if region.west < -180 else []), *([360.0] if region.east > 180 else [])]
    for turn in turns:
        here = Region(region.west - turn, region.south, region.east - turn, region.north)
        for shore in _coasts(table):
            if _apart(shore.bounds, here):
                continue
            outline = _cut(_near(shore, here), shore.bounds, here)
            if len(outline) > 2:
                yield [Point(x + turn, y) for x, y in outline] if turn else outline


@lru_cache(maxsize=1)
def _coasts(table: str) -> list[_Coast]:
    """Reads the table of coasts, once, because this takes 30 ms, mostly for calculations."""
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


def _near(shore: _Coast, region: Region) -> list[Point]:
    """Returns a coast's outline without points that cannot affect its clipping: inner points of stretches outside
    the region.
    """
    points: list[Point] = []
    for stretch in shore.stretches:
        if _apart(stretch.bounds, region):
            points += (stretch.points[0], stretch.points[-1])
        else:
            points += stretch.points
    return points


def _apart(a: Region, b: Region) -> bool:
    return a.east <= b.west or a.west >= b.east or a.north <= b.south or a.south >= b.north


def _cut(outline: Sequence[Point], bounds: Region, region: Region) -> Sequence[Point]:
    """Returns an outline clipped to a region, one side after the other (Sutherland and Hodgman, 1974)."""
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


_WRITTEN_OUT = re.compile(r"(.*\S)\s+(-?\d+(?:\.\d+)?)\s+(-?\d+(?:\.\d+)?)")
_HIGH, _LEAST_HIGH = 7.0, 1.3
"""The height of a map in degrees: around a single place, and the least around several places."""


class Place(NamedTuple):
    """A place of a campaign in degrees north and east, and the drawing there if the campaign ends at the place."""

    name: str
    north: float
    east: float
    goal: str = "swords"


def places_of(campaign: Iterable[str], realm: str, gazetteer: Mapping[str, Any]) -> list[Place]:
    """Returns the places of a campaign in order, or, if it has none, the place after which a realm is named.

    A place that is not in the gazetteer is written with its latitude and longitude: `Dvin 40.0 44.6`. Other names are
    left out.
    """
    known = gazetteer["places"]
    places = [place for name in campaign if (place := place_named(name, known))]
    return _joined(places) or [Place(realm, *known[realm]) for realm in [realm] if realm in known]


def _joined(places: Sequence[Place]) -> list[Place]:
    """Returns the places with longitudes changed by full turns, so that each is less than 180 degrees from the one
    before.
    """
    joined: list[Place] = []
    for place in places:
        before = joined[-1].east if joined else place.east
        joined.append(place._replace(east=place.east + 360 * round((before - place.east) / 360)))
    return joined


def place_named(name: str, known: Mapping[str, Any]) -> Place | None:
    """Returns a place of the gazetteer, or a place written with its degrees; None for any other name."""
    name = name.strip()
    if name in known:
        return Place(name, *known[name])
    parts = _WRITTEN_OUT.fullmatch(name)
    place = Place(parts[1], float(parts[2]), float(parts[3])) if parts else None
    return place if place and abs(place.north) < 80 and abs(place.east) <= 180 else None


@dataclass(frozen=True, slots=True)
class Chart:
    """An equirectangular map, true to scale on its middle parallel; `scale` is in millimetres for a degree north."""

    window: Window
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


def chart_of(places: Sequence[Place], window: Window, room: Window) -> Chart:
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
    return Chart(window, room.at(0.5, 0.5), (east + west) / 2, middle, scale, shrink)


"""The least height of a map with room for a banner, in mm."""
_BANNER, _LONGEST, _SQUAREST, _AXIS = 10.4, 19.5, 0.8, 0.185
_MARGIN = 3.0
"""The margin around the window in mm within which land is drawn, so that its clipped edge is invisible."""
_FINE = 0.3
"""The least distance between drawn points of a coast, in mm; the pen is about as thick."""
_RULED = 0.72
"""The distance between two lines of the sea, in mm."""
_ROSE, _TITLE = 2.9, 2.9
_HILL, _HILLS_APART, _HILL_STEP = 1.2, (2.9, 1.8), 2.7
_CLOSE, _SLOPES = 5.0, ((1.6, 2.1), (-1.6, -2.1))
"""The scale (mm a degree) above which a range has hills beside its crest, and the offsets of those hills."""
_GRATICULE = (0.5, 1, 2, 5, 10, 20)
_FIELD = 5.5
"""The least distance between meridians in mm; the step in degrees is chosen from `_GRATICULE` accordingly."""
_CROSS = 0.5
_LETTER = 1.02
"""The approximate width of a letter of the title, in mm."""
_INSET, _CLEAR = 1.1, 2.0
"""The distance of the title from the frame, so that its words keep 1.5 mm, and from the campaign, in mm."""


def draw_real_land(
    pen: Pen, window: Window, places: Sequence[Place], cloth: banner.Cloth, ground: Mapping[str, Any], coasts: str
) -> None:
    """Draws the picture with its frame; `ground` has rivers, lakes and ranges, `coasts` is the table of coasts.

    The banner is on the left of every card, so that all banners are visible in a fan of cards.
    """
    sheet = window.inset(_NEATLINE)
    hoisted = sheet.height >= _HOISTED
    axis = sheet.at(_AXIS, 0).x
    left = axis + 9.2 if hoisted else sheet.x + 3.5
    top, bottom = sheet.y + 3.2, sheet.bottom - 3.2
    title = f"{places[0].name} \u2013 {places[-1].name}" if len(places) > 1 else places[0].name
    for head in (top, top + _TITLE, top + _TITLE + _INSET + _CLEAR):
        chart = chart_of(places, sheet, Window(left, head, sheet.right - 4.2 - left, max(bottom - head, 2)))
        march = [chart.at(place.east, place.north) for place in places]
        rose, caption, clear_of_it = _corners(sheet, left - 2.4, march, _LETTER * len(title) + 1.6)
        if clear_of_it:
            break
    with pen.within(box(*sheet)):
        _ground(pen, chart, ground, coasts)
        clear = [*march, *([rose] if rose else [])]
        feet = _feet(chart, ground["ranges"], clear, caption, left - 2 if hoisted else sheet.x)
        draw_hills(pen, [(foot, _HILL) for foot in feet])
        _march(pen, march, places[-1].goal)
        if rose:
            compass(pen, rose, _ROSE, "ink")
        if hoisted:
            length = min(sheet.height - 7.0, _LONGEST)
            wide = min(_BANNER, _SQUAREST * length)
            banner.draw(pen, Point(axis, sheet.y + 4.6), wide, length, cloth, Chance(title))
    neatline(pen, window, _NEATLINE, 3.2)
    east = caption.x != left - 2.4
    pen.title(title, caption.right if east else caption.x, caption.bottom, "end" if east else "start")


def _corners(sheet: Window, left: float, march: Sequence[Point], width: float) -> tuple[Point | None, Window, bool]:
    """Returns the places of compass and title, in the corners farthest from the campaign and beside the banner.

    The third value says whether the title is clear of the campaign.
    """
    path = list(_along(march, 1.5))
    reach = _ROSE * 1.12 + 0.5
    roses = [Point(x, y) for x in (sheet.right - reach, left + reach) for y in (sheet.y + reach, sheet.bottom - reach)]
    heights = (sheet.bottom - _TITLE - _INSET, sheet.y + _INSET)
    titles = [Window(x, y, width, _TITLE) for x in (sheet.right - width - _INSET, left) for y in heights]

    def free(box_: Window) -> float:
        """Returns the distance of a box from the campaign."""
        return min(max(box_.x - x, x - box_.right, box_.y - y, y - box_.bottom) for x, y in path)

    caption = max(titles, key=free)
    square = {rose: Window(rose.x - reach, rose.y - reach, 2 * reach, 2 * reach) for rose in roses}
    open_ = [rose for rose in roses if not _overlap(square[rose], caption) and free(square[rose]) > 0.6]
    rose = max(open_, key=lambda each: free(square[each]), default=None)
    return rose, caption, free(caption) > _CLEAR


def _overlap(a: Window, b: Window) -> bool:
    return a.x < b.right and b.x < a.right and a.y < b.bottom and b.y < a.bottom


def _along(way: Sequence[Point], step: float) -> Iterator[Point]:
    """Yields points on straight lines from point to point, at most `step` apart, including the corners."""
    yield way[0]
    for a, b in pairwise(way):
        parts = int(away(a, b) / step) + 1
        for i in range(1, parts + 1):
            yield Point(a.x + (b.x - a.x) * i / parts, a.y + (b.y - a.y) * i / parts)


def _ground(pen: Pen, chart: Chart, ground: Mapping[str, Any], coasts: str) -> None:
    """Draws the sea as horizontal lines, land, the coast between them, lakes and rivers."""
    sheet = chart.window
    pen.path(box(*sheet), "paper")
    rows = int(sheet.height / _RULED) + 1
    level = "".join(segment((sheet.x, y), (sheet.right, y)) for y in (sheet.y + i * _RULED for i in range(1, rows)))
    pen.path(level, stroke="sea-near", width=0.13)
    region = chart.region(_MARGIN)
    shore = "".join(_outline(chart, coast) for coast in land_in(region, coasts))
    pen.strokes(shore, ("sea-near", 1.5), ("paper", 1.24), ("ink", 0.5))
    pen.path(shore, "buff")
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


def _graticule(chart: Chart) -> str:
    """Returns crosses at the intersections of meridians and parallels at round numbers of degrees."""
    region = chart.region(0)
    step = next((step for step in _GRATICULE if step * chart.scale * chart.shrink >= _FIELD), _GRATICULE[-1])
    xs = [chart.at(n * step, 0).x for n in range(ceil(region.west / step), floor(region.east / step) + 1)]
    ys = [chart.at(0, n * step).y for n in range(ceil(region.south / step), floor(region.north / step) + 1)]
    arm = _CROSS
    return "".join(segment((x - arm, y), (x + arm, y)) + segment((x, y - arm), (x, y + arm)) for x in xs for y in ys)


def _outline(chart: Chart, coast: Iterable[Point]) -> str:
    """Returns a coast on the paper, without details finer than the pen; empty if nothing is left."""
    points: list[Point] = []
    for east, north in coast:
        point = chart.at(east, north)
        if not points or abs(point.x - points[-1].x) + abs(point.y - points[-1].y) > _FINE:
            points.append(point)
    return loop(points) if len(points) > 2 else ""


def _seen(line: Sequence[Sequence[float]], region: Region) -> bool:
    """Returns whether a line of places may cross a region."""
    west, south, east, north = region
    norths, easts = [place[0] for place in line], [place[1] for place in line]
    return min(norths) < north and max(norths) > south and min(easts) < east and max(easts) > west


def _feet(
    chart: Chart,
    ranges: Iterable[Sequence[Sequence[float]]],
    clear: Sequence[Point],
    caption: Window,
    left: float,
) -> list[Point]:
    """Returns the places of hills along the ranges, apart from each other, from places, compass, title and banner."""
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
                and not _overlap(caption, Window(foot.x - 1.6, foot.y - 2, 3.2, 2.4))
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


def draw_ground(pen: Pen, window: Window, seed: str) -> None:
    """Draws the ground of the mat, an imaginary land, with its frame into the window."""
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
