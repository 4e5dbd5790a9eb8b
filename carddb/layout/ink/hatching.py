"""Colours as patterns that survive a grey copy: the hatchings of heraldry (after Silvester Petra Sancta, 1638).

Red is upright lines, blue level ones, green falls, purple rises, yellow is dotted, black a grid, white plain; what lies
between two of them has lines of both. How far the lines stand apart tells how dark the colour is.
"""

from __future__ import annotations

import colorsys
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from carddb.layout.display_list import Op, Path, Stroke
from carddb.layout.drawing.geometry import Span

LINE = 100
_DOT = 240
_BY_HUE = (
    (20, "vertical"),
    (40, "rising-horizontal"),
    (70, "dots"),
    (160, "falling"),
    (195, "falling-horizontal"),
    (255, "horizontal"),
    (305, "rising"),
    (340, "crossed"),
    (360, "vertical"),
)
"""Up to which hue, in degrees: gules, tenné, or, vert, turquoise, azure, purpure, murrey."""
_DARK, _MIDDLE = 60, 130
"""Levels of grey up to which lines stand close, and a little apart."""
_PITCHES = (900, 1200, 1600)
_RHYTHMS = {
    "vertical": (100, 1100),
    "rising-horizontal": (100, 500, 500, 900),
    "dots": (100, 500),
    "falling": (100, 300, 100, 1500),
    "falling-horizontal": (100, 300, 500, 1100),
    "horizontal": (700, 700),
    "rising": (100, 300, 100, 300, 100, 1500),
    "crossed": (400, 300, 100, 1000),
    "grid": (300, 300),
    "broken": (1600, 800),
}
"""The ticks along a broad line of that colour: lengths of ticks and of the spaces after them."""


class Hatch(NamedTuple):
    """What stands for a colour: a pattern, and its pitch in micrometres."""

    pattern: str
    pitch: int

    @property
    def rhythm(self) -> tuple[int, ...]:
        """The ticks that stand for it on a broad line."""
        return _RHYTHMS[self.pattern]


def channels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of `#rrggbb`, 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


@lru_cache(maxsize=1024)
def level(colour: str) -> int:
    """The grey a colour is copied as, 0 black to 255 white (luma of Rec. 601)."""
    red, green, blue = channels(colour)
    return round(0.299 * red + 0.587 * green + 0.114 * blue)


@lru_cache(maxsize=1024)
def neutral(colour: str) -> bool:
    """Whether a colour has no hue worth the name."""
    high, low = max(channels(colour)), min(channels(colour))
    return high - low < 16 or (high - low) * 100 < 15 * min(high + low, 510 - high - low)


@lru_cache(maxsize=1024)
def pale(colour: str) -> bool:
    """Whether a colour is as good as white for a ground: light, and little of a hue."""
    return level(colour) >= 200 and max(channels(colour)) - min(channels(colour)) < 44


@lru_cache(maxsize=1024)
def hatch_of(colour: str) -> Hatch | None:
    """The mark of a colour: the same for the same; hues further apart than 90° never share one. None is plain."""
    if pale(colour):
        return None
    grey = level(colour)
    pitch = _PITCHES[0 if grey <= _DARK else 1 if grey <= _MIDDLE else 2]
    if neutral(colour):
        return Hatch("grid" if grey <= 100 else "broken", pitch)
    hue = colorsys.rgb_to_hsv(*channels(colour))[0] * 360
    return Hatch(next(name for end, name in _BY_HUE if hue <= end), pitch)


@lru_cache(maxsize=512)
def hatching(hatch_of: Hatch, span: Span, colour: str, width: int) -> tuple[Path, ...]:
    """The lines of a mark over a rectangle; all hatchings of one mark go on in each other wherever they meet."""
    pitch = hatch_of.pitch
    if hatch_of.pattern == "dots":
        ops = tuple(_rows(span, pitch))
        return (Path(ops, stroke=Stroke(colour, _DOT * width // LINE, "round", dash=(1, pitch - 1))),)
    if hatch_of.pattern == "broken":
        ops = tuple(_rows(span, 2 * pitch))
        return (Path(ops, stroke=Stroke(colour, width, dash=(pitch * 5 // 4, 2 * pitch - pitch * 5 // 4))),)
    ways = _ways(hatch_of.pattern)
    apart = pitch * (1 + len(ways)) // 2
    ops = tuple(op for way in ways for op in _lines(way, span, apart))
    return (Path(ops, stroke=Stroke(colour, width)),)


def _ways(pattern: str) -> tuple[str, ...]:
    pairs = {"grid": "horizontal-vertical", "crossed": "falling-rising"}
    return tuple(pairs.get(pattern, pattern).split("-"))


def _lines(way: str, span: Span, pitch: int) -> Iterator[Op]:
    """Lines of one direction, those that go through the origin's half pitch among them."""
    left, top, right, bottom = span
    if way == "horizontal":
        for y in _steps(top, bottom, pitch):
            yield from _line(left, y, right, y)
    elif way == "vertical":
        for x in _steps(left, right, pitch):
            yield from _line(x, top, x, bottom)
    elif way == "falling":
        for c in _steps(top - right, bottom - left, pitch * 141 // 100):
            yield from _line(
                max(left, top - c), max(left, top - c) + c, min(right, bottom - c), min(right, bottom - c) + c
            )
    else:
        for c in _steps(top + left, bottom + right, pitch * 141 // 100):
            yield from _line(
                max(left, c - bottom), c - max(left, c - bottom), min(right, c - top), c - min(right, c - top)
            )


def _rows(span: Span, pitch: int) -> Iterator[Op]:
    """Level lines that begin at every other one half a pitch later, for dashes that shall lie like bricks."""
    apart = max(1, pitch // 2)
    for y in _steps(span.top, span.bottom, apart):
        shift = pitch // 2 if y // apart % 2 else 0
        yield from _line((span.left - shift) // pitch * pitch + shift, y, span.right, y)


def _steps(low: int, high: int, pitch: int) -> range:
    return range(low + (pitch // 2 - low) % pitch, high, pitch)


def _line(x1: int, y1: int, x2: int, y2: int) -> tuple[Op, Op]:
    return ("M", (x1, y1)), ("L", (x2, y2))
