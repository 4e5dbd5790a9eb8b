"""The restricted list: its changes, the notice that they require, and the level of a card on a day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Annotated, Any

from pydantic import Discriminator, Tag, model_validator

from carddb.bans import log as bans
from carddb.bans.log import OFF, Announcement, GroupSpec, LevelSpec, ListSpec, Log, Status, Window
from carddb.bans.state import LevelStanding, ListState, state
from carddb.core.names import fold_space
from carddb.game.game import GameSpec
from carddb.games.cahrd.play.turn import RestrictedList
from carddb.play.question import Answer, BadInput, Count, Day, Known, Many, Part, operation, read, refuse, refuse_for

LIMITS = "imd_level_limits"
"""The option that changes how many copies each level allows."""


class Definition(Part):
    """The status of a level's meaning: official, a proposal, or unknown (C-150)."""

    status: Status


class LevelChange(Part):
    """A change of a card's level on a restricted list, in force from the day `effective`."""

    card: str
    list: Known[RestrictedList]
    level: int
    announced: Day
    effective: Day
    definition: Definition | None = None


class GroupChange(Part):
    """A change of a group of cards that share a limit on a restricted list; without members, the group ends (C-149)."""

    group: str
    members: Many[str]
    at_most_different: Count | None = None
    at_most: Count | None = None
    anchor: str | None = None
    list: Known[RestrictedList]
    announced: Day
    effective: Day

    @model_validator(mode="after")
    def _one_limit(self) -> GroupChange:
        if sum(limit is not None for limit in (self.at_most_different, self.at_most, self.anchor)) > 1:
            raise ValueError("a group has one limit")
        return self


def _tag(value: Any) -> str:
    is_group = "group" in value if isinstance(value, Mapping) else isinstance(value, GroupChange)
    return GroupChange.__name__ if is_group else LevelChange.__name__


Change = Annotated[
    Annotated[LevelChange, Tag("LevelChange")] | Annotated[GroupChange, Tag("GroupChange")], Discriminator(_tag)
]

Changes = Sequence[LevelChange | GroupChange]
Limits = Mapping[int, int | None]
"""The number of copies that each level allows, by level; None for a level of unknown meaning."""


def notice(announced: date, effective: date) -> int:
    """Returns the number of days from the announcement of a change to the day from which it is in force (C-146)."""
    return (effective - announced).days


def notice_fault(days: int, spec: GameSpec) -> str | None:
    """Returns the code of the fault if a notice of `days` days is too short or too long, else None (C-146)."""
    allowed = spec.data["imd"]["notice"]
    if days < allowed["least"]:
        return "imd_notice_too_short"
    return "imd_notice_too_long" if days > allowed["most"] else None


def limits_of(option: Mapping[str, Any], spec: GameSpec) -> Limits:
    """Returns the copies by level, None if unknown, from an option's value. Raises ValueError for a wrong value."""
    limits = {int(level): option.get(level, -1) for level in spec.data["imd"]["status"]}
    if not all(most is None or (type(most) is int and most >= 0) for most in limits.values()):
        raise ValueError("each level allows a whole number of copies")
    return limits


def is_known_level(level: int, spec: GameSpec) -> bool:
    """Returns whether `level` is a level of the game, or means that a card is not on a list (C-143)."""
    return level == OFF or str(level) in spec.data["imd"]["status"]


def faults(change: LevelChange | GroupChange, spec: GameSpec) -> list[str]:
    """Returns the codes of the faults of a change; a change with faults is ignored (C-147)."""
    codes = []
    if notice_fault(notice(change.announced, change.effective), spec):
        codes.append("imd_notice_invalid")
    unknown = isinstance(change, LevelChange) and not is_known_level(change.level, spec)
    if unknown or change.list not in spec.data["imd"]["lists"].values():
        codes.append("imd_change_malformed")
    return codes


def with_limits(log: Log, limits: Limits) -> Log:
    """Returns the ban lists' log with the numbers of copies that its levels allow replaced by `limits` (C-143)."""
    levels = {
        level: LevelSpec(level, limits.get(level), "unknown" if limits.get(level) is None else spec.status)
        for level, spec in log.levels.items()
    }
    return log._replace(levels=levels, dated=())


@dataclass(frozen=True)
class ChangeLog:
    """Changes of restricted lists as a log: each valid change is an announcement, with its index in `changes` as id."""

    changes: Changes
    limits: Limits
    spec: GameSpec

    def state(self, list_: str, day: date) -> ListState:
        """Returns the restrictions of a list in force on a day, by folded names of cards and groups (C-143, C-147)."""
        valid = [(number, change) for number, change in enumerate(self.changes) if not faults(change, self.spec)]
        notice = self.spec.data["imd"]["notice"]
        log = Log(  # a question has days without times, so the time zone does not matter
            lists={key: ListSpec(key, key, "UTC", match) for match, key in self.spec.data["imd"]["lists"].items()},
            announcements=tuple(_announcement(number, change) for number, change in valid),
            window=Window(notice["least"], notice["most"]),
        )
        return state(log, list_, day)

    def level_of(self, standing: LevelStanding) -> LevelSpec:
        """Returns a card's level: the copies allowed, and the status, which the card's change may define (C-150)."""
        change = self.changes[int(standing.announcement)]
        definition = change.definition if isinstance(change, LevelChange) else None
        status: Status = definition.status if definition else self.spec.data["imd"]["status"][str(standing.level)]
        most = self.limits[standing.level]
        if most is None or status == "unknown":
            return LevelSpec(standing.level, None, "unknown")
        return LevelSpec(standing.level, most, status)

    def groups(self, state: ListState) -> dict[str, GroupSpec]:
        """Returns the groups in force by folded name, with the members and limits that were set last (C-149)."""
        changes = {key: self.changes[int(standing.announcement)] for key, standing in state.groups.items()}
        return {
            key: GroupSpec(
                change.group,
                tuple(map(fold_space, change.members)),
                change.at_most_different,
                change.at_most,
                None if change.anchor is None else fold_space(change.anchor),
            )
            for key, change in changes.items()
            if isinstance(change, GroupChange)
        }


def _announcement(number: int, change: LevelChange | GroupChange) -> Announcement:
    if isinstance(change, LevelChange):
        announced = bans.Change(change.list, fold_space(change.card), "", OFF, change.level)
    else:
        announced = bans.Change(change.list, "", fold_space(change.group), OFF, int(bool(change.members)))
    moment = datetime.combine(change.announced, time(), UTC)
    return Announcement(str(number), moment, change.effective, changes=(announced,))


class _Asked(Part):
    """The part of a question with the changes of the restricted lists, in the order of their announcement."""

    imd: Many[Change]


def changes_of(changes: Any, spec: GameSpec) -> Changes:
    """Returns the changes in a question. Raises BadInput if they are malformed."""
    return read(_Asked, {"imd": changes}, spec=spec).imd


def limits_asked(spec: GameSpec) -> Limits:
    """Returns the copies by level under a question's options; None if unknown. Raises BadInput for a wrong option."""
    try:
        return limits_of(spec.readings[LIMITS], spec)
    except ValueError:
        raise BadInput(f"options.{LIMITS}") from None


@operation()
def imd_window(announced: Day, effective: Day, *, spec: GameSpec) -> Answer:
    """The number of days between the announcement of a change and the day from which it is in force."""
    days = notice(announced, effective)
    refuse_for(notice_fault(days, spec))
    return {"days": days}


@operation()
def imd_level(card: str, list: Known[RestrictedList], date: Day, changes: Many[Change], *, spec: GameSpec) -> Answer:
    """The level of a card on a restricted list on a day, and the copies that the level allows."""
    limits = limits_asked(spec)
    levels = [change.level for change in changes if isinstance(change, LevelChange)]
    refuse(
        imd_list_unknown=list not in spec.data["imd"]["lists"].values(),
        imd_level_unknown=not all(is_known_level(level, spec) for level in levels),
    )
    log = ChangeLog(changes, limits, spec)
    standing = log.state(list, date).levels.get(fold_space(card))
    level = log.level_of(standing)._asdict() if standing else {"level": OFF, "max_copies": None, "status": None}
    return {**level, "warnings": sorted({code for change in changes for code in faults(change, spec)})}
