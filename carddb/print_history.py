"""What was printed, as a value; and what of a selection is to be printed again, and what to be thrown away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from carddb.cards import Card

CHANGED = "changed"
FEWER = "fewer are needed"
GONE = "no longer in the selection"


class PrintedCard(NamedTuple):
    """A card on paper: its name there, its copies, and digests of its two sides (`back` empty where it has none)."""

    ref: str
    name: str
    copies: int
    front: str
    back: str = ""


class PrintJob(NamedTuple):
    """What is on paper of a selection once it is printed, each card once, at a size of cards.

    `whole` is False where it is put together from other jobs: then what they printed besides stays as it is.
    """

    game: str
    title: str
    size: str
    cards: tuple[PrintedCard, ...]
    whole: bool = True


class Pull(NamedTuple):
    """Copies to throw away, under the name that is printed on them, and why."""

    ref: str
    name: str
    copies: int
    why: str


class Difference(NamedTuple):
    """Copies to print by reference, copies to throw away, and what is on paper after both."""

    copies: Mapping[str, int]
    pulls: tuple[Pull, ...]
    after: tuple[PrintedCard, ...]


def difference(before: PrintJob, cards: Iterable[PrintedCard]) -> Difference:
    """What brings the paper from one state to another. A side that is not printed now is not compared."""
    left = {card.ref: card for card in before.cards}
    copies: dict[str, int] = {}
    pulls: list[Pull] = []
    after: list[PrintedCard] = []
    for card in cards:
        old = left.pop(card.ref, None)
        same = old is not None and old.front == card.front and (not card.back or old.back == card.back)
        more = card.copies - (old.copies if old and same else 0)
        if more > 0:
            copies[card.ref] = more
        if old and not same:
            pulls.append(Pull(old.ref, old.name, old.copies, CHANGED))
        elif old and more < 0 and before.whole:
            pulls.append(Pull(old.ref, old.name, -more, FEWER))
        after.append(card._replace(back=old.back) if old and same else card)
    if before.whole:
        pulls += [Pull(old.ref, old.name, old.copies, GONE) for old in left.values()]
    return Difference(copies, tuple(pulls), tuple(after))


def some_of(copies: Sequence[tuple[Card, int]], numbers: Mapping[str, int]) -> list[tuple[Card, int]]:
    """The cards of a selection in its order, of each no more copies than its number by reference."""
    left = Counter(numbers)
    out: list[tuple[Card, int]] = []
    for card, count in copies:
        taken = min(count, left[card.ref])
        left[card.ref] -= taken
        if taken:
            out.append((card, taken))
    return out
