"""The smallest change that makes a deck legal, as a proposal; the check judges every candidate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from carddb.core.amounts import amount
from carddb.deck.help.candidates import Candidates
from carddb.deck.help.difference import ChangedDeck, difference
from carddb.deck.help.repair_search import Search
from carddb.deck.help.repair_steps import Step, steps
from carddb.findings import CardCount


@dataclass(frozen=True, slots=True)
class Repair(ChangedDeck):
    """A legal deck made of another, or what is in the way of one.

    `faults` is what stays wrong: with the cards as they are where no legal deck was found. `proven` says that every
    smaller change was ruled out. `cornerstones` stay in the deck.
    """

    steps: tuple[Step, ...]
    proven: bool
    cornerstones: tuple[CardCount, ...]

    @property
    def sentence(self) -> str:
        """What was found, and how sure it is that nothing smaller helps."""
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
        """The shape of `decks fix --json`."""
        return {
            "schema": "carddb.deck-fix/1",
            **ChangedDeck.to_json(self),
            "proven": self.proven,
            "steps": [step.to_json() for step in self.steps],
            "cornerstones": [card.to_json() for card in self.cornerstones],
        }


def repair(candidates: Candidates) -> Repair:
    """The smallest change to the deck of the candidates that makes it legal; a legal deck stays as it is."""
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
    taken = steps(candidates, legal)
    return Repair(deck, legal, (), headers, candidates.tries, taken, proven, candidates.cornerstones)
