"""The state of a list on a day: a pure function of the log, the day, and the moment up to which announcements count."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date, datetime
from typing import NamedTuple

from carddb.bans.list_history import Standing, View, history_of
from carddb.bans.log import OFF, Announcement, Change, Log

__all__ = ["Standing", "State", "days_of_change", "difference", "log_about", "state", "state_of", "upcoming"]


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
    view = history_of(log.announced_by(known_at), list_key).full
    return state_of(view, list_key, day, known_at)


def state_of(view: View, list_key: str, day: date, known_at: datetime | None = None) -> State:
    """The state of a list on a day by the announcements of a view."""
    standings = dict(view.standings(day))
    cards = {card: current for (_, card, _), current in standings.items() if card}
    sets = {group: current for (_, _, group), current in standings.items() if group}
    return State(list_key, day, known_at, cards, sets)


def upcoming(log: Log, list_key: str, day: date, known_at: datetime | None = None) -> tuple[Announcement, ...]:
    """The announcements about a list that take effect after a day and have not been taken back, by that day."""
    log = log.announced_by(known_at)
    return tuple(log.announcements[at] for at in history_of(log, list_key).full.upcoming(day))


def days_of_change(log: Log, list_key: str, known_at: datetime | None = None) -> tuple[date, ...]:
    """The days on which a list may change, in order."""
    history = history_of(log.announced_by(known_at), list_key)
    return tuple(sorted({each.effective for at, each in enumerate(history.announcements) if history.touches(at)}))


def log_about(log: Log, cards: Collection[str]) -> Log:
    """The log with those announcements alone that may change what it says of these cards on any day."""
    groups = {group.key for group in log.groups_ever if not set(group.cards).isdisjoint(cards)}
    ids: set[str] = set()
    announcements = []
    for each in log.announcements:
        if {each.target, each.supersedes} & ids or any(
            change.card in cards or change.group in groups for change in each.changes
        ):
            ids.add(each.id)
            announcements.append(each)
    return log._replace(announcements=tuple(announcements))


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
