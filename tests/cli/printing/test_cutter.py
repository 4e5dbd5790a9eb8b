"""Sheets, components and boxes for a cutting machine, from the command line and Python."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from carddb.door import Project
from carddb.games import Game
from tests.conftest import OUTSIDE, Told

Call = Callable[..., Told]


@pytest.fixture
def carddb(folder: Path, game: Game, call: Call) -> Call:
    """Runs a command in a folder with a project of Empires and Generals and a legal deck of 48 cards."""
    (folder / "carddb.toml").write_text('game = "empires-and-generals"\n', "utf-8")
    shutil.copy(game.folder.path / "decks" / "demo" / "legal.deck", folder / "my.deck")
    return call


def test_cut_lines_are_written_beside_the_sheets(carddb: Call, folder: Path) -> None:
    """A sheet that differs has files of its own; JSON names them, and Python writes the same bytes."""
    cards = [f"EG-CAR-00{number}" for number in range(1, 5)]
    options = ("--cutter", "silhouette", "--paper", "a4", "--skip", "1")
    told = carddb("sheets", *cards, "-o", "s.pdf", *options, "--json", "--no-remember").json()
    names = ["s.cut.svg", "s.cut.dxf", "s.cut-2.svg", "s.cut-2.dxf"]
    assert (told["cut"], told["sheets"]) == (names, 2)
    written = {path.name: path.read_bytes() for path in folder.glob("s.*")}
    assert set(written) == {"s.pdf", *names} and [written[name].count(b"<path") for name in names[::2]] == [3, 1]
    Project(folder).sheets(*cards, cutter="silhouette", paper="a4", skip=[1]).write("s.pdf", remember=False)
    assert {path.name: path.read_bytes() for path in folder.glob("s.*")} == written
    one = carddb("sheets", cards[0], "-o", "t.pdf", "--cutter", "cricut")
    assert "t.cut.svg: cut lines of sheet 1" in one.err and not (folder / "t.cut.dxf").exists()


@pytest.mark.full
def test_what_contradicts_a_machine_is_refused(carddb: Call) -> None:
    """Marks and corners without a machine, marks for one that prints its own, a folded sheet, standard output."""
    for options, reason in (
        (("--corner", "3mm"), "Name the machine with --cutter"),
        (("--cutter", "cricut", "--mark-inset", "feeder"), "prints its own marks"),
        (("--cutter", "generic", "--fold"), "cannot be cut by a machine"),
        (("--cutter", "generic", "--stock", "avery-5388"), "cannot be cut by a machine"),
        (("--skip", "9"), "the places 1 to 4"),
        (("--skip", "x"), "does not give numbers of places on a sheet"),
    ):
        told = carddb("sheets", "my.deck", "-o", "s.pdf", *options)
        assert told.code == 2 and reason in told.err, options
    assert "beside a PDF" in carddb("sheets", "my.deck", "-o", "-", "--cutter", "generic").err


@pytest.mark.full
def test_a_box_is_for_a_deck_a_game_or_a_query(carddb: Call, folder: Path) -> None:
    """Cards are counted unless told; sections, or decks that cards name, become dividers; Python does the same."""
    told = carddb("box", "my.deck", "-o", "b.pdf")
    assert told.code == 0 and "77.2 × 128 × 15.4 mm inside, for 48 cards" in told.err
    assert (folder / "b.pdf").read_bytes() == Project(folder).box("my.deck").data
    assert "dividers, for 48 cards" in carddb("box", "my.deck", "-o", "d.pdf", "--style", "dividers").err
    assert "2 dividers" in carddb("box", "cdg-solo", "-o", "d.pdf", "--style", "dividers").err
    assert "for 60 cards" in carddb("box", "type:general", "-o", "b.pdf", "--cards", "60").err
    carddb("box", "my.deck", "-o", "c.pdf", "--style", "two-part", "--cutter", "generic")
    assert {path.name for path in folder.glob("c.*")} == {
        "c.pdf", "c.cut.svg", "c.cut.dxf", "c.cut-2.svg", "c.cut-2.dxf"
    }  # fmt: skip
    assert "has no cards" in carddb("box", "type:general and type:soldier", "-o", "b.pdf").err
    assert carddb("box", "my.deck", "-o", "b.pdf", "--paper", "a5", "--cards", "400").code == 2


@pytest.mark.full
def test_a_shape_reaches_faces_proofs_and_words(call: Call, folder: Path) -> None:
    """A type of a game becomes a disc: its words are too near to the cut, its drawings are cut out, a shape that does
    not exist is told with the file.
    """
    shutil.copytree(OUTSIDE / "lanterns", folder / "lanterns")
    spec = folder / "lanterns" / "game.yaml"
    plain = spec.read_text("utf-8")
    lanterns = ("--games", "lanterns")
    call(*lanterns, "load", "lanterns/cards.csv", "--game", "lanterns")
    before = call(*lanterns, "preflight", "game:lanterns").out.count("outside_safe")
    spec.write_text(plain.replace("face: card.svg", "face: card.svg, shape: circle"), "utf-8")
    assert spec.read_text("utf-8") != plain
    assert call(*lanterns, "preflight", "game:lanterns").out.count("outside_safe") > before
    call(*lanterns, "sheets", "game:lanterns", "--svg", "drawings")
    assert all("clip-path" in path.read_text("utf-8") for path in (folder / "drawings").glob("*.svg"))
    spec.write_text(plain.replace("face: card.svg", "face: card.svg, shape: star"), "utf-8")
    assert "there is no shape 'star'" in call(*lanterns, "preflight", "game:lanterns").err
