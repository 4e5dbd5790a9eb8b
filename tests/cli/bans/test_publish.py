"""`carddb bans publish` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from carddb.cli.main import VERBS, run

pytestmark = pytest.mark.skipif("bans" not in VERBS, reason="the verb is not there")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def published(folder: Path, *arguments: str) -> dict[str, bytes]:
    assert run(["-q", "bans", "publish", *arguments, "-o", str(folder)]) == 0
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.full
@pytest.mark.door
def test_the_sample_lists_are_published(folder: Path) -> None:
    """Both lists of C.A.H.R.D. in one site, called a sample, whether the game is named or not."""
    files = published(folder, "cahrd:short", "long", "--on", "2026-06-15", "--paper", "a4")
    assert {"index.html", "short/notice-a4.pdf", "long/current.json", "long/feed.xml"} <= files.keys()
    assert "short/notice-letter.pdf" not in files
    current = json.loads(files["short/current.json"])
    assert current["sample"] and current["cards"] and current["day"] == "2026-06-15"


@pytest.mark.full
def test_a_moment_hides_what_came_later(folder: Path) -> None:
    """With --known-at there is no page of a later announcement."""
    found = published(folder, "short", "--on", "2025-01-01", "--known-at", "2024-12-31", "--paper", "letter")
    assert not any(path.startswith(("short/2025", "short/2026")) for path in found)


def test_an_unknown_list_is_misuse(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A list that no game has is answered with the nearest."""
    assert run(["bans", "publish", "shrot", "-o", str(folder)]) == 2
    assert "Did you mean short?" in capsys.readouterr().err


@pytest.mark.full
def test_what_is_announced_later_is_not_published(folder: Path) -> None:
    """An announcement of tomorrow stands in no file of today's publication, and in some from its day on."""
    notice = "id: later-1\nmade: 2026-07-02T00:00:00Z\neffective: 2026-07-12\nkind: change\n"
    notice += "changes: [{list: short, card: CAH-051, from: 0, to: 3, why: It is a test.}]\n"
    (folder / "notice.yaml").write_text(notice, "utf-8")
    assert run(["-q", "bans", "announce", "notice.yaml", "--game", "cahrd"]) == 0
    for day, is_there in (("2026-06-30", False), ("2026-07-02", True)):
        found = published(folder / day, "short", "--on", day, "--paper", "a4")
        assert any(b"later-1" in data for data in found.values()) is is_there
