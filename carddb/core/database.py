"""The common parts of all SQLite files of carddb: which may be opened, backup copies, and errors in plain words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from carddb.core.errors import CatalogError
from carddb.core.files import begin, reason
from carddb.core.names import capital
from carddb.findings import Finding, Place, info

_OTHER = "Name another file with --catalog."
_CHECK = "Check its permissions, or name another file with --catalog."
RESTORE = "Put back a copy with carddb restore COPY, or load the card files again."
_OLDEST_SQLITE = (3, 38, 0)
_HEADER = b"SQLite format 3\0"


@contextmanager
def guarded(path: Path) -> Iterator[None]:
    """Turns errors of SQLite in the block into CatalogError with a remedy.

    SQLite quotes damaged content in its message. If those bytes are not text, Python raises UnicodeDecodeError instead.
    """
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as fault:
        raise _explained(fault, path) from fault


def is_there(path: Path) -> bool:
    """Returns whether the file or folder exists. Raises CatalogError if the system refuses to say."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError) as fault:
        raise CatalogError(f"{path} cannot be read: {reason(fault)}", _CHECK) from fault
    return True


def examine(path: Path) -> bool:
    """Returns whether the file exists. Raises CatalogError if SQLite cannot open or create a database there."""
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        least = ".".join(map(str, _OLDEST_SQLITE))
        raise CatalogError(f"SQLite {sqlite3.sqlite_version} is too old; {least} is needed", "Use a newer Python.")
    if not is_there(path.parent):
        raise CatalogError(f"the folder {path.parent} does not exist", "Create it, or name another --catalog FILE.")
    there = is_there(path)
    if there:
        try:
            with path.open("rb") as file:
                start = file.read(len(_HEADER))
        except OSError as fault:
            raise CatalogError(f"{path} cannot be read: {reason(fault)}", _CHECK) from fault
        if start not in (b"", _HEADER):
            raise CatalogError(f"{path} is not a catalogue", f"{_OTHER} A card file is loaded by carddb load FILE.")
    return there


def schema_version(connection: sqlite3.Connection, path: Path, application: int, newest: int, elsewhere: str) -> int:
    """Returns the version of a database's schema, or 0 if the database is empty.

    Raises CatalogError if its application id is not `application`, or its version is above `newest`; the remedy is
    `elsewhere`, such as `name another --catalog`.
    """
    with guarded(path):
        (owner,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (objects,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if owner == version == objects == 0:
        return 0
    if owner != application:
        raise CatalogError(f"{path} is a database of another program", f"{capital(elsewhere)}.")
    if version > newest:
        message = f"{path} was written by a newer carddb (its schema is {version}, and this carddb knows {newest})"
        raise CatalogError(message, f"Upgrade carddb (pip install --upgrade carddb), or {elsewhere}.")
    return int(version)


def run_script(connection: sqlite3.Connection, script: str) -> None:
    """Runs SQL statement by statement, because `executescript` would end the transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""


def copy_beside(path: Path, version: int) -> Path:
    """Copies a database, locked by the caller, to a free name beside it. Returns that path. Raises CatalogError."""
    target = free_copy(path, str(version))
    try:
        with guarded(path), closing(sqlite3.connect(path)) as source:
            write_copy(source, target)
    except OSError as fault:
        message = f"{path} was written by an older carddb, and no copy of it can be made beside it: {reason(fault)}"
        raise CatalogError(message, "Move it into a folder where carddb can write, and open it there once.") from fault
    return target


def free_copy(path: Path, what: str) -> Path:
    """Returns an unused path beside a database for a copy: if `what` is 9, `carddb.db.bak-9` or `carddb.db.bak-9-2`."""
    target, count = path.with_name(f"{path.name}.bak-{what}"), 1
    while target.exists():
        count += 1
        target = path.with_name(f"{path.name}.bak-{what}-{count}")
    return target


def write_copy(source: sqlite3.Connection, target: Path) -> None:
    """Writes a whole database to the file `target`, replacing it. Raises OSError or CatalogError if that fails.

    The copy has a temporary name until it is complete, so that half a copy is not taken for a whole one. It has no
    journal, which would be left behind if the program were killed.
    """
    beside, file = begin(target)
    try:
        with file, guarded(target), closing(sqlite3.connect(beside)) as copy:
            copy.execute("PRAGMA journal_mode = OFF")
            source.backup(copy)
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def integrity_faults(connection: sqlite3.Connection, most: int) -> Iterator[str]:
    """Yields a sentence for each fault that SQLite finds and each row that refers to a missing row, `most` of each."""
    for (fault,) in connection.execute(f"PRAGMA integrity_check({most})"):
        if fault != "ok":
            yield f"SQLite finds: {fault}"
    for table, row, other, _ in connection.execute("PRAGMA foreign_key_check").fetchmany(most):
        yield f"row {row} of the table {table} refers to a row of {other} that does not exist"


def copies_left(path: Path, code: str, words: str) -> Iterator[Finding]:
    """Yields an info for each copy that upgrades left beside a database; its message is `words`, with a `{size}`."""
    for copy in sorted(path.parent.glob(f"{path.name}.bak-*")):
        message = words.format(size=f"{max(1, copy.stat().st_size >> 10):,} KB")
        yield info(code, message, Place(str(copy)), fix="Delete the copy when you are sure that the new file is right.")


_EXPLAINED = {
    ("BUSY", "LOCKED"): ("is in use by another program", "Wait until that program is done, and run this again."),
    ("NOTADB",): ("is not a catalogue", _OTHER),
    ("READONLY", "CANTOPEN", "PERM", "AUTH"): (
        "cannot be opened for writing", "Check the permissions of its folder, or copy the file elsewhere.",
    ),
    ("FULL", "IOERR"): ("could not be written: {fault}", "Free space on the disk. Nothing was changed."),
    ("CONSTRAINT",): ("did not accept the changes: {fault}", "Nothing was changed."),
}  # fmt: skip
"""The end of the message and the remedy for errors of SQLite, by the beginnings of their names after `SQLITE_`."""


def _explained(fault: sqlite3.Error | UnicodeDecodeError, path: Path) -> CatalogError:
    name = (getattr(fault, "sqlite_errorname", "") or "").removeprefix("SQLITE_")
    for names, (words, remedy) in _EXPLAINED.items():
        if name.startswith(names):
            return CatalogError(f"{path} {words.format(fault=fault)}", remedy)
    what = (
        "it contains bytes that are not text"
        if isinstance(fault, UnicodeDecodeError)
        else str(fault).partition("\n")[0]
    )
    return CatalogError(f"{path} is damaged: {what}", RESTORE)
