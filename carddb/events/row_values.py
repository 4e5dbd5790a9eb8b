"""Rows of the database of events as values, and values as the columns of a row."""

from __future__ import annotations

import json
import sqlite3
from datetime import date, datetime
from typing import Any

from carddb.core.dates import moment_text
from carddb.events.records import Author, Entry, Event, EventTerms, Player, Verdict


def term_values(terms: EventTerms) -> dict[str, Any]:
    """The columns of an event's terms."""
    return {
        "name": terms.name, "game": terms.game, "format": terms.format, "day": terms.day.isoformat(),
        "deadline": moment_text(terms.deadline), "zone": terms.zone, "editions": json.dumps(terms.editions),
        "options": json.dumps(dict(terms.options or {})),
    }  # fmt: skip


def verdict_values(verdict: Verdict) -> dict[str, Any]:
    """The columns of a verdict."""
    return {
        "deck": verdict.deck, "fingerprint": verdict.fingerprint, "verdict": verdict.verdict, "reason": verdict.reason,
        "findings": json.dumps([dict(finding) for finding in verdict.findings]),
        "counts": json.dumps(dict(verdict.counts)), "basis": verdict.basis,
        "legal_until": verdict.legal_until.isoformat() if verdict.legal_until else None,
    }  # fmt: skip


def event_of(row: sqlite3.Row) -> Event:
    """An event from its row."""
    terms = EventTerms(
        row["name"], row["game"], row["format"], date.fromisoformat(row["day"]),
        datetime.fromisoformat(row["deadline"]), row["zone"], tuple(json.loads(row["editions"])),
        json.loads(row["options"]),
    )  # fmt: skip
    return Event(
        row["id"], row["key"], terms, bool(row["registration"]), bool(row["open_lists"]), bool(row["locked"]),
        row["join_code"], row["secret_hash"], datetime.fromisoformat(row["made_at"]),
    )  # fmt: skip


def player_of(row: sqlite3.Row) -> Player:
    """A player from his row."""
    locked = None if row["locked"] is None else bool(row["locked"])
    return Player(
        row["id"], row["event_id"], row["name"], row["token_hash"], locked, bool(row["open_list"]),
        datetime.fromisoformat(row["registered_at"]),
    )  # fmt: skip


def entry_of(row: sqlite3.Row) -> Entry:
    """A version of a deck list from its row."""
    until = date.fromisoformat(row["legal_until"]) if row["legal_until"] else None
    verdict = Verdict(
        row["deck"], row["fingerprint"], row["verdict"], row["reason"], tuple(json.loads(row["findings"])),
        json.loads(row["counts"]), until, row["basis"],
    )  # fmt: skip
    return Entry(
        row["id"], row["player_id"], row["version"], row["text"], datetime.fromisoformat(row["recorded_at"]),
        Author(row["recorded_by"]), verdict, datetime.fromisoformat(row["since"]),
        datetime.fromisoformat(row["checked_at"]), row["objection"],
    )  # fmt: skip
