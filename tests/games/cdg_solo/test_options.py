"""CDG solo: the readings are options of the game; guide, sheets, referee and session follow them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import carddb
from carddb.app.workspace.day_cards import with_options
from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module import module_of
from carddb.games.cdg_solo.own_module import own_module
from carddb.games.cdg_solo.print import tweak_sheet
from carddb.games.cdg_solo.print.components import component_data
from carddb.layout.documents.blocks import Figure
from carddb.press.documents.guide import Guide, guide_document, print_guide
from tests.conftest import Told
from tests.games.cdg_solo.print_samples import KEY
from tests.games.cdg_solo.solo_session import load as load_session
from tests.games.referee_samples import game
from tests.rows import every, usually

Call = Callable[..., Told]
GAME = game(KEY)
SPEC = GAME.spec
TURNED = {"1": "A or B", "2": "C/Jolly Roger", "3": "D or E", "4": "A, B or C", "5": "C, D or E", "6": "Face-up"}

ON_SHEETS: list[tuple[str, str, Any, str]] = [
    ("paths-of-glory", "redeal_each_phase", True, "are shuffled and dealt anew"),
    ("paths-of-glory", "no_legal_card_flips_chit", True, "the round passes, and it turns a chit"),
    ("paths-of-glory", "combat_rule", "experimental", "by #3a, below"),
    ("paths-of-glory", "refill_force_down", True, "After the combat fill the places from the pile, face down"),
    ("paths-of-glory", "on_empty", "reshuffle_all", "what is left of the piles into new piles"),
    ("germany", "hand_adjustment", "display_extras", "difference 1, one in A"),
    ("germany", "player_cut", True, "in two where you like"),
    ("for-the-people", "on_empty", "stop", "stop and decide what is done"),
    ("for-the-people", "first_opportunity_letters_only", True, "allows it: its space is named."),
    ("empire-of-the-sun", "reshuffle_with_discards", True, "shuffle that side’s discards, the card among them"),
    ("empire-of-the-sun", "refill_force_down", True, "if it is face up, turn it down"),
    ("washingtons-war", "tournament_634", True, "6.34), played at this table"),
    ("washingtons-war", "combat_rule", "experimental", "rolls the method die"),
    ("commands-and-colors", "dice_count", 2, "two method dice"),
    ("commands-and-colors", "augment_variant", 1, "First Strike, whenever the result has a C (1, 4 or 5)"),
    ("commands-and-colors", "hand_adjustment", "none", "No side has extra cards"),
]
"""Module, option, value, and what the sheet says by that."""

IN_GUIDE: list[tuple[str, Any, str, str]] = [
    ("deal_alternate_sides", True, "Deal to the sides in turn", "Deal one side after the other"),
    ("redeal_each_phase", True, "shuffled and dealt anew", "The displays stay as they are"),
    ("jr_refill", "down", "the pile’s next card, down", "no such words"),
    ("refill_force_down", True, "a pile top that is up is turned", "do not turn it"),
    ("no_legal_card_flips_chit", True, "the round passes, and a chit turns", "and no chit turns"),
    ("jr_before_flip", True, "Look before you flip", "Flip C first"),
    ("player_cut", True, "Cut it in two where you like", "Cut it roughly in two"),
    ("on_empty", "stop", "stop and decide", "halve what is left"),
    ("combat_rule", "experimental", "In force (#3a)", "On trial (#3a)"),
    ("m3a_lowest", True, "C and the lowest of them", "names C alone"),
    ("first_opportunity_letters_only", True, "only when its place is named", "no such words"),
    ("home_other_flips", False, "instead of any flip", "instead of flipping C"),
    ("home_flips_chit", False, "it turns no chit", "it turns a chit"),
    ("hand_adjustment", "none", "Not used at this table", "no such words"),
]
"""Option, value, what the guide says by that, and what it says otherwise and no longer."""


def sheet(spec: GameSpec, key: str) -> str:
    """All that a tweak sheet says, without the signs of rulings."""
    front = json.dumps(tweak_sheet.front(spec, key), ensure_ascii=False)
    back = " ".join(f"{part.head}: {part.body}" for part in tweak_sheet.back(spec, key))
    return f"{front} {back}".replace("°", "")


def guide(options: Mapping[str, Any]) -> str:
    """The words of the guide before its last pages, without its figures."""
    own, changed = with_options(carddb.open(), GAME, options)
    document, findings = guide_document(own, changed=changed)
    blocks = tuple(block for block in document.blocks if not isinstance(block, Figure))
    page = print_guide(own, Guide(replace(document, blocks=blocks), findings), "html").data.decode()
    words = " ".join(re.sub(r"<[^>]*>|\b(?:S|SR)-\d+\b|[°,]", "", page).split())
    return words.partition("The idea")[2].rpartition("Decided for this printing")[0]


@cache
def usual_guide() -> str:
    """Returns the words of the guide by the game's own options."""
    return guide({})


def test_the_readings_are_the_options_of_the_game() -> None:
    """A session, a module and the referee have the options of the game, each with label and rules, and no others."""
    assert list(module_of(SPEC, "germany").options) == list(SPEC.options)
    assert all(option.label and option.rules for option in SPEC.options.values())
    assert module_of(SPEC, "germany").options["on_empty"] is None


@every("key, name, value, says", ON_SHEETS)
def test_a_tweak_sheet_follows_the_option(key: str, name: str, value: Any, says: str) -> None:
    """What a sheet says of a reading is what the table has chosen; by default it says something else."""
    assert says not in sheet(SPEC, key)
    assert says in sheet(SPEC.with_defaults({name: value}), key)


@usually(("name", "value", "says", "otherwise"), IN_GUIDE)
@pytest.mark.full
def test_the_guide_follows_the_option(name: str, value: Any, says: str, otherwise: str) -> None:
    """A sentence of the guide says what the table has chosen, and no longer the usual reading."""
    usual, own = usual_guide(), guide({name: value})
    assert says.replace(",", "") in own and says.replace(",", "") not in usual
    assert otherwise not in own and (otherwise in usual or otherwise == "no such words")


def test_the_results_follow_the_options() -> None:
    """What fills a place after the Jolly Roger, a top that is turned down, the faces of the die, on every sheet."""

    def row(result: str, **options: Any) -> tweak_sheet.ResultText:
        spec = SPEC.with_defaults(options)
        return next(one for one in tweak_sheet.results(spec, "paths-of-glory") if one.result == result)

    assert "the next card of the pile, **down**" in row("C_JR", jr_refill="down").fill
    assert "**up**" in row("ABC", jr_refill="down").fill
    assert "**turned down**" in row("AB", refill_force_down=True).fill
    assert "**as it lies**" in row("UP", refill_force_down=True).fill
    project = carddb.open()
    assert "2 C Jolly Roger" in guide({"die_table": TURNED})
    assert b"%PDF" in project.components(KEY, "die-card", options={"die_table": TURNED}).data[:8]


def test_the_quick_reference_follows_the_options() -> None:
    """Home cards, combat, hands of different sizes and the end of a phase stand on the card as they are played."""
    spec = SPEC.with_defaults({"home_flips_chit": False, "combat_rule": "experimental", "redeal_each_phase": True})
    data = component_data("quick-back", spec, {"module": "generic-separate"})
    words = str(data["print"]["quick"]["mechanics"])
    assert "No chit" in words and "In force" in words and "On trial" not in words
    assert "dealt anew" in str(data["end_lines"]) and "stays" not in str(data["end_lines"])


def test_the_referee_takes_the_options() -> None:
    """An option of a question holds for the module that it names, by printed words too; an unknown one is refused."""
    question = {"game": "paths-of-glory", "path": "options.jr_refill"}
    assert carddb.judge("cdg.game_data", {**question, "options": {"JR refill": "Down"}}) == {"value": "down"}
    assert carddb.judge("cdg.game_data", question) == {"value": "up"}
    refused = carddb.judge("cdg.game_data", {**question, "options": {"jr_refil": "down"}})
    assert refused["error"] == "bad_input" and refused["did_you_mean"] == "jr_refill"
    face = carddb.judge("cdg.die_result", {"face": 1, "options": {"die_table": TURNED}})
    assert face["result"] == "AB"


def test_a_session_takes_the_options_of_the_project(folder: Path, call: Call) -> None:
    """What `carddb.toml` says holds for a session and is in its file; what the module lacks is left out."""
    (folder / "carddb.toml").write_text('[options.cdg-solo]\njr_refill = "down"\ntournament_634 = true\n', "utf-8")
    begun = call("solo", "new", "--module", "generic-separate", "--seed", "1", "--option", "Redeal each phase=yes")
    assert begun.code == 0, begun.err
    session = load_session(SPEC, Path("solo.json").read_text("utf-8"))
    assert session.module.options["jr_refill"] == "down" and session.module.options["redeal_each_phase"]
    assert not session.module.options["tournament_634"]
    told = call("solo", "new", "--module", "generic-split", "--seed", "1", "--force", "--option", "player_cut=yes")
    assert told.code == 0 and "player_cut: this is for people at a table, so the session ignores it" in told.err


@pytest.mark.parametrize(
    ("option", "says"),
    [("jr_refil=down", "jr_refill"), ("jr_refill=left", "Accepted: up, down"), ('die_table={"1": "AB"}', "different")],
)
@pytest.mark.parametrize("verb", ["guide", "components", "solo"])
def test_an_unfit_option_is_refused_in_every_door(call: Call, verb: str, option: str, says: str) -> None:
    """An unknown option and a value that it cannot have are refused with the nearest, or with what is accepted."""
    words = {"guide": [KEY, "-o", "g.html"], "components": [KEY, "die-card", "-o", "c.pdf"]}
    done = call(verb, *words.get(verb, ["new", "--module", "generic-separate"]), "--option", option)
    assert done.code in (2, 3) and says in done.err


def test_a_module_of_ones_own_has_its_readings() -> None:
    """The options that a module's file gives a value are its readings in print; those of the table go before them."""
    written = {"id": "mine", "title": "Mine", "layout": "pile_in_c", "deck_mode": "separate",
               "options": {"jr_refill": "down", "dice_count": 2, "on_empty": None}}  # fmt: skip
    spec, key, findings = own_module(SPEC, written)
    assert (key, findings) == ("mine", [])
    assert module_of(spec, key).options["jr_refill"] == "down" and module_of(spec, key).options["dice_count"] == 2
    assert module_of(spec.with_defaults({"jr_refill": "up"}), key).options["jr_refill"] == "up"


def test_options_are_listed(call: Call) -> None:
    """`carddb games cdg-solo` has every option with its default, what it decides, and its rules."""
    shown = call("games", KEY).out
    assert all(name in shown for name in SPEC.options) and "by module" in shown and "SR-11" in shown
