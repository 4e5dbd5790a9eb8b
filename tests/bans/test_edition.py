"""The one record that all published forms print: what an announcement did, and what stood before it."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime

import jsonschema
import pytest

from carddb.bans.edition import Edition, edition_of, edition_on, newest
from carddb.bans.log import Announcement, Change, GroupSpec, LevelSpec, ListSpec, Log
from carddb.core.assets import schema
from carddb.game.game import GameSpec
from carddb.press.bans.discord import discord
from carddb.press.bans.publish import edition_data
from carddb.press.bans.wording import Publication, facts, group_reason, level_name, status_line, summary
from tests.press.bans import samples


def of(log: Log, id_: str) -> Edition:
    return edition_of(log, "short", id_, samples.NAMES)


def steps(edition: Edition) -> dict[str, tuple[int, int]]:
    assert edition.news
    return {step.ref: (step.before, step.after) for step in (*edition.news.stricter, *edition.news.softer)}


def test_an_edition_is_of_the_day_of_its_effect() -> None:
    """The list after an announcement is that of the day on which it takes effect."""
    edition = of(samples.log(), "2026-01-05-a")
    assert edition.day == date(2026, 1, 10)
    assert {(row.ref, row.level) for row in edition.rows} == {("CAH-089", 1), ("CAH-080", 2)}
    assert steps(edition) == {"CAH-089": (0, 1), "CAH-080": (0, 2)}


def test_an_edition_knows_nothing_of_what_was_announced_later() -> None:
    """A later announcement changes no earlier edition but for its answers."""
    log = samples.log()
    whole, early = of(log, "2026-03-20-a"), of(log._replace(announcements=log.announcements[:5]), "2026-03-20-a")
    assert whole.news and early.news
    assert whole.news.answers == (("correction", "2026-04-02-a"),) and early.news.answers == ()
    assert whole._replace(news=None) == early._replace(news=None)


def test_a_withdrawal_shows_what_it_undoes() -> None:
    """Withdrawn before it takes effect, a change is undone on the day that it was for."""
    log = samples.log()
    strict = samples.told("2026-05-01-a", 10, (samples.step("CAH-114", 0, 3),))
    back = samples.told("2026-05-03-a", 3, (), kind="withdrawal", target="2026-05-01-a")
    edition = of(log._replace(announcements=(strict, back)), "2026-05-03-a")
    assert edition.day == date(2026, 5, 11)
    assert steps(edition) == {"CAH-114": (3, 0)} and not edition.rows


def test_a_correction_shows_what_it_alone_changes() -> None:
    """A correction is compared with the list as it would be without it."""
    right = samples.told("2026-05-03-a", 3, (samples.step("CAH-114", 0, 1),), kind="correction", target="2026-05-01-a")
    wrong = samples.told("2026-05-01-a", 5, (samples.step("CAH-111", 0, 1),))
    edition = of(samples.log()._replace(announcements=(wrong, right)), "2026-05-03-a")
    assert steps(edition) == {"CAH-114": (0, 1), "CAH-111": (1, 0)}


def test_fewer_copies_are_stricter_whatever_the_number_of_the_level() -> None:
    """A list whose first level is the harshest is read by what its levels allow."""
    levels = {1: LevelSpec(1, 0, "official"), 2: LevelSpec(2, 2, "official")}
    told = (
        samples.told("2026-05-01-a", 5, (samples.step("CAH-114", 0, 2),)),
        samples.told("2026-06-01-a", 5, (samples.step("CAH-114", 2, 1),)),
    )
    log = samples.log()._replace(levels=levels, announcements=told)
    for id_ in ("2026-05-01-a", "2026-06-01-a"):
        news = of(log, id_).news
        assert news and len(news.stricter) == 1 and not news.softer


def test_an_announcement_out_of_its_window_changes_nothing() -> None:
    """What gave too short a notice is passed over, and says that it is."""
    log = samples.log()._replace(announcements=(samples.told("2026-05-01-a", 2, (samples.step("CAH-114", 0, 2),)),))
    edition = of(log, "2026-05-01-a")
    assert edition.news and not edition.news.due and edition.news.notice == 2
    assert steps(edition) == {} and edition.fingerprint == edition.previous


def test_a_group_that_ends_is_in_the_edition_and_not_in_force() -> None:
    """The announcement that ends a group shows it once more."""
    log = samples.log()
    ended = samples.told("2026-06-01-a", 5, (Change("short", "", "fire-and-paper", 1, 0, "Enough."),))
    edition = of(log._replace(announcements=(*log.announcements, ended)), "2026-06-01-a")
    assert [(group.spec.key, group.why) for group in edition.groups if group.ended] == [("fire-and-paper", "Enough.")]
    assert "fire-and-paper" not in {group.spec.key for group in edition.in_force}


def test_an_anchor_is_the_first_of_its_group() -> None:
    """The card that forbids the others stands before them, once."""
    edition = edition_on(samples.log(), "short", date(2026, 5, 1), samples.NAMES)
    anchored = next(group for group in edition.groups if group.spec.anchor)
    assert [member.ref for member in anchored.members] == ["H-1", "CAH-114"]


def test_the_fingerprint_before_is_that_of_the_edition_before() -> None:
    """Editions of a list in a row name each other."""
    log = samples.log()
    first, second = (edition_on(log, "short", on, samples.NAMES) for on in (date(2026, 1, 20), date(2026, 2, 20)))
    assert second.previous == first.fingerprint != second.fingerprint


@pytest.mark.parametrize(
    ("hour", "made_on", "notice"), [(3, date(2026, 5, 9), 13), (5, date(2026, 5, 10), 12)], ids=["before", "after"]
)
def test_the_day_of_an_announcement_is_of_the_zone_of_the_list(hour: int, made_on: date, notice: int) -> None:
    """Around midnight in New York the notice is counted from the day it is there."""
    told = samples.told("2026-05-10-a", 12, (samples.step("CAH-114", 0, 1),))
    log = samples.log()._replace(announcements=(told._replace(made=datetime(2026, 5, 10, hour, tzinfo=UTC)),))
    news = of(log, "2026-05-10-a").news
    assert news and (news.made_on, news.notice) == (made_on, notice)


def test_the_newest_announcement_is_of_the_list_and_of_the_day() -> None:
    """What was announced after a day, or for another list alone, is not its newest."""
    log = samples.log()
    found = newest(log, "short", date(2026, 4, 1))
    other = newest(log, "long", date(2026, 4, 1))
    assert found and found.id == "2026-03-22-a"
    assert other and other.id == "2026-01-05-a"
    assert newest(log, "short", date(2026, 1, 4)) is None


def test_an_edition_has_the_levels_of_its_day() -> None:
    """C-150: a level that gets another meaning leaves what was published before as it was, fingerprint and all."""
    log = samples.log()
    new = log._replace(levels={**log.levels, 1: LevelSpec(1, 0, "official")}, announcements=())
    dated = ((date.min, log._replace(announcements=())), (date(2026, 6, 1), new))
    later = log._replace(levels=new.levels, dated=dated)
    assert of(later, "2026-01-05-a") == of(log, "2026-01-05-a")
    past, now = (edition_on(later, "short", date(2026, month, 1), samples.NAMES) for month in (3, 7))
    assert past == edition_on(log, "short", date(2026, 3, 1), samples.NAMES)
    assert [level.max_copies for level in now.levels] == [0, 1, 0]


def test_announcements_that_cross_name_each_other() -> None:
    """What was announced later and takes effect earlier names what it overtakes, and is named by it."""
    slow = samples.told("2026-05-01-a", 14, (samples.step("CAH-114", 0, 1),))
    quick = samples.told("2026-05-05-a", 4, (samples.step("CAH-111", 0, 1),))
    log = samples.log()._replace(announcements=(slow, quick))
    first, second = of(log, slow.id).news, of(log, quick.id).news
    assert first and second
    assert (first.overtakes, first.overtaken_by) == ((), (quick.id,))
    assert (second.overtakes, second.overtaken_by) == ((slow.id,), ())
    alone = of(log._replace(announcements=(slow, quick._replace(supersedes=slow.id))), quick.id).news
    assert alone and alone.overtakes == ()


def test_an_unknown_announcement_is_refused() -> None:
    """There is no edition of an announcement that was never made."""
    with pytest.raises(KeyError):
        of(samples.log(), "1999-01-01-a")


WIDE = Log(
    lists={"long": ListSpec("long", "War", "UTC", "war", budget=7)},
    levels={1: LevelSpec(1, None, "official", points=1), 2: LevelSpec(2, None, "official", points=3)},
    groups={"pair": GroupSpec("pair", ("A", "B"))},
    announcements=(
        Announcement("a", datetime(2020, 1, 1, tzinfo=UTC), date(2020, 1, 1), changes=(
            Change("long", "A", "", 0, 2), Change("long", "", "pair", 0, 1)), made_known=False),
        Announcement("b", datetime(2021, 1, 1, tzinfo=UTC), date(2021, 1, 10), changes=(
            Change("long", "A", "", 2, 1), Change("long", "C", "pair", 0, 1), Change("long", "A", "pair", 1, 0))),
    ),
)  # fmt: skip


def test_a_higher_price_is_stricter() -> None:
    """Of two levels that bound no copies the dearer one is the stricter."""
    news = [edition_of(WIDE, "long", id_, {}).news for id_ in ("a", "b")]
    assert [(len(each.stricter), len(each.softer)) for each in news if each] == [(1, 0), (0, 1)]


def test_members_that_join_and_leave_are_news() -> None:
    """An edition shows which members an announcement adds to a group and which it takes out."""
    edition = edition_of(WIDE, "long", "b", {"A": "Ox", "C": "Pig"})
    (pair,) = edition.groups
    assert [each.ref for each in pair.members] == ["B", "C"] and pair.is_news and not pair.turn
    assert [each.name for each in pair.joined] == ["Pig"] and [each.name for each in pair.left] == ["Ox"]
    assert edition.fingerprint != edition_of(WIDE, "long", "a", {}).fingerprint
    assert summary(edition) == "Ox is less restricted, the group Pair changes"
    assert group_reason(pair) == "Joined: Pig. Left: Ox."


def test_a_moment_that_nobody_knows_is_not_made_up() -> None:
    """Where nobody knows when something was announced, no form gives a moment, a day or a notice."""
    edition = edition_of(WIDE, "long", "a", {})
    publication = Publication(GameSpec(key="g", prefix="g", name="G"), sample=False)
    data = edition_data(edition, publication)
    assert data["announcement"]["made"] is None and data["announcement"]["notice_days"] is None
    assert data["list"]["budget"] == 7 and data["levels"][1]["points"] == 3
    jsonschema.validate(data, json.loads((schema() / "bans.schema.json").read_text("utf-8")))
    assert facts(edition, publication)[0][:2] == ("Announced", "not known")
    assert level_name(edition, 2) == "Level 2: 3 points a copy" and "at most 7 points" in status_line(edition)
    assert not any("Announced" in part for part in discord(edition, publication))
