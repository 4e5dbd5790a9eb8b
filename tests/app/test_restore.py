"""`carddb restore`: a sound copy stands where it belongs, nothing is mixed in, and what was there is kept."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import Told
from tests.rows import usually

Call = Callable[..., Told]


@pytest.fixture(autouse=True)
def catalogue(folder: Path, call: Call, anew: None) -> None:
    """A catalogue with the sample cards, and a copy of it."""
    assert call("cards", "type:officer").code == 0
    shutil.copy("carddb.db", "copy.db")


def _names() -> list[str]:
    with closing(sqlite3.connect("carddb.db")) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM card WHERE id < 4 ORDER BY id")]


def test_a_copy_is_put_back_and_no_log_of_another_file_is_mixed_into_it(call: Call) -> None:
    """Whatever was there, also a log alone, is kept byte for byte beside the file, which is the copy again."""
    sound = _names()
    writer = sqlite3.connect("carddb.db")
    writer.execute("UPDATE card SET name = 'Other'")
    writer.commit()
    log = Path("carddb.db-wal").read_bytes()
    Path("stale-wal").write_bytes(log)
    writer.close()
    shutil.copy("stale-wal", "carddb.db-wal")
    Path("carddb.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 4000)
    told = call("restore", "copy.db")
    assert told.code == 0 and "carddb.db.bak-replaced" in told.err + told.out
    assert _names() == sound and call("doctor").code == 0
    assert Path("carddb.db.bak-replaced").read_bytes()[16:20] == b"\xff" * 4
    assert Path("carddb.db.bak-replaced-wal").read_bytes() == log


def test_a_copy_is_put_back_where_nothing_is_left(call: Call, folder: Path) -> None:
    """A file that is gone, also one that is named with --catalog, comes back from its copy."""
    Path("carddb.db").unlink()
    assert call("restore", "copy.db").code == 0 and len(_names()) == 3
    assert call("--catalog", "other.db", "restore", "copy.db").code == 0 and Path("other.db").is_file()


@usually("damage", ["none", "text", "cut", "other", "newer", "orphan", "same"])
def test_what_is_no_sound_copy_changes_nothing(call: Call, damage: str) -> None:
    """A copy that is missing, damaged, of another program or of a newer carddb is refused, with nothing left behind."""
    data, copy = Path("copy.db").read_bytes(), Path("copy.db")
    statement = {
        "newer": "PRAGMA user_version = 99",
        "other": "PRAGMA application_id = 7",
        "orphan": "DELETE FROM card",
    }
    if damage == "none":
        copy.unlink()
    elif damage == "same":
        copy = Path("carddb.db")
    elif damage in statement:
        with closing(sqlite3.connect(copy)) as connection:
            connection.execute(statement[damage])
            connection.commit()
    else:
        copy.write_bytes(b"ref,name\n" if damage == "text" else data[: len(data) // 2])
    before = Path("carddb.db").read_bytes()
    told = call("restore", str(copy))
    assert told.code == 3 and Path("carddb.db").read_bytes() == before and not list(Path().glob("*.bak-*"))


def test_a_file_that_is_open_elsewhere_is_not_replaced(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another program has the catalogue open it stays, since that program would go on writing into its log."""
    monkeypatch.setattr("carddb.app.doctor.PATIENCE", 0.0)
    with closing(sqlite3.connect("carddb.db")) as other:
        other.execute("SELECT count(*) FROM card").fetchone()
        told = call("restore", "copy.db")
        assert told.code == 3 and "in use" in told.err and not list(Path().glob("*.bak-*"))
    assert call("restore", "copy.db").code == 0


def test_a_copy_of_events_goes_to_the_events(call: Call) -> None:
    """A copy of events.db, also of an older carddb, is put back as the events, for the organiser's eyes alone."""
    made = ("event", "new", "Granary Cup", "--game", "cahrd", "--day", "2099-11-29")
    assert call(*made).code == 0
    shutil.copy("events.db", "e.db")
    Path("events.db").unlink()
    assert call("restore", "e.db").code == 0 and Path("events.db").stat().st_mode & 0o077 == 0
    assert "Granary Cup" in call("event", "list").out and len(_names()) == 3
