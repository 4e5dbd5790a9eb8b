"""The parts of a game's ban lists: lists, levels, groups, and the log of announcements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal, NamedTuple
from zoneinfo import ZoneInfo

from carddb.core.dates import moment_text
from carddb.core.groups import grouped
from carddb.core.names import Identity

OFF = 0
"""The level of a card that is not on the list, and of a group that is not in force."""
ON = 1
"""The level of a group in force."""

UNBOUNDED = 999
"""The number of copies allowed by a level that does not limit them: as many as a line of a deck may have."""

YEARS = range(1900, 9000)
"""The years in which announcements may be made; every time zone can represent them and the days around them."""

Kind = Literal["change", "withdrawal", "correction"]
Status = Literal["official", "proposal", "unknown"]


class ListSpec(NamedTuple):
    """A list: the format to which it applies, and the time zone (IANA name) of its days.

    `budget` is the most points that the cards of a deck may cost in all (None means no limit). If the game limits the
    sum of the field `surcharge_of`, the surcharges of levels are added to that sum.
    """

    key: str
    title: str
    zone: str
    format: str
    budget: int | None = None
    surcharge_of: str = ""

    @property
    def name(self) -> str:
        """The name that readers see: the title with the word list, such as `War list`."""
        title = " ".join(self.title.split()) or self.key
        return title if "list" in title.casefold() else f"{title} list"


class LevelSpec(NamedTuple):
    """The meaning of a level: how many copies it allows (None: unknown, or any number), and how official that is.

    Each copy costs `points` of the list's budget, and adds `surcharge` to the sum of the field that the list calls
    `surcharge_of`. A deck may have `at_most_different` different cards of the level. Groups that name cards by a query
    ignore the cards of an `exempt` level. A level with any of these need not limit the copies.
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
        """The number of copies that a deck may have; None if the meaning of the level is unknown (C-150)."""
        if self.status == "unknown":
            return None
        return UNBOUNDED if self.max_copies is None and self.costs else self.max_copies

    @property
    def costs(self) -> bool:
        """True if the level demands anything besides a number of copies."""
        return bool(self.points or self.surcharge or self.at_most_different is not None or self.exempt)


class GroupSpec(NamedTuple):
    """Cards that are too strong together, with one limit; if none is given, a deck may have one different card of them.

    `at_most_different` limits the different cards, `at_most` the copies of all cards, `max_copies` the copies of each
    card. A deck with the card `anchor` may have no other member. `members` are references of cards; a `query` adds the
    cards of a deck that it finds, except those of an exempt level.
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
        """The references of all cards that are named, the anchor first."""
        return tuple(dict.fromkeys((self.anchor, *self.members) if self.anchor else self.members))

    @property
    def most_different(self) -> int:
        """The most different cards of the group that a deck may have."""
        return 1 if self.at_most_different is None else self.at_most_different


Target = tuple[str, str, str]
"""The list, card and group of a change. Either card or group is empty, unless a card joins or leaves a group."""


class Change(NamedTuple):
    """A change of a card's level on one list, or of whether a group is in force there (0 or 1).

    `before` is the level before the change as its author states it. A change with both `card` (a reference) and `group`
    (a key) says whether the card is a member of the group.
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
    """The new content of a list that is replaced as a whole: every card with its level, and the groups in force."""

    list: str
    cards: tuple[tuple[str, int], ...] = ()
    groups: tuple[str, ...] = ()


class Announcement(NamedTuple):
    """A message to the players that changes ban lists from the day `effective` on, in the time zone of each list.

    `made` is the moment when it was made, with a time zone. If that is unknown (not `made_known`), `made` is the
    beginning of the effective day in UTC, and no notice is demanded. `replaces` are the new contents of lists that are
    replaced as a whole; `changes` has the changes that result. A withdrawal takes back the announcement with the id
    `target`; a correction replaces the changes of its target by its own. An announcement that `supersedes` another
    replaces the other's changes of the same cards and groups.
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
    """The least and the most days allowed between an announcement and its effect (C-146)."""

    least: int = 3
    most: int = 14

    def holds(self, days: int) -> bool:
        """Returns whether a notice of `days` days is allowed."""
        return self.least <= days <= self.most


class Log(NamedTuple):
    """A game's ban lists, and the announcements in the order in which they were made.

    `note` says whose lists they are, and is shown with them. `dated` has each day on which lists, levels, groups or
    note changed, with their new state as a log without announcements; it is empty if they never changed.
    """

    lists: Mapping[str, ListSpec] = MappingProxyType({})
    levels: Mapping[int, LevelSpec] = MappingProxyType({})
    groups: Mapping[str, GroupSpec] = MappingProxyType({})
    announcements: tuple[Announcement, ...] = ()
    window: Window = Window()
    note: str = ""
    dated: tuple[tuple[date, Log], ...] = ()

    def on(self, day: date) -> Log:
        """Returns the log with the lists, levels, groups and note that apply on `day`."""
        if not self.dated:
            return self
        terms = next((terms for since, terms in reversed(self.dated) if since <= day), self.dated[0][1])
        return self._replace(lists=terms.lists, levels=terms.levels, groups=terms.groups, note=terms.note)

    @property
    def groups_ever(self) -> tuple[GroupSpec, ...]:
        """All groups that the log ever defined; a group whose definition changed occurs several times."""
        every = (self, *(terms for _, terms in self.dated))
        return tuple(group for terms in every for group in terms.groups.values())

    @property
    def positions(self) -> Mapping[str, int]:
        """The index of each announcement, by its id."""
        return _places(Identity(self.announcements)).positions

    def announcement(self, id_: str) -> Announcement | None:
        """Returns the announcement with this id; None if there is none."""
        at = self.positions.get(id_)
        return None if at is None else self.announcements[at]

    def answers(self, id_: str) -> tuple[tuple[Kind, str], ...]:
        """Returns the kind and id of each announcement that withdraws, corrects or supersedes the one called `id_`."""
        answers = (self.announcements[at] for at in _places(Identity(self.announcements)).answers.get(id_, ()))
        return tuple((each.kind, each.id) for each in answers)

    def announced_by(self, moment: datetime | None) -> Log:
        """Returns the log with only the announcements made up to `moment` (None means all)."""
        if moment is None or moment >= _places(Identity(self.announcements)).last_made:
            return self
        return self._replace(announcements=tuple(each for each in self.announcements if each.made <= moment))

    def touched(self, announcement: Announcement) -> tuple[str, ...]:
        """Returns the keys of the lists that an announcement changes; for a withdrawal, those changed by its target."""
        seen = {announcement.id}
        while announcement.kind == "withdrawal" and announcement.target not in seen:
            target = self.announcement(announcement.target)
            if target is None:
                break
            announcement = target
            seen.add(target.id)
        return tuple(dict.fromkeys(change.list for change in announcement.changes))


class _Places(NamedTuple):
    """The indices, by id, of announcements and of the `answers` to them; and when the last announcement was made."""

    positions: Mapping[str, int]
    answers: Mapping[str, Sequence[int]]
    last_made: datetime


@lru_cache(maxsize=16)
def _places(announcements: Identity[tuple[Announcement, ...]]) -> _Places:
    each_at = [*enumerate(announcements.value)]
    positions = {each.id: at for at, each in reversed(each_at)}  # the first of those with one id
    answers = grouped((other, at) for at, each in each_at for other in dict.fromkeys((each.target, each.supersedes)))
    last = max((each.made for each in announcements.value), default=datetime.min.replace(tzinfo=UTC))
    return _Places(positions, answers, last)


def replaced_by(log: Log, id_: str) -> list[Announcement]:
    """Returns all announcements that the one called `id_` withdraws, corrects or supersedes, directly or indirectly."""
    replaced: dict[str, Announcement] = {}
    waiting = [id_]
    while waiting:
        name = waiting.pop()
        announcement = log.announcement(name)
        for other in (announcement.target, announcement.supersedes) if announcement else ():
            target = log.announcement(other)
            if target and other not in replaced and log.positions[other] < log.positions[name]:
                replaced[other] = target
                waiting.append(other)
    return list(replaced.values())


def local_day(moment: datetime, zone: str) -> date:
    """Returns the date of `moment` in a time zone. Raises ValueError or KeyError for an unknown zone."""
    return moment.astimezone(ZoneInfo(zone)).date()


def day_made(log: Log, announcement: Announcement, list_key: str) -> date:
    """Returns the date on which an announcement was made, in the time zone of the list; in UTC for an unknown list."""
    spec = log.lists.get(list_key)
    return local_day(announcement.made, spec.zone) if spec else announcement.made.astimezone(UTC).date()


def notice(log: Log, announcement: Announcement, list_key: str) -> int:
    """Returns the whole days from an announcement to its effect, in the time zone of the list (C-146)."""
    return (announcement.effective - day_made(log, announcement, list_key)).days


def changes_of(log: Log, list_key: str) -> Iterator[tuple[Announcement, Change]]:
    """Yields every change of a list with its announcement, in the order of the log."""
    for announcement in log.announcements:
        for change in announcement.changes:
            if change.list == list_key:
                yield announcement, change


def with_references(log: Log, reference: Callable[[str], str]) -> Log:
    """Returns the log with every card's reference replaced by what the function `reference` returns for it."""

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
"""The words by which files write the two states of a group, with their levels."""

_TEXTS = ("target", "supersedes", "waiver", "author", "source")


def parts_of(log: Log) -> dict[str, Any]:
    """Returns the lists, levels, groups, window and note of a log as JSON-like data, which `log_of` reads."""

    def values(spec: ListSpec | LevelSpec | GroupSpec) -> dict[str, Any]:
        return {name: value for name, value in stated(spec).items() if name not in ("key", "level")}

    return {
        "lists": {key: values(spec) for key, spec in log.lists.items()},
        "levels": {str(level): values(spec) for level, spec in sorted(log.levels.items())},
        "groups": {key: {**values(spec), "members": list(spec.members)} for key, spec in log.groups.items()},
        "window": list(log.window),
        "note": log.note,
    }


def plain_announcement(announcement: Announcement) -> dict[str, Any]:
    """Returns an announcement as JSON-like data without empty values, which `announcement_of` reads."""
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
    """Returns the log whose `parts_of` are given, with the announcements sorted by when they were made."""
    return Log(
        {key: ListSpec(key, **spec) for key, spec in parts["lists"].items()},
        {int(level): LevelSpec(int(level), **spec) for level, spec in parts["levels"].items()},
        {key: GroupSpec(key, **{**spec, "members": tuple(spec["members"])}) for key, spec in parts["groups"].items()},
        tuple(sorted(announcements, key=lambda announcement: announcement.made)),
        Window(*parts["window"]),
        parts["note"],
    )


def announcement_of(value: Mapping[str, Any]) -> Announcement:
    """Returns an announcement from valid plain data. Raises KeyError, TypeError or ValueError for other data."""
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
    """Returns a level as files write it: its number, or if it is `of_group`, `off` or `on`."""
    return next(word for word, state in SWITCH.items() if state == level) if of_group else level


def plain_change(change: Change) -> dict[str, Any]:
    """Returns a change as a mapping; the levels of a group are `off` and `on`."""
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


def stated(spec: ListSpec | LevelSpec | GroupSpec) -> dict[str, Any]:
    """Returns a list, level or group as a mapping of its values, without those that equal their default."""
    usual = spec._field_defaults
    return {name: value for name, value in spec._asdict().items() if name not in usual or value != usual[name]}
