"""A log as mappings, lists and scalars, in the words of `bans.yaml`, and back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from carddb.bans.log import OFF, ON, Announcement, Change, GroupSpec, LevelSpec, ListSpec, Log, Window
from carddb.dates import moment_text

SWITCH = {"off": OFF, "on": ON}
"""How the two states of a group are written."""

_TEXTS = ("target", "supersedes", "waiver", "author", "source")


def parts_of(log: Log) -> dict[str, Any]:
    """Lists, levels, groups, window and note: what a log has besides its announcements."""
    return {
        "lists": {key: _without(spec._asdict(), "key") for key, spec in log.lists.items()},
        "levels": {str(level): _without(spec._asdict(), "level") for level, spec in sorted(log.levels.items())},
        "groups": {key: _group(spec) for key, spec in log.groups.items()},
        "window": list(log.window),
        "note": log.note,
    }


def plain_announcement(announcement: Announcement) -> dict[str, Any]:
    """An announcement as a mapping; what is empty is left out."""
    out: dict[str, Any] = {
        "id": announcement.id,
        "made": moment_text(announcement.made),
        "effective": announcement.effective.isoformat(),
        "kind": announcement.kind,
        **{name: text for name in _TEXTS if (text := getattr(announcement, name))},
    }
    if announcement.changes:
        out["changes"] = [plain_change(change) for change in announcement.changes]
    return out


def log_of(parts: Mapping[str, Any], announcements: tuple[Announcement, ...] = ()) -> Log:
    """A log out of sound plain data, its announcements brought into the order in which they were made."""
    return Log(
        {key: ListSpec(key, **spec) for key, spec in parts["lists"].items()},
        {int(level): LevelSpec(int(level), **spec) for level, spec in parts["levels"].items()},
        {key: GroupSpec(key, **{**spec, "members": tuple(spec["members"])}) for key, spec in parts["groups"].items()},
        tuple(sorted(announcements, key=lambda announcement: announcement.made)),
        Window(*parts["window"]),
        parts["note"],
    )


def announcement_of(value: Mapping[str, Any]) -> Announcement:
    """An announcement out of sound plain data. Raises KeyError, TypeError or ValueError for anything else."""
    texts = {name: value[name] for name in ("kind", *_TEXTS) if name in value}
    return Announcement(
        id=value["id"],
        made=datetime.fromisoformat(value["made"]).astimezone(UTC),
        effective=date.fromisoformat(value["effective"]),
        changes=tuple(_change(change) for change in value.get("changes", ())),
        **texts,
    )


def level_text(level: int, of_group: bool) -> int | str:
    """A level as it is written; a group's as off or on."""
    return next(word for word, state in SWITCH.items() if state == level) if of_group else level


def _group(spec: GroupSpec) -> dict[str, Any]:
    values = {name: value for name, value in spec._asdict().items() if name != "key" and value is not None}
    return {**values, "members": list(spec.members)}


def plain_change(change: Change) -> dict[str, Any]:
    """A change as a mapping; a group goes from off to on or back."""
    of_group = bool(change.group)
    out = {
        "list": change.list,
        "group" if of_group else "card": change.group or change.card,
        "from": level_text(change.before, of_group),
        "to": level_text(change.after, of_group),
    }
    return {**out, "why": change.why} if change.why else out


def _change(value: Mapping[str, Any]) -> Change:
    before, after = (SWITCH.get(level, level) for level in (value["from"], value["to"]))
    return Change(value["list"], value.get("card", ""), value.get("group", ""), before, after, value.get("why", ""))


def _without(values: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key != name}
