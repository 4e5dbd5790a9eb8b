"""Card files and decks of Guarda, Rishar and the solo method, typed as printed cards and documents read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from carddb.cards.cards import Deck
from carddb.findings import Finding
from carddb.games import folders, load
from carddb.read.decks.text import read_deck
from tests.conftest import Told
from tests.rows import every

Call = Callable[..., Told]


def loaded(call: Call, name: str, text: str, key: str) -> list[dict[str, Any]]:
    """The cards of a file, as the catalogue has them."""
    Path(name).write_text(text, "utf-8")
    told = call("load", name, "--game", key)
    assert told.code == 0, told.out
    cards = call("cards", f"set:{Path(name).stem}", "--game", key, "--json").json()["cards"]
    return [{**card.get("fields", {}), **card} for card in cards]


def deck_of(key: str, text: str, **options: str) -> tuple[Deck, list[Finding]]:
    """A deck that is read against the game's own cards."""
    bundled, _ = load(folders()[key])
    assert bundled
    return read_deck(text, bundled.spec, bundled.own_cards, "", **options)


RISHAR = """\
Unit,Strength,Path,Role,Traits,Special Text,Granted by
Pikes,3,Path of Steel,Guardians,"Reach, Undead",\u2014,
Bats,2,NATURE,aggressor,elemental/ranged,Raid: Unopposed: +1 Strength.,\u2013
Rain,\u2013,Nature,Ritual,-,,none
"""


def test_a_card_of_rishar_may_be_typed_as_it_is_printed(call: Call) -> None:
    """Headings of the rules, a Path in full, traits with commas, and a dash where the card has nothing (R-164)."""
    cards = {card["name"]: card for card in loaded(call, "mine.csv", RISHAR, "rishar")}
    assert cards["Pikes"]["path"] == "steel" and cards["Pikes"]["type"] == "guardian"
    assert cards["Pikes"]["traits"] == ["reach", "undead"] and "special" not in cards["Pikes"]
    assert cards["Bats"]["traits"] == ["elemental", "ranged"]
    assert cards["Bats"]["special"] == {"name": "Raid", "text": "Unopposed: +1 Strength."}
    assert cards["Rain"].get("strength") is None and not cards["Rain"].get("traits")


def test_traits_of_ones_own_keep_their_commas(call: Call) -> None:
    """A cell is taken apart at commas where the list knows every part, and only there."""
    text = 'name,strength,path,role,traits\nOwl,1,mind,savant,"Wise, old"\n'
    assert loaded(call, "owl.csv", text, "rishar")[0]["traits"] == ["Wise, old"]


SOLO = """\
Number,Title,Side,Ops,Kind,Removed after
#84,George Rogers Clark,American,\u2013,Event card,Event
85,Major Campaign,either side,3,Campaign; Event,never
86,Reaction,both,2,"Ops, Reaction card, Future Offensives",never
"""


def test_a_card_of_the_solo_method_may_be_typed_as_it_is_printed(call: Call) -> None:
    """Title names a card, its number has the sign of the sheets, kinds are named in full; no type is needed (SD-2)."""
    cards = {card["name"]: card for card in loaded(call, "solo.csv", SOLO, "cdg-solo")}
    assert cards["George Rogers Clark"]["number"] == 84 and cards["George Rogers Clark"].get("ops") is None
    assert cards["George Rogers Clark"]["remove_after"] == "event"
    assert cards["Major Campaign"]["side"] == "both"
    assert cards["Reaction"]["kinds"] == ["ops", "response", "future_offensive_able"]
    assert {card["type"] for card in cards.values()} == {"card"}


def test_a_label_of_any_type_is_a_heading(call: Call) -> None:
    """`Part of the field` is what a grid card calls its id, where a pattern card calls it Pattern."""
    text = "name,type,Part of the field,Field,Column,Row\nCorner,Grid card,f1,5,1,1\n"
    assert loaded(call, "grid.csv", text, "guarda")[0]["id"] == "F1"


@every(
    "lines, headers",
    [
        ("Class: Master of Arms", {"path": "steel", "role": "aggressor"}),
        ("Path: Steel / Role: Aggressor", {"path": "steel", "role": "aggressor"}),
        ("Commander: Cy, Path: Path of Faith, Role: Savant", {"path": "faith", "role": "savant", "commander": "Cy"}),
        ("Kind: non-player character\nInfluence: \u00bd", {"kind": "npc", "influence": "0.5"}),
        ("Dervish: Path of Magic\nFavours: 2", {"dervish": "magic", "favors": "2"}),
        ("Tactician's choice: Master of Arms", {"chosen": "Master of Arms"}),
        ("Commander: Ann / Bo", {"commander": "Ann / Bo"}),
    ],
)
def test_the_commander_of_a_deck_is_named_in_the_words_of_the_rules(lines: str, headers: dict[str, str]) -> None:
    """A class stands for its Path and Role, two keys may share a line, and words are kept by their keys (R-163)."""
    deck, findings = deck_of("rishar", f"Game: rishar\n{lines}\n2 Spearmen\n")
    assert {key: deck.headers.get(key) for key in headers} == headers
    assert not findings


def test_a_class_that_differs_from_path_and_role_is_a_finding() -> None:
    """The first word counts, and an unknown class is named with what is near."""
    _, differing = deck_of("rishar", "Game: rishar\nPath: Magic\nClass: Scout\n2 Spearmen\n")
    assert [finding.code for finding in differing] == ["line_unread"] and "path is given twice" in differing[0].message
    _, unknown = deck_of("rishar", "Game: rishar\nClass: Scoot\n2 Spearmen\n")
    assert [finding.code for finding in unknown] == ["line_unread"] and "scout" in (unknown[0].fix or "")


FIELD = "\n".join(
    [*(f"4 {line}{k}" for line in "VH" for k in range(1, 6)), "4 x", "4 All", *(f"F{k}" for k in range(1, 7))]
)


def test_a_deck_of_guarda_names_its_cards_by_what_stands_on_them() -> None:
    """V1 is the column of the deck's own field, in any case (G-95, G-97)."""
    deck, findings = deck_of("guarda", f"Game: guarda\nFormat: 5\u00d75\n{FIELD}\n")
    assert {entry.card.get("n") for entry in deck.entries if entry.card} == {5}
    assert sum(entry.count for entry in deck.entries) == 54
    assert [finding.code for finding in findings] == ["count_assumed"]
    larger, _ = deck_of("guarda", "Game: guarda\n4 V6\n", format_="6x6")
    assert [entry.ref for entry in larger.entries] == ["6-V6"]
    _, none = deck_of("guarda", "Game: guarda\n4 V6\n")
    assert [finding.code for finding in none] == ["card_unknown"], "the usual field has five columns"


def test_a_deck_of_guarda_is_checked_on_the_field_that_is_asked_for(call: Call) -> None:
    """What stands on the cards is meant for the format of the command line, too; modes have the manual's words."""
    lines = "\n".join([*(f"4 {line}{k}" for line in "VH" for k in range(1, 7)), *(f"1 F{k}" for k in range(1, 7))])
    head = "Game: guarda\nMode: King of the Hill mode\nPlayers: Ann, Bo, Cy"
    Path("six.txt").write_text(f"{head}\n{lines}\n", "utf-8")
    assert call("check", "six.txt", "--format", "6\u00d76").code == 0
    assert call("check", "six.txt").code == 1


def test_a_deck_of_the_solo_method_names_module_and_pile_as_the_sheets_do() -> None:
    """`Module: Washington’s War` is a format, and the common pile a section."""
    deck, findings = deck_of("cdg-solo", "Game: cdg-solo\nModule: Washington\u2019s War\nCommon pile\n1 Envoy\n")
    assert deck.headers["format"] == "washingtons-war" and {entry.section for entry in deck.entries} == {"main"}
    assert [finding.code for finding in findings] == ["card_unknown"]


@pytest.mark.parametrize(
    ("query", "refs"),
    [
        ("game:rishar role:Aggressor path:steel", ["RIS-001", "RIS-002", "RIS-005"]),
        ("game:rishar role:Guardians path:steel strength<3", ["RIS-008"]),
        ("game:guarda pattern:V2 field:5", ["5-V2"]),
        ("unit:Spearmen", ["RIS-001"]),
    ],
)
def test_a_query_names_fields_as_the_headings_of_a_card_file(call: Call, query: str, refs: list[str]) -> None:
    """A field of a query may be called by its label, or as the rules call it: a card's type is its Role in Rishar."""
    assert [card["ref"] for card in call("cards", query, "--json").json()["cards"]] == refs


def test_an_export_takes_the_queries_of_a_search(call: Call) -> None:
    """`game:` and the headings of a card file are understood there, too."""
    told = call("export", "game:rishar", "role:Ritual", "--game", "rishar", "-o", "r.json")
    assert told.code == 0 and '"RIS-015"' in Path("r.json").read_text("utf-8")
