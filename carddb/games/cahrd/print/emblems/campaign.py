"""The places of an officer's campaign, and the map that holds them all."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from carddb.games.cahrd.print.emblems.geometry import Point, Window
from carddb.games.cahrd.print.emblems.land import Region

_WRITTEN_OUT = re.compile(r"(.*\S)\s+(-?\d+(?:\.\d+)?)\s+(-?\d+(?:\.\d+)?)")
_HIGH, _LEAST_HIGH = 7.0, 1.3
"""How many degrees a map is high about a single place, and at least about several."""


class Place(NamedTuple):
    """A place of a campaign in degrees north and east, and what is drawn there where the campaign ends."""

    name: str
    north: float
    east: float
    goal: str = "swords"


def places_of(campaign: Iterable[str], realm: str, gazetteer: Mapping[str, Any]) -> list[Place]:
    """The places of a campaign in their order, or where it has none the place that a realm is named after.

    A place that the gazetteer lacks is written with its latitude and longitude: `Dvin 40.0 44.6`. What is neither is
    left out.
    """
    known = gazetteer["places"]
    places = [place for name in campaign if (place := place_named(name, known))]
    return _joined(places) or [Place(realm, *known[realm]) for realm in [realm] if realm in known]


def _joined(places: Sequence[Place]) -> list[Place]:
    """Places each of which is less than half the earth from the one before, beyond 180 degrees if need be."""
    joined: list[Place] = []
    for place in places:
        before = joined[-1].east if joined else place.east
        joined.append(place._replace(east=place.east + 360 * round((before - place.east) / 360)))
    return joined


def place_named(name: str, known: Mapping[str, Any]) -> Place | None:
    """A place of the gazetteer, or one that is written with its degrees; None for what is neither."""
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
    """The middle of the places on the paper."""
    east: float
    north: float
    """The same in degrees."""
    scale: float
    shrink: float
    """How much shorter a degree east is than a degree north."""

    def at(self, east: float, north: float) -> Point:
        """A point of the earth on the paper."""
        x = self.centre.x + (east - self.east) * self.scale * self.shrink
        return Point(x, self.centre.y - (north - self.north) * self.scale)

    def region(self, margin: float) -> Region:
        """What the window shows, and so many millimetres round it."""
        west = self.east + (self.window.x - margin - self.centre.x) / (self.scale * self.shrink)
        east = self.east + (self.window.right + margin - self.centre.x) / (self.scale * self.shrink)
        north = self.north + (self.centre.y - self.window.y + margin) / self.scale
        south = self.north - (self.window.bottom + margin - self.centre.y) / self.scale
        return Region(west, south, east, north)


def chart_of(places: Sequence[Place], window: Window, room: Window) -> Chart:
    """The map in a window on which all places lie in a room of it, as large as the room allows."""
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
