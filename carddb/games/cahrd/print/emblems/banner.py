"""An officer's banner: a cloth in the cut of a region, with one of four divisions and the charge of an age."""

from __future__ import annotations

from dataclasses import dataclass

from carddb.games.cahrd.print.emblems.pen import Chance, Pen, Point, Window, box, chain, loop, number, ring, segment

_TONGUES, _TEETH = 3, 5
_POLED = 0.74
"""The factor by which a cloth that hangs along its pole is narrower."""


@dataclass(frozen=True, slots=True)
class Cloth:
    """A banner to draw: the cut of the cloth, its colour, and the drawing on it (the charge)."""

    cut: str
    colour: str
    charge: str


def outline(cut: str, cloth: Window) -> str:
    """Returns the outline of a cloth that hangs from its upper edge. Raises KeyError for an unknown cut."""
    x, y, width, height = cloth

    def at(across: float, down: float) -> str:
        return f"{number(x + width * across)} {number(y + height * down)}"

    def corners(*shares: tuple[float, float]) -> str:
        return loop(cloth.at(across, down) for across, down in shares)

    head = f"M{at(0, 0)}H{number(cloth.right)}"
    if cut == "tongues":
        steps, tongue = [f"{head}V{number(y + height * 0.84)}"], 1 / _TONGUES
        for i in range(_TONGUES):
            end = 1 - i * tongue
            a, b, c = end - tongue * 0.06, end - tongue / 2, end - tongue * 0.94
            steps.append(f"L{at(a, 0.84)}Q{at(a, 1)} {at(b, 1)}Q{at(c, 1)} {at(c, 0.84)}")
        return "".join(steps) + f"L{at(0, 0.84)}Z"
    if cut == "teeth":
        return corners((0, 0), (1, 0), *((1 - n / (2 * _TEETH), 1 if n % 2 else 0.9) for n in range(2 * _TEETH + 1)))
    return {
        "poled": box(*cloth),
        "swallowtail": corners((0, 0), (1, 0), (1, 1), (0.5, 0.80), (0, 1)),
        "pointed": corners((0, 0), (1, 0), (1, 0.62), (0.5, 1), (0, 0.62)),
        "ogee": f"{head}V{number(y + height * 0.74)}C{at(1, 0.86)} {at(0.68, 0.86)} {at(0.5, 1)}"
        f"C{at(0.32, 0.86)} {at(0, 0.86)} {at(0, 0.74)}Z",
        "rounded": f"{head}V{number(cloth.bottom - width / 2)}A{number(width / 2)} {number(width / 2)} 0 0 1 "
        f"{number(x)} {number(cloth.bottom - width / 2)}Z",
    }[cut]


def draw(pen: Pen, top: Point, width: float, height: float, cloth: Cloth, chance: Chance) -> None:
    """Draws a banner; `top` is the centre of its upper edge."""
    poled = cloth.cut == "poled"
    width = width * _POLED if poled else width
    area = Window(top.x - width / 2 + (0.6 if poled else 0), top.y, width, height)
    shape = outline(cloth.cut, area)
    pen.path(shape, "paper", "paper", 2.4)
    pen.path(segment((area.x - 2.1, top.y), (area.right + 2.1, top.y)), stroke="paper", width=2.4, cap="round")
    division = chance.below(4)
    with pen.within(shape):
        size, colour = _field(pen, division, area, cloth.colour)
        pen.stamp(f"charge-{cloth.charge}", area.at(0.5, 0.42), size, colour)
    if division == 0:
        hem = Window(area.at(0.5, 0).x - width * 0.42, top.y + height * 0.046, width * 0.84, height * 0.90)
        pen.path(outline(cloth.cut, hem), stroke="paper", width=0.22)
    pen.path(shape, stroke="ink", width=0.3)
    if poled:
        _pole(pen, area, cloth.colour)
    else:
        _bar(pen, area.x - 1.5, area.right + 1.5, top.y, cloth.colour)


def _field(pen: Pen, division: int, area: Window, colour: str) -> tuple[float, str]:
    """Draws the ground of the cloth; returns the size and the colour of the charge on it."""
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


def _pole(pen: Pen, area: Window, colour: str) -> None:
    """Draws the pole along the side of a cloth, its crossbar and loops, and the knob at its top."""
    x, y = area.x - 0.9, area.y
    pen.path(segment((x, y - 1.6), (x, area.bottom + 3)), stroke="ink", width=0.55, cap="round")
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
