"""An item's picture: engraved like a banknote, and composed by what the item does."""

from __future__ import annotations

import math
from functools import lru_cache

from carddb.games.cahrd.print.emblems import seals
from carddb.games.cahrd.print.emblems.chance import Chance
from carddb.games.cahrd.print.emblems.geometry import Window, rounded, smooth
from carddb.games.cahrd.print.emblems.pen import Pen

_CORNER = 1.6
_HALF_WAVES = (6, 8, 9, 12)
_ROWS = 2.2
"""From wave to wave."""


def draw(pen: Pen, window: Window, seed: str, charge: str, composition: str) -> None:
    """Fills the window with one of the compositions of `seals.COMPOSITIONS`. Raises KeyError for another."""
    chance = Chance(seed)
    frame = rounded(*window, _CORNER)
    with pen.within(frame):
        pen.path(frame, "paper")
        if composition != "strike":
            pen.path(_waves(window, _HALF_WAVES[chance.below(4)]), stroke="mid", width=0.11)
        seals.COMPOSITIONS[composition](pen, window, charge, chance)
    pen.path(frame, stroke="line", width=0.4)
    pen.path(rounded(*window.inset(0.75), 1.1), stroke="line", width=0.12)


@lru_cache(maxsize=32)
def _waves(window: Window, half_waves: int) -> str:
    """Two families of waves that cross; kept, as they take half the time of a picture and few of them differ."""
    rows, steps = [], 2 * half_waves
    for family in (0, 1):
        for row in range(-1, round(window.height / _ROWS) + 2):
            y, phase = window.y + row * _ROWS, family * math.pi + row * 0.42
            points = [
                (window.x + i * window.width / steps, y + 1.5 * math.sin(math.pi * i / 2 + phase))
                for i in range(steps + 1)
            ]
            rows.append(smooth(points, closed=False))
    return "".join(rows)
