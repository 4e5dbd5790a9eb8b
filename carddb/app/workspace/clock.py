"""Days and moments: the clock, and when a file says it was made (SOURCE_DATE_EPOCH, else the day it speaks of)."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

from carddb.core.errors import UsageError

_UNDATED = date(1980, 1, 1)
"""What files name that speak of no day: the first day that archives know."""
_LAST_SECOND = 253_402_300_799
"""The end of the year 9999."""


class Moment(NamedTuple):
    """A day where somebody is, the moment in UTC to the second, and SOURCE_DATE_EPOCH, empty where it is not set."""

    day: date
    at: datetime
    epoch: str = ""


_STANDING: ContextVar[Moment | None] = ContextVar("standing", default=None)
"""What the clock shows while it stands."""


def today() -> date:
    """Returns the day here."""
    standing = _STANDING.get()
    return standing.day if standing else date.today()


def now() -> datetime:
    """Returns the moment, in UTC to the second."""
    standing = _STANDING.get()
    return standing.at if standing else datetime.fromtimestamp(int(time.time()), UTC)


def moment() -> Moment:
    """Returns the moment of the clock."""
    return Moment(today(), now(), _epoch())


@contextmanager
def standing_at(moment: Moment) -> Iterator[None]:
    """Within, the clock stands: one process does a part of what another began there and then."""
    token = _STANDING.set(moment)
    try:
        yield
    finally:
        _STANDING.reset(token)


def creation(on: date | None) -> int:
    """Returns the time of making in a file: SOURCE_DATE_EPOCH, else its day, else 1980-01-01; seconds since 1970."""
    epoch, on = _epoch(), on or _UNDATED
    if not epoch:
        return int(datetime(on.year, on.month, on.day, tzinfo=UTC).timestamp())
    if not epoch.isdecimal() or int(epoch) > _LAST_SECOND:
        raise UsageError(f"SOURCE_DATE_EPOCH is {epoch!r}, not a number of seconds since 1970", "Unset it.")
    return int(epoch)


def _epoch() -> str:
    """Returns SOURCE_DATE_EPOCH where the clock began to stand, else here."""
    standing = _STANDING.get()
    return standing.epoch if standing else os.environ.get("SOURCE_DATE_EPOCH", "")


def to_day(value: date | str | None) -> date | None:
    """Returns a day as a date. Raises UsageError for what is none."""
    if value is None or isinstance(value, date):
        return value
    try:
        return date.fromisoformat(value)
    except (ValueError, TypeError):
        raise UsageError(f"{value!r} is not a day", "Write it as 2026-06-20.") from None


def local_zone() -> str:
    """Returns the name of the time zone of this machine, as far as it tells it; else UTC."""
    name = Path("/etc/localtime").resolve().as_posix().partition("zoneinfo/")[2]
    return name if name and is_zone(name) else "UTC"


def is_zone(name: str) -> bool:
    """Returns whether there is a time zone of this name, such as `Europe/Berlin`."""
    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        return False
    return True
