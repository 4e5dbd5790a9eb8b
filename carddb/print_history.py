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
    """What there is on paper of a job once it is printed, each card once.

    `whole` is False where it is put together from other jobs, so that what it has besides is no concern of this one.
    """

    game: str
    title: str
    size: str
    looks: tuple[PrintedCard, ...]
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


def difference(before: PrintJob, looks: Iterable[PrintedCard]) -> Difference:
    """What brings the paper from one state to another. A side that is not printed now is not compared."""
    left = {look.ref: look for look in before.looks}
    copies: dict[str, int] = {}
    pulls: list[Pull] = []
    after: list[PrintedCard] = []
    for look in looks:
        old = left.pop(look.ref, None)
        same = old is not None and old.front == look.front and (not look.back or old.back == look.back)
        more = look.copies - (old.copies if old and same else 0)
        if more > 0:
            copies[look.ref] = more
        if old and not same:
            pulls.append(Pull(old.ref, old.name, old.copies, CHANGED))
        elif old and more < 0 and before.whole:
            pulls.append(Pull(old.ref, old.name, -more, FEWER))
        after.append(look._replace(back=old.back) if old and same else look)
    if before.whole:
        pulls += [Pull(old.ref, old.name, old.copies, GONE) for old in left.values()]
    return Difference(copies, tuple(pulls), tuple(after))


def some_of(copies: Sequence[tuple[Card, int]], wanted: Mapping[str, int]) -> list[tuple[Card, int]]:
    """The cards of a selection in its order, no more copies of each than are wanted by reference."""
    left = Counter(wanted)
    out: list[tuple[Card, int]] = []
    for card, count in copies:
        taken = min(count, left[card.ref])
        left[card.ref] -= taken
        if taken:
            out.append((card, taken))
    return out
