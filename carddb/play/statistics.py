"""What many games show: shares with intervals, and lengths."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

_Z = 1.959964
"""The normal quantile of a 95 % interval."""


Interval = tuple[float, float, float]
"""A share and the two ends of its 95 % interval, all from 0 to 1."""


def share(hits: int, total: int) -> Interval:
    """The share of hits and its 95 % interval (Wilson 1927), between 0 and 1; all zero where nothing was tried."""
    if not total:
        return 0.0, 0.0, 0.0
    part, square = hits / total, _Z * _Z
    middle = (part + square / (2 * total)) / (1 + square / total)
    half = _Z * sqrt(part * (1 - part) / total + square / (4 * total * total)) / (1 + square / total)
    return part, max(0.0, middle - half), min(1.0, middle + half)


def interval_json(interval: Interval) -> dict[str, float]:
    """A share with its interval, to four places, as programs read it."""
    return dict(zip(("share", "low", "high"), (round(part, 4) for part in interval), strict=True))


def quantile(values: Sequence[int], part: float) -> int:
    """The smallest value that at least this part of the values does not exceed. `values` are sorted and not empty."""
    rank = -int(-part * len(values) // 1)
    return values[min(len(values), max(1, rank)) - 1]
