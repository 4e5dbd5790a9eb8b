"""C.A.H.R.D.: the sample history of the restricted lists, as its file says it."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

from carddb.read.documents import located_document
from tests.games.cahrd.sample_cards import GAME, POOL, SPEC
from tests.rows import every

PARSED, FAULTS = located_document.load(GAME.folder.path / "bans.yaml")
assert PARSED is not None
BANS: dict[str, Any] = PARSED.value
ANNOUNCED: list[dict[str, Any]] = BANS["announcements"]
BY_ID = {each["id"]: each for each in ANNOUNCED}
CHANGES: list[dict[str, Any]] = [change for each in ANNOUNCED for change in each["changes"]]
REFS = {card.ref for card in POOL}
LIMITS = {"at_most_different", "at_most", "anchor"}
ZONE = ZoneInfo("America/New_York")
LONGEST_REASON = 140


def made(announcement: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(announcement["made"])


def effective(announcement: dict[str, Any]) -> date:
    return date.fromisoformat(announcement["effective"])


def notice(announcement: dict[str, Any]) -> int:
    return (effective(announcement) - made(announcement).astimezone(ZONE).date()).days


def lists(announcement: dict[str, Any]) -> set[str]:
    return {change["list"] for change in announcement["changes"]}


def forerunner(announcement: dict[str, Any]) -> dict[str, Any] | None:
    return BY_ID.get(announcement.get("target") or announcement.get("supersedes", ""))


def test_the_file_is_read_without_findings() -> None:
    """The history is sound YAML."""
    assert not FAULTS


def test_the_lists_are_said_to_be_samples() -> None:
    """The note says that the lists are invented and not the game's own."""
    assert "invented" in BANS["note"] and "not the game’s own" in BANS["note"]


def test_ids_are_unique() -> None:
    """No two announcements have one id."""
    assert len(BY_ID) == len(ANNOUNCED)


def test_an_id_is_the_day_of_its_announcement() -> None:
    """An id begins with the day on which it was announced in New York."""
    assert all(each["id"].startswith(f"{made(each).astimezone(ZONE):%Y-%m-%d}-") for each in ANNOUNCED)


def test_announcements_stand_in_the_order_in_which_they_were_made() -> None:
    """The log only grows at its end."""
    assert all(made(first) < made(second) for first, second in pairwise(ANNOUNCED))


def test_moments_are_in_utc() -> None:
    """Each moment of an announcement is given in UTC."""
    assert all(made(each).utcoffset() == timedelta(0) for each in ANNOUNCED)


def test_the_history_is_of_two_years() -> None:
    """At least sixteen announcements, from summer 2024 to autumn 2026."""
    assert len(ANNOUNCED) >= 16
    assert made(ANNOUNCED[0]).date() < date(2024, 9, 1) and made(ANNOUNCED[-1]).date() > date(2026, 9, 30)


def test_every_card_is_a_sample_card() -> None:
    """Changes and groups name cards of the sample set, by reference."""
    groups = BANS["groups"].values()
    named = {change["card"] for change in CHANGES if "card" in change}
    named |= {ref for group in groups for ref in (*group["members"], group.get("anchor")) if ref}
    assert named <= REFS


def test_every_list_level_and_group_of_a_change_is_declared() -> None:
    """A change is of a list and a level or group that the file knows."""
    levels = {0, *map(int, BANS["levels"])}
    for change in CHANGES:
        assert change["list"] in BANS["lists"]
        assert ("card" in change) != ("group" in change)
        allowed = levels if "card" in change else {"off", "on"}
        assert {change["from"], change["to"]} <= allowed and change["from"] != change["to"]
        assert "card" in change or change["group"] in BANS["groups"]


def test_every_group_is_used() -> None:
    """Each group of the file is in force at some time."""
    assert {change["group"] for change in CHANGES if change.get("to") == "on"} == set(BANS["groups"])


def test_there_is_a_group_of_every_form() -> None:
    """C-149: a group has one limit, and the samples show each of the three."""
    limits = [LIMITS & group.keys() for group in BANS["groups"].values()]
    assert all(len(limit) == 1 for limit in limits) and set().union(*limits) == LIMITS


def test_groups_overlap() -> None:
    """C-149: a card may be of two groups."""
    members = [{*group["members"], group.get("anchor")} - {None} for group in BANS["groups"].values()]
    assert sum(map(len, members)) > len(set().union(*members))


def test_the_lists_are_those_of_the_formats() -> None:
    """C-144: the long list is for a War, the short one for a battle, in the time zone of New York."""
    assert {spec["format"]: key for key, spec in BANS["lists"].items()} == SPEC.data["imd"]["lists"]
    assert {spec["zone"] for spec in BANS["lists"].values()} == {ZONE.key}


def test_the_levels_are_those_of_the_game() -> None:
    """C-143, C-150: a level allows as many copies as the game's option says, and is marked as a proposal."""
    levels = {str(level): spec for level, spec in BANS["levels"].items()}
    assert {level: spec["max_copies"] for level, spec in levels.items()} == SPEC.options["imd_level_limits"].default
    assert {level: spec["status"] for level, spec in levels.items()} == SPEC.data["imd"]["status"]


def test_the_window_is_that_of_the_game() -> None:
    """C-146: from three to fourteen days."""
    assert dict(zip(("least", "most"), BANS["window"], strict=True)) == SPEC.data["imd"]["notice"]


@every("announcement", ANNOUNCED)
def test_notice_is_within_the_window(announcement: dict[str, Any]) -> None:
    """C-146: days are counted by the calendar of New York, and no sample is waived."""
    least, most = BANS["window"]
    assert least <= notice(announcement) <= most and "waiver" not in announcement


def test_both_ends_of_the_window_are_used() -> None:
    """C-146: three days are allowed, and so are fourteen."""
    assert set(BANS["window"]) <= {notice(each) for each in ANNOUNCED}


def test_every_kind_of_announcement_is_there() -> None:
    """A change, a withdrawal, a correction and an announcement that supersedes another."""
    assert {each["kind"] for each in ANNOUNCED} == {"change", "withdrawal", "correction"}
    assert any("supersedes" in each for each in ANNOUNCED)


def test_a_forerunner_is_an_earlier_announcement() -> None:
    """A withdrawal and a correction have a target, a change has none; a target was announced before."""
    for each in ANNOUNCED:
        assert ("target" in each) == (each["kind"] != "change")
        if "target" in each or "supersedes" in each:
            before = forerunner(each)
            assert before is not None and made(before) < made(each)


def test_only_a_withdrawal_is_without_changes() -> None:
    """Every other announcement changes something."""
    assert all((each["kind"] == "withdrawal") == (not each["changes"]) for each in ANNOUNCED)


def test_withdrawals_are_made_before_and_after_the_day_of_their_target() -> None:
    """One withdrawal forestalls its target, another ends it."""
    order = {
        effective(each) <= effective(target)
        for each in ANNOUNCED
        if each["kind"] == "withdrawal" and (target := forerunner(each))
    }
    assert order == {True, False}


def test_an_announcement_overtakes_another_of_the_same_list() -> None:
    """Of two changes of one list, the one that was announced later is in force first."""
    plain = [each for each in ANNOUNCED if each["kind"] == "change"]
    assert any(
        effective(second) < effective(first) and lists(first) & lists(second) for first, second in pairwise(plain)
    )


def test_announcements_stand_around_a_change_of_the_clocks() -> None:
    """One is made in the last hours of daylight saving time and the next within a day of standard time."""
    saving = [(made(each), bool(made(each).astimezone(ZONE).dst())) for each in ANNOUNCED]
    assert any(
        first[1] and not second[1] and second[0] - first[0] < timedelta(days=2) for first, second in pairwise(saving)
    )


def test_levels_go_up_and_down_again() -> None:
    """A card is held more tightly, then less, and leaves the list."""
    seen = [change["to"] for change in CHANGES if change.get("card") == "CAH-091"]
    assert seen == [1, 2, 1, 0]


def test_groups_are_switched_on_and_off_again() -> None:
    """A group comes into force, ends, and comes back."""
    seen = [change["to"] for change in CHANGES if change.get("group") == "granary-raid"]
    assert seen == ["on", "off", "on"]


def test_every_change_has_a_short_reason() -> None:
    """A reason is one sentence of at most 140 characters."""
    assert all(change["why"].endswith(".") and len(change["why"]) <= LONGEST_REASON for change in CHANGES)
