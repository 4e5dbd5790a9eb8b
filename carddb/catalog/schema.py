"""The SQL of a new catalogue, generated from the model: `python -m carddb.catalog.schema > schema/catalog.sql`."""

from __future__ import annotations

from sqlalchemy import Table
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable, ExecutableDDLElement

from carddb.catalog.connection import APPLICATION_ID, VERSION
from carddb.catalog.model import BESIDE_THE_TABLES, TABLES

_HEAD = """\
-- A new catalogue. Generated from the model by `python -m carddb.catalog.schema`; a test compares the two.
"""


def sql() -> str:
    """Returns the script that makes an empty database a catalogue of this version, stamped as one."""
    stamp = [f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {VERSION}"]
    tables = [statement for table in TABLES for statement in _statements(table)]
    return _HEAD + "".join(f"\n{statement};\n" for statement in (*tables, *BESIDE_THE_TABLES, *stamp))


def _statements(table: Table) -> list[str]:
    indexes = sorted(table.indexes, key=lambda index: str(index.name))
    ddl: list[ExecutableDDLElement] = [CreateTable(table), *map(CreateIndex, indexes)]
    return [_tidy(str(each.compile(dialect=sqlite.dialect()))) for each in ddl]


def _tidy(statement: str) -> str:
    lines = (line.rstrip().expandtabs(4) for line in statement.strip().splitlines())
    return "\n".join(lines).replace(")\n STRICT", ") STRICT").replace(",\n STRICT", ", STRICT")


if __name__ == "__main__":
    print(sql(), end="")
