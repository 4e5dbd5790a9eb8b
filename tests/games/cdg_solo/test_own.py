"""CDG solo: a module that somebody wrote is printed as the shipped ones are (S-24)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from carddb import judge
from carddb.games import folders
from carddb.games.cdg_solo.own_module import own_module
from carddb.games.cdg_solo.print.components import component_data
from carddb.play.question import BadInput
from carddb.press.components.selection import ComponentChoice, select_components
from tests.conftest import Told
from tests.games.cdg_solo.print_samples import GAMES, spec
from tests.rows import every

Call = Callable[..., Told]


CHOICE = {"spaces": ["A"], "mode": "event"}
HOSTILE: list[dict[str, Any]] = [
    {"id": "x", key: value}
    for key, value in {
        "sheet_back": [5], "title": None, "selection_chart": 3, "alternatives": ["fly"], "off_display": ["x"],
        "phase_name": [1], "die_table": 7, "results": {"AB": {"choices": [{**CHOICE, "spaces": []}]}},
        "own_options": None, "options": 5,
    }.items()
]  # fmt: skip


def kit(written: dict[str, Any]) -> dict[str, list[Any]]:
    """What is printed for a module of one's own: the rows of each component."""
    made, key, findings = own_module(spec(), written)
    assert findings == []
    return {part.key: list(part.faces) for part in select_components(made, ComponentChoice(module=key))}


@every("module", sorted(set(spec().data["modules"])))
def test_a_module_of_ones_own_has_the_kit_of_its_like(module: str) -> None:
    """A shipped module under another id has as many pieces of each component as under its own."""
    own = kit({**spec().data["modules"][module], "id": "my-war"})
    like = {part.key: part.faces for part in select_components(spec(), ComponentChoice(module=module))}
    assert {key: len(rows) for key, rows in own.items()} == {key: len(rows) for key, rows in like.items()}


def test_sides_are_called_as_the_module_calls_them() -> None:
    """The mats of a module of one's own are for its sides."""
    sides = [{"id": "YOR", "name": "York", "source": "text"}, {"id": "LAN", "name": "Lancaster", "source": "text"}]
    roses = {"id": "roses", "title": "War of the Roses", "sides": sides, "hand": {"default": {"YOR": 6, "LAN": 6}}}
    assert [row["side"] for row in kit(roses)["mat-pile-in-c"]] == ["YOR", "LAN"]


def test_the_die_card_follows_the_module() -> None:
    """The conversion card has the die table of a module of one's own (S-37, SR-9)."""
    table = {"1": "UP", "2": "AB", "3": "DE", "4": "ABC", "5": "CDE", "6": "C_JR"}
    made, _, findings = own_module(spec(), {"id": "turned", "die_table": table})
    assert [finding.code for finding in findings] == ["die_table_c_results_changed"]
    assert [told.result for told in component_data("die-card", made, {})["results"]] == list(table.values())


def test_a_patched_module_takes_the_place_of_the_shipped() -> None:
    """A file that patches a shipped module is printed under its id, once."""
    own = kit({"base": "wilderness-war", "patch": {"hand.min": 6}})
    assert len(own["mat-card-in-c"]) == 2 and len(own["random-selection"]) == 1


@every("written", [{"id": "x", "sides": "ab"}, {"id": "x", "exceptions": [[]]}, {"base": "chess"}, {}, *HOSTILE])
def test_what_is_no_module_is_refused(written: dict[str, Any]) -> None:
    """A value of a wrong shape is bad input or a finding, and never a module."""
    try:
        _, key, findings = own_module(spec(), written)
    except BadInput:
        return
    assert key == "" and findings


@pytest.mark.parametrize("what", ["hook", "kinds", "deck"])
def test_what_the_sheet_has_no_words_for_is_told_as_it_is_written(what: str) -> None:
    """An unknown hook, kind or deck of a module of one's own is printed by its name."""
    card = {"deck": "S9" if what == "deck" else "S1", "number": 1, "title": "T", "hook": "lead_the_dance"}
    odd = {"AB": {"choices": [{**CHOICE, "kinds": ["dragon"], "ops": "with"}]}}
    written = {"id": "x", "results": odd} if what == "kinds" else {"id": "x", "exceptions": [card]}
    made, key, findings = own_module(spec(), written)
    assert findings == []
    if what == "kinds":
        assert "dragon" in " ".join(
            told.play for told in component_data("tweak-front", made, {"module": key})["results"]
        )
    else:
        (found,) = component_data("tweak-back", made, {"module": key})["exceptions"]
        assert found.what == "lead the dance" and found.side == (None if what == "deck" else "S1")


COURIER = "exceptions.1.params"
TAKE = {
    "name": "take_card",
    "params": {
        "taker_display": {"A": ["q+"], "B": [], "C": [], "D": [], "E": []}, "event_card": "q", "success_roll": 4,
        "victim_display": {"A": ["v+"], "B": [], "C": [], "D": [], "E": []}, "pile": ["p-"],
        "victim_chits": {"total": 7, "flipped": 0}, "taker_chits": {"total": 7, "flipped": 0},
    },
}  # fmt: skip


@every(
    "patch",
    [
        {f"{COURIER}.success": ["A", 6]},
        {f"{COURIER}.success": [3]},
        {f"{COURIER}.active_chits.flip": []},
        {f"{COURIER}.active_chits": ["A"]},
        {"sides": []},
        {"sides.0": 7, "sides.0.id": {}},
        {"setup_exceptions": {"a": 1}},
        {"setup_exceptions": {"a": [[]]}},
    ],
)
def test_a_patch_of_any_shape_is_an_answer(patch: dict[str, Any]) -> None:
    """A patch that makes what a card does, a side or a setup something else is bad input, never a crash (SD-9)."""
    assert judge("cdg.hook", {**TAKE, "game": "wilderness-war"})["taken"] == "v"
    answer = judge("cdg.hook", {**TAKE, "game": {"base": "wilderness-war", "patch": patch}})
    assert answer["error"] == "bad_input" and answer["path"].startswith("game.patch")


def test_a_module_is_printed_from_its_file(call: Call) -> None:
    """`components --module FILE` prints the sheet with the module's own title and rules; faults are findings."""
    own = {**spec().data["modules"]["germany"], "id": "roses", "title": "War of the Roses", "publisher": "Mine"}
    own["sheet_back"] = ["White rose: it counts double."]
    Path("own.json").write_text(json.dumps(own), "utf-8")
    assert call("components", "cdg-solo", "K-8", "--module", "own.json", "-o", "x.pdf").code == 0
    pages = [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument("x.pdf")]
    assert len(pages) == 2 and "War of the Roses" in pages[0] and "It counts double." in pages[1]
    Path("own.json").write_text(json.dumps({**own, "layout": "heap"}), "utf-8")
    told = call("components", "cdg-solo", "--module", "own.json", "-o", "x.pdf")
    assert told.code == 3 and "own.json:layout: error layout_unknown" in told.err
    long = {**own, "sheet_back": ["More: " + "and more " * 300] * 9}
    Path("own.json").write_text(json.dumps(long), "utf-8")
    told = call("components", "cdg-solo", "K-8", "--module", "own.json", "-o", "x.pdf")
    assert told.code == 1 and "sheet_overflow" in told.err
    assert call("components", "guarda", "--module", "own.json", "-o", "x.pdf").code == 2
    assert set(GAMES) <= set(spec().data["modules"])


@pytest.mark.full
def test_a_deck_brings_its_module(call: Call) -> None:
    """With a deck the kit is that of the module that its format names, unless another is named."""
    deck = str(folders()["cdg-solo"].path / "decks" / "demonstration.deck")

    def printed(*arguments: str) -> bytes:
        assert call("components", "cdg-solo", "K-8", *arguments, "-o", "x.pdf", "--on", "2026-11-01").code == 0
        return Path("x.pdf").read_bytes()

    assert printed("--deck", deck) == printed("--module", "generic-separate") != printed("--module", "germany")
    assert printed("--deck", deck, "--module", "germany") == printed("--module", "germany")
