"""What many decks say together: how many hold a card and in how many copies, and which cards go together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from carddb.cards.cards import Deck
from carddb.game.game import GameSpec

Copies = Mapping[str, int]
"""The copies of a deck's cards by reference."""
MOST_PAIRED = 200
"""The cards among which pairs are looked for: those that most decks hold."""


@dataclass(frozen=True, slots=True)
class CardShare:
    """A card and the decks that hold it: `copies` in all, `by_copies` how many decks hold so many copies."""

    ref: str
    decks: int
    copies: int
    by_copies: Mapping[int, int]
    share: float
    """The part of all decks that hold it, 0 to 1."""

    @property
    def average(self) -> float:
        """The copies in a deck that holds it."""
        return self.copies / self.decks

    def to_json(self) -> dict[str, Any]:
        by_copies = {str(copies): decks for copies, decks in self.by_copies.items()}
        numbers = {"decks": self.decks, "share": round(self.share, 4), "copies": self.copies, "by_copies": by_copies}
        return {"ref": self.ref, **numbers, "average": round(self.average, 2)}


@dataclass(frozen=True, slots=True)
class CardPair:
    """Two cards that decks hold together: `share` is the part of all decks, 0 to 1, that hold both.

    `lift` is that share divided by what it would be if neither card had to do with the other; `leverage` is what it is
    more (Piatetsky-Shapiro 1991).
    """

    first: str
    second: str
    decks: int
    share: float
    lift: float
    leverage: float

    def to_json(self) -> dict[str, Any]:
        numbers = {"share": self.share, "lift": self.lift, "leverage": self.leverage}
        rounded = {name: round(value, 4) for name, value in numbers.items()}
        return {"refs": [self.first, self.second], "decks": self.decks, **rounded}


def copies_of(deck: Deck, spec: GameSpec) -> dict[str, int]:
    """The copies of a deck's known cards, in the sections that count."""
    sections = {key for key, section in spec.sections.items() if section.counted and not section.part_of}
    copies: Counter[str] = Counter()
    for entry in deck.entries:
        if entry.card and entry.count > 0 and entry.section in sections:
            copies[entry.ref] += entry.count
    return dict(sorted(copies.items()))


def card_shares(decks: Sequence[Copies]) -> list[CardShare]:
    """Every card of some decks, those first that most decks hold."""
    by_copies: dict[str, Counter[int]] = {}
    for deck in decks:
        for ref, count in deck.items():
            by_copies.setdefault(ref, Counter())[count] += 1
    shares = []
    for ref, counts in by_copies.items():
        holding, copies = counts.total(), sum(count * number for count, number in counts.items())
        shares.append(CardShare(ref, holding, copies, dict(sorted(counts.items())), holding / len(decks)))
    return sorted(shares, key=lambda card: (-card.decks, -card.copies, card.ref))


def card_pairs(decks: Sequence[Copies], shares: Sequence[CardShare], most: int) -> list[CardPair]:
    """The pairs that are together most beyond chance, by leverage; of the `MOST_PAIRED` cards that most decks hold."""
    total = len(decks)
    held: dict[str, int] = {card.ref: 0 for card in shares[:MOST_PAIRED]}
    for at, deck in enumerate(decks):
        for ref in deck:
            if ref in held:
                held[ref] |= 1 << at  # a bit for each deck: pairs of 10,000 decks are counted in 0.1 s
    pairs = []
    for (first, of_first), (second, of_second) in combinations(held.items(), 2):
        both = (of_first & of_second).bit_count()
        product = of_first.bit_count() * of_second.bit_count()
        if both > 1 and both * total > product:
            leverage = (both * total - product) / total**2
            low, high = min(first, second), max(first, second)
            pairs.append(CardPair(low, high, both, both / total, both * total / product, leverage))
    return sorted(pairs, key=lambda pair: (-pair.leverage, pair.first, pair.second))[:most]
