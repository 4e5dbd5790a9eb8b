"""A change of cards as steps, each with the rule behind it and why it is no larger."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from carddb.cards.cards import Deck, Entry
from carddb.core.amounts import amount
from carddb.deck import fixes
from carddb.deck.help.candidates import Candidates, gist, need, with_card, without
from carddb.deck.help.difference import CountChange, difference
from carddb.deck.view import name_of, section_name
from carddb.findings import CardCount, Finding
from carddb.game.game import GameSpec


@dataclass(frozen=True, slots=True)
class Step:
    """Copies of one card that are removed, added or moved, the finding behind it, and why it is the smallest."""

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
    """Copies of a card out of a section, into a section, or both."""

    entry: Entry
    count: int
    out_of: str
    into: str

    def made(self, deck: Deck) -> Deck:
        """The deck with this change."""
        if self.out_of:
            deck = without(deck, self.out_of, self.entry.ref, self.count)
        if self.into and self.entry.card:
            deck = with_card(deck, self.into, self.entry.card, self.count)
        return deck


def steps(candidates: Candidates, after: Deck) -> tuple[Step, ...]:
    """The steps from the deck of the candidates to another: additions last, and first what lessens the faults most."""
    deck, left, out = candidates.deck, list(_moves(candidates.deck, after)), []
    while left:
        move = min(left, key=lambda move: (not move.out_of, sum(map(need, candidates.faults(move.made(deck))))))
        changed = move.made(deck)
        out.append(_step(candidates.spec, move, candidates.faults(deck), candidates.faults(changed)))
        deck = changed
        left.remove(move)
    return tuple(out)


def _moves(before: Deck, after: Deck) -> Iterator[_Move]:
    entries = {entry.ref: entry for deck in (before, after) for entry in deck.entries}
    by_ref: dict[str, list[CountChange]] = {}
    for change in difference(before, after).changes:
        by_ref.setdefault(change.ref, []).append(change)
    for ref, changes in by_ref.items():
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


def _step(spec: GameSpec, move: _Move, before: list[Finding], after: list[Finding]) -> Step:
    card = CardCount(move.entry.ref, name_of(move.entry), move.count)
    left = {gist(fault): need(fault) for fault in after}
    eased = [fault for fault in before if left.get(gist(fault), 0) < need(fault)]
    fault = eased[0] if eased else before[0] if before else None
    kind = "move" if move.out_of and move.into else "remove" if move.out_of else "add"
    return Step(
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
    def label(key: str) -> str:
        return section_name(spec.sections[key], key) if key in spec.sections else key

    cards = fixes.counted([card])
    if kind == "move":
        return f"Move {cards} from {label(move.out_of)} to {label(move.into)}"
    return f"Remove {cards} from {label(move.out_of)}" if kind == "remove" else f"Add {cards} to {label(move.into)}"


def _why(fault: Finding | None, eased: list[Finding], copies: int) -> str:
    if fault is None or not eased:
        return "It is needed together with the other steps."
    if len(eased) > 1:
        return f"It serves {len(eased)} findings at once: {', '.join(finding.code for finding in eased)}."
    least = need(fault)
    if copies < least:
        return f"{amount(least, 'copy')} have to change for it; this is a part of them."
    if copies == least:
        return f"{amount(least, 'copy')} {'has' if least == 1 else 'have'} to change for it, and no fewer."
    return "No fewer copies heal it."
