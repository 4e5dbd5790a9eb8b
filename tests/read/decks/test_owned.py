"""Collections: which cards somebody owns, out of any table or a deck file."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from carddb.cards.cards import Card, Pool
from carddb.findings import has_errors
from carddb.press.sheets.sheets import missing
from carddb.read.decks.owned import read_owned
from tests.deck.samples import card, game

OX, COW, BOLT = card("Ox"), card("Cow"), card("Bolt", "spell")
POOL = Pool([OX, COW, BOLT])


def owned(path: Path, text: str = "") -> tuple[dict[str, int], list[str]]:
    if text:
        path.write_text(text, "utf-8")
    cards, findings = read_owned(path, game(), POOL)
    return {card.ref: count for card, count in cards}, [f"{f.code}:{f.where[0].line}" for f in findings]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "ref,count\nox,3\nbolt,1\n"),
        ("a.csv", "Card;Copies;Set\nOx;3;Base\nbolt;1;Base\n"),
        ("a.tsv", "Name\tQuantity\n\nOX\t3\nBolt\t1\n"),
        ("a.json", '[{"ref": "ox", "count": 3}, {"name": "Bolt", "count": 1}]'),
        ("a.json", '{"cards": [{"Name": "ox", "Owned": "3"}, {"Reference": "bolt", "owned": 1}]}'),
        ("a.yaml", "- {name: Ox, count: 3}\n- {name: Bolt, count: 1}\n"),
        ("a.deck", "## Main deck\n3 Ox\n1 Bolt\n"),
        ("a.txt", "3x Ox\n1 Bolt\n"),
        ("a.json", '{"sections": {"main": [{"ref": "ox", "count": 3}, {"name": "Bolt"}]}}'),
    ],
)
def test_every_form_tells_the_same(tmp_path: Path, name: str, text: str) -> None:
    """Columns are known by several names, cards by reference or name, files by their endings."""
    assert owned(tmp_path / name, text) == ({"ox": 3, "bolt": 1}, [])


def test_a_workbook_counts_in_numbers(tmp_path: Path) -> None:
    """A spreadsheet's 3.0 is three copies."""
    book = openpyxl.Workbook()
    for row in (["name", "count"], ["Ox", 3.0], ["Bolt", 1], [None, None]):
        book.worksheets[0].append(row)
    book.save(tmp_path / "a.xlsx")
    assert owned(tmp_path / "a.xlsx") == ({"ox": 3, "bolt": 1}, [])


def test_what_cannot_be_counted_is_said_with_its_line(tmp_path: Path) -> None:
    """A row of an unknown card is a warning, a count that is none an error; a blank count is none owned."""
    text = "name,count\nOx,2\nOxx,1\nCow,-1\nBolt,\nCow,1.5\n,4\n"
    assert owned(tmp_path / "a.csv", text) == (
        {"ox": 2, "bolt": 0},
        ["owned_unknown:3", "bad_count:4", "bad_count:6", "header_missing:7"],
    )
    _, findings = read_owned(tmp_path / "a.csv", game(), POOL)
    assert "Did you mean Ox?" in findings[0].fix


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("a.csv", "name,how many\nOx,2\n", "header_missing:1"),
        ("a.csv", "title,count\nOx,2\n", "header_missing:1"),
        ("a.csv", 'name,count\n"Ox,2\n', "quote_unclosed:2"),
        ("a.json", '{"ox": 3}', "document_invalid:1"),
        ("a.json", '["ox"]', "document_invalid:1"),
        ("a.yaml", "- {title: Ox, count: 3}\n", "header_missing:1"),
    ],
)
def test_a_table_that_is_none_is_an_error(tmp_path: Path, name: str, text: str, code: str) -> None:
    """What lacks the columns, or is no list of cards, is told once."""
    cards, codes = owned(tmp_path / name, text)
    assert (cards, codes) == ({}, [code])
    assert has_errors(read_owned(tmp_path / name, game(), POOL)[1])


def test_unknown_cards_of_a_deck_are_warnings(tmp_path: Path) -> None:
    """A deck file as a collection may hold cards that the catalogue has not."""
    assert owned(tmp_path / "a.deck", "2 Ox\n1 Somebody Else\n") == ({"ox": 2}, ["owned_unknown:2"])


def test_a_name_of_several_cards_wants_a_reference(tmp_path: Path) -> None:
    """Which of two cards of one name is owned is not guessed."""
    pool = Pool([OX, Card("test-game", "ox-2", {"name": "Ox", "type": "spell"})])
    (tmp_path / "a.csv").write_text("name,count\nOx,2\n", "utf-8")
    cards, (finding,) = read_owned(tmp_path / "a.csv", game(), pool)
    assert not cards and finding.code == "card_ambiguous" and "ox-2" in finding.fix


def test_copies_are_counted_by_what_the_game_takes_for_the_same_card() -> None:
    """A reprint with another reference counts for the card; what is owned beyond the need counts for nothing."""
    reprint = Card("test-game", "ox-promo", {"name": "OX", "type": "unit"})
    assert missing(game(), [(OX, 3), (COW, 1), (OX, 1)], [(reprint, 2), (COW, 9)]) == [(OX, 1), (OX, 1)]
    assert missing(game(identity=["ref"]), [(OX, 3)], [(reprint, 2)]) == [(OX, 3)]
