"""An item's picture, engraved like a banknote, with a composition that shows what the item does."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache

from carddb.games.cahrd.print.pen import (
    Chance,
    Pen,
    PictureWindow,
    Point,
    blob,
    chain,
    loop,
    number,
    polar,
    rectangle,
    ring,
    rounded,
    scaled,
    segment,
    smooth,
    turned,
)


def _reach(window: PictureWindow, high: float, wide: float) -> float:
    """Returns a radius in a window: a share `high` of its height, but at most a share `wide` of its width."""
    return min(window.height * high, window.width * wide)


def _seal(pen: Pen, centre: Point, r: float, charge: str, chance: Chance) -> None:
    """Draws a rosette around the charge."""
    lobes, swing = 7 + chance.below(8), chance.between(0.14, 0.24)
    pen.path(ring(*centre, r * 1.08), "paper")
    _rosettes(pen, centre, r * 0.76, r * swing, lobes, 6, 0.13)
    _rosettes(pen, centre, r * 0.52, r * 0.085, 2 * lobes, 4, 0.11)
    pen.path(ring(*centre, r), stroke="line", width=0.3)
    pen.path(ring(*centre, r * 1.08), stroke="line", width=0.12)
    _core(pen, centre, r * 0.58, charge)


def _core(pen: Pen, centre: Point, r: float, charge: str) -> None:
    pen.path(ring(*centre, r), "paper", "line", 0.35)
    pen.path(ring(*centre, r * 0.91), stroke="line", width=0.12)
    pen.stamp(f"charge-{charge}", centre, r * 1.36, "line")


def _rosettes(pen: Pen, centre: Point, r: float, swing: float, lobes: int, count: int, width: float) -> None:
    """Draws `count` rosettes with `lobes` lobes over each other, each turned a little; lines are `width` mm thick."""
    angles = [math.tau * i / (lobes * 4) for i in range(lobes * 4)]
    phases = [math.tau * i / count for i in range(count)]
    points = [[polar(centre, r + swing * math.cos(lobes * a + p), math.degrees(a)) for a in angles] for p in phases]
    pen.path("".join(map(smooth, points)), stroke="line", width=width)


def _gain(pen: Pen, window: PictureWindow, charge: str, chance: Chance) -> None:
    """Draws a seal between piles of coins."""
    r = _reach(window, 0.44, 0.26)
    middle = window.at(0.5, 0.5)
    wide = min((window.width / 2 - r * 1.08) / 2.9, 4.6)
    floor = min(middle.y + r * 0.98, window.bottom - 1.6)
    most = int((floor - window.y - 3) / (wide * 0.42))
    for side in (-1, 1):
        for place, share in ((0, chance.between(0.7, 1)), (1, chance.between(0.35, 0.7))):
            x = middle.x + side * (r * 1.08 + 1.4 + wide * (0.62 + 1.22 * place))
            _coins(pen, Point(x, floor), wide * 0.56, max(1, min(9, round(most * share))))
    _seal(pen, middle, r, charge, chance)


def _coins(pen: Pen, foot: Point, r: float, count: int) -> None:
    """Draws a pile of `count` coins that stands on the point `foot`, with a ring in the topmost coin."""
    thick, flat = r * 0.62, r * 0.34
    arc = f"A{number(r)} {number(flat)} 0 0 "
    left, right = number(foot.x - r), number(foot.x + r)
    low = foot.y - flat
    sides, edges = [], []
    for n in range(count):
        y, top = number(low - n * thick), number(low - (n + 1) * thick)
        sides.append(f"M{left} {top}V{y}{arc}0 {right} {y}V{top}{arc}0 {left} {top}Z")
        for share in (-0.66, -0.33, 0, 0.33, 0.66):
            x, drop = foot.x + r * share, flat * math.sqrt(1 - share * share)
            edges.append(segment((x, low - n * thick + drop - 0.1), (x, low - (n + 1) * thick + drop + 0.1)))
    pen.path("".join(sides), "paper", "line", 0.26)
    pen.path("".join(edges), stroke="line", width=0.12)
    top = number(low - count * thick)
    pen.path(f"M{left} {top}{arc}0 {right} {top}{arc}0 {left} {top}Z", "tint", "line", 0.26)
    inner = f"A{number(r * 0.6)} {number(flat * 0.6)} 0 0 "
    a, b = number(foot.x - r * 0.6), number(foot.x + r * 0.6)
    pen.path(f"M{a} {top}{inner}0 {b} {top}{inner}0 {a} {top}Z", stroke="line", width=0.14)


def _strike(pen: Pen, window: PictureWindow, charge: str, chance: Chance) -> None:
    """Draws rays over the whole note, and spikes around the charge."""
    centre = window.at(0.5, 0.5)
    r = _reach(window, 0.46, 0.27)
    rays, far = 44 + 4 * chance.below(5), window.width
    turn = chance.between(0, 8)
    beams = [
        loop([centre, polar(centre, far, turn + i * 360 / rays), polar(centre, far, turn + (i + 0.5) * 360 / rays)])
        for i in range(rays)
    ]
    with pen.within(rounded(*window, _CORNER)):
        pen.path("".join(beams), "tint", "mid", 0.11)
    spikes = (12, 14, 16, 18)[chance.below(4)]
    for share, fill in ((1.0, "line"), (0.93, "paper"), (0.87, "line")):
        points = [
            polar(centre, r * share * (1 if i % 2 == 0 else 0.66), -90 + i * 180 / spikes) for i in range(2 * spikes)
        ]
        pen.path(loop(points), fill)
    _core(pen, centre, r * 0.57, charge)


def _ward(pen: Pen, window: PictureWindow, charge: str, chance: Chance) -> None:
    """Draws a shield of many lines in front of a wall."""
    middle = window.at(0.5, 0.5)
    half = _reach(window, 0.46, 0.27)
    with pen.within(rounded(*window, _CORNER)):
        _wall(pen, window, middle.y + half * (0.1, 0.3)[chance.below(2)])
    across = (0.78, 0.88)[chance.below(2)]
    shape = [(-1, -1), (1, -1), (1, 0.05), (0.86, 0.42), (0.5, 0.76), (0, 1), (-0.5, 0.76), (-0.86, 0.42), (-1, 0.05)]
    outer = [Point(middle.x + x * half * across, middle.y + y * half) for x, y in shape]
    pen.path(loop(scaled(outer, middle, 1.07)), "paper", "line", 0.34)
    for n in range(6):
        pen.path(loop(scaled(outer, middle, 1 - n * 0.065)), stroke="line", width=0.3 if n in (0, 5) else 0.13)
    pen.path(loop(scaled(outer, middle, 0.66)), "paper")
    pen.path(loop(scaled(outer, middle, 0.64)), stroke="line", width=0.13)
    pen.stamp(f"charge-{charge}", (middle.x, middle.y - half * 0.08), half * 0.92, "line")


def _wall(pen: Pen, window: PictureWindow, top: float) -> None:
    """Draws a wall with merlons from side to side."""
    wide, high = 3.2, 1.7
    count = math.ceil(window.width / wide) | 1
    left = window.at(0.5, 0).x - count * wide / 2
    edge = [(left, window.bottom)]
    for n in range(count):
        y = top if n % 2 == 0 else top + high
        edge += [(left + n * wide, y), (left + (n + 1) * wide, y)]
    edge.append((left + count * wide, window.bottom))
    pen.path(loop(edge), "tint", "line", 0.3)
    rows, joints = [], []
    for row in range(int((window.bottom - top - high) / 1.5) + 1):
        y = top + high + 0.9 + row * 1.5
        rows.append(segment((window.x, y), (window.right, y)))
        shift = wide / 2 if row % 2 else 0
        joints += [segment((left + n * wide + shift, y), (left + n * wide + shift, y + 1.5)) for n in range(count)]
    pen.path("".join((*rows, *joints)), stroke="mid", width=0.16)


def _search(pen: Pen, window: PictureWindow, charge: str, chance: Chance) -> None:
    """Draws a magnifying glass over a sheet: a letter with its seal, or a chart with hills, a river and a route."""
    middle, turn = window.at(0.5, 0.5), chance.between(-4, 4)
    half = Point(min(window.width * 0.43, window.height * 0.86), window.height * 0.43)
    sheet = rectangle(middle, half.x, half.y, turn)
    pen.path(loop([Point(x + 0.9, y + 0.9) for x, y in sheet]), "mid")
    pen.path(loop(sheet), "paper", "line", 0.34)
    east = chance.below(2) == 1
    with pen.within(loop(sheet)):
        (_letter if charge in _WRITTEN else _chart)(pen, middle, half, turn, chance)
    pen.path(loop(scaled(sheet, middle, 0.94)), stroke="line", width=0.14)
    centre, r = window.at(0.45 if east else 0.55, 0.45), _reach(window, 0.37, 0.23)  # the handle ends within the window
    angle = (34 if east else 146) + chance.between(-6, 6)
    for along, long, thick in ((1.19, 0.15, 0.1), (1.86, 0.58, 0.15)):
        grip = rectangle(polar(centre, r * along, angle), r * long, r * thick, angle)
        pen.path(loop(grip), "paper", "paper", 1.2)
        pen.path(loop(grip), "line", "line", 0.3)
    pen.path(ring(*centre, r * 1.14), "paper")
    pen.path(ring(*centre, r), "paper", "line", r * 0.13)
    pen.path(ring(*centre, r * 0.87), stroke="line", width=0.13)
    pen.stamp(f"charge-{charge}", centre, r * 1.2, "line")


_WRITTEN = ("quill", "book", "coins", "scroll", "key")
"""The charges that are drawn over a letter; all others are drawn over a chart."""
_LINES = 11
"""The number of lines of a letter."""


def _letter(pen: Pen, middle: Point, half: Point, turn: float, chance: Chance) -> None:
    """Draws lines of writing, and a seal in the lower corner."""
    for line in range(_LINES):
        y = half.y * (-0.78 + 1.56 * line / (_LINES - 1))
        x, end = -half.x * 0.82, half.x * (0.82 if line % 4 != 3 else chance.between(0.1, 0.5))
        words = []
        while x < end:
            long = chance.between(1.2, 4.2)
            words.append(
                chain(turned(middle, min(x + long * n / 4, end), y + (0.22, -0.22)[n % 2], turn) for n in range(5))
            )
            x += long + 1.0
        pen.path("".join(words), stroke="mid", width=0.26)
    spot = turned(middle, half.x * 0.76, half.y * 0.68, turn)
    pen.path(ring(*spot, 1.9), "paper", "line", 0.3)
    pen.path(ring(*spot, 1.3), "tint", "line", 0.14)


def _chart(pen: Pen, middle: Point, half: Point, turn: float, chance: Chance) -> None:
    """Draws folds, hills as contour lines, a river, and a route to its goal."""
    folds = [chain(turned(middle, half.x * x, half.y * y, turn) for y in (-1, 1)) for x in (-0.34, 0.34)]
    pen.path("".join(folds), stroke="mid", width=0.16)
    hills = []
    for x, y in ((-0.72, -0.5), (0.7, 0.45), (-0.62, 0.6), (0.62, -0.6)):
        top = turned(middle, half.x * (x + chance.between(-0.08, 0.08)), half.y * y, turn)
        foot = blob(top, chance.between(5, 7.5), chance.between(3.4, 5), chance, 0.16, 18, 4)
        hills += [smooth(scaled(foot, top, 1 - n * 0.2)) for n in range(4)]
    pen.path("".join(hills), stroke="mid", width=0.2)
    bank = [
        turned(middle, half.x * (-0.95 + n * 0.38), half.y * (0.2 + 0.22 * math.sin(n * 1.7)), turn) for n in range(6)
    ]
    pen.strokes(smooth(bank, closed=False), ("mid", 1.1), ("paper", 0.7))
    way = [
        turned(middle, half.x * x, half.y * y, turn)
        for x, y in ((-0.86, 0.02), (-0.4, -0.28), (0.1, 0.3), (0.84, 0.02))
    ]
    pen.path(smooth(way, closed=False), stroke="line", width=0.4, dash="1.2 0.7")
    for spot in (way[0], way[-1]):
        pen.path(ring(*spot, 0.9), "paper", "line", 0.3)


def _draw(pen: Pen, window: PictureWindow, charge: str, chance: Chance) -> None:
    """Draws a fan of cards with the charge on the middle card, which is in front."""
    high = _reach(window, 0.74, 0.56)
    wide, pairs = high * 0.7, 1 + chance.below(2)
    foot = Point(window.at(0.5, 0).x, window.at(0, 0.5).y + high * 0.95)
    spread = chance.between(17, 20)
    with pen.within(rounded(*window, _CORNER)):
        for turn in (-2 * spread, 2 * spread) if pairs == 2 else ():
            _card_back(pen, turned(foot, 0, -high * 0.93, turn), wide, high, turn)
    for turn in (-spread, spread):
        _card_back(pen, turned(foot, 0, -high * 0.93, turn), wide, high, turn)
    middle = Point(foot.x, foot.y - high * 0.95)
    pen.path(loop(rectangle(middle, wide / 2, high / 2)), "paper", "line", 0.35)
    pen.path(loop(rectangle(middle, wide * 0.45, high * 0.455)), stroke="line", width=0.14)
    r, lobes = wide * 0.42, 9 + chance.below(6)
    _rosettes(pen, middle, r * 0.82, r * 0.16, lobes, 6, 0.12)
    _core(pen, middle, r * 0.78, charge)


def _card_back(pen: Pen, middle: Point, wide: float, high: float, turn: float) -> None:
    """Draws a card with lozenges on it, `wide` by `high` mm, turned by `turn` degrees around `middle`."""
    pen.path(loop(rectangle(middle, wide / 2, high / 2, turn)), "tint", "line", 0.35)
    field = loop(rectangle(middle, wide * 0.44, high * 0.455, turn))
    with pen.within(field):
        lines = []
        for k in range(-7, 8):
            for lean in (-1, 1):
                a = turned(middle, k * wide * 0.16 - lean * wide * 0.32, -high / 2, turn)
                lines.append(segment(a, turned(middle, k * wide * 0.16 + lean * wide * 0.32, high / 2, turn)))
        pen.path("".join(lines), stroke="mid", width=0.2)
    pen.path(field, stroke="line", width=0.16)


def _raise(pen: Pen, window: PictureWindow, charge: str, chance: Chance) -> None:
    """Draws a seal between ranks of chevrons that point up; upper chevrons are thicker."""
    r = _reach(window, 0.44, 0.26)
    middle = window.at(0.5, 0.5)
    reach = min((window.width / 2 - r * 1.08) / 2 - 1.6, 6.2)
    count = max(2, min(7, int(window.height * 0.84 / 4.2)))
    step = min(4.6, window.height * 0.84 / count)
    for side in (-1, 1):
        x = middle.x + side * (r * 1.08 + window.width / 2) / 2
        for n in range(count):
            y = middle.y + (n - (count - 1) / 2) * step
            thick = step * (0.62 - 0.4 * n / count)
            tip, low = y - step * 0.42, y + step * 0.3
            upper = [(x - reach, low), (x, tip), (x + reach, low)]
            lower = [(across, down + thick) for across, down in reversed(upper)]
            pen.path(loop([*upper, *lower]), "line" if n < (count + 1) // 2 else "paper", "line", 0.24)
    _seal(pen, middle, r, charge, chance)


def _march(pen: Pen, window: PictureWindow, charge: str, chance: Chance) -> None:
    """Draws a broad arrow across the note, with the charge in its shaft."""
    middle, half = window.at(0.5, 0.5), _reach(window, 0.44, 0.3)
    left, right = window.x + 2.6, window.right - 2.6
    shaft, head = half * 0.56, half * 1.12
    shape = [(left, -shaft), (right - head, -shaft), (right - head, -half), (right, 0)]
    shape += [(x, -y) for x, y in reversed(shape[:-1])]
    shape.append((left + shaft * 0.8, 0))
    arrow = [Point(x, middle.y + y) for x, y in shape]
    pen.path(loop(arrow), "paper", "line", 0.5)

    def chevron(x: float) -> str:
        return chain([(x - half, middle.y - half), (x, middle.y), (x - half, middle.y + half)])

    with pen.within(loop(arrow)):
        feathers = [chevron(left + n * 1.5) for n in range(int((right - left) / 1.5) + 2)]
        pen.path("".join(feathers), stroke="mid", width=0.2)
        for n in range(5):
            pen.path(chevron(right - head * 0.15 - n * 1.1), stroke="line", width=0.34)
    pen.path(loop(arrow), stroke="line", width=0.5)
    _seal(pen, middle, half * 0.88, charge, chance)


def _annul(pen: Pen, window: PictureWindow, charge: str, chance: Chance) -> None:
    """Draws a broken seal: two halves apart, with a crack between them."""
    middle, r = window.at(0.5, 0.5), _reach(window, 0.43, 0.27)
    crack = [
        Point(middle.x + dx * r, middle.y + dy * r)
        for dx, dy in ((0.05, -1.3), (-0.14, -0.7), (0.12, -0.3), (-0.1, 0.15), (0.13, 0.6), (-0.04, 1.3))
    ]
    state, slip = chance.state, r * chance.between(0.1, 0.16)
    edges = [[Point(x + side * r * 0.1, y + side * slip) for x, y in crack] for side in (-1, 1)]
    _core(pen, middle, r * 0.58, charge)  # below both halves; it stays without them
    for side, edge in zip((-1, 1), edges, strict=True):
        far = middle.x + side * window.width
        chance.state = state
        with pen.within(loop([*edge, Point(far, edge[-1].y), Point(far, edge[0].y)])):
            _seal(pen, Point(middle.x + side * r * 0.1, middle.y + side * slip), r, charge, chance)
    pen.path(loop([*edges[0][1:-1], *reversed(edges[1][1:-1])]), "paper")
    pen.path("".join(chain(edge[1:-1]) for edge in edges), stroke="line", width=0.3)


COMPOSITIONS: Mapping[str, Callable[[Pen, PictureWindow, str, Chance], None]] = {
    "gain": _gain,
    "strike": _strike,
    "ward": _ward,
    "search": _search,
    "draw": _draw,
    "raise": _raise,
    "march": _march,
    "annul": _annul,
}
"""The functions that draw a picture, by what the item does."""
_CORNER = 1.6
_HALF_WAVES = (6, 8, 9, 12)
_ROWS = 2.2
"""The distance between two waves, in mm."""


def draw(pen: Pen, window: PictureWindow, seed: str, charge: str, composition: str) -> None:
    """Draws a picture into the window, with one of the `COMPOSITIONS`. Raises KeyError for an unknown one."""
    chance = Chance(seed)
    frame = rounded(*window, _CORNER)
    with pen.within(frame):
        pen.path(frame, "paper")
        if composition != "strike":
            pen.path(_waves(window, _HALF_WAVES[chance.below(4)]), stroke="mid", width=0.11)
    COMPOSITIONS[composition](pen, window, charge, chance)
    pen.path(frame, stroke="line", width=0.4)
    pen.path(rounded(*window.inset(0.75), 1.1), stroke="line", width=0.12)


@lru_cache(maxsize=32)
def _waves(window: PictureWindow, half_waves: int) -> str:
    """Returns two crossing families of waves, `half_waves` half waves wide; cached: they take half a picture's time."""
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
