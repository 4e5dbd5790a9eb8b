"""Words, numbers, days and moments as every output writes them."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_BREAK = re.compile("\r\n?|[\u2028\u2029\x85]")
_UNSEEN = ("Cc", "Cs", "Cn")
_DIRECTED = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Marks that turn the direction of all that follows, even of other people's words."""


def shown(text: str) -> str:
    """A text that any page can show: no control characters but new lines, nothing that turns other people's words."""
    lines = _BREAK.sub("\n", text).split("\n")
    clean = ("".join(" " if unicodedata.category(char) in _UNSEEN else char for char in line) for line in lines)
    return _DIRECTED.sub("", "\n".join(clean)).strip()


def one_line(text: str) -> str:
    """The same as one line."""
    return " ".join(shown(text).split())


def day(value: date) -> str:
    """`Mon 2 Mar 2026`."""
    return f"{value:%a} {value.day} {value:%b} {value.year:04}"


def long_day(value: date) -> str:
    """`Monday, 2 March 2026`."""
    return f"{value:%A}, {value.day} {value:%B} {value.year:04}"


def moment(value: datetime, zone: str) -> str:
    """`16:00 in New York, 20:00 UTC`."""
    utc = f"{value.astimezone(UTC):%H:%M} UTC"
    return utc if zone in ("UTC", "Etc/UTC") else f"{value.astimezone(ZoneInfo(zone)):%H:%M} {place(zone)}, {utc}"


def place(zone: str) -> str:
    """A time zone as people call it."""
    return f"{zone.rpartition('/')[2].replace('_', ' ')} time"


def number(count: int, one: str, many: str = "") -> str:
    """`1 card`, `2 cards`."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def spelt(count: int) -> str:
    """A small number as a word."""
    return _COUNTS[count] if count < len(_COUNTS) else str(count)


def grouped(print_: str) -> str:
    """A fingerprint in groups of four digits, so that it can be read aloud."""
    name, colon, digits = print_.rpartition(":")
    return f"{name}{colon}{'-'.join(digits[at : at + 4] for at in range(0, len(digits), 4))}"
