"""Exact chances: distributions by enumeration, as fractions.

A distribution maps each outcome to its chance; the chances sum to 1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import product
from math import comb
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")

Distribution = Mapping[A, Fraction]

SIDES = range(1, 7)
"""The faces of a die."""


def text(chance: Fraction | int) -> str:
    """A fraction in lowest terms, `n/d`; whole numbers too (`1/1`)."""
    exact = Fraction(chance)
    return f"{exact.numerator}/{exact.denominator}"


def bar(label: str, chance: Fraction) -> dict[str, str]:
    """One bar of a chart of chances."""
    return {"label": label, "chance": text(chance)}


def equally(outcomes: Iterable[A]) -> dict[A, Fraction]:
    """Outcomes that are equally likely; one that is listed twice is twice as likely."""
    listed = list(outcomes)
    out: dict[A, Fraction] = defaultdict(Fraction)
    for outcome in listed:
        out[outcome] += Fraction(1, len(listed))
    return dict(out)


def best_of(dice: int) -> dict[int, Fraction]:
    """The better of some six-sided dice; 0 for no die."""
    return equally(max(roll, default=0) for roll in product(SIDES, repeat=dice))


def mapped(chances: Distribution[A], function: Callable[[A], B]) -> dict[B, Fraction]:
    """The distribution of a function of the outcome."""
    out: dict[B, Fraction] = defaultdict(Fraction)
    for outcome, chance in chances.items():
        out[function(outcome)] += chance
    return dict(out)


def both(one: Distribution[A], other: Distribution[B]) -> dict[tuple[A, B], Fraction]:
    """Pairs of independent outcomes."""
    return {(a, b): p * q for a, p in one.items() for b, q in other.items()}


def mean(chances: Distribution[int]) -> Fraction:
    """The expected value."""
    return sum((outcome * chance for outcome, chance in chances.items()), Fraction(0))


def hypergeometric(drawn: int, hits: int, total: int) -> dict[int, Fraction]:
    """How many of `hits` cards are among `drawn` out of `total`."""
    ways = comb(total, drawn)
    most = min(drawn, hits)
    return {k: Fraction(comb(hits, k) * comb(total - hits, drawn - k), ways) for k in range(most + 1)}


def at_least(chances: Distribution[int], least: int) -> Fraction:
    """The chance of that many or more."""
    return sum((chance for outcome, chance in chances.items() if outcome >= least), Fraction(0))


def drawn_at_least(least: int, drawn: int, hits: int, total: int) -> Fraction:
    """The chance that `least` or more of `hits` cards are among `drawn` out of `total`.

    The same as `at_least` of `hypergeometric`, quick for thousands of cards: each count of ways follows from the last.
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
