"""The state of a list on a day: a pure function of the log, the day, and the moment up to which announcements count."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date, datetime
from types import MappingProxyType
from typing import NamedTuple

from carddb.bans.list_history import Standing, View, history_of
from carddb.bans.log import OFF, ON, Announcement, Change, Log

__all__ = [
    "Standing",
    "State",
    "days_of_change",
    "difference",
    "log_about",
    "state",
    "state_of",
    "upcoming",
    "with_members",
]


class State(NamedTuple):
    """A list on a day. `cards` (by reference) and `sets` (groups by key) also hold what is no longer on it.

    `members` are the cards, by group and reference, whose membership was ever changed.
    """

    list: str
    day: date
    known_at: datetime | None
    cards: Mapping[str, Standing]
    sets: Mapping[str, Standing]
    members: Mapping[tuple[str, str], Standing] = MappingProxyType({})

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
    cards = {card: current for (_, card, group), current in standings.items() if card and not group}
    sets = {group: current for (_, card, group), current in standings.items() if group and not card}
    members = {(group, card): current for (_, card, group), current in view.memberships(standings).items()}
    return State(list_key, day, known_at, cards, sets, members)


def with_members(log: Log, now: State) -> Log:
    """The log with the members that its groups have in a state of a list."""
    if not now.members:
        return log
    groups = dict(log.groups)
    for key, group in log.groups.items():
        left = {card for (of, card), standing in now.members.items() if of == key and standing.level == OFF}
        joined = [card for (of, card), standing in now.members.items() if of == key and standing.level != OFF]
        members = dict.fromkeys([*(card for card in group.members if card not in left), *joined])
        groups[key] = group._replace(members=tuple(members))
    return log._replace(groups=groups)


def upcoming(log: Log, list_key: str, day: date, known_at: datetime | None = None) -> tuple[Announcement, ...]:
    """The announcements about a list that take effect after a day and have not been taken back, by that day."""
    log = log.announced_by(known_at)
    return tuple(log.announcements[at] for at in history_of(log, list_key).full.upcoming(day))


def days_of_change(log: Log, list_key: str) -> tuple[date, ...]:
    """The days on which a list may change, in order."""
    history = history_of(log, list_key)
    return tuple(sorted({each.effective for at, each in enumerate(history.announcements) if history.touches(at)}))


def log_about(log: Log, cards: Collection[str]) -> Log:
    """The log with those announcements alone that may change what it says of these cards on any day."""
    groups = {group.key for group in log.groups_ever if group.query or not set(group.cards).isdisjoint(cards)}
    changes = (change for each in log.announcements for change in each.changes)
    groups |= {change.group for change in changes if change.group and change.card in cards}
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
    """What changed between two states of a list: cards, groups, members; with the reason of the later standing."""
    of_members = tuple(
        Change(after.list, card, group, old, standing.level, standing.why)
        for (group, card), standing in sorted(after.members.items())
        for was in [before.members.get((group, card))]
        for old in [was.level if was else ON - standing.level]
        if old != standing.level
    )
    return (*_of_cards_and_groups(before, after), *of_members)


def _of_cards_and_groups(before: State, after: State) -> tuple[Change, ...]:
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
