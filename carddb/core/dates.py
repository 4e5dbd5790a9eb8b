"""Days and moments as text: 2026-06-20 and, in UTC, 2026-06-20T12:00:00Z."""

from __future__ import annotations

from datetime import UTC, date, datetime
from functools import lru_cache


@lru_cache(maxsize=16)
def day(text: str) -> str:
    """Returns a day that is written as 2026-06-20 and stands in the calendar. Raises ValueError for other text."""
    if date.fromisoformat(text).isoformat() != text:
        raise ValueError("not a day as 2026-06-20")
    return text


@lru_cache(maxsize=16)
def moment(text: str) -> str:
    """Returns a moment that is written as 2026-06-20T12:00:00Z. Raises ValueError for other text."""
    if datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").isoformat() + "Z" != text:
        raise ValueError("not a moment as 2026-06-20T12:00:00Z")
    return text


def moment_text(value: datetime) -> str:
    """Returns a moment with a time zone as text in UTC, to the second."""
    return value.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"
