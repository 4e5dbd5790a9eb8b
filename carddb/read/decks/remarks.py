"""What is said of a card line that was not read exactly as it stands."""

from __future__ import annotations

from collections.abc import Sequence

from carddb.cards.cards import Card, Entry
from carddb.core.amounts import first_of
from carddb.findings import CardCount, Finding, error, info, warning
from carddb.read.decks.card_match import Match


def inexact(match: Match, entry: Entry) -> Finding:
    """The finding for a line whose card was found, or narrowed down, by less than its exact name."""
    if match.how == "repaired":
        return _repaired(match, entry)
    if match.how == "other_set":
        return _other_set(match, entry)
    return _ambiguous(match, entry) if match.how == "ambiguous" else _differing(match, entry)


def unknown(entry: Entry, near: Sequence[str]) -> Finding:
    """The finding for a name that no card has, with the nearest names."""
    fix = f"Did you mean {' or '.join(near)}?" if near else "Check the name, or load the set that has the card."
    message = f"no card is called {entry.name[:80]!r}"
    return error("card_unknown", message, entry.place, cards=(_copies(entry),), data={"nearest": [*near]}, fix=fix)


def repeated(entries: Sequence[Entry]) -> Finding:
    """The finding for a card that stands in several lines of one section."""
    first, total = entries[0], sum(entry.count for entry in entries)
    message = f"{first.name} stands in {len(entries)} lines of {first.section}, {total} copies in all"
    places = (entry.place for entry in entries)
    cards = (CardCount(first.ref, first.name, total),)
    return info("line_repeated", message, *places, cards=cards, fix=f"Write one line: {total} {first.name}")


def _repaired(match: Match, entry: Entry) -> Finding:
    message = f"{match.reading.name!r} was read as {_card_text(entry.card)}"
    return info("spelling_repaired", message, entry.place, cards=(_copies(entry),), fix=f"Write {entry.name}.")


def _other_set(match: Match, entry: Entry) -> Finding:
    message = f"no card is of a set {match.reading.set[:80]!r}; {_card_text(entry.card)} was found by its name"
    fix = "Take the set out, or load it if another card is meant."
    return warning("set_unknown", message, entry.place, cards=(_copies(entry),), fix=fix)


def _ambiguous(match: Match, entry: Entry) -> Finding:
    cards = tuple(CardCount(card.ref, card.name, entry.count) for card in match.cards[:20])
    message = f"{len(match.cards)} cards are called {match.reading.name!r}: {_listed(match.cards)}"
    fix = f"Add the reference: {entry.count} {match.cards[0].name} [{match.cards[0].ref}]"
    return error("card_ambiguous", message, entry.place, cards=cards, fix=fix)


def _differing(match: Match, entry: Entry) -> Finding:
    reading, card = match.reading, match.card
    ref = reading.ref or f"({reading.set}) {reading.number}"
    by_reference = f"no card has the reference {ref}"
    if card is not None and card.ref == reading.ref:
        by_reference = f"the reference {ref} is {_card_text(card)}"
    by_name = f"{reading.name!r} is {_listed(match.cards)}" if match.cards else f"no card is called {reading.name!r}"
    every = dict.fromkeys((card.ref, card.name) for card in (*match.cards[:20], card) if card)
    cards = tuple(CardCount(ref, name, entry.count) for ref, name in every)
    fix = "Correct one of the two, or leave the reference out."
    return error("name_and_reference_differ", f"{by_reference}, but {by_name}", entry.place, cards=cards, fix=fix)


def _copies(entry: Entry) -> CardCount:
    return CardCount(entry.ref, entry.name, entry.count)


def _card_text(card: Card | None) -> str:
    return f"{card.name} [{card.ref}]" if card else "nothing"


def _listed(cards: Sequence[Card]) -> str:
    return first_of([_card_text(card) for card in cards], 5)
