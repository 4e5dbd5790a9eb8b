"""Restoring the catalogue, or the events, from a copy; the file that is replaced is kept."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NamedTuple

from carddb.app.events.tournament import events_path
from carddb.app.workspace.workspace import Workspace
from carddb.catalog.connection import connect
from carddb.catalog.health import catalogue_findings
from carddb.core.database import free_copy, guarded, is_there, reason, write_copy
from carddb.core.errors import CatalogError, InputError, OutputError
from carddb.core.files import locked, replace, same_file
from carddb.events.store import APPLICATION_ID, PATIENCE, event_findings
from carddb.findings import has_errors

_LOGS = ("-wal", "-journal", "-shm")
"""The endings of the files that SQLite keeps beside a database; one left by another database would damage it."""


class Restored(NamedTuple):
    """The file that a copy was put back to, and what was there before; None if there was nothing."""

    path: Path
    kept: Path | None


def restore(project: Workspace, copy: Path) -> Restored:
    """Replaces the catalogue or `events.db` by a copy, after examining the copy; the old file is kept beside it.

    Raises InputError if the copy is not sound, CatalogError if it is no such file or the present one is in use, and
    OutputError if nothing can be written.
    """
    if not is_there(copy):
        raise InputError(f"there is no file {copy}", "Name the copy that is to be put back.")
    with closing(connect(copy, PATIENCE)) as source, guarded(copy):
        is_events = source.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        path = (events_path(project) if is_events else project.catalog_path).absolute()
        if same_file(copy, path):
            raise InputError(f"{copy} is the file itself", "Name the copy that is to be put back.")
        findings = (event_findings if is_events else catalogue_findings)(copy, project.folders)
        if has_errors(findings):
            raise InputError(f"{copy} is not sound, and nothing was changed", "Name another copy.", findings)
        with locked(path):
            try:
                kept = _set_aside(path)
                if kept:
                    _refuse_in_use(path, kept)
                    for log in _LOGS:
                        _beside(path, log).unlink(missing_ok=True)
                write_copy(source, path)
                if is_events:
                    path.chmod(0o600)
            except OSError as fault:
                raise OutputError(
                    f"{path} cannot be written: {reason(fault)}", "Make room, or check its rights."
                ) from fault
    return Restored(path, kept)


def _set_aside(path: Path) -> Path | None:
    """Copies a file with its logs, byte for byte, to a free name beside it; returns that, or None if there is none."""
    present = [end for end in ("", *_LOGS[:2]) if is_there(_beside(path, end))]
    if not present:
        return None
    kept = free_copy(path, "replaced")
    for end in present:
        with _beside(path, end).open("rb") as file:
            replace(_beside(kept, end), iter(partial(file.read, 1 << 20), b""), like=path)
    return kept


def _refuse_in_use(path: Path, kept: Path) -> None:
    """Raises CatalogError, and removes what was set aside, if another program has the file open."""
    if not path.is_file():
        return
    try:
        with closing(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")  # only who has the file alone may change that
    except sqlite3.Error as fault:
        if (getattr(fault, "sqlite_errorname", "") or "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            for end in ("", *_LOGS):
                _beside(kept, end).unlink(missing_ok=True)
            words = "Stop what has it open, such as carddb serve, and run this again."
            raise CatalogError(f"{path} is in use by another program", words) from fault
        # A file that is damaged is in nobody's use, and set aside as it is.


def _beside(path: Path, end: str) -> Path:
    return path.with_name(f"{path.name}{end}")
