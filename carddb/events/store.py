"""The events in their database: every step is one transaction, and no version of a deck list is ever changed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from carddb.core.database import guarded
from carddb.core.dates import moment_text
from carddb.core.errors import CatalogError
from carddb.events.connection import open_database
from carddb.events.records import Author, Entry, Event, EventTerms, Player, Verdict

_MOST_ID = (1 << 63) - 1
"""The largest number of a row that SQLite has."""
_LATEST = "SELECT max(version) FROM entry AS other WHERE other.player_id = entry.player_id"


class Events:
    """The open database of events; use it in a `with`. Every method raises CatalogError where the file fails."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = open_database(path)
        self._connection.row_factory = sqlite3.Row

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        with guarded(self.path):
            self._connection.close()

    @contextmanager
    def step(self) -> Iterator[None]:
        """All that is read and written in the block is one transaction; an exception undoes it."""
        with guarded(self.path), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            yield

    # Events.

    def events(self) -> list[Event]:
        """Every event, the latest day first."""
        return [event_of(row) for row in self._rows("SELECT * FROM event ORDER BY day DESC, key")]

    def event(self, key: str) -> Event | None:
        """The event with a key."""
        return next(map(event_of, self._rows("SELECT * FROM event WHERE key = ?", key)), None)

    def add_event(self, key: str, terms: EventTerms, join_code: str, registration: bool, now: datetime) -> None:
        """Adds an event with no players."""
        values = {
            "key": key, **term_values(terms), "registration": registration, "open_lists": False, "locked": False,
            "join_code": join_code, "made_at": moment_text(now),
        }  # fmt: skip
        self._insert("event", values)

    def change_event(self, event: Event, **values: Any) -> None:
        """Changes columns of an event: `registration`, `open_lists`, `locked`, `secret_hash`, `join_code`."""
        self._update("event", event.id, values)

    def change_terms(self, event: Event, terms: EventTerms) -> None:
        """Changes what players are told before."""
        self._update("event", event.id, term_values(terms))

    # Players.

    def players(self, event: Event) -> list[Player]:
        """The players of an event, in the order of their registration."""
        return [player_of(row) for row in self._rows("SELECT * FROM player WHERE event_id = ? ORDER BY id", event.id)]

    def player(self, event: Event, player_id: int) -> Player | None:
        """A player of an event by his number."""
        if player_id > _MOST_ID:
            return None
        return self._one_player("id = ? AND event_id = ?", player_id, event.id)

    def player_called(self, event: Event, folded_name: str) -> Player | None:
        """The player of an event with this folded name."""
        return self._one_player("folded_name = ? AND event_id = ?", folded_name, event.id)

    def player_of_link(self, event: Event, token_hash: str) -> Player | None:
        """The player of an event whose link has this hash."""
        return self._one_player("token_hash = ? AND event_id = ?", token_hash, event.id)

    def add_player(self, event: Event, name: str, folded_name: str, token_hash: str, now: datetime) -> Player:
        """Adds a player, with no deck list yet."""
        values = {
            "event_id": event.id, "name": name, "folded_name": folded_name, "token_hash": token_hash,
            "open_list": False, "registered_at": moment_text(now),
        }  # fmt: skip
        self._insert("player", values)
        player = self.player_called(event, folded_name)
        assert player is not None
        return player

    def change_player(self, player: Player, **values: Any) -> None:
        """Changes columns of a player: `locked`, `open_list`, `token_hash`."""
        self._update("player", player.id, values)

    def follow_event(self, event: Event) -> None:
        """Lets every player's list be open or locked as the event is."""
        self._execute("UPDATE player SET locked = NULL WHERE event_id = ?", event.id)

    def remove_player(self, player: Player) -> None:
        """Removes a player with all versions of his list."""
        self._execute("DELETE FROM player WHERE id = ?", player.id)

    def wipe(self) -> None:
        """Leaves nothing in the file, or in its log, of what was removed.

        Raises CatalogError where another program that reads the file keeps its log.
        """
        with guarded(self.path):
            self._connection.execute("VACUUM")
            (is_busy, *_) = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if is_busy:
            remedy = "The log goes when the last program that has the file open ends."
            raise CatalogError(f"what was removed from {self.path} is still in its log", remedy)

    # Entries.

    def entries(self, event: Event) -> dict[int, Entry]:
        """The latest version of each deck list of an event, by the player's number."""
        rows = self._rows(
            "SELECT entry.* FROM entry JOIN player ON player.id = entry.player_id "
            f"WHERE event_id = ? AND version = ({_LATEST})",
            event.id,
        )
        return {entry.player_id: entry for entry in map(entry_of, rows)}

    def versions(self, player: Player) -> list[Entry]:
        """Every version of a player's deck list, the latest first."""
        rows = self._rows("SELECT * FROM entry WHERE player_id = ? ORDER BY version DESC", player.id)
        return [entry_of(row) for row in rows]

    def add_entry(self, player: Player, version: int, text: str, author: Author, verdict: Verdict, now: str) -> None:
        """Adds a version of a player's deck list with its verdict."""
        values = {
            "player_id": player.id, "version": version, "text": text, "recorded_at": now, "recorded_by": author,
            "since": now, "checked_at": now, **verdict_values(verdict),
        }  # fmt: skip
        self._insert("entry", values)

    def change_verdict(self, entry: Entry, verdict: Verdict, now: datetime) -> None:
        """Replaces the verdict of a version; `since` stays where the verdict is the same."""
        moment = moment_text(now)
        is_same = verdict.verdict == entry.verdict.verdict
        since = moment_text(entry.since) if is_same else moment
        self._update("entry", entry.id, {**verdict_values(verdict), "checked_at": moment, "since": since})

    def change_objection(self, entry: Entry, words: str) -> None:
        """Notes what a player says against a correction of his list."""
        self._update("entry", entry.id, {"objection": words})

    # SQL.

    def _rows(self, statement: str, *values: Any) -> list[sqlite3.Row]:
        with guarded(self.path):
            return self._connection.execute(statement, values).fetchall()

    def _execute(self, statement: str, *values: Any) -> None:
        with guarded(self.path):
            self._connection.execute(statement, values)

    def _insert(self, table: str, values: dict[str, Any]) -> None:
        columns, marks = ", ".join(values), ", ".join("?" for _ in values)
        self._execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", *values.values())

    def _update(self, table: str, row_id: int, values: dict[str, Any]) -> None:
        settings = ", ".join(f"{name} = ?" for name in values)
        self._execute(f"UPDATE {table} SET {settings} WHERE id = ?", *values.values(), row_id)

    def _one_player(self, condition: str, *values: Any) -> Player | None:
        return next(map(player_of, self._rows(f"SELECT * FROM player WHERE {condition}", *values)), None)


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
