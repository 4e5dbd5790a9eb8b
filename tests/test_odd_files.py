"""Odd files stop early, with one finding that says why."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest

from carddb.errors import TemplateError
from carddb.games import Game, folders, load
from carddb.press.guide import read_guide
from carddb.press.workshop import open_workshop
from carddb.read.card_file import CardFile, read_cards
from carddb.read.card_lines import MAX_HEADINGS
from tests.conftest import OUTSIDE

MANY = MAX_HEADINGS + 500


def read(text: str, fmt: str, game: Game) -> CardFile:
    return read_cards(io.BytesIO(text.encode()), game.spec, default_set="x", images_root=Path(), fmt=fmt)


@pytest.fixture
def lanterns(tmp_path: Path) -> Game:
    """A copy of the small game outside, to be spoiled."""
    folder = Path(shutil.copytree(OUTSIDE / "lanterns", tmp_path / "lanterns"))
    game, _ = load(folders([(folder, True)])["lanterns"])
    assert game
    return game


@pytest.mark.parametrize(
    ("fmt", "text"),
    [
        ("csv", "name," + ",".join(f"c{n}" for n in range(MANY)) + "\nx\n"),
        ("json", '[{"name": "x", ' + ", ".join(f'"k{n}": 1' for n in range(MANY)) + "}]"),
        ("json", "[" + ", ".join(f'{{"name": "x", "k{n}": 1}}' for n in range(MANY)) + "]"),
        ("yaml", "- name: x\n" + "".join(f"  k{n}: 1\n" for n in range(MANY))),
    ],
)
def test_far_too_many_headings_are_one_finding(fmt: str, text: str, lanterns: Game) -> None:
    """Thousands of columns, or of keys that no game has, are no list of cards: nothing is said of each."""
    found = read(text, fmt, lanterns)
    assert [finding.code for finding in found.findings].count("header_unknown") == 1
    assert "more than 1,000" in found.findings[-1].message
    assert not found.records


def test_many_unknown_headings_are_all_told(lanterns: Game) -> None:
    """Below that, each unknown column is a finding; the first hundred with the nearest field."""
    headers = ",".join(f"lihgt{n}" for n in range(200))
    found = read(f"name,{headers}\nx\n", "csv", lanterns)
    unknown = [finding for finding in found.findings if finding.code == "header_unknown"]
    assert len(unknown) == 200
    assert unknown[0].fix and not unknown[-1].fix


def test_a_template_that_is_no_text_names_its_place(lanterns: Game) -> None:
    """Latin-1, with the line; a file far too large; a folder."""
    path = lanterns.folder.template_folder / "card.svg"
    path.write_bytes(b"<svg>\ncaf\xe9</svg>")
    with pytest.raises(TemplateError) as caught:
        open_workshop(lanterns)
    assert (caught.value.template, caught.value.line) == (str(path), 2)
    path.write_bytes(b" " * 1_000_000)
    with pytest.raises(TemplateError, match="512 kB"):
        open_workshop(lanterns)


def test_a_rule_sheet_that_is_no_text_names_its_place(lanterns: Game) -> None:
    """The same for guide.md."""
    lanterns.folder.guide_file.write_bytes(b"# A\n\ncaf\xe9")
    with pytest.raises(TemplateError) as caught:
        read_guide(lanterns)
    assert caught.value.line == 3


def test_a_template_with_carriage_returns_and_a_mark(lanterns: Game) -> None:
    """A byte order mark and the line ends of Windows change nothing."""
    path = lanterns.folder.template_folder / "card.svg"
    source = path.read_bytes()
    path.write_bytes(b"\xef\xbb\xbf" + source.replace(b"\n", b"\r\n"))
    sources = open_workshop(lanterns).studio.templates.sources
    assert sources["lanterns/card.svg"] == source.decode()
