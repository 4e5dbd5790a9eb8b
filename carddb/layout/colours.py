"""Colours as people see them: luminance, contrast, lightness in greyscale, and simulated colour blindness.

Colours are `#rrggbb` in sRGB (IEC 61966-2-1).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType

from carddb.layout.display_list import Gradient

Matrix3 = tuple[tuple[float, float, float], ...]

VISIONS: Mapping[str, Matrix3] = MappingProxyType(
    {
        "protanopia": (
            (0.152286, 1.052583, -0.204868),
            (0.114503, 0.786281, 0.099216),
            (-0.003882, -0.048116, 1.051998),
        ),
        "deuteranopia": (
            (0.367322, 0.860646, -0.227968),
            (0.280085, 0.672501, 0.047413),
            (-0.011820, 0.042940, 0.968881),
        ),
        "tritanopia": (
            (1.255528, -0.076749, -0.178779),
            (-0.078411, 0.930809, 0.147602),
            (0.004733, 0.691367, 0.303900),
        ),
    }
)
"""For each kind of colour blindness, the matrix from linear RGB to the linear RGB that a person with it sees.

Machado, Oliveira and Fernandes, A Physiologically-based Model for Simulation of Color Vision Deficiency (IEEE TVCG
15:6, 2009), the matrices of severity 1.0.
"""
_XYZ: Matrix3 = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
_WHITE = (0.95047, 1.0, 1.08883)
"""The white point of sRGB (D65), as XYZ."""


@lru_cache(maxsize=1024)
def contrast(one: str, other: str) -> float:
    """Returns the contrast ratio of two colours (WCAG 2.2), from 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    """Returns the relative luminance of a colour, 0 to 1 (WCAG 2.2)."""
    red, green, blue = _linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def lightness(colour: str) -> float:
    """Returns L* of CIELAB, 0 to 100, that is, how light the colour is when it is printed in grey."""
    return _lab(_linear(colour))[0]


def difference(one: str, other: str, vision: str = "") -> float:
    """Returns the distance of two colours in CIELAB (1976), as seen with normal vision or colour blindness `vision`."""
    seen = (_linear(colour) for colour in (one, other))
    if vision:
        seen = ([min(1.0, max(0.0, part)) for part in _times(VISIONS[vision], colour)] for colour in seen)
    return math.dist(*map(_lab, seen))


def mixed(over: str, under: str, opacity: int) -> str:
    """Returns the colour that results where `over` is painted on `under` with `opacity` in thousandths."""
    pairs = zip(channels(over), channels(under), strict=True)
    return "#" + "".join(f"{round((a * opacity + b * (1000 - opacity)) / 1000):02x}" for a, b in pairs)


def shades(colour: str) -> Sequence[str]:
    """Returns variants of `colour`, a darker and a lighter one by turns, from the nearest up to black and white."""
    steps = range(50, 1001, 50)
    return [mixed(end, colour, step) for step in steps for end in ("#000000", "#ffffff")]


def channels(colour: str) -> tuple[int, int, int]:
    """Returns red, green and blue of `#rrggbb`, each 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _linear(colour: str) -> list[float]:
    return [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (channel / 255 for channel in channels(colour))
    ]


def _lab(linear: Sequence[float]) -> tuple[float, float, float]:
    parts = [part / white for part, white in zip(_times(_XYZ, linear), _WHITE, strict=True)]
    x, y, z = (n ** (1 / 3) if n > (6 / 29) ** 3 else n / (3 * (6 / 29) ** 2) + 4 / 29 for n in parts)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _times(matrix: Matrix3, vector: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def mean_colour(gradient: Gradient) -> tuple[str, int]:
    """Returns a gradient's mean colour and its mean opacity in thousandths, both taken along its length."""
    red = green = blue = opacity = 0.0
    for one, other in pairwise(gradient.padded()):
        length = (other.offset - one.offset) / 2
        for stop in (one, other):
            r, g, b = channels(stop.colour)
            red, green, blue = red + r * length, green + g * length, blue + b * length
            opacity += stop.opacity * length
    return "#" + "".join(f"{round(part):02x}" for part in (red, green, blue)), round(opacity)
