"""A log as mappings, lists and scalars, in the words of `bans.yaml`, and back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Any

from carddb.bans.log import OFF, ON, Announcement, Change, GroupSpec, LevelSpec, ListSpec, Log, WholeList, Window
from carddb.core.dates import moment_text

SWITCH = {"off": OFF, "on": ON}
"""How the two states of a group are written."""

_TEXTS = ("target", "supersedes", "waiver", "author", "source")


def parts_of(log: Log) -> dict[str, Any]:
    """Lists, levels, groups, window and note: what a log has besides its announcements."""
    return {
        "lists": {key: _stated(spec, "key") for key, spec in log.lists.items()},
        "levels": {str(level): _stated(spec, "level") for level, spec in sorted(log.levels.items())},
        "groups": {key: {**_stated(spec, "key"), "members": list(spec.members)} for key, spec in log.groups.items()},
        "window": list(log.window),
        "note": log.note,
    }


def plain_announcement(announcement: Announcement) -> dict[str, Any]:
    """An announcement as a mapping; what is empty is left out."""
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
    made, effective = value.get("made"), date.fromisoformat(value["effective"])
    return Announcement(
        id=value["id"],
        made=datetime.fromisoformat(made).astimezone(UTC) if made else datetime.combine(effective, time(), UTC),
        effective=effective,
        changes=tuple(_change(change) for change in value.get("changes", ())),
        made_known=bool(made),
        replaces=tuple(_whole(key, whole) for key, whole in (value.get("replaces") or {}).items()),
        **texts,
    )


def _whole(key: str, value: Mapping[str, Any]) -> WholeList:
    return WholeList(key, tuple(value.get("cards", {}).items()), tuple(value.get("groups", ())))


def level_text(level: int, of_group: bool) -> int | str:
    """A level as it is written; a group's as off or on."""
    return next(word for word, state in SWITCH.items() if state == level) if of_group else level


def plain_change(change: Change) -> dict[str, Any]:
    """A change as a mapping; a group goes from off to on or back."""
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
    """A list as a mapping; what it does not say is left out."""
    return {"key": spec.key, **_stated(spec, "key")}


def stated_level(spec: LevelSpec) -> dict[str, Any]:
    """A level as a mapping; what it does not say is left out."""
    return {"level": spec.level, **_stated(spec, "level")}


def _stated(spec: ListSpec | LevelSpec | GroupSpec, key: str) -> dict[str, Any]:
    """The fields of a part without its key, and without those that may be left out and have their default."""
    usual = spec._field_defaults
    return {
        name: value
        for name, value in spec._asdict().items()
        if name != key and not (name in usual and value == usual[name])
    }
