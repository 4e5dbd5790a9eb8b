"""What hands hold, by sampling: for several conditions at once, and where some hands are drawn again.

Each game has a stream of chance of its own, from its seed. So it makes no difference who deals which game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from typing import NamedTuple

from carddb.core.errors import UsageError
from carddb.play.statistics import Interval, share
from carddb.play.stream import Stream

MOST_REDRAWS = 10_000
"""Hands in a row that are not kept, after which it is said that no hand is."""
_BITS = 32
"""The bits of a count: those of all conditions stand side by side in one number."""


class Bounds(NamedTuple):
    """How many cards there must be; without `most` any number from `least` on."""

    least: int = 1
    most: int | None = None

    def admit(self, number: int) -> bool:
        return self.least <= number and (self.most is None or number <= self.most)


@dataclass(frozen=True, slots=True)
class Deal:
    """How hands are dealt from a pile.

    `cards` are the cards of the pile as `packed` makes them: for each condition whether it counts the card. The first
    conditions are `holds`, which are asked about, the others `keep`: a hand without them is shuffled back and drawn
    again, at most `redraws` times (None: until one is kept). One looks at the `hand` after each number of `draws`,
    which rise; 0 is the opening hand.
    """

    cards: tuple[int, ...]
    hand: int
    holds: tuple[Bounds, ...]
    keep: tuple[Bounds, ...] = ()
    redraws: int | None = None
    draws: tuple[int, ...] = (0,)

    def held(self, total: int) -> tuple[bool, ...]:
        """Which conditions some cards meet, by the sum of their numbers."""
        return _met(self.holds, total)

    def is_kept(self, total: int) -> bool:
        return all(_met(self.keep, total >> _BITS * len(self.holds)))


@dataclass(slots=True)
class Tally:
    """What was dealt: games, those whose first hand was kept, all hands, and for each stage how often each sum came."""

    games: int = 0
    first_kept: int = 0
    hands: int = 0
    stages: list[Counter[int]] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Adds what another dealt in the same way."""
        self.games += other.games
        self.first_kept += other.first_kept
        self.hands += other.hands
        self.stages = self.stages or [Counter() for _ in other.stages]
        for own, more in zip(self.stages, other.stages, strict=True):
            own.update(more)

    def shares(self, deal: Deal, stage: int) -> list[Interval]:
        """How often a hand meets each condition at a stage, and last how often all of them."""
        met = [0] * (len(deal.holds) + 1)
        for total, times in self.stages[stage].items():
            held = deal.held(total)
            for at, is_met in enumerate((*held, all(held))):
                met[at] += times * is_met
        return [share(times, self.games) for times in met]


def packed(counted: Iterable[bool]) -> int:
    """A card as a number: the sum of several has in its parts how many of them each condition counts."""
    return sum(is_counted << _BITS * at for at, is_counted in enumerate(counted))


def deal_games(deal: Deal, seeds: Sequence[int]) -> Tally:
    """Deals a game from each seed. Raises UsageError where no hand is kept."""
    tally = Tally(len(seeds), stages=[Counter() for _ in deal.draws])
    is_kept = cache(deal.is_kept)
    for seed in seeds:
        pile, stream = list(deal.cards), Stream(seed)
        for redraws in count():
            total = _drawn(pile, 0, deal.hand, stream)
            if redraws == deal.redraws or is_kept(total):
                break
            if redraws == MOST_REDRAWS:
                raise UsageError(f"none of {MOST_REDRAWS:,} hands was kept", "Keep hands with less, or set --redraws.")
        tally.hands += redraws + 1
        tally.first_kept += redraws == 0
        at = deal.hand
        for stage, draws in zip(tally.stages, deal.draws, strict=True):
            total += _drawn(pile, at, deal.hand + draws, stream)
            at = deal.hand + draws
            stage[total] += 1
    return tally


def _drawn(pile: list[int], start: int, end: int, stream: Stream) -> int:
    """Puts random cards of the rest of a pile at its places from `start` to before `end`; the sum of their numbers.

    After the first draws the pile is in some order, and each order is as likely: so a hand is drawn again without
    another shuffle.
    """
    total, size = 0, len(pile)
    for at in range(start, end):
        other = at + stream.below(size - at)
        pile[at], pile[other] = pile[other], pile[at]
        total += pile[at]
    return total


def _met(conditions: Sequence[Bounds], total: int) -> tuple[bool, ...]:
    mask = (1 << _BITS) - 1
    return tuple(bounds.admit(total >> _BITS * at & mask) for at, bounds in enumerate(conditions))
