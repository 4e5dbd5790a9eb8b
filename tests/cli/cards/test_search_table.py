"""Searches as tables: sorted, with chosen columns, with help where nothing is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Told
from tests.rows import usually

Call = Callable[..., Told]
CARDS = """\
ref,name,type,rarity,strength,life,text,set
A-2,Rider,soldier,rare,3,3,Swift as the harvest wind,north box
A-10,Guard,soldier,common,2,4,,north box
A-1,Archer,soldier,uncommon,3,1,,south
"""


@pytest.fixture
def carddb(folder: Path, call: Call) -> Call:
    """A project with three soldiers."""
    (folder / "carddb.toml").write_text('game = "empires-and-generals"\n', "utf-8")
    (folder / "cards.csv").write_text(CARDS, "utf-8")
    assert call("load", "cards.csv").code == 0
    return call


@usually(
    ("order", "refs"),
    [
        ("ref", ["A-1", "A-2", "A-10"]),
        ("-life", ["A-10", "A-2", "A-1"]),
        ("rarity", ["A-10", "A-1", "A-2"]),
        ("-strength,name", ["A-1", "A-2", "A-10"]),
        ("text", ["A-2", "A-10", "A-1"]),
        ("-text,ref", ["A-2", "A-1", "A-10"]),
    ],
)
def test_cards_are_sorted_by_fields(carddb: Call, order: str, refs: list[str]) -> None:
    """Numbers by size, choices as the game lists them, texts naturally; a card without the field comes last."""
    shown = json.loads(carddb("cards", "--sort", order, "--json").out)["cards"]
    assert [card["ref"] for card in shown] == refs


def test_columns_are_chosen_and_empty_ones_left_out(carddb: Call) -> None:
    """`--columns` names fields by any of their words; a column in which no card has anything is not shown."""
    lines = carddb("cards", "--columns", "Name,life,text,empire", "--sort", "name").out.splitlines()
    assert lines[0].split() == ["name", "life", "text"] and lines[1].split() == ["Archer", "1"]
    cards = json.loads(carddb("cards", "rider", "--columns", "life,empire", "--json").out)["cards"]
    assert cards == [{"game": "empires-and-generals", "ref": "A-2", "life": 3}]
    assert "rarity" not in carddb("cards", "--game", "guarda", "name:field").out


@pytest.mark.parametrize("option", ["--sort", "--columns"])
def test_an_unknown_field_is_misuse(carddb: Call, option: str) -> None:
    """It is answered with the nearest."""
    told = carddb("cards", option, "strenth")
    assert told.code == 2 and "Did you mean strength?" in told.err


@pytest.mark.parametrize(
    ("query", "better"),
    [("ridr", "rider"), ("name:gaurd", "name:Guard"), ("set:nroth life>3", "set:north life>3"), ("harvst", "harvest")],
)
def test_a_search_without_a_hit_proposes_the_nearest_that_has_one(carddb: Call, query: str, better: str) -> None:
    """Words, and values of text fields and sets, are replaced where that finds something."""
    told = carddb("cards", query)
    assert told.code == 1 and f"Did you mean {better}? (1 card)" in told.err
    assert carddb("cards", *better.split()).code == 0


def test_no_proposal_where_nothing_near_is_found(carddb: Call) -> None:
    """Known words that no card has together, and words like no other, are answered as before."""
    for query in ("rider guard", "xylophone"):
        assert "carddb show" in carddb("cards", query).err


def test_words_are_searched_in_every_text(carddb: Call) -> None:
    """A word of a text finds the card, and after a change the old word does not."""
    assert "A-2" in carddb("cards", "harvest wind").out
    Path("cards.csv").write_text(CARDS.replace("harvest", "autumn"), "utf-8")
    carddb("load", "cards.csv")
    assert carddb("cards", "harvest").code == 1 and carddb("cards", "autumn").code == 0


def test_rules_are_found_by_their_words(carddb: Call) -> None:
    """`explain --search` lists the rules whose text has all words; an unknown name says that it does."""
    told = carddb("explain", "--search", "ultra", "rare", "--game", "empires-and-generals", "--json")
    names = {entry["name"] for entry in json.loads(told.out)["entries"]}
    assert "E-24" in names
    assert carddb("explain", "--search", "xylophone").code == 1
    assert "--search" in carddb("explain", "zzzzqqqq").err
