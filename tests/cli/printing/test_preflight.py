"""What preflight says of faces before they are printed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Told
from tests.rows import usually

Call = Callable[..., Told]
CARDS = """\
name,type,rarity,strength,life,play_cost,empire,era,text
Short,soldier,common,3,3,1,Mali,medieval,Draw a card.
Long,soldier,common,3,3,1,Mali,medieval,{long}
Odd,soldier,common,3,3,1,Mali,medieval,A dragon \U0001f409 comes.
"""


def test_sample_cards_pass(call: Call) -> None:
    """Cards without a fault are told to have none, and nothing is written."""
    told = call("preflight", "EG-CAR-001", "EG-AOG-001", "--game", "empires-and-generals")
    assert told.code == 0 and "2 cards examined" in told.out
    assert not list(Path().glob("*.pdf"))


@pytest.mark.full
def test_faults_are_told_with_card_field_and_figures(call: Call) -> None:
    """Overflow says by how many points, a missing glyph names the character; errors give exit code 1."""
    Path("mine.csv").write_text(CARDS.format(long="word " * 400), "utf-8")
    assert call("load", "mine.csv", "--game", "empires-and-generals").code == 0
    told = call("preflight", "set:mine", "--game", "empires-and-generals", "--json")
    report = json.loads(told.out)
    assert told.code == 1 and report["schema"] == "carddb.preflight/1" and report["cards"] == 3
    found = {finding["code"]: finding for finding in report["findings"]}
    assert {"text_overflow", "glyph_missing"} <= set(found)
    assert "pt too high" in found["text_overflow"]["message"] and found["text_overflow"]["data"]["field"]
    assert found["text_overflow"]["cards"][0]["name"] == "Long" and report["counts"]["error"] >= 2


@pytest.mark.full
def test_letters_that_no_font_has_are_told_once(call: Call) -> None:
    """Cards that lack the same letters in the same field are one finding, which lists them all."""
    odd = "Odd {0},soldier,common,3,3,1,Mali,medieval,A {1} comes.\n"
    rows = "".join(odd.format(number, sign) for number, sign in enumerate("🐉🐉🐉🐍"))
    Path("mine.csv").write_text(CARDS.splitlines()[0] + "\n" + rows, "utf-8")
    call("load", "mine.csv", "--game", "empires-and-generals")
    told = call("preflight", "set:mine", "--game", "empires-and-generals", "--json")
    found = [finding for finding in json.loads(told.out)["findings"] if finding["code"] == "glyph_missing"]
    assert [len(finding["cards"]) for finding in found] == [3, 1] and "the same on 2 more faces" in found[0]["message"]


def test_a_selection_without_cards_is_told(call: Call) -> None:
    """No hit is exit 1, as for sheets."""
    assert call("preflight", "nosuchcard", "--game", "empires-and-generals").code == 1


@usually("place", [("-o", "out.pdf"), ("--png", "out"), ("--svg", "out")])
def test_faces_with_errors_are_not_printed_unless_wanted(call: Call, place: tuple[str, str]) -> None:
    """Sheets and pictures of faulty faces are refused with exit code 1, and made with --allow-faults."""
    Path("mine.csv").write_text(CARDS.format(long="word " * 400), "utf-8")
    call("load", "mine.csv", "--game", "empires-and-generals")
    asked = ("sheets", "set:mine", "--game", "empires-and-generals", *place)
    told = call(*asked)
    assert told.code == 1 and "pt too high" in told.err and "--allow-faults" in told.err
    assert not Path(place[1]).exists()
    assert call(*asked, "--allow-faults").code == 1
    assert Path(place[1]).exists()


def test_a_hand_of_cards_is_drawn_as_it_is_held(call: Call) -> None:
    """`proof --fan` draws one picture of a selection; sample cards lack nothing of what shows in a hand."""
    told = call("proof", "--fan", "empire:Mali", "--game", "empires-and-generals", "-o", "hand.svg")
    assert told.code == 0 and "12 cards in a hand, the first of" in told.err and "hidden_in_hand" not in told.err
    drawing = Path("hand.svg").read_text("utf-8")
    assert "Sundiata" in drawing and "rotate(338)" in drawing and "rotate(22)" in drawing
    assert call("proof", "--fan", "nosuchcard", "--game", "empires-and-generals", "-o", "hand.svg").code == 2
