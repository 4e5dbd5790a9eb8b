"""Chance: exact distributions, seeded streams, shares with intervals."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.play import chance
from carddb.play.chance import Stream, quantile, share
from tests.rows import every


@every("dice", range(4))
def test_best_of_dice(dice: int) -> None:
    """The better of some dice, by counting every roll."""
    rolls = [max(roll, default=0) for roll in product(range(1, 7), repeat=dice)]
    assert chance.best_of(dice) == {value: Fraction(rolls.count(value), len(rolls)) for value in set(rolls)}


@given(st.integers(0, 7), st.data())
def test_hypergeometric_counts_hands(total: int, data: st.DataObject) -> None:
    """The chance of k hits in a hand, by counting every hand of a small deck."""
    drawn, hits = data.draw(st.integers(0, total)), data.draw(st.integers(0, total))
    hands = [sum(card < hits for card in hand) for hand in combinations(range(total), drawn)]
    found = chance.hypergeometric(drawn, hits, total)
    assert {k: p for k, p in found.items() if p} == {k: Fraction(hands.count(k), len(hands)) for k in set(hands)}
    assert chance.at_least(found, 1) == 1 - found[0]


def test_distributions_combine() -> None:
    """Two dice: their sum by pairs and a map, its mean 7."""
    total = chance.mapped(chance.both(chance.best_of(1), chance.best_of(1)), sum)
    assert total[7] == Fraction(1, 6) and chance.mean(total) == 7 and sum(total.values()) == 1


@pytest.mark.parametrize(("value", "text"), [(Fraction(6, 8), "3/4"), (1, "1/1"), (0, "0/1")])
def test_fractions_as_text(value: Fraction | int, text: str) -> None:
    """A fraction is written in lowest terms, a whole number with 1 below."""
    assert chance.text(value) == text


def test_a_stream_is_the_same_everywhere() -> None:
    """The first numbers of SplitMix64 for seed 1234567 are those that its authors' program prints."""
    stream = Stream(1234567)
    assert [stream.below(1 << 64) for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@given(st.integers(0, 2**70), st.integers(0, 50), st.integers(1, 100))
def test_a_stream_goes_on_where_it_was_saved(seed: int, before: int, bound: int) -> None:
    """A stream made from seed and count draws what the first one draws next, below the bound."""
    one = Stream(seed)
    for _ in range(before):
        one.below(6)
    other = Stream(seed, one.draws)
    numbers = [one.below(bound) for _ in range(5)]
    assert numbers == [other.below(bound) for _ in range(5)] and max(numbers) < bound


@given(st.integers(0, 2**64), st.lists(st.integers()))
def test_a_shuffle_keeps_the_cards(seed: int, cards: list[int]) -> None:
    """A shuffled list has the same cards, and the same order for the same seed."""
    one, other = list(cards), list(cards)
    Stream(seed).shuffle(one)
    Stream(seed).shuffle(other)
    assert sorted(one) == sorted(cards) and one == other


def test_a_die_shows_every_face() -> None:
    """Six thousand rolls show each face about a thousand times."""
    stream = Stream(1)
    rolls = [stream.die() for _ in range(6000)]
    assert all(850 < rolls.count(face) < 1150 for face in range(1, 7))


def test_shares_and_quantiles() -> None:
    """Half of a hundred is 50 % between 40.4 and 59.6 %; a median is a value that occurs."""
    part, low, high = share(50, 100)
    assert part == 0.5 and (round(low, 3), round(high, 3)) == (0.404, 0.596)
    assert share(0, 0) == (0, 0, 0) and share(0, 10)[1] == 0 and share(10, 10)[2] > 0.999
    assert [quantile([1, 2, 3, 4], part) for part in (0, 0.25, 0.5, 0.75, 1)] == [1, 1, 2, 3, 4]
