"""The files of a game of somebody else, and of a project: read where they are files and lie there, and only then."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import OUTSIDE, Told
from tests.hostile.traps import READERS, SECRET, TRAPS, lay
from tests.rows import usually


@usually("trap", TRAPS, "link")
@pytest.mark.parametrize("name", READERS)
def test_what_is_no_file_of_the_folder_is_not_read(
    name: str, trap: str, call: Callable[..., Told], folder: Path
) -> None:
    """A link, a pipe, a device or a giant hangs nothing and is quoted nowhere; a link that leads out is told."""
    shutil.copytree(OUTSIDE / "lanterns", "lanterns")
    Path("carddb.toml").write_text('games = ["lanterns"]\n', "utf-8")
    lay(name, trap)
    told = call(*READERS[name])
    written = b"".join(path.read_bytes() for path in folder.glob("out.*"))
    assert SECRET not in told.out + told.err and SECRET.encode() not in written
    assert told.code in range(5) and "fault in carddb" not in told.err
    if trap == "link":
        assert "leads out of" in told.out + told.err


@pytest.mark.parametrize("trap", TRAPS)
def test_a_question_reads_a_rule_sheet_of_the_folder_alone(trap: str, call: Callable[..., Told], folder: Path) -> None:
    """`ask` looks into guide.md, and neither waits for what is no file there nor follows a link."""
    shutil.copytree(OUTSIDE / "lanterns", "lanterns")
    Path("carddb.toml").write_text('games = ["lanterns"]\n', "utf-8")
    lay("lanterns/guide.md", trap)
    told = call("ask", SECRET, "lamps", "--game", "lanterns")
    assert SECRET not in told.out and told.code in (0, 1, 3) and "fault in carddb" not in told.err


def test_decks_of_a_project_are_read_where_they_lie_there(call: Callable[..., Told], folder: Path) -> None:
    """A site of a project takes no deck in from elsewhere; whoever names a link on the command line means it."""
    shutil.copytree(OUTSIDE / "lanterns", "lanterns")
    Path("carddb.toml").write_text('games = ["lanterns"]\n', "utf-8")
    assert call("load", "lanterns/cards.csv", "--game", "lanterns").code == 0
    lay("decks/mine.deck", "link")
    Path("outside/mine.deck").write_text(f"Game: lanterns\nName: {SECRET}\n2 Red Lamp\n", "utf-8")
    told = call("site", "-o", "site", "--game", "lanterns")
    assert told.code == 3 and "leads out of" in told.err and not Path("site").exists()
    named = call("check", "decks/mine.deck")
    assert named.code == 1 and "main_size" in named.out
