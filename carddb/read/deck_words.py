"""The words of a game that decks are read by, and the card lines that were read before: each worked out once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from weakref import WeakKeyDictionary

from carddb.cards import Card, Pool
from carddb.file_entries import CardLine, LineWords
from carddb.findings import Place
from carddb.game import GameSpec
from carddb.identity import Identity
from carddb.names import fold
from carddb.vocabulary import Vocabulary

HEADER_KEYS = ("name", "game", "format", "player", "event", "date")
_MOST_LINES = 50_000


class LineMemory:
    """The card lines that were read with the cards of one pool, by how they were typed."""

    def __init__(self) -> None:
        self.lines: dict[str, CardLine] = {}
        self._numbers: dict[str, int] = {}

    def add(self, raw: str, copies: int, card: Card, place: Place, printing: str) -> None:
        """Keeps a line that means so many copies of a card, wherever it stands."""
        number = self._numbers.setdefault(card.ref, len(self._numbers))
        words = LineWords(copies, card.ref, place.text, place.column, printing)
        self.lines[raw] = CardLine(copies, card, number, words)


class DeckWords:
    """The words of one game: `keys` of the header as users write them, `header` to find them, and names of types."""

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        self.keys = (*HEADER_KEYS, *spec.header)
        self.header = Vocabulary(self.keys, aliases=spec.words.get("header"))
        self.types = _type_words(spec)
        self._lines: WeakKeyDictionary[Pool, LineMemory] = WeakKeyDictionary()

    def lines(self, pool: Pool) -> LineMemory:
        """The card lines that were read with the cards of a pool: decks have most of them in common."""
        of_pool = self._lines.get(pool)
        if of_pool is None or len(of_pool.lines) > _MOST_LINES:
            of_pool = self._lines[pool] = LineMemory()
        return of_pool


def _type_words(spec: GameSpec) -> set[str]:
    """What headings call the types of a game's cards, in the singular and the plural, folded."""
    labels = ((key, spec.label_of(key), kind.plural, *kind.aliases) for key, kind in spec.types.items())
    return {number for words in labels for word in words for number in _numbers(fold(word))}


def _numbers(word: str) -> Iterable[str]:
    """A word as singular and as plural."""
    if not word:
        return ()
    ending = word[:-1] + "ies" if word.endswith("y") else word + "es" if word.endswith(("s", "x", "ch", "sh")) else word
    return (word, ending, word + "s")


def deck_words(spec: GameSpec) -> DeckWords:
    """The words of a game, cached for the games that were read last."""
    return _words(Identity(spec))


@lru_cache(maxsize=8)
def _words(spec: Identity[GameSpec]) -> DeckWords:
    return DeckWords(spec.value)
