"""Values grouped, and numbers summed, by key."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


def grouped(pairs: Iterable[tuple[Key, Value]]) -> defaultdict[Key, list[Value]]:
    """Returns the values by key, in the order of the pairs. A key that no pair has gives an empty list."""
    groups: defaultdict[Key, list[Value]] = defaultdict(list)
    for key, value in pairs:
        groups[key].append(value)
    return groups


def totals(pairs: Iterable[tuple[Key, int]]) -> Counter[Key]:
    """Returns the sums of the numbers by key, in the order of the pairs. A key that no pair has gives 0."""
    sums: Counter[Key] = Counter()
    for key, number in pairs:
        sums[key] += number
    return sums
