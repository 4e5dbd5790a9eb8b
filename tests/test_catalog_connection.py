"""What is opened is a catalogue; what is none stays untouched."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from catalog_samples import DAY, SPEC, load, new_catalog, opened, row, rows_of

from carddb.catalog.connection import APPLICATION_ID, VERSION
from carddb.catalog.store import Catalog
from carddb.errors import CatalogError

HERE = Path(__file__).parent


def run(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs a script in an interpreter of its own."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), str(HERE.parent)])}
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def refused(path: Path, *, must_exist: bool = True) -> CatalogError:
    with pytest.raises(CatalogError) as caught:
        Catalog.open(path, must_exist=must_exist, timeout=0)
    assert caught.value.remedy and caught.value.exit_code == 3
    return caught.value


def test_missing(tmp_path: Path) -> None:
    """A catalogue that must exist and does not is named, and nothing is made."""
    assert "no catalogue" in refused(tmp_path / "carddb.db").message
    assert "folder" in refused(tmp_path / "no" / "carddb.db", must_exist=False).message
    assert list(tmp_path.iterdir()) == []


def test_created(tmp_path: Path) -> None:
    """A new catalogue is stamped, keeps a log for its writers, and is opened again."""
    path = tmp_path / "carddb.db"
    with Catalog.open(path, must_exist=False) as catalog:
        assert catalog.is_new
    assert rows_of(path, "PRAGMA application_id") == [(APPLICATION_ID,)]
    assert rows_of(path, "PRAGMA journal_mode") == [("wal",)]
    with Catalog.open(path, must_exist=False) as catalog:
        assert not catalog.is_new and catalog.games() == []
    with pytest.raises(CatalogError, match="already"):
        Catalog.create(path)


def test_creation_all_or_nothing(tmp_path: Path) -> None:
    """Where making a catalogue breaks off, no file is left."""
    with pytest.raises(KeyError), Catalog.create(tmp_path / "carddb.db") as catalog:
        load(catalog, [row("A")])
        raise KeyError
    assert list(tmp_path.iterdir()) == []


def test_creation_killed(tmp_path: Path) -> None:
    """A program killed while it makes a catalogue leaves none, and the next one makes it."""
    path = tmp_path / "carddb.db"
    script = """
import os, signal, sys
from pathlib import Path
from catalog_samples import *
with Catalog.create(Path(sys.argv[1])) as catalog:
    load(catalog, [row("A")])
    os.kill(os.getpid(), signal.SIGKILL)
"""
    assert run(script, path).returncode == -signal.SIGKILL
    assert not Catalog.exists(path)
    assert "never finished" in refused(path).message
    assert len(rows_of(new_catalog(path, row("B")), "SELECT * FROM card")) == 1


@pytest.mark.parametrize("content", [b"ref,name\n1,A\n", b"SQLite format 3\0" + b"x" * 5000, b"x"])
def test_not_a_database(tmp_path: Path, content: bytes) -> None:
    """A file that is no database is refused and stays as it is."""
    path = tmp_path / "cards.csv"
    path.write_bytes(content)
    for must_exist in (True, False):
        refused(path, must_exist=must_exist)
    assert path.read_bytes() == content


def test_folder(tmp_path: Path) -> None:
    """A folder is no catalogue, and a name that is too long is none either."""
    refused(tmp_path)
    refused(tmp_path / ("x" * 5000))
    refused(tmp_path / "x\0y")


def test_other_database(tmp_path: Path) -> None:
    """The database of another program is refused and stays as it is."""
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE card (id INTEGER)")
        other.commit()
    before = path.read_bytes()
    for must_exist in (True, False):
        assert "another program" in refused(path, must_exist=must_exist).message
    assert path.read_bytes() == before


def test_newer(tmp_path: Path) -> None:
    """A catalogue of a newer carddb is refused with both versions, and stays as it is."""
    path = new_catalog(tmp_path / "carddb.db", row("A"))
    rows_of(path, "PRAGMA user_version = 99")
    before = path.read_bytes()
    error = refused(path)
    assert "99" in error.message and f"knows {VERSION}" in error.message and "pip install" in error.remedy
    assert path.read_bytes() == before


def test_damaged(tmp_path: Path) -> None:
    """A catalogue with a broken page or without a table is said to be damaged."""
    path = new_catalog(tmp_path / "carddb.db", *(row(f"A-{n}") for n in range(300)))
    rows_of(path, "DROP TABLE card_words")
    with pytest.raises(CatalogError, match="damaged"), opened(path) as catalog:
        load(catalog, [row("B")])
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(CatalogError, match="damaged"), opened(path) as catalog:
        catalog.pool(SPEC, day=DAY)


def test_tampered(tmp_path: Path) -> None:
    """Values that somebody else has spoilt are said to be damaged, not a crash."""
    path = new_catalog(tmp_path / "carddb.db", row("A"))
    rows_of(path, "PRAGMA user_version")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA ignore_check_constraints = ON")
        other.execute("DROP TRIGGER revision_no_update")
        other.execute("""UPDATE card SET data = '["nothing"]'""")
        other.execute("""UPDATE revision SET data = 'nothing', in_force_from = 'soon'""")
    with opened(path) as catalog:
        with pytest.raises(CatalogError, match="damaged"):
            catalog.pool(SPEC, day=DAY)
        with pytest.raises(CatalogError, match="damaged"):
            catalog.history("test", "A")


def test_in_use(tmp_path: Path) -> None:
    """While another program writes, reading goes on and writing is refused."""
    path = new_catalog(tmp_path / "carddb.db", row("A"))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(CatalogError, match="in use"), opened(path) as catalog:
            assert len(catalog.pool(SPEC, day=DAY)) == 1
            load(catalog, [row("B")])
    with opened(path) as catalog:
        assert len(catalog.pool(SPEC, day=DAY)) == 1


def test_one_state(tmp_path: Path) -> None:
    """What a command reads is one state, whatever is written meanwhile."""
    path = new_catalog(tmp_path / "carddb.db", row("A"))
    with opened(path) as reader:
        assert len(reader.pool(SPEC, day=DAY)) == 1
        with opened(path) as writer:
            load(writer, [row("B")])
        assert len(reader.pool(SPEC, day=DAY)) == 1


@pytest.mark.parametrize("log", [False, True])
def test_read_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: bool) -> None:
    """A catalogue that may not be written is read, tried against and left as it is; a write is refused."""
    (tmp_path / "a ?#%").mkdir()
    path = new_catalog(tmp_path / "a ?#%" / "carddb.db", row("A"))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        if log:
            other.execute("UPDATE card SET retired = 0")
        before = sorted(path.parent.iterdir())
        assert (len(before) > 1) == log
        monkeypatch.setattr(os, "access", lambda *_: False)
        assert Catalog.exists(path)
        with opened(path) as catalog:
            assert len(catalog.pool(SPEC, day=DAY)) == 1 and catalog.history("test", "A")
            assert [change.ref for change in load(catalog, [row("B")], dry_run=True).added] == ["B"]
        with pytest.raises(CatalogError, match="cannot be opened for writing"), opened(path) as catalog:
            load(catalog, [row("B")])
        assert sorted(path.parent.iterdir()) == before
    monkeypatch.undo()
    with opened(path) as catalog:
        assert len(catalog.pool(SPEC, day=DAY)) == 1


def test_reading_is_light(tmp_path: Path) -> None:
    """Opening and reading a catalogue imports no database library but SQLite's."""
    script = """
import sys
from pathlib import Path
from catalog_samples import *
from carddb.query import parse
with opened(Path(sys.argv[1])) as catalog:
    assert len(catalog.pool(SPEC, day=DAY, query=parse("card war:none", SPEC.all_fields()))) == 1
    assert catalog.history("test", "A") and catalog.revision_hash("test", DAY) and catalog.sets("test", day=DAY)
print(*sorted({"sqlalchemy", "sqlmodel", "carddb.model"} & set(sys.modules)))
"""
    result = run(script, new_catalog(tmp_path / "carddb.db", row("A")))
    assert (result.stdout, result.stderr) == ("\n", "")
