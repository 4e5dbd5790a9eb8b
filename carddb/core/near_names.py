"""Near names among many."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from heapq import nsmallest

from carddb.core.names import fold, nearest

_CANDIDATES = 40
"""Names with the most trigrams in common that are compared letter by letter."""

_MOST = 3
"""Names that are proposed."""


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
        best = nsmallest(_CANDIDATES, shared, key=lambda index: (-shared[index], len(self._names[index]), index))
        candidates = [self._names[index] for index in best]
        near = nearest(name[:200], candidates)
        if not near:
            return []
        alike = [other for other in near if _close(name, [fold(other)])]
        of_a_word = [other for other in candidates if _close(name, fold(other).split())]
        return list(dict.fromkeys([*alike, *of_a_word, *near]))[:_MOST]


def _close(name: str, words: Sequence[str]) -> bool:
    """Whether a name is one of some words but for a letter or two: people write Hanibal for Hannibal Barca."""
    return bool(nearest(name[:200], words, 1, likeness=0.8))


def _parts(name: str) -> set[str]:
    text = f" {fold(name)} "
    return {text[at : at + 3] for at in range(len(text) - 2)}
