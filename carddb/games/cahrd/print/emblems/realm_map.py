"""An officer's picture on real ground: coasts, rivers and ranges, and the campaign that was marched over them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil, floor
from typing import Any

from carddb.games.cahrd.print.emblems import banner
from carddb.games.cahrd.print.emblems.campaign import Chart, Place, chart_of
from carddb.games.cahrd.print.emblems.chance import Chance
from carddb.games.cahrd.print.emblems.geometry import Point, Window, away, box, loop, ring, segment, smooth
from carddb.games.cahrd.print.emblems.land import Region, land_in
from carddb.games.cahrd.print.emblems.ornaments import compass, hills, neatline
from carddb.games.cahrd.print.emblems.pen import Pen

_NEATLINE = 0.9
_HOISTED = 15
"""How high a map is that has room for a banner."""
_BANNER, _LONGEST, _SQUAREST, _AXIS = 10.4, 19.5, 0.8, 0.185
_MARGIN = 3.0
"""How far beyond the window land is drawn, so that no line of its cut shows."""
_FINE = 0.3
"""Nearer points of a coast are left out: the pen that draws it is as thick."""
_RULED = 0.72
"""From one line of the sea to the next."""
_ROSE, _TITLE = 2.9, 2.9
_HILL, _HILLS_APART, _HILL_STEP = 1.2, (2.9, 1.8), 2.7
_CLOSE, _SLOPES = 5.0, ((1.6, 2.1), (-1.6, -2.1))
"""From how many millimetres a degree a range is more than its crest, and where its further hills stand."""
_GRATICULE = (0.5, 1, 2, 5, 10, 20)
_FIELD = 5.5
"""How far apart meridians and parallels are, by one of these steps in degrees: at least so many millimetres."""
_CROSS = 0.5
_LETTER = 1.02
"""About how wide a letter of the title is."""


def draw(
    pen: Pen, window: Window, places: Sequence[Place], cloth: banner.Cloth, ground: Mapping[str, Any], coasts: str
) -> None:
    """Fills the window, its frame included; `ground` has the rivers, lakes and ranges, `coasts` is the table of them.

    The banner stands at the left on every card, so that a fan of cards shows all of them.
    """
    sheet = window.inset(_NEATLINE)
    hoisted = sheet.height >= _HOISTED
    axis = sheet.at(_AXIS, 0).x
    left = axis + 9.2 if hoisted else sheet.x + 3.5
    top, bottom = sheet.y + 3.2, sheet.bottom - 3.2
    title = _title(places)
    for head in (top, top + _TITLE):
        chart = chart_of(places, sheet, Window(left, head, sheet.right - 4.2 - left, max(bottom - head, 2)))
        march = [chart.at(place.east, place.north) for place in places]
        rose, caption, clear_of_it = _corners(sheet, left - 2.4, march, _LETTER * len(title) + 1.6)
        if clear_of_it:
            break
    with pen.within(box(*sheet)):
        _ground(pen, chart, ground, coasts)
        clear = [*march, *([rose] if rose else [])]
        feet = _feet(chart, ground["ranges"], clear, caption, left - 2 if hoisted else sheet.x)
        hills(pen, [(foot, _HILL) for foot in feet])
        _march(pen, march, places[-1].goal)
        if rose:
            compass(pen, rose, _ROSE, "ink")
        if hoisted:
            length = min(sheet.height - 7.0, _LONGEST)
            wide = min(_BANNER, _SQUAREST * length)
            banner.draw(pen, Point(axis, sheet.y + 4.6), wide, length, cloth, Chance(title))
    neatline(pen, window, _NEATLINE, 3.2)
    east = caption.right == sheet.right
    pen.title(title, caption.right if east else caption.x, caption.bottom, "end" if east else "start")


def _title(places: Sequence[Place]) -> str:
    first, last = places[0].name, places[-1].name
    return f"{first} \u2013 {last}" if len(places) > 1 else first


def _corners(sheet: Window, left: float, march: Sequence[Point], width: float) -> tuple[Point | None, Window, bool]:
    """Where the compass and the title stand: in the corners beside the banner that are farthest from the campaign.

    Also whether the title is clear of it.
    """
    path = list(_along(march, 1.5))
    reach = _ROSE * 1.12 + 0.5
    roses = [Point(x, y) for x in (sheet.right - reach, left + reach) for y in (sheet.y + reach, sheet.bottom - reach)]
    titles = [Window(sheet.right - width, y, width, _TITLE) for y in (sheet.bottom - _TITLE, sheet.y)]
    titles += [Window(left, y, width, _TITLE) for y in (sheet.bottom - _TITLE, sheet.y)]

    def free(box_: Window) -> float:
        """How far a box is from the campaign."""
        return min(max(box_.x - x, x - box_.right, box_.y - y, y - box_.bottom) for x, y in path)

    caption = max(titles, key=free)
    square = {rose: Window(rose.x - reach, rose.y - reach, 2 * reach, 2 * reach) for rose in roses}
    open_ = [rose for rose in roses if not _overlap(square[rose], caption) and free(square[rose]) > 0.6]
    rose = max(open_, key=lambda each: free(square[each]), default=None)
    return rose, caption, free(caption) > 1.2


def _overlap(a: Window, b: Window) -> bool:
    return a.x < b.right and b.x < a.right and a.y < b.bottom and b.y < a.bottom


def _along(way: Sequence[Point], step: float) -> Iterator[Point]:
    """Points on straight lines from point to point, not farther from each other than a step; all corners are in."""
    yield way[0]
    for a, b in pairwise(way):
        parts = int(away(a, b) / step) + 1
        for i in range(1, parts + 1):
            yield Point(a.x + (b.x - a.x) * i / parts, a.y + (b.y - a.y) * i / parts)


def _ground(pen: Pen, chart: Chart, ground: Mapping[str, Any], coasts: str) -> None:
    """A sea of level lines, land without, the coast between them, lakes and rivers."""
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
    """Crosses where meridians and parallels of whole steps meet."""
    region = chart.region(0)
    step = next((step for step in _GRATICULE if step * chart.scale * chart.shrink >= _FIELD), _GRATICULE[-1])
    xs = [chart.at(n * step, 0).x for n in range(ceil(region.west / step), floor(region.east / step) + 1)]
    ys = [chart.at(0, n * step).y for n in range(ceil(region.south / step), floor(region.north / step) + 1)]
    arm = _CROSS
    return "".join(segment((x - arm, y), (x + arm, y)) + segment((x, y - arm), (x, y + arm)) for x in xs for y in ys)


def _outline(chart: Chart, coast: Iterable[Point]) -> str:
    """A coast on the paper, as fine as the pen; nothing where all of it is finer."""
    points: list[Point] = []
    for east, north in coast:
        point = chart.at(east, north)
        if not points or abs(point.x - points[-1].x) + abs(point.y - points[-1].y) > _FINE:
            points.append(point)
    return loop(points) if len(points) > 2 else ""


def _seen(line: Sequence[Sequence[float]], region: Region) -> bool:
    """Whether a line of places may cross a region."""
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
    """Where hills stand along the ranges: apart from each other, from places, compass, title and banner."""
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
                and all(_apart(foot, other, *_HILLS_APART) for other in feet)
                and all(_apart(foot, (spot.x, spot.y + 0.7), 2.6, 2.1) for spot in clear)
                and not _overlap(caption, Window(foot.x - 1.6, foot.y - 2, 3.2, 2.4))
            )
            if free:
                feet.append(foot)
    return feet


def _apart(a: tuple[float, float], b: tuple[float, float], across: float, down: float) -> bool:
    return abs(a[0] - b[0]) > across or abs(a[1] - b[1]) > down


def _march(pen: Pen, march: Sequence[Point], goal: str) -> None:
    """The way from place to place, and what its end is marked with."""
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
