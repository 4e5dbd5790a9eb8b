"""What is opened is a catalogue; what is none stays untouched."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from carddb.catalog import connection
from tests.catalog.samples import new_catalog, row

pytestmark = pytest.mark.door

ROOT = Path(__file__).parents[2]


def run(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs a script in an interpreter of its own."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def refused(*_: object) -> sqlite3.Connection:
    """SQLite on such media."""
    raise sqlite3.OperationalError("unable to open database file")


def test_reading_is_light(tmp_path: Path) -> None:
    """Opening and reading a catalogue imports no database library but SQLite's."""
    script = """
import sys
from pathlib import Path
from tests.catalog.samples import *
from carddb.cards.query import parse
with opened(Path(sys.argv[1])) as catalog:
    assert len(catalog.pool(SPEC, day=DAY, query=parse("card war:none", SPEC.all_fields()))) == 1
    assert catalog.history("test", "A") and catalog.revision_hash("test", DAY) and catalog.sets("test", day=DAY)
print(*sorted({"sqlalchemy", "sqlmodel", "carddb.catalog.model"} & set(sys.modules)))
"""
    result = run(script, new_catalog(tmp_path / "carddb.db", row("A")))
    assert (result.stdout, result.stderr) == ("\n", "")


def test_a_log_that_goes_while_it_is_looked_for_is_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader without rights sees a log, a writer ends and takes it away: the file is read without it."""
    path, log = tmp_path / "carddb.db", tmp_path / "carddb.db-wal"
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE a (b)")
    log.write_bytes(b"")

    def gone(_path: Path, _log: Path) -> sqlite3.Connection:
        log.unlink()
        raise FileNotFoundError

    def opened(at: Path, _timeout: float, how: str = "") -> sqlite3.Connection:
        if "immutable" not in how:
            raise sqlite3.OperationalError
        return sqlite3.connect(at)

    monkeypatch.setattr(connection, "_in_memory", gone)
    monkeypatch.setattr(connection, "_opened", opened)
    with closing(connection._read_only(path, 1.0)) as read:
        assert read.execute("SELECT count(*) FROM a").fetchone() == (0,)


def test_statements_fit_the_schema() -> None:
    """Every statement can be run on the tables of the schema, and is used."""
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "carddb" / "catalog").glob("*.py"))
    with closing(sqlite3.connect(":memory:")) as empty:
        connection.create_tables(empty)
        for name, statement in connection.SQL.items():
            whole = re.sub(r"\{\w+\}", "", statement)
            made = whole if whole.startswith("CREATE") else f"EXPLAIN {whole}"
            empty.execute(made, (None,) * whole.count("?"))
            assert f'SQL["{name}"]' in sources
