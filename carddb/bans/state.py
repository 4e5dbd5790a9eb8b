"""The state of a list on a day, and why a card is on it: pure functions of the log, the day and a moment."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache, cached_property, lru_cache
from itertools import accumulate
from types import MappingProxyType
from typing import NamedTuple

from carddb.bans.log import (
    OFF,
    ON,
    Announcement,
    Change,
    GroupSpec,
    ListSpec,
    Log,
    Target,
    Window,
    changes_of,
    day_made,
)
from carddb.core.groups import grouped
from carddb.core.names import Identity


class LevelStanding(NamedTuple):
    """A card's level (0 or 1 for a group or membership), with its first day, its announcement's id and the reason."""

    level: int
    since: date
    announcement: str
    why: str = ""


class LoggedChange(NamedTuple):
    """A change of a card or group, with its day of effect and the index of its announcement in the log."""

    effective: date
    at: int
    change: Change


class ListHistory:
    """The announcements of a log as they affect one list."""

    def __init__(self, log: Log, list_key: str) -> None:
        self.announcements = log.announcements
        self.positions = log.positions
        self.end = len(log.announcements)
        self._list = list_key
        self.made_on = [day_made(log, each, list_key) for each in log.announcements]
        self.in_window = [
            not each.made_known or log.window.holds((each.effective - made_on).days)
            for each, made_on in zip(log.announcements, self.made_on, strict=True)
        ]
        self.takers: dict[str, list[int]] = defaultdict(list)
        """The indices of the later announcements that withdraw, correct or supersede an announcement, by its id."""
        self.entries = grouped(
            (change.target, LoggedChange(announcement.effective, at, change))
            for at, announcement in enumerate(log.announcements)
            for change in announcement.changes
            if change.list == list_key
        )
        for at, announcement in enumerate(log.announcements):
            # An announcement can only take back earlier ones, so there are no cycles.
            for target in {announcement.target, announcement.supersedes}:
                if self._position(target, at) is not None:
                    self.takers[target].append(at)
        for entries in self.entries.values():
            entries.sort(key=lambda entry: entry.effective)
        self.days = {target: [entry.effective for entry in entries] for target, entries in self.entries.items()}
        self.related_days = cache(self._related_days)

    def initial(self, target: Target) -> int:
        """Returns the level before the first change: for a group's member what this change states, otherwise OFF."""
        return self.entries[target][0].change.before if target[1] and target[2] else OFF

    @cached_property
    def full(self) -> LogView:
        """The list by all announcements."""
        return LogView(self, self.end)

    @cached_property
    def latest(self) -> list[date]:
        """For each announcement by index, the latest day of effect among it and the ones before it."""
        return list(accumulate((each.effective for each in self.announcements), max))

    @cached_property
    def earliest(self) -> list[date]:
        """For each announcement by index, the earliest day of effect among it and the ones after it."""
        return list(accumulate((each.effective for each in reversed(self.announcements)), min))[::-1]

    @cached_property
    def by_effect(self) -> list[tuple[date, int]]:
        """The day of effect and the index of each announcement, sorted."""
        return sorted((each.effective, at) for at, each in enumerate(self.announcements))

    def touches(self, at: int, end: int | None = None) -> bool:
        """Returns whether the announcement with the index `at`, or the one that it withdraws, changes the list.

        Withdrawn announcements are looked for only among the first `end` (None means all).
        """
        seen = {at}
        while self.announcements[at].kind == "withdrawal":
            target = self._position(self.announcements[at].target, self.end if end is None else end)
            if target is None or target in seen:
                break
            at = target
            seen.add(at)
        return any(change.list == self._list for change in self.announcements[at].changes)

    def by(self, end: int) -> LogView:
        """Returns a view of the list in which only the first `end` announcements count."""
        return LogView(self, end)

    def _related_days(self, target: Target) -> list[date]:
        """Returns the sorted days of effect of a target's changes, of announcements that take these back, and so on."""
        positions = [entry.at for entry in self.entries.get(target, ())]
        seen = set(positions)
        for at in positions:
            for taker in self.takers.get(self.announcements[at].id, ()):
                if taker not in seen:
                    seen.add(taker)
                    positions.append(taker)
        return sorted({self.announcements[at].effective for at in positions})

    def _position(self, id_: str, end: int) -> int | None:
        at = self.positions.get(id_)
        return at if at is not None and at < end else None


@dataclass(frozen=True, slots=True)
class LogView:
    """A list by the first `end` announcements, without the indices in `without`; index `waived` may have any notice."""

    history: ListHistory
    end: int
    without: frozenset[int] = frozenset()
    waived: int | None = None

    def has(self, at: int) -> bool:
        """Returns whether the announcement with the index `at` counts in this view."""
        return at < self.end and at not in self.without

    def due(self, at: int) -> bool:
        """Returns whether the announcement with the index `at` takes effect: its notice is allowed or free (C-146)."""
        announcement = self.history.announcements[at]
        if announcement.waiver or announcement.kind == "correction" or at == self.waived:
            return True
        if announcement.kind == "withdrawal":
            target = self.history.positions.get(announcement.target)
            forestalled = target is not None and self.has(target) and self.history.announcements[target].effective
            if forestalled and announcement.effective <= forestalled:
                return True
        return self.history.in_window[at]

    def standing(self, target: Target, until: date) -> LevelStanding | None:
        """Returns the level of a target at the end of the day `until`, with its cause; None if it was never changed."""
        days = self.history.related_days(target)
        for number in range(bisect_right(days, until) - 1, -1, -1):
            day = days[number]
            last = self._last(target, day)
            level, why = (last.change.after, last.change.why) if last else (self.history.initial(target), "")
            if last and last.effective == day:
                return LevelStanding(level, day, self.history.announcements[last.at].id, why)
            before = self._last(target, days[number - 1]) if number else None
            if level != (before.change.after if before else self.history.initial(target)):
                cause = [at for at in self._concerned(target) if self.history.announcements[at].effective == day][-1]
                return LevelStanding(level, day, self.history.announcements[cause].id, why)
        return None

    def standings(self, until: date) -> Iterator[tuple[Target, LevelStanding]]:
        """Yields every card, group and membership ever changed, with its level at the end of `until` and its cause."""
        for target, entries in self.history.entries.items():
            current = self.standing(target, until) if any(self.has(entry.at) for entry in entries) else None
            if current:
                yield target, current

    def memberships(self, standings: Mapping[Target, LevelStanding]) -> Mapping[Target, LevelStanding]:
        """Returns the standing of every membership that is ever changed; the initial one if `standings` has none."""
        return {
            target: standings.get(target) or LevelStanding(self.history.initial(target), date.min, "")
            for target in self.history.entries
            if target[1] and target[2]
        }

    def counts(self, at: int, change: Change | None, day: date) -> bool:
        """Returns whether change `change` of announcement `at` (None: all) is not taken back by the end of `day`."""
        announcement = self.history.announcements[at]
        for taker in self.history.takers.get(announcement.id, ()):
            other = self.history.announcements[taker]
            if not (taker > at and self.has(taker) and self.due(taker) and _takes(other, announcement, change)):
                continue
            forestalls = other.kind != "withdrawal" and self.history.made_on[taker] < announcement.effective
            if (other.effective <= day or forestalls) and self.counts(taker, None, day):
                return False
        return True

    def comes(self, at: int) -> bool:
        """Returns whether announcement `at` changes the list, has an allowed notice, and is not taken back before."""
        announcement = self.history.announcements[at]
        return (
            self.history.touches(at, self.end)
            and self.due(at)
            and any(self.counts(at, change, announcement.effective) for change in announcement.changes or (None,))
        )

    def upcoming(self, day: date) -> list[int]:
        """Returns the indices of the announcements that take effect after `day`, sorted by their days of effect."""
        ahead = []
        for at in range(self.end - 1, -1, -1):
            if self.history.latest[at] <= day:
                break
            if self.history.announcements[at].effective > day and self.has(at) and self.comes(at):
                ahead.append(at)
        return sorted(sorted(ahead), key=lambda at: self.history.announcements[at].effective)

    def next_day(self, day: date) -> date | None:
        """Returns the first day after `day` on which an announcement takes effect; None if there is none."""
        if self.end < self.history.end:
            return min((self.history.announcements[at].effective for at in self.upcoming(day)), default=None)
        by_effect = self.history.by_effect
        later = range(bisect_left(by_effect, (day, self.end)), len(by_effect))
        return next((by_effect[number][0] for number in later if self.comes(by_effect[number][1])), None)

    def _last(self, target: Target, day: date) -> LoggedChange | None:
        """Returns the last change of a card or group that is in force on a day; None if there is none."""
        entries = self.history.entries[target]
        for number in range(bisect_right(self.history.days[target], day) - 1, -1, -1):
            entry = entries[number]
            if self.has(entry.at) and self.due(entry.at) and self.counts(entry.at, entry.change, day):
                return entry
        return None

    def _concerned(self, target: Target) -> list[int]:
        """Returns the indices of announcements that change a card or group, then of those that take these back."""
        concerned = [entry.at for entry in self.history.entries[target] if self.has(entry.at) and self.due(entry.at)]
        for at in concerned:
            takers = self.history.takers.get(self.history.announcements[at].id, ())
            concerned += [taker for taker in takers if self.has(taker) and self.due(taker)]
        return concerned


def history_of(log: Log, list_key: str) -> ListHistory:
    """Returns the history of a list. It is computed once for the same announcements."""
    return _history(Identity(log.announcements), list_key, log.lists.get(list_key), log.window)


@lru_cache(maxsize=16)
def _history(
    announcements: Identity[tuple[Announcement, ...]], list_key: str, spec: ListSpec | None, window: Window
) -> ListHistory:
    lists = {list_key: spec} if spec else {}
    return ListHistory(Log(lists=lists, announcements=announcements.value, window=window), list_key)


def _takes(taker: Announcement, announcement: Announcement, change: Change | None) -> bool:
    if taker.target == announcement.id:
        return taker.kind != "change"
    return change is not None and change.target in {other.target for other in taker.changes}


class ListState(NamedTuple):
    """A list on a day: the standing of every card (by reference) and group (`sets`, by key) that was ever changed.

    `members` has the standing of every membership that was ever changed, by the group's key and the card's reference.
    """

    list: str
    day: date
    known_at: datetime | None
    cards: Mapping[str, LevelStanding]
    sets: Mapping[str, LevelStanding]
    members: Mapping[tuple[str, str], LevelStanding] = MappingProxyType({})

    @property
    def levels(self) -> dict[str, LevelStanding]:
        """The cards on the list, sorted by reference."""
        return {ref: self.cards[ref] for ref in sorted(self.cards) if self.cards[ref].level != OFF}

    @property
    def groups(self) -> dict[str, LevelStanding]:
        """The groups in force, sorted by key."""
        return {key: self.sets[key] for key in sorted(self.sets) if self.sets[key].level != OFF}


def state(log: Log, list_key: str, day: date, known_at: datetime | None = None) -> ListState:
    """Returns the state of a list on a day, by the announcements made up to `known_at` (None means all).

    An announcement with too short or too long a notice is ignored. If two change the same card on the same day, the
    one made later counts (C-147). A withdrawal ends its target from its own day of effect on; if that is not after the
    target's, the target never takes effect. A correction, or a change that supersedes another, ends its target in the
    same way; if it was made before the target's day of effect, the target never takes effect.
    """
    view = history_of(log.announced_by(known_at), list_key).full
    return state_of(view, list_key, day, known_at)


def state_of(view: LogView, list_key: str, day: date, known_at: datetime | None = None) -> ListState:
    """Returns the state of a list on a day, by the announcements of `view`."""
    standings = dict(view.standings(day))
    cards = {card: current for (_, card, group), current in standings.items() if card and not group}
    sets = {group: current for (_, card, group), current in standings.items() if group and not card}
    members = {(group, card): current for (_, card, group), current in view.memberships(standings).items()}
    return ListState(list_key, day, known_at, cards, sets, members)


def with_members(log: Log, now: ListState) -> Log:
    """Returns the log with each group's members as they are in the state `now`."""
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
    """Returns the announcements made up to `known_at` that will change a list after `day`, by their days of effect."""
    log = log.announced_by(known_at)
    return tuple(log.announcements[at] for at in history_of(log, list_key).full.upcoming(day))


def days_of_change(log: Log, list_key: str) -> tuple[date, ...]:
    """Returns the days on which a list may change, sorted."""
    history = history_of(log, list_key)
    return tuple(sorted({each.effective for at, each in enumerate(history.announcements) if history.touches(at)}))


def log_about(log: Log, cards: Collection[str]) -> Log:
    """Returns the log with only the announcements that may affect the cards with these references on any day."""
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


def difference(before: ListState, after: ListState) -> tuple[Change, ...]:
    """Returns the changes of cards, groups and memberships from one state to another, with the reasons in `after`."""
    nothing, pairs = LevelStanding(OFF, date.min, ""), []
    for ref in sorted({*before.cards, *after.cards}):
        pairs.append((ref, "", before.cards.get(ref, nothing), after.cards.get(ref, nothing)))
    for key in sorted({*before.sets, *after.sets}):
        pairs.append(("", key, before.sets.get(key, nothing), after.sets.get(key, nothing)))
    for (key, ref), new in sorted(after.members.items()):
        pairs.append((ref, key, before.members.get((key, ref), new._replace(level=ON - new.level)), new))
    changes = (Change(after.list, ref, key, old.level, new.level, new.why) for ref, key, old, new in pairs)
    return tuple(change for change in changes if change.before != change.after)


class Hold(NamedTuple):
    """A restriction of cards on a list: the level of `card` (`group` is None), or a group."""

    card: str
    group: GroupSpec | None
    standing: LevelStanding
    announcement: Announcement | None


class HistoryEntry(NamedTuple):
    """A change of a card or its group, with its announcement."""

    announcement: Announcement
    change: Change


def holds(log: Log, state: ListState, cards: Collection[str]) -> list[Hold]:
    """Returns the restrictions of some cards on a list: their levels, and the groups in force with two of them.

    For a single card, these are all its groups in force. For several, a group with an anchor needs the anchor.
    """
    restrictions = [
        Hold(card, None, standing, log.announcement(standing.announcement))
        for card in cards
        if (standing := state.levels.get(card))
    ]
    for key, standing in state.groups.items():
        group = log.groups.get(key)
        if group and _within(group, cards) >= min(2, len(set(cards))):
            restrictions.append(Hold("", group, standing, log.announcement(standing.announcement)))
    return restrictions


def history(log: Log, list_key: str, card: str) -> list[HistoryEntry]:
    """Returns every change of a card and of its groups on a list, in the order of announcement."""
    groups = {key for key, group in log.groups.items() if card in group.cards}
    groups |= {change.group for _, change in changes_of(log, list_key) if change.card == card and change.group}
    return [
        HistoryEntry(*pair)
        for pair in changes_of(log, list_key)
        if pair[1].card == card or (pair[1].group in groups and not pair[1].card)
    ]


def _within(group: GroupSpec, cards: Collection[str]) -> int:
    members = set(group.cards) & set(cards)
    # An anchor forbids the others; they do not forbid each other.
    return 0 if len(set(cards)) > 1 and group.anchor is not None and group.anchor not in members else len(members)
