"""A load refuses what is wrong, and the database refuses it again."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.cards.cards import ReadCard
from carddb.catalog.load import canonical, validated
from carddb.core import assets
from carddb.findings import Place

CARD: dict[str, Any] = {"game": "g", "ref": "R-1", "name": "Ann", "type": "unit", "set": "base"}
STAMP: dict[str, Any] = {
    "kind": "changed",
    "in_force_from": "2026-06-20",
    "recorded_at": "2026-06-01T12:00:00Z",
    "author": "Ann",
    "source": "c.csv",
}
STORED_CARD = {**CARD, "data": "{}", "retired": 0, "in_force_from": None}
STORED_REVISION = {**STAMP, "card_id": 1, "changes": "{}", "data": "{}"}


@pytest.fixture
def database() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.executescript((assets.schema() / "catalog.sql").read_text("utf-8"))
        connection.execute("PRAGMA foreign_keys = ON")
        insert(connection, "card", STORED_CARD)
        insert(connection, "revision", STORED_REVISION)
        yield connection


def insert(connection: sqlite3.Connection, table: str, values: dict[str, Any]) -> None:
    names = ", ".join(f'"{name}"' for name in values)
    marks = ", ".join("?" * len(values))
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", list(values.values()))


def faults(**changes: Any) -> list[str]:
    """The messages about a card with these values."""
    row = ReadCard(changes.pop("ref", "R-1"), {"name": "Ann", "type": "unit", "set": "base", **changes}, Place())
    return [finding.message for finding in validated("g", [row])[1]]


def test_a_sound_card_is_kept() -> None:
    """A sound card passes, its values as canonical JSON."""
    values = {"war": 3, "type": "unit", "set": "base", "name": "Ann"}
    data = '{"name":"Ann","set":"base","type":"unit","war":3}'
    assert validated("g", [ReadCard("R-1", values, Place())]) == (
        [("g", "R-1", "Ann", "unit", "base", data, values)],
        [],
    )


def test_every_fault_of_a_card_is_told() -> None:
    """What is wrong is told of every field."""
    assert len(faults(ref="", name="two\nlines", war={1})) == 3


@pytest.mark.parametrize("column", ["game", "ref", "name", "type", "set"])
@pytest.mark.parametrize("value", ["", "  ", "two\nlines", "two\rlines", None, 3])
def test_card_line(database: sqlite3.Connection, column: str, value: Any) -> None:
    """Game, reference, name, type and set are one line of text that is not blank."""
    assert column == "game" or faults(**{column: value})
    if value != 3:  # the database would write a number as text
        with pytest.raises(sqlite3.IntegrityError):
            insert(database, "card", {**STORED_CARD, "ref": "R-2", column: value})


@pytest.mark.parametrize("value", [float("nan"), "\ud800", {1}])
def test_values(value: Any) -> None:
    """The values of a card are such as JSON can hold."""
    assert faults(a=value)


def test_values_too_deep() -> None:
    """Values nested without end are refused, not a crash."""
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"a": deep}
    assert faults(**deep)


@pytest.mark.parametrize("table", ["card", "revision"])
@pytest.mark.parametrize("value", ["[]", "{", "nothing", "", None])
def test_database_values(database: sqlite3.Connection, table: str, value: Any) -> None:
    """The database takes a JSON object as values and nothing else."""
    stored = {**STORED_CARD, "ref": "R-2"} if table == "card" else STORED_REVISION
    with pytest.raises(sqlite3.DatabaseError):
        insert(database, table, {**stored, "data": value})


@pytest.mark.parametrize("value", ["[]", "{", None])
def test_database_changes(database: sqlite3.Connection, value: Any) -> None:
    """The changes of a revision are a JSON object."""
    with pytest.raises(sqlite3.DatabaseError):
        insert(database, "revision", {**STORED_REVISION, "changes": value})


@pytest.mark.parametrize("value", ["2026-02-30", "20260620", "2026-6-2", "soon", "", "now", 20260620])
def test_day(database: sqlite3.Connection, value: Any) -> None:
    """A day is written as 2026-06-20 and stands in the calendar."""
    for table, stored in (("revision", STORED_REVISION), ("card", {**STORED_CARD, "ref": "R-2"})):
        with pytest.raises(sqlite3.DatabaseError):
            insert(database, table, {**stored, "in_force_from": value})


@pytest.mark.parametrize(
    "value", ["2026-06-01", "2026-06-01T12:00:00", "2026-06-01T25:00:00Z", "2026-02-30T12:00:00Z", "", None, 0]
)
def test_moment(database: sqlite3.Connection, value: Any) -> None:
    """A moment is written as 2026-06-01T12:00:00Z."""
    with pytest.raises(sqlite3.IntegrityError):
        insert(database, "revision", {**STORED_REVISION, "recorded_at": value})


@pytest.mark.parametrize("column", ["author", "source"])
def test_author_and_source(database: sqlite3.Connection, column: str) -> None:
    """Who and from where is always said, if only as an empty text."""
    with pytest.raises(sqlite3.IntegrityError):
        insert(database, "revision", {**STORED_REVISION, column: None})


@pytest.mark.parametrize(("kind", "day"), [("moved", "2026-06-20"), ("added", "2026-06-20"), ("retired", None)])
def test_kind(database: sqlite3.Connection, kind: str, day: str | None) -> None:
    """A revision is of a known kind, and `added` is the one that is in force always."""
    with pytest.raises(sqlite3.IntegrityError):
        insert(database, "revision", {**STORED_REVISION, "kind": kind, "in_force_from": day})


def test_one_card_a_reference(database: sqlite3.Connection) -> None:
    """A reference stands once in its game, and may stand in another."""
    with pytest.raises(sqlite3.IntegrityError):
        insert(database, "card", STORED_CARD)
    insert(database, "card", {**STORED_CARD, "game": "other"})


def test_one_first_revision(database: sqlite3.Connection) -> None:
    """A card has one revision that is in force always."""
    first = {**STORED_REVISION, "kind": "added", "in_force_from": None}
    insert(database, "revision", first)
    with pytest.raises(sqlite3.IntegrityError):
        insert(database, "revision", first)


def test_retired_is_yes_or_no(database: sqlite3.Connection) -> None:
    """A card is retired or is not."""
    with pytest.raises(sqlite3.IntegrityError):
        insert(database, "card", {**STORED_CARD, "ref": "R-2", "retired": 2})


def test_types_are_strict(database: sqlite3.Connection) -> None:
    """The tables keep text out of number columns."""
    with pytest.raises(sqlite3.IntegrityError):
        insert(database, "card", {**STORED_CARD, "ref": "R-2", "retired": "three"})


def test_revisions_belong_to_cards(database: sqlite3.Connection) -> None:
    """A revision of no card is refused, and a card with a history stays."""
    with pytest.raises(sqlite3.IntegrityError):
        insert(database, "revision", {**STORED_REVISION, "card_id": 99})
    with pytest.raises(sqlite3.IntegrityError):
        database.execute("DELETE FROM card")


@pytest.mark.parametrize("statement", ["UPDATE revision SET author = 'Bob'", "DELETE FROM revision"])
def test_revisions_are_only_added(database: sqlite3.Connection, statement: str) -> None:
    """Nothing changes or removes a revision."""
    with pytest.raises(sqlite3.IntegrityError, match="never"):
        database.execute(statement)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text("aé\n\"'"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.text("abcé", max_size=4), JSON, max_size=5))
def test_canonical(values: dict[str, Any]) -> None:
    """Canonical text says the values again and does not depend on their order."""
    text = canonical(values)
    assert json.loads(text) == values
    assert canonical(dict(reversed(values.items()))) == text


TEXTS = st.text(st.characters(), max_size=12)


@given(st.dictionaries(TEXTS, TEXTS | st.integers() | st.booleans() | st.none()))
def test_text_that_is_none_is_refused(values: dict[str, Any]) -> None:
    """Half a surrogate pair is no text; everything else is written without escapes that JSON does not need."""
    told = json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    if any("\ud800" <= char <= "\udfff" for char in told):
        with pytest.raises(ValueError):
            canonical(values)
    else:
        assert canonical(values) == told
