"""Days and moments of an event in words, where the event is, and how long its lists are still open."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from carddb.events.records import EventTerms


def day_words(terms: EventTerms) -> str:
    """`Sunday 29 November 2026`."""
    return f"{terms.day:%A} {terms.day.day} {terms.day:%B %Y}"


def moment_words(terms: EventTerms, moment: datetime) -> str:
    """`Sat 28 November 18:00`, where the event is."""
    local = moment.astimezone(ZoneInfo(terms.zone))
    return f"{local:%a} {local.day} {local:%B %H:%M}"


def left_words(left: timedelta) -> str:
    """`3 days`, `4 h 17 min`, `12 min`; empty where nothing is left."""
    minutes = int(left.total_seconds()) // 60
    if left <= timedelta():
        return ""
    if minutes >= 48 * 60:
        return f"{minutes // (24 * 60)} days"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def grouped(fingerprint: str) -> str:
    """`carddb1:7f3a9c21d0` as `7f3a 9c21 d0`, as it is read aloud and stands on printed lists."""
    digits = fingerprint.rpartition(":")[2]
    return " ".join(digits[at : at + 4] for at in range(0, len(digits), 4))
