"""Loads cards into the catalogue: all are validated, compared with the state on a day, and written as revisions."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from typing import Any, NamedTuple

from pydantic_core import (
    CoreConfig,
    CoreSchema,
    PydanticSerializationError,
    SchemaValidator,
    ValidationError,
    core_schema,
    to_json,
)

from carddb.cards.cards import CardRow, stated
from carddb.cards.changes import Fields, differences
from carddb.catalog import search
from carddb.catalog.connection import Stamp
from carddb.catalog.search import KINDS, Change, LoadResult, indexed
from carddb.core.dates import ALWAYS, day, moment
from carddb.findings import CardCount, Finding, error

_write = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode

_PLAIN = frozenset({str, int, bool, type(None)})
"""The types that pydantic serialises exactly like `json`, but faster."""


def canonical(values: object) -> str:
    """Returns a JSON object as text, equal for equal values. Raises ValueError for values that JSON cannot hold."""
    if not isinstance(values, (dict, Mapping)):  # dict first, which is usual and tested fast
        raise ValueError("not an object of fields and values")
    if not values:
        return "{}"
    try:
        if _PLAIN.issuperset(map(type, values.values())):
            return to_json({name: values[name] for name in _in_order(tuple(values))}).decode()
        out = _write(values)
        if not out.isascii():
            out.encode()
    except (TypeError, RecursionError, UnicodeError, PydanticSerializationError) as fault:
        raise ValueError("a value that JSON cannot hold") from fault
    return out


@lru_cache(maxsize=500)
def _in_order(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(names))


class CardRecord(NamedTuple):
    """A card that may be written: `data` holds every given value, including name, type and set."""

    game: str
    ref: str
    name: str
    type: str
    set: str
    data: str


class StampRecord(NamedTuple):
    """The common properties of all revisions of a load: kind of change, first day, time of recording, author, source.

    `in_force_from` is None for a card's first revision, which is in force from the beginning.
    """

    kind: str
    in_force_from: str | None
    recorded_at: str
    author: str
    source: str


def cards(rows: Sequence[tuple[Any, ...]]) -> list[CardRecord]:
    """Returns records of cards; in each row the last field is the mapping of values.

    Raises ValidationError, whose locations are the index of a card and the index of a field.
    """
    records: list[CardRecord] = _CARDS.validate_python(rows)
    return records


def stamped(*fields: Any) -> StampRecord:
    """Returns a stamp. Raises ValidationError if a field is not valid."""
    record: StampRecord = _STAMP.validate_python(fields)
    return record


def _only_the_first_is_always(record: StampRecord) -> StampRecord:
    if (record.kind == "added") != (record.in_force_from is None):
        raise ValueError("the first revision of a card is in force always, and no other")
    return record


def _schema(kind: type[NamedTuple], *fields: CoreSchema) -> CoreSchema:
    """Returns the schema of a record, from the schemas of its fields in order."""
    return core_schema.no_info_after_validator_function(kind._make, core_schema.tuple_schema([*fields]))


_STRICT = CoreConfig(strict=True)
_TEXT = core_schema.str_schema()
_LINE = core_schema.str_schema(pattern=r"^[^\r\n]*\S[^\r\n]*$")
"""One line of text that is not blank."""
_KIND = core_schema.literal_schema(["added", "changed", "retired", "restored"])
_SINCE = core_schema.nullable_schema(core_schema.no_info_after_validator_function(day, _TEXT))
_MOMENT = core_schema.no_info_after_validator_function(moment, _TEXT)
_VALUES = core_schema.no_info_before_validator_function(canonical, _TEXT)
"""A mapping, stored as its canonical JSON text."""
_CARDS = SchemaValidator(
    core_schema.list_schema(_schema(CardRecord, _LINE, _LINE, _LINE, _LINE, _LINE, _VALUES)), _STRICT
)
_STAMP = SchemaValidator(
    core_schema.no_info_after_validator_function(
        _only_the_first_is_always, _schema(StampRecord, _KIND, _SINCE, _MOMENT, _TEXT, _TEXT)
    ),
    _STRICT,
)


_ADD = """
INSERT INTO card (game, ref, name, type, "set", data, retired, in_force_from) VALUES (?, ?, ?, ?, ?, ?, 0, NULL)"""

_CHANGE = """
UPDATE card SET name = ?, type = ?, "set" = ?, data = ?, retired = ?, in_force_from = ? WHERE id = ?"""

_REVISION = """
INSERT INTO revision (card_id, kind, in_force_from, recorded_at, author, source, changes, data)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""

_FIRST_REVISIONS = """
INSERT INTO revision (card_id, kind, in_force_from, recorded_at, author, source, changes, data)
SELECT id, ?, ?, ?, ?, ?, '{}', data FROM card WHERE id >= ? ORDER BY id"""

ADD_WORDS = "INSERT INTO card_words (rowid, words) VALUES (?, ?)"
_TAKE_WORDS = "INSERT INTO card_words (card_words, rowid, words) VALUES ('delete', ?, ?)"

_CACHE = "PRAGMA cache_size = -65536"
"""The page cache in kibibytes (negative by SQLite's convention).

With the default of 2,000, pages of a large load are written and read again meanwhile. Writing 30,000 cards takes 0.27
seconds instead of 0.30.
"""

_LONGEST_SHOWN = 60


class NewCard(NamedTuple):
    """A card that is not in the catalogue yet, and its values as a mapping."""

    record: CardRecord
    values: Mapping[str, Any]


class RevisionStep(NamedTuple):
    """One revision of an existing card, and its values as a mapping. `latest` means that no later one is recorded."""

    kind: str
    card_id: int
    record: CardRecord
    values: Mapping[str, Any]
    change: Change
    latest: bool


@dataclass(frozen=True, slots=True)
class LoadPlan:
    """The rows that a load will write, and the references of cards that need no change."""

    added: Sequence[NewCard] = ()
    revised: Sequence[RevisionStep] = ()
    unchanged: Sequence[str] = ()
    findings: Sequence[Finding] = ()

    @property
    def is_empty(self) -> bool:
        """Returns whether there is nothing to write."""
        return not (self.added or self.revised)

    def result(self) -> LoadResult:
        """Returns the plan as a result for the caller."""
        by_kind: dict[str, list[Change]] = {kind: [] for kind in KINDS}
        by_kind["added"] = [Change(record.ref, record.name) for record, _ in self.added]
        for step in self.revised:
            by_kind[step.kind].append(step.change)
        parts = {kind: tuple(changes) for kind, changes in by_kind.items()}
        return LoadResult(**parts, unchanged=tuple(self.unchanged), findings=tuple(self.findings))


def plan(
    connection: sqlite3.Connection, game: str, rows: Iterable[CardRow], day: date, sets: Collection[str], prune: bool
) -> LoadPlan:
    """Returns the revisions that put the cards of `rows` into force from `day` on, or only findings if a row is faulty.

    With `prune`, cards of `sets` that are not in the rows are retired.
    """
    rows = list(rows)
    values_of_rows = [stated(row.values) for row in rows]
    checked, findings = validated(game, rows, values_of_rows)
    if findings:
        return LoadPlan(findings=findings)
    planner = _Planner(connection, game, day)
    for record, values in zip(checked, values_of_rows, strict=True):
        planner.take(record, values)
    if prune:
        planner.prune({record.ref for record in checked}, sets)
    return LoadPlan(planner.added, planner.revised, planner.unchanged)


_OF_GAME = """
SELECT ref, revision.in_force_from, kind, revision.data FROM revision JOIN card ON card.id = card_id
WHERE game = ? ORDER BY revision.in_force_from, revision.id"""


def backdated(connection: sqlite3.Connection, game: str, rows: Iterable[CardRow]) -> Iterator[tuple[date, CardRow]]:
    """Yields rows that give cards the fields that they never had, for each day from which they have a state.

    Each row has the values of its day beside the new ones. States in which a card is retired stay as they are.
    """
    states: dict[str, dict[date, Mapping[str, Any] | None]] = {}
    had: dict[str, set[str]] = defaultdict(set)
    for ref, since, kind, data in connection.execute(_OF_GAME, [game]):
        values = search.values_of(data)
        had[ref] |= values.keys()
        on = date.fromisoformat(since) if since else ALWAYS
        states.setdefault(ref, {})[on] = None if kind == "retired" else values
    for row in rows:
        new = {name: value for name, value in stated(row.values).items() if name not in had[row.ref]}
        for on, older in states.get(row.ref, {}).items() if new else ():
            if older is not None:
                yield on, row._replace(values={**older, **new})


def write(connection: sqlite3.Connection, plan: LoadPlan, day: date, recorded: Stamp) -> None:
    """Writes everything that a plan adds and revises, or nothing."""
    columns = recorded.columns()

    @cache
    def stamp(kind: str) -> StampRecord:
        in_force_from = None if kind == "added" else day.isoformat()
        return stamped(kind, in_force_from, *columns)

    connection.execute(_CACHE)
    connection.execute("SAVEPOINT load")
    # Every row was validated as a record, so the tables need not check again, which takes a third of the time.
    connection.execute("PRAGMA ignore_check_constraints = ON")
    try:
        _revise(connection, plan.revised, stamp)
        if plan.added:
            _add(connection, plan.added, stamp("added"))
    except BaseException:
        # SQLite itself rolls back the whole transaction if the disk is full.
        if connection.in_transaction:
            connection.execute("ROLLBACK TO load")
            connection.execute("RELEASE load")
        raise
    finally:
        connection.execute("PRAGMA ignore_check_constraints = OFF")
    connection.execute("RELEASE load")


def _add(connection: sqlite3.Connection, cards: Sequence[NewCard], stamp: StampRecord) -> None:
    """Writes new cards with consecutive ids, and the first revision of each."""
    first = connection.execute("SELECT coalesce(max(id), 0) + 1 FROM card").fetchone()[0]
    # Binding plain tuples takes nine tenths of the time of named tuples.
    connection.executemany(_ADD, [tuple(card.record) for card in cards])
    connection.execute(_FIRST_REVISIONS, [*stamp, first])
    connection.executemany(ADD_WORDS, ((number, indexed(card.values)) for number, card in enumerate(cards, first)))


def _revise(connection: sqlite3.Connection, steps: Sequence[RevisionStep], stamp: Callable[[str], StampRecord]) -> None:
    """Writes revisions of cards, and the resulting state of the cards whose latest revision it is."""
    latest = [step for step in steps if step.latest]
    cards = [
        (*step.record[2:], step.kind == "retired", stamp(step.kind).in_force_from, step.card_id) for step in latest
    ]
    revisions = [(step.card_id, *stamp(step.kind), canonical(step.change.fields), step.record.data) for step in steps]
    connection.executemany(_CHANGE, cards)
    connection.executemany(_REVISION, revisions)
    olds = ({field: old for field, (old, _) in step.change.fields.items()} for step in latest)
    before = [(step.card_id, indexed({**step.values, **old})) for step, old in zip(latest, olds, strict=True)]
    connection.executemany(_TAKE_WORDS, before)
    connection.executemany(ADD_WORDS, [(step.card_id, indexed(step.values)) for step in latest])


def validated(
    game: str, rows: Sequence[CardRow], values_of_rows: Sequence[Mapping[str, Any]]
) -> tuple[list[CardRecord], list[Finding]]:
    """Returns the rows as records, and their faults; if a record is invalid, no records."""
    raw = [
        (game, row.ref, values.get("name"), values.get("type"), values.get("set"), values)
        for row, values in zip(rows, values_of_rows, strict=True)
    ]
    findings = _repeated(rows)
    try:
        return cards(raw), findings
    except ValidationError as fault:
        faults = [_invalid(rows[int(each["loc"][0])], each) for each in fault.errors()]
        return [], [*findings, *faults]


class _Planner:
    """Compares records with the catalogue, one by one."""

    def __init__(self, connection: sqlite3.Connection, game: str, day: date) -> None:
        self.added: list[NewCard] = []
        self.revised: list[RevisionStep] = []
        self.unchanged: list[str] = []
        self._game = game
        self._states = {state.ref: state for state in search.states(connection, game, day)}
        self._until = search.next_days(connection, game, day)

    def take(self, record: CardRecord, values: Mapping[str, Any]) -> None:
        state = self._states.get(record.ref)
        if state is None:
            self.added.append(NewCard(record, values))
        elif state.data == record.data and not state.retired:
            self.unchanged.append(record.ref)
        else:
            fields = differences(search.values_of(state.data), search.values_of(record.data))
            self._revise("restored" if state.retired else "changed", state, record, values, fields)

    def prune(self, refs: Collection[str], sets: Collection[str]) -> None:
        """Retires the cards of `sets` that are in force and not among `refs`, keeping their values."""
        for state in sorted(self._states.values(), key=lambda state: search.natural(state.ref)):
            if state.retired or state.ref in refs:
                continue
            values = search.values_of(state.data)
            if values.get("set") in sets:
                name, type_, set_ = (str(values.get(name, "")) for name in ("name", "type", "set"))
                record = CardRecord(self._game, state.ref, name, type_, set_, state.data)
                self._revise("retired", state, record, values, {})

    def _revise(
        self, kind: str, state: search.State, record: CardRecord, values: Mapping[str, Any], fields: Fields
    ) -> None:
        change = Change(record.ref, record.name, fields, self._until.get(state.id))
        self.revised.append(RevisionStep(kind, state.id, record, values, change, not state.earlier))


def _repeated(rows: Sequence[CardRow]) -> list[Finding]:
    first: dict[str, CardRow] = {}
    findings: list[Finding] = []
    for row in rows if len({row.ref for row in rows}) < len(rows) else ():
        other = first.setdefault(row.ref, row)
        if other is not row:
            message = f"the reference {row.ref} stands twice, first at {other.place or 'another row'}"
            cards = (CardCount(row.ref, str(row.values.get("name", "")), 2),)
            places = (row.place, other.place)
            fix = "Give one of the two another reference, or remove it."
            findings.append(error("duplicate_reference", message, *places, cards=cards, fix=fix))
    return findings


def _invalid(row: CardRow, fault: Any) -> Finding:
    field = CardRecord._fields[fault["loc"][1]]
    shown = repr(fault["input"])
    shown = shown if len(shown) <= _LONGEST_SHOWN else shown[:_LONGEST_SHOWN] + "..."
    if field == "data":
        message = f"a value of {row.ref or 'a card'} cannot be kept: {fault['msg'].removeprefix('Value error, ')}"
    elif fault["input"] is None:
        message = f"{row.ref or 'a card'} has no {field}"
    else:
        message = f"{field} cannot be {shown}; it is one line of text that is not blank"
    return error("record_invalid", message, row.place, fix=f"Correct {field}." if field != "data" else "Correct it.")
