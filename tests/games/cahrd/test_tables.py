"""C.A.H.R.D.: the tables of its rules in full, and the figures that follow from them."""

from __future__ import annotations

import inspect
import json
import re
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.game.frozen import as_plain
from carddb.games.cahrd.play.setup import chance_of_hand, fewest_officers, officers_needed
from carddb.play.chance import at_least, drawn_at_least, hypergeometric
from tests.games.cahrd.samples import BOOK, GAME, SPEC, ask
from tests.rows import every

ODDS = {
    40: ({10: "22.83", 15: "53.25", 20: "79.63", 24: "92.44", 30: "99.38"}, [15, 19, 24, 26, 30]),
    50: ({10: "13.26", 15: "34.77", 20: "58.97", 24: "75.63", 30: "92.01"}, [19, 24, 29, 32, 37]),
    60: ({10: "8.30", 15: "23.40", 20: "42.92", 24: "58.79", 30: "78.81"}, [22, 29, 35, 39, 45]),
}


@pytest.mark.parametrize("size", ODDS)
def test_reference_odds(size: int) -> None:
    """C-63, C-64: the chance of three officers in an opening hand is that of the reference table."""
    for officers, percent in ODDS[size][0].items():
        assert f"{100 * ask('opening_odds', deck_size=size, officers=officers)['probability']:.2f}" == percent


@pytest.mark.parametrize("size", ODDS)
def test_fewest_officers(size: int) -> None:
    """C-63, C-64: the fewest officers for a chance of 50, 75, 90, 95 and 99 in a hundred are those of the table."""
    assert SPEC.data["odds"] == [50, 75, 90, 95, 99]
    for percent, fewest in zip(SPEC.data["odds"], ODDS[size][1], strict=True):
        assert fewest_officers(size, 7, 3, percent) == fewest
        assert chance_of_hand(size, fewest - 1, 7, 3) < Fraction(percent, 100) <= chance_of_hand(size, fewest, 7, 3)


def test_chances_of_an_opening_hand_for_people() -> None:
    """C-63, C-64: the odds of a hand have a bar for each number of officers, and the figures of the reference table."""
    found = GAME.odds["opening_hand"].ask(SPEC, {"officers": 15})
    bars = {bar["label"]: Fraction(bar["chance"]) for bar in found["bars"]}
    assert bars.pop("3 officers or more") == Fraction(76367, 143412)
    assert len(bars) == 8 and sum(bars.values()) == 1
    assert found["expected_hands"] == "143412/76367"
    assert list(found["fewest_officers"].values()) == ODDS[40][1]
    sixty = GAME.odds["opening_hand"].ask(SPEC, {"officers": 24, "deck_size": 60})
    assert list(sixty["fewest_officers"].values()) == ODDS[60][1]
    assert GAME.odds["opening_hand"].ask(SPEC, {"officers": 0})["expected_hands"] is None
    assert GAME.odds["opening_hand"].ask(SPEC, {"officers": 41})["reason"] == "officers_exceed_deck"
    assert GAME.odds["opening_hand"].ask(SPEC, {"officers": 4, "deck_size": 6})["reason"] == "hand_exceeds_deck"


@given(st.data())
def test_odds_are_those_of_the_formula(data: st.DataObject) -> None:
    """C-63: the quick sum is the exact hypergeometric one."""
    total = data.draw(st.integers(1, 60))
    hits, drawn, least = (data.draw(st.integers(0, total)) for _ in range(3))
    assert drawn_at_least(least, drawn, hits, total) == at_least(hypergeometric(drawn, hits, total), least)


def test_odds_of_the_largest_deck() -> None:
    """C-63: the chance with ten thousand cards is a number, not an overflow."""
    found = ask("opening_odds", deck_size=10_000, officers=5000, hand=5000, need=2500)
    assert found["ok"] and 0.5 < found["probability"] < 0.51


INITIATIVE = {
    "draw_card": {"draw"},
    "reveal_officers": {"draw"},
    "gain_reserves": {"recruitment"},
    "clear_attacked": {"recruitment"},
    "play_item": {"strategy"},
    "set_item": {"strategy"},
    "set_tactic": {"strategy"},
    "recruit": {"strategy"},
    "play_strategy": {"strategy"},
    "view_strategy_deck": {"strategy"},
    "activate_tactic": {"draw", "recruitment", "strategy", "battle", "end"},
    "use_trait": {"draw", "recruitment", "strategy", "battle", "end"},
    "declare_attack": {"battle"},
    "choose_vanguard": {"battle"},
    "resolve_outstanding": {"end"},
}
STEPS = ["draw", "recruitment", "strategy", "battle", "end"]


def test_steps_of_a_turn() -> None:
    """C-72: five steps in order, the fourth in three parts."""
    steps = SPEC.data["turn"]["steps"]
    assert [step["key"] for step in steps] == STEPS
    assert [part["key"] for part in steps[3]["parts"]] == ["declaration", "vanguard", "damage"]
    assert list(SPEC.data["turn"]["actions"]) == list(INITIATIVE)


@every("action, step", list(product(INITIATIVE, STEPS)))
def test_every_action_in_every_step(action: str, step: str) -> None:
    """C-47, C-72 to C-86, C-91, C-95, C-109: who may do what in which step."""
    for initiative, trigger in product((True, False), repeat=2):
        found = ask(
            "action_allowed", action=action, step=step, turn=2, player_turn=1, initiative=initiative, trigger=trigger
        )
        wanted = None
        triggered = trigger and action in ("play_item", "use_trait")
        if action == "choose_vanguard" and initiative:
            wanted = "is_initiative"
        elif action not in ("choose_vanguard", "activate_tactic") and not initiative and not triggered:
            wanted = "not_initiative"
        elif step not in INITIATIVE[action] and not triggered:
            wanted = "wrong_step"
        assert found == ({"ok": True} if wanted is None else {"ok": False, "reason": wanted})


def test_speeds_of_a_chain() -> None:
    """C-110: foundation, first response and counter, slowest first."""
    speeds = SPEC.data["chain"]["speeds"]
    assert [speed["key"] for speed in speeds] == ["foundation", "first_response", "counter"]
    assert [speed["resolves"] for speed in speeds] == ["last", "before 1", "first"]


def test_zones_of_the_mat() -> None:
    """C-53, C-66: eight zones and the reserves; three officers start, and three lieutenants are the most."""
    zones = {zone["key"]: zone for zone in SPEC.data["mat"]["zones"]}
    assert [zone["number"] for zone in zones.values()] == [*"12345678", "—"]
    assert officers_needed(SPEC) == 3 and zones["lieutenant"]["most"] == 3
    assert set(SPEC.data["mat"]["row"]) <= set(zones)


def test_defaults_of_questions_are_the_figures_of_the_rules() -> None:
    """C-63, C-66, C-69: what a question leaves out is what the tables say."""
    setup = SPEC.data["setup"]
    odds = inspect.signature(GAME.operations["opening_odds"].function).parameters
    assert (odds["hand"].default, odds["need"].default) == (setup["hand"], officers_needed(SPEC))
    (minimum,) = {limit.min for limit in SPEC.limits if limit.code == "officer_minimum"}
    assert minimum == officers_needed(SPEC)
    side = GAME.operations["victory"].question.model_validate({"players": {"A": {}, "B": {}}}).model_dump()
    assert side["players"]["A"]["grain"] == setup["grain"]
    matches = GAME.operations["validate_deck"].question.model_validate({"main": []}).model_dump()
    assert matches["match"] == SPEC.default_format


def test_two_turns_of_saving_pay_for_the_printed_example() -> None:
    """C-18, C-78, C-80: reserves accumulate, so that three officers pay 25000 men in their second turn."""
    army = [{"position": position, "chm": 5} for position in ("commander", "strategist", "lieutenant")]
    income = ask("reserve_income", army=army)["income"]
    question = {"step": "strategy", "initiative": True, "type": "officer", "zone": "lieutenant", "source": "hand"}
    asked = {**question, "cost": 25000, "recruited": 0}
    assert ask("recruit", **asked, reserves=income)["reason"] == "insufficient_reserves"
    assert ask("recruit", **asked, reserves=2 * income)["reserves"] == 5000


@given(st.integers(1, 5), st.lists(st.integers(-20, 20), max_size=6), st.sampled_from([0, 1]))
def test_current_stats_stay_on_the_scale(base: int, modifiers: list[int], floor: int) -> None:
    """C-14, C-141: a current stat is base plus effects, from the floor to 10, and 10 is S."""
    found = ask("current_stat", base=base, modifiers=modifiers, options={"stat_floor": floor})
    assert found["value"] == min(10, max(floor, base + sum(modifiers)))
    assert found["label"] == ("S" if found["value"] == 10 else str(found["value"]))
    if found["value"]:
        assert ask("stat_value", rank=found["value"])["value"] == found["value"]


RANK = st.integers(1, 10) | st.just("S")
POSITION = st.sampled_from(["commander", "lieutenant"])
OFFICER = st.fixed_dictionaries({"war": RANK, "men": st.integers(1, 3), "position": POSITION})


@given(OFFICER, OFFICER, st.booleans(), st.booleans())
def test_a_battle_costs_one_man_at_most(one: Any, other: Any, ties: bool, initiative: bool) -> None:
    """C-17, C-99, C-103, C-104, C-128: the loser loses one man; nobody gains unless exactly one officer falls."""
    options = {"tie_damages_both": ties, "token_to_initiative": initiative}
    found = ask("resolve_officer_battle", attacker=one, defender=other, options=options)
    lost = {side: officer["men"] - found[f"{side}_men"] for side, officer in (("attacker", one), ("defender", other))}
    strength = [10 if officer["war"] == "S" else officer["war"] for officer in (one, other)]
    tie = strength[0] == strength[1]
    assert sum(lost.values()) == ((2 if ties else 0) if tie else 1)
    assert found["winner"] == ("none" if tie else "attacker" if strength[0] > strength[1] else "defender")
    assert tie or lost[found["winner"]] == 0
    fallen = [side for side in lost if found[f"{side}_men"] == 0]
    assert found["defeated"] == ("both" if len(fallen) == 2 else fallen[0] if fallen else None)
    gains = [found["token_to"], found["battle_won_by"]]
    assert sum(gain is not None for gain in gains) == (len(fallen) == 1)


def test_book() -> None:
    """The book has every rule from C-1 to C-150 with tag, section and text; codes and data name only such rules."""
    assert set(BOOK["rules"]) == {f"C-{number}" for number in range(1, 151)}
    named = re.findall(r"\bC-\d+\b", json.dumps([BOOK["codes"], as_plain(SPEC)]))
    operations = [rule for operation in GAME.operations.values() for rule in GAME.rules_behind(operation)]
    assert {*named, *operations} <= set(BOOK["rules"])


def test_every_option_names_its_rule() -> None:
    """Every option says which rule it reads otherwise; only people apply those marked for players."""
    assert len(SPEC.options) == 25
    for name, option in SPEC.options.items():
        (rule,) = option.rules
        assert BOOK["rules"][rule]["ruling"]["option"] == name
    assert {name for name, option in SPEC.options.items() if option.players} == {
        "reveal_always_shuffles",
        "discard_excess_zone_cards",
        "reserves_carry_over",
        "vanguard_once_per_turn",
        "disregarded_counts_as_activated",
    }


def test_every_operation_is_there() -> None:
    """The operations are those of the rules, twenty-four of them."""
    assert set(GAME.operations) == {
        *("validate_card", "validate_deck", "stat_value", "current_stat", "opening_odds", "mulligan_needed"),
        *("setup_army", "action_allowed", "draw", "reserve_income", "recruit", "zone_limit", "place_in_zone"),
        *("activate", "strategy_status", "declare_attack", "declare_vanguard", "resolve_officer_battle"),
        *("resolve_grain_attack", "check_chain", "victory", "war_status", "imd_window", "imd_level"),
    }
