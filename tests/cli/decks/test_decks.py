"""Deck files at the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.rows import usually

DECK = "Name: River\nGame: rishar\nCommander: Anna\n\n## Army\n2 Spearmen\n1 Soldier\n"


@usually("ending", ["cod", "o8d", "csv", "json", "txt", "tts.json"])
def test_a_deck_is_converted_and_checked_as_the_same(ending: str, call: Callable[..., Any]) -> None:
    """`check` says the same of a converted deck as of the deck itself, and finds its game."""
    Path("a.deck").write_text(DECK, "utf-8")
    assert call("decks", "convert", "a.deck", "-o", f"b.{ending}").code == 0
    one, other = call("check", "a.deck", "--json").json(), call("check", f"b.{ending}", "--json").json()
    assert one["deck"]["fingerprint"] == other["deck"]["fingerprint"]
    assert [item["code"] for item in one["findings"]] == [item["code"] for item in other["findings"]]
    assert call("decks", "convert", f"b.{ending}", "-o", "c.deck").code == 0
    assert call("decks", "convert", "a.deck", "-o", "d.deck").code == 0
    assert Path("c.deck").read_bytes() == Path("d.deck").read_bytes()


def test_slots_are_chosen_by_name(call: Callable[..., Any]) -> None:
    """`--to json-slots` writes counts by reference whatever the suffix, and they check as the deck does."""
    Path("a.deck").write_text(DECK, "utf-8")
    assert call("decks", "convert", "a.deck", "--to", "json-slots", "-o", "b.json").code == 0
    assert '"slots"' in Path("b.json").read_text("utf-8")
    one, other = call("check", "a.deck", "--json").json(), call("check", "b.json", "--json").json()
    assert one["deck"]["fingerprint"] == other["deck"]["fingerprint"]


def test_an_unknown_card_is_kept_and_named(call: Callable[..., Any]) -> None:
    """A card that nobody knows is written all the same, and named; the exit code is that of its error."""
    Path("a.deck").write_text(DECK + "1 Nobody of Note\n", "utf-8")
    told = call("decks", "convert", "a.deck", "-o", "b.cod")
    assert told.code == 1
    assert "card_by_name_only" in told.err
    assert "Nobody of Note" in Path("b.cod").read_text("utf-8")


def test_an_ending_that_is_not_written(call: Callable[..., Any]) -> None:
    """An ending that carddb does not write is misuse, with those that it does."""
    Path("a.deck").write_text(DECK, "utf-8")
    told = call("decks", "convert", "a.deck", "-o", "b.docx")
    assert told.code == 2
    assert "cod" in told.err


def test_a_folder_with_decks_of_other_programs(call: Callable[..., Any]) -> None:
    """Decks of other programs and tables with counts are checked like the others; other tables are passed over."""
    Path("decks").mkdir()
    Path("decks/a.deck").write_text(DECK, "utf-8")
    call("decks", "convert", "decks/a.deck", "-o", "decks/b.cod")
    call("decks", "convert", "decks/a.deck", "-o", "decks/c.csv")
    Path("decks/cards.csv").write_text("ref,name,type\nX-1,Nobody,aggressor\n", "utf-8")
    answer = call("check", "decks", "--json").json()
    assert len({report["deck"]["fingerprint"] for report in answer["reports"]}) == 1
    assert (len(answer["reports"]), answer["summary"]["skipped"]) == (3, ["cards.csv"])


@pytest.mark.full
def test_a_deck_for_tabletop_simulator(call: Callable[..., Any]) -> None:
    """The saved object and its pictures lie side by side; without --url it says that the pictures need a place."""
    Path("a.deck").write_text(DECK, "utf-8")
    told = call("decks", "convert", "a.deck", "-o", "table/b.tts.json", "--url", "https://example.org")
    assert told.code == 0 and "beside it: b-faces-1.png, b-back-1.png" in told.err
    assert {path.name for path in Path("table").iterdir()} == {"b.tts.json", "b-faces-1.png", "b-back-1.png"}
    assert "https://example.org/b-faces-1.png" in Path("table/b.tts.json").read_text("utf-8")
    assert "Upload the pictures" in call("decks", "convert", "a.deck", "-o", "table/b.tts.json").err
