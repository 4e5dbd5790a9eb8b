"""A log that grows for decades: ten times the announcements are ten times the work, and the same answers."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from carddb.bans.edition import edition_of, edition_on
from carddb.bans.lint import lint
from carddb.bans.log import OFF, Announcement, Change, Log
from carddb.bans.state import history_of, log_about, state
from carddb.cards.cards import Card, Deck, Entry, Pool
from carddb.deck.check.bans import check
from carddb.deck.check.forecast import DatedCheck
from carddb.deck.context import Context
from carddb.press.bans.issue import collect
from carddb.press.bans.publish import publish
from carddb.press.bans.site import ENTRIES
from carddb.press.bans.wording import Publication
from tests.bans.samples import NEW_YORK, log, made
from tests.deck.check.test_bans import LISTS, SPEC
from tests.press.bans.test_publish import game, workshop
from tests.rows import every, usually

CARDS = 12
NAMES = {f"C-{number:02}": f"Card {number}" for number in range(CARDS)}
POOL = Pool(Card("g", ref, {"name": name, "type": "unit"}) for ref, name in NAMES.items())
ATOM = "{http://www.w3.org/2005/Atom}"
ENDLESS = date(2200, 1, 1)


def grown(count: int) -> Log:
    """A log with an announcement every third day, each of one card in turn."""
    announcements = []
    for number in range(count):
        moment = made(1) + timedelta(days=3 * number)
        turn = number // CARDS
        change = Change("open", f"C-{number % CARDS:02}", "", turn % 3, (turn + 1) % 3, "Because")
        announcements.append(
            Announcement(f"a-{number:04}", moment, (moment + timedelta(days=7)).date(), changes=(change,))
        )
    return log(*announcements, lists=LISTS, groups={})


def calls(task: Callable[[], Any]) -> int:
    """The functions of Python that a task calls."""
    count = 0

    def counted(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        task()
    finally:
        sys.setprofile(before)
    return count


def published(bans: Log) -> dict[str, bytes]:
    last = bans.announcements[-1].effective
    issue = collect(bans, ("open",), NAMES, Publication(game().spec, False), last)
    return publish(workshop(), issue, ()).files


def deck_of(*refs: str) -> Deck:
    return Deck("g", tuple(Entry("main", 3, NAMES[ref], POOL.get(ref)) for ref in refs))


@usually(
    "task",
    [
        lint,
        lambda bans: state(bans, "open", ENDLESS),
        lambda bans: collect(bans, ("open",), NAMES, Publication(game().spec, False), ENDLESS),
        lambda bans: [*DatedCheck(deck_of("C-01"), SPEC, POOL, Context(date(2026, 6, 1), bans=bans), check).ahead()],
        published,
    ],
    ids=["lint", "state", "editions", "forecast", "publish"],
)
def test_ten_times_the_announcements_are_ten_times_the_work(task: Callable[[Log], Any]) -> None:
    """Lint, a state, the editions, a forecast and a whole publication grow with the log, and not with its square."""
    task(grown(CARDS))  # what is read once
    few, many = grown(24), grown(240)
    assert calls(lambda: task(many)) <= 11 * calls(lambda: task(few))


def plain_state(bans: Log, day: date) -> dict[str, int]:
    """The levels on a day, of a log without withdrawals and corrections: of a card the last change up to the day."""
    levels: dict[str, int] = {}
    for announcement in sorted(bans.announcements, key=lambda each: each.effective):
        if announcement.effective <= day:
            levels |= {change.card: change.after for change in announcement.changes}
    return {card: level for card, level in levels.items() if level != OFF}


@every("seed", range(20))
def test_a_list_by_the_first_announcements_is_that_of_the_shorter_log(seed: int) -> None:
    """However announcements take each other back: who asked before the next one was made gets the same answer."""
    choose = random.Random(seed)
    announcements: list[Announcement] = []
    for number in range(choose.randint(2, 14)):
        kind = choose.choice(["change", "change", "withdrawal", "correction"]) if announcements else "change"
        other = choose.choice(announcements).id if announcements else ""
        changes = tuple(
            Change(choose.choice(["long", "short"]), choose.choice("ABC"), "", 0, choose.randint(0, 2))
            for _ in range(0 if kind == "withdrawal" else 2)
        )
        moment = made(1) + timedelta(days=2 * number)
        effective = (moment + timedelta(days=choose.choice([1, 3, 5, 14, 20]))).date()
        supersedes = other if kind == "change" and choose.random() < 0.3 else ""
        target = other if kind != "change" else ""
        waiver = choose.choice(["", "", "so"])
        announcements.append(
            Announcement(f"a{number}", moment, effective, kind, target, supersedes, waiver, changes=changes)  # type: ignore[arg-type]
        )
    whole = log(*announcements)
    for end in range(1, len(announcements) + 1):
        shorter = whole._replace(announcements=whole.announcements[:end])
        for number in range(0, 50, 4):
            day = made(1).date() + timedelta(days=number)
            view = history_of(whole, "long").by(end)
            assert dict(view.standings(day)) == dict(history_of(shorter, "long").full.standings(day))
            assert view.upcoming(day) == history_of(shorter, "long").full.upcoming(day)
            assert view.next_day(day) == history_of(shorter, "long").full.next_day(day)
        last = whole.announcements[end - 1].id
        assert edition_of(whole, "long", last, {}).rows == edition_of(shorter, "long", last, {}).rows


def test_a_long_log_has_the_levels_of_a_plain_reading() -> None:
    """The list of any day holds of each card what was announced last for a day up to it."""
    bans = grown(100)
    for number in range(0, 400, 7):
        day = made(1).date() + timedelta(days=number)
        levels = {ref: standing.level for ref, standing in state(bans, "open", day).levels.items()}
        assert levels == plain_state(bans, day)


def test_a_forecast_reads_only_what_concerns_the_deck() -> None:
    """It says the same as checks on every day by the whole log, of which it reads the announcements of its cards."""
    bans, deck = grown(120), deck_of("C-01", "C-05")
    context = Context(date(2026, 6, 1), bans=bans)
    assert len(log_about(bans, {"C-01", "C-05"}).announcements) == 20
    days = {each.effective for each in bans.announcements}
    expected = {day for day in days if check(deck, SPEC, POOL, replace(context, on=day))}
    first = min(expected)
    assert next(day for day, _ in DatedCheck(deck, SPEC, POOL, context, check).ahead()) == first


@pytest.mark.full
def test_a_long_feed_has_pages() -> None:
    """Full pages never change; the newest names the one before it, and all together hold every announcement once."""
    few, more = (published(grown(count)) for count in (ENTRIES * 3 + 5, ENTRIES * 3 + 6))
    assert "open/feed-1.xml" not in published(grown(ENTRIES * 2 - 1))
    assert {f"open/feed-{number}.xml" for number in (1, 2)} <= few.keys() and "open/feed-3.xml" not in few
    assert few["open/feed-1.xml"] == more["open/feed-1.xml"]
    name: str | None = "feed.xml"
    ids, seen = [], []
    while name:
        root = ET.fromstring(more[f"open/{name}"])
        seen.append(name)
        ids += [entry.findtext(f"{ATOM}id") for entry in root.findall(f"{ATOM}entry")]
        links = {link.get("rel"): link.get("href") for link in root.findall(f"{ATOM}link")}
        assert links["self"] == name and (root.find("{http://purl.org/syndication/history/1.0}archive") is None) == (
            name == "feed.xml"
        )
        name = links.get("prev-archive")
    assert seen == ["feed.xml", "feed-2.xml", "feed-1.xml"] and len(ids) == len({*ids}) == ENTRIES * 3 + 6


@pytest.mark.full
def test_a_day_has_a_file_only_where_something_changed() -> None:
    """An announcement that came to nothing, for want of notice, leaves no file of its day."""
    short = Announcement("late", made(3), made(4).date(), changes=(Change("open", "C-01", "", 0, 1),))
    bans = log(*grown(3).announcements, short, lists=LISTS, groups={})
    files = published(bans)
    days = {path for path in files if path.startswith("open/history/")}
    assert days == {f"open/history/{each.effective}.json" for each in grown(3).announcements}
    assert edition_on(bans, "open", made(4).date(), {}).rows == () and NEW_YORK
