"""Front and back brought together: where the scales of a calibration page stand, and what their readings say.

Six scales stand along the edges, or four on a card; numbered clockwise from the top left. Each reading is one
equation, exact in the coordinates of the drawn page, whatever the printer did to the front.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import mul

from carddb.core.errors import UsageError
from carddb.core.units import Size
from carddb.layout.calibration.printer_correction import (
    Correction,
    about_middle,
    back_matrix,
    moved,
    scale_matrix,
    times,
    with_back,
)
from carddb.layout.calibration.vernier import BACK_HALF, BACK_LINES, DEPTH, FRONT_HALF, PITCH, Reading, Vernier
from carddb.layout.sheets.flip import turn_axis
from carddb.layout.sheets.grid import MARGIN
from carddb.layout.sheets.imposition import Matrix

EDGE = MARGIN + BACK_HALF + 1_000
"""From the paper's edge to the middle of a scale's gap."""
RAIL = EDGE + DEPTH + 4_200
"""The edge that belongs to the scales, with room for the long lines of the back."""
_CORNER = MARGIN + BACK_LINES * PITCH + 150
"""From the end of an edge to the middle of the first scale on it."""
_NEXT = EDGE + DEPTH + FRONT_HALF + 2500
"""The same where another scale stands in the corner."""
_SIX = Size(124_000, 145_000)
_FOUR = Size(74_000, 112_000)
_DISAGREE = Fraction(240)
"""By how much readings may contradict each other: if each is off by a mark they do less, a wrong letter does more."""
_UNKNOWN = {2: 2, 4: 3, 6: 5}
"""What so many readings tell, of x, y, angle, back across, back down."""

_Equation = list[Fraction]


def scales(size: Size) -> tuple[Vernier, ...]:
    """The scales of a page of that size, in the order they are read. Raises UsageError for too small a paper."""
    width, height = size.width, size.height
    right, bottom = width - EDGE, height - EDGE
    if min(width, height) < _SIX.width or max(width, height) < _SIX.height:
        if width < _FOUR.width or height < _FOUR.height:
            raise UsageError(f"paper of {size} is too small for a calibration page", f"Use at least {_FOUR}, upright.")
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


def turn_matrix(size: Size, flip: str) -> Matrix:
    """From one side of the sheet to the other as the turned sheet is seen: its own inverse."""
    one, none = Fraction(1), Fraction(0)
    if turn_axis(size, flip).upright:
        return -one, none, none, one, Fraction(size.width), none
    return one, none, none, -one, none, Fraction(size.height)


def registered(readings: Sequence[Reading], size: Size, flip: str, applied: Correction) -> Correction:
    """The correction that brings back and front together, from the readings of a page drawn with `applied`.

    What was read adds to what was applied. Six readings give the back's move, turn and both scales, four the move
    and the turn; two, of the first and the last scale, the move alone. Raises UsageError for another number of
    readings and for readings that cannot all be right.
    """
    places = scales(size)
    if len(readings) == 2:
        places = (places[0], places[-1])
    if len(readings) != len(places):
        raise UsageError(
            f"the page has {len(places)} scales, but {len(readings)} readings were given",
            f"Give all of them, in order: --read {example(size)}. Scales 1 and {len(places)} alone tell the move.",
        )
    equations, values = _equations(readings, places, size, flip, applied)
    equations = [equation[: _UNKNOWN[len(places)]] for equation in equations]
    unknowns = _least_squares(equations, values)
    residuals = [sum(map(mul, equation, unknowns), -value) for equation, value in zip(equations, values, strict=True)]
    x, y, angle = (*unknowns, Fraction(0))[:3]
    across, down = unknowns[3:] or (-angle * angle / 2, -angle * angle / 2)  # so that a turn alone stretches nothing
    error = about_middle((1 + across, angle, -angle, 1 + down), (x, y), size)
    correction = with_back(applied, times(back_matrix(applied, size), error), size)
    if max(map(abs, residuals)) > _DISAGREE or not correction.plausible:
        raise UsageError(
            "these readings cannot all be right: they contradict each other, or no printer is that far off",
            f"Read the letters again, in order 1 to {len(places)}: --read {example(size)}.",
        )
    return correction


def example(size: Size) -> str:
    """Readings as they may be typed for a page of that size."""
    return "E6,E2,E7,F14,E4,E18" if len(scales(size)) == 6 else "E1,E17,E17,F15"


def _equations(
    readings: Sequence[Reading], places: Sequence[Vernier], size: Size, flip: str, applied: Correction
) -> tuple[list[_Equation], list[Fraction]]:
    """Rows over (x, y, angle, back across, back down): where each met line of the front must go to lie on the back's.

    Both lines are taken where they are drawn, the printer's own scale included; the sought matrix sends the place a
    line of the front has on the back's page to the line of the back that was drawn there.
    """
    turn, scale = turn_matrix(size, flip), scale_matrix(applied, size)
    equations: list[_Equation] = []
    values: list[Fraction] = []
    one, none = Fraction(1), Fraction(0)
    for place, reading in zip(places, readings, strict=True):
        x, y = moved(turn, *moved(scale, *place.at(reading.front, 0)))
        across, down = moved(turn, *moved(scale, *place.at(reading.back, 0)))
        x_middle, y_middle = x - Fraction(size.width, 2), y - Fraction(size.height, 2)
        if place.axis == "x":
            equations.append([one, none, -y_middle, x_middle, none])
            values.append(across - x)
        else:
            equations.append([none, one, x_middle, none, y_middle])
            values.append(down - y)
    return equations, values


def _least_squares(equations: Sequence[_Equation], values: Sequence[Fraction]) -> _Equation:
    """The unknowns that miss the equations least, by the normal equations, exactly."""
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
