"""Odds of a deck by sampling: what hands hold, for several conditions, and where hands are drawn again."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import sqrt
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import carddb
from carddb.app.decks import odds as deck_odds
from carddb.core.errors import UsageError
from carddb.games import folders
from carddb.play.chance import Bounds, Deal, Tally, at_least, deal_games, drawn_at_least, hypergeometric, packed
from tests.conftest import Told

Call = Callable[..., Told]
OFFICERS = folders()["cahrd"].decks[0]
SOLDIERS = folders()["empires-and-generals"].decks[0]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> carddb.Project:
    """A project with the samples of all games."""
    project = carddb.open(tmp_path_factory.mktemp("odds"))
    project.stats(OFFICERS)
    return project


@pytest.fixture
def odds(call: Call, project: carddb.Project) -> Call:
    """Runs `decks odds` with the catalogue of the project."""
    return lambda *words: call("--catalog", str(project.folder / "carddb.db"), "decks", "odds", *words)


def pile(*kinds: tuple[int, tuple[bool, ...]]) -> tuple[int, ...]:
    """Cards by number, each as what the conditions say of it."""
    return tuple(packed(counted) for number, counted in kinds for _ in range(number))


@settings(max_examples=20)
@given(st.integers(1, 30), st.data())
@pytest.mark.full
def test_one_condition_has_its_exact_chance(total: int, data: st.DataObject) -> None:
    """With one condition the share is the hypergeometric chance, but for what sampling cannot tell."""
    hits, hand = data.draw(st.integers(0, total)), data.draw(st.integers(0, total))
    further, least = data.draw(st.integers(0, total - hand)), data.draw(st.integers(0, 4))
    deal = Deal(pile((hits, (True,)), (total - hits, (False,))), hand, (Bounds(least),), draws=(0, further))
    games = 1000
    tally = deal_games(deal, range(games))
    for stage, drawn in enumerate((hand, hand + further)):
        exact = float(drawn_at_least(least, drawn, hits, total))
        assert abs(tally.shares(deal, stage)[0][0] - exact) <= 5 * sqrt(exact * (1 - exact) / games)


def test_the_interval_holds_the_exact_chance() -> None:
    """Of a hundred samples the interval of 95 % holds the exact chance about 95 times."""
    deal = Deal(pile((12, (True,)), (28, (False,))), 7, (Bounds(3),))
    exact = drawn_at_least(3, 7, 12, 40)
    samples = [deal_games(deal, range(at, at + 400)).shares(deal, 0)[0] for at in range(0, 40_000, 400)]
    assert 90 <= sum(low <= exact <= high for _, low, high in samples) <= 99


def test_several_conditions_are_counted_together() -> None:
    """Two kinds of five cards each, and a hand of all but one: it lacks a card of one kind or of the other."""
    deal = Deal(pile((5, (True, False)), (5, (False, True))), 9, (Bounds(5), Bounds(0, 4)))
    first, second, together = (part for part, _, _ in deal_games(deal, range(2000)).shares(deal, 0))
    assert first == second == together
    assert abs(first - 0.5) < 0.06


def test_hands_that_are_not_kept_are_drawn_again() -> None:
    """The share is the chance among hands that are kept, and the hands that it takes are 1 over their chance."""
    officers = hypergeometric(7, 15, 42)
    kept = at_least(officers, 3)
    deal = Deal(pile((15, (True, True)), (27, (False, False))), 7, (Bounds(4),), (Bounds(3),))
    tally = deal_games(deal, range(10_000))
    assert abs(tally.shares(deal, 0)[0][0] - at_least(officers, 4) / kept) < 0.025
    assert abs(Fraction(tally.hands, tally.games) - 1 / kept) < 0.04


def test_redraws_have_an_end() -> None:
    """After the last redraw the hand is kept, whatever it holds; without a last one it is said that none is."""
    cards, holds, never = pile((9, (True, False))), (Bounds(),), (Bounds(),)
    assert deal_games(Deal(cards, 3, holds, never, redraws=2), range(10)).hands == 30
    with pytest.raises(UsageError, match="none of 10,000 hands met the conditions"):
        deal_games(Deal(cards, 3, holds, never), range(1))


def test_parts_add_up_to_the_whole() -> None:
    """Games dealt in parts give what they give together."""
    deal = Deal(pile((5, (True, False)), (9, (False, True))), 4, (Bounds(2),), (Bounds(1),), draws=(0, 2))
    tally = Tally()
    for part in (range(3), range(3, 50)):
        tally.add(deal_games(deal, part))
    assert tally == deal_games(deal, range(50))


@pytest.mark.door
def test_two_processes_print_the_bytes_of_one(odds: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who deals the hands makes no difference."""
    monkeypatch.setattr(deck_odds, "_GAMES_AT_ONCE", 150)
    words = (str(OFFICERS), "--holds", "1 type:tactic", "--draws", "2", "--games", "500", "--json")
    one, two = odds(*words, "--jobs", "1"), odds(*words, "--jobs", "2")
    assert one.out == two.out and one.code == two.code == 0
    assert odds(*words, "--seed", "9").out != one.out


def test_the_game_says_what_is_kept(project: carddb.Project) -> None:
    """C.A.H.R.D. replaces hands with fewer than three officers (C-64); `redraws` of 0 keeps every hand."""
    odds = project.deck_odds(OFFICERS, ["3 type:officer", "1 type:tactic"], games=300)
    assert odds.stages[0].held[0][0] == 1
    assert odds.hands_a_game > 1
    assert odds.to_json()["keep"] == [{"least": 3, "most": None, "query": "type:officer"}]
    assert project.deck_odds(OFFICERS, ["1"], redraws=0, games=10).hands_a_game == 1
    own = project.deck_odds(OFFICERS, ["4 type:officer"], keep=["4 type:officer"], games=50)
    assert own.stages[0].all[0] == 1


def test_a_game_of_data_alone_says_what_is_kept(tmp_path: Path) -> None:
    """`hand`, `keep` and `redraws` among the data of a game need no program."""
    game = tmp_path / "lantern"
    game.mkdir()
    (game / "game.yaml").write_text(
        "key: lantern\nprefix: lan\nname: Lantern\ntypes: {lamp: {}, moth: {}}\nsections: {main: {size: [4, 12]}}\n"
        "data: {hand: 2, keep: 1 type:lamp, redraws: 1}\n"
    )
    (game / "cards.csv").write_text("ref,name,type\nL-1,Lamp,lamp\nL-2,Moth,moth\n")
    project = carddb.open(tmp_path, games=[game])
    project.load(game / "cards.csv", game="lantern")
    odds = project.deck_odds("Game: lantern\n\n## main\n2 Lamp\n2 Moth\n", ["1 type:lamp"], games=2000)
    assert (odds.deal.hand, odds.deal.redraws) == (2, 1)
    assert abs(odds.stages[0].all[0] - (1 - (1 / 6) ** 2)) < 0.02


def test_stages_stand_under_one_another(odds: Call) -> None:
    """The opening hand, then each number of further cards, and all conditions together where there are several."""
    draws = ("--draws", "5", "--draws", "2", "--games", "50")
    told = odds(str(SOLDIERS), "--holds", "2 type:soldier", "--holds", "0-1 cost>3", *draws)
    lines = told.out.splitlines()
    assert [line for line in lines if not line.startswith("  ")][2:] == [
        "Opening hand",
        "After 2 further cards",
        "After 5 further cards",
    ]
    assert [line.split("  ")[1] for line in lines if line.startswith("  ")] == [
        "2 or more: type:soldier", "0 to 1: cost>3", "all conditions",
    ] * 3  # fmt: skip
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--holds", "3-1 type:soldier"), "3 is more than 1"),
        (("--holds", "typ:soldier"), "there is no field typ"),
        (("--holds", " "), "a condition is empty"),
        (("--holds", "1", "--draws", "500"), "507 cards would be drawn, but Playing deck has only"),
        (("--holds", "1", "--section", "nowhere"), "no section is called 'nowhere'"),
        (("--holds", "1", "--section", "resource"), "does not say how many"),
        (("--holds", "1", "--trust"), "No such option"),
    ],
)
def test_what_cannot_be_dealt_is_said(words: tuple[str, ...], message: str, odds: Call) -> None:
    """A condition, a section or a number that cannot be is refused with a sentence."""
    told = odds(str(SOLDIERS), *words)
    assert told.code == 2 and message in told.err


def test_an_unknown_option_of_the_python_door_is_refused(folder: Path) -> None:
    """`deck_odds(drawss=[3])` names the nearest option, and is no TypeError."""
    with pytest.raises(UsageError, match="drawss") as refusal:
        carddb.open(folder).deck_odds("1 Guard", ["type:soldier"], drawss=[3])  # type: ignore[call-arg]
    assert "draws" in refusal.value.remedy
