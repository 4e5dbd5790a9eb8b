"""The restricted list: what its changes make of it on a day. Pure functions of a list of changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Annotated, Any

from pydantic import Discriminator, Tag, model_validator

from carddb.bans import log as bans
from carddb.bans.log import OFF, Announcement, GroupSpec, LevelSpec, ListSpec, Log, Status, Window
from carddb.bans.state import Standing as InForce
from carddb.bans.state import State, state
from carddb.game import GameSpec
from carddb.names import fold_space
from carddb.play.fields import Count, Day, Many
from carddb.play.question import Part

LIMITS = "imd_level_limits"
"""The option that gives levels another meaning."""

# The changes of a question have days and no moments, so any time zone tells the same.
_ZONE = "UTC"


class Definition(Part):
    """How well the meaning of a level is known (C-150)."""

    status: Status


class LevelChange(Part):
    """From a day on, a card has a level on a list."""

    card: str
    list: str
    level: int
    announced: Day
    effective: Day
    definition: Definition | None = None


class GroupChange(Part):
    """From a day on, a list has a group of cards with a limit; no members: it has it no longer (C-149)."""

    group: str
    members: Many[str]
    at_most_different: Count | None = None
    at_most: Count | None = None
    anchor: str | None = None
    list: str
    announced: Day
    effective: Day

    @model_validator(mode="after")
    def _one_limit(self) -> GroupChange:
        if sum(limit is not None for limit in (self.at_most_different, self.at_most, self.anchor)) > 1:
            raise ValueError("a group has one limit")
        return self


def _form(value: Any) -> str:
    named = "group" in value if isinstance(value, Mapping) else isinstance(value, GroupChange)
    return GroupChange.__name__ if named else LevelChange.__name__


Change = Annotated[
    Annotated[LevelChange, Tag("LevelChange")] | Annotated[GroupChange, Tag("GroupChange")], Discriminator(_form)
]
"""One change of a list."""

Changes = Sequence[LevelChange | GroupChange]
Limits = Mapping[int, int | None]
"""Copies that each level allows; None where its meaning is not known."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a card stands on a list: its level, the copies it allows (None: no limit that is known), and since when."""

    level: int = OFF
    max_copies: int | None = None
    status: str | None = None
    since: date | None = None


def notice(announced: date, effective: date) -> int:
    """Whole days from announcement to effect (C-146)."""
    return (effective - announced).days


def notice_fault(days: int, spec: GameSpec) -> str | None:
    """What is wrong with a notice of so many days (C-146)."""
    allowed = spec.data["imd"]["notice"]
    if days < allowed["least"]:
        return "imd_notice_too_short"
    return "imd_notice_too_long" if days > allowed["most"] else None


def limits_of(given: Mapping[str, Any], spec: GameSpec) -> Limits:
    """The copies of the option by level; null stands for a meaning that is not known. Raises ValueError."""
    limits = {int(level): given.get(level, -1) for level in spec.data["imd"]["status"]}
    if not all(most is None or (type(most) is int and most >= 0) for most in limits.values()):
        raise ValueError("each level allows a whole number of copies")
    return limits


def is_known_level(level: int, spec: GameSpec) -> bool:
    """Whether there is such a level (C-143)."""
    return level == OFF or str(level) in spec.data["imd"]["status"]


def faults(change: LevelChange | GroupChange, spec: GameSpec) -> list[str]:
    """The codes of what is wrong with a change; such a change is passed over (C-147)."""
    codes = []
    if notice_fault(notice(change.announced, change.effective), spec):
        codes.append("imd_notice_invalid")
    strange = isinstance(change, LevelChange) and not is_known_level(change.level, spec)
    if strange or change.list not in spec.data["imd"]["lists"].values():
        codes.append("imd_change_malformed")
    return codes


def read_otherwise(log: Log, limits: Limits) -> Log:
    """The log with other meanings of its levels (C-143)."""
    levels = {
        level: LevelSpec(level, limits.get(level), "unknown" if limits.get(level) is None else spec.status)
        for level, spec in log.levels.items()
    }
    return log._replace(levels=levels, dated=())


def standings(changes: Changes, list_: str, day: date, limits: Limits, spec: GameSpec) -> dict[str, Standing]:
    """Every card that is on a list on that day, by its folded name, as it stands (C-143, C-147)."""
    told = Told(changes, limits, spec)
    found = {}
    for card, standing in told.state(list_, day).levels.items():
        level = told.level_of(standing)
        found[card] = Standing(level.level, level.max_copies, level.status, standing.since)
    return found


class Told:
    """A list of changes as the announcements of a log, those that are not sound left out.

    Each change is one announcement, named by its place, made at the first moment of its day.
    """

    def __init__(self, changes: Changes, limits: Limits, spec: GameSpec) -> None:
        self._changes = changes
        self._limits = limits
        self._spec = spec
        lists = {key: ListSpec(key, key, _ZONE, match) for match, key in spec.data["imd"]["lists"].items()}
        allowed = spec.data["imd"]["notice"]
        self._log = Log(
            lists=lists,
            announcements=tuple(
                _announcement(number, change) for number, change in enumerate(changes) if not faults(change, spec)
            ),
            window=Window(allowed["least"], allowed["most"]),
        )

    def state(self, list_: str, day: date) -> State:
        """A list on a day, its cards and groups by folded name."""
        return state(self._log, list_, day)

    def level_of(self, standing: InForce) -> LevelSpec:
        """What the change that brought a level says that it means (C-150)."""
        change = self._changes[int(standing.announcement)]
        given = change.definition if isinstance(change, LevelChange) else None
        status: Status = given.status if given else self._spec.data["imd"]["status"][str(standing.level)]
        most = self._limits[standing.level]
        if most is None or status == "unknown":
            return LevelSpec(standing.level, None, "unknown")
        return LevelSpec(standing.level, most, status)

    def groups(self, found: State) -> dict[str, GroupSpec]:
        """The groups of a state, as the changes that brought them describe them (C-149)."""
        brought = {key: self._changes[int(standing.announcement)] for key, standing in found.groups.items()}
        return {key: _group(change) for key, change in brought.items() if isinstance(change, GroupChange)}


def _announcement(number: int, change: LevelChange | GroupChange) -> Announcement:
    if isinstance(change, LevelChange):
        told = bans.Change(change.list, fold_space(change.card), "", OFF, change.level)
    else:
        told = bans.Change(change.list, "", fold_space(change.group), OFF, int(bool(change.members)))
    made = datetime.combine(change.announced, time(), UTC)
    return Announcement(str(number), made, change.effective, changes=(told,))


def _group(change: GroupChange) -> GroupSpec:
    anchor = None if change.anchor is None else fold_space(change.anchor)
    members = tuple(map(fold_space, change.members))
    return GroupSpec(change.group, members, change.at_most_different, change.at_most, anchor)
