"""The circumstances of a check (format, day, options, the owner's choices), and a deck as rules look at it.

Facts about a game's cards are reused from deck to deck: which queries they match, and which cards are the same. Cards
are immutable, so an answer stays valid as long as the card exists. The card is kept with its answers, so that no other
object can get its `id`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache, cached_property, lru_cache
from itertools import compress
from operator import not_
from typing import Any, Generic, NamedTuple, TypeVar

from carddb.bans.log import Log
from carddb.cards.cards import Card, Deck, Entry, Pool
from carddb.cards.query import parse
from carddb.core.groups import totals
from carddb.core.names import Identity, capital, fold_space
from carddb.core.plain_text import amount, listed
from carddb.findings import CardCount, Finding, Place, Severity
from carddb.game.game import GameSpec
from carddb.game.rule_parts import REFERENCE, Conditional, RoleSpec, applies


@dataclass(frozen=True, slots=True)
class Context:
    """The circumstances of a check.

    `format` is a key named by the user (None means the deck's header, else the game's default). `custom` is a user's
    own format, as filter names with values. `on` is the day for which the deck is checked. `options` may be incomplete;
    defaults complete them. `chosen` holds lists such as `{"editions": ("Antiquity",)}`; for missing ones the deck's
    headers are used. `bans` are the game's ban lists.
    """

    on: date
    format: str | None = None
    custom: Mapping[str, Any] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    chosen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    bans: Log | None = None


ANY_DAY = date.min
"""The day of a check in which nothing depends on the day."""

Check = Callable[[Deck, GameSpec, Pool, Context], list[Finding]]
"""A rule that `game.yaml` cannot express, listed in `CHECKS` of the game's `rules.py`."""


T = TypeVar("T")
Key = str | None
_MOST_QUERIES, _MOST_CARDS = 500, 50_000


class CachedByCard(Generic[T]):
    """A function of a card that is called once per card; `absent` is its value for an entry without a card."""

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
        of_formats = (must for format_ in spec.formats.values() for must in format_.pool)
        of_filters = (must for filter_ in spec.filters.values() for must in filter_.pool)
        musts = (must.must for must in (*of_formats, *of_filters) if "{}" not in must.must)
        wrong = (wrong.match for section in spec.sections.values() for wrong in section.wrong)
        texts = (*limits, *musts, *wrong)
        self.queries = frozenset(text for text in texts if text is not None and not REFERENCE.search(text))
        """The queries of limits, formats and sections that contain no role and no placeholder for a filter's value."""
        self.always = [limit for limit in spec.limits if limit.formats is None]
        self.own = {key: [limit for limit in spec.limits if key in (limit.formats or ())] for key in spec.formats}
        """`always` are the limits of every deck, `own` the limits of single formats by key."""
        self.facts = CachedByCard(self._facts, Facts())
        self._passed: dict[frozenset[str], frozenset[str]] = {}
        """Each set of matched queries, mapped to itself: cards with equal sets share one, which saves memory."""
        self._in_pool = spec.types.keys() - set(spec.ignored_types)
        self.test = lru_cache(_MOST_QUERIES)(self._test)
        """Returns the predicate of a query, in which `{}` stands for any of `values`."""
        self.identity = cache(lambda by: CachedByCard(lambda card: identity(spec, card, by), None))
        """The function `identity` for this game's cards by the field `by`, with its results cached."""

    def _facts(self, card: Card) -> Facts:
        passed = frozenset(query for query in self.queries if self.test(query)(card))
        passed = self._passed.setdefault(passed, passed)
        return Facts(card.type, identity(self.spec, card, None), passed, card.type in self._in_pool)

    def _test(self, query: str, values: tuple[Any, ...] | None = None) -> CachedByCard[bool]:
        return CachedByCard(parse(query, self._fields, values).matches, False)


def identity(spec: GameSpec, card: Card, by: str | None) -> Key:
    """Returns a key that is equal for cards that count as the same, or None for a card that lacks one of its fields.

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


EntryFacts = tuple[Entry, Facts]


class View:
    """One deck under the rules of one game."""

    def __init__(self, deck: Deck, spec: GameSpec, context: Context) -> None:
        self.deck = deck
        self.spec = spec
        self.context = context
        self.options = {**spec.readings, **context.options}
        self.game_facts = card_facts(spec)
        self.test, self.identity = self.game_facts.test, self.game_facts.identity
        self._counted: dict[tuple[str, ...], list[EntryFacts]] = {}

    @cached_property
    def entries(self) -> list[EntryFacts]:
        """Every entry with the facts of its card."""
        return list(zip(self.deck.entries, self.game_facts.facts.of(self.deck.entries), strict=True))

    def applies(self, part: Conditional) -> bool:
        """Returns whether a part is in force under the options: `when` is met or missing, and `unless` is not met."""
        return applies(part, self.options)

    def chosen(self, name: str) -> tuple[str, ...]:
        """Returns the list `name` that the deck's owner chose: from the context, else from the header of this name."""
        if name in self.context.chosen:
            return tuple(self.context.chosen[name])
        header = self.deck.headers.get(name, "")
        parts = (part.strip() for part in header.split(";"))
        return tuple(part for part in parts if part)

    def counted(self, over: tuple[str, ...] = ()) -> list[EntryFacts]:
        """Returns the entries in the sections `over`, by default in all that count, including misplaced ones."""
        if over not in self._counted:
            sections = over or self.spec.counted_sections
            is_whole = all(map(sections.__contains__, self.sizes))
            self._counted[over] = [pair for pair in self.entries if is_whole or pair[0].section in sections]
        return self._counted[over]

    def matching(self, query: str, over: tuple[str, ...]) -> list[Entry]:
        """Returns the entries in `counted(over)` whose card matches a query."""
        pairs = self.counted(over)
        if query in self.game_facts.queries:
            return [entry for entry, facts in pairs if query in facts.queries]
        return matching([entry for entry, _ in pairs], self.test(query))

    def players(self, role: RoleSpec) -> list[Entry]:
        """Returns the entries of known cards that fill a role."""
        entries = [entry for entry in self.deck.entries if entry.card and (not role.over or entry.section in role.over)]
        return matching(entries, self.test(role.match)) if role.match else entries

    @cached_property
    def differ(self) -> bool:
        """True if no two entries are of the same card."""
        return len({facts.identity for _, facts in self.entries}) == len(self.entries)

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """The number of cards in each section that is not empty."""
        return totals((entry.section, entry.count) for entry in self.deck.entries)

    @cached_property
    def in_roles(self) -> Mapping[str, Card]:
        """The card of each role that exactly one copy fills, by role."""
        entries = {name: self.players(role) for name, role in self.spec.role_of.items()}
        return {name: played[0].card for name, played in entries.items() if copies(played) == 1 and played[0].card}

    @cached_property
    def role_refs(self) -> frozenset[str]:
        """The references of the cards in roles."""
        return frozenset(card.ref for card in self.in_roles.values())

    def failing(self, query: str, values: tuple[Any, ...]) -> list[Entry]:
        """Returns the entries that formats check whose card does not match `query`, where `{}` is any of `values`."""
        if query in self.game_facts.queries:
            return [entry for entry, facts in self.counted() if facts.in_pool and query not in facts.queries]
        entries = self.pooled()
        return list(compress(entries, map(not_, self.test(query, values).of(entries))))

    def pooled(self) -> list[Entry]:
        """Returns the counted entries that formats check: those of a known type that the game does not ignore."""
        return [entry for entry, facts in self.counted() if facts.in_pool]

    @property
    def file(self) -> Place:
        """The place of the deck as a whole, for findings without a guilty line."""
        return Place(self.deck.file)


def matching(entries: Sequence[Entry], test: CachedByCard[bool]) -> list[Entry]:
    """Returns the entries whose card passes the test."""
    return list(compress(entries, test.of(entries)))


def copies(entries: Iterable[Entry]) -> int:
    """Returns the number of copies in some entries."""
    return sum([entry.count for entry in entries])


def cards(entries: Iterable[Entry]) -> tuple[CardCount, ...]:
    """Returns the cards of some entries, each once, with the number of copies."""
    out: dict[str, CardCount] = {}
    for entry in entries:
        before = out[entry.ref].count if entry.ref in out else 0
        out[entry.ref] = CardCount(entry.ref, name_of(entry), before + entry.count)
    return tuple(out.values())


def places(entries: Iterable[Entry]) -> tuple[Place, ...]:
    """Returns the places of some entries."""
    return tuple(entry.place for entry in entries)


def name_of(entry: Entry) -> str:
    """Returns the card's name, or for an unknown card the name on the line."""
    return entry.card.name if entry.card else entry.name


def values_of(entry: Entry, field: str) -> tuple[Any, ...]:
    """Returns the values of a card in a field as a tuple: the members of a list, or nothing if the field is missing."""
    value = entry.card.get(field) if entry.card else None
    return () if value is None else tuple(value) if isinstance(value, list | tuple) else (value,)


def any_values_of(entry: Entry, field: str) -> tuple[Any, ...]:
    """Returns the values of a card in a field; for the field `set`, also the sets of its printings."""
    printed = entry.card.printed(field) if entry.card and field == "set" else ()
    return tuple(dict.fromkeys((*values_of(entry, field), *printed)))


def last(entries: Sequence[Entry], count: int) -> list[CardCount]:
    """Returns the last `count` copies of some entries by card, for a remedy to remove."""
    removal: list[Entry] = []
    for entry in reversed(entries):
        if count > 0:
            removal.append(replace(entry, count=min(count, entry.count)))
            count -= entry.count
    return list(cards(removal))


class Fix(NamedTuple):
    """A remedy as text, without a full stop, and as data."""

    words: str
    data: Mapping[str, Any]

    @staticmethod
    def counted(cards: Iterable[CardCount]) -> str:
        """Returns cards as text: `2 Spearman and 1 Archer`."""
        return listed([f"{card.count} {card.name}" for card in cards])

    @classmethod
    def remove(cls, cards: Sequence[CardCount]) -> Fix:
        """Returns the remedy that removes cards."""
        data = {"remove": [{"ref": card.ref, "count": card.count} for card in cards]}
        return cls(f"remove {cls.counted(cards)}", data)

    @classmethod
    def add(cls, count: int, what: str, noun: str = "", **data: Any) -> Fix:
        """Returns the remedy that adds `count` cards; `what` ends its words, `data` says which cards."""
        return cls(f"add {amount(count, noun) if noun else count} {what}", {"add": [{"count": count, **data}]})

    @classmethod
    def move(cls, cards: Sequence[CardCount], to: str, section: str) -> Fix:
        """Returns the remedy that moves cards into the section with the key `section`, whose label is `to`."""
        data = {"move": [{"ref": card.ref, "count": card.count, "to": section} for card in cards]}
        return cls(f"move {cls.counted(cards)} to {to}", data)

    @staticmethod
    def offered(*fixes: Fix) -> dict[str, Any]:
        """Returns the fields `fix` and `fixes` of a finding for alternative remedies; empty without remedies."""
        if not fixes:
            return {}
        words = ", or ".join(fix.words for fix in fixes)
        return {"fix": capital(words) + ".", "fixes": tuple(fix.data for fix in fixes)}


def finding(
    code: str,
    message: str,
    entries: Sequence[Entry],
    data: Mapping[str, Any],
    *remedies: Fix | None,
    rules: tuple[str, ...] = (),
    severity: Severity = Severity.ERROR,
) -> Finding:
    """Returns the finding about some entries, with their places and cards, and with remedies (None is skipped)."""
    offered = Fix.offered(*filter(None, remedies))
    return Finding(code, severity, message, places(entries), cards(entries), data, rules=rules, **offered)
