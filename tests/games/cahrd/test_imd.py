"""C.A.H.R.D.: what the restricted lists make of a deck on a day."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.games.cahrd.play import imd
from tests.games.cahrd.samples import SPEC, ask, card, judged
from tests.rows import every

DAY = "2024-06-01"
LADDER = card("item", "Ladder")
ROPE = card("item", "Rope")
ADA = card("officer", "Ada")


def change(name: str, level: int, list_: str = "short", effective: str = "2024-05-05", **more: Any) -> dict[str, Any]:
    announced = (date.fromisoformat(effective) - timedelta(days=4)).isoformat()
    return {"card": name, "level": level, "list": list_, "announced": announced, "effective": effective, **more}


def group(name: str, members: list[str], list_: str = "short", effective: str = "2024-05-05", **more: Any) -> Any:
    announced = (date.fromisoformat(effective) - timedelta(days=4)).isoformat()
    return {"group": name, "members": members, "list": list_, "announced": announced, "effective": effective, **more}


def found(*entries: list[Any], imd: list[Any], day: str | None = DAY, **rest: Any) -> tuple[list[str], list[str]]:
    if day:
        rest["date"] = day
    answer = judged(*entries, imd=imd, **rest)
    assert answer["ok"], answer
    return answer["violations"], answer["warnings"]


@every(
    "level, copies, wanted",
    [
        (0, 3, []),
        (1, 2, []),
        (1, 3, ["imd_copies"]),
        (2, 1, []),
        (2, 2, ["imd_copies"]),
        (3, 1, ["imd_banned"]),
        (3, 3, ["imd_banned"]),
        (3, 4, ["imd_banned", "item_copies"]),
        (1, 4, ["imd_copies", "item_copies"]),
    ],
)
def test_levels(level: int, copies: int, wanted: list[str]) -> None:
    """C-143: level 1 allows two copies, level 2 one, level 3 none, and the normal limit stays beside it."""
    assert found([LADDER, copies], imd=[change("Ladder", level)]) == (wanted, [])


def test_a_level_above_the_normal_limit() -> None:
    """C-143: the lower of level and normal limit is in force, so a second officer is one too many for both."""
    assert found([ADA, 2], imd=[change("Ada", 1)]) == (["imd_copies", "officer_copies"], [])
    assert found([ADA, 1], imd=[change("Ada", 1)]) == ([], [])
    assert found([ADA, 1], imd=[change("Ada", 2)]) == ([], [])
    assert found([ADA, 1], imd=[change("Ada", 3)]) == (["imd_banned"], [])
    limits = {"imd_level_limits": {"1": 5, "2": 1, "3": 0}}
    assert found([LADDER, 3], imd=[change("Ladder", 1)], options=limits) == ([], [])
    answer = judged([LADDER, 4], date=DAY, imd=[change("Ladder", 1)], options=limits)
    assert answer["violations"] == ["imd_copies", "item_copies"]
    assert {finding["data"]["limit"] for finding in answer["findings"]} == {3}


def test_other_meanings_of_levels() -> None:
    """C-143: the option gives each level its own number of copies; 0 bans, whichever the level."""
    limits = {"imd_level_limits": {"1": 0, "2": 3, "3": 1}}
    assert found([LADDER, 1], imd=[change("Ladder", 1)], options=limits) == (["imd_banned"], [])
    assert found([LADDER, 3], imd=[change("Ladder", 2)], options=limits) == ([], [])
    assert found([LADDER, 2], imd=[change("Ladder", 3)], options=limits) == (["imd_copies"], [])


def test_long_and_short_list() -> None:
    """C-144, C-148: a War has the long list, a battle the short one, and a match is a battle unless it is said."""
    changes = [change("Ladder", 3, "long"), change("Rope", 3, "short")]
    assert found([LADDER, 1], imd=changes, match="war") == (["imd_banned"], [])
    assert found([LADDER, 1], imd=changes, match="battle") == ([], [])
    assert found([ROPE, 1], imd=changes, match="war") == ([], [])
    assert found([ROPE, 1], imd=changes) == (["imd_banned"], [])


@pytest.mark.parametrize(("day", "wanted"), [("2024-05-04", []), ("2024-05-05", ["imd_banned"]), (None, [])])
def test_the_day_of_a_deck(day: str | None, wanted: list[str]) -> None:
    """C-147: a change counts from its effective day on; without a day no change is applied."""
    assert found([LADDER, 1], imd=[change("Ladder", 3)], day=day) == (wanted, [])


def test_names_of_the_list() -> None:
    """C-40: the list names cards without their type; case and spaces do not matter, and lines are summed."""
    assert found([card("item", "siege  LADDER"), 1], imd=[change(" Siege Ladder", 3)]) == (["imd_banned"], [])
    assert found([LADDER, 1], [card("item", "LADDER"), 1], imd=[change("Ladder", 2)]) == (["imd_copies"], [])
    both = [[card("item", "Own"), 1], [card("tactic", "Own"), 1]]
    assert found(*both, imd=[change("Own", 2)]) == ([], [])
    assert found(*both, imd=[change("Own", 3)]) == (["imd_banned"], [])


def test_strategies_are_restricted_too() -> None:
    """C-143: cards of the strategy deck count like any other."""
    siege = [card("strategy", "Siege"), 1]
    answer = judged(strategy=[siege], date=DAY, imd=[change("Siege", 3)])
    assert answer["violations"] == ["imd_banned"]


def test_cards_that_add_nothing_are_not_restricted() -> None:
    """C-42, C-143: a bad count is no copy, and a card of unknown type is nothing but that."""
    assert found([LADDER, 0], imd=[change("Ladder", 3)]) == (["bad_count"], [])
    assert found([card("hero", "Own"), 1], imd=[change("Own", 3)]) == (["unknown_card_type"], [])


def test_changes_that_are_passed_over() -> None:
    """C-146, C-147: bad notices, unknown lists and unknown levels are warnings and change nothing, of any card."""
    hasty = {**change("Ladder", 3), "announced": "2024-05-03"}
    late = {**change("Ladder", 3), "announced": "2024-04-01"}
    assert found([LADDER, 3], imd=[hasty]) == ([], ["imd_notice_invalid"])
    assert found([LADDER, 3], imd=[late]) == ([], ["imd_notice_invalid"])
    assert found([LADDER, 3], imd=[change("Rope", 3, "medium")]) == ([], ["imd_change_malformed"])
    assert found([LADDER, 3], imd=[change("Ladder", 4)]) == ([], ["imd_change_malformed"])
    assert found([LADDER, 3], imd=[{**hasty, "level": 9}]) == ([], ["imd_change_malformed", "imd_notice_invalid"])
    assert found([LADDER, 3], imd=[{**hasty, "list": "long"}]) == ([], ["imd_notice_invalid"])
    assert found([LADDER, 3], imd=[{**hasty, "effective": "2030-01-01"}]) == ([], ["imd_notice_invalid"])
    assert found([LADDER, 3], imd=[hasty], day=None) == ([], [])


def test_a_passed_over_change_leaves_the_one_before_in_force() -> None:
    """C-147: the latest valid change counts."""
    hasty = {**change("Ladder", 0, effective="2024-05-20"), "announced": "2024-05-19"}
    assert found([LADDER, 1], imd=[change("Ladder", 3), hasty]) == (["imd_banned"], ["imd_notice_invalid"])


# Levels whose meaning is not known


def test_a_level_of_unknown_meaning_is_told() -> None:
    """C-150: a level whose status is unknown is the warning imd_level_undefined, and limits nothing."""
    unknown: dict[str, Any] = {"definition": {"status": "unknown"}}
    assert found([LADDER, 3], imd=[change("Ladder", 3, **unknown)]) == ([], ["imd_level_undefined"])
    assert found([ROPE, 3], imd=[change("Ladder", 3, **unknown)]) == ([], [])
    assert found([LADDER, 3], imd=[change("Ladder", 0, **unknown)]) == ([], [])
    limits = {"imd_level_limits": {"1": 2, "2": None, "3": 0}}
    assert found([LADDER, 3], imd=[change("Ladder", 2)], options=limits) == ([], ["imd_level_undefined"])
    assert found([LADDER, 3], imd=[change("Ladder", 1)], options=limits) == (["imd_copies"], [])
    answer = judged([LADDER, 1], date=DAY, imd=[change("Ladder", 2)], options=limits)
    (finding,) = answer["findings"]
    assert finding["severity"] == "not_checkable" and answer["valid"]


def test_shipped_meanings_are_proposals() -> None:
    """C-150: the three levels are shipped as proposals, and a finding says how well a meaning is known."""
    assert set(SPEC.data["imd"]["status"].values()) == {"proposal"}
    (finding,) = judged([LADDER, 3], date=DAY, imd=[change("Ladder", 1)])["findings"]
    assert finding["data"] == {"count": 3, "limit": 2, "level": 1, "list": "short", "status": "proposal"}


# Groups


def test_a_group_keeps_cards_apart() -> None:
    """C-149: by default at most one different card of a group is in a deck, in any number of copies."""
    climbers = [group("Climbers", ["Ladder", "ROPE ", "Hook"])]
    assert found([LADDER, 3], imd=climbers) == ([], [])
    assert found([LADDER, 1], [ROPE, 1], imd=climbers) == (["imd_group"], [])
    assert found([LADDER, 1], [ROPE, 0], imd=climbers) == (["bad_count"], [])


def test_groups_with_a_number() -> None:
    """C-149: a group may allow more different cards, or a number of copies in all."""
    hook = card("tactic", "Hook")
    two = [group("Climbers", ["Ladder", "Rope", "Hook"], at_most_different=2)]
    assert found([LADDER, 3], [ROPE, 3], imd=two) == ([], [])
    assert found([LADDER, 1], [ROPE, 1], [hook, 1], imd=two) == (["imd_group"], [])
    three = [group("Climbers", ["Ladder", "Rope", "Hook"], at_most=3)]
    assert found([LADDER, 1], [ROPE, 1], [hook, 1], imd=three) == ([], [])
    assert found([LADDER, 2], [ROPE, 2], imd=three) == (["imd_group"], [])
    assert found([LADDER, 1], imd=[group("Climbers", ["Ladder"], at_most=0)]) == (["imd_group"], [])


@pytest.mark.parametrize("members", [["Rope", "Hook"], ["Ladder", "Rope", "Hook"]])
def test_anchored_groups(members: list[str]) -> None:
    """C-149: an anchor forbids the others, which do not forbid each other, listed among the members or not."""
    hook = card("tactic", "Hook")
    anchored = [group("Climbers", members, anchor="Ladder")]
    assert found([LADDER, 3], imd=anchored) == ([], [])
    assert found([ROPE, 1], [hook, 1], imd=anchored) == ([], [])
    assert found([LADDER, 1], [hook, 1], imd=anchored) == (["imd_group"], [])


def test_groups_overlap_and_are_not_transitive() -> None:
    """C-149: a card may be in several groups, and groups do not join."""
    hook = card("tactic", "Hook")
    two = [group("One", ["Ladder", "Rope"]), group("Two", ["Rope", "Hook"])]
    assert found([LADDER, 1], [hook, 1], imd=two) == ([], [])
    assert found([LADDER, 1], [ROPE, 1], imd=two) == (["imd_group"], [])
    assert found([ROPE, 1], [hook, 1], imd=two) == (["imd_group"], [])


def test_a_group_has_a_day_and_a_list_and_an_end() -> None:
    """C-149: a group is announced, in force from a day on one list, changed by name, and ended by no members."""
    climbers = group("Climbers", ["Ladder", "Rope"])
    both: list[list[Any]] = [[LADDER, 1], [ROPE, 1]]
    assert found(*both, imd=[climbers], day="2024-05-04") == ([], [])
    assert found(*both, imd=[climbers], day="2024-05-05") == (["imd_group"], [])
    assert found(*both, imd=[climbers], match="war") == ([], [])
    ended = group(" CLIMBERS", [], effective="2024-05-20")
    assert found(*both, imd=[ended, climbers], day="2024-05-19") == (["imd_group"], [])
    assert found(*both, imd=[ended, climbers], day="2024-05-20") == ([], [])
    assert found(*both, imd=[{**climbers, "announced": "2024-05-04"}]) == ([], ["imd_notice_invalid"])
    assert found(*both, imd=[{**climbers, "list": "medium"}]) == ([], ["imd_change_malformed"])


def test_a_broken_group_names_its_cards() -> None:
    """C-149: the finding has the group, the members that are present, their number and the limit."""
    climbers = group("Climbers", ["Ladder", "Rope", "Hook"])
    (finding,) = judged([LADDER, 1], [ROPE, 2], date=DAY, imd=[climbers])["findings"]
    known = {"group": "Climbers", "members": ["Ladder", "Rope"], "count": 2, "limit": 1, "list": "short"}
    assert finding["data"] == known
    assert finding["message"].endswith("at most 1 of its cards, and the deck has 2: Ladder and Rope")
    in_all = {**group("Climbers", ["Ladder", "Rope"]), "at_most": 2}
    (finding,) = judged([LADDER, 2], [ROPE, 2], date=DAY, imd=[in_all])["findings"]
    assert "at most 2 copies of its cards in all, and the deck has 4" in finding["message"]
    assert finding["fix"] == "Remove 2 Rope."


# As functions of a list of changes


DAYS = st.dates(date(2024, 5, 1), date(2024, 6, 1))


@given(st.lists(st.tuples(st.integers(0, 3), DAYS, st.integers(0, 20)), max_size=8), DAYS)
def test_a_level_is_that_of_the_latest_sound_change(made: list[tuple[int, date, int]], day: date) -> None:
    """C-146, C-147: of the changes with three to fourteen days' notice up to a day, the latest and last one counts."""
    changes = [
        imd.LevelChange(card="A", list="long", level=level, announced=effective - timedelta(days), effective=effective)
        for level, effective, days in made
    ]
    wanted, since = 0, date.min
    for level, effective, days in made:
        if 3 <= days <= 14 and since <= effective <= day:
            wanted, since = level, effective
    limits = {1: 2, 2: 1, 3: 0}
    answer = ask(
        "imd_level",
        card="a",
        list="long",
        date=day.isoformat(),
        changes=[change_.model_dump(mode="json", exclude_none=True) for change_ in changes],
    )
    assert (answer["level"], answer["max_copies"]) == (wanted, {0: None, **limits}[wanted])
