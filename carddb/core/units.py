"""Lengths as whole micrometres, an `int` everywhere: `3in`, `63.5mm`, sizes and boxes. Halves round to even."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fractions import Fraction

UM_PER_MM = 1000
UM_PER_INCH = 25400
_PER_UNIT = {"mm": (1000, 1), "cm": (10_000, 1), "in": (25_400, 1), "pt": (25_400, 72), "um": (1, 1)}
"""Micrometres per unit, as numerator and denominator."""
_LENGTH = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*(mm|cm|in|pt|um)?\s*")
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(mm|cm|in)?\s*[x×]\s*(\d+(?:\.\d+)?)\s*(mm|cm|in)\s*")


@lru_cache(maxsize=1024)
def parse_length(text: str, default_unit: str = "") -> int:
    """Returns micrometres: `"3in"` is 76200; a number alone is in `default_unit`. Raises ValueError for other texts."""
    match = _LENGTH.fullmatch(text)
    unit = match and (match[2] or default_unit)
    if not match or not unit:
        raise ValueError(f"{text!r} is not a length (write 3in, 63.5mm or 9pt)")
    return _length(match[1], unit)


def _length(number: str, unit: str) -> int:
    whole, _, decimals = number.partition(".")
    over, under = _PER_UNIT[unit]
    over, under = int(whole + decimals) * over, int(f"1{'0' * len(decimals)}") * under
    length, rest = divmod(over, under)
    return length + 1 if 2 * rest > under or (2 * rest == under and length % 2) else length


def mm(value: float | Fraction) -> int:
    """Returns a length in millimetres as micrometres."""
    return round(value * UM_PER_MM)


def to_mm(length: int) -> float:
    """Returns a length in micrometres as millimetres."""
    return length / UM_PER_MM


def to_points(length: int) -> float:
    """Returns a length in micrometres as PostScript points (1/72 inch)."""
    return length * 72 / UM_PER_INCH


def points(value: float) -> int:
    """Returns a length in PostScript points as micrometres."""
    return round(value * UM_PER_INCH / 72)


class Size(NamedTuple):
    """Width and height in micrometres."""

    width: int
    height: int

    @classmethod
    def parse(cls, text: str) -> Size:
        """Returns a size such as `"2.5x3.5in"` or `"210x297mm"`. Raises ValueError for others or above 2 m."""
        match = _SIZE.fullmatch(text)
        if not match:
            raise ValueError(f"{text!r} is not a size (write 2.5x3.5in or 63x88mm)")
        width, height = _length(match[1], match[2] or match[4]), _length(match[3], match[4])
        if not (0 < width <= 2_000_000 and 0 < height <= 2_000_000):
            raise ValueError(f"{text!r} is not a size between 0 and 2 metres")
        return cls(width, height)

    @property
    def turned(self) -> Size:
        """The size with width and height swapped."""
        return Size(self.height, self.width)

    def __str__(self) -> str:
        return f"{to_mm(self.width):g} × {to_mm(self.height):g} mm"


class Box(NamedTuple):
    """A rectangle: left, top, width, height in micrometres, y downwards."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        return self.x + self.width

    @property
    def bottom(self) -> int:
        return self.y + self.height

    def contains(self, other: Box) -> bool:
        """Returns whether `other` lies within this box."""
        return self.x <= other.x and self.y <= other.y and other.right <= self.right and other.bottom <= self.bottom

    def overlaps(self, other: Box) -> bool:
        """Returns whether two boxes share an area; sharing only an edge does not count."""
        return self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom

    def grown(self, by: int) -> Box:
        """Returns the box with every edge moved outwards by `by` micrometres."""
        return Box(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)
