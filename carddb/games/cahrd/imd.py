"""The restricted list: what its changes make of it on a day. Pure functions of a list of changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Tag, model_validator

from carddb.game import GameSpec
from carddb.names import fold_space
from carddb.play.fields import Count, Day, Many
from carddb.play.question import Part

OFF = 0
"""The level of a card that is not on the list."""


class Definition(Part):
    """How well the meaning of a level is known (C-150)."""

    status: Literal["official", "proposal", "unknown"]


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
    """The option `imd_level_limits` by level; null stands for a meaning that is not known. Raises ValueError."""
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


def standings(changes: Changes, list_: str, day: date, limits: Limits, spec: GameSpec) -> dict[str, Standing]:
    """Every card that has been on a list by that day, by its folded name, as it stands (C-143, C-147)."""
    found = {}
    for change in _in_force(changes, list_, day, spec):
        if isinstance(change, LevelChange):
            found[fold_space(change.card)] = _standing(change, limits, spec)
    return found


def groups(changes: Changes, list_: str, day: date, spec: GameSpec) -> list[GroupChange]:
    """The groups of a list on a day; one without members has ended (C-149)."""
    found = {
        fold_space(change.group): change
        for change in _in_force(changes, list_, day, spec)
        if isinstance(change, GroupChange)
    }
    return [group for group in found.values() if group.members]


def _in_force(changes: Changes, list_: str, day: date, spec: GameSpec) -> Iterable[LevelChange | GroupChange]:
    """The sound changes of a list up to a day, by effective date; of one date the later in the input comes last."""
    sound = [change for change in changes if change.list == list_ and change.effective <= day]
    return sorted((change for change in sound if not faults(change, spec)), key=lambda change: change.effective)


def _standing(change: LevelChange, limits: Limits, spec: GameSpec) -> Standing:
    if change.level == OFF:
        return Standing(since=change.effective)
    status = change.definition.status if change.definition else spec.data["imd"]["status"][str(change.level)]
    most = limits[change.level]
    if most is None or status == "unknown":
        return Standing(change.level, None, "unknown", change.effective)
    return Standing(change.level, most, status, change.effective)


def broken(group: GroupChange, copies: Mapping[str, int]) -> tuple[list[str], int] | None:
    """The members of a group that are present by folded name, and its limit, where a deck breaks it (C-149)."""
    names = (*group.members, group.anchor) if group.anchor is not None else group.members
    present = [name for name in dict.fromkeys(map(fold_space, names)) if copies.get(name)]
    if group.anchor is not None:
        wrong, limit = fold_space(group.anchor) in present and len(present) > 1, 0
    elif group.at_most is not None:
        wrong, limit = sum(copies[name] for name in present) > group.at_most, group.at_most
    else:
        limit = 1 if group.at_most_different is None else group.at_most_different
        wrong = len(present) > limit
    return (present, limit) if wrong else None
