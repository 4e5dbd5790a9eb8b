"""CDG solo: the table of exact chances, every cell of it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from carddb.games.cdg_solo.module import module_of
from carddb.games.cdg_solo.play.odds import first_round_down
from carddb.play.chance import mean
from tests.games.referee_samples import game
from tests.rows import every

KEY = "cdg-solo"
WINGS = "ABDE"
AROUND_AND_C = [
    ("named", {}, "1/3", "1/2"),
    ("stays_down", {}, "2/3", "1/2"),
    ("stays_down_k", {"k": 0}, "1", "1"),
    ("stays_down_k", {"k": 1}, "2/3", "1/2"),
    ("stays_down_k", {"k": 4}, "16/81", "1/16"),
    ("down_any_purpose", {}, "1/3", "1/2"),
    ("up_not_lowest", {"purpose": "any"}, "1/3", "1/2"),
    ("up_not_lowest", {"purpose": "event"}, "1/2", "2/3"),
    ("up_lowest", {"purpose": "any"}, "2/3", "2/3"),
    ("up_lowest", {}, "2/3", "2/3"),
    ("up_lowest_abde_only", {"purpose": "any"}, "1/2", None),
    ("up_lowest_abde_only", {"purpose": "event"}, "2/3", None),
]


def value(query: str, **more: object) -> str | None:
    spec = game(KEY).spec
    return game(KEY).operations["probability"].ask(spec, {"query": query, **more}).get("value")


@every("query, more, around, c", AROUND_AND_C)
def test_every_chance_of_a_space(query: str, more: dict[str, object], around: str, c: str | None) -> None:
    """Each row of the table gives one chance for A, B, D and E and one for C (SD-28, S-10)."""
    assert {value(query, space=space, **more) for space in WINGS} == {around}
    assert value(query, space="C", **more) == c


def test_chances_of_a_roll() -> None:
    """The Jolly Roger has 1/6, a result with a C 1/2, and the chart sends the die back as its rows say (SD-28)."""
    assert (value("jolly_roger"), value("c_result")) == ("1/6", "1/2")
    assert [value("chart_reroll", n=n) for n in range(1, 7)] == ["0", "0", "0", "1/3", "1/6", "0"]


def test_spaces_that_stay_down_together() -> None:
    """Two spaces stay down with 2/3 as A and B or D and E, else with 1/3; A, C and D with 1/6 (SD-28)."""
    pairs = {"AB": "2/3", "DE": "2/3"} | {a + d: "1/3" for a, d in product("AB", "DE")}
    pairs |= {wing + "C": "1/3" for wing in WINGS} | {"ACD": "1/6", "ABCDE": "1/6"}
    assert {spaces: value("stays_down_all", spaces=list(spaces)) for spaces in pairs} == pairs


def test_nominated_cards() -> None:
    """A nominated card takes effect with 1/3, in C with 1/2; two of them as their spaces do (SR-25, SD-28)."""
    assert {value("nominated_any", spaces=[space]) for space in WINGS} == {"1/3"}
    assert value("nominated_any", spaces=["C"]) == "1/2"
    assert (value("nominated_all", spaces=["A", "B"]), value("nominated_any", spaces=["A", "B"])) == ("1/3", "1/3")
    assert (value("nominated_all", spaces=["A", "D"]), value("nominated_any", spaces=["A", "D"])) == ("0", "2/3")


@pytest.mark.parametrize("name", ["generic-separate", "generic-split", "generic-card"])
def test_the_first_round(name: str) -> None:
    """After the first round 1 to 4 cards lie down, in either layout and whatever is picked, 17/6 in the mean (S-13)."""
    chances = first_round_down(module_of(game(KEY).spec, name))
    assert {n: str(chance) for n, chance in chances.items()} == {1: "1/6", 2: "1/6", 3: "1/3", 4: "1/3"}
    assert mean(chances) == Fraction(17, 6)
    assert [value("first_round_down", n=n) for n in range(6)] == ["0", "1/6", "1/6", "1/3", "1/3", "0"]


def test_the_chances_that_people_ask_for() -> None:
    """What `odds` shows are the chances of the table (SD-28)."""
    odds = game(KEY).hook("ODDS")
    spec = game(KEY).spec
    shown = odds["space"].ask(spec, {"space": "C", "rolls": 2})
    assert [bar["chance"] for bar in shown["bars"]] == ["1/2", "1/2", "2/3", "1/2", "2/3", "1/4"]
    assert [bar["chance"] for bar in odds["nominated"].ask(spec, {"spaces": "AD"})["bars"]] == [
        "1/3",
        "1/3",
        "2/3",
        "0/1",
    ]
    assert [bar["label"] for bar in odds["first_round"].ask(spec, {})["bars"]] == ["1", "2", "3", "4"]
