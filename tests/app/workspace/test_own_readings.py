"""Sheets of the table's own readings: what is printed with `--option` says so, and both doors print it alike."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from pypdfium2 import PdfDocument

import carddb
from carddb.app.workspace.day_cards import with_options
from carddb.games import folders, load
from carddb.press.documents.guide import read_guide
from tests.conftest import Told
from tests.rows import usually

Call = Callable[..., Told]
CHANGES = {
    "cahrd": ("stat_floor", 0),
    "cdg-solo": ("jr_refill", "down"),
    "empires-and-generals": ("tie_rule", "life_holds"),
    "guarda": ("health_cap", "none"),
    "rishar": ("tie_base", "printed"),
}
"""For each game with options one that is changed here."""


def words_of(data: bytes) -> str:
    """The words of a page of the web, without its tags."""
    return " ".join(re.sub("<[^>]*>", "", data.decode()).split())


@usually("key", CHANGES, "guarda")
@pytest.mark.full
def test_a_rule_sheet_says_what_it_was_printed_with(key: str) -> None:
    """The option, its value and what it is about stand at its head; the ruling's entry names the table's reading."""
    name, value = CHANGES[key]
    sheet = words_of(carddb.open().guide(key, kind="html", options={name: value}, voice="whole").data)
    plain = words_of(carddb.open().guide(key, kind="html", voice="whole").data)
    assert "Printed with" in sheet and f"{name} {value}: " in sheet
    assert "This table’s own reading; otherwise: " in sheet
    assert "Printed with" not in plain and "This table’s own reading;" not in plain


@pytest.mark.door
@usually("key", CHANGES, "guarda")
@pytest.mark.full
def test_both_doors_print_own_readings_alike(key: str, call: Call) -> None:
    """A rule sheet and a component with an option are the same bytes from a script and from the command line."""
    name, value = CHANGES[key]
    game, _ = load(folders()[key])
    assert game
    part = next(iter(game.spec.components))
    call("guide", key, "-o", "g.pdf", "--option", f"{name}={value}")
    call("components", key, part, "-o", "c.pdf", "--on", "2026-06-20", "--option", f"{name}={value}")
    project = carddb.open()
    assert project.guide(key, options={name: value}).data == Path("g.pdf").read_bytes()
    components = project.components(key, part, on=date(2026, 6, 20), options={name: value})
    assert components.data == Path("c.pdf").read_bytes()
    assert f"printed with: {name} {value}" in PdfDocument(components.data)[0].get_textpage().get_text_bounded()


@pytest.mark.full
def test_figures_of_the_guide_follow_the_option() -> None:
    """A figure that an option gives has the table's value: the most health, the first hand, the lowest stat."""
    game, _ = load(folders()["guarda"])
    assert game
    own, changed = with_options(carddb.open(), game, {"health_cap": "none", "opening_hand": 5})
    assert changed == ("opening_hand", "health_cap")
    sheet = words_of(carddb.open().guide("guarda", kind="html", options={"health_cap": "none", "opening_hand": 5}).data)
    assert "Health may rise without limit." in sheet and "every player draws 5 cards" in sheet
    assert "you burn the surplus" not in sheet
    assert read_guide(own, changed=changed).findings == ()


@pytest.mark.full
def test_a_project_names_its_readings_once(folder: Path, call: Call) -> None:
    """What `carddb.toml` says of a game's options is printed too, and the command line goes before it."""
    (folder / "carddb.toml").write_text('[options.guarda]\nhealth_cap = "none"\n', "utf-8")
    call("guide", "guarda", "-o", "a.html", "--json")
    assert call("guide", "guarda", "-o", "a.html", "--json").json()["options"] == {"health_cap": "none"}
    assert call("guide", "guarda", "-o", "a.html", "--json", "--option", "health_cap=10").json()["options"] == {}


@pytest.mark.parametrize("verb", ["guide", "components"])
def test_an_unknown_reading_is_answered_with_those_there_are(call: Call, verb: str) -> None:
    """An option that the game lacks, and a value that it cannot have, are named."""
    done = call(verb, "guarda", "-o", "g.pdf", "--option", "health_cup=10")
    assert done.code == 2 and "health_cap" in done.err
    assert call(verb, "guarda", "-o", "g.pdf", "--option", "health_cap=11").code == 2


@pytest.mark.full
def test_the_rule_sheet_of_guarda_follows_the_patterns_of_the_deck() -> None:
    """With lines only the sheet counts 10 patterns and 40 cards, and neither X nor ALL is among them (G-16)."""
    sheets = {
        patterns: words_of(
            carddb.open().guide("guarda", kind="html", options={"patterns": patterns}, voice="whole").data
        )
        for patterns in ("lines", "lines_x_all")
    }
    lines, usual = (sheets[key].rpartition("Decided for")[0] for key in ("lines", "lines_x_all"))
    assert "40 pattern cards, 4 of each of the 10 patterns" in lines and "48 pattern cards" in usual
    assert "Both diagonals" not in lines and "Both diagonals" in usual
    assert "8 cards of a deck cover it" in lines and "12 cards of a deck cover a plain cell" in usual


@pytest.mark.full
def test_many_readings_have_room() -> None:
    """However many are chosen, the contents list each with what it is about; the foot counts what has no room."""
    game, _ = load(folders()["cdg-solo"])
    assert game
    options = {
        "redeal_each_phase": True, "jr_refill": "down", "refill_force_down": True, "combat_rule": "experimental",
        "on_empty": "rebalance_then_reshuffle", "home_flips_chit": False, "hand_adjustment": "display_extras",
    }  # fmt: skip
    printed = carddb.open().components("cdg-solo", module="for-the-people", options=options)
    assert not [finding for finding in printed.findings if finding.code == "text_outside"]
    document = PdfDocument(printed.data)
    first = " ".join(document[number].get_textpage().get_text_bounded() for number in range(2))
    assert all(name in first and game.spec.options[name].label in first for name in options)
    assert re.search(r"printed with: redeal_each_phase true, jr_refill down, .*, \+\d", first)
