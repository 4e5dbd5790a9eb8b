"""A deck filled up until it is legal, and further until it has the numbers of cards by type that are advised.

Cards are only added. Of those that serve, the type comes first that most is missing of, then the card with the fewest
copies, then the order of the seed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from carddb.cards.cards import Card, Deck
from carddb.core.amounts import amount
from carddb.deck.help.candidates import Candidates, gist, shortfall, with_card
from carddb.deck.help.difference import ChangedDeck
from carddb.findings import Finding, Severity

MOST_LINES = 60_000
"""The lines of decks that are checked at most."""


@dataclass(frozen=True, slots=True)
class Filled(ChangedDeck):
    """A deck with cards added."""

    @property
    def sentence(self) -> str:
        """What was added, and whether the deck is legal."""
        words = f"{amount(self.difference.copies)} added"
        if self.faults:
            return f"{words}; no further card makes the deck legal.{self.header_sentence}"
        end = "no fault of the cards is left" if self.header_faults else "the deck is legal"
        return f"{words}; {end}.{self.header_sentence}"

    def to_json(self) -> dict[str, Any]:
        """The shape of `decks fill --json`."""
        added = [change.to_json() for change in self.difference.changes]
        return {"schema": "carddb.deck-fill/1", **ChangedDeck.to_json(self), "added": added}


def fill(candidates: Candidates, advised: Mapping[str, int] | None = None) -> Filled:
    """The deck of the candidates with cards added until it is legal; a legal deck stays as it is.

    `advised` are numbers of cards by type: they decide what is added first, and are reached where the rules allow it.
    Without them the game's own advice decides what is added first.
    """
    deck = candidates.deck
    filling = Filling(candidates, advised if advised is not None else advice(candidates, deck))
    deck = filling.until_legal(deck)
    if advised and not candidates.faults(deck):
        deck = filling.until_advised(deck)
    headers = tuple(candidates.header_faults)
    return Filled(candidates.deck, deck, tuple(candidates.faults(deck)), headers, candidates.tries)


def advice(candidates: Candidates, deck: Deck) -> Mapping[str, int]:
    """The numbers of cards by type that the game advises, from a remark with a `difference`; empty without one."""
    counts = types_of(deck)
    for finding in candidates.findings(deck):
        surplus = finding.data.get("difference")
        if finding.severity is Severity.INFO and isinstance(surplus, Mapping):
            return {kind: counts[kind] - by for kind, by in surplus.items()}
    return {}


def types_of(deck: Deck) -> Counter[str]:
    """How many cards of each type a deck has."""
    counts = Counter[str]()
    for entry in deck.entries:
        counts[entry.card.type if entry.card else ""] += entry.count
    return counts


class Filling:
    """The filling of one deck by advised numbers."""

    def __init__(self, candidates: Candidates, advised: Mapping[str, int]) -> None:
        self.candidates = candidates
        self.advised = advised
        self._most = candidates.checked + MOST_LINES
        self._refused = set[tuple[str, str]]()

    def until_legal(self, deck: Deck) -> Deck:
        """The deck with cards added as long as each brings it nearer to being legal."""
        while self.candidates.checked < self._most and self.candidates.faults(deck):
            fuller = next(self._nearer(deck), None)
            if fuller is None:
                break
            deck = fuller
        return deck

    def until_advised(self, deck: Deck) -> Deck:
        """The legal deck with cards added of the types that it has too few of, as long as it stays legal."""
        while self.candidates.checked < self._most:
            counts = types_of(deck)
            lacking = {kind for kind, number in self.advised.items() if counts[kind] < number}
            more = self._added(deck, _of_types(lacking))
            fuller = next((child for child, _ in more if not self.candidates.faults(child)), None)
            if fuller is None:
                break
            deck = fuller
        return deck

    def _nearer(self, deck: Deck) -> Iterator[Deck]:
        """The deck with a card more that a fault asks for, or one that brings no new fault where none says which."""
        missing, lasting = self._missing(deck), self._not_healed(deck)
        faults = self.candidates.faults(deck)
        for fault in faults:
            for item in (item for fix in fault.fixes for item in fix.get("add", ())):
                fits = _asked_for(self.candidates, item)
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
        """The faults that no further card heals."""
        return {gist(fault) for fault in self.candidates.faults(deck) if not any(map(_only_adds, fault.fixes))}

    def _missing(self, deck: Deck) -> float:
        return sum(map(_lack, self.candidates.faults(deck)))

    def _added(
        self, deck: Deck, fits: Callable[[Card], bool], section: str | None = None
    ) -> Iterator[tuple[Deck, tuple[str, str]]]:
        """The deck with one more card each, the best first, with its section and card; not those refused before."""
        types = types_of(deck)
        tally = deck.tally()

        def rank(place: tuple[str, Card]) -> tuple[int, int]:
            key, card = place
            return types[card.type] - self.advised.get(card.type, 0), tally.get((key, card.ref), 0)

        cards = (card for card in self.candidates.cards if fits(card) and self.candidates.may_add(deck, card))
        places = [(key, card) for card in cards for key in self.candidates.sections_of(card)]
        for key, card in sorted(places, key=rank):
            if section in (None, key) and (key, card.ref) not in self._refused:
                yield with_card(deck, key, card), (key, card.ref)


def _lack(fault: Finding) -> float:
    """What the smallest remedy of a fault adds; one that also takes out is no remedy here."""
    adding = tuple(filter(_only_adds, fault.fixes))
    return shortfall(fault._replace(fixes=adding) if adding else fault)


def _only_adds(fix: Mapping[str, Any]) -> bool:
    return set(fix) == {"add"}


def _of_types(types: Container[str]) -> Callable[[Card], bool]:
    return lambda card: card.type in types


def _asked_for(candidates: Candidates, item: Mapping[str, Any]) -> Callable[[Card], bool]:
    """Which cards a remedy means: one by its reference, those that match a query, or any."""
    if "ref" in item:
        return lambda card: card.ref == item["ref"]
    return candidates.matches(item["match"]) if "match" in item else lambda card: True
