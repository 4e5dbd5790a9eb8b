"""Words that are looked for in texts, without regard to case, accents and how they end."""

from __future__ import annotations

import re
from collections.abc import Iterator

from carddb.core.names import fold

_TOKEN = re.compile(r"\S+|\s+")
_LONGEST, _BEFORE = 320, 90
"""Characters of an excerpt, and how many of them may stand before the first word that was looked for."""


class WordSearch:
    """Some words; a text fits that has, for each of them, a word that begins with it."""

    def __init__(self, words: str) -> None:
        self.words = tuple(dict.fromkeys(fold(words).split()))

    def count(self, text: str) -> int:
        """How many of the words a text has."""
        folded = f" {fold(text)}"
        return sum(f" {word}" in folded for word in self.words)

    def fits(self, text: str) -> bool:
        """Whether a text has every word; none fits where there are no words."""
        return bool(self.words) and self.count(text) == len(self.words)

    def excerpt(self, text: str) -> list[tuple[str, bool]]:
        """The part of a text round the first word that was looked for, in pieces: each with whether it is one."""
        pieces = list(self._pieces(text))
        first = next((at for at, (_, hit) in enumerate(pieces) if hit), 0)
        start, room = first, _BEFORE
        while start and len(pieces[start - 1][0]) <= room:
            start -= 1
            room -= len(pieces[start][0])
        shown: list[tuple[str, bool]] = [("… ", False)] if start else []
        room = _LONGEST
        for piece, hit in pieces[start:]:
            room -= len(piece)
            if room < 0:
                return [*shown, ("…", False)]
            shown.append((piece, hit))
        return shown

    def _pieces(self, text: str) -> Iterator[tuple[str, bool]]:
        for token in _TOKEN.findall(text):
            folded = fold(token).split()
            yield token, any(part.startswith(word) for part in folded for word in self.words)
