"""What a list says on a day: a pure function of the log, the day, and the moment up to which announcements count."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import NamedTuple

from carddb.bans.log import OFF, Announcement, Change, Log, changes_of, day_made


class Standing(NamedTuple):
    """The level of a card (of a group: 0 or 1), since which day, by the id of which announcement, and why."""

    level: int
    since: date
    announcement: str
    why: str = ""


class State(NamedTuple):
    """A list on a day. `cards` (by reference) and `sets` (groups by key) hold all that ever was on it."""

    list: str
    day: date
    known_at: datetime | None
    cards: Mapping[str, Standing]
    sets: Mapping[str, Standing]

    @property
    def levels(self) -> dict[str, Standing]:
        """The cards on the list, by reference, in natural order of text."""
        return {ref: self.cards[ref] for ref in sorted(self.cards) if self.cards[ref].level != OFF}

    @property
    def groups(self) -> dict[str, Standing]:
        """The groups in force, by key."""
        return {key: self.sets[key] for key in sorted(self.sets) if self.sets[key].level != OFF}


def state(log: Log, list_key: str, day: date, known_at: datetime | None = None) -> State:
    """A list as it stands on a day, by the announcements made up to a moment (None: all).

    Of a card, list and day the later announcement counts (C-147). A withdrawal takes its target out of force from its
    own day on, and wholly where that comes before the target's day. A correction, or a change that supersedes another,
    does so too, and wholly also where it was made before the target's day.
    """
    known = log.known(known_at)
    force = _Force(known, list_key)
    by_target: dict[tuple[str, str, str], list[tuple[Announcement, Change]]] = defaultdict(list)
    for announcement, change in changes_of(known, list_key):
        if announcement.effective <= day:
            by_target[change.target].append((announcement, change))
    cards, sets = {}, {}
    for (_, card, group), told in by_target.items():
        standing = force.standing(sorted(told, key=lambda pair: pair[0].effective), day)
        if standing:
            (cards if card else sets)[card or group] = standing
    return State(list_key, day, known_at, cards, sets)


def upcoming(log: Log, list_key: str, day: date, known_at: datetime | None = None) -> tuple[Announcement, ...]:
    """The announcements about a list that take effect after a day and have not been taken back, by that day."""
    known = log.known(known_at)
    force = _Force(known, list_key)
    ahead = [each for each in known.announcements if each.effective > day and list_key in known.touched(each)]
    return tuple(sorted((each for each in ahead if force.comes(each)), key=lambda each: each.effective))


def days_of_change(log: Log, list_key: str, known_at: datetime | None = None) -> tuple[date, ...]:
    """The days on which a list may change, in order."""
    known = log.known(known_at)
    return tuple(sorted({each.effective for each in known.announcements if list_key in known.touched(each)}))


def difference(before: State, after: State) -> tuple[Change, ...]:
    """What changed between two states of a list, cards before groups, each with the reason of its later standing."""
    return tuple(
        Change(after.list, "" if is_group else key, key if is_group else "", old, new, standing.why if standing else "")
        for is_group, was, now in ((False, before.cards, after.cards), (True, before.sets, after.sets))
        for key in sorted({*was, *now})
        for standing in [now.get(key)]
        for old, new in [(_level(was.get(key)), _level(standing))]
        if old != new
    )


def _level(standing: Standing | None) -> int:
    return standing.level if standing else OFF


class _Force:
    """Which announcements count on a day, for one list."""

    def __init__(self, log: Log, list_key: str) -> None:
        self._log = log
        self._list = list_key
        self._against: dict[str, list[Announcement]] = defaultdict(list)
        seen: set[str] = set()
        for announcement in log.announcements:
            # Whatever is taken back was made before: so there are no circles.
            for target in {announcement.target, announcement.supersedes} & seen:
                self._against[target].append(announcement)
            seen.add(announcement.id)

    def standing(self, told: list[tuple[Announcement, Change]], day: date) -> Standing | None:
        """How a card or group stands after its changes in order, those that do not count left out; None: never named.

        Where a change was in force and is no longer, what stands now stands since it was taken out.
        """
        found: Standing | None = None
        for announcement, change in told:
            out = self._out(announcement, change, day)
            if out is None:
                found = Standing(change.after, announcement.effective, announcement.id, change.why)
            elif out.effective > announcement.effective:
                level, reason = (found.level, found.why) if found else (OFF, "")
                if level != change.after:
                    found = Standing(level, out.effective, out.id, reason)
        return found

    def comes(self, announcement: Announcement) -> bool:
        """Whether an announcement is still to take effect."""
        if not announcement.changes:
            return self._by(announcement, None, announcement.effective) is None
        return any(self._by(announcement, change, announcement.effective) is None for change in announcement.changes)

    def _out(self, announcement: Announcement, change: Change, day: date) -> Announcement | None:
        return self._by(announcement, change, day)

    def _by(self, announcement: Announcement, change: Change | None, day: date) -> Announcement | None:
        """The first announcement that takes this one (or this change of it) out of force on a day."""
        takers = [
            each
            for each in self._against[announcement.id]
            if self._takes(each, announcement, change, day) and self._by(each, None, day) is None
        ]
        return min(takers, key=lambda each: each.effective, default=None)

    def _takes(self, taker: Announcement, announcement: Announcement, change: Change | None, day: date) -> bool:
        if taker.supersedes == announcement.id and taker.target != announcement.id:
            if change is None or change.target not in {other.target for other in taker.changes}:
                return False
        elif taker.kind == "change":
            return False
        early = taker.kind != "withdrawal" and day_made(self._log, taker, self._list) < announcement.effective
        return taker.effective <= day or early
