"""The card that a line means, and the findings for a line that does not name it exactly."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from carddb.cards.cards import DOCUMENTS, SAMPLE, Card, Entry, Pool
from carddb.core.groups import grouped
from carddb.core.names import NearNames, fold, fold_word
from carddb.core.plain_text import first_of
from carddb.findings import CardCount, Finding, error, info, warning
from carddb.game.parts import PrintedName
from carddb.read.decks.line import LineReading, only_counts

_MAX_SUGGESTED = 100
_MANY = 8
"""The most references that are suggested if no name is near."""


@dataclass(frozen=True, slots=True)
class CardMatch:
    """The card that a line means, and how it was found.

    `how` is `exact`, `repaired` (another spelling), `other_set` (the set is unknown), `ambiguous` (one of `cards`),
    `differ` (name and reference mean different cards) or `unknown`.
    """

    how: str
    reading: LineReading
    card: Card | None = None
    cards: tuple[Card, ...] = ()


class Matcher:
    """Finds the cards of lines in a pool."""

    def __init__(self, pool: Pool, printed: PrintedName | None = None, label: Callable[[], str] = str) -> None:
        """`printed` says what cards print in place of their names; `label` returns the label of the deck's format."""
        self._pool = pool
        self._printed_name = printed
        self._label = label
        self._suggested = 0

    @cached_property
    def _sets(self) -> set[str]:
        return {fold(card.set) for card in self._pool}

    @cached_property
    def _near_names(self) -> NearNames:
        return NearNames(self._pool.names())

    @cached_property
    def _by_printed(self) -> Mapping[str, list[Card]]:
        """The cards by the text that they print in place of their name, folded."""
        field = self._printed_name.field if self._printed_name else ""
        return grouped((fold_word(str(card.get(field) or "")), card) for card in self._pool)

    @cached_property
    def _of_format(self) -> list[str]:
        """The names of the cards of the deck's format; empty unless cards of several formats show the same text."""
        if not self._printed_name:
            return []
        label = self._label()
        return [card.name for card in self._pool if str(card.get(self._printed_name.by)) == label]

    def match(self, readings: Iterable[LineReading]) -> CardMatch:
        """Returns the best match for the readings of a line, the first of equally good ones; `unknown` if none matches.

        The readings are taken one by one, because in most lines the name and the reference of an early one agree.
        """
        seen = []
        for reading in readings:
            if match := self._agreeing(reading):
                return match
            seen.append(reading)
        nearly = partial(self._agreeing, nearly=True)
        for step in (self._exact, nearly, self._folded, self._printed, self._of_no_set, self._differing):
            for reading in seen:
                if match := step(reading):
                    return match
        return CardMatch("unknown", seen[0])

    def suggest(self, readings: Iterable[LineReading]) -> list[str]:
        """Returns the nearest names, else references with the same last part; after a hundred calls, nothing."""
        self._suggested += 1
        if self._suggested > _MAX_SUGGESTED:
            return []
        suggesters = [*([NearNames(self._of_format)] if self._of_format else ()), self._near_names]
        names = list(dict.fromkeys(reading.name for reading in readings if reading.name))[:4]
        hits = (near for suggester in suggesters for name in names if (near := suggester.near(name)))
        near = next(hits, [])
        ends = {_number(name) for name in names} - {""}
        return near or [card.ref for card in self._pool if _number(card.ref) in ends][:_MANY]

    def _agreeing(self, reading: LineReading, nearly: bool = False) -> CardMatch | None:
        """Returns the match if a card has both name and reference (or set); `nearly` allows folded or former names."""
        how = "repaired" if nearly else "exact"
        if reading.ref:
            card = self._pool.by_reference(reading.ref)
            names = (card.name, *card.translated_names) if card else ()
            if nearly and card:
                agree = any(fold(name) == fold(reading.name) for name in (*names, *card.aliases))
            else:
                agree = reading.name in names
            return CardMatch(how, reading, card) if agree else None
        if reading.set:
            named = self._pool.folded if nearly else self._pool.named
            cards = [card for card in named(reading.name) if _is_from(card, reading)]
            return CardMatch(how, reading, cards[0]) if len(cards) == 1 else None
        return None

    def _exact(self, reading: LineReading) -> CardMatch | None:
        """Returns the match for a reference without a name, or for an exact name without a reference; else None."""
        if reading.set or (reading.ref and reading.name):
            return None
        card = self._pool.by_reference(reading.ref) if reading.ref else self._pool.get(reading.name)
        if card:
            return CardMatch("exact", reading, card)
        return _one_of(self._pool.named(reading.name), reading, "exact")

    def _folded(self, reading: LineReading) -> CardMatch | None:
        """Returns the match for a folded or former name, or for a reference in another case; else None."""
        if reading.ref or reading.set or not fold(reading.name):
            return None
        match = _one_of(self._pool.folded(reading.name), reading, "repaired")
        match = match or _one_of(self._pool.formerly(reading.name), reading, "repaired")
        card = None if match else self._pool.by_reference(reading.name)
        return CardMatch("repaired", reading, card) if card else match

    def _printed(self, reading: LineReading) -> CardMatch | None:
        """Returns the match for what a card of the deck's format prints, `V1`, or a short name, `Column 1`, or None."""
        if reading.ref or reading.set or not self._printed_name:
            return None
        by, label = self._printed_name.by, self._label()
        cards = [card for card in self._by_printed.get(fold_word(reading.name), ()) if str(card.get(by)) == label]
        if not cards and self._printed_name.name:
            name = self._printed_name.name.replace("{by}", label).replace("{}", reading.name)
            cards = list(self._pool.folded(name))
        return _one_of(cards, reading, "exact")

    def _of_no_set(self, reading: LineReading) -> CardMatch | None:
        """Returns the match by name alone if no card is of the line's set, such as a set of another program; else None.

        Brackets are not taken for a set if they are part of the names of such cards, as in `Grey (II)`.
        """
        set_, name = fold(reading.set), fold(reading.name)
        if not (set_ and name) or reading.number or set_ in self._sets or only_counts(reading.set):
            return None
        if any("(" in other and fold(other.partition("(")[0]) == name for other in (card.name for card in self._pool)):
            return None
        return _one_of(self._pool.folded(reading.name), reading, "other_set")

    def _differing(self, reading: LineReading) -> CardMatch | None:
        """Returns the match if name and reference are those of different cards, or one is unknown; else None."""
        if not (reading.name and (reading.ref or reading.number)):
            return None
        counts = only_counts(reading.name)
        if counts and counts + (reading.count is not None) > 1:
            return None  # what looks like a second count is not a name
        card = self._pool.by_reference(reading.ref) if reading.ref else None
        by_name = tuple(self._pool.folded(reading.name)) or tuple(self._pool.formerly(reading.name))
        if not card and not by_name:
            return None
        return CardMatch("differ", reading, card or (by_name[0] if len(by_name) == 1 else None), by_name)


def _one_of(cards: Sequence[Card], reading: LineReading, how: str) -> CardMatch | None:
    if not cards:
        return None
    if len(cards) > 1:
        return CardMatch("ambiguous", reading, None, tuple(cards))
    return CardMatch(how, reading, cards[0])


def printing_of(card: Card, reading: LineReading) -> str:
    """Returns the code of the printing that a line means by a code or by `(Set) 14`; empty if it means none."""
    codes = (reading.ref.casefold(), reading.name.casefold())
    for printing in card.printings:
        if printing.code.casefold() in codes:
            return printing.code
        in_set = reading.set and fold(printing.set) == fold(reading.set)
        if in_set and (not reading.number or _number(printing.position) == _number(reading.number)):
            return printing.code
    return ""


def _is_from(card: Card, reading: LineReading) -> bool:
    """Returns whether a line's `(Set) 14` means this card: it has that set and number, or a reference made of both."""
    number = _number(reading.number)
    # The cards of DOCUMENTS were in the set SAMPLE before they had one of their own.
    if fold(reading.set) in ((DOCUMENTS, SAMPLE) if card.set == DOCUMENTS else (fold(card.set),)):
        return not reading.number or card.ref == reading.number or _number(card.ref) == number
    joined = {fold(f"{reading.set}{sign}{reading.number}") for sign in ("", "-")}
    return bool(printing_of(card, reading)) or (bool(reading.number) and fold(card.ref) in joined)


def _number(ref: str) -> str:
    """Returns the last part of a reference or number, without leading zeros and in lower case."""
    return re.split(r"[-/#\s]", ref)[-1].lstrip("0").casefold()


def inexact(match: CardMatch, entry: Entry) -> Finding:
    """Returns the finding for a line whose card was found, or narrowed down, although its name is not exact."""
    if match.how == "repaired":
        message = f"{match.reading.name!r} was read as {_card_text(entry.card)}"
        return info("spelling_repaired", message, entry.place, cards=(_copies(entry),), fix=f"Write {entry.name}.")
    if match.how == "other_set":
        message = f"no card is in the set {match.reading.set[:80]!r}; {_card_text(entry.card)} was found by its name"
        fix = "Remove the set from the line; if another card is meant, load its set."
        return warning("set_unknown", message, entry.place, cards=(_copies(entry),), fix=fix)
    if match.how == "ambiguous":
        cards = tuple(CardCount(card.ref, card.name, entry.count) for card in match.cards[:20])
        message = f"{len(match.cards)} cards are called {match.reading.name!r}: {_listed(match.cards)}"
        fix = f"Add the reference of the right one: {entry.count} {match.cards[0].name} [{match.cards[0].ref}]"
        return error("card_ambiguous", message, entry.place, cards=cards, fix=fix)
    return _differing(match, entry)


def unknown(entry: Entry, near: Sequence[str]) -> Finding:
    """Returns the finding for a name that no card has; it suggests the names in `near`."""
    fix = f"Did you mean {' or '.join(near)}?" if near else "Check the name, or load the set that has the card."
    message = f"no card is called {entry.name[:80]!r}"
    return error("card_unknown", message, entry.place, cards=(_copies(entry),), data={"nearest": [*near]}, fix=fix)


def repeated(entries: Sequence[Entry]) -> Finding:
    """Returns the finding for a card that has several lines (`entries`) in one section."""
    first, total = entries[0], sum(entry.count for entry in entries)
    message = f"{first.name} is on {len(entries)} lines of the section {first.section}, with {total} copies in all"
    places = (entry.place for entry in entries)
    cards = (CardCount(first.ref, first.name, total),)
    return info("line_repeated", message, *places, cards=cards, fix=f"Write one line: {total} {first.name}")


def _differing(match: CardMatch, entry: Entry) -> Finding:
    reading, card = match.reading, match.card
    ref = reading.ref or f"({reading.set}) {reading.number}"
    by_reference = f"no card has the reference {ref}"
    if card is not None and card.ref == reading.ref:
        by_reference = f"the reference {ref} belongs to {_card_text(card)}"
    of_cards = f"{reading.name!r} is the name of {_listed(match.cards)}"
    by_name = of_cards if match.cards else f"no card is called {reading.name!r}"
    every = dict.fromkeys((card.ref, card.name) for card in (*match.cards[:20], card) if card)
    cards = tuple(CardCount(ref, name, entry.count) for ref, name in every)
    fix = "Correct the name or the reference, or write only the name."
    return error("name_and_reference_differ", f"{by_reference}, but {by_name}", entry.place, cards=cards, fix=fix)


def _copies(entry: Entry) -> CardCount:
    return CardCount(entry.ref, entry.name, entry.count)


def _card_text(card: Card | None) -> str:
    return f"{card.name} [{card.ref}]" if card else "nothing"


def _listed(cards: Sequence[Card]) -> str:
    return first_of([_card_text(card) for card in cards], 5)
