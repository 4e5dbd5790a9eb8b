"""The state of a list on a day: a pure function of the log, the day, and the moment up to which announcements count."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple

from carddb.bans.log import OFF, Announcement, Change, Log, Target, changes_of, day_made, is_due

_Announced = tuple[Announcement, Change]


class Standing(NamedTuple):
    """The level of a card (of a group: 0 or 1), since which day, by the id of which announcement, and why."""

    level: int
    since: date
    announcement: str
    why: str = ""


class State(NamedTuple):
    """A list on a day. `cards` (by reference) and `sets` (groups by key) also hold what is no longer on it."""

    list: str
    day: date
    known_at: datetime | None
    cards: Mapping[str, Standing]
    sets: Mapping[str, Standing]

    @property
    def levels(self) -> dict[str, Standing]:
        """The cards on the list, by reference, in order."""
        return {ref: self.cards[ref] for ref in sorted(self.cards) if self.cards[ref].level != OFF}

    @property
    def groups(self) -> dict[str, Standing]:
        """The groups in force, by key."""
        return {key: self.sets[key] for key in sorted(self.sets) if self.sets[key].level != OFF}


def state(log: Log, list_key: str, day: date, known_at: datetime | None = None) -> State:
    """The state of a list on a day, by the announcements made up to a moment (None: all).

    An announcement with too short or too long a notice is ignored. Of a card, list and day the later one counts
    (C-147). A withdrawal takes its target out of force from its own day on, and wholly where that comes before the
    target's day. A correction, or a change that supersedes another, does so too, and wholly also where it was made
    before the target's day.
    """
    log = log.announced_by(known_at)
    force = _Force(log, list_key)
    by_target: dict[Target, list[_Announced]] = defaultdict(list)
    for announcement, change in changes_of(log, list_key):
        by_target[change.target].append((announcement, change))
    standings = {target: force.standing(changes, day) for target, changes in by_target.items()}
    cards = {card: current for (_, card, _), current in standings.items() if card and current}
    sets = {group: current for (_, _, group), current in standings.items() if group and current}
    return State(list_key, day, known_at, cards, sets)


def standing(log: Log, target: Target, day: date) -> Standing | None:
    """The standing of one card or group of a list on a day, as in `state`."""
    list_key, card, group = target
    changes = [
        (announcement, change)
        for announcement, change in changes_of(log, list_key)
        if change.card == card and change.group == group
    ]
    return _Force(log, list_key).standing(changes, day)


def upcoming(log: Log, list_key: str, day: date, known_at: datetime | None = None) -> tuple[Announcement, ...]:
    """The announcements about a list that take effect after a day and have not been taken back, by that day."""
    log = log.announced_by(known_at)
    force = _Force(log, list_key)
    ahead = [each for each in log.announcements if each.effective > day and list_key in log.touched(each)]
    ahead = [each for each in ahead if is_due(log, each, list_key)]
    return tuple(sorted((each for each in ahead if force.comes(each)), key=lambda each: each.effective))


def takes_effect(log: Log, announcement: Announcement, target: Target) -> bool:
    """Whether an announcement changes a card or group of a list on its day: it is due, and nothing takes its place."""
    change = next((each for each in announcement.changes if each.target == target), None)
    if change is None or not is_due(log, announcement, change.list):
        return False
    return _Force(log, change.list).counts(announcement, change, announcement.effective)


def days_of_change(log: Log, list_key: str, known_at: datetime | None = None) -> tuple[date, ...]:
    """The days on which a list may change, in order."""
    log = log.announced_by(known_at)
    return tuple(sorted({each.effective for each in log.announcements if list_key in log.touched(each)}))


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
    """Decides which announcements of one list count on a day."""

    def __init__(self, log: Log, list_key: str) -> None:
        self._log = log
        self._list = list_key
        self._against: dict[str, list[Announcement]] = defaultdict(list)
        seen: set[str] = set()
        for announcement in log.announcements:
            # Whatever is taken back was made before: so there are no circles.
            targets = {announcement.target, announcement.supersedes} & seen
            for target in targets if targets and is_due(log, announcement, list_key) else ():
                self._against[target].append(announcement)
            seen.add(announcement.id)

    def standing(self, changes: Sequence[_Announced], until: date) -> Standing | None:
        """The standing after these changes, in the order of the log; None where it never was on the list."""
        current: Standing | None = None
        changes = sorted(
            (pair for pair in changes if is_due(self._log, pair[0], self._list)), key=lambda pair: pair[0].effective
        )
        concerned = self._concerned(changes)
        for day in sorted({each.effective for each in concerned if each.effective <= until}):
            last = next(
                (pair for pair in reversed(changes) if pair[0].effective <= day and self.counts(*pair, day)), None
            )
            level, why = (last[1].after, last[1].why) if last else (OFF, "")
            if last and last[0].effective == day:
                current = Standing(level, day, last[0].id, why)
            elif level != _level(current):
                cause = [each.id for each in concerned if each.effective == day][-1]
                current = Standing(level, day, cause, why)
        return current

    def comes(self, announcement: Announcement) -> bool:
        """Whether an announcement is still to take effect."""
        changes = announcement.changes or (None,)
        return any(self.counts(announcement, change, announcement.effective) for change in changes)

    def _concerned(self, changes: Sequence[_Announced]) -> list[Announcement]:
        """The announcements of these changes, those that take them back, and so on."""
        concerned = [announcement for announcement, _ in changes]
        for announcement in concerned:
            concerned += self._against[announcement.id]
        return concerned

    def counts(self, announcement: Announcement, change: Change | None, day: date) -> bool:
        """Whether a change (None: the whole announcement) has not been taken out of force on a day."""
        return not any(
            _takes(taker, announcement, change)
            and (taker.effective <= day or self._forestalls(taker, announcement))
            and self.counts(taker, None, day)
            for taker in self._against[announcement.id]
        )

    def _forestalls(self, taker: Announcement, announcement: Announcement) -> bool:
        early = day_made(self._log, taker, self._list) < announcement.effective
        return taker.kind != "withdrawal" and early


def _takes(taker: Announcement, announcement: Announcement, change: Change | None) -> bool:
    if taker.target == announcement.id:
        return taker.kind != "change"
    return change is not None and change.target in {other.target for other in taker.changes}
