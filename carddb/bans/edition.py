"""An edition of a ban list, as every output prints it: the list on a day, or after one announcement."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Literal, NamedTuple

from carddb.bans.log import (
    OFF,
    ON,
    UNBOUNDED,
    Announcement,
    Change,
    GroupSpec,
    LevelSpec,
    ListSpec,
    Log,
    Window,
    day_made,
    notice,
)
from carddb.bans.state import ListHistory, ListState, difference, history_of, state, state_of, with_members
from carddb.core.plain_text import amount

LENGTH = 10


def fingerprint(state: ListState, levels: Mapping[int, LevelSpec], groups: Mapping[str, GroupSpec]) -> str:
    """Returns ten hex digits of SHA-256 over the content of a list, without days, reasons and announcements.

    The content is the cards with their levels, what the levels allow, and the groups in force with members and limits.
    """
    values: list[object] = [state.list, *([ref, standing.level] for ref, standing in state.levels.items())]
    # Costs, and what only some groups have, are left out if there are none, so that other lists keep their digests.
    for number in sorted({standing.level for standing in state.levels.values()} & levels.keys()):
        level = levels[number]
        costs = [level.points, level.surcharge, level.at_most_different, level.exempt] if level.costs else []
        values.append([level.level, level.max_copies, level.status, *costs])
    for key, group in ((key, groups[key]) for key in state.groups if key in groups):
        more = [group.max_copies, group.query] if group.query or group.max_copies is not None else []
        values.append([key, sorted(group.members), group.at_most_different, group.at_most, group.anchor, *more])
    text = "\n".join(json.dumps(value, ensure_ascii=False, separators=(",", ":")) for value in values)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:LENGTH]


Turn = Literal["", "stricter", "softer"]


class GroupMember(NamedTuple):
    """A card's reference and its name; an unknown card has its reference as its name."""

    ref: str
    name: str


class ListedCard(NamedTuple):
    """A card on the list; `turn` is `stricter` or `softer` if the announcement made it so, else empty."""

    ref: str
    name: str
    level: int
    since: date
    announcement: str
    why: str
    turn: Turn = ""


class LevelChange(NamedTuple):
    """A card whose level an announcement changes, with the levels before and after, and the reason."""

    ref: str
    name: str
    before: int
    after: int
    why: str


class ListedGroup(NamedTuple):
    """A group in force, or one that the announcement ends; `turn` is `stricter` if it begins now, `softer` if it ends.

    `joined` and `left` are the members that the announcement adds and removes.
    """

    spec: GroupSpec
    members: tuple[GroupMember, ...]
    since: date
    announcement: str
    why: str
    turn: Turn = ""
    joined: tuple[GroupMember, ...] = ()
    left: tuple[GroupMember, ...] = ()

    @property
    def is_news(self) -> bool:
        """True if the announcement begins or ends the group, or changes its members."""
        return bool(self.turn or self.joined or self.left)

    @property
    def ended(self) -> bool:
        """True if the announcement ends the group."""
        return self.turn == "softer"


class News(NamedTuple):
    """The announcement that an edition is about, with what it changes by the log as it was when it was made.

    `made_on` is its day in the list's time zone, and `notice` the whole days until its effect. `answers` are the kind
    and id of each later announcement that withdraws, corrects or supersedes it. If `due` is False, its notice was too
    short or too long, and it is ignored. `overtakes` are the ids of the announcements made before it that take effect
    after it, `overtaken_by` the ids of those made after it that take effect before it.
    """

    announcement: Announcement
    made_on: date
    notice: int
    stricter: tuple[LevelChange, ...]
    softer: tuple[LevelChange, ...]
    answers: tuple[tuple[str, str], ...]
    due: bool
    overtakes: tuple[str, ...] = ()
    overtaken_by: tuple[str, ...] = ()


class Edition(NamedTuple):
    """A ban list as it is on a day, with everything that is printed about it.

    Only announcements made up to `known_at` count (None means all). `window` is the allowed notice. `previous` is the
    fingerprint of the list before its last change. `until` is the next day for which a change is announced.
    """

    list: ListSpec
    day: date
    known_at: datetime | None
    levels: tuple[LevelSpec, ...]
    window: Window
    rows: tuple[ListedCard, ...]
    groups: tuple[ListedGroup, ...]
    fingerprint: str
    previous: str
    until: date | None = None
    news: News | None = None

    @property
    def in_force(self) -> tuple[ListedGroup, ...]:
        """The groups in force on the day."""
        return tuple(group for group in self.groups if not group.ended)

    @property
    def only_grouped(self) -> tuple[GroupMember, ...]:
        """The cards that are restricted only as members of groups in force, each once."""
        listed = {row.ref for row in self.rows}
        members = {member.ref: member for group in self.in_force for member in group.members}
        return tuple(member for ref, member in members.items() if ref not in listed)

    def level(self, number: int) -> LevelSpec | None:
        """Returns the level with this number, or None if the list does not define it."""
        return next((level for level in self.levels if level.level == number), None)


def edition_on(
    log: Log, list_key: str, day: date, names: Mapping[str, str], known_at: datetime | None = None
) -> Edition:
    """Returns a list on a day, by what was announced up to `known_at` (None: all). Raises KeyError if it is missing."""
    log = log.on(day)
    now = state(log, list_key, day, known_at)
    log = with_members(log, now)
    digest = fingerprint(now, log.levels, log.groups)
    return Edition(
        log.lists[list_key], day, known_at, _levels(log), log.window, _rows(now, names, {}),
        _groups(log, now, names, {}, {}), digest, _before(log, now, digest),
        history_of(log.announced_by(known_at), list_key).full.next_day(day),
    )  # fmt: skip


def edition_of(log: Log, list_key: str, announcement_id: str, names: Mapping[str, str]) -> Edition:
    """Returns the list on the day when an announcement takes effect, by it and the announcements made before it.

    For a withdrawal, it is the day of the withdrawn announcement if that is later. Raises KeyError for unknown ones.
    """
    at = log.positions[announcement_id]
    announcement = log.announcements[at]
    target = log.announcement(announcement.target) if announcement.kind == "withdrawal" else None
    day = max(announcement.effective, target.effective) if target else announcement.effective
    log = log.on(day)
    history = history_of(log, list_key)
    excluding, including = history.by(at), history.by(at + 1)
    before, after = state_of(excluding, list_key, day), state_of(including, list_key, day)
    changes = difference(before, after)
    earlier, log = with_members(log, before), with_members(log, after)
    whys = {change.target: change.why for change in announcement.changes}
    turns = {(change.card, change.group): _turn(change, log) for change in changes}
    moved = [change for change in changes if change.card and change.group]
    steps = [
        LevelChange(ref, names.get(ref, ref), old, new, whys.get((list_key, ref, ""), ""))
        for _, ref, group, old, new, _ in changes
        if ref and not group
    ]
    steps.sort(key=lambda step: (-step.after, step.name.casefold(), step.ref))
    stricter, softer = (tuple(step for step in steps if turns[step.ref, ""] == turn) for turn in ("stricter", "softer"))
    news = News(
        announcement, history.made_on[at], notice(log, announcement, list_key), stricter, softer,
        log.answers(announcement.id), history.full.due(at), *_crossing(history, at),
    )  # fmt: skip
    return Edition(
        log.lists[list_key], day, announcement.made, _levels(log), log.window, _rows(after, names, turns),
        _groups(log, after, names, turns, whys, moved), fingerprint(after, log.levels, log.groups),
        fingerprint(before, earlier.levels, earlier.groups), including.next_day(day), news,
    )  # fmt: skip


def newest(log: Log, list_key: str, day: date) -> Announcement | None:
    """Returns the last announcement about a list that was made on or before `day`; None if there is none."""
    announcements = [each for each in log.announcements if list_key in log.touched(each)]
    return next((each for each in reversed(announcements) if day_made(log, each, list_key) <= day), None)


def _crossing(history: ListHistory, at: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the ids for `News.overtakes` and for `News.overtaken_by` of the announcement with the index `at`."""
    announcement, later = history.announcements[at], []
    for other in range(at + 1, history.end):
        if history.earliest[other] >= announcement.effective:
            break
        sooner = history.announcements[other].effective < announcement.effective
        if sooner and announcement.id in _overtaken(history, other):
            later.append(history.announcements[other].id)
    return _overtaken(history, at), tuple(later)


def _overtaken(history: ListHistory, at: int) -> tuple[str, ...]:
    """Returns the ids of the announcements made before the one with the index `at` that take effect after it."""
    announcement = history.announcements[at]
    if not history.touches(at) or not history.full.due(at):
        return ()
    waiting = history.by(at).upcoming(max(announcement.effective, history.made_on[at]))
    ids = (history.announcements[other].id for other in waiting)
    return tuple(id_ for id_ in ids if id_ not in (announcement.target, announcement.supersedes))


def _levels(log: Log) -> tuple[LevelSpec, ...]:
    return tuple(log.levels[number] for number in sorted(log.levels))


def _turn(change: Change, log: Log) -> Turn:
    """Returns `stricter` if a change allows fewer copies or raises the price, or else the level; otherwise `softer`."""
    if not change.group:
        before, after = (_strictness(number, log) for number in (change.before, change.after))
        if before is not None and after is not None and before != after:
            return "stricter" if after > before else "softer"
    return "stricter" if change.after > change.before else "softer"


def _strictness(number: int, log: Log) -> tuple[float, ...] | None:
    """Returns a sort key that is greater for a stricter level; None if the meaning of the level is unknown."""
    level = LevelSpec(OFF, UNBOUNDED, "official") if number == OFF else log.levels.get(number)
    if level is None or level.most is None:
        return None
    different = UNBOUNDED if level.at_most_different is None else level.at_most_different
    return -level.most, level.points + level.surcharge, -different, not level.exempt


def _rows(now: ListState, names: Mapping[str, str], turns: Mapping[tuple[str, str], Turn]) -> tuple[ListedCard, ...]:
    """Returns the cards on the list, the highest level first, then by name."""
    cards = now.levels.items()
    rows = [ListedCard(ref, names.get(ref, ref), *standing, turns.get((ref, ""), "")) for ref, standing in cards]
    return tuple(sorted(rows, key=lambda row: (-row.level, row.name.casefold(), row.ref)))


def _groups(
    log: Log,
    now: ListState,
    names: Mapping[str, str],
    turns: Mapping[tuple[str, str], Turn],
    whys: Mapping[tuple[str, str, str], str],
    moved: Sequence[Change] = (),
) -> tuple[ListedGroup, ...]:
    """Returns the groups in force, and those that the announcement with the changes `moved` has just ended."""
    out = []

    def members(refs: Iterable[str]) -> tuple[GroupMember, ...]:
        return tuple(GroupMember(ref, names.get(ref, ref)) for ref in refs)

    for key, standing in sorted(now.sets.items()):
        turn = turns.get(("", key), "")
        if standing.level != OFF or turn:
            spec = log.groups.get(key, GroupSpec(key, ()))
            why = whys.get((now.list, "", key), "" if turn else standing.why)
            changes = [each for each in moved if each.group == key]
            joined, left = (members(each.card for each in changes if each.after == level) for level in (ON, OFF))
            of_day = standing.since, standing.announcement
            out.append(ListedGroup(spec, members(spec.cards), *of_day, why, turn, joined, left))
    return tuple(out)


def _before(log: Log, now: ListState, digest: str) -> str:
    """Returns the fingerprint of the list before its last change; empty if it never changed."""
    standings = (*now.cards.values(), *now.sets.values(), *now.members.values())
    days = {standing.since for standing in standings if standing.announcement}
    for day in sorted(days, reverse=True):
        earlier = state(log, now.list, date.fromordinal(max(1, day.toordinal() - 1)), now.known_at)
        other = fingerprint(earlier, log.levels, with_members(log, earlier).groups)
        if other != digest:
            return other
    return ""


def price_words(level: LevelSpec) -> list[str]:
    """Returns what a level demands besides a number of copies, such as `3 points a copy`, `exempt from groups`."""
    out = []
    if level.at_most_different is not None:
        out.append(f"at most {amount(level.at_most_different, 'different card')}")
    if level.points:
        out.append(f"{amount(level.points, 'point')} a copy")
    if level.surcharge:
        out.append(f"a surcharge of {level.surcharge} a copy")
    if level.exempt:
        out.append("exempt from groups")
    return out


def bounds_copies(level: LevelSpec) -> bool:
    """Returns whether a level has a known meaning and limits the number of copies."""
    return level.most is not None and level.most < UNBOUNDED


def budget_words(ban_list: ListSpec) -> str:
    """Returns a sentence such as `A deck may spend at most 7 points.`, or an empty text for a list without a budget."""
    return "" if ban_list.budget is None else f"A deck may spend at most {ban_list.budget} points."


def surcharge_words(ban_list: ListSpec) -> str:
    """Returns a sentence such as `Surcharges count as influence.`, or an empty text for a list without surcharges."""
    return f"Surcharges count as {ban_list.surcharge_of}." if ban_list.surcharge_of else ""


def query_words(group: GroupSpec) -> str:
    """Returns words such as `the cards that match set:core`, or an empty text for a group without a query."""
    return f"the cards that match {group.query}" if group.query else ""
