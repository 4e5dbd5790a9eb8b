"""What many games show: shares with intervals, and lengths."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

_Z = 1.959964
"""The normal quantile of a 95 % interval."""


def share(hits: int, total: int) -> tuple[float, float, float]:
    """The share of hits and its 95 % interval (Wilson 1927), between 0 and 1; all zero where nothing was tried."""
    if not total:
        return 0.0, 0.0, 0.0
    part, square = hits / total, _Z * _Z
    middle = (part + square / (2 * total)) / (1 + square / total)
    half = _Z * sqrt(part * (1 - part) / total + square / (4 * total * total)) / (1 + square / total)
    return part, max(0.0, middle - half), min(1.0, middle + half)


def quantile(values: Sequence[int], part: float) -> int:
    """The smallest value that at least this part of the values does not exceed. `values` are sorted and not empty."""
    rank = -int(-part * len(values) // 1)
    return values[min(len(values), max(1, rank)) - 1]
