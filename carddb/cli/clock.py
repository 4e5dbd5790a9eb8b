"""Days and moments: what the user names, SOURCE_DATE_EPOCH, else the clock; nothing else reads a clock."""

from __future__ import annotations

import os
import time
from datetime import UTC, date, datetime
from typing import Any

import click

from carddb.errors import UsageError


class DayType(click.ParamType[date]):
    """A day written as 2026-06-20."""

    name = "day"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        if isinstance(value, date):
            return value
        try:
            return date.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is not a day; write it as 2026-06-20.", param, ctx)


DAY = DayType()


def today() -> date:
    """The day of SOURCE_DATE_EPOCH where that is set, else today here."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    return datetime.fromtimestamp(_epoch(epoch), UTC).date() if epoch else date.today()


def now() -> datetime:
    """The moment of SOURCE_DATE_EPOCH where that is set, else now, in UTC to the second."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    seconds = _epoch(epoch) if epoch else int(time.time())
    return datetime.fromtimestamp(seconds, UTC)


def creation(on: date) -> int:
    """What a file says of when it was made: SOURCE_DATE_EPOCH, else the day it speaks of."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    return _epoch(epoch) if epoch else int(datetime(on.year, on.month, on.day, tzinfo=UTC).timestamp())


def _epoch(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise UsageError(f"SOURCE_DATE_EPOCH is {text!r}, not a number of seconds", "Unset it.") from None
