"""The patterns: their cells on the card, and the field cells that a card affects as it is held."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from carddb.games.guarda.play.cells import Cell, seen_from


@cache
def shapes(n: int) -> Mapping[str, frozenset[Cell]]:
    """The highlighted cells of every pattern with the pointer at the top, in the order V, H, X, ALL (G-15)."""
    line = range(1, n + 1)
    return {
        **{f"V{k}": frozenset((row, k) for row in line) for k in line},
        **{f"H{k}": frozenset((k, column) for column in line) for k in line},
        "X": frozenset((row, column) for row in line for column in (row, n + 1 - row)),
        "ALL": frozenset((row, column) for row in line for column in line),
    }


@cache
def areas(n: int, seat: str, orientation: str) -> Mapping[str, frozenset[Cell]]:
    """The field cells of every pattern in an orientation, as played from a seat (G-22, G-23)."""
    return {
        card: frozenset(seen_from(seat, orientation, n, cell) for cell in shape) for card, shape in shapes(n).items()
    }
