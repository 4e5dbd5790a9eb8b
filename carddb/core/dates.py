"""Dates (2026-06-20) and times in UTC (2026-06-20T12:00:00Z) as text."""

from __future__ import annotations

from datetime import UTC, date, datetime

ALWAYS = date.min
"""The day that stands for “from the beginning”."""


def day(text: str) -> str:
    """Returns `text` if it is a date of the calendar, written as 2026-06-20. Raises ValueError otherwise."""
    if date.fromisoformat(text).isoformat() != text:
        raise ValueError("not a day written as 2026-06-20")
    return text


def later(day: date, days: int) -> date:
    """Returns the day that is `days` days after `day`, at most the last day of the calendar."""
    return date.fromordinal(min(day.toordinal() + days, date.max.toordinal()))


def moment(text: str) -> str:
    """Returns `text` if it is a time written as 2026-06-20T12:00:00Z. Raises ValueError otherwise."""
    if datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").isoformat() + "Z" != text:
        raise ValueError("not a time written as 2026-06-20T12:00:00Z")
    return text


def spoken(day: date) -> str:
    """Returns a day as it is read out, such as `5 December 2026`."""
    return f"{day.day} {day:%B %Y}"


def moment_text(value: datetime) -> str:
    """Returns a time as text in UTC, to the second; `value` must have a time zone."""
    return value.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"
