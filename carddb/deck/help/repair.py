"""The smallest change that makes a deck legal, found by search, and explained step by step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import count, islice, product
from typing import Any

from carddb.cards.cards import Deck, Entry
from carddb.core.groups import grouped
from carddb.core.plain_text import amount
from carddb.deck.context import Fix, name_of
from carddb.deck.help.building import Candidates, Filling, cards_of, distinct, gist, need, shortfall, with_card, without
from carddb.deck.help.statistics import ChangedDeck, difference
from carddb.findings import CardCount, Finding
from carddb.game.game import GameSpec


@dataclass(frozen=True, slots=True)
class RepairStep:
    """Copies of one card to remove, add or move, the finding behind the step, and why no smaller step would do."""

    change: str
    """`remove`, `add` or `move`."""
    card: CardCount
    section: str
    to: str
    words: str
    reason: str
    why: str
    code: str
    rules: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        ends = {"section": self.section, "to": self.to} if self.change == "move" else {"section": self.section}
        why = {"words": self.words, "reason": self.reason, "why": self.why, "code": self.code}
        return {"change": self.change, **self.card.to_json(), **ends, **why, "rules": list(self.rules)}


@dataclass(frozen=True, slots=True)
class _Move:
    """Copies of a card that leave a section, enter a section, or move from one to another."""

    entry: Entry
    count: int
    out_of: str
    into: str

    def applied_to(self, deck: Deck) -> Deck:
        """Returns the deck with this change made."""
        if self.out_of:
            deck = without(deck, self.out_of, self.entry.ref, self.count)
        if self.into and self.entry.card:
            deck = with_card(deck, self.into, self.entry.card, self.count)
        return deck


def steps(candidates: Candidates, after: Deck) -> tuple[RepairStep, ...]:
    """Returns the steps to the deck `after`: those that reduce the faults most first, additions last.

    After decks with `SEARCH_LINES` lines in all were checked, the remaining steps keep the order of the deck.
    """
    deck, left, out = candidates.deck, list(_moves(candidates.deck, after)), []
    end = candidates.checked + SEARCH_LINES

    def rank(move: _Move) -> tuple[bool, int]:
        faults = [] if candidates.checked > end else candidates.faults(move.applied_to(deck))
        return not move.out_of, sum(map(need, faults))

    while left:
        move = min(left, key=rank)
        changed = move.applied_to(deck)
        out.append(_step(candidates.spec, move, candidates.faults(deck), candidates.faults(changed)))
        deck = changed
        left.remove(move)
    return tuple(out)


def _moves(before: Deck, after: Deck) -> Iterator[_Move]:
    entries = {entry.ref: entry for deck in (before, after) for entry in deck.entries}
    for ref, changes in grouped((change.ref, change) for change in difference(before, after).changes).items():
        less = {change.section: change.before - change.after for change in changes if change.after < change.before}
        more = {change.section: change.after - change.before for change in changes if change.after > change.before}
        for source, target in product(tuple(less), tuple(more)):
            moved = min(less[source], more[target])
            if moved:
                yield _Move(entries[ref], moved, source, target)
            less[source] -= moved
            more[target] -= moved
        yield from (_Move(entries[ref], copies, section, "") for section, copies in less.items() if copies)
        yield from (_Move(entries[ref], copies, "", section) for section, copies in more.items() if copies)


def _step(spec: GameSpec, move: _Move, before: list[Finding], after: list[Finding]) -> RepairStep:
    card = CardCount(move.entry.ref, name_of(move.entry), move.count)
    left = {gist(fault): need(fault) for fault in after}
    eased = [fault for fault in before if left.get(gist(fault), 0) < need(fault)]
    fault = eased[0] if eased else before[0] if before else None
    kind = "move" if move.out_of and move.into else "remove" if move.out_of else "add"
    return RepairStep(
        kind,
        card,
        move.out_of or move.into,
        move.into,
        _words(spec, kind, card, move),
        fault.message if fault else "",
        _why(fault, eased, move.count),
        fault.code if fault else "",
        tuple(dict.fromkeys(rule for each in eased or before[:1] for rule in each.rules)),
    )


def _words(spec: GameSpec, kind: str, card: CardCount, move: _Move) -> str:
    cards, label = Fix.counted([card]), spec.section_label
    if kind == "move":
        return f"Move {cards} from {label(move.out_of)} to {label(move.into)}"
    return f"Remove {cards} from {label(move.out_of)}" if kind == "remove" else f"Add {cards} to {label(move.into)}"


def _why(fault: Finding | None, eased: list[Finding], copies: int) -> str:
    if fault is None or not eased:
        return "It is needed together with the other steps."
    if len(eased) > 1:
        return f"It helps with {len(eased)} findings at once: {', '.join(finding.code for finding in eased)}."
    least = need(fault)
    if copies < least:
        return f"{amount(least, 'copy')} have to change to remove the finding, and these are some of them."
    if copies == least:
        return f"At least {amount(least, 'copy')} must change to remove the finding."
    return "Fewer changed copies would not remove the finding."


SEARCH_LINES = 20_000
"""The most lines of decks that the search checks: about a second on a slow computer."""
PROOF_LINES = 60_000
"""The most lines of decks that are checked to prove that no smaller change helps."""
PROOF_COPIES = 8
"""The largest change, in copies, for which that proof is attempted; beyond it the proof is hopeless."""
ADDED = 12
"""The most cards that are tried where a remedy leaves open which card to add."""
MISSING_WEIGHT = 3
"""The weight of a copy that a deck still needs; a copy already changed weighs 1."""


def _least(faults: list[Finding]) -> int:
    """Returns a lower bound of the copies that must change to remedy all faults.

    It is the larger of two numbers: the copies of the worst fault's smallest remedy, and the sum over faults that only
    removing or moving their own cards can remedy, counting only faults that share no card.
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
    """Returns whether a remedy adds no cards."""
    return set(fix) <= {"remove", "move"}


class Search:
    """The search for the smallest change of one deck."""

    def __init__(self, candidates: Candidates) -> None:
        self.candidates = candidates
        entries = tuple(entry for entry in candidates.deck.entries if entry.card)
        self.before = replace(candidates.deck, entries=entries)
        """The deck without its unknown cards, since no legal deck contains them."""
        self._least = _least(candidates.faults(self.before))
        self._cards = {entry.ref for entry in candidates.deck.entries if entry.card}

    def _allowed(self, deck: Deck) -> bool:
        """Returns whether a deck still contains every card on which the original depends."""
        return not any(map(self.candidates.is_cornerstone, sorted(self._cards - cards_of(deck).keys())))

    def by_remedies(self) -> Deck | None:
        """Returns the legal deck with the fewest changed copies that remedies lead to; None if SEARCH_LINES find none.

        The search ends at once when a deck has no more changed copies than the lower bound.
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
        """Returns a legal deck made by removing surplus cards, then adding (for decks that lack too much), or None."""
        deck = self.before
        while lighter := next(self._lighter(deck), None):
            deck = lighter
        filled = Filling(self.candidates, {}).until_legal(deck)
        return None if self.candidates.faults(filled) else filled

    def _lighter(self, deck: Deck) -> Iterator[Deck]:
        """Yields the deck after each remedy that adds no cards, if fewer faults with such a remedy are left."""
        surplus = self._surplus(deck)
        for fault in surplus:
            for fix in filter(_only_less, fault.fixes):
                for child in self._of_fix(deck, fault, fix):
                    if self._allowed(child) and len(self._surplus(child)) < len(surplus):
                        yield child

    def _surplus(self, deck: Deck) -> list[Finding]:
        """Returns the faults that can be remedied without adding cards."""
        return [fault for fault in self.candidates.faults(deck) if any(map(_only_less, fault.fixes))]

    def _hope(self, deck: Deck) -> tuple[float, float]:
        """Returns the cost of a deck, and how much it lacks. The cost is the changed copies plus the weighted lack.

        Missing copies weigh more than changed copies, since otherwise the search would be too broad to end.
        """
        missing = sum(map(shortfall, self.candidates.faults(deck)))
        return difference(self.before, deck).copies + MISSING_WEIGHT * missing, missing

    def _children(self, deck: Deck) -> Iterator[Deck]:
        for fault in self.candidates.faults(deck):
            for fix in fault.fixes:
                yield from self._of_fix(deck, fault, fix)
            yield from self._of_guilty(deck, fault)

    def _of_fix(self, deck: Deck, fault: Finding, fix: Mapping[str, Any]) -> Iterator[Deck]:
        """Yields the deck with a remedy applied as a whole, and with a single copy of what it may add."""
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
                sections = [item["section"]] if "section" in item else None
                more = self.candidates.additions(deck, sections, self.candidates.asked_for(item))
                yield from self._welcome(deck, more)
            elif (card := self.candidates.pool.get(item["ref"])) and self.candidates.may_add(deck, card):
                for section in self.candidates.sections_of(card)[:1]:
                    yield with_card(deck, section, card)
                    changed = with_card(changed, section, card, item["count"])
        may_add = self.candidates.may_add
        if changed is not deck and (
            not self.candidates.owned
            or all(
                may_add(without(changed, each.section, each.ref), each.card) for each in changed.entries if each.card
            )
        ):
            yield changed

    def _welcome(self, deck: Deck, additions: Iterator[Deck]) -> Iterator[Deck]:
        """Returns the first ADDED of the decks in `additions` that do not lack more than `deck`."""
        missing = sum(map(shortfall, self.candidates.faults(deck)))
        welcome = (child for child in additions if sum(map(shortfall, self.candidates.faults(child))) <= missing)
        return islice(welcome, ADDED)

    def _of_guilty(self, deck: Deck, fault: Finding) -> Iterator[Deck]:
        """Yields the deck with one copy removed, or moved to another section, of each card that a fault concerns.

        A fault without cards concerns its section, or else its lines. If it has none of these, any card may be added.
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
        """Returns a legal deck with fewer changed copies, if any, and whether all smaller changes were examined.

        A deck whose faults need more copies than are left is not followed any further.
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
    """Returns the deck with `copies` of a card removed, first from `section`, then from others."""
    sections = [entry.section for entry in distinct(deck.entries) if entry.ref == ref]
    for key in sorted(sections, key=lambda key: key != section):
        here = sum(entry.count for entry in deck.entries if (entry.section, entry.ref) == (key, ref))
        deck = without(deck, key, ref, min(copies, here))
        copies -= min(copies, here)
        if not copies:
            break
    return deck


@dataclass(frozen=True, slots=True)
class Repair(ChangedDeck):
    """A legal deck made from another, or what prevents one.

    `faults` are empty, or if no legal deck was found, those of the original deck. `proven` says that every smaller
    change was ruled out. `cornerstones` are cards that the repair must keep.
    """

    steps: tuple[RepairStep, ...]
    proven: bool
    cornerstones: tuple[CardCount, ...]

    @property
    def sentence(self) -> str:
        """A sentence that says what was found, and whether a smaller change was ruled out."""
        header = self.header_sentence
        if self.faults:
            words = "No change of cards that makes the deck legal was found"
            return f"{words}; {self.tries} decks were checked.{header}"
        copies = self.difference.copies
        if not copies:
            return f"No fault of the cards was found.{header}" if header else "The deck is legal as it is."
        words = f"{amount(copies, 'copy')} changed"
        if self.proven:
            return f"{words}; no smaller change {'mends the cards' if header else 'makes the deck legal'}.{header}"
        return f"{words}; no smaller change was found, and {self.tries} decks were checked.{header}"

    def to_json(self) -> dict[str, Any]:
        """Returns the JSON object of `decks fix --json`."""
        return {
            "schema": "carddb.deck-fix/1",
            **ChangedDeck.to_json(self),
            "proven": self.proven,
            "steps": [step.to_json() for step in self.steps],
            "cornerstones": [card.to_json() for card in self.cornerstones],
        }


def repair(candidates: Candidates) -> Repair:
    """Returns the smallest change that makes the candidates' deck legal; a legal deck stays as it is."""
    deck = candidates.deck
    faults = candidates.faults(deck)
    headers = tuple(candidates.header_faults)
    if not faults:
        return Repair(deck, deck, (), headers, candidates.tries, (), True, ())
    search = Search(candidates)
    legal, proven = search.by_remedies() or search.by_filling(), False
    if legal is not None:
        smaller, proven = search.smaller(difference(search.before, legal).copies)
        legal = smaller or legal
    if legal is None:
        return Repair(deck, deck, tuple(faults), headers, candidates.tries, (), False, candidates.cornerstones)
    return Repair(deck, legal, (), headers, candidates.tries, steps(candidates, legal), proven, candidates.cornerstones)
