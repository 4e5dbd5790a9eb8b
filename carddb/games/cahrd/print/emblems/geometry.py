"""Points and outlines, in millimetres; an outline is the text of an SVG path."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from carddb.games.cahrd.print.emblems.chance import Chance


class Point(NamedTuple):
    x: float
    y: float


class Window(NamedTuple):
    """The rectangle that a picture fills."""

    x: float
    y: float
    width: float
    height: float

    def at(self, across: float, down: float) -> Point:
        """A point by its share of the width and of the height."""
        return Point(self.x + self.width * across, self.y + self.height * down)

    def inset(self, by: float) -> Window:
        return Window(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height


def number(value: float) -> str:
    """A length to the hundredth of a millimetre; to leave out its last zeros takes longer than to read them."""
    return f"{value:.2f}"


def _pair(point: tuple[float, float]) -> str:
    return f"{point[0]:.2f} {point[1]:.2f}"


def chain(points: Iterable[tuple[float, float]]) -> str:
    """Straight lines from point to point."""
    return "M" + " ".join([f"{x:.2f} {y:.2f}" for x, y in points])


def loop(points: Iterable[tuple[float, float]]) -> str:
    """The same, closed."""
    return chain(points) + "Z"


def segment(a: tuple[float, float], b: tuple[float, float]) -> str:
    return f"M{_pair(a)}L{_pair(b)}"


def smooth(points: Sequence[tuple[float, float]], closed: bool = True) -> str:
    """A Catmull-Rom curve through points, written as cubic Béziers."""
    count = len(points)
    out = []
    for i in range(count if closed else count - 1):
        before = points[(i - 1) % count] if closed or i else points[i]
        here, there = points[i], points[(i + 1) % count]
        after = points[(i + 2) % count] if closed or i + 2 < count else there
        x1, y1 = here[0] + (there[0] - before[0]) / 6, here[1] + (there[1] - before[1]) / 6
        x2, y2 = there[0] - (after[0] - here[0]) / 6, there[1] - (after[1] - here[1]) / 6
        out.append(f"{x1:.2f} {y1:.2f} {x2:.2f} {y2:.2f} {there[0]:.2f} {there[1]:.2f}")
    return f"M{_pair(points[0])}C{' '.join(out)}{'Z' if closed else ''}"


def box(x: float, y: float, width: float, height: float) -> str:
    return f"M{_pair((x, y))}H{number(x + width)}V{number(y + height)}H{number(x)}Z"


def rounded(x: float, y: float, width: float, height: float, r: float) -> str:
    """A rectangle with round corners."""
    arc = f"A{number(r)} {number(r)} 0 0 1 "
    right, bottom = x + width, y + height
    upper = f"M{_pair((x + r, y))}H{number(right - r)}{arc}{_pair((right, y + r))}V{number(bottom - r)}"
    lower = f"{arc}{_pair((right - r, bottom))}H{number(x + r)}{arc}{_pair((x, bottom - r))}V{number(y + r)}"
    return f"{upper}{lower}{arc}{_pair((x + r, y))}Z"


def chamfered(x: float, y: float, width: float, height: float, cut: float) -> str:
    """A rectangle with its corners cut off."""
    right, bottom = x + width, y + height
    return loop([
        (x + cut, y), (right - cut, y), (right, y + cut), (right, bottom - cut),
        (right - cut, bottom), (x + cut, bottom), (x, bottom - cut), (x, y + cut),
    ])  # fmt: skip


def ring(x: float, y: float, r: float) -> str:
    a = f"a{number(r)} {number(r)} 0 1 0 "
    return f"M{_pair((x - r, y))}{a}{number(2 * r)} 0{a}{number(-2 * r)} 0Z"


def polar(centre: tuple[float, float], r: float, degrees: float) -> Point:
    angle = math.radians(degrees)
    return Point(centre[0] + r * math.cos(angle), centre[1] + r * math.sin(angle))


def polygon(centre: tuple[float, float], r: float, corners: int, turn: float = -90) -> list[Point]:
    return [polar(centre, r, turn + i * 360 / corners) for i in range(corners)]


def turned(middle: tuple[float, float], dx: float, dy: float, degrees: float) -> Point:
    """A point by its way from a middle, turned about it."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return Point(middle[0] + dx * c - dy * s, middle[1] + dx * s + dy * c)


def rectangle(middle: tuple[float, float], half_width: float, half_height: float, degrees: float = 0) -> list[Point]:
    """The corners of a rectangle that is turned about its middle."""
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return [turned(middle, half_width * across, half_height * down, degrees) for across, down in corners]


def grid(window: Window, across: int, down: int) -> str:
    """The lines that part a window into equal fields."""
    lines = [segment(window.at(i / across, 0), window.at(i / across, 1)) for i in range(1, across)]
    lines += [segment(window.at(0, i / down), window.at(1, i / down)) for i in range(1, down)]
    return "".join(lines)


def scaled(
    points: Iterable[tuple[float, float]], centre: tuple[float, float], across: float, down: float = 0
) -> list[Point]:
    """Points drawn towards a centre; `down` is `across` where it is not given."""
    down = down or across
    return [Point(centre[0] + (x - centre[0]) * across, centre[1] + (y - centre[1]) * down) for x, y in points]


def blob(
    centre: tuple[float, float], rx: float, ry: float, chance: Chance, rough: float, corners: int, waves: int
) -> list[Point]:
    """An uneven round: its radius swings in `waves` harmonics, fewer and fainter the finer they are."""
    swings = [
        (chance.between(0.4, 1) * rough / wave**0.85, wave, chance.between(0, math.tau)) for wave in range(1, waves + 1)
    ]
    out = []
    for i in range(corners):
        angle = math.tau * i / corners
        reach = 1 + sum(size * math.cos(wave * angle + phase) for size, wave, phase in swings)
        out.append(Point(centre[0] + rx * reach * math.cos(angle), centre[1] + ry * reach * math.sin(angle)))
    return out


def coast(points: Sequence[Point], chance: Chance, reach: float) -> list[Point]:
    """Bays and capes: between neighbours their middle, moved along the normal."""
    out = []
    for i, here in enumerate(points):
        there = points[(i + 1) % len(points)]
        dx, dy = there.x - here.x, there.y - here.y
        length, push = math.hypot(dx, dy) or 1, chance.between(-reach, reach)
        out += [here, Point(here.x + dx / 2 - dy / length * push, here.y + dy / 2 + dx / length * push)]
    return out


def inside(point: tuple[float, float], outline: Sequence[tuple[float, float]]) -> bool:
    """Whether a point lies within a closed outline of straight lines."""
    x, y = point
    within = False
    for (x1, y1), (x2, y2) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            within = not within
    return within


def away(a: tuple[float, float], b: tuple[float, float]) -> float:
    return math.hypot(a[0] - b[0], a[1] - b[1])
