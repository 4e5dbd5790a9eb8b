"""A stream of chance from a seed: the same seed gives the same numbers on every machine, from any point on."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Any, TypeVar

T = TypeVar("T")

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


class Stream:
    """The generator SplitMix64 (Steele, Lea, Flood 2014): number k is a function of the seed and k alone.

    So a stream that is to be continued later is saved as its seed and the count of numbers drawn.
    """

    __slots__ = ("draws", "seed")

    def __init__(self, seed: int, draws: int = 0) -> None:
        self.seed = seed
        self.draws = draws

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1, each equally likely but for one part in 2^64."""
        self.draws += 1
        z = (self.seed + self.draws * _STEP) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return ((z ^ (z >> 31)) * bound) >> 64

    def die(self, sides: int = 6) -> int:
        """A roll, from 1 on."""
        return self.below(sides) + 1

    def choice(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self.below(len(options))]

    def shuffle(self, cards: MutableSequence[Any]) -> None:
        """Puts the cards into a random order, in place."""
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]
