"""A short digest that shows players that they read the same list."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache

from carddb.bans.log import GroupSpec, LevelSpec
from carddb.bans.state import State

LENGTH = 10


def fingerprint(state: State, levels: Mapping[int, LevelSpec], groups: Mapping[str, GroupSpec]) -> str:
    """Ten hex digits of SHA-256 over a list: its cards with their levels, what those levels allow, and the
    groups in force with their members and limits. Days, reasons and announcements do not count."""
    used = sorted({standing.level for standing in state.levels.values()} & levels.keys())
    lines = [
        _json(state.list),
        *(_card_line(ref, standing.level) for ref, standing in state.levels.items()),
        *(_json(_level_line(levels[level])) for level in used),
        *(_json([key, *_group_line(groups[key])]) for key in state.groups if key in groups),
    ]
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()[:LENGTH]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=10_000)  # a publication takes the fingerprint of the same cards after each announcement
def _card_line(ref: str, level: int) -> str:
    return _json([ref, level])


def _level_line(level: LevelSpec) -> list[object]:
    """A level; what it says beside a number of copies stands behind, so that other lists keep their digests."""
    line: list[object] = [level.level, level.max_copies, level.status]
    costs = [level.points, level.surcharge, level.at_most_different, level.exempt]
    return [*line, *costs] if level.costs else line


def _group_line(group: GroupSpec) -> list[object]:
    line: list[object] = [sorted(group.members), group.at_most_different, group.at_most, group.anchor]
    more = group.query or group.max_copies is not None
    return [*line, group.max_copies, group.query] if more else line
