"""Ban lists of a game's folder that are not loaded, and cards whose type the game no longer has, are told."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import Told

Call = Callable[..., Told]


@pytest.fixture(autouse=True)
def kiln(call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of one's own with ban lists, and a catalogue that has its cards alone."""
    monkeypatch.setenv("CARDDB_PRINTERS", str(folder / "printers.json"))
    assert call("init", ".", "--new-game", "kiln", "--like", "cahrd").code == 0
    Path("carddb.db").unlink()
    assert call("load", "kiln/cards.csv").code == 0


def told(call: Call, code: str, *words: str) -> list[str]:
    """The lines of a command that have a code, and the remedies below them."""
    answer = call(*words)
    lines = [*answer.err.splitlines(), *answer.out.splitlines()]
    return [line.strip() for at, line in enumerate(lines) if code in line or (at and code in lines[at - 1])]


@pytest.mark.full
def test_ban_lists_that_are_not_loaded_are_told(call: Call) -> None:
    """`check`, `bans` and `doctor` name the file and the command that loads it, until it is loaded."""
    commands = [("check", "kiln/decks/grain-roads.deck"), ("bans", "show", "kiln:short"), ("doctor",)]
    for words in commands:
        first, fix = told(call, "bans_not_loaded", *words)
        assert first.startswith("kiln/bans.yaml: warning") and "carddb load kiln/bans.yaml --game kiln" in fix
    assert call("load", "kiln/bans.yaml", "--game", "kiln").code == 0
    assert [told(call, "bans_not_loaded", *words) for words in commands] == [[], [], []]


@pytest.mark.full
def test_a_new_announcement_that_is_not_loaded_is_told(call: Call) -> None:
    """An announcement that was added to the file afterwards is named by `bans` and `doctor`."""
    call("load", "kiln/bans.yaml", "--game", "kiln")
    with closing(sqlite3.connect("carddb.db")) as connection:
        connection.executescript("DROP TRIGGER announcement_no_delete")
        connection.execute("DELETE FROM announcement WHERE id = (SELECT max(id) FROM announcement WHERE game = 'kiln')")
        connection.commit()
    for words in (("bans", "show", "kiln:short"), ("doctor",)):
        assert "the catalogue lacks 1 announcement of this file" in told(call, "bans_not_loaded", *words)[0]


@pytest.mark.full
def test_cards_of_a_type_that_is_gone_are_told(call: Call) -> None:
    """`cards` and `doctor` give one finding a type, with count, file and remedy."""
    with closing(sqlite3.connect("carddb.db")) as connection:
        connection.execute("UPDATE card SET type = 'captain' WHERE game = 'kiln' AND ref IN ('CAH-001', 'CAH-002')")
        connection.commit()
    for words in (("cards", "war>5"), ("doctor",)):
        first, fix = told(call, "card_type_gone", *words)
        assert "kiln no longer has the type 'captain' of 2 cards in the catalogue: CAH-001, CAH-002" in first
        assert first.startswith("kiln/cards.csv") and "--prune" in fix


@pytest.mark.full
def test_conform_tells_what_the_catalogue_lacks(call: Call) -> None:
    """`conform`, which draws every face, tells of ban lists that are not loaded and of types that are gone as well."""
    with closing(sqlite3.connect("carddb.db")) as connection:
        connection.execute("UPDATE card SET type = 'captain' WHERE game = 'kiln' AND ref IN ('CAH-001', 'CAH-002')")
        connection.commit()
    said = call("conform", "kiln")
    assert "carddb load kiln/bans.yaml --game kiln" in said.err + said.out and "bans_not_loaded" in said.err + said.out
    assert "kiln no longer has the type 'captain' of 2 cards in the catalogue: CAH-001, CAH-002" in said.err + said.out
