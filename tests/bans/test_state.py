"""What a list says on a day, seen from different moments."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from carddb.bans.log import Announcement, Log, local_day, notice
from carddb.bans.state import LevelStanding, ListState, days_of_change, difference, history_of, state, upcoming
from tests.bans.samples import card, corrected, day, group, log, made, told, withdrawn
from tests.rows import every

T = told("t", 1, 10, card("A", 0, 2, why="too strong"))


def level(found: Log, on: int, known: datetime | None = None, ref: str = "A") -> int:
    standing = state(found, "long", day(on), known).cards.get(ref)
    return standing.level if standing else 0


def levels(found: Log, *days: int, known: datetime | None = None) -> list[int]:
    return [level(found, on, known) for on in days]


def test_a_change_is_in_force_from_its_day() -> None:
    """C-147: the effective day itself counts, and the other list is left alone."""
    assert levels(log(T), 9, 10, 30) == [0, 2, 2]
    assert state(log(T), "long", day(10)).levels == {"A": LevelStanding(2, day(10), "t", "too strong")}
    assert state(log(T), "short", day(10)).cards == {}


def test_the_later_of_two_on_one_day_counts() -> None:
    """C-147: of a card, list and day the announcement made later counts."""
    again = told("u", 3, 10, card("A", 2, 1))
    assert levels(log(T, again), 9, 10) == [0, 1]


def test_an_announcement_that_overtakes_another() -> None:
    """What is announced later and in force earlier comes first, what was announced before follows."""
    quick = told("u", 3, 8, card("A", 0, 3))
    assert levels(log(T, quick), 7, 8, 9, 10) == [0, 3, 3, 2]


def test_an_announcement_that_supersedes_another() -> None:
    """What supersedes an announcement takes the place of its changes of the same cards, and of no others."""
    first = told("t", 1, 10, card("A", 0, 2), card("B", 0, 1))
    quick = told("u", 3, 8, card("A", 0, 3), supersedes="t")
    found = log(first, quick)
    assert levels(found, 8, 10) == [3, 3]
    assert level(found, 10, ref="B") == 1
    assert levels(found, 8, 10, known=made(2)) == [0, 2]


@every("days, wanted", [(2, 0), (3, 2), (14, 2), (15, 0)])
def test_what_gives_no_due_notice_is_passed_over(days: int, wanted: int) -> None:
    """C-146, C-147: three to fourteen days are allowed, both ends included; a waiver excuses the rest."""
    late = told("t", 1, 1 + days, card("A", 0, 2))
    assert level(log(late), 30) == wanted
    assert level(log(late._replace(waiver="an exploit")), 30) == 2


@every(
    "moment, effective, days",
    [
        (datetime(2026, 3, 6, 4, 59, tzinfo=UTC), date(2026, 3, 8), 3),
        (datetime(2026, 3, 6, 5, 0, tzinfo=UTC), date(2026, 3, 8), 2),
        (datetime(2026, 3, 8, 4, 59, tzinfo=UTC), date(2026, 3, 10), 3),
        (datetime(2026, 3, 9, 3, 59, tzinfo=UTC), date(2026, 3, 11), 3),
        (datetime(2026, 3, 9, 4, 0, tzinfo=UTC), date(2026, 3, 11), 2),
        (datetime(2026, 11, 1, 3, 59, tzinfo=UTC), date(2026, 11, 3), 3),
        (datetime(2026, 11, 2, 4, 59, tzinfo=UTC), date(2026, 11, 4), 3),
        (datetime(2026, 11, 2, 5, 0, tzinfo=UTC), date(2026, 11, 4), 2),
    ],
)
def test_days_are_those_of_the_lists_time_zone(moment: datetime, effective: date, days: int) -> None:
    """C-146: calendar days in New York are counted, over the days on which its clocks change too."""
    told_ = told("t", moment, effective, card("A", 0, 2))
    assert notice(log(told_), told_, "long") == days
    assert history_of(log(told_), "long").full.due(0) == (days >= 3)


def test_a_day_of_25_hours_is_one_day() -> None:
    """An instant of either end of a long day falls on it."""
    ends = [datetime(2026, 11, 1, 4, 0, tzinfo=UTC), datetime(2026, 11, 2, 4, 59, tzinfo=UTC)]
    assert {local_day(end, "America/New_York") for end in ends} == {date(2026, 11, 1)}


def test_a_withdrawal_before_the_day_comes() -> None:
    """What is withdrawn before its day never was in force, though it was known to come until then."""
    found = log(T, withdrawn("w", 8, 9, "t"))
    assert levels(found, 9, 10, 30) == [0, 0, 0]
    assert levels(found, 9, 10, known=made(7)) == [0, 2]
    assert state(found, "long", day(30)).cards == {}


def test_a_withdrawal_after_the_day() -> None:
    """What is withdrawn later was in force until the withdrawal's own day, and what stood before stands again."""
    before = told("s", 1, 5, card("A", 0, 1, why="old"))
    found = log(before, told("t", 2, 10, card("A", 1, 3)), withdrawn("w", 12, 16, "t"))
    assert levels(found, 4, 5, 10, 15, 16) == [0, 1, 3, 3, 1]
    assert state(found, "long", day(20)).levels == {"A": LevelStanding(1, day(16), "w", "old")}
    assert level(found, 20, known=made(11)) == 3


def test_a_withdrawal_that_is_withdrawn() -> None:
    """Taking a withdrawal back brings its target back."""
    found = log(T, withdrawn("w", 12, 16, "t"), withdrawn("x", 17, 20, "w"))
    assert levels(found, 10, 15, 16, 19, 20) == [2, 2, 0, 0, 2]
    assert state(found, "long", day(25)).cards["A"] == LevelStanding(2, day(20), "x", "too strong")
    early = log(T, withdrawn("w", 12, 16, "t"), withdrawn("x", 13, 16, "w"))
    assert levels(early, 10, 16, 20) == [2, 2, 2]


def test_a_withdrawal_before_the_day_that_is_withdrawn_after_it() -> None:
    """What never was in force comes into force when its withdrawal is taken back, and not from its own day."""
    found = log(T, withdrawn("w", 8, 9, "t"), withdrawn("x", 12, 16, "w"))
    assert levels(found, 9, 10, 15, 16) == [0, 0, 0, 2]
    assert state(found, "long", day(20)).levels == {"A": LevelStanding(2, day(16), "x", "too strong")}


def test_a_withdrawal_leaves_later_changes_alone() -> None:
    """What was changed after the withdrawn change stays as it is."""
    found = log(T, told("u", 9, 14, card("A", 2, 1)), withdrawn("w", 12, 16, "t"))
    assert levels(found, 10, 14, 16) == [2, 1, 1]


def test_a_correction_of_what_is_still_to_come() -> None:
    """A correction made before its target's day takes its place, also with another day."""
    same = log(T, corrected("c", 4, 10, "t", card("A", 0, 1)))
    later = log(T, corrected("c", 4, 12, "t", card("A", 0, 1)))
    assert levels(same, 9, 10, 12) == [0, 1, 1]
    assert levels(later, 9, 10, 11, 12) == [0, 0, 0, 1]
    assert levels(later, 9, 10, 11, 12, known=made(3)) == [0, 2, 2, 2]


def test_a_correction_of_what_is_in_force() -> None:
    """A correction says what was meant from its day on, be it a day gone by; what was known then is still told."""
    back = log(T, corrected("c", 12, 10, "t", card("B", 0, 2)))
    assert levels(back, 10, 11, 12) == [0, 0, 0]
    assert level(back, 10, ref="B") == 2
    assert levels(back, 10, 11, 12, known=made(11)) == [2, 2, 2]
    ahead = log(T, corrected("c", 12, 15, "t", card("A", 0, 1)))
    assert levels(ahead, 10, 14, 15) == [2, 2, 1]


def test_a_correction_that_is_withdrawn() -> None:
    """Without its correction an announcement says again what it said."""
    found = log(T, corrected("c", 4, 10, "t", card("A", 0, 1)), withdrawn("w", 12, 16, "c"))
    assert levels(found, 10, 15, 16) == [1, 1, 2]


def test_groups_come_and_go() -> None:
    """C-149: a group has its own days, as a card has."""
    found = log(told("g", 1, 5, group("riders", 0, 1, why="a")), told("h", 10, 15, group("riders", 1, 0)))
    assert [list(state(found, "long", day(on)).groups) for on in (4, 5, 14, 15)] == [[], ["riders"], ["riders"], []]


def test_what_is_to_come() -> None:
    """Announced and not yet in force, in the order of their days; what was withdrawn in time is not to come."""
    found = log(T, told("u", 3, 8, card("B", 0, 1)), told("v", 4, 9, card("C", 0, 1)), withdrawn("w", 5, 8, "v"))
    assert [each.id for each in upcoming(found, "long", day(7))] == ["u", "w", "t"]
    assert [each.id for each in upcoming(found, "long", day(8))] == ["t"]
    assert [each.id for each in upcoming(found, "long", day(1), made(1))] == ["t"]
    assert upcoming(found, "short", day(1)) == ()
    assert days_of_change(found, "long") == (day(8), day(9), day(10))


def test_the_difference_of_two_days() -> None:
    """What changed between two states, from what to what and why."""
    found = log(T, told("u", 12, 16, card("A", 2, 0, why="solved"), group("riders", 0, 1)))
    states = [state(found, "long", day(on)) for on in (10, 16)]
    assert difference(*states) == (card("A", 2, 0, why="solved"), group("riders", 0, 1))
    assert difference(states[0], states[0]) == ()


def _history(draws: list[tuple[int, int, int, int]]) -> Log:
    """Changes of card A, withdrawals and corrections, one a day of June, out of numbers."""
    found: list[Announcement] = []
    for number, (kind, days, after, target) in enumerate(draws):
        id_, on, start = f"a{number}", 1 + number, 1 + number + days
        aim = found[target % len(found)].id if found else ""
        if kind == 0 or not aim:
            found.append(told(id_, on, start, card("A", 0, after)))
        elif kind == 1:
            found.append(withdrawn(id_, on, start, aim))
        else:
            found.append(corrected(id_, on, start, aim, card("A", 0, after)))
    return log(*found)


HISTORIES = st.lists(
    st.tuples(st.integers(0, 2), st.integers(2, 15), st.integers(0, 3), st.integers(0, 9)), max_size=8
).map(_history)


@given(HISTORIES, st.integers(1, 25))
def test_since_is_the_first_day_of_what_stands(history: Log, on: int) -> None:
    """A standing is the same on every day from the one since which it stands, and another on the day before."""
    standing = state(history, "long", day(on)).cards.get("A")
    if standing is None:
        return
    span = (day(on) - standing.since).days
    for back in range(span + 1):
        assert state(history, "long", day(on) - timedelta(back)).cards["A"] == standing
    assert state(history, "long", standing.since - timedelta(1)).cards.get("A") != standing


@given(HISTORIES, st.integers(1, 25), st.integers(1, 9))
def test_the_past_is_as_it_was_known(history: Log, on: int, moment: int) -> None:
    """What is added to a log changes nothing in what was known before."""
    shorter = history._replace(announcements=tuple(each for each in history.announcements if each.made <= made(moment)))
    assert state(history, "long", day(on), made(moment)).cards == state(shorter, "long", day(on)).cards


@given(HISTORIES)
def test_a_list_changes_on_no_other_days(history: Log) -> None:
    """Between two days of change a list stays as it is."""

    def seen(found: ListState) -> object:
        return found.levels

    for on in range(2, 28):
        if day(on) not in days_of_change(history, "long"):
            assert seen(state(history, "long", day(on))) == seen(state(history, "long", day(on - 1)))
