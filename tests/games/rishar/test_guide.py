"""The rule sheet of Rishar: what it tells, and where its figures come from."""

from __future__ import annotations

import re
from typing import Any

from jinja2 import Environment, StrictUndefined

from carddb.games.rishar.print.components import component_data
from tests.games.rishar.samples import BOOK, GAME, SPEC, ask, sample_pool
from tests.press.documents.guide_words import without_figures

SOURCE = without_figures((GAME.folder.path / "guide.md").read_text("utf-8"))
DATA = {"game": SPEC, "data": SPEC.data, "options": SPEC.readings, "changed": ()}
SHEET = Environment(undefined=StrictUndefined).from_string(SOURCE).render(DATA)
MARKS = re.compile(r" ?\{(R-\d+(?:, R-\d+)*)\}")
TOLD = {rule for marks in MARKS.findall(SHEET) for rule in marks.split(", ")}
EXAMPLE: dict[str, Any] = SPEC.data["example"]


def test_the_sheet_names_rules_of_the_book() -> None:
    """Every id in braces is a rule of the book, and nothing else stands in braces."""
    assert set(BOOK["rules"]) >= TOLD
    assert not re.search(r"[{}]|<built-in", MARKS.sub("", SHEET))


def test_the_sheet_tells_every_rule_of_the_table() -> None:
    """Every rule that is printed or left to people is told, and all others but those of questions to the program."""
    by_the_program = {"R-163", *(f"R-{number}" for number in range(168, 175))}
    assert set(BOOK["rules"]) - TOLD == by_the_program
    assert {BOOK["rules"][rule]["tag"] for rule in by_the_program} == {"S"}


def test_figures_come_from_the_tables() -> None:
    """The source of the sheet has no figure of its own but 0, and the numbers of its lists."""
    own = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "", MARKS.sub("", SOURCE), flags=re.DOTALL)
    assert set(re.findall(r"\d+", re.sub(r"^\d+\. ", "", own, flags=re.MULTILINE))) <= {"0"}


def test_every_ability_is_told() -> None:
    """A list of the sheet has every keyword of special texts with its meaning."""
    abilities = [word for word in SPEC.data["keywords"].values() if word["kind"] == "ability"]
    assert len(abilities) == 13 and all(
        re.search(rf"- \*\*{re.escape(word['label'])}\.?\*\* {re.escape(word['text'])}", SHEET) for word in abilities
    )


def test_the_worked_skirmish_is_that_of_the_rules() -> None:
    """R-165, R-166: the referee finds the totals and fates that the worked Skirmish tells."""
    cards = {card.name: card for card in sample_pool()}
    for side in ("off", "def"):
        own, printed = EXAMPLE[side], cards[EXAMPLE[side]["name"]]
        shown = {"role": printed.type, **{key: printed.get(key) for key in ("strength", "path")}}
        assert shown.items() <= own.items()
        assert own.get("traits", []) == (printed.get("traits") or [])
    assert cards["Soldier"].get("discard_bonus") == EXAMPLE["discard"]["add"]
    off, against = ({key: value for key, value in EXAMPLE[side].items() if key != "name"} for side in ("off", "def"))
    asked = {"off": off, "def_": against, "rolls": EXAMPLE["rolls"]}
    before, after = ask("skirmish", **asked), ask("skirmish", **asked, mods=[EXAMPLE["discard"]])
    assert (before["totals"], before["fate"]["def"]) == ({"off": 7, "def": 4}, "killed")
    assert (after["totals"], after["fate"]) == ({"off": 7, "def": 5}, {"off": "exhausted", "def": "disabled"})
    told = " ".join(SHEET.partition("\n## A Skirmish told in full")[2].partition("\n## ")[0].split())
    assert "2 + 1 + 4 = 7" in told and "1 + 3 = 4" in told and "1 + 3 + 1 = 5" in told


def test_the_layout_is_judged_as_the_sheet_says() -> None:
    """R-167: the army with more Morale wins without kills, and the other with a single one."""
    a, b = EXAMPLE["tables"]["a"], EXAMPLE["tables"]["b"]
    assert [ask("morale_start", progression=one["progression"])["total"] for one in (a, b)] == [8, 5]
    sides = [{"kills": 0, "morale": one["now"], "routed": False} for one in (a, b)]
    assert ask("battle_result", a=sides[0], b=sides[1])["winner"] == "a"
    assert ask("battle_result", a=sides[0], b={**sides[1], "kills": 1})["winner"] == "b"


def test_the_glossary_card_has_the_words_that_the_rules_explain() -> None:
    """The terms of R-2 to R-19, those of the source's glossary, stand on the cards, each with what it means."""
    terms = {"Battle", "Commander", "Phase", "Skirmish", "Offense", "Defense", "Strength", "Unit", "Disabled"}
    terms |= {"Exhausted", "Killed", "Discard", "Pass", "Unable", "Unopposed", "Base", "Routed"}
    pages = [component_data("glossary", SPEC, {"card": page}) for page in range(1, 5)]
    shown = {entry["label"]: entry["text"] for page in pages for entry in page["entries"]}
    assert terms <= set(shown) and all(shown.values())
    assert "°" not in shown["Reach"] + shown["Ranged"], "the rules say what these do (R-27)"


def test_words_of_the_sample_cards_are_not_the_rules_own() -> None:
    """The rules print one special text, Watch Out! (R-30); sheet and glossary say that the others are of samples."""
    assert "the other words below are those of the sample cards" in " ".join(SHEET.split())
    labels = [word["label"] for word in SPEC.data["keywords"].values()]
    at = labels.index("Sample cards")
    abilities = [word["label"] for word in SPEC.data["keywords"].values() if word["kind"] == "ability"]
    assert labels[at - 1] == "Watch Out!" and labels[at + 1 :] == abilities[1:]


def test_powers_and_mat_sign_what_was_decided() -> None:
    """Mindblade's most (R-143), the Illusionist's order (R-145) and where cards go (R-53, R-13) carry the sign."""
    aggressors = repr(component_data("power-cards", SPEC, {"role": "aggressor"}))
    savants = repr(component_data("power-cards", SPEC, {"role": "savant"}))
    mat = component_data("battle-mat", SPEC, {})
    assert "two or more +2°" in aggressors and "roll a die°" in savants
    assert mat["zones"]["exhausted"]["told"].startswith("Winners, Unopposed attackers°.")
    assert mat["zones"]["killed"]["told"].endswith("Gone after the Battle°.")
    assert "{R-" not in aggressors + savants + repr(mat) and "decided" in mat["foot"]
