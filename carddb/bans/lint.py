"""Checks of announcements against those made before them, and of a log as a whole."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

from carddb.bans.log import OFF, ON, Announcement, Change, Log, Target, day_made, level_text, notice, replaced_by
from carddb.bans.state import Standing, View, difference, history_of, state, state_of
from carddb.cards.query import parse
from carddb.core.errors import QueryError
from carddb.core.names import did_you_mean
from carddb.findings import Finding, Place, Severity, error, warning
from carddb.game.parts import FieldSpec

Places = Mapping[tuple[str | int, ...], Place]
"""The places of parts of a log in its file, by a path for each part.

`(id,)` is an announcement, `(id, index)` a change of it, `("group", key)` a group, and `("list", key)` a list.
"""


def allows_waivers(options: Mapping[str, Any]) -> bool:
    """Returns whether a waiver excuses a wrong notice, as the option `notice_waiver` says (by default it does)."""
    return bool(options.get("notice_waiver", True))


class KnownCards(NamedTuple):
    """The references of all known cards, and where the parts of a log are in its file.

    `fields` are those that queries of groups may use, `formats` the keys that lists may name. References, fields and
    formats that are None are not checked. `waivers` says whether a waiver can excuse a wrong notice; it does so in any
    case for the announcements `held`, those already in the log, and then gives a warning.
    """

    refs: Collection[str] | None = None
    places: Places = MappingProxyType({})
    fields: Mapping[str, FieldSpec] | None = None
    formats: Collection[str] | None = None
    waivers: bool = True
    held: Collection[str] = ()


def added(log: Log, new: Iterable[Announcement]) -> Log:
    """Returns the log with further announcements, in the order in which they were made."""
    return log._replace(announcements=tuple(sorted([*log.announcements, *new], key=lambda each: each.made)))


def unknown(kind: str, name: str, names: Collection[str], place: Place, by: str) -> Finding:
    """Returns the finding for an unknown card, group, list or level, suggesting the nearest of `names`."""
    otherwise = "Load the card first, or correct the reference." if kind == "card" else None
    fix = did_you_mean(name, sorted(names), otherwise)
    return error(f"ban_{kind}_unknown", f"{by} names the {kind} {name}, which is not known", place, fix=fix)


class AnnouncementCheck:
    """Checks the announcement at the position `at` of a log, called `new`, against those made before it."""

    def __init__(self, log: Log, at: int, cards: KnownCards) -> None:
        self.log = log
        self.new = log.announcements[at]
        self.at = at
        self.cards = cards
        self.place = cards.places.get((self.new.id,), Place())
        self.lists = [key for key in log.touched(self.new) if key in log.lists and history_of(log, key).touches(at, at)]

    def findings(self) -> Iterator[Finding]:
        """Yields every fault of the announcement."""
        yield from self._others()
        yield from self._notice()
        yield from self._neighbours()
        seen: set[Target] = set()
        for number, change in enumerate(self.new.changes):
            place = self.cards.places.get((self.new.id, number), self.place)
            if change.target in seen:
                message = f"{self.new.id} changes {_target(change)} twice"
                yield error("ban_duplicate", message, place, fix="Keep one of the two changes.")
            else:
                seen.add(change.target)
                yield from list(self._unknown(change, place)) or self._change(change, place)

    def _others(self) -> Iterator[Finding]:
        """Yields findings about the earlier announcements to which this one refers."""
        for other in filter(None, (self.new.target, self.new.supersedes)):
            withdrawal = self._withdrawal_of(other)
            if self._earlier(other) is None:
                message = f"{self.new.id} refers to {other}, but there is no such announcement before it"
                earlier = [each.id for each in self.log.announcements[: self.at]]
                fix = did_you_mean(other, earlier, "Name the id of an earlier announcement.")
                yield error("ban_target_unknown", message, self.place, fix=fix)
            elif withdrawal:
                message = f"{self.new.id} refers to {other}, which {withdrawal} has withdrawn already"
                yield error("ban_no_op", message, self.place, fix="Name another announcement, or leave it out.")
            elif self.new.kind == "withdrawal" and (target := self._earlier(self.new.target)):
                day, gone = max(self.new.effective, target.effective), target.id
                if not any(self._changes_anything(key, day) for key in self.lists):
                    message = f"{self.new.id} withdraws {gone}, but nothing that {gone} changed is in force on {day}"
                    fix = "Withdraw what replaced it, if that was meant."
                    yield warning("ban_no_op", message, self.place, fix=fix)

    def _earlier(self, id_: str) -> Announcement | None:
        """Returns the announcement with this id if it was made before this one, otherwise None."""
        at = self.log.positions.get(id_, self.at)
        return self.log.announcements[at] if at < self.at else None

    def _withdrawal_of(self, id_: str, since: int = -1) -> str:
        """Returns the id of the earlier announcement that withdraws `id_` and is not withdrawn itself, or ""."""
        for kind, other in reversed(self.log.answers(id_)):
            at = self.log.positions[other]
            if kind == "withdrawal" and since < at < self.at and not self._withdrawal_of(other, at):
                return other
        return ""

    def _changes_anything(self, list_key: str, day: date) -> bool:
        """Returns whether this announcement changes a list on a day; a wrong notice is another finding."""
        history = history_of(self.log, list_key)
        views = (history.by(self.at), View(history, self.at + 1, waived=self.at))
        return bool(difference(*(state_of(view, list_key, day) for view in views)))

    def _notice(self) -> Iterator[Finding]:
        """Yields findings about the notice that this announcement gives for each list, and about a needless waiver."""
        if not self.new.made_known:
            return
        outside = [key for key in self.lists if not self.log.window.holds(notice(self.log, self.new, key))]
        if self.new.waiver and self.lists and not outside:
            message = f"{self.new.id} has a waiver, but its notice is allowed without one"
            yield warning("ban_waiver_expired", message, self.place, fix="Leave the waiver out.")
        elif not (self.new.waiver and self.cards.waivers):
            yield from map(self._outside, outside)

    def _outside(self, list_key: str) -> Finding:
        """Returns the finding for a wrong notice, which is not an error if the announcement is in force anyway."""
        (least, most), days = self.log.window, notice(self.log, self.new, list_key)
        made_on, spec = day_made(self.log, self.new, list_key), self.log.lists[list_key]
        message = (
            f"{self.new.id} was announced on {made_on} ({spec.zone}) and takes effect on {self.new.effective}: "
            f"{days} {'day' if abs(days) == 1 else 'days'} of notice, {least} to {most} are allowed"
        )
        first, last = made_on + timedelta(least), made_on + timedelta(most)
        fix = f"Choose a day from {first} to {last}" + (
            ", or give the reason as a waiver." if self.cards.waivers else "."
        )
        severity = Severity.ERROR
        if self.new.waiver:
            message += ", and the rules know no waiver"
            if self.new.id in self.cards.held:
                severity, fix = Severity.WARNING, "It stays in effect, but a new one with such a day is refused."
        elif history_of(self.log, list_key).by(self.at).due(self.at):
            severity = Severity.WARNING if days <= 0 else Severity.INFO
            free = "A correction" if self.new.kind == "correction" else "A withdrawal before its target's day"
            fix = f"{free} may have any notice" + ("; a waiver tells the players why." if self.cards.waivers else ".")
        data = {"days": days, "least": least, "most": most, "list": list_key}
        return Finding("ban_window", severity, message, (self.place,), data=data, fix=fix)

    def _neighbours(self) -> Iterator[Finding]:
        """Yields a finding for each earlier announcement about the same list that has not taken effect yet."""
        own = {change.target for change in self.new.changes}
        for key in self.lists:
            made_on = day_made(self.log, self.new, key)
            for other in self._pending(key):
                if own & {change.target for change in other.changes}:
                    continue
                overtakes = f"; {self.new.id} overtakes the other" if self.new.effective < other.effective else ""
                message = (
                    f"the windows of {self.new.id} ({made_on} to {self.new.effective}) and {other.id} "
                    f"({day_made(self.log, other, key)} to {other.effective}) on the {key} list overlap{overtakes}"
                )
                data = {"other": other.id, "list": key}
                fix = "Each takes effect on its day; tell the players of both."
                yield Finding("ban_overlap", Severity.INFO, message, (self.place,), data=data, fix=fix)

    def _pending(self, list_key: str) -> list[Announcement]:
        """Returns the earlier announcements that have not taken effect when this one is made, and are not replaced."""
        view = history_of(self.log, list_key).by(self.at)
        pending = (self.log.announcements[at] for at in view.upcoming(day_made(self.log, self.new, list_key)))
        return [each for each in pending if each.id not in (self.new.supersedes, self.new.target)]

    def _unknown(self, change: Change, place: Place) -> Iterator[Finding]:
        by = self.new.id
        if change.list not in self.log.lists:
            yield unknown("list", change.list, self.log.lists, place, by)
        if change.group and change.group not in self.log.groups:
            yield unknown("group", change.group, self.log.groups, place, by)
        if change.card and self.cards.refs is not None and change.card not in self.cards.refs:
            yield unknown("card", change.card, self.cards.refs, place, by)
        for level in (change.before, change.after) if change.card and not change.group else ():
            if level != OFF and level not in self.log.levels:
                yield unknown("level", str(level), [*map(str, self.log.levels)], place, by)

    def _change(self, change: Change, place: Place) -> Iterator[Finding]:
        if change.before == change.after:
            level = level_text(change.after, bool(change.group))
            message = f"{self.new.id}: {_target(change)} goes from {level} to {level}"
            yield error("ban_no_op", message, place, fix="Leave the change out.")
            return
        usual = self._usual(change)
        if change.before not in [each.level if each else usual for each in self._standings(change)]:
            yield self._differs(change, place)
        yield from self._overlaps(change, place)

    def _usual(self, change: Change) -> int:
        """Returns the level before the first change: ON for a card that a group names as a member, otherwise OFF."""
        group = self.log.groups.get(change.group) if change.card else None
        return ON if group and change.card in group.cards else OFF

    def _standings(self, change: Change) -> Iterator[Standing | None]:
        """Yields the standings that `from` may state: with, and without the announcements that this one replaces."""
        yield self._standing(change)
        if self._replaced:
            view = View(history_of(self.log, change.list), self.at, without=self._replaced)
            yield view.standing(change.target, self.new.effective)

    def _standing(self, change: Change) -> Standing | None:
        """Returns the standing of the changed card or group on the day of effect, before this announcement."""
        return history_of(self.log, change.list).by(self.at).standing(change.target, self.new.effective)

    @cached_property
    def _replaced(self) -> frozenset[int]:
        """The positions of the announcements that this one replaces, of those that these replaced, and so on."""
        return frozenset(self.log.positions[each.id] for each in replaced_by(self.log, self.new.id))

    def _differs(self, change: Change, place: Place) -> Finding:
        current = self._standing(change)
        stated, actual = (
            level_text(level, bool(change.group))
            for level in (change.before, current.level if current else self._usual(change))
        )
        source = f" since {current.since}, by {current.announcement}" if current else ""
        message = f"{self.new.id} takes {_target(change)} from {stated} on {self.new.effective}; it is {actual}{source}"
        data = {"from": stated, "level": actual, "announcement": current.announcement if current else ""}
        fix = f"Write from: {actual}, or see what was meant."
        return error("ban_from_differs", message, place, data=data, fix=fix)

    def _overlaps(self, change: Change, place: Place) -> Iterator[Finding]:
        """Yields a finding for each pending earlier announcement that will change the same card or group on its day."""
        day, view = self.new.effective, history_of(self.log, change.list).by(self.at)
        for other in self._pending(change.list):
            own = next((each for each in other.changes if each.target == change.target), None)
            at = self.log.positions[other.id]
            if own is None or not (view.due(at) and view.counts(at, own, other.effective)):
                continue
            message = f"{self.new.id} changes {_target(change)} on {day}; {other.id} is to do so on {other.effective}"
            fix = f"Both will be done, each on its day; write supersedes: {other.id} where only this one is meant."
            # A change that takes effect after the other needs no warning.
            severity = Severity.WARNING if day < other.effective else Severity.INFO
            if day == other.effective:
                severity, fix = Severity.ERROR, f"Write supersedes: {other.id}, or choose another day."
            yield Finding("ban_overlap", severity, message, (place,), data={"other": other.id}, fix=fix)


def _target(change: Change) -> str:
    if change.group and change.card:
        return f"the member {change.card} of the group {change.group} of the list {change.list}"
    return f"{f'the group {change.group}' if change.group else change.card} of the list {change.list}"


def expanded(log: Log, new: Iterable[Announcement]) -> tuple[Announcement, ...]:
    """Returns the announcements; those that replace whole lists get the changes that follow from the log before them.

    An announcement that already names its changes stays as it is.
    """
    out: list[Announcement] = []
    for this in sorted(new, key=lambda each: each.made):
        changes = this.changes
        if this.replaces and not changes:
            earlier = [each for each in log.announcements if each.made <= this.made and each.id != this.id]
            ids = {each.id for each in earlier}
            base = added(log._replace(announcements=tuple(earlier)), [each for each in out if each.id not in ids])
            changes = tuple(_changes(base, this))
        out.append(this._replace(changes=changes))
    return tuple(out)


def _changes(log: Log, announcement: Announcement) -> Iterator[Change]:
    for whole in announcement.replaces:
        now = state(log, whole.list, announcement.effective)
        levels, levels_after = {ref: standing.level for ref, standing in now.levels.items()}, dict(whole.cards)
        for ref in sorted({*levels, *levels_after}):
            before, after = levels.get(ref, OFF), levels_after.get(ref, OFF)
            if before != after:
                yield Change(whole.list, ref, "", before, after)
        groups = set(now.groups)
        for key in sorted(groups ^ set(whole.groups)):
            before, after = (ON, OFF) if key in groups else (OFF, ON)
            yield Change(whole.list, "", key, before, after)


_NOTHING = KnownCards()


def lint(log: Log, cards: KnownCards = _NOTHING) -> list[Finding]:
    """Returns every fault of a log, with each announcement checked against those made before it."""
    return [
        *formats(log, cards),
        *groups(log, cards),
        *_announcements(log, cards, {each.id for each in log.announcements}),
    ]


def formats(log: Log, cards: KnownCards = _NOTHING) -> Iterator[Finding]:
    """Yields a warning for each list whose format is unknown, because no deck is ever checked against such a list."""
    for key, each in log.lists.items():
        if cards.formats is not None and each.format and each.format not in cards.formats:
            message = f"the list {key} is for the format {each.format}, which is not known: it binds no deck"
            fix = did_you_mean(each.format, cards.formats) or "Leave the format out."
            yield warning("ban_format_unknown", message, cards.places.get(("list", key), Place()), fix=fix)


def groups(log: Log, cards: KnownCards = _NOTHING) -> Iterator[Finding]:
    """Yields findings about unknown cards in groups, and about invalid queries of groups."""
    for key, group in log.groups.items():
        if group.query and cards.fields is not None:
            try:
                parse(group.query, cards.fields)
            except QueryError as fault:
                message = f"the query of the group {key} cannot be read: {fault.reason}, in {group.query}"
                place, fix = cards.places.get(("group", key), Place()), fault.remedy or "Correct the query."
                yield error("ban_query_invalid", message, place, fix=fix)
        for ref in group.cards:
            if cards.refs is not None and ref not in cards.refs:
                yield unknown("card", ref, cards.refs, cards.places.get(("group", key), Place()), f"the group {key}")


def faults(log: Log, new: Sequence[Announcement], cards: KnownCards = _NOTHING) -> list[Finding]:
    """Returns the faults of announcements to be added to a log, each checked against those made before it."""
    fresh, repeated, late = [], [], []
    for each in new:
        place = cards.places.get((each.id,), Place())
        if log.announcement(each.id):
            message = f"an announcement {each.id} was made already, and what was announced is never changed"
            fix = "Give it another id; to change what was announced make a correction or a withdrawal."
            repeated.append(error("ban_duplicate", message, place, fix=fix))
            continue
        fresh.append(each)
        last = log.announcements[-1] if log.announcements else each
        if each.made < last.made and each.made_known:
            message = f"{each.id} was made before {last.id}, which is in the log already"
            fix = "Check the time: whoever looked at the list in between did not see this announcement."
            late.append(warning("ban_order", message, place, fix=fix))
    return [*repeated, *late, *_announcements(added(log, fresh), cards, {each.id for each in fresh})]


def out_of_order(announcements: Sequence[Announcement], places: Places) -> Iterator[Finding]:
    """Yields a warning for each announcement that follows, in its file, one that was made later."""
    for one, other in pairwise(announcements):
        if one.made > other.made:
            message = f"{other.id} stands after {one.id}, which was made later"
            fix = "Put them in the order in which they were made."
            yield warning("ban_order", message, places.get((other.id,), Place()), fix=fix)


def _announcements(log: Log, cards: KnownCards, ids: Collection[str]) -> Iterator[Finding]:
    for at, announcement in enumerate(log.announcements):
        if announcement.id in ids:
            yield from AnnouncementCheck(log, at, cards).findings()
