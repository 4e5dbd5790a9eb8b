"""Values grouped, and numbers summed, by key."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


def grouped(pairs: Iterable[tuple[Key, Value]]) -> defaultdict[Key, list[Value]]:
    """Returns the list of values of each key in (key, value) pairs, in their order; an empty list for any other key."""
    groups: defaultdict[Key, list[Value]] = defaultdict(list)
    for key, value in pairs:
        groups[key].append(value)
    return groups


def totals(pairs: Iterable[tuple[Key, int]]) -> Counter[Key]:
    """Returns the sum of the numbers of each key in (key, number) pairs, in their order; 0 for any other key."""
    sums: Counter[Key] = Counter()
    for key, number in pairs:
        sums[key] += number
    return sums
