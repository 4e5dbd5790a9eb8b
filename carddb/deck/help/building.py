"""Completing decks until they are legal: variants that differ by a few copies, and what the check says of them."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from hashlib import sha256
from typing import Any

from carddb.cards.cards import Card, Deck, Entry, Pool
from carddb.core.groups import totals
from carddb.core.plain_text import amount
from carddb.deck.check.check import check
from carddb.deck.check.forecast import GRAVE
from carddb.deck.context import Check, Context, View, card_facts, identity, name_of
from carddb.deck.help.statistics import ChangedDeck, counts_by
from carddb.findings import CardCount, Finding, Place, Severity, error
from carddb.game.game import GameSpec

_OF_HEADER = ("format_unknown", "game_differs")
"""The codes of findings about a header that names an unknown format, or another game."""
Owned = Iterable[tuple[Card, int]]
"""The cards that a player owns, with the number of copies."""


class Candidates:
    """Builds variants of one deck by the rules of its game.

    `owned` limits which cards can be added; the cards already in the deck count as owned. `seed` decides the order of
    cards that serve equally well. `checked` measures the work done: the number of lines of all the decks that were
    checked. `remedies` are the reader's suggestions for lines with unknown cards, by place.
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
        self._unknown = cache(self._as_unknown)  # all variants of the deck share these findings
        self._cornerstones: dict[str, bool] = {}
        own = ((self._same(entry.card) if entry.card else entry.ref, entry.count) for entry in deck.entries)
        self._copies = totals(own)
        self.owned = owned is not None
        """True if the cards that may be added are limited."""
        self._owned = totals((self._same(card), count) for card, count in owned or ())
        in_deck = {entry.ref for entry in deck.entries}
        self.cards = sorted(
            pool, key=lambda card: (card.ref in in_deck, sha256(f"{seed}:{card.ref}".encode()).digest())
        )
        """The cards that may be added, those that are not in the deck first."""

    def _same(self, card: Card) -> Hashable:
        return identity(self.spec, card, None) or card.ref

    def findings(self, deck: Deck) -> list[Finding]:
        """Returns all findings of the check about a deck; an unknown card is an error."""
        self.tries += 1
        self.checked += len(deck.entries) + 1
        unknown = [self._unknown(entry) for entry in deck.entries if entry.card is None]
        return [*unknown, *check(deck, self.spec, self.pool, self.context, self.checks)]

    def _as_unknown(self, entry: Entry) -> Finding:
        count = CardCount(entry.ref, entry.name, entry.count)
        removal = {"remove": [{"ref": entry.ref, "count": entry.count}]}
        message = f"no card is called {entry.name[:80]!r}"
        remedy = (self._remedies.get(entry.place) if entry.place else "") or "Remove it."
        return error("card_unknown", message, entry.place, cards=(count,), fix=remedy, fixes=(removal,))

    def faults(self, deck: Deck) -> list[Finding]:
        """Returns the faults that make a deck's cards illegal. Decks with the same cards are checked only once."""
        key = frozenset(deck.tally().items())
        if key not in self._faults:
            self._faults[key] = [fault for fault in self._grave(deck) if not about_header(fault, deck)]
        return self._faults[key]

    @cached_property
    def header_faults(self) -> list[Finding]:
        """The faults in the deck's header, which no change of cards can remedy."""
        return [fault for fault in self._grave(self.deck) if about_header(fault, self.deck)]

    def _grave(self, deck: Deck) -> list[Finding]:
        return [finding for finding in self.findings(deck) if finding.severity in GRAVE]

    def may_add(self, deck: Deck, card: Card) -> bool:
        """Returns whether the player owns another copy of `card` for this deck."""
        if not self.owned:
            return True
        same = self._same(card)
        present = sum(entry.count for entry in deck.entries if entry.card and self._same(entry.card) == same)
        return present < max(self._copies[same], self._owned[same])

    def sections_of(self, card: Card) -> list[str]:
        """Returns the sections that accept cards of this card's type."""
        sections = self.spec.sections
        return [key for key, section in sections.items() if card.type in section.types or not section.types]

    def additions(
        self, deck: Deck, sections: Iterable[str] | None = None, fits: Callable[[Card], bool] = lambda card: True
    ) -> Iterator[Deck]:
        """Yields the deck with one copy of each card that `fits`, in `sections` or wherever its type belongs."""
        chosen = None if sections is None else set(sections)
        for card in self.cards:
            if fits(card) and self.may_add(deck, card):
                for section in self.sections_of(card):
                    if chosen is None or section in chosen:
                        yield with_card(deck, section, card)

    def every_change(self, deck: Deck) -> Iterator[Deck]:
        """Yields every deck that differs by one copy removed, added, or moved to any section."""
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

    def asked_for(self, item: Mapping[str, Any]) -> Callable[[Card], bool]:
        """Returns the predicate for the cards that a remedy may add: one by reference, those of a query, or any."""
        if "ref" in item:
            return lambda card: card.ref == item["ref"]
        return card_facts(self.spec).test(item["match"]) if "match" in item else lambda card: True

    def is_cornerstone(self, ref: str) -> bool:
        """Returns whether the deck depends on a card, such as its only officer, leader or commander.

        Such a card has a role, or without it some rule finds no card where it needs at least one.
        """
        if ref not in self._cornerstones:
            rest = replace(self.deck, entries=tuple(entry for entry in self.deck.entries if entry.ref != ref))
            in_roles = View(self.deck, self.spec, self.context).role_refs
            self._cornerstones[ref] = ref in in_roles or bool(self._lacking(rest) - self._lacking(self.deck))
        return self._cornerstones[ref]

    def _lacking(self, deck: Deck) -> set[tuple[Any, ...]]:
        """Returns a key for each finding that the deck has no card of a kind that a rule needs."""
        nothing = [finding for finding in self.findings(deck) if finding.data.get("count") == 0]
        limits = [(finding, finding.data.get("limit")) for finding in nothing]
        return {_gist(finding) for finding, limit in limits if isinstance(limit, int) and limit > 0}

    @property
    def cornerstones(self) -> tuple[CardCount, ...]:
        """The cards on which the deck depends, among those for which `is_cornerstone` was called."""
        entries = cards_of(self.deck)
        return tuple(CardCount(ref, name_of(entries[ref])) for ref, built_on in self._cornerstones.items() if built_on)


def _gist(finding: Finding) -> tuple[Any, ...]:
    return finding.code, finding.data.get("section")


def gist(finding: Finding) -> tuple[Any, ...]:
    """Returns a key by which findings of two decks are compared, from code, section and cards."""
    return (*_gist(finding), frozenset(card.ref for card in finding.cards))


def need(fault: Finding) -> int:
    """Returns the number of copies that the smallest remedy of a fault changes, or 1 if it has no remedy."""
    sizes = [sum(int(item.get("count", 1)) for items in fix.values() for item in items) for fix in fault.fixes]
    return max(1, min(sizes, default=1))


def shortfall(fault: Finding) -> float:
    """Returns how much is missing until a fault is remedied: the rest of a sum, or else the copies that must change."""
    missing = fault.data.get("shortfall")
    return missing if isinstance(missing, int | float) else need(fault)


def about_header(fault: Finding, deck: Deck) -> bool:
    """Returns whether a fault is about the header of a deck, so that no change of cards remedies it."""
    if fault.fixes:
        return False
    of_header = "field" in fault.data or fault.code in _OF_HEADER
    return of_header or any(place in deck.places.values() for place in fault.where)


def distinct(entries: Iterable[Entry]) -> list[Entry]:
    """Returns one entry for each card in each section."""
    return list({(entry.section, entry.ref): entry for entry in entries}.values())


def with_card(deck: Deck, section: str, card: Card, count: int = 1) -> Deck:
    """Returns the deck with `count` more copies of a card in a section."""
    entries = list(deck.entries)
    for at, entry in enumerate(entries):
        if (entry.section, entry.ref) == (section, card.ref):
            entries[at] = replace(entry, count=entry.count + count)
            break
    else:
        entries.append(Entry(section, count, card.name, card, Place(deck.file)))
    return replace(deck, entries=tuple(entries))


def without(deck: Deck, section: str, ref: str, count: int = 1) -> Deck:
    """Returns the deck with `count` fewer copies of a card in a section, removed from the last lines first."""
    entries: list[Entry] = []
    for entry in reversed(deck.entries):
        removed = min(count, entry.count) if (entry.section, entry.ref) == (section, ref) else 0
        count -= removed
        if entry.count > removed:
            entries.append(replace(entry, count=entry.count - removed) if removed else entry)
    return replace(deck, entries=tuple(reversed(entries)))


def cards_of(deck: Deck) -> Mapping[str, Entry]:
    """Returns one entry for each card, by reference."""
    return {entry.ref: entry for entry in deck.entries}


MOST_LINES = 60_000
"""The most lines of decks that are checked while filling."""


@dataclass(frozen=True, slots=True)
class Filled(ChangedDeck):
    """A deck with cards added."""

    @property
    def sentence(self) -> str:
        """A sentence that says how many cards were added, and whether the deck is legal."""
        words = f"{amount(self.difference.copies)} added"
        if self.faults:
            return f"{words}; no further card makes the deck legal.{self.header_sentence}"
        end = "no fault of the cards is left" if self.header_faults else "the deck is legal"
        return f"{words}; {end}.{self.header_sentence}"

    def to_json(self) -> dict[str, Any]:
        """Returns the JSON object of `decks fill --json`."""
        added = [change.to_json() for change in self.difference.changes]
        return {"schema": "carddb.deck-fill/1", **ChangedDeck.to_json(self), "added": added}


def fill(candidates: Candidates, advised: Mapping[str, int] | None = None) -> Filled:
    """Returns the candidates' deck with cards added until it is legal, and then as far as `advised` says.

    `advised` is the recommended number of cards by type. It decides what is added first, and is reached as far as the
    rules allow. If it is None, the numbers that the game recommends decide only what is added first.
    """
    deck = candidates.deck
    filling = Filling(candidates, advised if advised is not None else advice(candidates, deck))
    deck = filling.until_legal(deck)
    if advised and not candidates.faults(deck):
        deck = filling.until_advised(deck)
    headers = tuple(candidates.header_faults)
    return Filled(candidates.deck, deck, tuple(candidates.faults(deck)), headers, candidates.tries)


def advice(candidates: Candidates, deck: Deck) -> Mapping[str, int]:
    """Returns the recommended number of cards by type, from an INFO finding with a `difference`; empty without one."""
    counts = counts_by(deck, "type")
    for finding in candidates.findings(deck):
        surplus = finding.data.get("difference")
        if finding.severity is Severity.INFO and isinstance(surplus, Mapping):
            return {kind: counts[kind] - by for kind, by in surplus.items()}
    return {}


class Filling:
    """Fills one deck, guided by the recommended numbers of cards by type, `advised`."""

    def __init__(self, candidates: Candidates, advised: Mapping[str, int]) -> None:
        self.candidates = candidates
        self.advised = advised
        self._most = candidates.checked + MOST_LINES
        self._refused = set[tuple[str, str]]()

    def until_legal(self, deck: Deck) -> Deck:
        """Returns the deck with cards added as long as each addition brings it nearer to being legal."""
        while self.candidates.checked < self._most and self.candidates.faults(deck):
            fuller = next(self._nearer(deck), None)
            if fuller is None:
                break
            deck = fuller
        return deck

    def until_advised(self, deck: Deck) -> Deck:
        """Returns a legal deck with cards added of types below their recommended number, as long as it stays legal."""
        while self.candidates.checked < self._most:
            counts = counts_by(deck, "type")
            lacking = {kind for kind, number in self.advised.items() if counts[kind] < number}
            more = self._added(deck, _of_types(lacking))
            fuller = next((child for child, _ in more if not self.candidates.faults(child)), None)
            if fuller is None:
                break
            deck = fuller
        return deck

    def _nearer(self, deck: Deck) -> Iterator[Deck]:
        """Yields the deck with one more card: one that remedies a fault, else one that causes no new fault."""
        missing, lasting = self._missing(deck), self._not_healed(deck)
        faults = self.candidates.faults(deck)
        for fault in faults:
            for item in (item for fix in fault.fixes for item in fix.get("add", ())):
                fits = self.candidates.asked_for(item)
                for child, key in self._added(deck, fits, item.get("section")):
                    if self._missing(child) < missing and self._not_healed(child) <= lasting:
                        yield child
                    else:
                        self._refused.add(key)
        if not all(fault.fixes for fault in faults):
            present = set(map(gist, faults))
            for child, key in self._added(deck, lambda card: True):
                if set(map(gist, self.candidates.faults(child))) <= present:
                    yield child
                else:
                    self._refused.add(key)

    def _not_healed(self, deck: Deck) -> set[tuple[Any, ...]]:
        """Returns the keys of the faults that no added card can remedy."""
        return {gist(fault) for fault in self.candidates.faults(deck) if not any(map(_only_adds, fault.fixes))}

    def _missing(self, deck: Deck) -> float:
        """Returns the sum of what each fault lacks, by its smallest remedy that only adds cards, if it has one."""
        adding = ((fault, tuple(filter(_only_adds, fault.fixes))) for fault in self.candidates.faults(deck))
        return sum(shortfall(fault._replace(fixes=fixes or fault.fixes)) for fault, fixes in adding)

    def _added(
        self, deck: Deck, fits: Callable[[Card], bool], section: str | None = None
    ) -> Iterator[tuple[Deck, tuple[str, str]]]:
        """Yields the deck with one more card, and the card's section and reference; best first, no refused cards."""
        types = counts_by(deck, "type")
        tally = deck.tally()

        def rank(place: tuple[str, Card]) -> tuple[int, int]:
            key, card = place
            return types[card.type] - self.advised.get(card.type, 0), tally.get((key, card.ref), 0)

        cards = (card for card in self.candidates.cards if fits(card) and self.candidates.may_add(deck, card))
        places = [(key, card) for card in cards for key in self.candidates.sections_of(card)]
        for key, card in sorted(places, key=rank):
            if section in (None, key) and (key, card.ref) not in self._refused:
                yield with_card(deck, key, card), (key, card.ref)


def _only_adds(fix: Mapping[str, Any]) -> bool:
    return set(fix) == {"add"}


def _of_types(types: Container[str]) -> Callable[[Card], bool]:
    return lambda card: card.type in types
