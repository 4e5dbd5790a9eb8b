"""Near names among many."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from heapq import nsmallest

from carddb.names import fold, nearest

_CANDIDATES = 40
"""Names with the most trigrams in common that are compared letter by letter."""


class NearNames:
    """Near names, looked for only among those that share the most trigrams."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._by_part: dict[str, list[int]] = defaultdict(list)
        for index, name in enumerate(names):
            for part in _parts(name):
                self._by_part[part].append(index)

    def near(self, name: str) -> list[str]:
        """The names that look most like one, the nearest first."""
        shared = Counter(index for part in _parts(name[:200]) for index in self._by_part.get(part, ()))
        # Of names with as many in common the short ones first: a word goes before the long names that begin with it.
        best = nsmallest(_CANDIDATES, shared, key=lambda index: (-shared[index], len(self._names[index])))
        return nearest(name[:200], [self._names[index] for index in best])


def _parts(name: str) -> set[str]:
    text = f" {fold(name)} "
    return {text[at : at + 3] for at in range(len(text) - 2)}
