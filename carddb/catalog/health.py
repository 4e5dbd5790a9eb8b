"""Checks of a catalogue, and the upgrade of an older one to this program's schema."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing
from pathlib import Path

from carddb.catalog.connection import SQL, VERSION, connect, create_tables, schema_script, version_of
from carddb.catalog.search import games, indexed, values_of
from carddb.core.database import RESTORE, copies_left, copy_beside, guarded, integrity_faults, is_there
from carddb.core.errors import CatalogError
from carddb.core.plain_text import first_of
from carddb.findings import Finding, Place, error, info, warning

_MOST, _PATIENCE = 5, 1.0
"""The most faults reported of each kind, and the seconds to wait for another program."""


def catalogue_findings(path: Path, game_keys: Collection[str]) -> list[Finding]:
    """Returns every fault of a catalogue: integrity, references, missing or surplus rows, unknown games, old copies."""
    place = Place(str(path))
    copies = copies_left(path, "catalogue_copy", "a copy of an older catalogue, {size}")
    try:
        if not is_there(path):
            fix = "Make one: carddb init, or carddb load FILE."
            return [info("catalogue_missing", "there is no catalogue yet", place, fix=fix)]
        with closing(connect(path, _PATIENCE)) as connection:
            version = version_of(connection, path)
            if not version:
                return [error("catalogue_damaged", "the file is empty", place, fix="Delete the file.")]
            with guarded(path):
                return [*_contents(connection, place, version, game_keys), *copies]
    except CatalogError as fault:
        return [error("catalogue_unusable", fault.message, place, fix=fault.remedy), *copies]


def _contents(
    connection: sqlite3.Connection, place: Place, version: int, game_keys: Collection[str]
) -> Iterator[Finding]:
    for fault in integrity_faults(connection, _MOST):
        yield error("catalogue_damaged", fault, place, fix=RESTORE)
    if version < VERSION:
        message = f"the catalogue has schema {version}, but this program writes schema {VERSION}"
        fix = "Nothing has to change: the next command brings it up to date, and keeps a copy of it."
        yield info("catalogue_older", message, place, fix=fix)
        return
    connection.execute("PRAGMA query_only = OFF")  # set for a copy in memory, in which the next table is made
    connection.execute(SQL["list_indexed_words"])
    connection.execute(SQL["list_indexed_translations"])
    for statement, fault in (
        (SQL["cards_without_a_revision"], "no revision is stored"),
        (SQL["cards_behind_their_revision"], "the stored values differ from those of the last revision"),
        (SQL["cards_without_words"], "missing from the search index"),
        (SQL["translations_without_words"], "missing from the search index of translations"),
        (SQL["words_without_a_card"], "in the search index, but there is no such card"),
    ):
        rows = connection.execute(statement).fetchall()
        if rows:
            names = first_of([f"{ref} ({game})" for game, ref in rows], _MOST)
            yield error("catalogue_orphan", f"{names}: {fault}", place, fix=RESTORE)
    if rows := connection.execute(SQL["cards_recorded_ahead"]).fetchall():
        names = first_of([f"{ref} ({game})" for game, ref, _ in rows], _MOST)
        message = f"{names}: recorded after today, as late as {max(at for _, _, at in rows)[:10]}: a clock was wrong"
        fix = "Put back an earlier copy with carddb restore COPY, then load the files again."
        yield warning("recorded_ahead", message, place, fix=fix)
    for game in games(connection):
        if game not in game_keys:
            fix = "Name its folder with --games, or under games in carddb.toml."
            yield warning("game_missing", f"there are cards of {game}, but no such game", place, fix=fix)


RENAMES = (
    "ALTER TABLE printing RENAME TO print_job",
    "ALTER TABLE printed RENAME TO print_job_card",
    "ALTER TABLE print_job_card RENAME COLUMN printing_id TO print_job_id",
)
"""The first statements for schemas 2 to 5, in which print jobs had the table that printings have today."""


def upgrade(connection: sqlite3.Connection, path: Path) -> Path | None:
    """Upgrades an older catalogue, completely or not at all, and returns the path of the copy made before.

    Returns None if another program has upgraded it meanwhile. Raises CatalogError if it fails or the file is newer.
    """
    with guarded(path):
        # Tables are dropped and made again; the foreign keys are checked at the end instead.
        connection.execute("PRAGMA foreign_keys = OFF")
        try:
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                return _upgraded(connection, path)
        finally:
            connection.execute("PRAGMA foreign_keys = ON")


def _upgraded(connection: sqlite3.Connection, path: Path) -> Path | None:
    version = version_of(connection, path)
    if version == VERSION:
        return None
    backup = copy_beside(path, version)
    for statement in RENAMES if 2 <= version <= 5 else ():
        connection.execute(statement)
    _rebuild(connection)
    broken = connection.execute("PRAGMA foreign_key_check").fetchone()
    if broken:
        raise CatalogError(
            f"{path} could not be brought up to date: a row of {broken[0]} would refer to a missing row",
            "Open it with the carddb that made it; it is unchanged.",
        )
    return backup


def _rebuild(connection: sqlite3.Connection) -> None:
    """Recreates all tables and word indexes with the existing rows."""
    tables = re.findall(r"^CREATE TABLE (\w+)", schema_script(), re.MULTILINE)
    older = [table for table in tables if _columns(connection, table)]
    for table in older:
        connection.execute(f"CREATE TEMP TABLE old_{table} AS SELECT * FROM {table}")
        connection.execute(f"DROP TABLE {table}")
    for index in ("card_words", "translation_words"):
        connection.execute(f"DROP TABLE IF EXISTS {index}")
    connection.execute("DROP TABLE IF EXISTS alembic_version")  # schemas 1 to 5 also kept their version in it
    create_tables(connection)
    for table in older:
        both = ", ".join(f'"{name}"' for name in _columns(connection, table) & _columns(connection, f"old_{table}"))
        connection.execute(f"INSERT INTO {table} ({both}) SELECT {both} FROM old_{table}")
        connection.execute(f"DROP TABLE old_{table}")
    for table, statement in (("card", SQL["add_words"]), ("translation", SQL["add_translated_words"])):
        rows = connection.execute(f"SELECT id, data FROM {table} ORDER BY id")
        connection.executemany(statement, ((row_id, indexed(values_of(data))) for row_id, data in rows))


def _columns(connection: sqlite3.Connection, table: str) -> set[str]:
    """Returns the names of a table's columns, or an empty set if there is no such table."""
    return {name for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", [table])}
