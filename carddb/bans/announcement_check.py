"""What is wrong with one announcement, by the light of those made before it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import NamedTuple

from carddb.bans.log import OFF, Announcement, Change, Log, day_made, is_due, notice
from carddb.bans.log_data import level_text
from carddb.bans.state import Standing, difference, standing, state, takes_effect, upcoming
from carddb.findings import Finding, Place, Severity, error, warning
from carddb.names import did_you_mean

Places = Mapping[tuple[str | int, ...], Place]
"""Where things stand: an announcement under `(id,)`, a change under `(id, number)`, a group under `("group", key)`."""


class KnownCards(NamedTuple):
    """What is known besides a log: the references of cards (None: they are not looked at), and places in a file."""

    cards: Collection[str] | None = None
    places: Places = MappingProxyType({})


def added(log: Log, new: Iterable[Announcement]) -> Log:
    """The log with further announcements, in the order in which they were made."""
    return log._replace(announcements=tuple(sorted([*log.announcements, *new], key=lambda each: each.made)))


def unknown(kind: str, name: str, known: Collection[str], place: Place, by: str) -> Finding:
    """That something names a card, group, list or level that there is not, with the nearest that there is."""
    near = did_you_mean(name, sorted(known))
    fix = near if near.startswith("Did") or kind != "card" else "Load the card first, or correct the reference."
    return error(f"ban_{kind}_unknown", f"{by} names the {kind} {name}, which is not known", place, fix=fix)


class Judge:
    """Judges one announcement by those made before it."""

    def __init__(self, log: Log, told: Announcement, known: KnownCards) -> None:
        self.log = log
        self.told = told
        self.known = known
        self.place = known.places.get((told.id,), Place())
        self.lists = [key for key in added(log, [told]).touched(told) if key in log.lists]
        self.withdrawn = _withdrawn(log)

    def findings(self) -> Iterator[Finding]:
        """Everything that is wrong with the announcement."""
        yield from self._others()
        yield from self._notice()
        yield from self._neighbours()
        for number, change in enumerate(self.told.changes):
            place = self.known.places.get((self.told.id, number), self.place)
            if change.target in [other.target for other in self.told.changes[:number]]:
                message = f"{self.told.id} changes {_named(change)} twice"
                yield error("ban_duplicate", message, place, fix="Keep one of the two changes.")
            else:
                yield from list(self._unknown(change, place)) or self._change(change, place)

    def _others(self) -> Iterator[Finding]:
        """The earlier announcements that this one names."""
        ids = [announcement.id for announcement in self.log.announcements]
        for other in filter(None, (self.told.target, self.told.supersedes)):
            if other not in ids:
                message = f"{self.told.id} speaks of {other}, and there is no such announcement before it"
                near = did_you_mean(other, ids)
                fix = near if near.startswith("Did") else "Name the id of an earlier announcement."
                yield error("ban_target_unknown", message, self.place, fix=fix)
            elif other in self.withdrawn:
                message = f"{self.told.id} speaks of {other}, which {self.withdrawn[other]} has withdrawn already"
                yield error("ban_no_op", message, self.place, fix="Name another announcement, or leave it out.")
            elif self.told.kind == "withdrawal":
                yield from self._takes_nothing_back()

    def _takes_nothing_back(self) -> Iterator[Finding]:
        """A withdrawal of what has been replaced already, and so of nothing."""
        target = self.log.announcement(self.told.target)
        if target is None:
            return
        # By a waiver it counts even where its notice is at fault, which is another finding.
        day, after = max(self.told.effective, target.effective), added(self.log, [self.told._replace(waiver="-")])
        if not any(difference(state(self.log, key, day), state(after, key, day)) for key in self.lists):
            message = f"{self.told.id} takes {target.id} back, and nothing that {target.id} changed stands on {day}"
            yield warning("ban_no_op", message, self.place, fix="Withdraw what took its place, if that was meant.")

    def _notice(self) -> Iterator[Finding]:
        """The notice that the players of each list get, and a waiver that excuses nothing."""
        outside = [key for key in self.lists if not self.log.window.holds(notice(self.log, self.told, key))]
        if self.told.waiver and self.lists and not outside:
            message = f"the waiver of {self.told.id} excuses nothing: its notice is one that is allowed"
            yield warning("ban_waiver_expired", message, self.place, fix="Leave the waiver out.")
        elif not self.told.waiver:
            yield from map(self._outside, outside)

    def _outside(self, list_key: str) -> Finding:
        """A notice that is too short or too long; what is excused without a waiver is only told."""
        (least, most), days = self.log.window, notice(self.log, self.told, list_key)
        made, spec = day_made(self.log, self.told, list_key), self.log.lists[list_key]
        message = (
            f"{self.told.id} was announced on {made} ({spec.zone}) and takes effect on {self.told.effective}: "
            f"{days} {'day' if abs(days) == 1 else 'days'} of notice, {least} to {most} are allowed"
        )
        first, last = made + timedelta(least), made + timedelta(most)
        fix = f"Choose a day from {first} to {last}, or give the reason as a waiver."
        severity = Severity.ERROR
        if is_due(self.log, self.told, list_key):
            severity = Severity.WARNING if days <= 0 else Severity.INFO
            excused = "A correction" if self.told.kind == "correction" else "A withdrawal before its target's day"
            fix = f"{excused} is allowed it; a waiver tells the players why."
        data = {"days": days, "least": least, "most": most, "list": list_key}
        return Finding("ban_window", severity, message, (self.place,), data=data, fix=fix)

    def _neighbours(self) -> Iterator[Finding]:
        """Other announcements about a list that are still to take effect when this one is made."""
        own = {change.target for change in self.told.changes}
        for key in self.lists:
            made = day_made(self.log, self.told, key)
            for other in self._pending(key):
                if own & {change.target for change in other.changes}:
                    continue
                overtakes = f"; {self.told.id} overtakes the other" if self.told.effective < other.effective else ""
                message = (
                    f"the windows of {self.told.id} ({made} to {self.told.effective}) and {other.id} "
                    f"({day_made(self.log, other, key)} to {other.effective}) on the {key} list overlap{overtakes}"
                )
                data = {"other": other.id, "list": key}
                fix = "Each takes effect on its day; tell the players of both."
                yield Finding("ban_overlap", Severity.INFO, message, (self.place,), data=data, fix=fix)

    def _pending(self, list_key: str) -> list[Announcement]:
        """What is still to take effect when this is made, but for what it takes the place of."""
        pending = upcoming(self.log, list_key, day_made(self.log, self.told, list_key))
        return [each for each in pending if each.id not in (self.told.supersedes, self.told.target)]

    def _unknown(self, change: Change, place: Place) -> Iterator[Finding]:
        by = self.told.id
        if change.list not in self.log.lists:
            yield unknown("list", change.list, self.log.lists, place, by)
        if change.group and change.group not in self.log.groups:
            yield unknown("group", change.group, self.log.groups, place, by)
        if change.card and self.known.cards is not None and change.card not in self.known.cards:
            yield unknown("card", change.card, self.known.cards, place, by)
        for level in (change.before, change.after) if change.card else ():
            if level != OFF and level not in self.log.levels:
                yield unknown("level", str(level), [*map(str, self.log.levels)], place, by)

    def _change(self, change: Change, place: Place) -> Iterator[Finding]:
        if change.before == change.after:
            level = level_text(change.after, bool(change.group))
            message = f"{self.told.id}: {_named(change)} goes from {level} to {level}"
            yield error("ban_no_op", message, place, fix="Leave the change out.")
            return
        if change.before not in [found.level if found else OFF for found in self._standings(change)]:
            yield self._differs(change, place)
        yield from self._overlaps(change, place)

    def _standings(self, change: Change) -> Iterator[Standing | None]:
        """What `from` may speak of: what stands by then, or would without what this announcement takes the place of."""
        yield standing(self.log, change.target, self.told.effective)
        replaced = set(_replaced(self.log, self.told))
        if replaced:
            rest = tuple(each for each in self.log.announcements if each.id not in replaced)
            yield standing(self.log._replace(announcements=rest), change.target, self.told.effective)

    def _differs(self, change: Change, place: Place) -> Finding:
        found = standing(self.log, change.target, self.told.effective)
        said, true = (level_text(level, bool(change.group)) for level in (change.before, found.level if found else OFF))
        source = f" since {found.since}, by {found.announcement}" if found else ""
        message = f"{self.told.id} takes {_named(change)} from {said} on {self.told.effective}; it is {true}{source}"
        data = {"from": said, "level": true, "announcement": found.announcement if found else ""}
        fix = f"Write from: {true}, or see what was meant."
        return error("ban_from_differs", message, place, data=data, fix=fix)

    def _overlaps(self, change: Change, place: Place) -> Iterator[Finding]:
        """Other announcements about the same that are still to take effect when this one is made."""
        day = self.told.effective
        for other in self._pending(change.list):
            if not takes_effect(self.log, other, change.target):
                continue
            message = f"{self.told.id} changes {_named(change)} on {day}; {other.id} is to do so on {other.effective}"
            fix = f"Both will be done, each on its day; write supersedes: {other.id} where only this one is meant."
            # One that follows the other is no cause for a second look.
            severity = Severity.WARNING if day < other.effective else Severity.INFO
            if day == other.effective:
                severity, fix = Severity.ERROR, f"Write supersedes: {other.id}, or choose another day."
            yield Finding("ban_overlap", severity, message, (place,), data={"other": other.id}, fix=fix)


def _replaced(log: Log, told: Announcement) -> Iterator[str]:
    """The ids of what an announcement takes the place of, and of what that took the place of, and so on."""
    for other in filter(None, (log.announcement(told.target), log.announcement(told.supersedes))):
        yield other.id
        at = log.announcements.index(other)
        yield from _replaced(log._replace(announcements=log.announcements[:at]), other)


def _withdrawn(log: Log) -> dict[str, str]:
    """The ids of what is taken back for good, each with that of its withdrawal."""
    found: dict[str, str] = {}
    for each in reversed(log.announcements):
        if each.kind == "withdrawal" and each.id not in found:
            found.setdefault(each.target, each.id)
    return found


def _named(change: Change) -> str:
    return f"{f'the group {change.group}' if change.group else change.card} of the list {change.list}"
