"""Examining an installation and a project without changing anything, and restoring its databases from copies."""

from __future__ import annotations

import platform
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

from carddb.app.events.tournament import events_path
from carddb.app.printing.printers import open_book
from carddb.app.workspace.day_cards import catalogue_gaps
from carddb.app.workspace.workspace import Workspace
from carddb.catalog.connection import connect
from carddb.catalog.health import catalogue_findings
from carddb.core import cache
from carddb.core.database import free_copy, guarded, is_there, write_copy
from carddb.core.errors import CarddbError, CatalogError, FontError, InputError, OutputError
from carddb.core.files import locked, reason, replace, same_file, unfinished
from carddb.core.plain_text import amount
from carddb.core.version import __version__
from carddb.events.store import APPLICATION_ID, PATIENCE, event_findings
from carddb.findings import Finding, Place, counts, error, exit_code, has_errors, in_order, info, verdict, warning
from carddb.games import load
from carddb.press.faces.workshop import font_book

_USABLE = {"catalogue_copy", "game_missing", "recorded_ahead"}
"""The codes of findings on a catalogue that can nevertheless be opened without changing it."""
_MOST = 5
"""The most places that one finding names."""
_PACKAGE = re.compile(r"[\w.-]+")
_WORDS = {"legal": "sound", "illegal": "not sound", "not_checkable": "not checkable"}


@dataclass(frozen=True, slots=True)
class Examination:
    """An examined part of an installation: its name, a short description, and the findings."""

    name: str
    subject: str
    findings: tuple[Finding, ...]

    @property
    def word(self) -> str:
        """`sound`, `not sound` or `not checkable`."""
        return _WORDS[verdict(self.findings)]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The examinations of all parts of an installation and a project."""

    parts: tuple[Examination, ...]

    @property
    def findings(self) -> list[Finding]:
        return [finding for part in self.parts for finding in part.findings]

    @property
    def exit_code(self) -> int:
        """1 if any finding is an error, 4 if otherwise something is not checkable, else 0."""
        return exit_code(self.findings)

    def to_json(self) -> dict[str, Any]:
        """Returns what `doctor --json` shows."""
        return {
            "schema": "carddb.doctor/1",
            "verdict": "sound" if self.exit_code == 0 else "not_sound",
            "counts": counts(self.findings),
            "parts": [
                {
                    "name": part.name,
                    "subject": part.subject,
                    "findings": [finding.to_json() for finding in part.findings],
                }
                for part in self.parts
            ],
        }


def examine(project: Workspace) -> Diagnosis:
    """Examines the installation, the project file, the games, the catalogue, the events, the printers and the cache."""
    versions = f"carddb {__version__}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    parts: tuple[tuple[str, Callable[[Workspace], tuple[str, Iterable[Finding]]]], ...] = (
        ("installation", lambda _: (versions, _packages())),
        ("project", _project_file),
        ("games", _games),
        ("catalogue", _catalogue),
        ("events", _events),
        ("printers", _printers),
        ("cache", _cache),
    )
    examined = []
    for name, look in parts:
        try:
            subject, found = look(project)
            findings = [*found]
        except CarddbError as fault:  # if a part cannot be examined, the reason is its finding.
            subject, findings = "", [error(f"{name}_unusable", fault.message, fix=fault.remedy), *fault.findings]
        examined.append(Examination(name, subject, tuple(in_order(findings))))
    return Diagnosis(tuple(examined))


def _packages() -> Iterator[Finding]:
    """Yields a finding for each missing package; none if carddb itself is not installed, as in a source checkout."""
    try:
        requirements = metadata.requires("carddb") or []
    except metadata.PackageNotFoundError:
        return
    for requirement in requirements:
        package, _, condition = requirement.partition(";")
        name = _PACKAGE.match(package)
        if name and "extra" not in condition:
            try:
                metadata.version(name[0])
            except metadata.PackageNotFoundError:
                fix = f"Install it: pip install '{package.strip()}'"
                yield error("package_missing", f"the package {name[0]} is not installed", fix=fix)


def _project_file(project: Workspace) -> tuple[str, list[Finding]]:
    root = project.settings.root
    if root is None:
        return f"no project file at or above {project.folder.absolute()}", []
    return str(root / "carddb.toml"), [*_unfinished(root)]


def _unfinished(folder: Path) -> Iterator[Finding]:
    for path in unfinished(folder):
        message = "a program was stopped while it wrote this file"
        yield info(
            "file_unfinished", message, Place(str(path)), fix="Run any command that writes there; it removes the file."
        )


def _games(project: Workspace) -> tuple[str, list[Finding]]:
    findings = []
    for folder in project.folders.values():
        game, faults = load(folder)
        findings += faults
        if game is not None:
            try:
                font_book(game.spec.fonts, folder=game.folder.path)
            except FontError as fault:  # names the first font that is not installed
                findings.append(error("font_missing", f"{game.key}: {fault.message}", fix=fault.remedy))
    return ", ".join(project.folders), findings


def _catalogue(project: Workspace) -> tuple[str, list[Finding]]:
    findings = catalogue_findings(project.catalog_path, project.folders)
    if {finding.code for finding in findings} <= _USABLE:  # opening one that is older or empty would change it
        games = [game for folder in project.folders.values() if (game := load(folder)[0])]
        findings += catalogue_gaps(project, games)
    return str(project.catalog_path), findings


def _events(project: Workspace) -> tuple[str, list[Finding]]:
    path = events_path(project)
    return str(path) if path.exists() else f"{path}, not made yet", event_findings(path, project.folders)


def _printers(_project: Workspace) -> tuple[str, list[Finding]]:
    book = open_book()
    return f"{book.path}: {', '.join(book.printers) or 'none'}", []


def _cache(_project: Workspace) -> tuple[str, list[Finding]]:
    folder = cache.location()
    if folder is None:
        return "nothing is kept", []
    if not folder.is_dir():
        return f"{folder}, not made yet", []
    if not cache.is_ours(folder):
        message = "the folder belongs to another user, or others may write to it, so carddb does not use it"
        fix = f"Run chmod go-w {folder}, or name a folder of your own in CARDDB_CACHE."
        return str(folder), [warning("cache_unusable", message, Place(str(folder)), fix=fix)]
    entries = cache.damaged(folder)
    message = f"{amount(len(entries), 'damaged file')}, which carddb does not use and will make again"
    fix = "Nothing needs to be done; damaged files of the cache may be deleted."
    damage = [info("cache_damaged", message, *map(Place, map(str, entries[:_MOST])), fix=fix)]
    return str(folder), [*(damage if entries else []), *_unfinished(folder)]


_LOGS = ("-wal", "-journal", "-shm")
"""The endings of the files that SQLite keeps beside a database; such a file of another database would damage it."""


def restore(project: Workspace, copy: Path) -> tuple[Path, Path | None]:
    """Replaces the catalogue or `events.db` by a copy, after examining the copy; the old file is kept beside it.

    Returns the path of the file, and the path of the old file (None if there was none). Raises InputError if the copy
    is missing or not sound, CatalogError if it is no database or the file is in use, OutputError if writing fails.
    """
    if not is_there(copy):
        raise InputError(f"there is no file {copy}", "Name an existing copy, such as carddb.db.bak-8.")
    with closing(connect(copy, PATIENCE)) as source, guarded(copy):
        is_events = source.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        path = (events_path(project) if is_events else project.catalog_path).absolute()
        if same_file(copy, path):
            raise InputError(f"{copy} is the file in use, not a copy of it", "Name the copy that is to replace it.")
        findings = (event_findings if is_events else catalogue_findings)(copy, project.folders)
        if has_errors(findings):
            raise InputError(f"{copy} has errors, so nothing was changed", "Name another copy.", findings)
        with locked(path):
            try:
                old_copy = _set_aside(path)
                if old_copy:
                    _refuse_in_use(path, old_copy)
                    for log in _LOGS:
                        _beside(path, log).unlink(missing_ok=True)
                write_copy(source, path)
                if is_events:
                    path.chmod(0o600)
            except OSError as fault:
                problem = f"{path} cannot be written: {reason(fault)}"
                raise OutputError(problem, "Free space on the disk, or check its permissions.") from fault
    return path, old_copy


def _set_aside(path: Path) -> Path | None:
    """Copies a file with its logs to a free name beside it, and returns the path of the copy; None without a file."""
    present = [end for end in ("", *_LOGS[:2]) if is_there(_beside(path, end))]
    if not present:
        return None
    copy = free_copy(path, "replaced")
    for end in present:
        with _beside(path, end).open("rb") as file:
            replace(_beside(copy, end), iter(partial(file.read, 1 << 20), b""), like=path)
    return copy


def _refuse_in_use(path: Path, old_copy: Path) -> None:
    """Raises CatalogError, and removes the copy of the old file, if another program has the file open."""
    if not path.is_file():
        return
    try:
        with closing(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")  # fails if another program has the file open
    except sqlite3.Error as fault:
        if (getattr(fault, "sqlite_errorname", "") or "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            for end in ("", *_LOGS):
                _beside(old_copy, end).unlink(missing_ok=True)
            words = "Stop the program that has it open, such as carddb serve, and run this command again."
            raise CatalogError(f"{path} is in use by another program", words) from fault
        # Any other error means that the file is damaged; it is replaced all the same.


def _beside(path: Path, end: str) -> Path:
    return path.with_name(f"{path.name}{end}")
