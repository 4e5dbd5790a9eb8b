"""What a printer does to a page, undone: a small move, turn and stretch of the back, and the printer's own scale.

Exact arithmetic on whole micrometres (y downwards), microradians (clockwise) and millionths, so that the same
readings give the same numbers everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from carddb.core.units import Size
from carddb.layout.sheets.imposition import Matrix, Page, Side

MILLION = 1_000_000
FARTHEST = 20_000
"""How far a back may be moved, in micrometres."""
STEEPEST = 35_000
"""How far it may be turned, in microradians: two degrees."""
WIDEST = 30_000
"""How far anything may be stretched, in millionths: three per cent. More is a page that was printed to fit."""


class Correction(NamedTuple):
    """What the pages of one printer, tray and paper are drawn with.

    The back's middle is moved by `x`, `y` micrometres (right and down, as the back is seen), the back turned about
    it by `angle` microradians and stretched by `back_x`, `back_y` millionths; both faces are stretched by
    `scale_x`, `scale_y` millionths first.
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
        """Whether a printer can be that far off."""
        return (
            max(abs(self.x), abs(self.y)) <= FARTHEST
            and abs(self.angle) <= STEEPEST
            and max(map(abs, (self.back_x, self.back_y, self.scale_x, self.scale_y))) <= WIDEST
        )

    def __str__(self) -> str:
        """`x +0.30 mm y −0.20 mm`, then turn and scales where there are any."""
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
        """`x +0.30 mm y −0.20 mm`."""
        return f"x {_mm(self.x)} y {_mm(self.y)}"

    @property
    def full(self) -> str:
        """All of it, also what is nothing."""
        back, scale = _percents(self.back_x, self.back_y), _percents(self.scale_x, self.scale_y)
        return f"{self.move}, back {back}, scale {scale}"

    @property
    def move(self) -> str:
        """`x +0.30 mm, y −0.20 mm, angle +0.120°`."""
        return f"x {_mm(self.x)}, y {_mm(self.y)}, angle {self.degrees}"

    @property
    def degrees(self) -> str:
        """The angle in degrees, `+0.120°`."""
        return f"{_signed(Fraction(self.angle) * _DEGREES / MILLION, 3)}°"


NONE = Correction()
_DEGREES = Fraction(57_295_779_513, 1_000_000_000)


def _percents(across: int, down: int) -> str:
    """Stretches as the sizes that come of them: `100.12 × 99.90 %`."""
    return " × ".join(f"{float(100 + Fraction(part, 10_000)):.2f}" for part in (across, down)) + " %"


def _mm(length: int) -> str:
    return f"{_signed(Fraction(length, 1000))} mm"


def _signed(value: Fraction, places: int = 2) -> str:
    return f"{float(value):+.{places}f}".replace("-", "−")


def times(outer: Matrix, inner: Matrix) -> Matrix:
    """The matrix that does `inner`, then `outer`."""
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f


def moved(matrix: Matrix, x: Fraction | int, y: Fraction | int) -> tuple[Fraction, Fraction]:
    """Where a point comes to lie."""
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


@lru_cache(maxsize=64)
def scale_matrix(correction: Correction, size: Size) -> Matrix:
    """The printer's own scale, about the middle of the page."""
    stretched = tuple(1 + Fraction(part, MILLION) for part in (correction.scale_x, correction.scale_y))
    return about_middle((stretched[0], Fraction(0), Fraction(0), stretched[1]), (0, 0), size)


@lru_cache(maxsize=64)
def back_matrix(correction: Correction, size: Size) -> Matrix:
    """What a back of that size gets after its scale: stretched and turned about its middle, then moved."""
    cos, sin = _cos_sin(Fraction(correction.angle, MILLION))
    across, down = (1 + Fraction(part, MILLION) for part in (correction.back_x, correction.back_y))
    linear = (cos * across, sin * across, -sin * down, cos * down)
    return about_middle(linear, (correction.x, correction.y), size)


@lru_cache(maxsize=64)
def page_adjustment(correction: Correction, size: Size, side: Side) -> Matrix | None:
    """The matrix over the whole content of a page: the scale on both faces, the rest on backs alone.

    None where there is nothing to do.
    """
    scale = scale_matrix(correction, size)
    matrix = times(back_matrix(correction, size), scale) if side == "back" else scale
    return None if matrix == back_matrix(NONE, size) else matrix


def about_middle(
    linear: tuple[Fraction, Fraction, Fraction, Fraction], move: tuple[Fraction | int, Fraction | int], size: Size
) -> Matrix:
    """What turns and stretches a page about its middle, and moves that."""
    a, b, c, d = linear
    x, y = Fraction(size.width, 2), Fraction(size.height, 2)
    return a, b, c, d, x + move[0] - a * x - c * y, y + move[1] - b * x - d * y


def with_back(correction: Correction, matrix: Matrix, size: Size) -> Correction:
    """The same scale with the back corrected by `matrix`, rounded to whole units; a skew is lost.

    The inverse of `back_matrix`.
    """
    a, b, c, d, _, _ = matrix
    middle = Fraction(size.width, 2), Fraction(size.height, 2)
    x, y = (to - at for to, at in zip(moved(matrix, *middle), middle, strict=True))
    tangent = (b - c) / (a + d)
    angle = tangent - tangent**3 / 3 + tangent**5 / 5
    cos, sin = _cos_sin(angle)
    return correction._replace(x=round(x), y=round(y), angle=round(angle * MILLION),
        back_x=round((cos * a + sin * b - 1) * MILLION), back_y=round((cos * d - sin * c - 1) * MILLION),
    )  # fmt: skip


def with_scale(correction: Correction, rulers: tuple[int, int], measured: tuple[int, int]) -> Correction:
    """The correction that makes rulers true, across and down, which were measured on a page drawn with `correction`."""
    x, y = (
        round(Fraction(MILLION + old) * ruler / length - MILLION)
        for old, ruler, length in zip((correction.scale_x, correction.scale_y), rulers, measured, strict=True)
    )
    return correction._replace(scale_x=x, scale_y=y)


def _cos_sin(angle: Fraction) -> tuple[Fraction, Fraction]:
    """Of a small angle in radians: right to twelve digits up to two degrees."""
    return 1 - angle**2 / 2 + angle**4 / 24, angle - angle**3 / 6 + angle**5 / 120


class Printer(NamedTuple):
    """A printer with paper in one of its trays: `corrections` by the size of the page."""

    name: str
    tray: str
    corrections: Mapping[Size, Correction]

    def corrected(self, page: Page) -> Page:
        """The page as this printer must be given it; the words for its footer say what was done.

        Which way a printer turns a page that lies the other way is not known, so that one gets the scale alone.
        """
        correction, words = self._correction_for(page.size)
        adjust = page_adjustment(correction, page.size, page.side)
        who = f"printer {self.name}, tray {self.tray}"
        return page._replace(
            adjust=adjust, corrected=(*(f"{who}: {text}" for text in words), f"{self.name}: {words[-1]}")
        )

    def _correction_for(self, size: Size) -> tuple[Correction, tuple[str, ...]]:
        if size in self.corrections:
            correction = self.corrections[size]
            return correction, (str(correction), correction.brief)
        if size.turned in self.corrections:
            turned = self.corrections[size.turned]
            return Correction(scale_x=turned.scale_y, scale_y=turned.scale_x), ("scale only, this way round",)
        return NONE, ("not corrected for this paper",)


def corrected(pages: Sequence[Page], printer: Printer | None) -> list[Page]:
    """The pages as a printer must be given them; as they are where it is not known."""
    return [printer.corrected(page) for page in pages] if printer else list(pages)
