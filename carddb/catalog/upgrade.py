"""Brings an older catalogue to the schema of this program, in one transaction, after a copy was written beside it.

No step says a table again: the rows of the older tables go, column by column of the same name, into new tables made by
`schema/catalog.sql`. So every upgraded catalogue has the structure of a new one.
"""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import NamedTuple

from carddb.catalog.connection import VERSION, create_tables, schema_script, version_of
from carddb.catalog.load import ADD_WORDS
from carddb.catalog.query_narrowing import indexed
from carddb.catalog.search import values_of
from carddb.catalog.translations import ADD_TRANSLATED_WORDS
from carddb.core.database import copy_beside, guarded
from carddb.core.errors import CatalogError


class Step(NamedTuple):
    """What to change first in the catalogues of some older schemas, where a table or column had another name."""

    schemas: range
    statements: tuple[str, ...]


STEPS: tuple[Step, ...] = (
    # Schema 6: the name `printing` is free for the printings of a card. Schema 1 had no print jobs.
    Step(
        range(2, 6),
        (
            "ALTER TABLE printing RENAME TO print_job",
            "ALTER TABLE printed RENAME TO print_job_card",
            "ALTER TABLE print_job_card RENAME COLUMN printing_id TO print_job_id",
        ),
    ),
)


def upgrade(connection: sqlite3.Connection, path: Path) -> Path | None:
    """Upgrades an older catalogue, completely or not at all, and returns the path of the copy made before.

    None where another program did it meanwhile. Raises CatalogError, also where a newer program did it.
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
    for step in STEPS:
        if version in step.schemas:
            for statement in step.statements:
                connection.execute(statement)
    _rebuild(connection)
    broken = connection.execute("PRAGMA foreign_key_check").fetchone()
    if broken:
        raise CatalogError(
            f"{path} could not be brought up to date: a row of {broken[0]} would point nowhere",
            "It is as it was; open it with the carddb that made it.",
        )
    return backup


def _rebuild(connection: sqlite3.Connection) -> None:
    """Makes all tables and the indexes of words anew, with the rows that there were."""
    tables = re.findall(r"^CREATE TABLE (\w+)", schema_script(), re.MULTILINE)
    older = [table for table in tables if _columns(connection, table)]
    for table in older:
        connection.execute(f"CREATE TEMP TABLE old_{table} AS SELECT * FROM {table}")
        connection.execute(f"DROP TABLE {table}")
    for index in ("card_words", "translation_words"):
        connection.execute(f"DROP TABLE IF EXISTS {index}")
    connection.execute("DROP TABLE IF EXISTS alembic_version")  # schemas 1 to 5 were numbered in it too
    create_tables(connection)
    for table in older:
        both = ", ".join(f'"{name}"' for name in _columns(connection, table) & _columns(connection, f"old_{table}"))
        connection.execute(f"INSERT INTO {table} ({both}) SELECT {both} FROM old_{table}")
        connection.execute(f"DROP TABLE old_{table}")
    for table, statement in (("card", ADD_WORDS), ("translation", ADD_TRANSLATED_WORDS)):
        rows = connection.execute(f"SELECT id, data FROM {table} ORDER BY id")
        connection.executemany(statement, ((row_id, indexed(values_of(data))) for row_id, data in rows))


def _columns(connection: sqlite3.Connection, table: str) -> set[str]:
    """The names of a table's columns; empty where there is no such table."""
    return {name for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", [table])}
