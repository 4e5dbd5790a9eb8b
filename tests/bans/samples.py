"""Announcements, and logs of them, in a few words."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

from carddb.bans.log import Announcement, Change, GroupSpec, LevelSpec, ListSpec, Log

NEW_YORK = "America/New_York"
LISTS = {"long": ListSpec("long", "War", NEW_YORK, "war"), "short": ListSpec("short", "Battle", NEW_YORK, "battle")}
LEVELS = {
    1: LevelSpec(1, 2, "proposal"),
    2: LevelSpec(2, 1, "proposal"),
    3: LevelSpec(3, 0, "proposal"),
}
GROUPS = {"riders": GroupSpec("riders", ("A", "B", "C"))}


def day(number: int) -> date:
    """A day of June 2026."""
    return date(2026, 6, number)


def made(number: int, hour: int = 16) -> datetime:
    """A moment on a day of June 2026, at noon in New York."""
    return datetime(2026, 6, number, hour, tzinfo=UTC)


def card(ref: str, before: int, after: int, list_: str = "long", why: str = "") -> Change:
    return Change(list_, ref, "", before, after, why)


def group(key: str, before: int, after: int, list_: str = "long", why: str = "") -> Change:
    return Change(list_, "", key, before, after, why)


def told(id_: str, on: int | datetime, effective: int | date, *changes: Change, **more: Any) -> Announcement:
    """An announcement made and effective on days of June 2026."""
    moment = made(on) if isinstance(on, int) else on
    start = day(effective) if isinstance(effective, int) else effective
    return Announcement(id_, moment, start, changes=changes, **more)


def withdrawn(id_: str, on: int, effective: int, target: str, **more: Any) -> Announcement:
    return told(id_, on, effective, kind="withdrawal", target=target, **more)


def corrected(id_: str, on: int, effective: int, target: str, *changes: Change, **more: Any) -> Announcement:
    return told(id_, on, effective, *changes, kind="correction", target=target, **more)


def log(*announcements: Announcement, **more: Any) -> Log:
    """A log of these, in the order in which they were made."""
    parts = {"lists": LISTS, "levels": LEVELS, "groups": GROUPS, **more}
    return Log(**parts, announcements=tuple(sorted(announcements, key=lambda each: each.made)))
