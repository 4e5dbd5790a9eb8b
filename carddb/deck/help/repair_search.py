"""The search for the smallest change that makes a deck legal.

It follows the remedies that findings name, the most promising deck first; then all smaller changes are tried, where
there are few enough of them. Where far more is missing than can be searched, what is too much goes and the deck is
filled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from heapq import heappop, heappush
from itertools import count, islice
from typing import Any

from carddb.cards.cards import Deck
from carddb.deck.help.building import Filling
from carddb.deck.help.candidates import Candidates, cards_of, distinct, need, shortfall, with_card, without
from carddb.deck.help.difference import difference
from carddb.findings import Finding

SEARCH_LINES = 20_000
"""The lines of decks that the search checks at most; a second on a slow computer."""
PROOF_LINES = 60_000
"""The same for the proof that no smaller change helps."""
PROOF_COPIES = 8
"""The copies of a change for which that proof is tried at most: beyond it has no hope."""
ADDED = 12
"""The cards that are tried where any of many may be added."""
MISSING_WEIGHT = 3
"""How much a copy that a deck still needs weighs, where one that was changed weighs 1."""


def _least(faults: list[Finding]) -> int:
    """The copies that any remedy changes at least.

    That is 0 without faults; else the remedy of the worst one, or those together that only taking away or moving their
    own cards heals, as far as they share no card.
    """
    apart, seen = 0, set[str]()
    for fault in sorted(faults, key=need, reverse=True):
        own = {card.ref for card in fault.cards}
        less = all(map(_only_less, fault.fixes))
        if fault.fixes and less and own and not own & seen:
            apart += need(fault)
            seen |= own
    return max([apart, *map(need, faults)])


def _only_less(fix: Mapping[str, Any]) -> bool:
    """Whether a remedy adds no card."""
    return set(fix) <= {"remove", "move"}


class Search:
    """The search for one deck."""

    def __init__(self, candidates: Candidates) -> None:
        self.candidates = candidates
        entries = tuple(entry for entry in candidates.deck.entries if entry.card)
        self.before = replace(candidates.deck, entries=entries)
        """The deck without its unknown cards: no legal deck has them, and they serve for nothing else."""
        self._least = _least(candidates.faults(self.before))
        self._cards = {entry.ref for entry in candidates.deck.entries if entry.card}

    def _allowed(self, deck: Deck) -> bool:
        """Whether a deck has every card that it is built on."""
        return not any(map(self.candidates.is_cornerstone, sorted(self._cards - cards_of(deck).keys())))

    def by_remedies(self) -> Deck | None:
        """The cheapest legal deck that the remedies of findings lead to; None where the search was given up.

        It ends where a deck costs no more than any must.
        """
        if not self.candidates.faults(self.before):
            return self.before
        end = self.candidates.checked + SEARCH_LINES
        order = count()
        queue = [(self._hope(self.before), next(order), self.before)]
        seen = {frozenset(self.before.tally().items())}
        best: tuple[int, Deck] | None = None
        while queue and self.candidates.checked < end:
            _, _, deck = heappop(queue)
            for child in self._children(deck):
                key = frozenset(child.tally().items())
                if key in seen or not self._allowed(child):
                    continue
                seen.add(key)
                copies = difference(self.before, child).copies
                if best and copies >= best[0]:
                    continue
                if not self.candidates.faults(child):
                    best = copies, child
                    if copies <= self._least:
                        return child
                    end = min(end, self.candidates.checked + SEARCH_LINES // 4)
                heappush(queue, (self._hope(child), next(order), child))
        return best[1] if best else None

    def by_filling(self) -> Deck | None:
        """A legal deck by taking out what is too much and then adding, where more is missing than can be searched."""
        deck = self.before
        while lighter := next(self._lighter(deck), None):
            deck = lighter
        filled = Filling(self.candidates, {}).until_legal(deck)
        return None if self.candidates.faults(filled) else filled

    def _lighter(self, deck: Deck) -> Iterator[Deck]:
        """The deck with a remedy made that adds no card, and leaves fewer faults that have such a remedy."""
        surplus = self._surplus(deck)
        for fault in surplus:
            for fix in filter(_only_less, fault.fixes):
                for child in self._of_fix(deck, fault, fix):
                    if self._allowed(child) and len(self._surplus(child)) < len(surplus):
                        yield child

    def _surplus(self, deck: Deck) -> list[Finding]:
        """The faults that can be healed without adding a card."""
        return [fault for fault in self.candidates.faults(deck) if any(map(_only_less, fault.fixes))]

    def _hope(self, deck: Deck) -> tuple[float, float]:
        """What a legal deck made of this one may cost, and how far it is: the less the better.

        What is missing weighs more than what was changed, or the search is broad and does not end.
        """
        missing = sum(map(shortfall, self.candidates.faults(deck)))
        return difference(self.before, deck).copies + MISSING_WEIGHT * missing, missing

    def _children(self, deck: Deck) -> Iterator[Deck]:
        for fault in self.candidates.faults(deck):
            for fix in fault.fixes:
                yield from self._of_fix(deck, fault, fix)
            yield from self._of_guilty(deck, fault)

    def _of_fix(self, deck: Deck, fault: Finding, fix: Mapping[str, Any]) -> Iterator[Deck]:
        """The deck with the remedy made as it is said, and with one copy of what may be added."""
        entries = cards_of(deck)
        changed = deck
        for item in fix.get("remove", ()):
            changed = _taken(changed, item["ref"], item["count"], fault.data.get("section"))
        for item in fix.get("move", ()):
            entry = entries.get(item["ref"])
            if entry and entry.card:
                changed = _taken(changed, item["ref"], item["count"], fault.data.get("section"))
                changed = with_card(changed, item["to"], entry.card, item["count"])
        for item in fix.get("add", ()):
            if "ref" not in item:
                yield from self._some_added(deck, item)
            elif (card := self.candidates.pool.get(item["ref"])) and self.candidates.may_add(deck, card):
                for section in self.candidates.sections_of(card)[:1]:
                    yield with_card(deck, section, card)
                    changed = with_card(changed, section, card, item["count"])
        if changed is not deck and self._affordable(changed):
            yield changed

    def _affordable(self, deck: Deck) -> bool:
        """Whether the player has every card of the deck, where cards were added by name."""
        return not self.candidates.owned or all(
            self.candidates.may_add(without(deck, entry.section, entry.ref), entry.card)
            for entry in deck.entries
            if entry.card
        )

    def _some_added(self, deck: Deck, item: Mapping[str, Any]) -> Iterator[Deck]:
        sections = [item["section"]] if "section" in item else None
        fits = self.candidates.matches(item["match"]) if "match" in item else lambda card: True
        yield from self._welcome(deck, self.candidates.additions(deck, sections, fits))

    def _welcome(self, deck: Deck, additions: Iterator[Deck]) -> Iterator[Deck]:
        """The first additions that bring no further need."""
        missing = sum(map(shortfall, self.candidates.faults(deck)))
        welcome = (child for child in additions if sum(map(shortfall, self.candidates.faults(child))) <= missing)
        return islice(welcome, ADDED)

    def _of_guilty(self, deck: Deck, fault: Finding) -> Iterator[Deck]:
        """The deck with one copy less of a card that the fault is about, or with that copy elsewhere.

        A fault without cards is about its section, or else about its lines; without both any card may be added.
        """
        refs, section = {card.ref for card in fault.cards}, fault.data.get("section")
        places = set(fault.where)
        entries = [
            entry
            for entry in distinct(deck.entries)
            if (entry.ref in refs if refs else entry.section == section or entry.place in places)
        ]
        for entry in entries:
            less = without(deck, entry.section, entry.ref)
            yield less
            for other in self.candidates.sections_of(entry.card) if entry.card else ():
                if other != entry.section and entry.card:
                    yield with_card(less, other, entry.card)
        if not (fault.fixes or any(place.line for place in places)):
            used = {entry.section for entry in self.before.entries}
            yield from self._welcome(deck, self.candidates.additions(deck, used))

    def smaller(self, copies: int) -> tuple[Deck | None, bool]:
        """A legal deck by changing fewer copies, and whether all of those decks were ruled out.

        A deck whose faults need more copies than are left leads to none of them.
        """
        if copies <= self._least or copies > PROOF_COPIES:
            return None, copies <= self._least
        end = self.candidates.checked + PROOF_LINES
        layer, seen = [self.before], {frozenset(self.before.tally().items())}
        for depth in range(1, copies):
            following = []
            for deck in layer:
                for child in self.candidates.every_change(deck):
                    key = frozenset(child.tally().items())
                    if key in seen or not self._allowed(child) or difference(self.before, child).copies != depth:
                        continue
                    seen.add(key)
                    faults = self.candidates.faults(child)
                    if not faults:
                        return child, True
                    if self.candidates.checked > end:
                        return None, False
                    if _least(faults) < copies - depth:
                        following.append(child)
            layer = following
        return None, True


def _taken(deck: Deck, ref: str, copies: int, section: str | None) -> Deck:
    """The deck without some copies of a card, those of the section first."""
    sections = [entry.section for entry in distinct(deck.entries) if entry.ref == ref]
    for key in sorted(sections, key=lambda key: key != section):
        here = sum(entry.count for entry in deck.entries if (entry.section, entry.ref) == (key, ref))
        deck = without(deck, key, ref, min(copies, here))
        copies -= min(copies, here)
        if not copies:
            break
    return deck
