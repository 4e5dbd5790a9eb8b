"""A dry run tells of a print job and draws nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pypdfium2
import pytest

from carddb.door import Project
from carddb.games import Game
from tests.conftest import OUTSIDE, Told

Call = Callable[..., Told]


@pytest.fixture
def carddb(folder: Path, game: Game, call: Call) -> Call:
    """Runs a command in a folder that holds a project of Empires and Generals and the decks of the demo."""
    (folder / "carddb.toml").write_text('game = "empires-and-generals"\n', "utf-8")
    shutil.copytree(game.folder.path / "decks" / "demo", folder / "output")
    return call


def test_a_dry_run_says_sheets_slots_and_cuts(carddb: Call, folder: Path) -> None:
    """In words: paper, cards, place of the block, how to print, and every cut with its place."""
    before = sorted(path.name for path in folder.iterdir())
    told = carddb("sheets", "output/legal.deck", "--dry-run")
    assert told.code == 0
    for words in (
        "48 cards on 12 sheets",
        "Letter (215.9 × 279.4 mm)",
        "3 × 5 in (76.2 × 127 mm), upright; 4 a sheet in 2 columns and 2 rows",
        "31.75 mm from the left, 10.16 mm from the top; margin 6.35 mm, no gutter, bleed 1.5 mm",
        "both sides, flip on the long edge",
        "50 mm and 2 in, on every face",
        "6 a sheet",
        "across, 137.16 mm from the top  right through",
        "down, 107.95 mm from the left   all strips",
    ):
        assert words in told.out, words
    assert {path.name for path in folder.iterdir()} - set(before) <= {"carddb.db"}


@pytest.mark.full
def test_the_json_of_a_dry_run_is_what_is_then_printed(carddb: Call, folder: Path) -> None:
    """Sheets, pages and paper are those of the file; a partial last sheet has fewer cards and cuts."""
    options = ("--card-size", "poker", "--gutter", "2mm,0", "--paper", "a4")
    told = carddb("sheets", "empire:mali", "--dry-run", "--json", *options).json()
    assert told["schema"] == "carddb.sheets/1"
    assert (told["gutter"], told["flip"], told["fold"]) == ({"columns": 2.0, "rows": 0.0}, "long-edge", None)
    assert len(told["cuts"]) == 2 * told["slots"]["columns"] + told["slots"]["rows"] + 1
    assert told["cards"] == (told["sheets"] - 1) * told["slots"]["per_sheet"] + told["slots"]["on_last_sheet"]
    assert carddb("sheets", "empire:mali", "-o", "mali.pdf", *options).code == 0
    file = pypdfium2.PdfDocument(folder / "mali.pdf")
    assert len(file) == told["pages"]
    assert [round(n) for n in file[0].get_size()] == [595, 842]


@pytest.mark.full
def test_an_option_that_changes_nothing_is_told(carddb: Call) -> None:
    """Pictures lie on no sheet, and a stock with paper of its own takes no other: such options are named."""
    pictures = carddb("sheets", "EG-CAR-001", "--png", "p", "--fold", "--gutter", "3mm", "--dpi", "30").err
    assert "each picture is one card, without a sheet: --gutter and --fold are not used\n" in pictures
    stock = carddb("sheets", "EG-CAR-001", "--stock", "avery-5388", "--paper", "a4", "-o", "a.pdf").err
    words = "the stock avery-5388 has its own paper: --paper is not used"
    assert f"{words}\n" in stock
    result = Project().sheets("EG-CAR-001", stock="avery-5388", paper="a4")
    assert ("options_unused", words, ()) in result.notices
    assert "not used" not in carddb("sheets", "EG-CAR-001", "--paper", "a4", "--fold", "-o", "a.pdf").err


def test_a_folded_job_is_told_with_its_fold(carddb: Call) -> None:
    """One side, the place of the fold, and the cuts of the folded sheet."""
    told = carddb("sheets", "output/legal.deck", "--dry-run", "--fold")
    assert "one side; fold 107.95 mm from the left with the print outwards, glue, then cut" in told.out
    data = carddb("sheets", "output/legal.deck", "--dry-run", "--fold", "--json").json()
    assert data["fold"] == {"axis": "down", "at": 107.95} and data["pages"] == data["sheets"] == 24


def test_a_sheet_that_sizes_share_is_told_size_by_size(call: Call, folder: Path) -> None:
    """In words a line for each size; in JSON its bands, whose cards and places are those of the file."""
    game = Path(shutil.copytree(OUTSIDE / "lanterns", folder / "lanterns"))
    own = (game / "game.yaml").read_text("utf-8").replace("wind: {", "wind: {size: 3.5x2.5in, ")
    (game / "game.yaml").write_text(own, "utf-8")
    job = ("--games", "lanterns", "sheets", "game:lanterns", "--dry-run")
    assert call("--games", "lanterns", "load", "lanterns/cards.csv", "--game", "lanterns").code == 0
    told = call(*job)
    for words in (
        "4 cards on 1 sheet, with cards of 2 sizes",
        "2.5 × 3.5 in (63.5 × 88.9 mm), upright; 3 in 3 columns and 1 row",
        "3.5 × 2.5 in (88.9 × 63.5 mm), upright; 1 in 1 column and 1 row",
        "the strips from",
    ):
        assert words in told.out, words
    data = call(*job, "--json").json()
    assert (data["cards"], data["sheets"], data["pages"], "further" in data) == (4, 1, 2, False)
    assert [(band["cards"], band["columns"], band["rows"]) for band in data["bands"]] == [(3, 3, 1), (1, 1, 1)]
    assert data["bands"][1] == {
        "card": {"width": 88.9, "height": 63.5, "turned": False},
        "cards": 1, "columns": 1, "rows": 1, "left": 63.5, "top": 112.14,
    }  # fmt: skip


def test_a_single_card_needs_no_cuts(carddb: Call) -> None:
    """Where the page is the card there is no block, no ruler and no cut to tell of."""
    told = carddb("sheets", "EG-CAR-001", "--dry-run", "--stock", "index-3x5")
    assert "cut" not in told.out and "ruler" not in told.out
    assert carddb("sheets", "EG-CAR-001", "--dry-run", "--stock", "index-3x5", "--json").json()["cuts"] == []


def test_a_margin_without_room_for_a_ruler_is_told(carddb: Call) -> None:
    """The reader is told what to measure instead."""
    told = carddb("sheets", "EG-CAR-001", "--dry-run", "--paper", "82x133mm", "--margin", "2mm")
    assert "no room for one: measure a card, 76.2 × 127 mm" in told.out


def test_json_belongs_to_a_dry_run(carddb: Call) -> None:
    """Without a dry run there is nothing to tell as JSON, and a place for the result is needed."""
    assert carddb("sheets", "EG-CAR-001", "--json").code == 2
    assert carddb("sheets", "EG-CAR-001").code == 2
    assert "does not fit" in carddb("sheets", "EG-CAR-001", "--dry-run", "--paper", "50x50mm").err


@pytest.mark.full
def test_single_cards_are_checked_for_the_margin_that_is_named(carddb: Call, folder: Path) -> None:
    """With --margin the words that a printer would not reach are a warning; without it nothing is said."""
    named = carddb("sheets", "EG-CAR-001", "-o", "x.pdf", "--stock", "index-3x5", "--margin", "6.35mm")
    assert named.code == 0 and "outside_printable" in named.err
    assert "outside_printable" not in carddb("sheets", "EG-CAR-001", "-o", "x.pdf", "--stock", "index-3x5").err
    size = pypdfium2.PdfDocument(folder / "x.pdf")[0].get_size()
    assert [round(n, 2) for n in size] == [216, 360]


def test_marks_gutters_and_bleed_may_be_chosen(carddb: Call) -> None:
    """Every option of the sheets is taken, and a wrong one is misuse."""
    chosen = ("--marks", "cards", "--guides", "--outlines", "--gutter", "3mm,5mm", "--bleed", "2mm")
    assert carddb("sheets", "EG-CAR-001", "-o", "x.pdf", *chosen).code == 0
    assert carddb("sheets", "EG-CAR-001", "-o", "x.pdf", "--gutter", "1mm,2mm,3mm").code == 2
    assert carddb("sheets", "EG-CAR-001", "-o", "x.pdf", "--marks", "corners").code == 2
