"""Options: `--option K=V` and the options of an operation."""

from __future__ import annotations

from typing import Any

import pytest

from carddb.core.errors import UsageError
from carddb.game.frozen import as_plain
from carddb.game.parts import OptionSpec
from carddb.play.question import BadInput, Refusal, options_in_force
from tests.deck.samples import game
from tests.rows import every

GAME = game(
    options={
        "strict": {"default": False},
        "pile": {"type": "choice", "of": ["a", "10", "none"], "default": "a"},
        "cap": {"type": "integer", "default": 2},
        "note": {"type": "text", "default": ""},
        "levels": {"type": "object", "default": {"1": 2}},
    }
)
DEFAULTS = {"strict": False, "pile": "a", "cap": 2, "note": "", "levels": {"1": 2}}


def test_defaults() -> None:
    """Without any, every option has its default."""
    assert GAME.readings_with({}) == DEFAULTS


@every(
    "name, text, value",
    [
        ("strict", "true", True),
        ("strict", "Yes", True),
        ("pile", "none", "none"),
        ("pile", "10", "10"),
        ("pile", '"a"', "a"),
        ("cap", "-3", -3),
        ("note", "two words", "two words"),
        ("levels", '{"1": 0}', {"1": 0}),
    ],
)
def test_values(name: str, text: str, value: Any) -> None:
    """A value is JSON where it parses, else text."""
    assert GAME.readings_with({name: text}) == {**DEFAULTS, name: value}


@every(
    "name, text, accepted",
    [
        ("strict", "maybe", "true, false"),
        ("strict", "1", "true, false"),
        ("pile", "b", "a, 10, none"),
        ("cap", "2.0", "whole number"),
        ("cap", "true", "whole number"),
        ("levels", "[]", "JSON object"),
        ("cap", "[" * 5000, "whole number"),
    ],
)
def test_wrong_values(name: str, text: str, accepted: str) -> None:
    """A value that an option cannot have is answered with those that it can."""
    with pytest.raises(UsageError) as caught:
        GAME.readings_with({name: text})
    assert accepted in caught.value.remedy


def test_unknown() -> None:
    """An unknown option is answered with the nearest and with all accepted ones."""
    with pytest.raises(UsageError) as caught:
        GAME.readings_with({"strikt": "true"})
    assert caught.value.remedy == "Did you mean strict? Accepted: strict, pile, cap, note, levels."


def test_options_of_a_question() -> None:
    """In a question an unknown option and a wrong value are bad input at their path."""
    assert options_in_force(GAME, None) == DEFAULTS
    assert options_in_force(GAME, {"cap": 5}) == {**DEFAULTS, "cap": 5}
    for wrong, path in (({"cap": "5"}, "options.cap"), ({"colour": "red"}, "options.colour"), ([], "options")):
        with pytest.raises(BadInput) as caught:
            options_in_force(GAME, wrong)
        assert caught.value.path == path


def test_documented_readings() -> None:
    """A reading that is only documented is accepted nowhere, and a question that asks for it is refused as such."""
    fear = OptionSpec(type="choice", of=("a", 5), default="a", only_documented=("b", 7))
    documented = game(options={"fear": as_plain(fear)})
    assert [fear.value_of(given) for given in ("a", 5, "5")] == ["a", 5, 5]
    assert fear.documents("b") and fear.documents("7") and not fear.documents("c")
    assert options_in_force(documented, {"fear": "5"}) == {"fear": 5}
    for given, reason in (("b", "option_not_supported"), (7, "option_not_supported"), ("c", "bad_input")):
        with pytest.raises(Refusal) as caught:
            options_in_force(documented, {"fear": given})
        assert caught.value.reason == reason
    with pytest.raises(UsageError):
        documented.readings_with({"fear": "b"})
