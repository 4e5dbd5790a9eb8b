"""What several pictures have in common: compass, frame of a map, hills, sea about a coast."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from carddb.games.cahrd.print.emblems.geometry import Point, Window, box, loop, number, polar, ring
from carddb.games.cahrd.print.emblems.pen import Pen

_POINTS = ((0.72, 0.16, -45), (1.0, 0.2, -90))
"""Lesser and greater points of a compass: how far their tip and their root reach, where the first lies."""
_SHADES = ((0.18, 0.68), (0.42, 0.5), (0.66, 0.3))
"""The strokes on the shaded side of a hill: how far from its middle, how long."""


def compass(pen: Pen, centre: tuple[float, float], r: float, ink: str) -> None:
    """A rose of eight points, half of each dark."""
    pen.path(ring(*centre, r * 1.12), "paper")
    pen.path(ring(*centre, r * 0.62), stroke=ink, width=0.14)
    for tip, root, turn in _POINTS:
        dark, light = [], []
        for quarter in range(4):
            angle = turn + 90 * quarter
            point = polar(centre, tip * r, angle)
            dark.append(loop([point, polar(centre, root * r, angle - 45), centre]))
            light.append(loop([point, polar(centre, root * r, angle + 45), centre]))
        pen.path("".join(dark), ink, ink, 0.1)
        pen.path("".join(light), "paper", ink, 0.1)


def sea(pen: Pen, shore: str, echoes: Sequence[tuple[float, str]], thickness: float) -> None:
    """Lines parallel to a coast; `echoes` are their distances and colours, the farthest first."""
    for distance, colour in echoes:
        pen.path(shore, stroke=colour, width=2 * distance + thickness)
        pen.path(shore, "paper", "paper", 2 * distance - thickness)


def neatline(pen: Pen, window: Window, thick: float, bar: float) -> None:
    """The frame of a map: black and white bars in turn, an odd number a side so that the corners are black."""
    inner = window.inset(thick)
    pen.path(box(*window) + box(*inner), stroke="ink", width=0.18)
    across, down = round(inner.width / bar) | 1, round(inner.height / bar) | 1
    wide, high = inner.width / across, inner.height / down
    level = [box(inner.x + i * wide, y, wide, thick) for i in range(0, across, 2) for y in (window.y, inner.bottom)]
    upright = [box(x, inner.y + i * high, thick, high) for i in range(0, down, 2) for x in (window.x, inner.right)]
    pen.path("".join((*level, *upright)), "ink")


def hills(pen: Pen, feet: Iterable[tuple[Point, float]]) -> None:
    """Hills of an old map, shaded in the east, each with its size; they must not overlap."""
    bent, shades = [], []
    for foot, size in feet:

        def at(dx: float, dy: float, foot: Point = foot, size: float = size) -> str:
            return f"{number(foot.x + dx * size)} {number(foot.y + dy * size)}"

        bent.append(f"M{at(-1, 0)}C{at(-0.55, -0.25)} {at(-0.4, -1.15)} {at(0, -1.2)}")
        bent.append(f"C{at(0.4, -1.15)} {at(0.6, -0.2)} {at(1.1, 0)}")
        for k, (dx, length) in enumerate(_SHADES):
            top = -1.02 + k * 0.25
            shades.append(f"M{at(dx, top)}L{at(dx + 0.1, top + length)}")
    pen.path("".join(bent), "buff", "ink", 0.16, cap="round")
    pen.path("".join(shades), stroke="ink", width=0.11)
