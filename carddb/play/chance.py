"""Chance: exact distributions, seeded random numbers, sampled hands, and shares with confidence intervals."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import count, product
from math import comb, sqrt
from typing import Any, NamedTuple, TypeVar

from carddb.core.errors import UsageError

A = TypeVar("A")
B = TypeVar("B")

Distribution = Mapping[A, Fraction]

SIDES = range(1, 7)
"""The faces of a six-sided die."""


def text(chance: Fraction | int) -> str:
    """Returns a fraction in lowest terms as `n/d`, even a whole number (`1/1`)."""
    exact = Fraction(chance)
    return f"{exact.numerator}/{exact.denominator}"


def bar(label: str, chance: Fraction) -> dict[str, str]:
    """Returns one bar of a chart of probabilities, as the JSON object `{"label": label, "chance": "n/d"}`."""
    return {"label": label, "chance": text(chance)}


def equally(outcomes: Iterable[A]) -> dict[A, Fraction]:
    """Returns the distribution of equally likely outcomes; an outcome listed twice is twice as likely."""
    counts = Counter(outcomes)
    return {outcome: Fraction(times, counts.total()) for outcome, times in counts.items()}


def best_of(dice: int) -> dict[int, Fraction]:
    """Returns the distribution of the highest number on `dice` six-sided dice; with no dice, the number is 0."""
    return equally(max(roll, default=0) for roll in product(SIDES, repeat=dice))


def mapped(chances: Distribution[A], function: Callable[[A], B]) -> dict[B, Fraction]:
    """Returns the distribution of `function(outcome)`, where `chances` is the distribution of the outcomes."""
    out: dict[B, Fraction] = defaultdict(Fraction)
    for outcome, chance in chances.items():
        out[function(outcome)] += chance
    return dict(out)


def both(one: Distribution[A], other: Distribution[B]) -> dict[tuple[A, B], Fraction]:
    """Returns the distribution of the pairs (outcome of `one`, outcome of `other`), which are independent."""
    return {(a, b): p * q for a, p in one.items() for b, q in other.items()}


def mean(chances: Distribution[int]) -> Fraction:
    """Returns the expected value of a distribution."""
    return sum((outcome * chance for outcome, chance in chances.items()), Fraction(0))


def hypergeometric(drawn: int, hits: int, total: int) -> dict[int, Fraction]:
    """Returns the distribution of how many of `hits` cards are among `drawn` cards from a pile of `total` cards."""
    ways = comb(total, drawn)
    most = min(drawn, hits)
    return {k: Fraction(comb(hits, k) * comb(total - hits, drawn - k), ways) for k in range(most + 1)}


def at_least(chances: Distribution[int], least: int) -> Fraction:
    """Returns the probability that the outcome is `least` or more."""
    return sum((chance for outcome, chance in chances.items() if outcome >= least), Fraction(0))


def drawn_at_least(least: int, drawn: int, hits: int, total: int) -> Fraction:
    """Returns the probability that `drawn` cards from a pile of `total` have `least` or more of the `hits` cards in it.

    It equals `at_least` of `hypergeometric`, but is fast for thousands of cards.
    """
    others = total - hits
    first = max(least, drawn - others, 0)
    most = min(drawn, hits)
    if first > most:
        return Fraction(0)
    ways = favourable = comb(hits, first) * comb(others, drawn - first)
    for k in range(first, most):
        ways = ways * (hits - k) * (drawn - k) // ((k + 1) * (others - drawn + k + 1))
        favourable += ways
    return Fraction(favourable, comb(total, drawn))


_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


class Stream:
    """The random generator SplitMix64 (Steele, Lea, Flood 2014): number k depends only on the seed and on k.

    To continue it later, save its seed and `draws`, the count of numbers drawn.
    """

    __slots__ = ("draws", "seed")

    def __init__(self, seed: int, draws: int = 0) -> None:
        self.seed = seed
        self.draws = draws

    def below(self, bound: int) -> int:
        """Returns a random number from 0 to `bound` - 1, uniform except for a deviation of one part in 2^64."""
        self.draws += 1
        z = (self.seed + self.draws * _STEP) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return ((z ^ (z >> 31)) * bound) >> 64

    def die(self, sides: int = 6) -> int:
        """Returns a roll from 1 to `sides`."""
        return self.below(sides) + 1

    def choice(self, options: Sequence[A]) -> A:
        """Returns one of the options at random."""
        return options[self.below(len(options))]

    def shuffle(self, cards: MutableSequence[Any]) -> None:
        """Shuffles the cards in place."""
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]


_Z = 1.959964
"""Half the width of a 95 % confidence interval, in standard deviations of a normal distribution."""
Interval = tuple[float, float, float]
"""A share, and the lower and the upper end of its 95 % confidence interval; all are from 0 to 1."""


def share(hits: int, total: int) -> Interval:
    """Returns `hits` / `total` and its 95 % confidence interval (Wilson 1927); all are 0 if `total` is 0."""
    if not total:
        return 0.0, 0.0, 0.0
    part, square = hits / total, _Z * _Z
    middle = (part + square / (2 * total)) / (1 + square / total)
    half = _Z * sqrt(part * (1 - part) / total + square / (4 * total * total)) / (1 + square / total)
    return part, max(0.0, middle - half), min(1.0, middle + half)


def interval_json(interval: Interval) -> dict[str, float]:
    """Returns the interval as a JSON object with the keys `share`, `low` and `high`, rounded to four places."""
    return dict(zip(("share", "low", "high"), (round(part, 4) for part in interval), strict=True))


def quantile(values: Sequence[int], part: float) -> int:
    """Returns the smallest of `values` (sorted, not empty) that at least the share `part` of them does not exceed."""
    rank = -int(-part * len(values) // 1)
    return values[min(len(values), max(1, rank)) - 1]


MOST_REDRAWS = 10_000
"""The most hands in a row that may be rejected; UsageError is raised for more, because none may ever be kept."""
_BITS = 32
"""The number of bits for each condition's count in the number to which `packed` turns a card."""


class Bounds(NamedTuple):
    """A number of cards from `least` to `most`; if `most` is None, any number from `least` on."""

    least: int = 1
    most: int | None = None

    def admit(self, number: int) -> bool:
        return self.least <= number and (self.most is None or number <= self.most)


@dataclass(frozen=True, slots=True)
class Deal:
    """A way to deal hands from a pile.

    `cards` are the cards of the pile as `packed` encodes them: for each condition, whether the card counts. The first
    conditions are `holds`, whose probability is estimated. The others are `keep`: a hand that does not meet them is
    shuffled back and drawn again, at most `redraws` times (None: until a hand is kept). `hand` is the size of the
    opening hand. Conditions are checked after each number of further `draws`, in ascending order.
    """

    cards: tuple[int, ...]
    hand: int
    holds: tuple[Bounds, ...]
    keep: tuple[Bounds, ...] = ()
    redraws: int | None = None
    draws: tuple[int, ...] = (0,)

    def met(self, total: int) -> tuple[bool, ...]:
        """Returns, for each condition in `holds`, whether cards whose packed numbers have the sum `total` meet it."""
        return _met(self.holds, total)

    def is_kept(self, total: int) -> bool:
        return all(_met(self.keep, total >> _BITS * len(self.holds)))


@dataclass(slots=True)
class Tally:
    """The numbers of games and of hands drawn; for each of the deal's `draws`, how often each sum of cards occurred."""

    games: int = 0
    hands: int = 0
    stages: list[Counter[int]] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Adds the counts of another tally of the same deal."""
        self.games += other.games
        self.hands += other.hands
        self.stages = self.stages or [Counter() for _ in other.stages]
        for own, more in zip(self.stages, other.stages, strict=True):
            own.update(more)

    def shares(self, deal: Deal, stage: int) -> list[Interval]:
        """Returns the share of games that meet each condition at index `stage` of the draws, then that meet all."""
        counts = [0] * (len(deal.holds) + 1)
        for total, times in self.stages[stage].items():
            met = deal.met(total)
            for at, is_met in enumerate((*met, all(met))):
                counts[at] += times * is_met
        return [share(times, self.games) for times in counts]


def packed(counted: Iterable[bool]) -> int:
    """Returns a card as a number with `_BITS` bits for each condition; a sum of cards has each condition's count."""
    return sum(is_counted << _BITS * at for at, is_counted in enumerate(counted))


def deal_games(deal: Deal, seeds: Sequence[int]) -> Tally:
    """Deals one game for each seed, and returns the counts of all games. Raises UsageError if no hand is ever kept."""
    tally = Tally(len(seeds), stages=[Counter() for _ in deal.draws])
    is_kept = cache(deal.is_kept)
    for seed in seeds:
        pile, stream = list(deal.cards), Stream(seed)
        for redraws in count():
            total = _drawn(pile, 0, deal.hand, stream)
            if redraws == deal.redraws or is_kept(total):
                break
            if redraws == MOST_REDRAWS:
                message = f"none of {MOST_REDRAWS:,} hands met the conditions for keeping it"
                raise UsageError(message, "Ask less of a hand that is kept, or limit the redraws with --redraws.")
        tally.hands += redraws + 1
        at = deal.hand
        for stage, draws in zip(tally.stages, deal.draws, strict=True):
            total += _drawn(pile, at, deal.hand + draws, stream)
            at = deal.hand + draws
            stage[total] += 1
    return tally


def _drawn(pile: list[int], start: int, end: int, stream: Stream) -> int:
    """Draws random cards from `pile[start:]` into `pile[start:end]`, and returns the sum of their packed numbers.

    After earlier draws all orders of the pile are still equally likely, so a hand can be redrawn without shuffling.
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
