"""The cards that a deck names, read without the rest of the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property

from carddb.cards.cards import Card, Pool


class MentionedCards(Pool):
    """A pool of which only some cards were read: those whose reference or name is one of `words`.

    It answers every question as the whole pool does, which is read as soon as a question goes beyond those words.
    """

    def __init__(self, cards: Iterable[Card], words: Collection[str], read_whole: Callable[[], Pool]) -> None:
        super().__init__(cards)
        self._words = words
        self._read_whole = read_whole

    @cached_property
    def _whole(self) -> Pool:
        return self._read_whole()

    def __iter__(self) -> Iterator[Card]:
        return iter(self._whole)

    def __len__(self) -> int:
        return len(self._whole)

    def get(self, ref: str) -> Card | None:
        return super().get(ref) if ref in self._words else self._whole.get(ref)

    def by_reference(self, ref: str) -> Card | None:
        return super().get(ref) or self._whole.by_reference(ref)

    def named(self, name: str) -> Sequence[Card]:
        return super().named(name) if name in self._words else self._whole.named(name)

    def folded(self, name: str) -> Sequence[Card]:
        return self._whole.folded(name)

    def formerly(self, name: str) -> Sequence[Card]:
        return self._whole.formerly(name)

    def names(self) -> list[str]:
        return self._whole.names()
