"""One schema, two ways to it; and an older catalogue on its way."""

from __future__ import annotations

import errno
import json
import re
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import MetaData, Table, create_engine

from carddb.cards.print_history import PrintedCard, PrintJob
from carddb.catalog import connection as opening
from carddb.catalog import health, model
from carddb.catalog.model import TABLES
from carddb.catalog.store import Catalog
from carddb.core import assets, database
from carddb.core.errors import CatalogError
from tests.catalog.samples import DAY, SPEC, load, new_catalog, older, opened, refs_of, row, rows_of
from tests.rows import usually

OLDER = range(1, opening.VERSION)
MOMENT = "2026-06-01T12:00:00Z"
CARD = '{"name":"Siege Ladder","set":"base","type":"unit"}'
ROWS: dict[str, list[tuple[Any, ...]]] = {
    "card": [
        ("test", "A", "Siege Ladder", "unit", "base", CARD, 7, 0, "2026-05-01"),
        ("test", "B", "Siege Ladder", "unit", "base", CARD, 9, 1, None),
    ],
    "revision": [
        ("added", None, MOMENT, "Ann", "c.csv", 3, 7, "{}", CARD),
        ("changed", "2026-05-01", MOMENT, "Bob", "d.csv", 4, 7, '{"name":["Ladder","Siege Ladder"]}', CARD),
    ],
    "printing": [(5, "test", "My deck", "63x88 mm", "2026-06-01", MOMENT)],
    "printed": [(5, "A", "Siege Ladder", 3, "f", "b"), (5, "B", "Siege Ladder", 1, "f", "")],
    "ban_terms": [(2, "test", 0, None, MOMENT, "Ann", "bans.yaml", "{}")],
    "announcement": [(6, "test", 0, "w", MOMENT, "2026-06-02", MOMENT, "Ann", "bans.yaml", "{}")],
}
"""Rows of the tables under their names in the schemas 1 to 5."""
RENAMED = {"printing": "print_job", "printed": "print_job_card"}


def filled(path: Path, version: int) -> dict[str, list[tuple[Any, ...]]]:
    """An older catalogue with rows in every table that it has; the rows by the names of today."""
    with closing(sqlite3.connect(older(path, version))) as connection, connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        names = RENAMED if "print_job" in tables else {}
        stored = {names.get(table, table): rows for table, rows in ROWS.items() if names.get(table, table) in tables}
        for table, rows in stored.items():
            marks = ", ".join("?" * len(rows[0]))
            connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
    return {RENAMED.get(table, table): rows for table, rows in stored.items()}


def upgraded(path: Path) -> Path | None:
    """Opens a catalogue and names the copy that was made."""
    with opened(path) as catalog:
        return catalog.backup


def structure(path: Path) -> set[tuple[str, str]]:
    """Everything that the database is made of, but for white space."""
    rows = rows_of(path, "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {(name, re.sub(r"\s+", " ", re.sub(r"\s*([(),])\s*", r"\1", sql))) for name, sql in rows}


def stamps(path: Path) -> list[Any]:
    return [rows_of(path, statement) for statement in ("PRAGMA application_id", "PRAGMA user_version")]


def test_file_is_generated() -> None:
    """schema/catalog.sql is what the model gives."""
    assert (assets.schema() / "catalog.sql").read_text("utf-8") == model.sql()


def test_model_is_the_same(tmp_path: Path) -> None:
    """A new catalogue has the tables, columns, keys and indexes of the model."""

    def shape(table: Table) -> Any:
        columns = [(column.name, str(column.type), column.nullable, column.primary_key) for column in table.columns]
        keys = {(key.parent.name, key.target_fullname) for key in table.foreign_keys}
        return columns, keys, {(index.name, tuple(index.columns.keys()), index.unique) for index in table.indexes}

    engine = create_engine(f"sqlite:///{new_catalog(tmp_path / 'new.db')}")
    reflected = MetaData()
    reflected.reflect(engine, only=[table.name for table in TABLES])
    engine.dispose()
    for table in TABLES:
        assert shape(reflected.tables[table.name]) == shape(table)


@usually("version", OLDER)
def test_every_older_schema_becomes_this_one(tmp_path: Path, version: int) -> None:
    """A catalogue of any older schema gets the structure of a new one, stamps and all, and keeps every row."""
    path, new = tmp_path / "carddb.db", new_catalog(tmp_path / "new.db")
    rows = filled(path, version)
    backup = upgraded(path)
    assert structure(path) == structure(new)
    assert stamps(path) == stamps(new) == [[(opening.APPLICATION_ID,)], [(opening.VERSION,)]]
    for table in TABLES:
        assert rows_of(path, f"SELECT * FROM {table.name}") == rows.get(table.name, [])
    assert having(path, "siege", "ladder", "tower") == [2, 2, 0]
    assert rows_of(path, "PRAGMA integrity_check") == [("ok",)] and not rows_of(path, "PRAGMA foreign_key_check")
    assert backup == tmp_path / f"carddb.db.bak-{version}"
    assert rows_of(backup, "PRAGMA user_version") == [(version,)]
    assert structure(backup) == structure(older(tmp_path / "older.db", version))
    assert rows_of(backup, "SELECT * FROM card") == ROWS["card"]
    assert upgraded(path) is None


def test_an_upgraded_catalogue_is_written_at_once(tmp_path: Path) -> None:
    """The opening that upgrades a catalogue goes on as usual, its foreign keys on."""
    path = tmp_path / "carddb.db"
    filled(path, 5)
    with opened(path) as catalog:
        assert load(catalog, [row("C")]).added and len(catalog.pool(SPEC, day=DAY)) == 2
        assert catalog._connection.execute("PRAGMA foreign_keys").fetchone() == (1,)
        cards = (PrintedCard("A", "Siege Ladder", 3, "f", "b"), PrintedCard("B", "Siege Ladder", 1, "f"))
        job = PrintJob("test", "My deck", "63x88 mm", cards)
        assert catalog.last_print_job("test", "My deck", "63x88 mm") == job


def test_upgrade_happens_once(tmp_path: Path) -> None:
    """A catalogue that another program has upgraded meanwhile is left alone; one made newer meanwhile is refused."""
    path = tmp_path / "carddb.db"
    filled(path, 5)
    with closing(opening.connect(path, 0)) as late, closing(opening.connect(path, 0)) as later:
        assert {opening.version_of(each, path) for each in (late, later)} == {5}
        upgraded(path)
        assert health.upgrade(late, path) is None
        assert late.execute("PRAGMA foreign_keys").fetchone() == (1,)
        rows_of(path, "PRAGMA user_version = 99")
        with pytest.raises(CatalogError, match="newer carddb"):
            health.upgrade(later, path)
    assert len(list(tmp_path.glob("*.bak-*"))) == 1


def test_many_open_an_older_catalogue_at_once(tmp_path: Path) -> None:
    """Of several that open an older catalogue at the same time one upgrades it, and all can use it."""
    path, backups = tmp_path / "carddb.db", []
    filled(path, 3)
    barrier = threading.Barrier(4)

    def use() -> None:
        barrier.wait()
        with Catalog.open(path, must_exist=True) as catalog:
            backups.append((catalog.backup, len(catalog.pool(SPEC, day=DAY))))

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, backups)) == sorted(map(str, [(tmp_path / "carddb.db.bak-3", 1), *[(None, 1)] * 3]))


def test_an_older_catalogue_in_a_folder_that_is_read_only_is_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no copy can be made it stays as it was, with a remedy."""
    path = tmp_path / "carddb.db"
    filled(path, 4)

    def refuse(target: Path) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(database, "begin", refuse)
    with pytest.raises(CatalogError, match="Read-only file system") as caught:
        upgraded(path)
    assert "carddb can write" in caught.value.remedy
    assert rows_of(path, "PRAGMA user_version") == [(4,)]


def test_upgrade_spares_older_copies(tmp_path: Path) -> None:
    """A copy that is there already is not written over."""
    path, copy = tmp_path / "carddb.db", tmp_path / "carddb.db.bak-4"
    filled(path, 4)
    copy.write_text("mine")
    assert upgraded(path) == tmp_path / "carddb.db.bak-4-2"
    assert copy.read_text() == "mine"


@usually(
    "fault",
    [
        "CREATE TABLE card (x)",
        "nonsense",
        "UPDATE card SET name = ''",
        "UPDATE print_job_card SET print_job_id = 99",
    ],
)
def test_upgrade_all_or_nothing(tmp_path: Path, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An upgrade that fails half-way, or leaves a row that points nowhere, leaves the catalogue as it was."""
    path = tmp_path / "carddb.db"
    filled(path, 5)
    before = structure(path)
    with monkeypatch.context() as patch, pytest.raises(CatalogError):
        patch.setattr(health, "RENAMES", (*health.RENAMES, fault))
        upgraded(path)
    assert structure(path) == before and rows_of(path, "PRAGMA user_version") == [(5,)]
    assert upgraded(path) == tmp_path / "carddb.db.bak-5-2"


def test_a_catalogue_with_values_that_cannot_be_read_is_not_upgraded(tmp_path: Path) -> None:
    """An older catalogue whose cards are damaged is said to be damaged and stays as it was."""
    path = tmp_path / "carddb.db"
    filled(path, 5)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA ignore_check_constraints = ON")
        other.execute("UPDATE card SET data = 'nothing'")
    with pytest.raises(CatalogError):
        upgraded(path)
    assert rows_of(path, "PRAGMA user_version") == [(5,)]


def test_upgrade_of_a_locked_catalogue(tmp_path: Path) -> None:
    """A catalogue that is being written is not upgraded."""
    path = tmp_path / "carddb.db"
    filled(path, 5)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(CatalogError, match="in use"):
            upgraded(path)


def test_what_a_user_added_stays(tmp_path: Path) -> None:
    """A table that is none of carddb's is left in an upgraded catalogue as it was."""
    path = tmp_path / "carddb.db"
    filled(path, 5)
    rows_of(path, "CREATE TABLE notes AS SELECT ref, 'good' AS note FROM card")
    upgraded(path)
    assert rows_of(path, "SELECT * FROM notes") == [("A", "good"), ("B", "good")]


def of_schema(path: Path, version: int, name: str, words: str) -> Catalog:
    """A catalogue of one card, made by an older version with these words, as it is opened now."""
    data = json.dumps({"name": name, "set": "base", "type": "unit"}, ensure_ascii=False)
    stored = ("test", "A", name, "unit", "base", data, 0)
    rows_of(older(path, version), f'INSERT INTO card (game, ref, name, type, "set", data, retired) VALUES {stored}')
    rows_of(path, f"INSERT INTO card_words (rowid, words) VALUES (1, '{words}')")
    return opened(path)


def having(path: Path, *words: str) -> list[int]:
    """How many cards the index finds by each of these words."""
    statement = "SELECT count(*) FROM card_words WHERE card_words MATCH '{}'"
    return [rows_of(path, statement.format(word))[0][0] for word in words]


def test_a_catalogue_of_the_third_schema_keeps_its_words(tmp_path: Path) -> None:
    """The words of cards from before are found, and forgotten with the next change of the card."""
    path = tmp_path / "carddb.db"
    with of_schema(path, 3, "Siege Ladder", "Siege Ladder") as catalog:
        assert refs_of(catalog, "ladder") == refs_of(catalog, 'name="Siege Ladder"') == ["A"]
        load(catalog, [row("A", "Siege Tower")])
        assert refs_of(catalog, "tower") == ["A"] and not refs_of(catalog, "ladder")
    assert having(path, "siege", "tower", "ladder") == [1, 1, 0]


def test_a_catalogue_of_the_fourth_schema_learns_ideographs(tmp_path: Path) -> None:
    """The words of cards from before are told anew, so that one within a line without spaces is found."""
    path = tmp_path / "carddb.db"
    with of_schema(path, 4, "静かな港の灯", " 静かな港の灯") as catalog:
        assert refs_of(catalog, "港") == refs_of(catalog, 'name="静かな港の灯"') == ["A"]
        load(catalog, [row("A", "静かな海")])
        assert refs_of(catalog, "海") == ["A"] and not refs_of(catalog, "灯")
    assert having(path, "静", "海", "灯", "静かな港の灯") == [1, 1, 0, 0]
