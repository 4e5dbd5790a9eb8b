"""The current day and moment, the creation date of files (which SOURCE_DATE_EPOCH can fix), and time zones."""

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

from carddb.core.dates import ALWAYS
from carddb.core.errors import UsageError
from carddb.core.plain_text import whole

_UNDATED = date(1980, 1, 1)
"""The creation date of files that have no day of their own: the earliest that ZIP archives can store."""
_LAST_SECOND = 253_402_300_799
"""The end of the year 9999, in seconds since 1970."""


class Moment(NamedTuple):
    """The time by the clock: the local day, the moment in UTC, and SOURCE_DATE_EPOCH (empty if it is not set)."""

    day: date
    at: datetime
    epoch: str = ""


_STANDING: ContextVar[Moment | None] = ContextVar("standing", default=None)
"""The moment that a stopped clock shows; None while the clock runs."""


def today() -> date:
    """Returns the current day in the local time zone."""
    return moment().day


def now() -> datetime:
    """Returns the current moment, in UTC to the second."""
    return moment().at


def moment() -> Moment:
    """Returns what the clock shows now."""
    current = datetime.fromtimestamp(int(time.time()), UTC)
    return _STANDING.get() or Moment(date.today(), current, os.environ.get("SOURCE_DATE_EPOCH", ""))


@contextmanager
def standing_at(moment: Moment) -> Iterator[None]:
    """Stops the clock at `moment` within the block, so that a worker process has the day and time of its parent."""
    token = _STANDING.set(moment)
    try:
        yield
    finally:
        _STANDING.reset(token)


def creation(on: date | None) -> int:
    """Returns the creation time of a file in seconds since 1970: SOURCE_DATE_EPOCH, or else `on`, or else 1980-01-01.

    Raises UsageError if SOURCE_DATE_EPOCH is not a number of seconds.
    """
    epoch, on = moment().epoch, on or _UNDATED
    if not epoch:
        return int(datetime(on.year, on.month, on.day, tzinfo=UTC).timestamp())
    seconds = whole(epoch, 18)
    if seconds is None or seconds > _LAST_SECOND:
        raise UsageError(f"SOURCE_DATE_EPOCH is {epoch!r}, not a number of seconds since 1970", "Correct or unset it.")
    return seconds


def to_start(value: date | str | None) -> date | None:
    """Returns the day from which something is in force: ALWAYS for the word `always`, else what `to_day` returns."""
    return ALWAYS if value == "always" else to_day(value)


def to_day(value: date | str | None) -> date | None:
    """Returns a text such as `2026-06-20` as a date, a date or None unchanged. Raises UsageError for other texts."""
    if value is None or isinstance(value, date):
        return value
    try:
        return date.fromisoformat(value)
    except (ValueError, TypeError):
        raise UsageError(f"{value!r} is not a day", "Write a day such as 2026-06-20.") from None


def local_zone() -> str:
    """Returns the name of the time zone of this machine, or UTC if it is unknown."""
    name = Path("/etc/localtime").resolve().as_posix().partition("zoneinfo/")[2]
    return name if name and is_zone(name) else "UTC"


def is_zone(name: str) -> bool:
    """Returns whether there is a time zone called `name`, such as `Europe/Berlin`."""
    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        return False
    return True
