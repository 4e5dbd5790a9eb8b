"""What is wrong with a log, or with announcements that are to be added to it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from carddb.bans.log import OFF, Announcement, Change, Log, day_made, is_due, notice
from carddb.bans.plain import level_text
from carddb.bans.state import Standing, standing
from carddb.findings import Finding, Place, Severity, error, warning
from carddb.names import did_you_mean

Places = Mapping[tuple[str | int, ...], Place]
"""Where things stand: an announcement under `(id,)`, a change under `(id, number)`, a group under `("group", key)`."""


class Known(NamedTuple):
    """What is known besides a log: the references of cards (None: they are not looked at), and places in a file."""

    cards: Collection[str] | None = None
    places: Places = MappingProxyType({})


_NOTHING = Known()


def lint(log: Log, known: Known = _NOTHING) -> list[Finding]:
    """Every fault of a log, each announcement judged by those made before it."""
    return [*groups(log, known), *_announcements(log, known, {each.id for each in log.announcements})]


def groups(log: Log, known: Known = _NOTHING) -> Iterator[Finding]:
    """The cards of groups that are not known."""
    for key, group in log.groups.items():
        for ref in dict.fromkeys((*group.members, *filter(None, [group.anchor]))):
            if known.cards is not None and ref not in known.cards:
                yield _unknown("card", ref, known.cards, known.places.get(("group", key), Place()), f"the group {key}")


def faults(log: Log, new: Sequence[Announcement], known: Known = _NOTHING) -> list[Finding]:
    """What is wrong with announcements that are to be added to a log, each judged by those made before it."""
    fresh = [each for each in new if not log.announcement(each.id)]
    repeated = [_made_already(each, known) for each in new if log.announcement(each.id)]
    early = [each for each in fresh if log.announcements and each.made < log.announcements[-1].made]
    late = [_entered_late(each, log, known) for each in early]
    return [*repeated, *late, *_announcements(added(log, fresh), known, {each.id for each in fresh})]


def added(log: Log, new: Iterable[Announcement]) -> Log:
    """The log with further announcements, in the order in which they were made."""
    return log._replace(announcements=tuple(sorted([*log.announcements, *new], key=lambda each: each.made)))


def out_of_order(announcements: Sequence[Announcement], places: Places) -> Iterator[Finding]:
    """The announcements of a file that stand after one that was made later."""
    for one, other in pairwise(announcements):
        if one.made > other.made:
            message = f"{other.id} stands after {one.id}, which was made later"
            fix = "Put them in the order in which they were made."
            yield warning("ban_order", message, places.get((other.id,), Place()), fix=fix)


def _announcements(log: Log, known: Known, ids: Collection[str]) -> Iterator[Finding]:
    for number, announcement in enumerate(log.announcements):
        if announcement.id in ids:
            before = log._replace(announcements=log.announcements[:number])
            yield from _Judge(before, announcement, known).findings()


def _made_already(announcement: Announcement, known: Known) -> Finding:
    message = f"an announcement {announcement.id} was made already, and what was announced is never changed"
    fix = "Give it another id; to change what was announced make a correction or a withdrawal."
    return error("ban_duplicate", message, known.places.get((announcement.id,), Place()), fix=fix)


def _entered_late(announcement: Announcement, log: Log, known: Known) -> Finding:
    message = f"{announcement.id} was made before {log.announcements[-1].id}, which is in the log already"
    fix = "See that it was made then: whoever asked meanwhile was told nothing of it."
    return warning("ban_order", message, known.places.get((announcement.id,), Place()), fix=fix)


def _unknown(kind: str, name: str, known: Collection[str], place: Place, by: str) -> Finding:
    near = did_you_mean(name, sorted(known))
    fix = near if near.startswith("Did") or kind != "card" else "Load the card first, or correct the reference."
    return error(f"ban_{kind}_unknown", f"{by} names the {kind} {name}, which is not known", place, fix=fix)


class _Judge:
    """Judges one announcement by those made before it."""

    def __init__(self, log: Log, told: Announcement, known: Known) -> None:
        self.log = log
        self.told = told
        self.known = known
        self.place = known.places.get((told.id,), Place())
        self.withdrawn = {each.target: each.id for each in log.announcements if each.kind == "withdrawal"}

    def findings(self) -> Iterator[Finding]:
        """Everything that is wrong with the announcement."""
        yield from self._others()
        yield from self._windows()
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

    def _windows(self) -> Iterator[Finding]:
        """The notice that the players of each list get, and a waiver that excuses nothing."""
        lists = [key for key in added(self.log, [self.told]).touched(self.told) if key in self.log.lists]
        bare = self.told._replace(waiver="")
        late = [key for key in lists if not is_due(self.log, bare, key)]
        if self.told.waiver and lists and not late:
            message = f"the waiver of {self.told.id} excuses nothing: its notice is one that is allowed"
            yield warning("ban_waiver_expired", message, self.place, fix="Leave the waiver out.")
        elif not self.told.waiver:
            yield from map(self._late, late)

    def _late(self, list_key: str) -> Finding:
        (least, most), days = self.log.window, notice(self.log, self.told, list_key)
        made, spec = day_made(self.log, self.told, list_key), self.log.lists[list_key]
        message = (
            f"{self.told.id} was announced on {made} ({spec.zone}) and takes effect on {self.told.effective}: "
            f"{days} {'day' if abs(days) == 1 else 'days'} of notice, {least} to {most} are allowed"
        )
        first, last = made + timedelta(least), made + timedelta(most)
        fix = f"Choose a day from {first} to {last}, or give the reason as a waiver."
        data = {"days": days, "least": least, "most": most, "list": list_key}
        return error("ban_window", message, self.place, data=data, fix=fix)

    def _unknown(self, change: Change, place: Place) -> Iterator[Finding]:
        by = self.told.id
        if change.list not in self.log.lists:
            yield _unknown("list", change.list, self.log.lists, place, by)
        if change.group and change.group not in self.log.groups:
            yield _unknown("group", change.group, self.log.groups, place, by)
        if change.card and self.known.cards is not None and change.card not in self.known.cards:
            yield _unknown("card", change.card, self.known.cards, place, by)
        for level in (change.before, change.after) if change.card else ():
            if level != OFF and level not in self.log.levels:
                yield _unknown("level", str(level), [*map(str, self.log.levels)], place, by)

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
        replaced = {self.told.target, self.told.supersedes} - {""}
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
        made, day = day_made(self.log, self.told, change.list), self.told.effective
        passed_over = {self.told.supersedes, self.told.target, *self.withdrawn}
        pending = [each for each in self.log.announcements if each.effective > made and each.id not in passed_over]
        for other in pending:
            if change.target not in [each.target for each in other.changes]:
                continue
            message = f"{self.told.id} changes {_named(change)} on {day}; {other.id} is to do so on {other.effective}"
            fix = f"Both will be done, each on its day; write supersedes: {other.id} where only this one is meant."
            # One that follows the other is no cause for a second look.
            severity = Severity.WARNING if day <= other.effective else Severity.INFO
            yield Finding("ban_overlap", severity, message, (place,), data={"other": other.id}, fix=fix)


def _named(change: Change) -> str:
    return f"{f'the group {change.group}' if change.group else change.card} of the list {change.list}"
