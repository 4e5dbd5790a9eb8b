"""Rishar: its files, deck checks and odds for people, and that any question has an answer."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.cards.cards import Pool
from carddb.deck import Context, check
from carddb.deck.context import ANY_DAY
from carddb.findings import Finding, Severity
from carddb.game.frozen import as_plain
from carddb.games.rishar.rules import CHECKS, ODDS, OPERATIONS
from carddb.read.cards.file import CardReading, read_cards
from carddb.read.decks.text import read_deck
from tests.games.referee_samples import cases
from tests.games.rishar.samples import BOOK, SPEC, ask, card, sample_pool
from tests.rows import every

POOL = sample_pool()
HEADER = "Path: Steel\nRole: Healer\nProgression: 6\n## Army\n"


# The files


def test_book() -> None:
    """The book has every rule from R-1 to R-184 with tag, section and words; codes and data name only such rules."""
    assert list(BOOK["rules"]) == [f"R-{number}" for number in range(1, 185)]
    for rule in BOOK["rules"].values():
        assert rule["tag"] in ("S", "P", "H") and rule["section"] and (rule["text"] or rule["ruling"])
    named = re.findall(r"\bR-\d+\b", json.dumps([BOOK, as_plain(SPEC)]))
    assert set(named) <= set(BOOK["rules"])


def test_every_code_is_shown() -> None:
    """A case's answer has each code of the book as reason, error or warning, or a test names it."""
    answers = [case.expect for case in cases() if case.game == SPEC.key]
    shown = {code for answer in answers for name in ("errors", "warnings") for code in answer.get(name, ())}
    shown |= {answer["reason"] for answer in answers if "reason" in answer}
    tests = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert {code for code in set(BOOK["codes"]) - shown if f'"{code}"' not in tests} == set()


STARRED = {
    "unable_defense": ("no_effect", "unopposed"),
    "unopposed_card": ("exhausted", "hand"),
    "tie_base": ("trained", "printed"),
    "reroll_margin": ("rerolled", "no_kill"),
    "savant_stack": ("each", "once"),
    "rout_saves": ("allowed", "forbidden"),
}
DOCUMENTED = {
    "reach_unopposed": ("no", "yes"),
    "ritual_scope": ("roster", "living"),
    "both_pass": ("consecutive", "any"),
    "last_morale": ("allowed", "forbidden"),
    "mindblade_cap": ("2", "none"),
    "upkeep_basis": ("present", "played"),
    "training_mix": ("no", "yes"),
}


def test_options() -> None:
    """R-52, R-53, R-68, R-70, R-90, R-107: six readings can be chosen, seven others are only documented."""
    assert set(SPEC.options) == {*STARRED, *DOCUMENTED}
    for name, (default, other) in {**STARRED, **DOCUMENTED}.items():
        option = SPEC.options[name]
        assert option.default == default and option.label and len(option.rules) == 1
        assert BOOK["rules"][option.rules[0]]["ruling"]["option"] == name
        assert option.of == ((default, other) if name in STARRED else (default,))
        for value in (default, other):
            answer = ask("tactician_choices", options={name: value})
            refused = name in DOCUMENTED and value == other
            assert answer.get("reason") == ("option_not_supported" if refused else None)


def test_the_four_known_cards() -> None:
    """R-24 to R-26, R-38, R-39, R-132, R-146, R-162: the cards of the source are sound, the unknown ones marked."""
    cards = {card.name: card for card in list(POOL)[:4]}
    assert [(name, one.get("strength"), one.get("path"), one.type) for name, one in cards.items()] == [
        ("Spearmen", 2, "steel", "aggressor"),
        ("Soldier", 1, "steel", "aggressor"),
        ("Alchemy Lab", 0, "steel", "equipment"),
        ("Mediating Chaplain", 0, "faith", "savant"),
    ]
    assert cards["Spearmen"].get("traits") == ["reach"] and cards["Soldier"].get("discard_bonus") == 1
    assert cards["Soldier"].get("special")["name"] == "Watch Out!"
    assert cards["Alchemy Lab"].get("never_killed") is cards["Mediating Chaplain"].get("no_damage") is True
    assert [one.name for one in POOL if one.get("placeholder")] == ["Alchemy Lab", "Mediating Chaplain"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("A,archer,1,steel,,,", "role_unknown"),
        ("A,healer,-1,steel,,,", "strength_bad"),
        ("A,healer,1.5,steel,,,", "strength_bad"),
        ("A,healer,1,iron,,,", "path_unknown"),
        ("A,healer,1,,,,", "path_unknown"),
        ("A,healer,1,steel,2,,", "training_over_limit"),
        ("A,healer,1,steel,,-1,", "upkeep_bad"),
        ("A,healer,1,steel,,,x", "recruit_cost_bad"),
        (",healer,1,steel,,,", "name_missing"),
    ],
)
def test_cards_files_have_the_same_codes(tmp_path: Path, line: str, code: str) -> None:
    """R-162: what a question about a card answers, the reader of a file finds."""
    path = tmp_path / "cards.csv"
    path.write_text(f"name,type,strength,path,training,upkeep,recruit_cost\n{line}\n", "utf-8")
    found = read_cards(path, CardReading(SPEC, "test", tmp_path)).findings
    assert [finding.code for finding in found] == [code]


# Decks


def judged(text: str, pool: Pool = POOL, **chosen: str) -> list[Finding]:
    deck, findings = read_deck(text, SPEC, pool, "army.deck")
    return [*findings, *check(deck, SPEC, pool, Context(ANY_DAY, options=SPEC.readings_with(chosen)), CHECKS)]


def codes(text: str, pool: Pool = POOL) -> list[str]:
    return [finding.code for finding in judged(text, pool)]


def test_legal_deck() -> None:
    """R-33, R-34, R-163: an army with its Commander's header is legal, however the words are written."""
    assert codes(HEADER + "40 Spearmen\n1 Alchemy Lab\n") == []
    header = (
        "Commander: Ann\nPath: FAITH\nRole: savant\nKind: npc\nProgression: 0\nBase-bonus: 2\nFavors: 1\n"
        "Influence: 1.5\nDervish: Mind\nChosen: Master of Arms\n## Army\n"
    )
    assert codes(header + "2 Soldier\n1 Mediating Chaplain\n") == []


@every(
    "header, code, rule",
    [
        ("Path: Iron\nRole: Healer", "commander_path_unknown", "R-40"),
        ("Role: Healer", "commander_path_unknown", "R-40"),
        ("Path: Steel\nRole: Equipment", "commander_role_unknown", "R-40"),
        ("Path: Steel", "commander_role_unknown", "R-40"),
        ("Path: Steel\nRole: Healer\nProgression: -1", "progression_bad", "R-43"),
        ("Path: Steel\nRole: Healer\nProgression: many", "progression_bad", "R-43"),
        ("Path: Steel\nRole: Healer\nBase-bonus: -1", "base_bonus_bad", "R-44"),
        ("Path: Steel\nRole: Healer\nKind: king", "field_invalid", "R-163"),
        ("Path: Steel\nRole: Healer\nFavors: 1.5", "field_invalid", "R-163"),
        ("Path: Steel\nRole: Healer\nInfluence: 0.7", "field_invalid", "R-163"),
        ("Path: Steel\nRole: Healer\nDervish: dogs", "field_invalid", "R-163"),
        ("Path: Steel\nRole: Healer\nChosen: wizard", "field_invalid", "R-163"),
    ],
)
def test_headers(header: str, code: str, rule: str) -> None:
    """R-40, R-43, R-44, R-163: each fault of the Commander is found where it stands."""
    (found,) = judged(f"{header}\n## Army\n2 Spearmen\n")
    assert (found.code, found.severity) == (code, Severity.ERROR) and rule in found.rules and found.fix
    if header.splitlines()[-1].partition(":")[0] not in ("Role", "Path") or "Iron" in header or "Equipment" in header:
        assert found.where[0].line > 0


def test_granted_cards_of_a_deck() -> None:
    """R-38, R-39: with the class in the finding; a Tactician may bring the Alchemy Lab."""
    (found,) = judged(HEADER + "1 Spearmen\n1 Mediating Chaplain\n")
    assert found.code == "granted_card_not_entitled" and found.data["class"] == "chirurgeon"
    assert found.fixes == ({"remove": [{"ref": "RIS-004", "count": 1}]},)
    assert codes(HEADER + "2 Alchemy Lab\n") == ["granted_card_limit"]
    assert codes("Path: Steel\nRole: Guardian\n## Army\n1 Alchemy Lab\n") == []
    assert codes("Path: Steel\n## Army\n1 Alchemy Lab\n") == ["commander_role_unknown", "granted_card_not_entitled"]


def own_pool() -> Pool:
    """Cards with remarks of every kind, and Rituals."""
    texts: list[tuple[str, dict[str, Any]]] = [
        ("Rite", {"type": "ritual"}),
        ("Loud Rite", {"type": "ritual", "strength": 1}),
        ("Titan", {"strength": 21}),
        ("Dragon", {"strength": 3, "traits": ["winged"]}),
        ("Student", {"training": 1}),
        ("Wagon", {"type": "equipment"}),
        ("Nurse", {"strength": 1}),
    ]
    base = {"type": "healer", "path": "mind"}
    return Pool(SPEC.card(f"T-{at}", {"name": name, **base, **rest}) for at, (name, rest) in enumerate(texts))


def test_remarks_of_a_deck() -> None:
    """R-25, R-26, R-34, R-35, R-37, R-62, R-161: a deck is told of all that a question about the army answers."""
    pool = own_pool()
    assert codes(HEADER + "2 Nurse\n2 Rite\n", pool) == []
    assert codes(HEADER + "2 Nurse\n3 Rite\n", pool) == ["ritual_surplus"]
    assert codes("Path: Nature\nRole: Healer\n## Army\n2 Nurse\n4 Rite\n", pool) == []
    assert codes(HEADER + "1 Nurse\n1 Rite\n", pool) == ["ritual_path_support"]
    assert codes(HEADER + "2 Wagon\n", pool) == ["army_no_fighter"]
    assert set(codes(HEADER + "1 Rite\n", pool)) == {"army_empty", "army_no_fighter", "ritual_path_support"}
    for name, code in (
        ("Titan", "strength_unusual"),
        ("Dragon", "trait_unknown"),
        ("Loud Rite", "ritual_with_strength"),
        ("Student", "training_without_strength"),
    ):
        (found,) = judged(HEADER + f"2 Nurse\n1 {name}\n", pool)
        assert found.code == code and found.cards[0].name == name
        assert found.severity is (Severity.ERROR if code == "training_without_strength" else Severity.WARNING)


def test_deck_and_question_agree() -> None:
    """R-34 to R-40: the same army gives the same codes from a deck and from a question."""
    rows = [(one, count) for one in own_pool() for count in (1, 2)]
    for one, count in rows:
        deck = set(codes(f"Path: Mind\nRole: Savant\n## Army\n{count} {one.name}\n", own_pool()))
        shown = {"id": "x", "name": one.name, "role": one.type, "path": "mind", "count": count}
        values = {"strength": one.get("strength"), "traits": one.get("traits", []), "training": one.get("training", 0)}
        found = ask("check_army", commander={"path": "mind", "role": "savant"}, cards=[{**shown, **values}])
        assert {*found["errors"], *found["warnings"]} == deck


# Odds for people


def shown(kind: str, **fields: Any) -> dict[str, Any]:
    return ODDS[kind].ask(SPEC, {name.rstrip("_"): value for name, value in fields.items()}, POOL)


def test_odds_of_named_cards() -> None:
    """R-27, R-168: by name or written out, with Reach and modifiers; the same figures as the question about odds."""
    found = shown("skirmish", off="spearmen", def_="Soldier")
    assert found["title"] == "Spearmen against Soldier"
    assert found["bars"] == [
        {"label": "Soldier Killed", "chance": "125/216"},
        {"label": "Soldier Disabled", "chance": "77/216"},
        {"label": "Spearmen Disabled", "chance": "13/216"},
        {"label": "Spearmen Killed", "chance": "1/216"},
    ]
    exact = ask("odds", off={"strength": 2, "role": "aggressor"}, def_={"strength": 1, "role": "aggressor"}, off_mod=1)
    assert {name: share for name, share in found.items() if name in exact and name != "ok"} == {
        name: share for name, share in exact.items() if name != "ok"
    }
    written = shown("skirmish", off="2 Aggressor reach", def_="healer 1", def_mod=1)
    assert written["off_kill"] == ask(
        "odds", off={"strength": 2, "role": "aggressor"}, def_={"strength": 1, "role": "healer"}, off_mod=1, def_mod=1
    )["off_kill"]  # fmt: skip


def test_odds_of_protected_cards() -> None:
    """R-111, R-132, R-147: the Alchemy Lab is Disabled, with the Mediating Chaplain nobody wins."""
    lab = shown("skirmish", off="3 aggressor", def_="Alchemy Lab")
    assert (lab["off_kill"], lab["off_disable"]) == ("0/1", "1/1")
    peace = shown("skirmish", off="9 guardian", def_="Mediating Chaplain")
    assert peace["stalemate"] == "1/1" and peace["bars"][-1] == {"label": "nobody wins", "chance": "1/1"}
    both = shown("skirmish", off="0 equipment", def_="0 equipment")
    assert both["both_killed"] == "1/1" and both["bars"][-1]["label"] == "both beaten at once"
    assert both["bars"][0]["label"] == "0 equipment on Defense Killed"


def test_odds_unopposed_and_in_a_rout() -> None:
    """R-147, R-169, R-170: the tables as bars."""
    found = shown("unopposed", off="Spearmen", off_mod=1)
    assert found["mean"] == "14/9" and [bar["chance"] for bar in found["bars"]] == ["4/9", "5/9"]
    assert shown("unopposed", off="Mediating Chaplain")["bars"] == [{"label": "0 Morale", "chance": "1/1"}]
    assert [bar["chance"] for bar in shown("rout", units=2)["bars"]] == ["4/9", "4/9", "1/9"]


@every(
    "off, reason",
    [
        ("Spearmn", "card_unknown"),
        ("archer 3", "card_unknown"),
        ("3", "card_unknown"),
        ("3 3 healer", "card_unknown"),
        ("99999 healer", "card_unknown"),
        ("3 ritual", "ritual_in_skirmish"),
    ],
)
def test_odds_of_nobody(off: str, reason: str) -> None:
    """R-62: a name that is none is answered with the nearest, a Ritual has no odds."""
    found = shown("skirmish", off=off, def_="Soldier")
    assert found["reason"] == reason and (off != "Spearmn" or found["nearest"] == ["Spearmen"])


# Anything

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["off", "a", "healer", "steel", "play"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["strength", "role", "path", "cards", "by", "choice", "off", "def"]), inner)
    ),
    max_leaves=8,
)
_FIELDS = sorted(
    {name.rstrip("_") for one in OPERATIONS.values() for name in one.question.model_json_schema()["properties"]}
)


@given(st.sampled_from(sorted(OPERATIONS)), st.dictionaries(st.sampled_from([*_FIELDS, "options"]), _JSON, max_size=8))
def test_operations_answer_anything(operation: str, question: dict[str, Any]) -> None:
    """R-171: whatever is asked, the answer is a mapping with `ok`; nothing is raised."""
    assert isinstance(OPERATIONS[operation].ask(SPEC, question)["ok"], bool)


@given(st.sampled_from(sorted(OPERATIONS)), st.data())
def test_a_sound_question_with_one_wrong_value(operation: str, data: st.DataObject) -> None:
    """R-171: a case with one field replaced has an answer, and an answer of a wrong type has the path of that field."""
    sound = [case for case in cases() if case.game == SPEC.key and case.op == operation and case.given]
    if sound:
        case = data.draw(st.sampled_from(sound))
        field = data.draw(st.sampled_from(sorted(case.given)))
        answer = OPERATIONS[operation].ask(SPEC, {**case.given, field: data.draw(_JSON)})
        assert isinstance(answer["ok"], bool)
        if answer.get("reason") == "bad_input" and "bad_input" not in str(case.expect):
            assert answer["path"]


def test_deep_nesting_is_refused() -> None:
    """R-171: nesting deeper than 50 is bad input, wherever it lies."""
    deep: Any = "x"
    for _ in range(60):
        deep = [deep]
    assert ask("check_card", card=card("x"), extra=deep) == {"ok": False, "reason": "bad_input", "path": "extra"}


def test_equipment_is_discarded_for_its_bonus() -> None:
    """R-108: what a piece of Equipment gives is on its card, for a discard as for any other."""
    found = ask("check_card", card=card("x", 0, "equipment", discard_bonus=2))
    assert found == {"ok": True, "errors": [], "warnings": []}
