"""Questions: what a function's parameters ask for, how it refuses, and what its input may look like."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest

from carddb.cards.cards import Card, Pool
from carddb.game.frozen import replaced
from carddb.game.game import GameSpec
from carddb.game.parts import OptionSpec
from carddb.play.question import (
    Answer,
    BadInput,
    Count,
    Die,
    Known,
    Many,
    Object,
    Options,
    Part,
    Refusal,
    Words,
    operation,
    operations,
    refuse,
)
from tests.rows import every

SPEC = GameSpec(
    key="toy",
    prefix="toy",
    name="Toy",
    words={"zones": {"supply_line": ("Larder",)}},
    options={
        "tie": OptionSpec(type="choice", of=("low", "high"), default="low", only_documented=("none",)),
        "cap": OptionSpec(type="choice", of=(6, 5), default=6),
        "bend": OptionSpec(),
    },
)


class Unit(Part):
    """A unit with one number."""

    strength: Count


@operation("T-1", "T-2")
def fight(off: Unit, def_: Unit, rolls: Many[Die] = (), mode: Literal["a", "b"] = "a", *, options: Options) -> Answer:
    """Who wins.

    Further words are for readers of the code.
    """
    refuse(no_rolls=not rolls, weak=off.strength < def_.strength, late=mode == "b")
    return {"winner": "off", "tie": options["tie"]}


@operation("T-3")
def class_(value: int | Literal["S"] | None = None, further: Object | None = None) -> Answer:
    """A question whose name Python keeps for itself."""
    if value == 7:
        raise Refusal("unlucky", index=3)
    if value == 8:
        raise BadInput("value.eight")
    return {"value": value}


@operation("T-4")
def known(name: str, *, pool: Pool, spec: GameSpec) -> Answer:
    """Whether a card is known."""
    return {"known": bool(pool.named(name)), "game": spec.key}


@operation("T-5")
def lie(
    place: Annotated[Literal["supply_line", "war_camp"], Words("zones")],
    choice: Known[Literal["play", "pass"]] = "play",
) -> Answer:
    """Where a card lies."""
    return {"place": place, "choice": choice}


GOOD: dict[str, Any] = {"off": {"strength": 3}, "def": {"strength": 2}, "rolls": [1, 6]}


def test_an_answer_is_ok() -> None:
    """What the function gives is the answer, with `ok` before it."""
    assert fight.ask(SPEC, GOOD) == {"ok": True, "winner": "off", "tie": "low"}


def test_names_that_python_keeps() -> None:
    """An underscore at the end of a name of the function or of a parameter is no part of the name."""
    assert class_.name == "class" and list(operations(class_)) == ["class"]
    assert fight.ask(SPEC, {**GOOD, "def": {"strength": 9}})["reason"] == "weak"


def test_the_first_reason_that_holds_is_the_refusal() -> None:
    """Reasons are tested in the order written."""
    assert fight.ask(SPEC, {**GOOD, "rolls": [], "mode": "b"}) == {"ok": False, "reason": "no_rolls"}
    assert fight.ask(SPEC, {**GOOD, "off": {"strength": 1}, "mode": "b"})["reason"] == "weak"
    assert fight.ask(SPEC, {**GOOD, "mode": "b"})["reason"] == "late"


@every(
    "change, path",
    [
        ({"off": None}, "off"),
        ({"off": {}}, "off.strength"),
        ({"off": {"strength": True}}, "off.strength"),
        ({"off": {"strength": 2.0}}, "off.strength"),
        ({"off": {"strength": -1}}, "off.strength"),
        ({"rolls": [1, 7]}, "rolls.1"),
        ({"rolls": "66"}, "rolls"),
        ({"rolls": {"0": 1}}, "rolls"),
        ({"mode": "c"}, "mode"),
        ({"options": []}, "options"),
        ({"options": {"tie": "middle"}}, "options.tie"),
        ({"options": {"cap": 7}}, "options.cap"),
        ({"options": {"bend": 1}}, "options.bend"),
    ],
)
def test_bad_input_names_the_field(change: dict[str, Any], path: str) -> None:
    """A wrong type, a missing key, a number out of range and an option's wrong value come before every reason."""
    question = {**GOOD, "rolls": [], **change}
    answer = fight.ask(SPEC, question)
    assert (answer["ok"], answer["reason"], answer["path"]) == (False, "bad_input", path)


def test_a_missing_field_is_named() -> None:
    """A field without a default is needed."""
    assert fight.ask(SPEC, {"off": {"strength": 1}})["path"] == "def"


@pytest.mark.parametrize(("value", "path"), [("T", "value"), ([], "value"), (1.5, "value")])
def test_a_field_of_several_kinds_is_named_without_them(value: Any, path: str) -> None:
    """The path of a field that may be of several kinds ends with the field."""
    answer = class_.ask(SPEC, {"value": value})
    assert (answer["reason"], answer["path"]) == ("bad_input", path)
    assert class_.ask(SPEC, {"value": "S"})["value"] == "S" and class_.ask(SPEC, {})["value"] is None


def test_a_refusal_may_tell_more() -> None:
    """A refusal raised with details has them beside its reason; bad input has its path."""
    assert class_.ask(SPEC, {"value": 7}) == {"ok": False, "reason": "unlucky", "index": 3}
    assert class_.ask(SPEC, {"value": 8}) == {"ok": False, "reason": "bad_input", "path": "value.eight"}


def test_options_in_force() -> None:
    """An option given wins over its default; choices of numbers may be written as text."""
    assert fight.ask(SPEC, {**GOOD, "options": {"tie": "high", "cap": "5"}})["tie"] == "high"


def test_a_reading_that_is_only_documented_is_refused() -> None:
    """Choosing a reading that nobody implements is refused as `option_not_supported`."""
    question = {**GOOD, "options": {"tie": "none"}}
    assert fight.ask(SPEC, question) == {"ok": False, "reason": "option_not_supported"}


def test_a_game_may_say_error_instead_of_reason() -> None:
    """With `refusal_key: error` a refusal is `{"error": reason}` and an answer has no `ok`."""
    spec = replaced(SPEC, refusal_key="error")
    assert class_.ask(spec, {"value": 7}) == {"error": "unlucky", "index": 3}
    assert class_.ask(spec, {"value": 1}) == {"value": 1}


def test_the_game_and_its_cards_are_no_fields() -> None:
    """The game and its cards are handed to a function that names them; they are unknown keys of a question."""
    pool = Pool([Card("toy", "T-1", {"name": "Spear"})])
    assert known.wants_cards and not fight.wants_cards
    assert known.ask(SPEC, {"name": "Spear"}, pool) == {"ok": True, "known": True, "game": "toy"}
    assert known.ask(SPEC, {"name": "Spear", "spec": 1}, pool)["path"] == "spec"


@every(
    "change, path, near",
    [
        ({"mod": "b"}, "mod", "mode"),
        ({"colour": "red"}, "colour", None),
        ({"off": {"strength": 1, "strenght": 2}}, "off.strenght", "strength"),
        ({"option": {}}, "option", "options"),
        ({"options": {"ties": "low"}}, "options.ties", "tie"),
        ({"off": {"strength": "x"}, "mod": "b"}, "mod", "mode"),
    ],
)
def test_an_unknown_key_is_bad_input(change: dict[str, Any], path: str, near: str | None) -> None:
    """A key that nothing declares is bad input before any other, with its path and the key that is nearest."""
    expected = {"ok": False, "reason": "bad_input", "path": path, "did_you_mean": near}
    assert fight.ask(SPEC, {**GOOD, **change}) == expected


def test_an_unknown_word_is_bad_input_with_the_words_there_are() -> None:
    """A word that a closed list does not have is bad input, with the nearest and all of the list."""
    answer = lie.ask(SPEC, {"place": "suply line"})
    assert (answer["path"], answer["did_you_mean"]) == ("place", "supply_line")
    assert answer["words"] == ["supply_line", "war_camp"]
    answer = fight.ask(SPEC, {**GOOD, "options": {"tie": "lower"}})
    assert (answer["path"], answer["did_you_mean"], answer["words"]) == ("options.tie", "low", ["low", "high"])


@every("word", ["supply_line", "Supply Line", "SUPPLY-LINE", " supplyline ", "Süpply line", "Larder"])
def test_a_word_of_a_list_is_taken_folded(word: str) -> None:
    """A key is found in any case and with any gaps, and by what the game has for it; the answer shows the key."""
    assert lie.ask(SPEC, {"place": word}) == {"ok": True, "place": "supply_line", "choice": "play"}


def test_a_known_word_is_folded_and_an_unknown_one_left_to_the_rules() -> None:
    """A list whose unknown words have a code of their own takes any text."""
    assert lie.ask(SPEC, {"place": "war camp", "choice": "PASS"})["choice"] == "pass"
    assert lie.ask(SPEC, {"place": "war camp", "choice": "Wait"})["choice"] == "Wait"
    assert lie.ask(SPEC, {"place": "war camp", "choice": 3})["path"] == "choice"


def test_options_and_their_values_are_taken_folded() -> None:
    """An option is known by its key in any spelling, its choices too."""
    assert fight.ask(SPEC, {**GOOD, "options": {"Tie": "HIGH"}})["tie"] == "high"


def test_an_operation_is_still_a_function() -> None:
    """Other rules call an operation as the function that it is."""
    answer = fight(Unit(strength=2), Unit(strength=1), (3,), options=SPEC.readings)
    assert answer == {"winner": "off", "tie": "low"} and fight.about == "Who wins."
