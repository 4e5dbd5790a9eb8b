"""The events in `events.db`. Every change is one transaction, and no version of a deck list is ever lost."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field, fields
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

from carddb.core import assets
from carddb.core.database import (
    copies_left,
    copy_beside,
    examine,
    guarded,
    integrity_faults,
    run_script,
    schema_version,
)
from carddb.core.dates import moment_text
from carddb.core.errors import CatalogError
from carddb.core.groups import grouped
from carddb.core.options import Option
from carddb.findings import Finding, Place, error, info, warning
from carddb.rounds.log import Act
from carddb.rounds.model import System

APPLICATION_ID = 0x4556454E
"""The application id `EVEN` in the header of every database of events."""
VERSION = 4
"""The schema version that this program reads and writes."""
UPGRADES: dict[int, str] = {
    1: """ALTER TABLE event ADD COLUMN last_player INTEGER NOT NULL DEFAULT 0;
UPDATE event SET last_player = (SELECT coalesce(max(id), 0) FROM player);
""",
    3: """ALTER TABLE event ADD COLUMN rounds TEXT NOT NULL DEFAULT '{}' CHECK (json_type(rounds) = 'object');
""",
}
"""The SQL that adds the columns of the next schema version, by older version; other versions need none."""
PATIENCE = 5.0
"""Seconds to wait for another program's lock."""


def open_database(path: Path) -> sqlite3.Connection:
    """Returns a connection that begins no transactions automatically. Raises CatalogError if the file is unusable.

    Deleted content is overwritten with zeros, so that a player's name is not left in the file after its deletion.
    """
    examine(path)
    with guarded(path):
        connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("PRAGMA synchronous = FULL")
            _bring_up_to_date(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def version_of(connection: sqlite3.Connection, path: Path) -> int:
    """Returns the schema version, or 0 for an empty file. Raises CatalogError for a database of another kind."""
    return schema_version(connection, path, APPLICATION_ID, VERSION, "move it elsewhere")


def _bring_up_to_date(connection: sqlite3.Connection, path: Path) -> None:
    """Creates the tables in a new file; copies an older file beside it, and upgrades it."""
    if version_of(connection, path) == VERSION:
        return
    connection.execute("PRAGMA journal_mode = WAL")
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        version = version_of(connection, path)  # another program may have upgraded it meanwhile
        if version == VERSION:
            return
        if version == 0:
            path.chmod(0o600)  # only the organiser may read the names of players
        else:
            copy_beside(path, version)
            for older in range(version, VERSION):
                run_script(connection, UPGRADES.get(older, ""))
        run_script(connection, (assets.schema() / "events.sql").read_text("utf-8"))


_MOST = 5
"""The most faults reported of each kind."""
_RESTORE = "Put back a copy with carddb restore COPY."
_GAPS = """SELECT name FROM player JOIN entry ON entry.player_id = player.id
GROUP BY player.id HAVING count(*) <> max(version)"""


def event_findings(path: Path, game_keys: Collection[str]) -> list[Finding]:
    """Returns what is wrong with a database of events: integrity, versions, games; and the copies left beside it."""
    place = Place(str(path))
    # Copies still contain players who have been deleted since.
    copies = copies_left(path, "events_copy", "a copy of older events, {size}; it still has all names of players")
    try:
        if not examine(path):
            return []
        with (
            guarded(path),
            closing(
                sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", timeout=PATIENCE, isolation_level=None, uri=True)
            ) as connection,
        ):
            return [*_contents(connection, path, game_keys), *copies]
    except CatalogError as fault:
        return [error("events_unusable", fault.message, place, fix=fault.remedy), *copies]


def _contents(connection: sqlite3.Connection, path: Path, game_keys: Collection[str]) -> Iterator[Finding]:
    place = Place(str(path))
    version = version_of(connection, path)
    for fault in integrity_faults(connection, _MOST):
        yield error("events_damaged", fault, place, fix=_RESTORE)
    if version < VERSION:
        message = f"the file has schema version {version}, and this carddb needs version {VERSION}"
        yield info("events_older", message, place, fix="Run any command about events; it upgrades the file.")
        return
    gaps = connection.execute(_GAPS).fetchmany(_MOST)
    if gaps:
        names = ", ".join(name for (name,) in gaps)
        yield error("events_damaged", f"of these deck lists, versions are missing: {names}", place, fix=_RESTORE)
    for key, game in connection.execute("SELECT key, game FROM event ORDER BY key"):
        if game not in game_keys:
            fix = "Name the game's folder with --games, or under games in carddb.toml."
            message = f"the event {key} is for the game {game}, which was not found"
            yield warning("event_game_missing", message, place, fix=fix)


class Author(StrEnum):
    """The one who recorded a version of a deck list."""

    PLAYER = "player"
    ORGANISER = "organiser"


@dataclass(frozen=True, slots=True)
class EventTerms:
    """The terms of an event. Without `format`, each deck names its own.

    `deadline` is in UTC, and shown in the zone `zone`.
    """

    name: str
    game: str
    format: str | None
    day: date
    deadline: datetime
    zone: str
    editions: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)


MOST_MINUTES = 600
"""The longest round, in minutes."""
MOST_SEED = 999_999


@dataclass(frozen=True, slots=True)
class RoundTerms:
    """The terms of an event's rounds. A `best_of` or `draws` of None stands for the game's own value.

    `system` is a key of `carddb.rounds.model.SYSTEMS`, `minutes` the length of a round, and `seed` decides what is
    random. Without `lists`, nobody hands in a deck. If `standings`, everybody may see them. A prize is a text such as
    `2-4: a booster`.
    """

    # fmt: off
    best_of: Annotated[int | None, Option(
        "The most games of a match (default: as the game says).", least=1, most=9)] = None
    draws: Annotated[bool | None, Option(
        "Matches can be drawn, or not (default: as the game says).", flag="--draws/--no-draws")] = None
    system: Annotated[System, Option("How rounds are paired (default: swiss).")] = "swiss"
    accelerated: Annotated[bool, Option(
        "Let the first half meet each other in rounds 1 and 2.", flag="--accelerated/--not-accelerated")] = False
    minutes: Annotated[int, Option("The length of a round in minutes (default: 50).", least=1, most=MOST_MINUTES)] = 50
    seed: Annotated[int, Option("The seed for all that is random (default: random).", least=1, most=MOST_SEED)] = 0
    lists: Annotated[bool, Option("Ask for deck lists, or not (default: ask).", flag="--lists/--no-lists")] = True
    standings: Annotated[bool, Option(
        "Show the standings to everybody, or not.", flag="--standings/--hide-standings")] = False
    prizes: Annotated[tuple[str, ...], Option("A prize, as '2-4: a booster'.", flag="--prize", metavar="PLACES")] = ()
    # fmt: on


@dataclass(frozen=True, slots=True)
class Event:
    """An event. With `join_code`, players register themselves while `registration` is on.

    `locked` closes all deck lists before the deadline; `open_lists` shows them to all players once they are opened.
    """

    table: ClassVar[str] = "event"
    id: int
    key: str
    terms: EventTerms
    registration: bool
    open_lists: bool
    locked: bool
    join_code: str
    secret_hash: str | None
    rounds: RoundTerms = RoundTerms()

    @property
    def name(self) -> str:
        return self.terms.name


@dataclass(frozen=True, slots=True)
class Player:
    """A player of an event. Only the hash of the player's secret link is stored.

    `locked` is True if the deck list is closed; False opens it even after the deadline, None follows the event.
    """

    table: ClassVar[str] = "player"
    id: int
    name: str
    token_hash: str
    locked: bool | None
    open_list: bool
    registered_at: datetime


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict of a check on a deck list.

    `findings` are the first findings as JSON, `counts` the numbers of all findings by severity, `reason` the message of
    the first one that makes the deck not legal. `legal_until` is the last legal day of a deck that will no longer be
    legal on the event's day. `basis` is a digest of the cards and ban lists that the deck was checked against.
    """

    deck: str
    fingerprint: str
    verdict: str
    reason: str
    findings: tuple[Mapping[str, Any], ...]
    counts: Mapping[str, int]
    legal_until: date | None
    basis: str


@dataclass(frozen=True, slots=True)
class ListVersion:
    """One version of a player's deck list; versions count from 1. `since` is when it got its present verdict."""

    table: ClassVar[str] = "entry"
    id: int
    player_id: int
    version: int
    text: str
    recorded_at: datetime
    recorded_by: Author
    verdict: Verdict
    since: datetime
    checked_at: datetime
    objection: str


class NoteKind(StrEnum):
    """The kind of a note on a player: one only for the desk, a message to the player, or a penalty."""

    NOTE = "note"
    MESSAGE = "message"
    WARNING = "warning"
    GAME_LOSS = "game_loss"
    MATCH_LOSS = "match_loss"
    DISQUALIFICATION = "disqualification"

    @property
    def is_penalty(self) -> bool:
        return self not in (NoteKind.NOTE, NoteKind.MESSAGE)


@dataclass(frozen=True, slots=True)
class DeskNote:
    """A note on a player, never deleted. The desk took it back at `undone_at`; the player confirmed it at `read_at`."""

    table: ClassVar[str] = "note"
    id: int
    player_id: int
    kind: NoteKind
    text: str
    recorded_at: datetime
    undone_at: datetime | None
    read_at: datetime | None


_MOST_ID = (1 << 63) - 1
"""The largest row id in SQLite."""
_LATEST = "SELECT max(version) FROM entry AS other WHERE other.player_id = entry.player_id"


class Events:
    """The open database of events, for a `with` statement. All methods raise CatalogError if the file is unusable."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = open_database(path)
        self._connection.row_factory = sqlite3.Row

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with guarded(self.path):
            self._connection.close()

    @contextmanager
    def step(self) -> Iterator[None]:
        """Runs the block as one transaction, which an exception rolls back."""
        with guarded(self.path), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            yield

    def events(self) -> list[Event]:
        """Returns all events, latest day first."""
        return [_event(row) for row in self._rows("SELECT * FROM event ORDER BY day DESC, key")]

    def event(self, key: str) -> Event | None:
        """Returns the event with the key `key`, or None if there is none."""
        return next(map(_event, self._rows("SELECT * FROM event WHERE key = ?", key)), None)

    def acts(self, event: Event) -> list[Act]:
        """Returns the recorded changes of an event's rounds, oldest first."""
        rows = self._rows("SELECT * FROM act WHERE event_id = ? ORDER BY id", event.id)
        return [
            Act(row["id"], row["recorded_at"], row["recorded_by"], row["what"], json.loads(row["details"]))
            for row in rows
        ]

    def add_act(self, event: Event, now: datetime, by: str, what: str, details: Mapping[str, Any]) -> Act:
        """Appends a change to the log of an event's rounds, and returns it with its new id; `by` is its author."""
        number = self._rows("SELECT coalesce(max(id), 0) + 1 FROM act")[0][0]
        self.add("act", id=number, event_id=event.id, recorded_at=now, recorded_by=by, what=what, details=details)
        return Act(number, moment_text(now), by, what, details)

    def players(self, event: Event) -> list[Player]:
        """Returns the players of an event, in the order of their registration."""
        rows = self._rows("SELECT * FROM player WHERE event_id = ? ORDER BY id", event.id)
        return [_record(Player, row) for row in rows]

    def player(
        self, event: Event, value: int | str, by: Literal["id", "folded_name", "token_hash"] = "id"
    ) -> Player | None:
        """Returns an event's player whose row id, folded name or token hash (`by`) is `value`; None without one."""
        if isinstance(value, int) and value > _MOST_ID:
            return None
        rows = self._rows(f"SELECT * FROM player WHERE {by} = ? AND event_id = ?", value, event.id)
        return _record(Player, rows[0]) if rows else None

    def add_player(self, event: Event, name: str, folded_name: str, token_hash: str, now: datetime) -> Player:
        """Adds a player without a deck list, and returns the player, whose id has never been another player's.

        Otherwise, an open page of a deleted player could change the list of the new one.
        """
        number = self._rows("SELECT 1 + max(last_player) FROM event")[0][0]
        self.change(event, last_player=number)
        self.add(
            "player", id=number, event_id=event.id, name=name, folded_name=folded_name, token_hash=token_hash,
            open_list=False, registered_at=now,
        )  # fmt: skip
        player = self.player(event, number)
        assert player is not None
        return player

    def follow_event(self, event: Event) -> None:
        """Resets the lock of every player's list, so that it follows the event."""
        self._execute("UPDATE player SET locked = NULL WHERE event_id = ?", event.id)

    def remove_player(self, player: Player) -> None:
        """Removes a player and all versions of the deck list, even from unused parts of the file, and from its log.

        Raises CatalogError if the log cannot be emptied because another program is reading the file.
        """
        self._execute("DELETE FROM player WHERE id = ?", player.id)
        with guarded(self.path):
            self._connection.execute("VACUUM")
            (is_busy, *_) = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if is_busy:
            remedy = "To delete the log, stop every program that has the file open, such as carddb serve."
            raise CatalogError(f"the player was removed, but is still in the log of {self.path}", remedy)

    def entries(self, event: Event) -> dict[int, ListVersion]:
        """Returns the latest version of each deck list of an event; the keys are the row ids of the players."""
        rows = self._rows(
            "SELECT entry.* FROM entry JOIN player ON player.id = entry.player_id "
            f"WHERE event_id = ? AND version = ({_LATEST})",
            event.id,
        )
        return {entry.player_id: entry for entry in map(_entry, rows)}

    def versions(self, player: Player) -> list[ListVersion]:
        """Returns all versions of a player's deck list, latest first."""
        rows = self._rows("SELECT * FROM entry WHERE player_id = ? ORDER BY version DESC", player.id)
        return [_entry(row) for row in rows]

    def change_verdict(self, entry: ListVersion, verdict: Verdict, now: datetime) -> None:
        """Replaces the verdict on a version of a deck list; `since` becomes `now` only if the verdict differs."""
        is_same = verdict.verdict == entry.verdict.verdict
        self.change(entry, verdict=verdict, checked_at=now, since=entry.since if is_same else now)

    def notes(self, event: Event) -> dict[int, list[DeskNote]]:
        """Returns all notes on an event's players, even those taken back, oldest first; keys are players' row ids."""
        statement = "SELECT note.* FROM note JOIN player ON player.id = player_id WHERE event_id = ? ORDER BY note.id"
        notes = (_record(DeskNote, row) for row in self._rows(statement, event.id))
        return grouped((note.player_id, note) for note in notes)

    def _rows(self, statement: str, *values: Any) -> list[sqlite3.Row]:
        with guarded(self.path):
            return self._connection.execute(statement, values).fetchall()

    def _execute(self, statement: str, *values: Any) -> None:
        with guarded(self.path):
            self._connection.execute(statement, values)

    def change(self, record: Event | Player | ListVersion | DeskNote, **values: Any) -> None:
        """Changes columns of a record to the given values, such as `locked=True` for a player."""
        columns = _columns(values)
        settings = ", ".join(f"{name} = ?" for name in columns)
        if columns:
            self._execute(f"UPDATE {record.table} SET {settings} WHERE id = ?", *columns.values(), record.id)

    def add(self, table: str, **values: Any) -> None:
        """Adds a row with these columns to a table, such as `note`; terms and a verdict take several columns."""
        columns = _columns(values)
        marks = ", ".join("?" for _ in columns)
        self._execute(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", *columns.values())


Record = TypeVar("Record", Event, EventTerms, Player, ListVersion, Verdict, DeskNote)
_READERS: Mapping[str, Callable[[Any], Any]] = {
    "bool": bool,
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "Author": Author,
    "NoteKind": NoteKind,
    "Mapping": json.loads,
    "tuple": lambda text: tuple(json.loads(text)),
}
"""The functions that convert what a column stores, by the type of the record's field; other types need none."""


def _columns(values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what a row stores for the values of fields: times and days as texts, lists and mappings as JSON."""
    columns: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, EventTerms | Verdict):
            columns |= _columns({each.name: getattr(value, each.name) for each in fields(value)})
        elif isinstance(value, datetime):
            columns[name] = moment_text(value)
        elif isinstance(value, date):
            columns[name] = value.isoformat()
        elif isinstance(value, RoundTerms):
            columns[name] = json.dumps(asdict(value))
        else:
            columns[name] = json.dumps(value) if isinstance(value, tuple | Mapping) else value
    return columns


def _record(kind: type[Record], row: sqlite3.Row, **parts: Any) -> Record:
    """Returns the record in a row; `parts` are the values of fields that take several columns."""
    for each in fields(kind):
        if each.name not in parts:
            value, read = row[each.name], _READERS.get(re.split(r"\W", str(each.type))[0])
            parts[each.name] = read(value) if read and value is not None else value
    return kind(**parts)


def _event(row: sqlite3.Row) -> Event:
    rounds = json.loads(row["rounds"])
    rounds["prizes"] = tuple(rounds.get("prizes", ()))
    return _record(Event, row, terms=_record(EventTerms, row), rounds=RoundTerms(**rounds))


def _entry(row: sqlite3.Row) -> ListVersion:
    return _record(ListVersion, row, verdict=_record(Verdict, row))
