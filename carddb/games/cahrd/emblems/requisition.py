"""An item's picture: engraved like a banknote, waves and a rosette about the charge."""

from __future__ import annotations

import math
from collections.abc import Mapping

from carddb.games.cahrd.emblems.chance import Chance
from carddb.games.cahrd.emblems.geometry import Point, Window, loop, polar, polygon, ring, rounded, smooth
from carddb.games.cahrd.emblems.pen import Pen

_CORNER = 1.6
_HALF_WAVES = (6, 8, 9, 12)


def draw(pen: Pen, window: Window, seed: str, charge: str, palette: Mapping[str, str]) -> None:
    """Fills the window; `palette` has `line` and `mid` of the card's colour."""
    chance = Chance(seed)
    line, mid, paper = palette["line"], palette["mid"], palette["paper"]
    centre = window.at(0.5, 0.5)
    with pen.within(rounded(*window, _CORNER)):
        pen.path(rounded(*window, _CORNER), paper)
        pen.path(_waves(window, _HALF_WAVES[chance.below(4)]), stroke=mid, width=0.11)
        r = 0.455 * window.height
        pen.path(ring(*centre, r * 1.08), paper)
        lobes, swing = 7 + chance.below(8), chance.between(0.14, 0.24)
        outer = [_rosette(centre, r * 0.76, r * swing, lobes, i * math.pi / 3) for i in range(6)]
        inner = [_rosette(centre, r * 0.52, r * 0.085, 2 * lobes, i * math.pi / 2) for i in range(4)]
        pen.path("".join(outer), stroke=line, width=0.13)
        pen.path("".join(inner), stroke=line, width=0.11)
        pen.path(ring(*centre, r), stroke=line, width=0.3)
        pen.path(ring(*centre, r * 1.08), stroke=line, width=0.12)
        pen.path(ring(*centre, r * 0.50), paper, line, 0.35)
        pen.path(ring(*centre, r * 0.455), stroke=line, width=0.12)
        pen.stamp(f"charge-{charge}", centre, r * 0.60, line)
        size = min(4.0, r * 0.64)
        for side in (-1, 1):
            _medal(pen, Point(centre.x + side * window.width * 0.365, centre.y), size, line, paper)
    pen.path(rounded(*window, _CORNER), stroke=line, width=0.4)
    pen.path(rounded(*window.inset(0.75), 1.1), stroke=line, width=0.12)


def _waves(window: Window, half_waves: int) -> str:
    """Two families of waves that cross."""
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


def _medal(pen: Pen, centre: Point, size: float, line: str, paper: str) -> None:
    pen.path(loop(polygon(centre, size, 8, 22.5)), paper, line, 0.3)
    pen.path(loop(polygon(centre, size * 0.85, 8, 22.5)), stroke=line, width=0.12)
    pen.stamp("mark-item", centre, size * 0.95, line)
