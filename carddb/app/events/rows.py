"""Rows of an event's table, each a player with deck, verdict and what else is to be known; and its days in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from carddb.core.amounts import first_of
from carddb.events.records import Author, Entry, Event, EventTerms, Player

STATES = {
    "illegal": "Not legal", "not_checkable": "Not checkable", "until": "Not on the day", "legal": "Legal",
    "missing": "Missing",
}  # fmt: skip
"""What a row of the table may be, the gravest first; `until` is legal today, and not on the event's day."""
COLUMNS = ("player", "deck", "verdict", "first reason", "fingerprint", "since", "version", "list", "remark")
_MOST_TWINS = 2
"""The players with the same cards that a row names."""


@dataclass(frozen=True, slots=True)
class Row:
    """A player with the latest version of his list, if he handed one in.

    `is_outdated`: cards or ban lists have changed since the check. `twins` have the same cards.
    """

    event: Event
    player: Player
    entry: Entry | None
    is_open: bool
    is_outdated: bool
    twins: tuple[str, ...]

    @property
    def state(self) -> str:
        """A key of `STATES`."""
        if self.entry is None:
            return "missing"
        verdict = self.entry.verdict
        return "until" if verdict.legal_until else verdict.verdict

    @property
    def words(self) -> str:
        """The verdict in words, with the last day of a deck that is not legal on the event's."""
        until = self.entry.verdict.legal_until if self.entry else None
        return f"Until {until.day} {until:%B}" if until else STATES[self.state]

    @property
    def deck(self) -> str:
        return self.entry.verdict.deck if self.entry else ""

    @property
    def reason(self) -> str:
        return self.entry.verdict.reason if self.entry else ""

    @property
    def fingerprint(self) -> str:
        return self.entry.verdict.fingerprint if self.entry else ""

    @property
    def since(self) -> datetime | None:
        """The moment of the verdict, where the event is."""
        return self.entry.since.astimezone(ZoneInfo(self.event.terms.zone)) if self.entry else None

    @property
    def remark(self) -> str:
        """What the organiser has to know besides the verdict."""
        corrected = self.entry is not None and self.entry.recorded_by is Author.ORGANISER and self.entry.version > 1
        parts = (
            "objects" if self.entry and self.entry.objection else "corrected" if corrected else "",
            f"same cards as {first_of(self.twins, _MOST_TWINS)}" if self.twins else "",
            "to be checked again" if self.is_outdated else "",
        )
        return "; ".join(filter(None, parts))

    def cells(self) -> tuple[str, ...]:
        """The row as texts, in the order of `COLUMNS`."""
        since = f"{self.since:%Y-%m-%d %H:%M}" if self.since else ""
        version = str(self.entry.version) if self.entry else ""
        state = "open" if self.is_open else "locked"
        return (
            self.player.name, self.deck, self.words.lower(), self.reason, self.fingerprint, since, version, state,
            self.remark,
        )  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        entry = self.entry
        return {
            "player": self.player.name, "deck": self.deck, "state": self.state,
            "verdict": entry.verdict.verdict if entry else None, "reason": self.reason, "fingerprint": self.fingerprint,
            "since": entry.since.isoformat() if entry else None, "version": entry.version if entry else 0,
            "legal_until": entry.verdict.legal_until.isoformat() if entry and entry.verdict.legal_until else None,
            "open": self.is_open, "outdated": self.is_outdated, "same_cards_as": list(self.twins),
            "objection": entry.objection if entry else "",
        }  # fmt: skip


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
