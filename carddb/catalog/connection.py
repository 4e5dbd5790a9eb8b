"""Opens the database file, if it is a catalogue that this program can read, and defines the stamp of written rows."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from carddb.core import assets, database
from carddb.core.database import guarded, is_there, schema_version
from carddb.core.dates import moment_text
from carddb.core.errors import CatalogError
from carddb.core.files import reason

APPLICATION_ID = 0x43415244
"""The application id `CARD` in the header of every catalogue."""
VERSION = 11
"""The schema version that this program reads and writes."""
_TRIES = 20
"""The most attempts to open a database while another process creates or removes its log."""

_NAMED = re.compile(r"^-- name: (\w+)\n(.*?);$", re.MULTILINE | re.DOTALL)
SQL: Mapping[str, str] = dict(_NAMED.findall(Path(__file__).with_name("statements.sql").read_text("utf-8")))
"""The statements of the catalogue, by name."""


class Stamp(NamedTuple):
    """The time, author and source of a record."""

    recorded_at: datetime
    author: str
    source: str

    def columns(self) -> tuple[str, str, str]:
        """Returns the values as the tables store them; bytes of file names that are not text are replaced."""
        author, source = (text.encode("utf-8", "replace").decode() for text in (self.author, self.source))
        return moment_text(self.recorded_at), author, source


def connect(path: Path, timeout: float) -> sqlite3.Connection:
    """Returns a connection that does not begin transactions by itself, and waits `timeout` seconds for locks.

    It is read-only if file or folder is not writable. Raises CatalogError if it is not a database, before touching it.
    """
    there = database.examine(path)
    with guarded(path):
        if there and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
            connection = _read_only(path, timeout)
        else:
            connection = _opened(path, timeout)
        connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _opened(path: Path, timeout: float, how: str = "") -> sqlite3.Connection:
    return sqlite3.connect(path.absolute().as_uri() + how, timeout=timeout, isolation_level=None, uri=True)


def _read_only(path: Path, timeout: float) -> sqlite3.Connection:
    """Opens a file that cannot be written, nor anything beside it. Raises sqlite3.Error, CatalogError.

    SQLite needs a file of its own beside the write-ahead log to read it. If that cannot be created, file and log are
    copied into memory. Without a log there is no writer, so the file is opened as immutable.
    """
    log = path.with_name(f"{path.name}-wal")
    for _ in range(_TRIES):
        if not is_there(log):
            return _opened(path, timeout, "?mode=ro&immutable=1")
        try:
            connection = _opened(path, timeout, "?mode=ro")
            connection.execute("PRAGMA schema_version")
            return connection
        except sqlite3.OperationalError:
            with suppress(FileNotFoundError):  # a writer that ends takes its log away between two looks
                return _in_memory(path, log)
    raise CatalogError(f"{path} is in use by another program", "Wait until it is done, and run this again.")


def _in_memory(path: Path, log: Path) -> sqlite3.Connection:
    """Returns a read-only copy of file and log in memory. Raises FileNotFoundError, sqlite3.Error, CatalogError."""
    memory = sqlite3.connect(":memory:", isolation_level=None)
    try:
        with TemporaryDirectory() as folder:
            copy = Path(folder) / "copy.db"
            for source, target in ((path, copy), (log, copy.with_name("copy.db-wal"))):
                target.write_bytes(source.read_bytes())
            with closing(sqlite3.connect(copy)) as whole:
                whole.backup(memory)
    except FileNotFoundError:
        raise
    except OSError as fault:
        raise CatalogError(f"{path} cannot be read: {reason(fault)}", "Copy it to another folder.") from fault
    memory.execute("PRAGMA query_only = ON")
    return memory


def version_of(connection: sqlite3.Connection, path: Path) -> int:
    """Returns the schema version, 0 for an empty file. Raises CatalogError for other files and newer catalogues."""
    return schema_version(connection, path, APPLICATION_ID, VERSION, "name another --catalog")


def create(connection: sqlite3.Connection, path: Path) -> bool:
    """Creates the tables in an empty database, in a transaction left open; returns False if it has them already.

    Nothing is written before the commit, so a program that dies earlier leaves an empty file.
    """
    with guarded(path):
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("BEGIN IMMEDIATE")
    if version_of(connection, path):
        return False
    with guarded(path):
        create_tables(connection)
    return True


def schema_script() -> str:
    """Returns the SQL script of a new catalogue."""
    return (assets.schema() / "catalog.sql").read_text("utf-8")


def create_tables(connection: sqlite3.Connection) -> None:
    """Creates the tables of a new catalogue, without ending the transaction."""
    database.run_script(connection, schema_script())
