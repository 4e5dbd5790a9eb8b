"""The doctor: each fault is found and has a remedy, and nothing is changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import Told
from tests.rows import usually

Call = Callable[..., Told]


@pytest.fixture(autouse=True)
def settings(folder: Path, monkeypatch: pytest.MonkeyPatch, anew: None) -> None:
    """Settings and a cache of one's own."""
    monkeypatch.setenv("CARDDB_PRINTERS", str(folder / "printers.json"))
    monkeypatch.setenv("CARDDB_CACHE", str(folder / "cache"))


def codes(call: Call, *more: str) -> list[str]:
    report = call(*more, "doctor", "--json").json()
    assert report["schema"] == "carddb.doctor/1" and len(report["parts"]) == 7
    return [finding["code"] for part in report["parts"] for finding in part["findings"]]


def changed(*statements: str) -> None:
    with closing(sqlite3.connect("carddb.db")) as connection:
        for statement in statements:
            connection.executescript(statement)
        connection.commit()


def test_a_sound_project_has_no_errors(call: Call) -> None:
    """Seven parts, each with what was looked at; a fresh folder has no catalogue, and gets none."""
    told = call("doctor")
    assert told.code == 0 and told.out.count("  sound  ") == 7 and "catalogue_missing" in told.out
    assert not Path("carddb.db").exists()
    call("cards", "type:officer")
    assert codes(call) == []


@usually(
    "statement, code",
    [
        ("UPDATE card SET data = json_set(data, '$.name', 'Other') WHERE id = 1", "catalogue_orphan"),
        ("DROP TRIGGER revision_no_delete; DELETE FROM revision WHERE card_id = 1", "catalogue_orphan"),
        ("DELETE FROM card WHERE id = 1", "catalogue_damaged"),
        ("INSERT INTO card_words (rowid, words) VALUES (99999, 'nobody')", "catalogue_orphan"),
        (
            "INSERT INTO translation (card_id, lang, name, recorded_at, author, source, data)"
            " VALUES (1, 'fr', 'Nom', '2026-01-01T00:00:00Z', 'Ann', 'a.fr.csv', '{}')",
            "catalogue_orphan",
        ),
        ("UPDATE card SET game = 'gone' WHERE id = 1", "game_missing"),
        (
            "DROP TRIGGER revision_no_update; UPDATE revision SET recorded_at = '2226-01-01T00:00:00Z'",
            "recorded_ahead",
        ),
        ("PRAGMA user_version = 99", "catalogue_unusable"),
        ("PRAGMA user_version = 5", "catalogue_older"),
    ],
    ("PRAGMA user_version = 5", "catalogue_older"),
)
def test_faults_of_a_catalogue(call: Call, statement: str, code: str) -> None:
    """Rows without their others, games that nobody has, and files of other versions are found and left as they are."""
    call("cards", "type:officer")
    changed(statement)
    before = Path("carddb.db").read_bytes()
    assert code in codes(call) and Path("carddb.db").read_bytes() == before


@pytest.mark.full
def test_a_damaged_file_is_a_finding(call: Call) -> None:
    """Zeros are damage, bytes that are no text or no database make it unusable, an empty file is left over."""
    call("cards", "type:officer")
    data = bytearray(Path("carddb.db").read_bytes())
    data[4096 * 8 : 4096 * 12] = bytes(4096 * 4)
    no_text = Path("carddb.db").read_bytes().replace(b"NOT NULL", b"N\x89T NULL", 1)
    for content, code in (
        (data, "catalogue_"),
        (no_text, "catalogue_unusable"),
        (b"no database", "catalogue_unusable"),
        (b"", "catalogue_damaged"),
    ):
        for other in Path().glob("carddb.db*"):
            other.unlink()
        Path("carddb.db").write_bytes(content)
        told = call("doctor", "--json")
        assert told.code == 1 and any(each.startswith(code) for each in codes(call))


@pytest.mark.full
def test_what_lies_about_is_told(call: Call, folder: Path) -> None:
    """Copies of older catalogues, unfinished files, and damaged entries of the cache."""
    call("init", "--bare")
    Path("carddb.db.bak-5").write_bytes(b"x")
    Path(".cards.csv.0123456789abcdef.carddb").write_bytes(b"x")
    Path("cache", f"face-{'0' * 64}").write_bytes(b"damaged")
    assert {"catalogue_copy", "file_unfinished", "cache_damaged"} <= {*codes(call)}


def test_files_that_cannot_be_used_are_findings_of_their_part(call: Call) -> None:
    """A project file or a file of printers at fault does not keep the doctor from looking at the rest."""
    Path("carddb.toml").write_text("gme = 1", "utf-8")
    Path("printers.json").write_text("{", "utf-8")
    found = codes(call)
    assert {"project_unusable", "printers_unusable"} <= {*found}
    told = call("doctor")
    assert told.code == 1 and "cache" in told.out


@pytest.mark.full
def test_a_cache_that_others_may_write_to(call: Call, folder: Path) -> None:
    """It is not used, and the remedy takes the right away."""
    call("cards", "type:officer")
    (folder / "cache").chmod(0o777)
    assert "cache_unusable" in codes(call)


@pytest.mark.full
def test_every_code_of_the_doctor_is_explained(call: Call) -> None:
    """`explain` knows them."""
    for code in ("catalogue_orphan", "font_missing", "package_missing", "game_missing", "games_unusable"):
        assert call("explain", code).code == 0
