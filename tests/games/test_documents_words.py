"""Questions of Guarda, Rishar and the solo method in their documents' words have the rules' answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import carddb
from carddb.core.errors import UsageError
from carddb.core.names import fold_word
from carddb.deck.check.formats import format_key
from tests.conftest import Told
from tests.rows import every

Call = Callable[..., Told]
SPEARMEN = {"strength": 2, "path": "Path of Steel", "role": "Aggressor", "traits": ["Reach"]}
SAVANT = {"strength": 1, "path": "Steel", "role": "Savant"}
ATTACK: dict[str, Any] = {"attacker": {"seat": "South", "cell": [5, 3], "health": 10, "team": None}, "cards": ["V3"]}
DEFENDER = {"id": "b", "seat": "North side", "cell": [1, 3], "health": 10, "team": None, "hand": ["V3"]}
HEAL: dict[str, Any] = {
    "healer": {"role": "Healer", "strength": 2, "trained": False, "pile": "in hand"},
    "target": {"strength": 4, "trained": False, "pile": "Disabled pile"},
    "morale": 3,
}
SAVE: dict[str, Any] = {"favors": 1, "influence": 1, "morale": 3}
PLAIN = {"ops": 2, "kinds": ["Ops", "Event"]}
TABLE: dict[str, Any] = {
    "display": {"A": ["a+"], "B": ["b+"], "C": [], "D": ["d+"], "E": ["e-"], "pile": ["p1+", "p2-", "p3-"]},
    "cards": dict.fromkeys(("a", "b", "d", "e", "p1", "p2", "p3"), PLAIN),
    "u": 5,
    "flags": {},
}


def with_card(**card: Any) -> dict[str, Any]:
    """The table with another card in A."""
    return {**TABLE, "cards": {**TABLE["cards"], "a": {**PLAIN, **card}}}


def check(operation: str, question: dict[str, Any], answer: dict[str, Any]) -> None:
    """The answer has what is expected of it."""
    found = carddb.judge(operation, question)
    assert {key: found.get(key) for key in answer} == answer


@every("operation, question, answer", [
        ("cells", {"card": "V2", "orientation": "towards the field", "seat": "South side"},
         {"cells": [[row, 2] for row in range(1, 6)]}),
        ("cells", {"card": "V2", "orientation": "Pointer towards the player", "seat": "South"},
         {"cells": [[row, 4] for row in range(1, 6)]}),
        ("cells", {"card": "V2", "orientation": "sideways", "seat": "South"}, {"reason": "bad_orientation"}),
        ("draw_phase", {"hand": 3, "draw": 2, "burn": 9, "mode": "Exhaustion mode"}, {"eliminated": True}),
        ("check_game", {"players": [{"id": 1}, {"id": 2}], "mode": "King of the Hill mode"}, {"errors": []}),
        ("guard_action", {"action": "Prepare a guard", "card": "V1", "phase": "Reaction phase"},
         {"reason": "wrong_phase"}),
        ("guard_action", {"action": "set the guard", "phase": "start of Act", "orientation": "defending",
                          "guard": {"card": "V1", "state": "in preparation"}},
         {"guard": {"card": "V1", "state": "set", "orientation": "defence"}}),
        ("guard_action", {"action": "activating", "under_attack": True, "phase": "under attack",
                          "guard": {"card": "V1", "state": "upright", "orientation": "attack"}}, {"burned": ["V1"]}),
        ("attack", {**ATTACK, "opponents": [{**DEFENDER, "reaction": {"type": "hand cards", "cards": ["V3"]}}]},
         {"dealt": {"attacker": 0, "b": 0}}),
        ("attack", {**ATTACK, "opponents": [{**DEFENDER, "reaction": {"type": "the set guard"},
                                             "guard": {"card": "V3", "state": "Set", "orientation": "attacking"}}]},
         {"attacker": {"damage": 3, "health": 7}}),
    ])  # fmt: skip
def test_guarda_understands_its_manual(operation: str, question: dict[str, Any], answer: dict[str, Any]) -> None:
    """Sides, orientations, modes, phases, guards and reactions may be called as the manual calls them."""
    check(f"guarda.{operation}", question, answer)


@every("operation, question, answer", [
        ("skirmish", {"off": SPEARMEN, "def": SAVANT, "rolls": {"off": [4, 2], "def": [3]},
                      "mods": [{"to": "defender", "add": 1, "from": "another card"}]},
         {"totals": {"off": 7, "def": 7}}),
        ("skirmish", {"off": SPEARMEN, "def": SAVANT, "rolls": {"off": [4, 2], "def": [3]},
                      "mods": [{"to": "Defense", "add": 1, "from": "Commander power"}]},
         {"totals": {"off": 7, "def": 5}}),
        ("turn", {"offense_can_play": True, "offense_choice": "Passes", "defense_can_play": True,
                  "defense_choice": "play", "previous": "Passed"}, {"result": "pass", "battle_ends": True}),
        ("turn", {"offense_can_play": True, "offense_choice": "plays", "defense_can_play": False,
                  "defense_choice": "is Unable"}, {"result": "no_defender"}),
        ("phase_two_first", {"last_defense_by": None, "first_turn": "Commander A"}, {"first": "b"}),
        ("heal", {**HEAL, "timing": "after any Skirmish"}, {"morale_after": 2, "target_pile": "hand"}),
        ("heal", {**HEAL, "timing": "during a Skirmish"}, {"reason": "wrong_time"}),
        ("save", {**SAVE, "commander": "player-character Commander", "pay": "half an Influence"},
         {"influence_after": 0.5}),
        ("save", {**SAVE, "commander": "non-player Commander", "pay": "3 Morale"}, {"routed": True}),
        ("save", {**SAVE, "commander": "player", "pay": "one Favor", "cause": "in a rout",
                  "options": {"rout saves": "Forbidden"}}, {"reason": "not_in_rout"}),
        ("rout", {"units": [{"id": "a", "pile": "Exhausted pile", "role": "Guardian"},
                            {"id": "b", "pile": "in hand", "role": "Guardian"}], "rolls": [5]}, {"killed": ["a"]}),
        ("mindblade", {"results": ["Won", "wins", "end of the Phase"]}, {"available": [0, 1, 2, 0]}),
        ("battlemage", {"events": [5, "Phase ends", 5]}, {"piles": ["exhausted", "exhausted"]}),
        ("power_use", {"class": "Evoker", "timing": "during a Skirmish", "used_battle": 3},
         {"reason": "limit_battle"}),
        ("check_card", {"card": {"id": "soldier", "Name": "Soldier", "Strength": 1, "Path": "Steel",
                                 "Role": "Aggressor", "Traits": ["Reach"]}}, {"errors": [], "warnings": []}),
        ("check_card", {"card": {"id": "lab", "name": "Lab", "strength": 0, "path": "Steel", "role": "Equipment",
                                 "Granted by": "Chirurgeon", "Never Killed": "yes"}}, {"errors": []}),
    ])  # fmt: skip
def test_rishar_understands_its_army_rules(operation: str, question: dict[str, Any], answer: dict[str, Any]) -> None:
    """Sides, armies, choices, piles, prices, times and the headings of cards may be called as the rules call them."""
    check(f"rishar.{operation}", question, answer)


@every("operation, question, answer", [
        ("flips", {"layout": "one card in C", "result": "C/Jolly Roger",
                   "display": {"A": ["a+"], "B": ["b+"], "C": ["x-"], "D": ["d-"], "E": ["e-"], "pile": []}},
         {"flipped": ["x"]}),
        ("chits", {"total": 7, "flipped": 2, "action": "Remove a chit", "n": 1}, {"total": 6, "flipped": 2}),
        ("apply_play", {**with_card(**{"Removed after": "Event"}), "game": "Paths of Glory", "result": "A or B",
                        "card": "a", "mode": "as its event"}, {"destination": "removed"}),
        ("apply_play", {**with_card(kinds=["Ops", "Future Offensives"]), "game": "Empire of the Sun",
                        "result": "A, B or C", "card": "a", "mode": "hold as FO"}, {"destination": "fo"}),
        ("combat_play", {**with_card(kinds=["Combat Event card"]), "game": "Paths of Glory", "card": "a",
                         "role": "attacking side", "mode": "play"}, {"allowed": True, "chit_flips": 1}),
        ("legal_choices", {**with_card(Name="Emancipation Proclamation"), "game": "For the People", "side": "Union",
                           "result": "A or B", "flags": {"conditions_met": ["a"]}}, {"forced": "first_opportunity"}),
        ("round_start", {**with_card(deck="Japanese", number=43), "game": "Empire of the Sun", "u": 1,
                         "flags": {"side": "Japanese", "conditions_met": ["a"]}}, {"reason": "mandatory_last"}),
        ("exceptions", {"game": "Empire of the Sun", "deck": "Allies", "hook": "flip opponent chit"},
         {"numbers": [60, 67, 72]}),
        ("exceptions", {"game": "Washington\u2019s War", "hook": "opponent random discard"},
         {"numbers": [84, 97, 102, 106, 109]}),
        ("exceptions", {"game": "Empire of the Sun", "deck": "Aliens"}, {"error": "bad_input", "path": "deck"}),
    ])  # fmt: skip
def test_the_solo_method_understands_its_source_book(
    operation: str, question: dict[str, Any], answer: dict[str, Any]
) -> None:
    """Layouts, roles, uses, chits, kinds, decks, games and the headings of cards may be called as the sheets do."""
    check(f"cdg.{operation}", question, answer)


@pytest.mark.parametrize(
    ("key", "term", "rule"),
    [
        ("cahrd", "Items of Mass Destruction", "C-143"),
        ("cahrd", "IMD", "C-146"),
        ("cahrd", "Timing Speeds", "C-110"),
        ("cahrd", "Base Stats", "C-14"),
        ("empires-and-generals", "7, 8, Mine", "E-47"),
        ("empires-and-generals", "7,8,Mine", "E-47"),
        ("empires-and-generals", "Table Courtesy", "E-13"),
        ("empires-and-generals", "Rotation", "E-63"),
        ("empires-and-generals", "Slaughterhouse", "E-53"),
        ("guarda", "Know when to fold ’em", "G-94"),
        ("cdg-solo", "Portability", "S-8"),
        ("cdg-solo", "#3a", "S-79"),
        ("rishar", "Fair Escape", "R-92"),
        ("guarda", "Column 2", "G-15"),
        ("guarda", "Row 1 of 5×5", "G-15"),
        ("guarda", "All cells", "G-15"),
        ("guarda", "Non-Playing Cards", "G-14"),
        ("empires-and-generals", "Deck (40 cards)", "E-14"),
        ("empires-and-generals", "Resource (Supply) Deck", "E-16"),
        ("rishar", "LIMIT 1 card", "R-39"),
        ("Rishar: the army rules", "Commander", "R-3"),
    ],
)
def test_explain_understands_the_terms_of_a_document(call: Call, key: str, term: str, rule: str) -> None:
    """A word, a heading or a name of a game's document shows the rules about it, a reading of ours with its mark."""
    found = {entry["name"] for entry in call("explain", term, "--game", key, "--json").json()["entries"]}
    assert rule in found


@pytest.mark.parametrize(
    ("word", "key"),
    [("War", "long"), ("Battle", "short"), ("IMD", "short"), ("Items of Mass Destruction", "short"),
     ("Long list", "long"), ("C.A.H.R.D.:War", "long"), ("short", "short")],
)  # fmt: skip
def test_a_ban_list_is_known_by_its_title_and_the_documents_words(call: Call, word: str, key: str) -> None:
    """`bans show` takes a list's own title and what the rulebook calls it; of both the usual format's."""
    assert call("bans", "show", word, "--json").json()["list"]["key"] == key


@every("word", ["10) Up to date", "10b", "10 Up to date", "Up to date", "up_to_date"])
def test_a_predestination_is_known_by_number_and_name(word: str) -> None:
    """`--format` takes a Predestination as the document writes it; 10 alone is two of them (E-44)."""
    spec = carddb.open().game("empires-and-generals").spec
    assert format_key(spec, word) == "up_to_date" and format_key(spec, "2") == "ancient_rumble"
    with pytest.raises(UsageError, match="no format 10"):
        format_key(spec, "10")


@pytest.mark.parametrize("title", ["C.A.H.R.D.", "CAHRD", "Empires and Generals", "Guarda", "CDG Solo Method"])
def test_a_game_is_known_by_its_title(call: Call, title: str) -> None:
    """Wherever a game's key stands, its title may stand too."""
    (entry,) = call("games", title, "--json").json()["games"]
    assert fold_word(entry["name"]).replace(".", "") == fold_word(title).replace(".", "")


def test_a_deck_is_read_under_the_documents_headings(call: Call, folder: Path) -> None:
    """Headings as the documents print them begin their parts, and Guarda's patterns are known in a format's words."""
    (folder / "g.deck").write_text(
        "Game: guarda\nFormat: 6x6\n\nDeck (8 cards)\n4 Column 2\n4 Row 1\n\nNon-Playing Cards\n1 F1\n", "utf-8"
    )
    (folder / "e.deck").write_text(
        "Game: Empires and Generals\n\nDeck (1 cards)\n1 Hannibal Barca\nResource (Supply) Deck\n1 Silver of Iberia\n",
        "utf-8",
    )
    for name in ("g.deck", "e.deck"):
        codes = {found["code"] for found in call("check", name, "--json").json()["findings"]}
        assert codes.isdisjoint({"card_unknown", "section_unknown", "resource_in_playing", "count_claim_differs"})
