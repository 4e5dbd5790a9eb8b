"""Guarda: the tables of chances, and that they are what enumeration gives."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from carddb.play.chance import text
from tests.games.guarda.samples import FULL, SIZES, ask, odds, patterns
from tests.rows import every

COVER = {
    (5, 1): ("1/4", 25.0, "1/3", 33.3),
    (5, 2): ("83/188", 44.1, "79/141", 56.0),
    (5, 3): ("2539/4324", 58.7, "771/1081", 71.3),
    (5, 4): ("3015/4324", 69.7, "7931/9729", 81.5),
    (5, 5): ("843/1081", 78.0, "94433/107019", 88.2),
    (5, 6): ("39105/46483", 84.1, "473555/511313", 92.6),
    (6, 1): ("3/14", 21.4, "2/7", 28.6),
    (6, 2): ("27/70", 38.6, "38/77", 49.4),
    (6, 3): ("47/90", 52.2, "446/693", 64.4),
    (6, 4): ("3007/4770", 63.0, "27590/36729", 75.1),
    (6, 5): ("4438/6201", 71.6, "3378/4081", 82.8),
    (6, 6): ("6346/8109", 78.3, "26218/29733", 88.2),
}
PLACEMENT = {
    (5, 2): ("101/141", 71.63),
    (5, 3): ("680/3243", 20.97),
    (5, 4): ("592/9729", 6.08),
    (5, 5): ("1280/107019", 1.20),
    (5, 6): ("128/107019", 0.12),
    (6, 2): ("53/77", 68.83),
    (6, 3): ("152/693", 21.93),
    (6, 4): ("2624/36729", 7.14),
    (6, 5): ("256/14469", 1.77),
    (6, 6): ("24064/8117109", 0.30),
    (6, 7): ("2048/8117109", 0.03),
}
MEANS = {5: ("28206/11891", 2.3720), 6: ("2190194/901901", 2.4284)}


@every("asked, expected", COVER.items())
def test_cover_table(asked: tuple[int, int], expected: tuple[str, float, str, float]) -> None:
    """The chance that k cards cover a plain and a diagonal cell is that of the table, in every row (G-107)."""
    n, cards = asked
    plain, plain_percent, diagonal, diagonal_percent = expected
    for cell, chance, percent in (([1, 2], plain, plain_percent), ([2, 2], diagonal, diagonal_percent)):
        answer = ask("cover_odds", n=n, cell=cell, cards=cards, options=FULL)
        assert answer["at_least_one"] == chance
        assert round(100 * Fraction(chance), 1) == Fraction(str(percent))


@pytest.mark.parametrize("n", [5, 6])
def test_placement_table(n: int) -> None:
    """The chances and the mean of the draws until the first piece lies are those of the table (G-31, G-108)."""
    answer = ask("placement_odds", n=n, options=FULL)
    rows = {cards: row for (size, cards), row in PLACEMENT.items() if size == n}
    assert answer["draws"] == {str(cards): chance for cards, (chance, _) in rows.items()}
    for chance, percent in rows.values():
        assert round(100 * Fraction(chance), 2) == Fraction(str(percent))
    mean, number = MEANS[n]
    assert answer["mean"] == mean and round(Fraction(mean), 4) == Fraction(str(number))


@every("reading", ["lines", "lines_x_all"])
@every("n", SIZES)
def test_chances_add_up(n: int, reading: str) -> None:
    """On every field the chances of the draws add up to one, and at most n+1 are needed (G-31, G-108)."""
    answer = ask("placement_odds", n=n, options={"patterns": reading})
    chances = {int(cards): Fraction(chance) for cards, chance in answer["draws"].items()}
    assert sorted(chances) == list(range(2, n + 2)) and sum(chances.values()) == 1
    assert Fraction(answer["mean"]) == sum(cards * chance for cards, chance in chances.items())


@every("reading", ["lines", "lines_x_all"])
@every("n, drawn", [(3, 2), (3, 3), (3, 4), (4, 2), (4, 3), (5, 2)])
def test_no_overlap_by_enumeration(n: int, drawn: int, reading: str) -> None:
    """How often so many cards overlap nowhere is what laying out every hand of cards shows (G-30, G-108)."""
    options = {"patterns": reading}
    kinds = patterns(n) if reading == "lines_x_all" else patterns(n)[:-2]
    deck = [card for card in kinds for _ in range(4)]
    known: dict[frozenset[str], bool] = {}
    apart = 0
    for hand in combinations(range(len(deck)), drawn):
        cards = frozenset(deck[at] for at in hand)
        if len(cards) == drawn:
            if cards not in known:
                known[cards] = not ask("place", n=n, seat="S", drawn=sorted(cards), options=options)["can_place"]
            apart += known[cards]
    chances = ask("placement_odds", n=n, options=options)["draws"]
    later = sum(Fraction(chance) for cards, chance in chances.items() if int(cards) > drawn)
    assert Fraction(apart, comb(len(deck), drawn)) == later


@every("n", SIZES)
def test_cover_by_counting(n: int) -> None:
    """Two cards cover a cell unless both miss it, on every field (G-17, G-107)."""
    for cell in ([1, 2], [2, 2]):
        covering = 4 * len(ask("cards_covering", n=n, seat="S", orientation="attack", cell=cell)["cards"])
        deck = ask("config", n=n)["deck"]
        missing = Fraction(comb(deck - covering, 2), comb(deck, 2))
        assert ask("cover_odds", n=n, cell=cell, cards=2)["at_least_one"] == text(1 - missing)


def test_odds_for_people() -> None:
    """The bars of `carddb odds` are the referee's chances (G-107, G-108)."""
    cover = odds("cover", cell="1, 2", cards=5)
    assert cover["bars"][-1] == {"label": "5 cards", "chance": "843/1081"} and cover["at_least_one"] == "843/1081"
    assert cover["bars"][0] == {"label": "1 card", "chance": "1/4"} and "12 of the 48 cards" in cover["notes"][0]
    assert "not on a diagonal" in cover["notes"][0] and "is on a diagonal" in odds("cover", cell=[2, 2])["notes"][0]
    assert len(odds("cover", cell=[2, 2], n=7)["bars"]) == 7
    placement = odds("placement", n=5)
    assert [bar["chance"] for bar in placement["bars"]] == [row[0] for (n, _), row in PLACEMENT.items() if n == 5]
    assert placement["mean"] == "28206/11891" and "2.3720" in placement["notes"][0]


@every("cell", ["1", "0,1", "a,b", "1,2,3", "6,1", [1, 2, 3], 7, "", "1,9999999"])
def test_odds_of_no_cell(cell: object) -> None:
    """What is no cell of the field is bad input (G-109)."""
    assert odds("cover", cell=cell)["reason"] == "bad_input"
