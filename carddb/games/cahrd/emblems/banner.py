"""An officer's banner: a cloth of a region's cut, divided in one of four ways, with a charge of its age."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from carddb.games.cahrd.emblems.chance import Chance
from carddb.games.cahrd.emblems.geometry import Point, box, chain, loop, number, ring, segment
from carddb.games.cahrd.emblems.pen import Pen

_TONGUES, _TEETH = 3, 5
_POLED = 0.74
"""How much narrower a cloth is that hangs along its pole."""


@dataclass(frozen=True, slots=True)
class Cloth:
    """What to draw: the cut of the cloth, its colour, the shared drawing on it."""

    cut: str
    colour: str
    charge: str


def outline(cut: str, x: float, y: float, width: float, height: float) -> str:
    """The outline of a cloth that hangs from its upper edge. Raises KeyError for an unknown cut."""
    right, bottom, middle = x + width, y + height, x + width / 2

    def at(across: float, down: float) -> str:
        return f"{number(x + width * across)} {number(y + height * down)}"

    head = f"M{at(0, 0)}H{number(right)}"
    if cut == "tongues":
        steps, tongue = [f"{head}V{number(y + height * 0.84)}"], 1 / _TONGUES
        for i in range(_TONGUES):
            end = 1 - i * tongue
            a, b, c = end - tongue * 0.06, end - tongue / 2, end - tongue * 0.94
            steps.append(f"L{at(a, 0.84)}Q{at(a, 1)} {at(b, 1)}Q{at(c, 1)} {at(c, 0.84)}")
        return "".join(steps) + f"L{at(0, 0.84)}Z"
    if cut == "teeth":
        tips = [(1 - n / (2 * _TEETH), 1 if n % 2 else 0.9) for n in range(2 * _TEETH + 1)]
        return loop([(x, y), (right, y), *((x + width * across, y + height * down) for across, down in tips)])
    return {
        "poled": box(x, y, width, height),
        "swallowtail": loop([(x, y), (right, y), (right, bottom), (middle, y + height * 0.80), (x, bottom)]),
        "pointed": loop([(x, y), (right, y), (right, y + height * 0.62), (middle, bottom), (x, y + height * 0.62)]),
        "ogee": f"{head}V{number(y + height * 0.74)}C{at(1, 0.86)} {at(0.68, 0.86)} {at(0.5, 1)}"
        f"C{at(0.32, 0.86)} {at(0, 0.86)} {at(0, 0.74)}Z",
        "rounded": f"{head}V{number(bottom - width / 2)}A{number(width / 2)} {number(width / 2)} 0 0 1 "
        f"{number(x)} {number(bottom - width / 2)}Z",
    }[cut]


def draw(
    pen: Pen, top: Point, width: float, height: float, cloth: Cloth, chance: Chance, palette: Mapping[str, str]
) -> None:
    """A banner whose upper edge has its middle at `top`."""
    poled = cloth.cut == "poled"
    width = width * _POLED if poled else width
    x, y = top.x - width / 2 + (0.6 if poled else 0), top.y
    middle = x + width / 2
    shape = outline(cloth.cut, x, y, width, height)
    paper, ink = palette["paper"], palette["ink"]
    pen.path(shape, paper, paper, 2.4)
    pen.path(segment((x - 2.1, y), (x + width + 2.1, y)), stroke=paper, width=2.4, cap="round")
    full = chance.below(4)
    with pen.within(shape):
        size, colour = _field(pen, full, x, y, width, height, cloth.colour, paper)
        pen.stamp(f"charge-{cloth.charge}", (middle, y + height * 0.42), size, colour)
    if full == 0:
        hem = outline(cloth.cut, middle - width * 0.42, y + height * 0.046, width * 0.84, height * 0.90)
        pen.path(hem, stroke=paper, width=0.22)
    pen.path(shape, stroke=ink, width=0.3)
    if poled:
        _pole(pen, x, y, width, height, cloth.colour, ink)
    else:
        _bar(pen, x - 1.5, x + width + 1.5, y, cloth.colour, ink)


def _field(
    pen: Pen, division: int, x: float, y: float, width: float, height: float, colour: str, paper: str
) -> tuple[float, str]:
    """The ground of the cloth; how large the charge is on it, and its colour."""
    if division == 0:
        pen.path(box(x, y, width, height), colour)
        return width * 0.66, paper
    pen.path(box(x, y, width, height), paper)
    head = box(x, y, width, height * 0.09)
    if division == 1:
        pen.path(box(x, y, width * 0.2, height) + box(x + width * 0.8, y, width * 0.2, height), colour)
        return width * 0.56, colour
    if division == 2:
        foot = [(0, 1), (0, 0.80), (0.5, 0.60), (1, 0.80), (1, 1)]
        pen.path(loop([(x + width * across, y + height * down) for across, down in foot]) + head, colour)
    else:
        bars = [box(x, y + height * (0.70 + i * 0.08), width, height * 0.04) for i in range(4)]
        pen.path("".join(bars) + head, colour)
    return width * 0.66, colour


def _pole(pen: Pen, x: float, y: float, width: float, height: float, colour: str, ink: str) -> None:
    pen.path(segment((x - 0.9, y - 1.6), (x - 0.9, y + height + 3)), stroke=ink, width=0.55, cap="round")
    pen.path(segment((x - 1.5, y - 0.05), (x + width + 0.3, y - 0.05)), stroke=ink, width=0.4, cap="round")
    loops = [y + 1 + i * (height - 2) / 5 for i in range(6)]
    pen.path("".join(segment((x - 0.9, at), (x + 0.1, at)) for at in loops), stroke=ink, width=0.35)
    pen.path(ring(x - 0.9, y - 2.1, 0.7), colour, ink, 0.2)


def _bar(pen: Pen, left: float, right: float, y: float, colour: str, ink: str) -> None:
    """The bar a banner hangs from, with knobs at its ends and a cord over its middle."""
    middle = (left + right) / 2
    pen.path(segment((left, y), (right, y)), stroke=ink, width=0.6, cap="round")
    pen.path(ring(left - 0.3, y, 0.62) + ring(right + 0.3, y, 0.62), colour, ink, 0.2)
    pen.path(chain([(left + 0.4, y), (middle, y - 3.2), (right - 0.4, y)]), stroke=ink, width=0.22)
    pen.path(ring(middle, y - 3.3, 0.5), ink)
