"""Print history: what a job has put on paper, and which cards of a selection must be printed again or thrown away."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from carddb.cards.cards import Card
from carddb.core.groups import grouped

CHANGED = "changed"
FEWER = "fewer are needed"
GONE = "no longer in the selection"


Look = tuple[str, str]
"""A card's reference and the digest of its front. One card may have several looks, one for each printing's picture."""


class PrintedCard(NamedTuple):
    """A card on paper with one look: printed name, copies, and digests of both sides (`back` may be empty)."""

    ref: str
    name: str
    copies: int
    front: str
    back: str = ""

    @property
    def look(self) -> Look:
        return self.ref, self.front


class PrintJob(NamedTuple):
    """The cards that are on paper after a selection was printed, each look of a card once, at one card size.

    `whole` is False if the job is combined from parts of other jobs; then cards beyond the selection are not discarded.
    """

    game: str
    title: str
    size: str
    cards: tuple[PrintedCard, ...]
    whole: bool = True

    def manifest(self, on: date, revision: str) -> bytes:
        """Returns a file that says what was printed on a day, as JSON; the next job is compared with it."""
        about = {"schema": "carddb.printed/1", "game": self.game, "title": self.title, "size": self.size}
        cards = [card._asdict() for card in self.cards]
        manifest = {**about, "on": on.isoformat(), "revision": revision, "cards": cards}
        return f"{json.dumps(manifest, ensure_ascii=False, indent=1)}\n".encode()


class Pull(NamedTuple):
    """Copies to throw away, their printed name, and the reason."""

    ref: str
    name: str
    copies: int
    why: str


class PrintDifference(NamedTuple):
    """Copies to print by look, copies to throw away, and the cards on paper afterwards."""

    copies: Mapping[Look, int]
    pulls: tuple[Pull, ...]
    after: tuple[PrintedCard, ...]


def difference(before: PrintJob, cards: Iterable[PrintedCard]) -> PrintDifference:
    """Returns the cards to print, and the old ones to throw away, so that exactly `cards` are on paper.

    The back of a card is compared only if the card in `cards` names one.
    """
    old, new = (grouped((card.ref, card) for card in each) for each in (before.cards, cards))
    copies: dict[Look, int] = {}
    pulls: list[Pull] = []
    after: list[PrintedCard] = []
    for ref, looks in new.items():
        left = {card.look: card for card in old.pop(ref, ())}
        changed = False
        for card in looks:
            same = left.get(card.look)
            if same is None or (card.back and same.back != card.back):
                changed = True
                copies[card.look] = card.copies
                after.append(card)
                continue
            del left[card.look]
            if card.copies > same.copies:
                copies[card.look] = card.copies - same.copies
            elif card.copies < same.copies and before.whole:
                pulls.append(Pull(ref, same.name, same.copies - card.copies, FEWER))
            after.append(card._replace(back=same.back))
        if changed or before.whole:
            pulls += [Pull(ref, card.name, card.copies, CHANGED if changed else GONE) for card in left.values()]
    if before.whole:
        pulls += [Pull(card.ref, card.name, card.copies, GONE) for looks in old.values() for card in looks]
    return PrintDifference(copies, tuple(pulls), tuple(after))


def some_of(
    copies: Sequence[tuple[Card, int]], numbers: Mapping[Look, int], look_of: Callable[[Card], Look]
) -> list[tuple[Card, int]]:
    """Returns the cards of `copies` in their order, but of each look no more copies than `numbers` has."""
    left = Counter(numbers)
    out: list[tuple[Card, int]] = []
    for card, count in copies:
        look = look_of(card)
        number = min(count, left[look])
        left[look] -= number
        if number:
            out.append((card, number))
    return out
