"""Checks of announcements against those made before them, and of a log as a whole."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

from carddb.bans.log import OFF, ON, Announcement, Change, Log, Target, day_made, level_text, notice, replaced_by
from carddb.bans.state import LevelStanding, LogView, difference, history_of, state, state_of
from carddb.cards.query import parse
from carddb.core.errors import QueryError
from carddb.core.names import did_you_mean
from carddb.findings import Finding, Place, Severity, error, warning
from carddb.game.parts import FieldSpec

Places = Mapping[tuple[str | int, ...], Place]
"""The places of the parts of a log in its file.

An announcement's key is `(id,)`, a change's `(id, index)`, a group's `("group", key)`, a list's `("list", key)`.
"""


def allows_waivers(options: Mapping[str, Any]) -> bool:
    """Returns whether a waiver excuses a wrong notice, as the option `notice_waiver` says (by default it does)."""
    return bool(options.get("notice_waiver", True))


class KnownCards(NamedTuple):
    """The references of all cards, and the names that a log may use, against which it is checked.

    `places` says where its parts are in its file. `fields` are the fields that queries of groups may use, and `formats`
    the keys of formats that lists may name. References, fields and formats that are None are not checked. `waivers`
    says whether a waiver excuses a wrong notice. If not, it is only a warning in those whose ids are in `held`, which
    the log has.
    """

    refs: Collection[str] | None = None
    places: Places = MappingProxyType({})
    fields: Mapping[str, FieldSpec] | None = None
    formats: Collection[str] | None = None
    waivers: bool = True
    held: Collection[str] = ()


def added(log: Log, new: Iterable[Announcement]) -> Log:
    """Returns the log with the further announcements `new`, all sorted by when they were made."""
    return log._replace(announcements=tuple(sorted([*log.announcements, *new], key=lambda each: each.made)))


def unknown(kind: str, name: str, names: Collection[str], place: Place, by: str) -> Finding:
    """Returns the finding that `by` names an unknown card, group, list or level; its fix is the nearest of `names`."""
    otherwise = "Load the card first, or correct the reference." if kind == "card" else None
    fix = did_you_mean(name, sorted(names), otherwise)
    return error(f"ban_{kind}_unknown", f"{by} names the {kind} {name}, which is not known", place, fix=fix)


class AnnouncementCheck:
    """Checks the announcement with the index `at` in a log (`new`) against the announcements made before it."""

    def __init__(self, log: Log, at: int, cards: KnownCards) -> None:
        self.log = log
        self.new = log.announcements[at]
        self.at = at
        self.cards = cards
        self.place = cards.places.get((self.new.id,), Place())
        self.lists = [key for key in log.touched(self.new) if key in log.lists and history_of(log, key).touches(at, at)]

    def findings(self) -> Iterator[Finding]:
        """Yields a finding for every fault of the announcement."""
        yield from self._others()
        yield from self._notice()
        yield from self._neighbours()
        seen: set[Target] = set()
        for number, change in enumerate(self.new.changes):
            place = self.cards.places.get((self.new.id, number), self.place)
            if change.target in seen:
                message = f"{self.new.id} changes {_target(change)} twice"
                yield error("ban_duplicate", message, place, fix="Delete one of the two changes.")
            else:
                seen.add(change.target)
                yield from list(self._unknown(change, place)) or self._change(change, place)

    def _others(self) -> Iterator[Finding]:
        """Yields findings about references to announcements that are unknown, withdrawn, or no longer in force."""
        for other in filter(None, (self.new.target, self.new.supersedes)):
            withdrawal = self._withdrawal_of(other)
            if self._earlier(other) is None:
                message = f"{self.new.id} refers to {other}, but no earlier announcement has this id"
                earlier = [each.id for each in self.log.announcements[: self.at]]
                fix = did_you_mean(other, earlier, "Write the id of an earlier announcement.")
                yield error("ban_target_unknown", message, self.place, fix=fix)
            elif withdrawal:
                message = f"{self.new.id} refers to {other}, which {withdrawal} has withdrawn already"
                fix = f"Refer to another announcement, or delete the reference to {other}."
                yield error("ban_no_op", message, self.place, fix=fix)
            elif self.new.kind == "withdrawal" and (target := self._earlier(self.new.target)):
                day, gone = max(self.new.effective, target.effective), target.id
                if not any(self._changes_anything(key, day) for key in self.lists):
                    message = f"{self.new.id} withdraws {gone}, but nothing that {gone} changed is in force on {day}"
                    fix = f"If the announcement that replaced {gone} is meant, withdraw that one."
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
        """Returns whether the list on a day is different with this announcement, even if its notice is not allowed."""
        history = history_of(self.log, list_key)
        views = (history.by(self.at), LogView(history, self.at + 1, waived=self.at))
        return bool(difference(*(state_of(view, list_key, day) for view in views)))

    def _notice(self) -> Iterator[Finding]:
        """Yields findings about the notice that this announcement gives for each list, and about a needless waiver."""
        if not self.new.made_known:
            return
        outside = [key for key in self.lists if not self.log.window.holds(notice(self.log, self.new, key))]
        if self.new.waiver and self.lists and not outside:
            message = f"{self.new.id} has a waiver, but its notice is allowed without one"
            yield warning("ban_waiver_expired", message, self.place, fix="Delete the waiver.")
        elif not (self.new.waiver and self.cards.waivers):
            yield from map(self._outside, outside)

    def _outside(self, list_key: str) -> Finding:
        """Returns the finding for a notice that is not allowed: no error if the announcement takes effect anyway."""
        (least, most), days = self.log.window, notice(self.log, self.new, list_key)
        made_on, spec = day_made(self.log, self.new, list_key), self.log.lists[list_key]
        message = (
            f"{self.new.id} was announced on {made_on} ({spec.zone}) and takes effect on {self.new.effective}: "
            f"{days} {'day' if abs(days) == 1 else 'days'} of notice, but {least} to {most} days are allowed"
        )
        first, last = made_on + timedelta(least), made_on + timedelta(most)
        fix = f"Let it take effect on a day from {first} to {last}" + (
            ", or give the reason for this notice as a waiver." if self.cards.waivers else "."
        )
        severity = Severity.ERROR
        if self.new.waiver:
            message += ", and the rules accept no waiver"
            if self.new.id in self.cards.held:
                severity, fix = Severity.WARNING, "Leave it; only a new announcement with this notice is refused."
        elif history_of(self.log, list_key).by(self.at).due(self.at):
            severity = Severity.WARNING if days <= 0 else Severity.INFO
            free = "A correction" if self.new.kind == "correction" else "A withdrawal before its target's day"
            fix = f"{free} may have any notice" + ("; a waiver can say why." if self.cards.waivers else ".")
        data = {"days": days, "least": least, "most": most, "list": list_key}
        return Finding("ban_window", severity, message, (self.place,), data=data, fix=fix)

    def _neighbours(self) -> Iterator[Finding]:
        """Yields an info for each announcement not yet in force, about the same list but other cards and groups."""
        own = {change.target for change in self.new.changes}
        for key in self.lists:
            made_on = day_made(self.log, self.new, key)
            for other in self._pending(key):
                if own & {change.target for change in other.changes}:
                    continue
                overtakes = f"; {self.new.id} takes effect first" if self.new.effective < other.effective else ""
                message = (
                    f"{self.new.id} is announced on {made_on} for {self.new.effective}, while {other.id}, announced on "
                    f"{day_made(self.log, other, key)} for {other.effective}, is pending on the {key} list{overtakes}"
                )
                data = {"other": other.id, "list": key}
                fix = "Each takes effect on its own day; tell the players about both."
                yield Finding("ban_overlap", Severity.INFO, message, (self.place,), data=data, fix=fix)

    def _pending(self, list_key: str) -> list[Announcement]:
        """Returns the earlier announcements that take effect after this one is made and that it does not replace."""
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
            message = f"{self.new.id} changes {_target(change)} from {level} to {level}, which is no change"
            yield error("ban_no_op", message, place, fix="Delete the change.")
            return
        usual = self._usual(change)
        if change.before not in [each.level if each else usual for each in self._standings(change)]:
            yield self._differs(change, place)
        yield from self._overlaps(change, place)

    def _usual(self, change: Change) -> int:
        """Returns the level of a card or group that was never changed: ON for a member named by a group, else OFF."""
        group = self.log.groups.get(change.group) if change.card else None
        return ON if group and change.card in group.cards else OFF

    def _standings(self, change: Change) -> Iterator[LevelStanding | None]:
        """Yields the standings that `from` may state: with and without the announcements that this one replaces."""
        yield self._standing(change)
        if self._replaced:
            view = LogView(history_of(self.log, change.list), self.at, without=self._replaced)
            yield view.standing(change.target, self.new.effective)

    def _standing(self, change: Change) -> LevelStanding | None:
        """Returns what level the card or group would have on the day of effect without this change (None: none yet)."""
        return history_of(self.log, change.list).by(self.at).standing(change.target, self.new.effective)

    @cached_property
    def _replaced(self) -> frozenset[int]:
        """The indices of all announcements that this one replaces, directly or through one that it replaces."""
        return frozenset(self.log.positions[each.id] for each in replaced_by(self.log, self.new.id))

    def _differs(self, change: Change, place: Place) -> Finding:
        current = self._standing(change)
        stated, actual = (
            level_text(level, bool(change.group))
            for level in (change.before, current.level if current else self._usual(change))
        )
        source = f", set on {current.since} by {current.announcement}" if current else ""
        message = (
            f"{self.new.id} changes {_target(change)} on {self.new.effective} from {stated}, but the log has "
            f"{actual} for that day{source}"
        )
        data = {"from": stated, "level": actual, "announcement": current.announcement if current else ""}
        fix = f"Write `from: {actual}` if the rest of the change is right."
        return error("ban_from_differs", message, place, data=data, fix=fix)

    def _overlaps(self, change: Change, place: Place) -> Iterator[Finding]:
        """Yields a finding for each earlier announcement, not yet in force, that will change the same card or group."""
        day, view = self.new.effective, history_of(self.log, change.list).by(self.at)
        for other in self._pending(change.list):
            own = next((each for each in other.changes if each.target == change.target), None)
            at = self.log.positions[other.id]
            if own is None or not (view.due(at) and view.counts(at, own, other.effective)):
                continue
            message = f"{self.new.id} changes {_target(change)} on {day}, and {other.id} does so on {other.effective}"
            fix = f"If only {self.new.id} should count, write `supersedes: {other.id}` in it."
            # A change that takes effect after the other needs no warning.
            severity = Severity.WARNING if day < other.effective else Severity.INFO
            if day == other.effective:
                severity, fix = Severity.ERROR, f"{fix.removesuffix('.')}; otherwise choose another day."
            yield Finding("ban_overlap", severity, message, (place,), data={"other": other.id}, fix=fix)


def _target(change: Change) -> str:
    if change.group and change.card:
        return f"the membership of {change.card} in the group {change.group} on the list {change.list}"
    return f"{f'the group {change.group}' if change.group else change.card} on the list {change.list}"


def expanded(log: Log, new: Iterable[Announcement]) -> tuple[Announcement, ...]:
    """Returns the announcements `new` in order, with the changes by which they replace whole lists filled in.

    The changes lead from the list by the earlier announcements to the new list. One that already names its changes
    stays as it is.
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
    """Returns findings for all faults of a log. Each announcement is checked against the ones made before it."""
    return [
        *formats(log, cards),
        *groups(log, cards),
        *_announcements(log, cards, {each.id for each in log.announcements}),
    ]


def formats(log: Log, cards: KnownCards = _NOTHING) -> Iterator[Finding]:
    """Yields a warning for each list whose format is unknown, because no deck is ever checked against such a list."""
    for key, each in log.lists.items():
        if cards.formats is not None and each.format and each.format not in cards.formats:
            message = f"the list {key} is for the format {each.format}, which is not known, so it applies to no deck"
            fix = did_you_mean(each.format, cards.formats) or "Delete the format from the list."
            yield warning("ban_format_unknown", message, cards.places.get(("list", key), Place()), fix=fix)


def groups(log: Log, cards: KnownCards = _NOTHING) -> Iterator[Finding]:
    """Yields findings about unknown cards in groups, and about invalid queries of groups."""
    for key, group in log.groups.items():
        if group.query and cards.fields is not None:
            try:
                parse(group.query, cards.fields)
            except QueryError as fault:
                message = f"the query {group.query!r} of the group {key} cannot be read: {fault.reason}"
                place, fix = cards.places.get(("group", key), Place()), fault.remedy or "Correct the query."
                yield error("ban_query_invalid", message, place, fix=fix)
        for ref in group.cards:
            if cards.refs is not None and ref not in cards.refs:
                yield unknown("card", ref, cards.refs, cards.places.get(("group", key), Place()), f"the group {key}")


def faults(log: Log, new: Sequence[Announcement], cards: KnownCards = _NOTHING) -> list[Finding]:
    """Returns findings for the faults of the announcements `new`, as parts of the log to which they are to be added."""
    fresh, repeated, late = [], [], []
    for each in new:
        place = cards.places.get((each.id,), Place())
        if log.announcement(each.id):
            message = f"the log has an announcement {each.id} already, and its announcements are never changed"
            fix = f"Write another id; to change what {each.id} says, announce a correction or a withdrawal of it."
            repeated.append(error("ban_duplicate", message, place, fix=fix))
            continue
        fresh.append(each)
        last = log.announcements[-1] if log.announcements else each
        if each.made < last.made and each.made_known:
            message = f"{each.id} was made before {last.id}, which is in the log already"
            fix = "Check the time in `made`: whoever looked at the list between the two did not see this announcement."
            late.append(warning("ban_order", message, place, fix=fix))
    return [*repeated, *late, *_announcements(added(log, fresh), cards, {each.id for each in fresh})]


def out_of_order(announcements: Sequence[Announcement], places: Places) -> Iterator[Finding]:
    """Yields a warning for each announcement that stands directly after one that was made later."""
    for one, other in pairwise(announcements):
        if one.made > other.made:
            message = f"{other.id} stands after {one.id}, which was made later"
            fix = "Put the announcements in the order of the times in `made`."
            yield warning("ban_order", message, places.get((other.id,), Place()), fix=fix)


def _announcements(log: Log, cards: KnownCards, ids: Collection[str]) -> Iterator[Finding]:
    for at, announcement in enumerate(log.announcements):
        if announcement.id in ids:
            yield from AnnouncementCheck(log, at, cards).findings()
