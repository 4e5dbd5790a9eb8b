"""The schema of the catalogue: as SQL out of the model, and from an older version to this one.

`python -m carddb.catalog.schema` prints what belongs into schema/catalog.sql.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Table, create_engine, event
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool
from sqlalchemy.schema import CreateIndex, CreateTable, ExecutableDDLElement

from carddb.catalog.connection import APPLICATION_ID, VERSION, connect, guarded, version_of
from carddb.errors import CatalogError
from carddb.model import BESIDE_THE_TABLES, TABLES

MIGRATIONS = Path(__file__).parent / "migrations"

_HEAD = """\
-- A new catalogue. Generated from carddb/model.py by `python -m carddb.catalog.schema`; a test compares the two.
"""
# As Alembic itself makes it.
_VERSION_TABLE = """\
CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
)"""


def revision_id(version: int) -> str:
    """Alembic's name for a version of the schema: `0001`."""
    return f"{version:04}"


def sql() -> str:
    """The script that makes an empty database a catalogue of this version, stamped as one."""
    stamp = [
        _VERSION_TABLE,
        f"INSERT INTO alembic_version (version_num) VALUES ('{revision_id(VERSION)}')",
        f"PRAGMA application_id = {APPLICATION_ID}",
        f"PRAGMA user_version = {VERSION}",
    ]
    tables = [statement for table in TABLES for statement in _statements(table)]
    return _HEAD + "".join(f"\n{statement};\n" for statement in (*tables, *BESIDE_THE_TABLES, *stamp))


def upgrade(path: Path, timeout: float, version: int = VERSION, more: Sequence[Path] = ()) -> Path | None:
    """Brings an older catalogue to `version`, all of the way or not at all, and names the copy made before.

    `more` are further folders of migrations. None where another program did it meanwhile. Raises CatalogError.
    """
    script = ScriptDirectory(str(MIGRATIONS), version_locations=[str(MIGRATIONS), *map(str, more)])
    engine = create_engine("sqlite://", creator=lambda: connect(path, timeout), poolclass=StaticPool)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    try:
        with engine.connect() as connection:
            # Tables that are rebuilt are dropped meanwhile; the keys are checked at the end instead.
            _raw(connection).execute("PRAGMA foreign_keys = OFF")
            with connection.begin():
                old = version_of(_raw(connection))
                if old >= version:
                    return None
                backup = _copy(path, old) if old else None
                _run(connection, script, revision_id(version))
                _check_keys(connection)
                connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.exec_driver_sql(f"PRAGMA user_version = {version}")
                return backup
    except (DBAPIError, CommandError) as fault:
        with guarded(path):
            if isinstance(fault, DBAPIError) and isinstance(fault.orig, sqlite3.Error):
                raise fault.orig from fault
        raise CatalogError(
            f"{path} could not be brought up to date: {fault}", "It is as it was; open it with the carddb that made it."
        ) from fault
    finally:
        engine.dispose()


def _statements(table: Table) -> list[str]:
    indexes = sorted(table.indexes, key=lambda index: str(index.name))
    ddl: list[ExecutableDDLElement] = [CreateTable(table), *map(CreateIndex, indexes)]
    return [_tidy(str(each.compile(dialect=sqlite.dialect()))) for each in ddl]


def _tidy(statement: str) -> str:
    lines = (line.rstrip().expandtabs(4) for line in statement.strip().splitlines())
    return "\n".join(lines).replace(")\n STRICT", ") STRICT").replace(",\n STRICT", ", STRICT")


def _run(connection: Connection, script: ScriptDirectory, target: str) -> None:
    def steps(revision: Any, _: Any) -> Any:
        return script._upgrade_revs(target, revision)

    context = MigrationContext.configure(connection, opts={"fn": steps, "render_as_batch": True})
    with Operations.context(context):
        context.run_migrations()


def _check_keys(connection: Connection) -> None:
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchone()
    if broken:
        raise CommandError(f"a row of {broken[0]} would point nowhere")


def _copy(path: Path, version: int) -> Path:
    """A copy of the catalogue beside it, under a name that is free; the writer holds the lock meanwhile."""
    target, count = path.with_name(f"{path.name}.bak-{version}"), 1
    while target.exists():
        count += 1
        target = path.with_name(f"{path.name}.bak-{version}-{count}")
    try:
        with guarded(target), closing(connect(path, 0)) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
    except BaseException:
        target.unlink(missing_ok=True)
        raise
    return target


def _raw(connection: Connection) -> sqlite3.Connection:
    raw = connection.connection.driver_connection
    assert isinstance(raw, sqlite3.Connection)
    return raw


if __name__ == "__main__":
    print(sql(), end="")
