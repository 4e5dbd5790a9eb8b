"""Aligns front and back: the scales that are read through the paper, and a printer's correction computed from them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from operator import mul
from typing import Literal, NamedTuple

from carddb.core.errors import UsageError
from carddb.core.units import UM_PER_MM, Box, Size
from carddb.layout.drawing.path import apply, multiply
from carddb.layout.sheets.grid import MARGIN, turn_axis
from carddb.layout.sheets.imposition import Matrix, Page, Side
from carddb.layout.stock import paper_name

PITCH = 2000
STEP = 1900
"""The distance between two lines of a scale, in micrometres: PITCH on the back, STEP on the front."""
NUMBERS = 21
ZERO = 10
LETTERS = "ABCDEFGHJKL"
RIGHT = f"{LETTERS[len(LETTERS) // 2]}{ZERO}"
"""The reading of a scale if front and back are perfectly aligned."""
CELL = 1200
"""The width of a letter's cell, so far below PITCH that a long line between two letters may be read as either."""
RANGE = CELL * len(LETTERS) // 2
"""The largest offset of the back along the scale that can still be read."""
SLACK = 5000
"""The largest offset of the back across the scale that can still be read."""

GAP = 1500
"""Half the height of the gap in which front and back are compared."""
BACK_HALF = SLACK + GAP
STRIP = (10200, 12200)
"""The start and end of the cells with letters, measured inwards from the middle of the gap."""
POINTER = (STRIP[0] + STRIP[1]) // 2 + SLACK + 1300
"""The length by which the long line reaches inwards."""
DEPTH = 14800
"""The length by which the front's part of a scale reaches inwards."""
FRONT_HALF = STEP * ZERO + 1300
BACK_LINES = -(-(STEP * ZERO + RANGE) // PITCH)
"""The number of lines on either side of the back's long line: enough to reach the last number at the largest offset."""

_READING = re.compile(r"([A-HJ-La-hj-l])\s*([0-9]{1,2})")


@dataclass(frozen=True, slots=True)
class Vernier:
    """A scale along `axis`, centred at (`x`, `y`); `side` is 1 at the left or upper edge of a page, else -1."""

    axis: Literal["x", "y"]
    x: int
    y: int
    side: int

    def at(self, along: int, inwards: int) -> tuple[int, int]:
        """Returns the point `along` the axis and `inwards` on the page, both in micrometres from the scale's centre."""
        across = inwards * self.side
        return (self.x + along, self.y + across) if self.axis == "x" else (self.x + across, self.y + along)


@dataclass(frozen=True, slots=True)
class ScaleReading:
    """The reading of a scale: the letter beside the long line, and the number at which front and back lines meet."""

    letter: str
    number: int

    def __str__(self) -> str:
        return f"{self.letter}{self.number}"

    @property
    def front(self) -> int:
        """The position along the scale of the front's line for this number, in micrometres from its centre."""
        return (self.number - ZERO) * STEP

    @property
    def back(self) -> int:
        """The position of the back's line that meets it: of the equal lines, the one that best fits the letter."""
        cell = (LETTERS.index(self.letter) - len(LETTERS) // 2) * CELL
        return round(Fraction(self.front - cell, PITCH)) * PITCH


def parse_reading(text: str, example: str) -> ScaleReading:
    """Returns the reading in a text such as `"c7"` (C7). Raises UsageError, which shows `example`, for other texts."""
    match = _READING.fullmatch(text.strip())
    if not match or int(match[2]) >= NUMBERS:
        raise UsageError(
            f"{text.strip()!r} is not a reading: a reading is a letter from {LETTERS[0]} to {LETTERS[-1]} (without I) "
            f"and a number from 0 to {NUMBERS - 1}",
            f"Write the readings like this: {example}. If the long line is beyond all letters, front and back are more "
            f"than {RANGE // 1000} mm apart: have the printer repaired first.",
        )
    return ScaleReading(match[1].upper(), int(match[2]))


def front_lines(scale: Vernier) -> Iterator[tuple[int, tuple[int, int], tuple[int, int]]]:
    """Yields (number, start, end) for the lines of the front: each number has a line on either side of the gap."""
    for number in range(NUMBERS):
        along = (number - ZERO) * STEP
        for way in (-1, 1):
            long = (way == -1) == (number % 2 == 0)
            yield number, scale.at(along, way * GAP), scale.at(along, way * (4200 if long else 3400))


def back_lines(scale: Vernier, off: int = 0) -> Iterator[tuple[bool, tuple[int, int], tuple[int, int]]]:
    """Yields (is the long line, start, end) for the lines of the back, shifted by `off` micrometres along the scale."""
    for number in range(-BACK_LINES, BACK_LINES + 1):
        along = number * PITCH + off
        yield number == 0, scale.at(along, -BACK_HALF), scale.at(along, POINTER if number == 0 else BACK_HALF)


MILLION = 1_000_000
FARTHEST = 20_000
"""The largest shift of a back, in micrometres."""
STEEPEST = 35_000
"""The largest rotation of a back, in microradians (two degrees)."""
WIDEST = 30_000
"""The largest stretch, in millionths (three per cent). A page stretched more was printed with "fit to page"."""


class Correction(NamedTuple):
    """The correction with which pages for one printer, tray and paper are drawn.

    First, both faces are stretched by `scale_x`, `scale_y` millionths. Then the back is stretched by `back_x`, `back_y`
    millionths and turned by `angle` microradians, both about its middle, and its middle is moved by `x`, `y`
    micrometres (right and down, as the back is seen).
    """

    x: int = 0
    y: int = 0
    angle: int = 0
    back_x: int = 0
    back_y: int = 0
    scale_x: int = 0
    scale_y: int = 0

    @property
    def plausible(self) -> bool:
        """True if a printer can be off by as much as this correction."""
        return (
            max(abs(self.x), abs(self.y)) <= FARTHEST
            and abs(self.angle) <= STEEPEST
            and max(map(abs, (self.back_x, self.back_y, self.scale_x, self.scale_y))) <= WIDEST
        )

    def __str__(self) -> str:
        """Returns the shift, such as `x +0.30 mm y −0.20 mm`, followed by angle and scales if they are not zero."""
        parts = [self.brief]
        if self.angle:
            parts.append(f"angle {self.degrees}")
        if self.back_x or self.back_y:
            parts.append(f"back {_percents(self.back_x, self.back_y)}")
        if self.scale_x or self.scale_y:
            parts.append(f"scale {_percents(self.scale_x, self.scale_y)}")
        return ", ".join(parts)

    @property
    def brief(self) -> str:
        """Only the shift, such as `x +0.30 mm y −0.20 mm`."""
        return f"x {_mm(self.x)} y {_mm(self.y)}"

    @property
    def full(self) -> str:
        """The whole correction, including the parts that are zero."""
        back, scale = _percents(self.back_x, self.back_y), _percents(self.scale_x, self.scale_y)
        return f"{self.move}, back {back}, scale {scale}"

    @property
    def move(self) -> str:
        """The shift and the angle: `x +0.30 mm, y −0.20 mm, angle +0.120°`."""
        return f"x {_mm(self.x)}, y {_mm(self.y)}, angle {self.degrees}"

    @property
    def degrees(self) -> str:
        """The angle in degrees: `+0.120°`."""
        return f"{_signed(math.degrees(self.angle / MILLION), 3)}°"


NONE = Correction()


def _percents(across: int, down: int) -> str:
    """Returns two stretches, given in millionths, as the resulting sizes: `100.12 × 99.90 %`."""
    return " × ".join(f"{float(100 + Fraction(part, 10_000)):.2f}" for part in (across, down)) + " %"


def _mm(length: int) -> str:
    return f"{_signed(length / 1000)} mm"


def _signed(value: float, places: int = 2) -> str:
    return f"{value:+.{places}f}".replace("-", "−")


def scale_matrix(correction: Correction, size: Size) -> Matrix:
    """Returns the matrix that stretches a page of `size` about its middle by `scale_x` and `scale_y`."""
    across, down = (1 + Fraction(part, MILLION) for part in (correction.scale_x, correction.scale_y))
    return about_middle((across, Fraction(0), Fraction(0), down), (0, 0), size)


def back_matrix(correction: Correction, size: Size) -> Matrix:
    """Returns the matrix that, after `scale_matrix`, stretches and turns the back about its middle and moves it."""
    cos, sin = _cos_sin(Fraction(correction.angle, MILLION))
    across, down = (1 + Fraction(part, MILLION) for part in (correction.back_x, correction.back_y))
    linear = (cos * across, sin * across, -sin * down, cos * down)
    return about_middle(linear, (correction.x, correction.y), size)


@lru_cache(maxsize=64)
def page_adjustment(correction: Correction, size: Size, side: Side) -> Matrix | None:
    """Returns the matrix for everything on a page: its scale, and for a back also the rest; None if nothing changes."""
    scale = scale_matrix(correction, size)
    matrix = multiply(back_matrix(correction, size), scale) if side == "back" else scale
    return None if matrix == back_matrix(NONE, size) else matrix


def about_middle(
    linear: tuple[Fraction, Fraction, Fraction, Fraction], move: tuple[Fraction | int, Fraction | int], size: Size
) -> Matrix:
    """Returns the matrix that applies `linear` (a, b, c, d) about the middle of a page, then moves it by `move`."""
    a, b, c, d = linear
    x, y = Fraction(size.width, 2), Fraction(size.height, 2)
    return a, b, c, d, x + move[0] - a * x - c * y, y + move[1] - b * x - d * y


def with_back(correction: Correction, matrix: Matrix, size: Size) -> Correction:
    """Returns `correction` with the values for the back taken from `matrix`, rounded to whole units.

    This is the inverse of `back_matrix`, except that a skew in `matrix` is lost.
    """
    a, b, c, d, _, _ = matrix
    middle = Fraction(size.width, 2), Fraction(size.height, 2)
    x, y = (to - at for to, at in zip(apply(matrix, *middle), middle, strict=True))
    tangent = (b - c) / (a + d)
    angle = tangent - tangent**3 / 3 + tangent**5 / 5
    cos, sin = _cos_sin(angle)
    return correction._replace(x=round(x), y=round(y), angle=round(angle * MILLION),
        back_x=round((cos * a + sin * b - 1) * MILLION), back_y=round((cos * d - sin * c - 1) * MILLION),
    )  # fmt: skip


def with_scale(correction: Correction, rulers: tuple[int, int], measured: tuple[int, int]) -> Correction:
    """Returns `correction` with new scales under which the rulers print at their true lengths.

    `rulers` are the nominal lengths (across, down), `measured` the lengths on a page that was drawn with `correction`.
    """
    x, y = (
        round(Fraction(MILLION + old) * ruler / length - MILLION)
        for old, ruler, length in zip((correction.scale_x, correction.scale_y), rulers, measured, strict=True)
    )
    return correction._replace(scale_x=x, scale_y=y)


def _cos_sin(angle: Fraction) -> tuple[Fraction, Fraction]:
    """Returns cosine and sine of an angle in radians, correct to twelve digits for up to two degrees."""
    return 1 - angle**2 / 2 + angle**4 / 24, angle - angle**3 / 6 + angle**5 / 120


class Printer(NamedTuple):
    """A printer with paper in one of its trays; `corrections` is `{size of the page: correction}`."""

    name: str
    tray: str
    corrections: Mapping[Size, Correction]

    def corrected(self, page: Page) -> Page:
        """Returns the page with this printer's correction, and with the texts that describe it in the page's footer.

        If a correction is known only for the same paper the other way round (portrait or landscape), the page gets
        only the scale, because it is not known which way the printer turns such a page.
        """
        correction = NONE
        words: tuple[str, ...] = ("not corrected for this paper",)
        if own := self.corrections.get(page.size):
            correction, words = own, (str(own), own.brief)
        elif turned := self.corrections.get(page.size.turned):
            correction = Correction(scale_x=turned.scale_y, scale_y=turned.scale_x)
            words = ("scale only, this way round",)
        adjust = page_adjustment(correction, page.size, page.side)
        who = f"printer {self.name}, tray {self.tray}"
        return page._replace(
            adjust=adjust, corrected=(*(f"{who}: {text}" for text in words), f"{self.name}: {words[-1]}")
        )


def corrected(pages: Sequence[Page], printer: Printer | None) -> list[Page]:
    """Returns the pages, corrected for `printer`, or unchanged if there is no printer."""
    return [printer.corrected(page) for page in pages] if printer else list(pages)


EDGE = MARGIN + BACK_HALF + 1_000
"""The distance from the paper's edge to the middle of a scale's gap."""
RAIL = EDGE + DEPTH + 4_200
"""The width of the margin that is kept for the scales, including the long lines of the back."""
_CORNER = MARGIN + BACK_LINES * PITCH + 150
"""The distance from a corner of the paper to the middle of the first scale on an edge."""
_NEXT = EDGE + DEPTH + FRONT_HALF + 2500
"""The distance to the first scale from a corner whose other edge already has a scale beside the corner."""
_SIX = Size(124_000, 145_000)
_FOUR = Size(74_000, 112_000)
_DISAGREE = Fraction(240)
"""The most micrometres by which a reading may contradict the others: one mark off is less, a wrong letter more."""
_UNKNOWN = {2: 2, 4: 3, 6: 5}
"""`{number of readings: how many of x, y, angle, back_x and back_y can be computed from them}`."""

_Equation = list[Fraction]


def scales(size: Size) -> tuple[Vernier, ...]:
    """Returns the vernier scales on paper of a size, in reading order. Raises UsageError if the paper is too small."""
    width, height = size.width, size.height
    right, bottom = width - EDGE, height - EDGE
    if min(width, height) < _SIX.width or max(width, height) < _SIX.height:
        if width < _FOUR.width or height < _FOUR.height:
            raise UsageError(f"paper of {size} is too small for a calibration page", f"Use paper of at least {_FOUR}.")
        return (
            Vernier("x", width // 2, EDGE, 1),
            Vernier("y", right, height // 2, -1),
            Vernier("x", width // 2, bottom, -1),
            Vernier("y", EDGE, height // 2, 1),
        )
    across, down = (_CORNER, _NEXT) if height >= width else (_NEXT, _CORNER)
    return (
        Vernier("x", across, EDGE, 1),
        Vernier("x", width - _CORNER, EDGE, 1),
        Vernier("y", right, height // 2, -1),
        Vernier("x", width // 2, bottom, -1),
        Vernier("y", EDGE, height - _CORNER, 1),
        Vernier("y", EDGE, down, 1),
    )


def registered(readings: Sequence[ScaleReading], size: Size, flip: str, applied: Correction) -> Correction:
    """Returns the correction that aligns back and front, computed from readings of a page drawn with `applied`.

    The error that was read is added to the correction that was already applied. Six readings give the back's shift,
    angle and both scales; four give the shift and the angle; two, of the first and the last scale, give the shift only.
    Raises UsageError for any other number of readings, and for readings that contradict each other.
    """
    places = scales(size)
    if len(readings) == 2:
        places = (places[0], places[-1])
    if len(readings) != len(places):
        raise UsageError(
            f"the page has {len(places)} scales, so {len(places)} readings are needed, not {len(readings)}",
            f"Give all in order: --read {example(size)}. Scales 1 and {len(places)} are enough for the shift alone.",
        )
    equations, values = _equations(readings, places, size, flip, applied)
    equations = [equation[: _UNKNOWN[len(places)]] for equation in equations]
    unknowns = _least_squares(equations, values)
    residuals = [sum(map(mul, equation, unknowns), -value) for equation, value in zip(equations, values, strict=True)]
    x, y, angle = (*unknowns, Fraction(0))[:3]
    across, down = unknowns[3:] or (-angle * angle / 2, -angle * angle / 2)  # so that a turn stretches nothing
    error = about_middle((1 + across, angle, -angle, 1 + down), (x, y), size)
    correction = with_back(applied, multiply(back_matrix(applied, size), error), size)
    if max(map(abs, residuals)) > _DISAGREE or not correction.plausible:
        raise UsageError(
            "these readings cannot all be right: they contradict each other, or no printer is that far off",
            f"Read the scales again, in order from 1 to {len(places)}, as in --read {example(size)}.",
        )
    return correction


def example(size: Size) -> str:
    """Returns sample readings of all scales, in the form in which the user types them for paper of `size`."""
    return "E6,E2,E7,F14,E4,E18" if len(scales(size)) == 6 else "E1,E17,E17,F15"


def _equations(
    readings: Sequence[ScaleReading], places: Sequence[Vernier], size: Size, flip: str, applied: Correction
) -> tuple[list[_Equation], list[Fraction]]:
    """Returns the coefficients and the right-hand sides of linear equations for x, y, angle, back_x and back_y.

    Each equation says that a line of the front, mirrored onto the back's page, must move to the line of the back that
    it was seen to meet. Both lines are taken where they were drawn, that is, with the scale of `applied`.
    """
    a, b, c, d, e, f = map(Fraction, turn_axis(size, flip).matrix)
    turn, scale = (a, b, c, d, e, f), scale_matrix(applied, size)
    equations: list[_Equation] = []
    values: list[Fraction] = []
    one, none = Fraction(1), Fraction(0)
    for place, reading in zip(places, readings, strict=True):
        x, y = apply(turn, *apply(scale, *place.at(reading.front, 0)))
        across, down = apply(turn, *apply(scale, *place.at(reading.back, 0)))
        x_middle, y_middle = x - Fraction(size.width, 2), y - Fraction(size.height, 2)
        if place.axis == "x":
            equations.append([one, none, -y_middle, x_middle, none])
            values.append(across - x)
        else:
            equations.append([none, one, x_middle, none, y_middle])
            values.append(down - y)
    return equations, values


def _least_squares(equations: Sequence[_Equation], values: Sequence[Fraction]) -> _Equation:
    """Returns the unknowns that solve the equations best (least squares), as exact fractions."""
    count = len(equations[0])
    matrix = [
        [sum((equation[i] * equation[j] for equation in equations), Fraction(0)) for j in range(count)]
        + [sum((equation[i] * value for equation, value in zip(equations, values, strict=True)), Fraction(0))]
        for i in range(count)
    ]
    for i in range(count):
        pivot = next(j for j in range(i, count) if matrix[j][i])
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        matrix[i] = [value / matrix[i][i] for value in matrix[i]]
        for j in range(count):
            if j != i:
                matrix[j] = [a - matrix[j][i] * b for a, b in zip(matrix[j], matrix[i], strict=True)]
    return [equation[-1] for equation in matrix]


_CODE = "BCDFGHJKLMNPQRSTVWXZ"
"""The letters used in a page's code: no vowels, so that no code is a word."""
_MOST = Size(152_000, 216_000)
"""The largest area for texts and rulers; on larger paper they are centred."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A calibration page: its size and flip, the correction that it is drawn with, the printer's `name` (empty for any
    printer) and the printer's tray.
    """

    size: Size
    flip: str
    correction: Correction = NONE
    name: str = ""
    tray: str = "1"

    @property
    def code(self) -> str:
        """Four letters derived from the page's settings: typed with the readings, they tell which page was read."""
        c = self.correction
        numbers = (c.x, c.y, c.angle, c.back_x, c.back_y, c.scale_x, c.scale_y)
        text = "|".join(map(str, (self.name, self.tray, self.size.width, self.size.height, self.flip, *numbers)))
        number = int.from_bytes(sha256(text.encode()).digest()[:8])
        return "".join(_CODE[number // len(_CODE) ** place % len(_CODE)] for place in range(4))

    @property
    def other_flip(self) -> str:
        return "short-edge" if self.flip == "long-edge" else "long-edge"

    @property
    def command(self) -> str:
        """The command that the user types, up to the readings."""
        paper, tray = paper_name(self.size), self.tray
        parts = (
            f"carddb printer set {self.name or 'NAME'}",
            f"--paper {paper}" if paper != "letter" else "",
            f"--tray {tray}" if tray != "1" else "",
            f"--page {self.code}",
        )
        return " ".join(filter(None, parts))


def ruler_lengths(size: Size) -> tuple[int, int] | None:
    """Returns the lengths of a page's rulers, across and down (100 or 50 mm each), or None if they do not fit."""
    if len(scales(size)) < 6:
        return None
    room = room_of(size)
    across, down = (100 if length >= 104 * UM_PER_MM else 50 for length in (room.width, room.height))
    return across * UM_PER_MM, down * UM_PER_MM


def room_of(size: Size) -> Box:
    """Returns the box for the texts and rulers of a page, that is, the area inside the scales."""
    width, height = min(size.width - 2 * RAIL, _MOST.width), min(size.height - 2 * RAIL, _MOST.height)
    return Box((size.width - width) // 2, (size.height - height) // 2, width, height)
