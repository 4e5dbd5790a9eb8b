"""Facts about a game's cards that are reused from deck to deck: which queries they match, and which cards are the same.

Cards are immutable, so an answer stays valid as long as the card exists. The card is kept with its answers, so that no
other object can get its `id`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Generic, TypeVar

from carddb.cards.cards import Card, Entry
from carddb.cards.query import parse
from carddb.core.names import Identity, fold_space
from carddb.game.game import GameSpec
from carddb.game.rule_parts import REFERENCE

T = TypeVar("T")
Key = str | None
_MOST_QUERIES, _MOST_CARDS = 500, 50_000


class CachedByCard(Generic[T]):
    """A function of a card that is called once per card; `absent` is the value for a missing card."""

    def __init__(self, function: Callable[[Card], T], absent: T) -> None:
        self._function = function
        self._absent = absent
        self._values: dict[int, T] = {id(None): absent}
        self._cards: list[Card] = []

    def __call__(self, card: Card) -> T:
        if id(card) not in self._values:
            if len(self._cards) >= _MOST_CARDS:
                self._values = {id(None): self._absent}
                self._cards.clear()
            self._values[id(card)] = self._function(card)
            self._cards.append(card)
        return self._values[id(card)]

    def of(self, entries: Sequence[Entry]) -> list[T]:
        """Returns the values for the cards of `entries`, in their order."""
        values = self._values
        try:  # without this a check of 2,000 decks took 1.4 times as long
            return [values[id(entry.card)] for entry in entries]
        except KeyError:
            return [self(entry.card) if entry.card else self._absent for entry in entries]


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of a card that rules need; `queries` are those of `CardFacts.queries` that it matches.

    `in_pool` is False for cards that formats ignore, that is, of an unknown type or of the game's ignored types.
    """

    type: str = ""
    identity: Key = None
    queries: frozenset[str] = frozenset()
    in_pool: bool = False


class CardFacts:
    """The predicates and identities of one game's cards."""

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        self._fields = spec.all_fields()
        limits = (text for limit in spec.limits for text in (limit.query, limit.per, limit.given))
        pools = [format_.pool for format_ in spec.formats.values()] + [
            filter_.pool for filter_ in spec.filters.values()
        ]
        musts = (must.must for pool in pools for must in pool if "{}" not in must.must)
        wrong = (wrong.match for section in spec.sections.values() for wrong in section.wrong)
        texts = (*limits, *musts, *wrong)
        self.queries = frozenset(text for text in texts if text is not None and not REFERENCE.search(text))
        """The queries of limits, formats and sections that contain no role and no placeholder for a filter's value."""
        self.always = [limit for limit in spec.limits if limit.formats is None]
        self.own = {key: [limit for limit in spec.limits if limit.of_format(key)] for key in spec.formats}
        """`always` are the limits of every deck, `own` the limits of single formats by key."""
        self.counted = tuple(key for key, section in spec.sections.items() if section.counted and not section.part_of)
        """The sections that limits look at by default."""
        self.facts = CachedByCard(self._facts, Facts())
        self._passed: dict[frozenset[str], frozenset[str]] = {}
        """The sets of matched queries. Cards that match the same queries share one set, to save memory."""
        self._in_pool = spec.types.keys() - set(spec.ignored_types)
        self._test = lru_cache(_MOST_QUERIES)(self._predicate)
        self.identity = cache(self._identity)

    def _facts(self, card: Card) -> Facts:
        passed = frozenset(query for query in self.queries if self.test(query)(card))
        passed = self._passed.setdefault(passed, passed)
        return Facts(card.type, identity(self.spec, card, None), passed, card.type in self._in_pool)

    def test(self, query: str, values: Sequence[Any] | None = None) -> CachedByCard[bool]:
        """Returns the predicate of a query, in which `{}` stands for any of `values`."""
        return self._test(query, None if values is None else tuple(values))

    def _predicate(self, query: str, values: tuple[Any, ...] | None) -> CachedByCard[bool]:
        return CachedByCard(parse(query, self._fields, values).matches, False)

    def _identity(self, by: str | None) -> CachedByCard[Key]:
        """Returns the function `identity` for this game's cards and `by`, with its results cached."""
        return CachedByCard(lambda card: identity(self.spec, card, by), None)


def identity(spec: GameSpec, card: Card, by: str | None) -> Key:
    """Returns a key that is equal for cards that count as the same, or None for a card that lacks a field of it.

    `by` is a field, or None or `identity` for the game's own identity. Case and runs of spaces are ignored, except in
    references. The key is one text, because Python caches its hash.
    """
    fields = spec.identity if by in (None, "identity") else (str(by),)
    values = [card.get(field) for field in fields]
    if None in values:
        return None
    return "".join(
        f"\n{value if field == 'ref' else fold_space(str(value))}" for field, value in zip(fields, values, strict=True)
    )


def card_facts(spec: GameSpec) -> CardFacts:
    """Returns the facts of a game's cards, cached for the games checked last."""
    return _facts(Identity(spec))


@lru_cache(maxsize=8)
def _facts(spec: Identity[GameSpec]) -> CardFacts:
    return CardFacts(spec.value)
