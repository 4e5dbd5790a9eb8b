"""The lines of a pasted list, and what lies ahead of each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from carddb.read.decks import line as deck_line
from carddb.read.decks.pasted import markup as deck_markup
from carddb.read.decks.pasted.line_shape import line_shape

MAX_LINE = 2_000
"""The characters of a line that are read."""
_AHEAD = 10
"""The lines among which the next that is not blank is looked for."""


class ListLines:
    """The lines of one list; a line is named by its place from 0."""

    def __init__(self, raw: Sequence[str]) -> None:
        self.raw = raw

    @cached_property
    def _tidied(self) -> list[str]:
        return [deck_line.tidy(line[:MAX_LINE]) for line in self.raw]

    @cached_property
    def _content(self) -> list[int]:
        """The lines that are not blank."""
        return [index for index, line in enumerate(self._tidied) if line]

    @cached_property
    def _numbered(self) -> set[int]:
        return deck_markup.numbered(self._tidied)

    def plain(self, index: int, line: str) -> str:
        """A line without the markup around it, and without its number in the list."""
        return deck_markup.plain(line, index in self._numbered)

    def beside(self, index: int) -> str | None:
        """The line below, empty where it is blank or ruled; None below the last."""
        return self._meant(index + 1) if index + 1 < len(self.raw) else None

    def next(self, index: int) -> str:
        """The next line that is neither blank nor ruled."""
        return next(filter(None, map(self._meant, range(index + 1, min(index + _AHEAD, len(self.raw))))), "")

    def is_first(self, index: int) -> bool:
        """Whether only blank lines stand before a line."""
        return index == self._content[0]

    def is_underlined(self, index: int) -> bool:
        """Whether the line below is ruled."""
        return index + 1 < len(self.raw) and deck_markup.is_rule(self._tidied[index + 1])

    def counts_follow(self, index: int) -> bool:
        """Whether a later line begins with a count."""
        return any(deck_line.begins_with_count(self._meant(other)) for other in self._content if other > index)

    def sideboard_gap(self) -> int | None:
        """The one blank line between two blocks of counted cards, as Magic Online writes a sideboard."""
        tidied = (line_shape(line[:MAX_LINE]).text for line in self.raw)
        if not all(not line or deck_line.begins_with_count(line) for line in tidied):  # most lists begin with a heading
            return None
        content = self._content
        gaps = [index for index in range(content[0], content[-1]) if not self._tidied[index]] if content else []
        return gaps[0] if len(gaps) == 1 else None

    def _meant(self, index: int) -> str:
        line = self._tidied[index]
        return "" if deck_markup.is_rule(line) else self.plain(index, line)
