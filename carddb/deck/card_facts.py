"""What a game's queries say of cards and what makes cards the same, remembered from deck to deck.

Cards are frozen, so an answer holds as long as the card lives; it is kept with its answers, so that no other card can
have its id.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from carddb.cards import Card, Entry
from carddb.game import GameSpec
from carddb.names import fold_space
from carddb.query import parse

T = TypeVar("T")
Key = tuple[Hashable, ...] | None
_MOST_GAMES, _MOST_QUERIES, _MOST_CARDS = 8, 500, 50_000


class Remembered(Generic[T]):
    """A function of a card that is asked once for each; `absent` is what it says where there is no card."""

    def __init__(self, ask: Callable[[Card], T], absent: T) -> None:
        self._ask = ask
        self._absent = absent
        self._known: dict[int, T] = {id(None): absent}
        self._cards: list[Card] = []

    def __call__(self, card: Card) -> T:
        if id(card) not in self._known:
            self._learn(card)
        return self._known[id(card)]

    def of(self, entries: Sequence[Entry]) -> list[T]:
        """What it says of the cards of some entries, in their order."""
        card_facts = self._known
        try:
            return [card_facts[id(entry.card)] for entry in entries]
        except KeyError:
            return [self(entry.card) if entry.card else self._absent for entry in entries]

    def _learn(self, card: Card) -> None:
        if len(self._cards) >= _MOST_CARDS:
            self._known = {id(None): self._absent}
            self._cards.clear()
        self._known[id(card)] = self._ask(card)
        self._cards.append(card)


@dataclass(frozen=True, slots=True)
class Facts:
    """What a game knows of a card; cards of one `sort` pass and fail the same queries, and there are few of them."""

    type: str = ""
    identity: Key = None
    sort: int = 0


class CardFacts:
    """The predicates and identities of one game."""

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        self._fields = spec.all_fields()
        limits = (part for limit in spec.limits for part in (limit.query, limit.per, limit.given))
        musts = (must.must for chosen in spec.formats.values() for must in chosen.pool if "{}" not in must.must)
        self.queries = sorted({query for query in limits if query is not None})
        self.demands = sorted({*musts})
        """What limits and formats ask of every deck."""
        self.always = [limit for limit in spec.limits if limit.formats is None]
        self.own = {key: [limit for limit in spec.limits if limit.of_format(key)] for key in spec.formats}
        """The limits of every deck, and by format those that are its own."""
        self.counted = tuple(key for key, section in spec.sections.items() if section.counted)
        """The sections that limits look at."""
        self.facts = Remembered(self._facts, Facts())
        self._sorts: dict[Hashable, int] = {None: 0}
        self.passing: defaultdict[str, set[int]] = defaultdict(set)
        self.failing: defaultdict[str, set[int]] = defaultdict(set)
        self.pooled: set[int] = set()
        """The sorts of cards that pass a query of limits, those that fail a demand of formats, and those that formats
        look at: not cards of an unknown type, or of the game's ignored types."""
        self._kinds = spec.types.keys() - set(spec.ignored_types)
        self._tests: dict[tuple[str, tuple[Any, ...] | None], Remembered[bool]] = {}
        self._identities: dict[str | None, Remembered[Key]] = {}

    def _facts(self, card: Card) -> Facts:
        pooled = card.type in self._kinds
        passed = tuple(query for query in self.queries if self.test(query)(card))
        failed = tuple(query for query in self.demands if pooled and not self.test(query)(card))
        sort = self._sorts.setdefault((pooled, passed, failed), len(self._sorts))
        for query in passed:
            self.passing[query].add(sort)
        for query in failed:
            self.failing[query].add(sort)
        if pooled:
            self.pooled.add(sort)
        return Facts(card.type, identity(self.spec, card, None), sort)

    def test(self, query: str, given: Sequence[Any] | None = None) -> Remembered[bool]:
        """The predicate of a query of the game."""
        key = query, None if given is None else tuple(given)
        found = self._tests.get(key)
        if found is None:
            if len(self._tests) >= _MOST_QUERIES:
                self._tests.clear()
            found = self._tests[key] = Remembered(parse(query, self._fields, given).matches, False)
        return found

    def identity(self, by: str | None) -> Remembered[Key]:
        """What makes two cards the same, as `identity` has it."""
        found = self._identities.get(by)
        if found is None:
            found = self._identities[by] = Remembered(lambda card: identity(self.spec, card, by), None)
        return found


def identity(spec: GameSpec, card: Card, by: str | None) -> Key:
    """What makes two cards the same: the game's identity, or one field; None for a card without it.

    Texts compare without case and runs of spaces, references exactly.
    """
    fields = spec.identity if by in (None, "identity") else (str(by),)
    values = [card.get(field) for field in fields]
    if None in values:
        return None
    return tuple(
        str(value) if field == "ref" else fold_space(str(value)) for field, value in zip(fields, values, strict=True)
    )


_known: dict[int, CardFacts] = {}


def card_facts(spec: GameSpec) -> CardFacts:
    """The memory of a game, kept with it."""
    found = _known.get(id(spec))
    if found is None:
        if len(_known) >= _MOST_GAMES:
            _known.clear()
        found = _known[id(spec)] = CardFacts(spec)
    return found
