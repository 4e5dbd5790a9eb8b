"""What a question may say: no key that nothing declares, and words of closed lists however they are written."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, get_args

import pytest

import carddb
from carddb.games import folders
from carddb.games.cahrd.play import turn as cahrd
from carddb.games.cdg_solo.play.cards import Kind
from carddb.games.empires_and_generals.play import turn as eg
from carddb.games.guarda.play.field import Seat
from carddb.games.guarda.play.players import ModeName
from carddb.games.rishar.play import fields as rishar
from carddb.games.schemas import key_texts, with_key_texts
from tests.games.referee_samples import cases, game
from tests.rows import every

OPERATIONS = [(key, name) for key in folders() for name in game(key).operations]

Steps = tuple[Any, ...]


class Place(NamedTuple):
    """A place in a question: the keys and positions that lead to it, and what its schema is."""

    steps: Steps
    schema: Mapping[str, Any]


@cache
def questions(key: str, name: str) -> tuple[Any, ...]:
    """The questions of the cases of an operation that have no fault of form."""
    return tuple(
        case.given
        for case in cases()
        if (case.game, case.op) == (key, name) and "bad_input" not in case.expect.values()
    )


def places(schema: Mapping[str, Any], data: Any, parts: Mapping[str, Any], steps: Steps = ()) -> Iterator[Place]:
    """Every place of a question, by the schema of its form."""
    if "$ref" in schema:
        yield from places(parts[schema["$ref"].rpartition("/")[2]], data, parts, steps)
        return
    for choice in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from places(choice, data, parts, steps)
    yield Place(steps, schema)
    if isinstance(data, Mapping):
        for key, value in data.items():
            inner = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
            yield from places(inner, value, parts, (*steps, key)) if isinstance(inner, dict) else ()
    elif isinstance(data, list) and isinstance(schema.get("items"), dict):
        for at, value in enumerate(data):
            yield from places(schema["items"], value, parts, (*steps, at))


def places_of(key: str, name: str) -> Iterator[tuple[Any, Place]]:
    """Every question of an operation with each of its places."""
    schema = game(key).operations[name].question.model_json_schema()
    for question in questions(key, name):
        for place in places(schema, question, schema.get("$defs", {})):
            yield question, place


def at(data: Any, steps: Steps) -> Any:
    for step in steps:
        data = data[step]
    return data


def changed(question: Any, steps: Steps, change: Callable[[Any], Any]) -> Any:
    """A copy of a question in which one place is another value."""
    if not steps:
        return change(question)
    new = copy.copy(question)
    new[steps[0]] = changed(question[steps[0]], steps[1:], change)
    return new


def always(word: str) -> Callable[[Any], Any]:
    """A change that puts a word in the place of whatever was there."""
    return lambda _: word


@every("key, name", OPERATIONS)
@pytest.mark.full
def test_an_unknown_key_of_any_declared_object_is_bad_input(key: str, name: str) -> None:
    """Wherever an object is declared, a key that it does not have is bad input with its path, before all reasons."""
    operation, spec = game(key).operations[name], game(key).spec
    seen: set[int] = set()
    for question, place in places_of(key, name):
        declared = place.schema.get("additionalProperties") is False and isinstance(at(question, place.steps), Mapping)
        if declared and id(place.schema) not in seen:
            seen.add(id(place.schema))
            answer = operation.ask(spec, changed(question, place.steps, lambda part: {**part, "zzz": 1}))
            path = ".".join(map(str, (*place.steps, "zzz")))
            assert (answer[spec.refusal_key], answer["path"], answer["did_you_mean"]) == ("bad_input", path, None)
    assert seen, "no case asks it"


@every("key, name", OPERATIONS)
def test_an_unknown_option_is_bad_input(key: str, name: str) -> None:
    """`options` is a key of every question, and has the game's options and no others."""
    operation, spec = game(key).operations[name], game(key).spec
    question = questions(key, name)[0]
    plain = operation.ask(spec, question)
    assert "options" in question or operation.ask(spec, {**question, "options": {}}) == plain
    assert operation.ask(spec, {**question, "options": {"zzz": 1}})["path"] == "options.zzz"


@every("key, name", OPERATIONS)
@pytest.mark.full
def test_every_closed_word_is_taken_folded(key: str, name: str) -> None:
    """A word of a closed field in capitals, and with spaces for underscores, has the answer of the word itself."""
    operation, spec = game(key).operations[name], game(key).spec
    seen: set[int] = set()
    for question, place in places_of(key, name):
        if "enum" not in place.schema or id(place.schema) in seen or not isinstance(at(question, place.steps), str):
            continue
        seen.add(id(place.schema))
        for word in place.schema["enum"]:
            answer = operation.ask(spec, changed(question, place.steps, always(word)))
            for form in (word.upper(), word.lower(), f" {word.replace('_', ' ')} ", word.replace("_", "-")):
                assert operation.ask(spec, changed(question, place.steps, always(form))) == answer, form


@every(
    "operation, question, answer",
    [
        ("cahrd.action_allowed", {"action": "Draw Card", "step": "Draw Step"}, {"ok": True}),
        ("cahrd.mulligan_needed", {"hand": ["Officers"] * 3 + ["Tactics"] * 4}, {"officers": 3, "mulligan": False}),
        ("eg.play_card", {"phase": "Harvest Phase", "zone": "Supply Line"}, {"ok": True, "ledger": ["X-1"]}),
        ("eg.move_unit", {"phase": "Attack Phase", "type": "Soldiers", "from": "War Camp"}, {"zone": "battlefield"}),
        ("cahrd.action_allowed", {"action": "Play an item", "step": "Strategy Step"}, {"ok": True}),
        ("cahrd.action_allowed", {"action": "recruit an officer", "step": "Battle Step"}, {"reason": "wrong_step"}),
        ("cahrd.declare_vanguard", {"chooser": "initiative player", "target": "Grain counters"}, {"ok": False}),
        ("cahrd.activate", {"kind": "Officer trait", "reserves": 0}, {"goes_to": "field"}),
        ("cahrd.war_status", {"players": ["A", "B"], "results": ["A", "Draw"]}, {"state": "open"}),
        ("eg.resolve_attack", {"target": "Battlefield", "event": "Defender removed"}, {"outcome": "B2"}),
        ("eg.play_card", {"phase": "Harvest Phase", "zone": "Resource Area"}, {"ok": True}),
        ("eg.balanced_advice", {"counts": {"Generals": 5}}, {"ok": True}),
        ("eg.format_check", {"predestination": {"No Act of God": True}}, {"violations": ["format_act_of_god"]}),
        ("guarda.cells", {"card": "V1", "orientation": "Attack", "seat": "South"}, {"ok": True}),
        ("guarda.victory", {"mode": "King of the Hill", "players": []}, {"ok": True}),
        ("rishar.class", {"path": "Path of Steel", "role": "Aggressors"}, {"class": "master_of_arms"}),
        ("rishar.dice", {"off_role": "Aggressor", "def_role": "Healers"}, {"off": 2}),
        ("cdg.game_data", {"game": "PoG", "path": "id"}, {"value": "paths-of-glory"}),
        ("cdg.exceptions", {"game": "Paths of Glory", "hook": "Swap Bonus"}, {"numbers": []}),
    ],
)
def test_printed_words_are_taken(operation: str, question: dict[str, Any], answer: dict[str, Any]) -> None:
    """Labels, plurals and the words of the documents stand for their keys."""
    further: dict[str, dict[str, Any]] = {
        "cahrd.action_allowed": {"turn": 1, "player_turn": 1, "initiative": True},
        "eg.play_card": {"type": "Resource", "ref": "X-1", "rarity": "Ultra Rare", "ledger": []},
        "eg.move_unit": {"to": "Battlefield"},
        "eg.resolve_attack": {"blocker": True},
        "eg.format_check": {"card": {"ref": "A", "name": "Flood", "type": "Strategy", "act_of_god": True}},
    }
    found = carddb.judge(operation, {**further.get(operation, {}), **question})
    assert {key: found.get(key) for key in answer} == answer


@every("operation, card, answer", [
        (
            "cahrd.validate_card",
            {"Name": "A", "Type": "Officer", "LDR": 3, "War": 4, "Intelligence": 2, "CHM": 3, "Men Under Command": 4,
             "Recruitment Cost": 25000, "Trait": "t", "Positions of the trait": ["Strategist"]},
            {"valid": True, "warnings": []},
        ),
        ("cahrd.validate_card", {"name": "A", "type": "Tactic", "Cost": 5000, "Effect": "e"}, {"valid": False}),
        ("cahrd.validate_card", {"name": "A", "type": "Item", "Cost": 5000, "Effect": "e", "disregards effects": "yes"},
         {"valid": True}),
        ("eg.validate_card", {"ref": "1", "name": "A", "type": "Soldier", "Rarity": "Common", "Strength": 5, "Life": 6},
         {"valid": True}),
    ])  # fmt: skip
def test_a_card_of_a_question_has_the_headings_of_a_card_file(
    operation: str, card: dict[str, Any], answer: dict[str, Any]
) -> None:
    """A card inside a question names its fields by label too; yes and no are booleans."""
    found = carddb.judge(operation, {"card": card})
    assert {key: found.get(key) for key in answer} == answer


@pytest.mark.parametrize(
    ("values", "predestination", "violations"),
    [
        ({"era": "Antiquity"}, "ancient_rumble", []),
        ({"era": "ANTIQUITY"}, "knights_of_valor", ["format_era"]),
        ({"year": -216, "great_mystery": "yes"}, "classic", ["format_great_mystery"]),
    ],
    ids=str,
)
def test_a_card_of_a_question_has_its_open_words_folded(
    values: dict[str, Any], predestination: str, violations: list[str]
) -> None:
    """Era is open, but a known one is that one however it is written: a card of Antiquity is in Ancient Rumble."""
    card = {"ref": "1", "name": "A", "type": "soldier", "rarity": "common", "strength": 5, "life": 6, **values}
    answer = carddb.judge("eg.format_check", {"card": card, "predestination": predestination})
    assert answer["violations"] == violations


def words(annotation: Any) -> list[str]:
    """The keys of a list of words."""
    return list(get_args(get_args(annotation)[0]))


def test_lists_are_those_of_the_game() -> None:
    """The closed lists of questions have the keys of the game's own tables."""
    data = {key: game(key).spec.data for key in folders()}
    empires, rishars = data["empires-and-generals"], data["rishar"]
    assert words(eg.Phase) == [phase["key"] for phase in empires["phases"]]
    assert words(eg.Zone) == [*(zone["key"] for zone in empires["zones"]), "hand", "removed"]
    assert words(eg.GameType) == list(empires["game_types"])
    assert sorted(words(eg.CardType)) == sorted(game("empires-and-generals").spec.types)
    assert words(cahrd.Step) == [step["key"] for step in data["cahrd"]["turn"]["steps"]]
    assert words(cahrd.Action) == list(data["cahrd"]["turn"]["actions"])
    assert words(cahrd.Zone) == ["hand", *(zone["key"] for zone in data["cahrd"]["mat"]["zones"])]
    assert sorted(words(cahrd.CardType)) == sorted(game("cahrd").spec.types)
    assert sorted(words(cahrd.RestrictedList)) == sorted(data["cahrd"]["imd"]["lists"].values())
    assert words(ModeName) == list(data["guarda"]["modes"])
    assert words(Seat) == list(data["guarda"]["seating"]["4"])
    assert words(rishar.Path) == list(rishars["paths"])
    assert sorted(words(rishar.CommanderRole)) == sorted(rishars["powers"]["grid"])
    assert sorted(get_args(rishar.ClassName)) == sorted(rishars["powers"]["classes"])
    assert words(Kind) == list(game("cdg-solo").spec.fields["kinds"].of)


@every("key", folders())
def test_positions_say_from_what_they_count(key: str) -> None:
    """A field that numbers something says in its description whether it counts from 0 or from 1."""
    numbered = {"index", "targets", "commander", "strategist", "lieutenant", "turn", "player_turn"}
    for operation in game(key).operations.values():
        schema = with_key_texts(operation.question.model_json_schema(), key_texts(game(key).spec))
        for part in (schema, *schema.get("$defs", {}).values()):
            for name in numbered & set(part.get("properties", {})):
                field = part["properties"][name]
                forms = [form for form in (field, *field.get("anyOf", ())) if form.get("type") == "integer"]
                said = [form.get("description", field.get("description", "")) for form in forms]
                assert all("counted from" in text for text in said), (operation.name, name)
