"""The entries of a deck that was read from a file: plain rows, until somebody asks for one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, overload

from carddb.cards import Card, CountedEntries, Entry
from carddb.findings import Place


class LineWords(NamedTuple):
    """What a card line says: so many copies of the card with a reference.

    `text` and `column` are those of the place of its entry, `printing` is that of the entry.
    """

    copies: int
    ref: str
    text: str
    column: int
    printing: str


@dataclass(frozen=True, slots=True)
class CardLine:
    """A line of a file that means so many copies of a card, wherever it stands.

    `number` stands for the card: the same for all its lines.
    """

    copies: int
    card: Card
    number: int
    words: LineWords


class CardLines(NamedTuple):
    """Card lines of one section, one below the other, from line `start` of the file on."""

    section: str
    start: int
    lines: Sequence[CardLine]

    @property
    def size(self) -> int:
        """How many cards they are."""
        return sum([line.copies for line in self.lines])

    def entries(self, file: str) -> Iterator[Entry]:
        """An entry for each line."""
        for number, line in enumerate(self.lines, self.start):
            words = line.words
            place = Place(file, number, words.column, words.text)
            yield Entry(self.section, line.copies, line.card.name, line.card, place, words.printing)


class FileEntries(CountedEntries):
    """The entries of a deck that was read from a file, in the order of its parts.

    The entries of card lines are made when an entry is asked for: a legal deck is checked without them. Where they were
    made at once, the reader took twice as long.
    """

    def __init__(self, file: str, parts: Iterable[CardLines | Entry]) -> None:
        self.parts = tuple(parts)
        self._file = file
        self._differ: bool | None = None

    @property
    def differ(self) -> bool:
        """Whether no two lines are of one card."""
        if self._differ is None:  # the lock of a cached property takes as long
            self._differ = self._cards_differ()
        return self._differ

    def _cards_differ(self) -> bool:
        numbers: set[int] = set()
        refs: set[str] = set()
        lines = 0
        for part in self.parts:
            if isinstance(part, Entry):
                refs.add(part.ref)
                lines += 1
            else:
                numbers.update([line.number for line in part.lines])
                lines += len(part.lines)
        if refs and numbers:
            refs.update(line.card.ref for part in self.parts if isinstance(part, CardLines) for line in part.lines)
        return len(refs or numbers) == lines

    @cached_property
    def _entries(self) -> tuple[Entry, ...]:
        parts = (part.entries(self._file) if isinstance(part, CardLines) else (part,) for part in self.parts)
        return tuple(entry for part in parts for entry in part)

    def counted(self) -> Iterator[tuple[str, str, int]]:
        for part in self.parts:
            if isinstance(part, Entry):
                yield part.section, part.ref, part.count
            else:
                for line in part.lines:
                    yield part.section, line.card.ref, line.copies

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def __len__(self) -> int:
        return sum([len(part.lines) if isinstance(part, CardLines) else 1 for part in self.parts])

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Entry]: ...
    def __getitem__(self, index: int | slice) -> Entry | Sequence[Entry]:
        return self._entries[index]

    def __eq__(self, other: object) -> bool:
        return self._entries == (other._entries if isinstance(other, FileEntries) else other)

    def __hash__(self) -> int:
        return hash(self._entries)

    def __repr__(self) -> str:
        return repr(self._entries)
