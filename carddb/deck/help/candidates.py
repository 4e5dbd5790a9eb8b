"""Decks that differ from one by a few copies, and what the check says of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from typing import Any

from carddb.cards.cards import Card, Deck, Entry, Pool
from carddb.deck.card_facts import card_facts, identity
from carddb.deck.check.check import check
from carddb.deck.check.forecast import GRAVE
from carddb.deck.context import Check, Context
from carddb.deck.view import View, name_of
from carddb.findings import CardCount, Finding, Place, error
from carddb.game.game import GameSpec

_OF_HEADER = ("format_unknown", "game_differs")
"""What is wrong where a header names no format or another game."""
Owned = Iterable[tuple[Card, int]]
"""What a player owns: cards with their copies."""


class Candidates:
    """Everything that may be made of one deck by the rules of its game.

    `owned` bounds what is added; what the deck has already stays its own. `seed` decides the order of cards that serve
    equally well. `checked` counts the lines of all the decks that were checked: the work that was done. `remedies` are
    what the reader advises for a line of an unknown card, by its place.
    """

    def __init__(
        self,
        deck: Deck,
        spec: GameSpec,
        pool: Pool,
        context: Context,
        checks: Sequence[Check],
        owned: Owned | None = None,
        seed: int = 0,
        remedies: Mapping[Place, str] | None = None,
    ) -> None:
        self.deck, self.spec, self.pool, self.context, self.checks = deck, spec, pool, context, checks
        self.checked = self.tries = 0
        self._remedies = remedies or {}
        self._faults: dict[Hashable, list[Finding]] = {}
        self._cornerstones: dict[str, bool] = {}
        self._copies = Counter[Hashable]()
        for entry in deck.entries:
            self._copies[self._same(entry.card) if entry.card else entry.ref] += entry.count
        self.owned = owned is not None
        """Whether what may be added is bounded."""
        self._owned = Counter[Hashable]()
        if owned is not None:
            for card, count in owned:
                self._owned[self._same(card)] += count
        in_deck = {entry.ref for entry in deck.entries}
        self.cards = sorted(
            pool, key=lambda card: (card.ref in in_deck, sha256(f"{seed}:{card.ref}".encode()).digest())
        )
        """The cards that may be added, those that the deck lacks first."""

    def _same(self, card: Card) -> Hashable:
        return identity(self.spec, card, None) or card.ref

    def findings(self, deck: Deck) -> list[Finding]:
        """Everything that the check says of a deck; a card that is not in the pool is an error."""
        self.tries += 1
        self.checked += len(deck.entries) + 1
        unknown = [self._unknown(entry) for entry in deck.entries if entry.card is None]
        return [*unknown, *check(deck, self.spec, self.pool, self.context, self.checks)]

    def _unknown(self, entry: Entry) -> Finding:
        count = CardCount(entry.ref, entry.name, entry.count)
        removal = {"remove": [{"ref": entry.ref, "count": entry.count}]}
        message = f"no card is called {entry.name[:80]!r}"
        remedy = (self._remedies.get(entry.place) if entry.place else "") or "Remove it."
        return error("card_unknown", message, entry.place, cards=(count,), fix=remedy, fixes=(removal,))

    def faults(self, deck: Deck) -> list[Finding]:
        """What keeps the cards of a deck from being legal; decks with the same cards are checked once."""
        key = frozenset(deck.tally().items())
        if key not in self._faults:
            self._faults[key] = [fault for fault in self._grave(deck) if not about_header(fault, deck)]
        return self._faults[key]

    @cached_property
    def header_faults(self) -> list[Finding]:
        """What is wrong with the header of the deck, and no card heals."""
        return [fault for fault in self._grave(self.deck) if about_header(fault, self.deck)]

    def _grave(self, deck: Deck) -> list[Finding]:
        return [finding for finding in self.findings(deck) if finding.severity in GRAVE]

    def may_add(self, deck: Deck, card: Card) -> bool:
        """Whether the player has another copy for this deck."""
        if not self.owned:
            return True
        same = self._same(card)
        present = sum(entry.count for entry in deck.entries if entry.card and self._same(entry.card) == same)
        return present < max(self._copies[same], self._owned[same])

    def sections_of(self, card: Card) -> list[str]:
        """The sections that a card of its type may lie in, by their types."""
        sections = self.spec.sections
        return [key for key, section in sections.items() if card.type in section.types or not section.types]

    def additions(
        self, deck: Deck, sections: Iterable[str] | None = None, fits: Callable[[Card], bool] = lambda card: True
    ) -> Iterator[Deck]:
        """The deck with one more card each: of those that fit, in some sections or wherever their type belongs."""
        chosen = None if sections is None else set(sections)
        for card in self.cards:
            if fits(card) and self.may_add(deck, card):
                for section in self.sections_of(card):
                    if chosen is None or section in chosen:
                        yield with_card(deck, section, card)

    def every_change(self, deck: Deck) -> Iterator[Deck]:
        """The deck with any one copy removed, added or moved, to whatever section."""
        for entry in distinct(deck.entries):
            less = without(deck, entry.section, entry.ref)
            yield less
            if entry.card:
                for section in self.spec.sections:
                    if section != entry.section:
                        yield with_card(less, section, entry.card)
        for card in self.pool:
            if self.may_add(deck, card):
                for section in self.spec.sections:
                    yield with_card(deck, section, card)

    def matches(self, query: str) -> Callable[[Card], bool]:
        """The predicate of a query of the game."""
        return card_facts(self.spec).test(query)

    def is_cornerstone(self, ref: str) -> bool:
        """Whether the deck is built on a card: without it nothing is left of what some rule needs.

        Such is the only officer, leader or commander: a card in a role, or one that is found by the check of the deck
        without it.
        """
        if ref not in self._cornerstones:
            rest = replace(self.deck, entries=tuple(entry for entry in self.deck.entries if entry.ref != ref))
            self._cornerstones[ref] = ref in self._in_roles or bool(self._lacking(rest) - self._lacking(self.deck))
        return self._cornerstones[ref]

    @cached_property
    def _in_roles(self) -> frozenset[str]:
        return View(self.deck, self.spec, self.context).role_refs

    def _lacking(self, deck: Deck) -> set[tuple[Any, ...]]:
        """The rules that need something of which the deck has nothing."""
        return {_gist(finding) for finding in self.findings(deck) if _needs_and_has_none(finding)}

    @property
    def cornerstones(self) -> tuple[CardCount, ...]:
        """The cards that the deck is built on, among those of which somebody asked."""
        entries = cards_of(self.deck)
        return tuple(CardCount(ref, name_of(entries[ref])) for ref, built_on in self._cornerstones.items() if built_on)


def _needs_and_has_none(finding: Finding) -> bool:
    limit = finding.data.get("limit")
    return finding.data.get("count") == 0 and isinstance(limit, int) and limit > 0


def _gist(finding: Finding) -> tuple[Any, ...]:
    return finding.code, finding.data.get("section")


def gist(finding: Finding) -> tuple[Any, ...]:
    """What makes a finding of one deck the same as that of another: code, section and cards."""
    return (*_gist(finding), frozenset(card.ref for card in finding.cards))


def need(fault: Finding) -> int:
    """The copies that the smallest remedy of a fault changes, by its own fixes; 1 where it has none."""
    sizes = [sum(int(item.get("count", 1)) for items in fix.values() for item in items) for fix in fault.fixes]
    return max(1, min(sizes, default=1))


def shortfall(fault: Finding) -> float:
    """How far a deck is from where a fault is healed: what is missing in a sum, else the copies that have to change."""
    missing = fault.data.get("shortfall")
    return missing if isinstance(missing, int | float) else need(fault)


def about_header(fault: Finding, deck: Deck) -> bool:
    """Whether a fault is one of the header of a deck, or of what the header lacks: no card heals it."""
    if fault.fixes:
        return False
    of_header = "field" in fault.data or fault.code in _OF_HEADER
    return of_header or any(place in deck.places.values() for place in fault.where)


def distinct(entries: Iterable[Entry]) -> list[Entry]:
    """One entry for each card in each section."""
    return list({(entry.section, entry.ref): entry for entry in entries}.values())


def with_card(deck: Deck, section: str, card: Card, count: int = 1) -> Deck:
    """The deck with further copies of a card in a section."""
    entries = list(deck.entries)
    for at, entry in enumerate(entries):
        if (entry.section, entry.ref) == (section, card.ref):
            entries[at] = replace(entry, count=entry.count + count)
            break
    else:
        entries.append(Entry(section, count, card.name, card, Place(deck.file)))
    return replace(deck, entries=tuple(entries))


def without(deck: Deck, section: str, ref: str, count: int = 1) -> Deck:
    """The deck with fewer copies of a card in a section, the last lines first."""
    entries: list[Entry] = []
    for entry in reversed(deck.entries):
        taken = min(count, entry.count) if (entry.section, entry.ref) == (section, ref) else 0
        count -= taken
        if entry.count > taken:
            entries.append(replace(entry, count=entry.count - taken) if taken else entry)
    return replace(deck, entries=tuple(reversed(entries)))


def cards_of(deck: Deck) -> Mapping[str, Entry]:
    """An entry of each card, by reference."""
    return {entry.ref: entry for entry in deck.entries}
