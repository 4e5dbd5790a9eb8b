"""An item's picture: engraved like a banknote, waves and a rosette about the charge."""

from __future__ import annotations

import math
from functools import lru_cache

from carddb.games.cahrd.emblems.chance import Chance
from carddb.games.cahrd.emblems.geometry import Point, Window, loop, polar, polygon, ring, rounded, smooth
from carddb.games.cahrd.emblems.pen import Pen

_CORNER = 1.6
_HALF_WAVES = (6, 8, 9, 12)
_PLACES = ((0.5, (0.135, 0.865)), (0.26, (0.635, 0.865)), (0.74, (0.135, 0.365)))
"""Where the rosette and the two medals stand, by shares of the width."""
_CORNERS = (4, 6, 8, 12)
"""Of a medal."""


def draw(pen: Pen, window: Window, seed: str, charge: str) -> None:
    """Fills the window."""
    chance = Chance(seed)
    place, medals = _PLACES[chance.below(len(_PLACES))]
    centre, corners = window.at(place, 0.5), _CORNERS[chance.below(len(_CORNERS))]
    with pen.within(rounded(*window, _CORNER)):
        pen.path(rounded(*window, _CORNER), "paper")
        pen.path(_waves(window, _HALF_WAVES[chance.below(4)]), stroke="mid", width=0.11)
        r = 0.455 * window.height
        pen.path(ring(*centre, r * 1.08), "paper")
        lobes, swing = 7 + chance.below(8), chance.between(0.14, 0.24)
        outer = [_rosette(centre, r * 0.76, r * swing, lobes, i * math.pi / 3) for i in range(6)]
        inner = [_rosette(centre, r * 0.52, r * 0.085, 2 * lobes, i * math.pi / 2) for i in range(4)]
        pen.path("".join(outer), stroke="line", width=0.13)
        pen.path("".join(inner), stroke="line", width=0.11)
        pen.path(ring(*centre, r), stroke="line", width=0.3)
        pen.path(ring(*centre, r * 1.08), stroke="line", width=0.12)
        pen.path(ring(*centre, r * 0.50), "paper", "line", 0.35)
        pen.path(ring(*centre, r * 0.455), stroke="line", width=0.12)
        pen.stamp(f"charge-{charge}", centre, r * 0.60, "line")
        size = min(4.0, r * 0.64)
        for share in medals:
            _medal(pen, window.at(share, 0.5), size, corners)
    pen.path(rounded(*window, _CORNER), stroke="line", width=0.4)
    pen.path(rounded(*window.inset(0.75), 1.1), stroke="line", width=0.12)


@lru_cache(maxsize=32)
def _waves(window: Window, half_waves: int) -> str:
    """Two families of waves that cross; kept, as they take 6 of the 14 ms of a picture and few of them differ."""
    rows = []
    for family in (0, 1):
        for row in range(-1, 16):
            y, phase = window.y + row * window.height / 13, family * math.pi + row * 0.42
            points = [
                (window.x + i * window.width / 28, y + 1.5 * math.sin(math.pi * half_waves * i / 28 + phase))
                for i in range(29)
            ]
            rows.append(smooth(points, closed=False))
    return "".join(rows)


def _rosette(centre: Point, r: float, swing: float, lobes: int, phase: float) -> str:
    steps = lobes * 6
    angles = [math.tau * i / steps for i in range(steps)]
    return smooth([polar(centre, r + swing * math.cos(lobes * a + phase), math.degrees(a)) for a in angles])


def _medal(pen: Pen, centre: Point, size: float, corners: int) -> None:
    turn = 0 if corners == 4 else 180 / corners
    size *= 1.12 if corners == 4 else 1
    pen.path(loop(polygon(centre, size, corners, turn)), "paper", "line", 0.3)
    pen.path(loop(polygon(centre, size * 0.85, corners, turn)), stroke="line", width=0.12)
    pen.stamp("mark-item", centre, size * (0.75 if corners == 4 else 0.95), "line")
