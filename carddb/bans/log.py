"""The parts of a game's ban lists: lists, levels, groups, and the log of announcements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args
from zoneinfo import ZoneInfo

from carddb.core.dates import moment_text
from carddb.core.names import Identity

OFF = 0
"""The level of a card that is not on the list, and of a group that is not in force."""
ON = 1
"""The level of a group in force."""

UNBOUNDED = 999
"""The copies that a level allows which does not bound them: as many as a line of a deck may have."""

YEARS = range(1900, 9000)
"""The years in which announcements may be made: every time zone has their days, and days before and after them."""

Kind = Literal["change", "withdrawal", "correction"]
Status = Literal["official", "proposal", "unknown"]
KINDS: tuple[str, ...] = get_args(Kind)


class ListSpec(NamedTuple):
    """A list: the format that is played by it, and the time zone (IANA name) that its days are of.

    `budget` is what the points of a deck's cards may be in all (None: no bound). `surcharge_of` is the field whose
    budgets in the game's limits the surcharges of levels add to.
    """

    key: str
    title: str
    zone: str
    format: str
    budget: int | None = None
    surcharge_of: str = ""


class LevelSpec(NamedTuple):
    """The meaning of a level: the copies it allows (None: not known, or not bounded), and how well that is known.

    `points` and `surcharge` are what each copy costs, of the list's budget and of a budget of the game;
    `at_most_different` is how many different cards of the level a deck may have; an `exempt` card is free of the groups
    that name cards by a query. A level with any of these need not bound the copies.
    """

    level: int
    max_copies: int | None
    status: Status
    points: int = 0
    surcharge: int = 0
    at_most_different: int | None = None
    exempt: bool = False

    @property
    def most(self) -> int | None:
        """The copies allowed for certain; None where the meaning of the level is not known (C-150)."""
        if self.status == "unknown":
            return None
        return UNBOUNDED if self.max_copies is None and self.costs else self.max_copies

    @property
    def costs(self) -> bool:
        """Returns whether it says something else than a number of copies."""
        return bool(self.points or self.surcharge or self.at_most_different is not None or self.exempt)


class GroupSpec(NamedTuple):
    """Cards, by reference, that are too strong together. One limit at most is given; without any: one different card.

    `at_most_different` counts different cards, `at_most` copies in all, `max_copies` copies of each; a card `anchor`
    forbids every other member. A `query` names cards besides: those of a deck that match it, and are not exempt.
    """

    key: str
    members: tuple[str, ...]
    at_most_different: int | None = None
    at_most: int | None = None
    anchor: str | None = None
    max_copies: int | None = None
    query: str = ""

    @property
    def cards(self) -> tuple[str, ...]:
        """All its cards, the anchor first."""
        return tuple(dict.fromkeys((self.anchor, *self.members) if self.anchor else self.members))

    @property
    def most_different(self) -> int:
        """The most different cards that a deck may have of a group that counts those."""
        return 1 if self.at_most_different is None else self.at_most_different


Target = tuple[str, str, str]
"""The object of a change: list, card, group; both of the last two for a member of a group."""


class Change(NamedTuple):
    """A card's level, or whether a group is in force (0 or 1), on one list; `before` is an assertion.

    With both `card` (a reference) and `group` (a key): whether the card is a member of the group.
    """

    list: str
    card: str
    group: str
    before: int
    after: int
    why: str = ""

    @property
    def target(self) -> Target:
        return (self.list, self.card, self.group)


class WholeList(NamedTuple):
    """A list as it is after it was replaced: every card with its level, and the groups in force; no others."""

    list: str
    cards: tuple[tuple[str, int], ...] = ()
    groups: tuple[str, ...] = ()


class Announcement(NamedTuple):
    """A message to the players. `made` knows its time zone; `effective` is a day in the time zone of each list.

    Where nobody knows when it was made, not `made_known`, it counts as made at the beginning of that day in UTC, and
    there is no notice. `replaces` are the lists that it replaces as a whole; the changes say what that comes to.

    A withdrawal takes back its `target` (an id), a correction replaces the changes of its target by its own; a change
    that `supersedes` another takes the place of that one's changes of the same cards and groups.
    """

    id: str
    made: datetime
    effective: date
    kind: Kind = "change"
    target: str = ""
    supersedes: str = ""
    waiver: str = ""
    author: str = ""
    source: str = ""
    changes: tuple[Change, ...] = ()
    made_known: bool = True
    replaces: tuple[WholeList, ...] = ()


class Window(NamedTuple):
    """The days allowed between an announcement and its effect, both ends included (C-146)."""

    least: int = 3
    most: int = 14

    def holds(self, days: int) -> bool:
        """Returns whether a notice of so many days is allowed."""
        return self.least <= days <= self.most


class Log(NamedTuple):
    """All that is known of a game's lists, with the announcements in the order in which they were made.

    `note` says whose lists they are, and is shown with them. `dated` are the lists, levels, groups and notes in force
    from each of several days on, as logs without announcements; none where they never changed.
    """

    lists: Mapping[str, ListSpec] = MappingProxyType({})
    levels: Mapping[int, LevelSpec] = MappingProxyType({})
    groups: Mapping[str, GroupSpec] = MappingProxyType({})
    announcements: tuple[Announcement, ...] = ()
    window: Window = Window()
    note: str = ""
    dated: tuple[tuple[date, Log], ...] = ()

    def on(self, day: date) -> Log:
        """Returns the log with the lists, levels and groups in force on a day."""
        if not self.dated:
            return self
        terms = next((terms for since, terms in reversed(self.dated) if since <= day), self.dated[0][1])
        return self._replace(lists=terms.lists, levels=terms.levels, groups=terms.groups, note=terms.note)

    @property
    def groups_ever(self) -> tuple[GroupSpec, ...]:
        """The groups of every day; one that changed stands several times."""
        every = (self, *(terms for _, terms in self.dated))
        return tuple(group for terms in every for group in terms.groups.values())

    @property
    def positions(self) -> Mapping[str, int]:
        """The position of each announcement, by its id."""
        return _places(Identity(self.announcements)).positions

    def announcement(self, id_: str) -> Announcement | None:
        """Returns the announcement of this id."""
        at = self.positions.get(id_)
        return None if at is None else self.announcements[at]

    def answers(self, id_: str) -> tuple[tuple[Kind, str], ...]:
        """Returns kind and id of the later announcements that take one back, correct it or supersede it."""
        answers = (self.announcements[at] for at in _places(Identity(self.announcements)).answers.get(id_, ()))
        return tuple((each.kind, each.id) for each in answers)

    def announced_by(self, moment: datetime | None) -> Log:
        """Returns the log with the announcements made up to a moment (None: all of them)."""
        if moment is None or moment >= _places(Identity(self.announcements)).last_made:
            return self
        return self._replace(announcements=tuple(each for each in self.announcements if each.made <= moment))

    def touched(self, announcement: Announcement) -> tuple[str, ...]:
        """Returns the keys of the lists that an announcement changes; a withdrawal changes those of its target."""
        seen = {announcement.id}
        while announcement.kind == "withdrawal" and announcement.target not in seen:
            target = self.announcement(announcement.target)
            if target is None:
                break
            announcement = target
            seen.add(target.id)
        return tuple(dict.fromkeys(change.list for change in announcement.changes))


class _Places(NamedTuple):
    """The positions of announcements by their ids, those that name an id as target or superseded, the last moment."""

    positions: Mapping[str, int]
    answers: Mapping[str, Sequence[int]]
    last_made: datetime


@lru_cache(maxsize=16)
def _places(announcements: Identity[tuple[Announcement, ...]]) -> _Places:
    positions: dict[str, int] = {}
    answers: dict[str, list[int]] = {}
    for at, announcement in enumerate(announcements.value):
        positions.setdefault(announcement.id, at)
        for other in dict.fromkeys((announcement.target, announcement.supersedes)):
            answers.setdefault(other, []).append(at)
    last = max((each.made for each in announcements.value), default=datetime.min.replace(tzinfo=UTC))
    return _Places(positions, answers, last)


def local_day(moment: datetime, zone: str) -> date:
    """Returns the day of a moment in a time zone. Raises ValueError or KeyError for an unknown zone."""
    return moment.astimezone(ZoneInfo(zone)).date()


def day_made(log: Log, announcement: Announcement, list_key: str) -> date:
    """Returns the day on which an announcement was made, in the time zone of a list; of an unknown list, in UTC."""
    spec = log.lists.get(list_key)
    return local_day(announcement.made, spec.zone) if spec else announcement.made.astimezone(UTC).date()


def notice(log: Log, announcement: Announcement, list_key: str) -> int:
    """Returns the whole days from an announcement to its effect, in the time zone of a list (C-146)."""
    return (announcement.effective - day_made(log, announcement, list_key)).days


def changes_of(log: Log, list_key: str) -> Iterator[tuple[Announcement, Change]]:
    """Yields every change of a list with its announcement, in the order of the log."""
    for announcement in log.announcements:
        for change in announcement.changes:
            if change.list == list_key:
                yield announcement, change


def with_references(log: Log, reference: Callable[[str], str]) -> Log:
    """Returns the log with `reference` applied to every card that it names."""

    def of_announcement(announcement: Announcement) -> Announcement:
        changes = (c._replace(card=reference(c.card)) if c.card else c for c in announcement.changes)
        return announcement._replace(changes=tuple(changes), replaces=tuple(map(of_list, announcement.replaces)))

    def of_list(whole: WholeList) -> WholeList:
        return whole._replace(cards=tuple((reference(card), level) for card, level in whole.cards))

    def of_group(group: GroupSpec) -> GroupSpec:
        members = tuple(map(reference, group.members))
        return group._replace(members=members, anchor=group.anchor and reference(group.anchor))

    return log._replace(
        announcements=tuple(map(of_announcement, log.announcements)),
        groups={key: of_group(group) for key, group in log.groups.items()},
    )


SWITCH = {"off": OFF, "on": ON}
"""The words for the two states of a group."""

_TEXTS = ("target", "supersedes", "waiver", "author", "source")


def parts_of(log: Log) -> dict[str, Any]:
    """Returns lists, levels, groups, window and note as plain data: all of a log but its announcements."""
    return {
        "lists": {key: _stated(spec, "key") for key, spec in log.lists.items()},
        "levels": {str(level): _stated(spec, "level") for level, spec in sorted(log.levels.items())},
        "groups": {key: {**_stated(spec, "key"), "members": list(spec.members)} for key, spec in log.groups.items()},
        "window": list(log.window),
        "note": log.note,
    }


def plain_announcement(announcement: Announcement) -> dict[str, Any]:
    """Returns an announcement as a mapping; what is empty is left out."""
    out: dict[str, Any] = {
        "id": announcement.id,
        **({"made": moment_text(announcement.made)} if announcement.made_known else {}),
        "effective": announcement.effective.isoformat(),
        "kind": announcement.kind,
        **{name: text for name in _TEXTS if (text := getattr(announcement, name))},
    }
    if announcement.changes:
        out["changes"] = [plain_change(change) for change in announcement.changes]
    if announcement.replaces:
        out["replaces"] = {
            each.list: {"cards": dict(each.cards), "groups": list(each.groups)} for each in announcement.replaces
        }
    return out


def log_of(parts: Mapping[str, Any], announcements: tuple[Announcement, ...] = ()) -> Log:
    """Returns a log out of sound plain data, its announcements brought into the order in which they were made."""
    return Log(
        {key: ListSpec(key, **spec) for key, spec in parts["lists"].items()},
        {int(level): LevelSpec(int(level), **spec) for level, spec in parts["levels"].items()},
        {key: GroupSpec(key, **{**spec, "members": tuple(spec["members"])}) for key, spec in parts["groups"].items()},
        tuple(sorted(announcements, key=lambda announcement: announcement.made)),
        Window(*parts["window"]),
        parts["note"],
    )


def announcement_of(value: Mapping[str, Any]) -> Announcement:
    """Returns an announcement out of sound plain data. Raises KeyError, TypeError or ValueError for anything else."""
    texts = {name: value[name] for name in ("kind", *_TEXTS) if name in value}
    made, effective = value.get("made"), date.fromisoformat(value["effective"])
    return Announcement(
        id=value["id"],
        made=datetime.fromisoformat(made).astimezone(UTC) if made else datetime.combine(effective, time(), UTC),
        effective=effective,
        changes=tuple(_change(change) for change in value.get("changes", ())),
        made_known=bool(made),
        replaces=tuple(
            WholeList(key, tuple(whole.get("cards", {}).items()), tuple(whole.get("groups", ())))
            for key, whole in (value.get("replaces") or {}).items()
        ),
        **texts,
    )


def level_text(level: int, of_group: bool) -> int | str:
    """Returns a level as it is written; a group's as off or on."""
    return next(word for word, state in SWITCH.items() if state == level) if of_group else level


def plain_change(change: Change) -> dict[str, Any]:
    """Returns a change as a mapping; a group goes from off to on or back."""
    of_group = bool(change.group)
    out = {
        "list": change.list,
        **({"group": change.group} if of_group else {}),
        **({"card": change.card} if change.card else {}),
        "from": level_text(change.before, of_group),
        "to": level_text(change.after, of_group),
    }
    return {**out, "why": change.why} if change.why else out


def _change(value: Mapping[str, Any]) -> Change:
    before, after = (SWITCH.get(level, level) for level in (value["from"], value["to"]))
    return Change(value["list"], value.get("card", ""), value.get("group", ""), before, after, value.get("why", ""))


def stated_list(spec: ListSpec) -> dict[str, Any]:
    """Returns a list as a mapping; what it does not say is left out."""
    return {"key": spec.key, **_stated(spec, "key")}


def stated_level(spec: LevelSpec) -> dict[str, Any]:
    """Returns a level as a mapping; what it does not say is left out."""
    return {"level": spec.level, **_stated(spec, "level")}


def _stated(spec: ListSpec | LevelSpec | GroupSpec, key: str) -> dict[str, Any]:
    """Returns the fields of a part without its key, and without those that may be left out and have their default."""
    usual = spec._field_defaults
    return {
        name: value
        for name, value in spec._asdict().items()
        if name != key and not (name in usual and value == usual[name])
    }
