"""The random selection chart: which of several cards the die picks (S-104 to S-108, SR-36)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from carddb.play.chance import SIDES
from carddb.play.fields import Count, Positive
from carddb.play.question import Answer, BadInput, operation

CHARTED = range(1, 6)
"""The numbers of cards that the chart has a row for."""


def ranges(n: int) -> list[list[int]]:
    """The faces that pick each of `n` cards, first and last: as many for each as the die divides into."""
    each = len(SIDES) // n
    return [[first, first + each - 1] for first in range(1, n * each + 1, each)] if n > 1 else []


def rerolled(n: int) -> list[int]:
    """The faces on which the die is rolled again."""
    return [face for face in SIDES if 1 < n <= len(SIDES) and face > n * (len(SIDES) // n)]


def picked(n: int, roll: int | None, path: str) -> int | None:
    """The position that a roll picks among `n` cards, from 0; None to roll again. Raises BadInput.

    A die serves for up to six; for more the roll is a uniform draw from 1 to `n`.
    """
    if n == 1:
        return 0
    most = max(n, len(SIDES))
    if roll is None or not 1 <= roll <= most:
        raise BadInput(path, least=1, most=most)
    if n > len(SIDES):
        return roll - 1
    return next((at for at, (first, last) in enumerate(ranges(n)) if first <= roll <= last), None)


def pick(candidates: Sequence[str], roll: int | None, path: str) -> str | None:
    """The card that a roll picks; None to roll again."""
    at = picked(len(candidates), roll, path)
    return None if at is None else candidates[at]


@operation("S-104", "S-105", "S-106", "S-107", "S-108", "SR-36")
def random_select(n: Count, roll: Positive | None = None) -> Answer:
    """Which of `n` cards a roll picks, in the order A to E."""
    if n == 0:
        return {"none": True}
    at = picked(n, roll, "roll")
    if at is None:
        return {"reroll": True}
    return {"index": at, "no_roll": True} if n == 1 else {"index": at}


@operation("S-104", "S-105", "S-106", "S-107", "S-108")
def chart_text() -> Answer:
    """The rows of the chart, for printing."""
    return {"rows": [_row(n) for n in CHARTED]}


def _row(n: int) -> dict[str, Any]:
    row: dict[str, Any] = {"n": n, "ranges": ranges(n), "reroll": rerolled(n)}
    return row | {"no_roll": True} if n == 1 else row
