"""Points and outlines (SVG paths) in mm, the pen that collects them, and parts that several pictures have."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

_BITS = 0xFFFFFFFF
_BASIS, _PRIME = 0x811C9DC5, 0x01000193
_WARM_UP = 4


class Chance:
    """Pseudo-random numbers: FNV-1a (32 bits) of the seed's UTF-8, then xorshift32; the first ones are discarded."""

    def __init__(self, seed: str) -> None:
        state = _BASIS
        for byte in seed.encode():
            state = ((state ^ byte) * _PRIME) & _BITS
        self.state = state or 1
        for _ in range(_WARM_UP):
            self.unit()

    def unit(self) -> float:
        """Returns the next pseudo-random number, at least 0 and less than 1."""
        state = self.state
        state ^= (state << 13) & _BITS
        state ^= state >> 17
        state ^= (state << 5) & _BITS
        self.state = state
        return state / (_BITS + 1)

    def between(self, low: float, high: float) -> float:
        return low + (high - low) * self.unit()

    def below(self, count: int) -> int:
        """Returns the next pseudo-random whole number, at least 0 and less than `count`."""
        return int(self.unit() * count)


class Point(NamedTuple):
    x: float
    y: float


class PictureWindow(NamedTuple):
    """The rectangle that a picture fills."""

    x: float
    y: float
    width: float
    height: float

    def at(self, across: float, down: float) -> Point:
        """Returns the point at a share `across` of the width and a share `down` of the height."""
        return Point(self.x + self.width * across, self.y + self.height * down)

    def inset(self, by: float) -> PictureWindow:
        return PictureWindow(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height


def number(value: float) -> str:
    """Returns a length as a text with two decimals; final zeros stay, because removing them takes longer."""
    return f"{value:.2f}"


def _pair(point: tuple[float, float]) -> str:
    return f"{point[0]:.2f} {point[1]:.2f}"


def chain(points: Iterable[tuple[float, float]]) -> str:
    """Returns the SVG path of straight lines from point to point."""
    return "M" + " ".join([f"{x:.2f} {y:.2f}" for x, y in points])


def loop(points: Iterable[tuple[float, float]]) -> str:
    """Returns the SVG path of straight lines from point to point and back to the first."""
    return chain(points) + "Z"


def segment(a: tuple[float, float], b: tuple[float, float]) -> str:
    return f"M{_pair(a)}L{_pair(b)}"


def smooth(points: Sequence[tuple[float, float]], closed: bool = True) -> str:
    """Returns the SVG path of a Catmull-Rom curve through points, by default back to the first, as cubic Béziers."""
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
    """Returns the SVG path of a rectangle with corners of the radius `r` and the upper left corner `x`, `y`."""
    arc = f"A{number(r)} {number(r)} 0 0 1 "
    right, bottom = x + width, y + height
    upper = f"M{_pair((x + r, y))}H{number(right - r)}{arc}{_pair((right, y + r))}V{number(bottom - r)}"
    lower = f"{arc}{_pair((right - r, bottom))}H{number(x + r)}{arc}{_pair((x, bottom - r))}V{number(y + r)}"
    return f"{upper}{lower}{arc}{_pair((x + r, y))}Z"


def chamfered(x: float, y: float, width: float, height: float, cut: float) -> str:
    """Returns the SVG path of a rectangle whose corners are cut off, each `cut` from its tip on both sides."""
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
    """Returns the point at the offset `dx`, `dy` from `middle`, rotated by `degrees` about `middle`."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return Point(middle[0] + dx * c - dy * s, middle[1] + dx * s + dy * c)


def rectangle(middle: tuple[float, float], half_width: float, half_height: float, degrees: float = 0) -> list[Point]:
    """Returns the corners of a rectangle that is rotated by `degrees` about its centre `middle`."""
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return [turned(middle, half_width * across, half_height * down, degrees) for across, down in corners]


def grid(window: PictureWindow, across: int, down: int) -> str:
    """Returns the SVG path of the lines that divide a window into `across` columns and `down` rows of equal size."""
    lines = [segment(window.at(i / across, 0), window.at(i / across, 1)) for i in range(1, across)]
    lines += [segment(window.at(0, i / down), window.at(1, i / down)) for i in range(1, down)]
    return "".join(lines)


def scaled(points: Iterable[tuple[float, float]], centre: tuple[float, float], factor: float) -> list[Point]:
    """Returns the points with their distances from the centre multiplied by `factor`."""
    return [Point(centre[0] + (x - centre[0]) * factor, centre[1] + (y - centre[1]) * factor) for x, y in points]


def blob(
    centre: tuple[float, float], rx: float, ry: float, chance: Chance, rough: float, corners: int, waves: int
) -> list[Point]:
    """Returns `corners` points of an uneven ellipse; `rough` is the unevenness in the lowest of `waves` harmonics."""
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
    """Returns the corners of an outline with bays and capes: the middle of each line moved aside by up to `reach`."""
    out = []
    for i, here in enumerate(points):
        there = points[(i + 1) % len(points)]
        dx, dy = there.x - here.x, there.y - here.y
        length, push = math.hypot(dx, dy) or 1, chance.between(-reach, reach)
        out += [here, Point(here.x + dx / 2 - dy / length * push, here.y + dy / 2 + dx / length * push)]
    return out


def inside(point: tuple[float, float], outline: Sequence[tuple[float, float]]) -> bool:
    """Returns whether a point is inside a closed outline of straight lines."""
    x, y = point
    within = False
    for (x1, y1), (x2, y2) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            within = not within
    return within


def apart(a: tuple[float, float], b: tuple[float, float], across: float, down: float) -> bool:
    """Returns whether two points are more than `across` apart horizontally, or more than `down` vertically."""
    return abs(a[0] - b[0]) > across or abs(a[1] - b[1]) > down


def away(a: tuple[float, float], b: tuple[float, float]) -> float:
    return math.hypot(a[0] - b[0], a[1] - b[1])


@dataclass(frozen=True, slots=True)
class Stroke:
    """A painted outline with the SVG path `d`; `width` is in millimetres, 0 for no line."""

    d: str
    fill: str = "none"
    stroke: str = "none"
    width: float = 0
    dash: str = "none"
    cap: str = "butt"
    kind: ClassVar[str] = "path"


@dataclass(frozen=True, slots=True)
class Stamped:
    """A shared drawing, by its id, in a square with the side `size` and the upper left corner `x`, `y`."""

    name: str
    x: float
    y: float
    size: float
    fill: str
    kind: ClassVar[str] = "use"


@dataclass(frozen=True, slots=True)
class Title:
    """A text in a picture; its `anchor` (`start`, `middle` or `end` of the baseline) is at `x`, `y`."""

    text: str
    x: float
    y: float
    anchor: str
    kind: ClassVar[str] = "title"


@dataclass(frozen=True, slots=True)
class ClippedParts:
    """Parts that are drawn only within the SVG path `d`; `name` is the id of the clip path."""

    name: str
    d: str
    parts: list[Stroke | Stamped | Title | ClippedParts] = field(default_factory=list)
    kind: ClassVar[str] = "clip"


Part = Stroke | Stamped | Title | ClippedParts


class Pen:
    """Collects the parts of a picture. A colour is given by its name in the palette, or itself: `#1e1b18`, `none`."""

    def __init__(self, palette: Mapping[str, str]) -> None:
        self.parts: list[Part] = []
        self._palette = palette
        self._cuts = 0

    def path(
        self, d: str, fill: str = "none", stroke: str = "none", width: float = 0, dash: str = "none", cap: str = "butt"
    ) -> None:
        """Draws the SVG path `d`, filled, stroked or both; `width` is in mm, `dash` and `cap` are as in SVG."""
        if d:
            self.parts.append(Stroke(d, self._colour(fill), self._colour(stroke), width, dash, cap))

    def strokes(self, d: str, *strokes: tuple[str, float]) -> None:
        """Draws the SVG path `d` with several strokes, each a colour and a width in mm, on top of each other."""
        for colour, width in strokes:
            self.path(d, stroke=colour, width=width)

    def stamp(self, name: str, centre: tuple[float, float], size: float, fill: str) -> None:
        """Draws the shared drawing with the id `name`, in a square with the side `size` around `centre`."""
        x, y = round(centre[0] - size / 2, 2), round(centre[1] - size / 2, 2)
        self.parts.append(Stamped(name, x, y, round(size, 2), self._colour(fill)))

    def title(self, text: str, x: float, y: float, anchor: str) -> None:
        """Draws the title of a picture with its `anchor` at `x`, `y`; must not be called inside `within`."""
        self.parts.append(Title(text, round(x, 2), round(y, 2), anchor))

    def _colour(self, name: str) -> str:
        return self._palette.get(name, name)

    @contextmanager
    def within(self, d: str) -> Iterator[None]:
        """Clips to the SVG path `d` what is drawn inside the `with` block."""
        self._cuts += 1
        outer, cut = self.parts, ClippedParts(f"cut-{self._cuts}", d)
        outer.append(cut)
        self.parts = cut.parts
        try:
            yield
        finally:
            self.parts = outer


_POINTS = ((0.72, 0.16, -45), (1.0, 0.2, -90))
"""The lesser and the greater points of a compass: the radii of tip and root as shares, and the first point's angle."""
_SHADES = ((0.18, 0.68), (0.42, 0.5), (0.66, 0.3))
"""The strokes on the shaded side of a hill: their distance from its centre and their length, as shares of its size."""


def compass(pen: Pen, centre: tuple[float, float], r: float, ink: str) -> None:
    """Draws a compass rose with eight points, each half dark, of the length `r` for the greater ones."""
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
    """Draws lines `thickness` mm thick along a coast; `echoes` are distances (mm) and colours, the farthest first."""
    for distance, colour in echoes:
        pen.path(shore, stroke=colour, width=2 * distance + thickness)
        pen.path(shore, "paper", "paper", 2 * distance - thickness)


def neatline(pen: Pen, window: PictureWindow, thick: float, bar: float) -> None:
    """Draws a map's frame, `thick` mm wide: black and white bars of about `bar` mm, with black in all corners."""
    inner = window.inset(thick)
    pen.path(box(*window) + box(*inner), stroke="ink", width=0.18)
    across, down = round(inner.width / bar) | 1, round(inner.height / bar) | 1
    wide, high = inner.width / across, inner.height / down
    level = [box(inner.x + i * wide, y, wide, thick) for i in range(0, across, 2) for y in (window.y, inner.bottom)]
    upright = [box(x, inner.y + i * high, thick, high) for i in range(0, down, 2) for x in (window.x, inner.right)]
    pen.path("".join((*level, *upright)), "ink")


def hills(pen: Pen, feet: Iterable[tuple[Point, float]]) -> None:
    """Draws hills that do not overlap, each given by the middle of its foot and about half its width in mm."""
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
