"""What the headings of a file mean, the fields that are proposed for those that mean none, and one sheet of several."""

from __future__ import annotations

import io
import json
import shlex
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from carddb.app.cards.card_import import headings_of, meanings_of
from carddb.core.files import NamedBytes
from carddb.door import Project
from carddb.read.cards.raw_table import ColumnMeaning, proposed_columns
from tests.conftest import Told

Call = Callable[..., Told]
GAME = "empires-and-generals"


@pytest.fixture
def carddb(folder: Path, call: Call) -> Call:
    """A project of Empires and Generals."""
    (folder / "carddb.toml").write_text(f'game = "{GAME}"\n[columns]\nWho = "name"\nShop = "-"\n', "utf-8")
    return call


def meanings(folder: Path, data: bytes, name: str) -> dict[str, ColumnMeaning]:
    project = Project(folder)
    tables = headings_of(NamedBytes(data, name))
    return {each.heading: each for each in meanings_of(project, project.game(GAME), tables, {})}


def test_every_heading_is_understood_or_told(carddb: Call, folder: Path) -> None:
    """Own words, names, labels, two in one, left out, the nearest, none: each heading has its basis."""
    found = meanings(folder, b"Who,TYPE,Card number,Strenght,Strength/Life,Shop,Qqq\n", "a.csv")
    assert [each.basis for each in found.values()] == ["own", "name", "word", "none", "several", "out", "none"]
    assert found["Strength/Life"].fields == ("strength", "life")
    assert meanings(folder, b"name,Strenght\n", "a.csv")["Strenght"].near == "strength"


@pytest.mark.parametrize(
    ("heading", "field"),
    [("Strenght", "strength"), ("Play cst", "play_cost"), ("id", ""), ("Cost of it", ""), ("Artist", "")],
)
def test_only_what_looks_much_alike_is_proposed(carddb: Call, folder: Path, heading: str, field: str) -> None:
    """A slip of the pen names a field; a heading that shares some letters names none."""
    assert meanings(folder, f"name,{heading}\n".encode(), "a.csv")[heading].near == field


def test_words_of_other_databases_are_proposed(carddb: Call, folder: Path) -> None:
    """A code, a title and a pack are reference, name and set; `rarity_code` is the rarity."""
    found = meanings(folder, b"code,title,pack_code,type_code,rarity_code\n", "a.csv")
    assert proposed_columns(found.values()) == {
        "code": "ref", "title": "name", "pack_code": "set", "type_code": "type", "rarity_code": "rarity"
    }  # fmt: skip


def test_a_document_of_other_words_is_refused_in_few_words(carddb: Call, folder: Path) -> None:
    """What every card of a document lacks is one finding with the number of cards, and the options are named."""
    cards = [{"code": f"A-{n}", "title": f"Ox {n}", "type_code": "soldier"} for n in range(30)]
    (folder / "dump.json").write_text(json.dumps({"data": cards}), "utf-8")
    told = carddb("load", "dump.json")
    assert "the card has no name (30 times)" in told.err and len(told.err.splitlines()) < 30
    assert "--map code=ref --map title=name --map type_code=type" in told.err


def test_a_field_is_proposed_once(carddb: Call, folder: Path) -> None:
    """No field is proposed that another heading means, and none for two headings."""
    found = meanings(folder, b"Nmae,Naem,type\n", "a.csv")
    assert proposed_columns(found.values()) == {"Nmae": "name"} and found["Naem"].basis == "none"
    assert proposed_columns(meanings(folder, b"name,Nmae,type\n", "a.csv").values()) == {}


def test_keys_within_objects_are_proposed(carddb: Call, folder: Path) -> None:
    """An object of a document is entered where a key in it means a field; it need not be mapped itself then."""
    data = json.dumps([{"ref": "A-1", "about": {"name": "Ox", "more": {"life": 3}}, "extra": {"x": 1}}]).encode()
    found = meanings(folder, data, "a.json")
    assert proposed_columns(found.values()) == {"about.name": "name", "about.more.life": "life"}
    assert [found[name].basis for name in ("about", "extra", "extra.x")] == ["inner", "none", "inner"]


def test_a_refused_load_names_the_options(carddb: Call, folder: Path) -> None:
    """`load` of a file with strange headings says the `--map` to use; with them it is loaded."""
    (folder / "own.csv").write_text("ref,Nmae,type,rarty,strength,life,Qqq\nA-1,Ox,soldier,common,3,4,x\n", "utf-8")
    told = carddb("load", "own.csv")
    line = next(line for line in told.err.splitlines() if "to read its headings" in line)
    options = shlex.split(line.partition(" add ")[2])
    assert told.code == 1 and options == ["--map", "Nmae=name", "--map", "rarty=rarity", "--map", "Qqq=-"]
    assert "1 added" in carddb("load", "own.csv", *options, "--dry-run").err
    (folder / "other.csv").write_text("caption;kind\nOx;item\n", "utf-8")
    assert "to read its headings" not in carddb("load", "own.csv", *options, "other.csv").err


def test_one_sheet_of_a_workbook_is_loaded(carddb: Call, folder: Path) -> None:
    """`--sheet` reads the sheet that it names and no other; one that is not there is refused with the nearest."""
    book = openpyxl.Workbook()
    first = book.worksheets[0]
    first.title = "Items"
    for sheet, ref in ((first, "A-1"), (book.create_sheet("Later"), "A-2")):
        sheet.append(["ref", "name", "type", "rarity", "strength", "life"])
        sheet.append([ref, "Ox", "soldier", "common", 3, 4])
    stream = io.BytesIO()
    book.save(stream)
    (folder / "book.xlsx").write_bytes(stream.getvalue())
    told = carddb("load", "book.xlsx", "--dry-run", "--sheet", "Later")
    assert "A-2" in told.out and "A-1" not in told.out
    assert "Did you mean Later" in carddb("load", "book.xlsx", "--sheet", "later").err
    assert carddb("load", "book.xlsx", "--sheet", "Shop").code == 2
