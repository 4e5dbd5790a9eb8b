"""Opens `events.db`: made where it is missing, brought up to date where it is older, refused where it is another's."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from carddb.core import assets
from carddb.core.database import copy_beside, examine, guarded, run_script, schema_version

APPLICATION_ID = 0x4556454E
"""`EVEN`, in the header of every database of events."""
VERSION = 1
"""The version of the schema that this program reads and writes."""
UPGRADES: dict[int, str] = {}
"""For each older version, the SQL that leads to the next one."""
PATIENCE = 5.0
"""Seconds to wait for another program."""


def open_database(path: Path) -> sqlite3.Connection:
    """A connection that begins no transaction by itself. Raises CatalogError.

    What is deleted is overwritten with zeros: a name that was forgotten is not in the file any more.
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
    """The version of the schema, 0 for an empty file. Raises CatalogError for a database of another kind."""
    return schema_version(connection, path, APPLICATION_ID, VERSION, "move it elsewhere")


def _bring_up_to_date(connection: sqlite3.Connection, path: Path) -> None:
    """Makes the tables of a new file, or changes those of an older one after a copy of it was written."""
    if version_of(connection, path) == VERSION:
        return
    connection.execute("PRAGMA journal_mode = WAL")
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        version = version_of(connection, path)  # another program may have been quicker
        if version == 0:
            path.chmod(0o600)  # names of players are for their organiser
            run_script(connection, (assets.schema() / "events.sql").read_text("utf-8"))
        elif version < VERSION:
            copy_beside(path, version)
            for older in range(version, VERSION):
                run_script(connection, UPGRADES[older])
            connection.execute(f"PRAGMA user_version = {VERSION}")
