"""Writing verbs that are killed at random moments, and several at once: nothing is lost, nothing half-written."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from carddb.app.workspace.published_folder import MANIFEST
from tests.hostile.report import Row
from tests.hostile.writing_verbs import Verb, fill

_COPIES = 4
_PATIENCE = 120.0
_TABLES = ("card", "revision", "announcement", "ban_terms", "print_job", "print_job_card", "event", "player", "entry")
"""Those of a catalogue, and those of the database of events."""
_NOTHING_YET = ("empty", (0, 0, 0))
"""The rows of a database that is new: nothing, or tables without an event."""


def killed(verb: Verb, seed: int, cases: range) -> Row:
    """Kills a verb at random moments; afterwards every file is the old or the new one, and the verb can be done."""
    row = Row("kills", verb.name)
    with _prepared(verb) as template:
        expected, duration, code = _undisturbed(verb, template)
        for number in cases:
            choose = random.Random(f"{verb.name}/{seed}/{number}")
            with _copied(template) as folder:
                process = _started(verb.command, folder)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(choose.uniform(0, duration * 1.1))
                ended = process.poll() is not None
                _kill(process)
                faults = [*_losses(verb, template, folder, expected), *_after(verb, folder, template, expected, code)]
                row.add("done" if ended else "told", duration)
                row.faults += [f"kill {seed}/{number}: {fault}" for fault in faults[:3]]
    return row


def at_once(verb: Verb) -> Row:
    """Runs several of a verb at the same time: each does it or says no, and the files are those of one of them."""
    row = Row("two at once", verb.name)
    with _prepared(verb) as template, _copied(template) as folder:
        expected, _, code = _undisturbed(verb, template)
        running = [_started(verb.command, folder) for _ in range(_COPIES)]
        for process in running:
            try:
                _, errors = process.communicate(timeout=_PATIENCE)
            except subprocess.TimeoutExpired:
                _kill(process)
                row.faults.append(f"no answer in {_PATIENCE:.0f} s")
                continue
            row.add("done" if process.returncode == code else "refused")
            if process.returncode not in (code, verb.again, 3) or b"Traceback" in errors:
                row.faults.append(f"exit code {process.returncode}: {errors.decode(errors='replace')[-200:]}")
        row.faults += [] if verb.adds else _losses(verb, template, folder, expected)
        if row.ends["done"] == 0:
            row.faults.append("none of them did it")
    return row


def disturbed(verb: Verb, row: Row, environments: Mapping[str, Mapping[str, object]]) -> None:
    """Runs a verb in environments that hinder it: it says so, and the files are the old or the new ones.

    An environment is a name and what a process of it is started with.
    """
    with _prepared(verb) as template:
        expected, _, code = _undisturbed(verb, template)
        for name, options in environments.items():
            with _copied(template) as folder:
                row.faults += [f"{name}: {fault}" for fault in _hindered(verb, row, folder, code, options)]
                row.faults += [f"{name}: {fault}" for fault in _losses(verb, template, folder, expected)]


def _hindered(verb: Verb, row: Row, folder: Path, code: int, options: Mapping[str, Any]) -> list[str]:
    """Runs a verb that is hindered, and counts how it ends; what is wrong with that."""
    process = _started(verb.command, folder, **options)
    try:
        _, errors = process.communicate(timeout=_PATIENCE)
    except subprocess.TimeoutExpired:
        _kill(process)
        return [f"{verb.name} gave no answer in {_PATIENCE:.0f} s"]
    row.add("done" if process.returncode == code else "refused")
    if process.returncode not in (0, code, 3) or b"Traceback" in (errors or b""):
        return [f"{verb.name}: {process.returncode} {(errors or b'')[-200:].decode()}"]
    return []


@contextmanager
def _prepared(verb: Verb) -> Iterator[Path]:
    """A folder with what the verb needs."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "template"
        folder.mkdir()
        fill(folder)
        for command in (("cards", "type:officer"), *verb.before):
            process = _started(command, folder)
            _, errors = process.communicate()
            if process.returncode:
                raise AssertionError(f"{' '.join(command)} is refused: {errors.decode(errors='replace')[-300:]}")
        yield folder


@contextmanager
def _copied(template: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "work"
        shutil.copytree(template, folder)
        yield folder


def environment(folder: Path) -> dict[str, str]:
    """The variables of a command that is alone in its folder."""
    return {
        **os.environ, "CARDDB_CACHE": str(folder / ".cache"), "CARDDB_PRINTERS": str(folder / "printers.json"),
        "SOURCE_DATE_EPOCH": "1700000000", "CARDDB_SHOW_CRASH": "yes", "HOME": str(folder),
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }  # fmt: skip


def _started(command: Sequence[str], folder: Path, **more: Any) -> subprocess.Popen[bytes]:
    options: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, **more}
    process: subprocess.Popen[bytes] = subprocess.Popen(
        [sys.executable, "-m", "carddb", "-q", *command], cwd=folder, env=environment(folder),
        start_new_session=True, **options,
    )  # fmt: skip
    return process


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stderr:
        process.stderr.close()


def _undisturbed(verb: Verb, template: Path) -> tuple[dict[str, object], float, int]:
    """What the verb makes when nothing happens, how long it takes, and its exit code."""
    with _copied(template) as folder:
        began = time.monotonic()
        process = _started(verb.command, folder)
        _, errors = process.communicate()
        duration = time.monotonic() - began
        if process.returncode:
            raise AssertionError(f"{verb.name} itself is refused: {errors.decode(errors='replace')[-300:]}")
        return contents(folder), duration, process.returncode


def contents(folder: Path) -> dict[str, object]:
    """Every file by name, whole; of a database the numbers of its rows. Without the cache, locks and SQLite's logs."""
    out: dict[str, object] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if (
            not path.is_file()
            or name.startswith(".cache")
            or name.endswith((".lock", ".db-wal", ".db-shm", ".db-journal"))
        ):
            continue
        if path.suffix == ".carddb":
            continue
        out[name] = _rows_of(path) if path.suffix == ".db" else path.read_bytes()
    return out


def _rows_of(path: Path) -> object:
    with closing(sqlite3.connect(path)) as connection:
        try:
            faults = [*connection.execute("PRAGMA integrity_check"), *connection.execute("PRAGMA foreign_key_check")]
            if faults != [("ok",)]:
                return f"damaged: {faults[:3]}"
            there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not there:
                return "empty"
            counted = [table for table in _TABLES if table in there]
            return tuple(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in counted)
        except sqlite3.Error as fault:
            return f"damaged: {fault}"


def _losses(verb: Verb, template: Path, folder: Path, expected: dict[str, object]) -> list[str]:
    """The files that are neither what they were nor what they are to be."""
    old, now = contents(template), contents(folder)
    faults = []
    for name in sorted({*old, *now}):
        if name.endswith(MANIFEST):  # between two publications it names the files of both
            continue
        allowed = [files[name] for files in (old, expected) if name in files]
        if name not in now:
            if name in old and name in expected:
                faults.append(f"{name} is gone")
        elif not (
            now[name] in allowed
            or (name not in old and now[name] in _NOTHING_YET)
            or (verb.row_by_row and _lies_between(now[name], allowed))
        ):
            what = now[name] if isinstance(now[name], tuple | str) else "other bytes"
            faults.append(f"{name} is neither the old nor the new one: {what}")
    return faults


def _lies_between(rows: object, bounds: list[object]) -> bool:
    """Whether the numbers of rows of a database are between those of two others."""
    ends = [bound for bound in bounds if isinstance(bound, tuple)]
    if not (isinstance(rows, tuple) and len(ends) == len(bounds)):
        return False
    return all(min(each) <= number <= max(each) for number, each in zip(rows, zip(*ends, strict=True), strict=True))


def _after(verb: Verb, folder: Path, template: Path, expected: dict[str, object], code: int) -> list[str]:
    """What is wrong when the verb is done once more after the kill."""
    process = _started(verb.command, folder)
    _, errors = process.communicate()
    if process.returncode not in (code, verb.again):
        return [f"done again: exit code {process.returncode}: {errors.decode(errors='replace')[-200:]}"]
    now = contents(folder)
    alike = process.returncode == code and not verb.adds
    wrong = [name for name in expected if now.get(name) != expected[name]] if alike else []
    left = [path.name for path in folder.rglob("*") if path.suffix == ".carddb" and ".cache" not in path.parts]
    return [*(f"done again: {name} is not what it should be" for name in wrong), *(f"left: {name}" for name in left)]
