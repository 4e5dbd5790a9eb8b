"""What a question costs is bounded by its form: very long lists are refused, and one unknown word is looked up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import pytest

from carddb.core.names import Vocabulary
from carddb.play.question import possible_values
from tests.conftest import Calls
from tests.games.referee_samples import cases, game
from tests.rows import every


@pytest.mark.parametrize(
    ("op", "field", "value", "path"),
    [
        ("legal_choices", "display", {space: ["x+"] * 1001 for space in "ABCDE"}, "display.A"),
        ("probability", "nominated", ["A"] * 101, "nominated"),
        ("probability", "k", 1001, "k"),
    ],
)
def test_what_a_solo_question_compares_is_bounded(op: str, field: str, value: Any, path: str) -> None:
    """More cards than a deck may have, or more spaces or rolls than anybody asks for, are bad input at their place."""
    case = next(case for case in cases() if case.op == op)
    asked = game(case.game)
    answer = asked.operations[op].ask(asked.spec, {**case.given, field: value})
    assert (answer["error"], answer["path"]) == ("bad_input", path)


def test_a_rank_off_the_scale_is_told_with_the_scale() -> None:
    """A stat that cannot be printed names the least and the most that can."""
    asked = game("cahrd")
    printed = asked.operations["current_stat"].ask(asked.spec, {"base": 7, "modifiers": []})
    assert (printed["reason"], printed["path"]) == ("bad_input", "base")
    assert (printed["least"], printed["most"]) == (1, 5)


def numbers(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of the numbers in a question."""
    if isinstance(value, Mapping | list | tuple):
        for step, part in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from numbers(part, (*path, step))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path


def put(value: Any, path: tuple[Any, ...], number: int) -> Any:
    """A question with another number at a place."""
    if not path:
        return number
    step, *rest = path
    if isinstance(value, Mapping):
        return {**value, step: put(value[step], tuple(rest), number)}
    return [put(part, tuple(rest), number) if at == step else part for at, part in enumerate(value)]


@pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.full)])
def test_a_number_out_of_its_range_is_told_with_what_it_may_be(every: int) -> None:
    """Whatever number of a question is put far above or below, if it is refused for that, the answer has the range."""
    told = 0
    for case in cases()[::every]:
        asked = game(case.game)
        operation, key = asked.operations[case.op], asked.spec.refusal_key
        if operation.ask(asked.spec, case.given).get(key) == "bad_input":
            continue
        for path, number in product(numbers(case.given), (-(10**6), 10**6)):
            answer = operation.ask(asked.spec, put(case.given, path, number))
            if answer.get(key) == "bad_input" and answer["path"] == ".".join(map(str, path)):
                assert possible_values(answer), (case.game, case.op, path, number)
                told += 1
    assert told > 20


@every(
    "key, op, given, words",
    [
        ("cdg-solo", "random_select", {"n": 4, "roll": 7}, "1 to 6"),
        ("guarda", "inverse", {"cell": [2, 6]}, "1 to 5"),
        ("guarda", "cover_odds", {"cell": [0, 1], "cards": 1}, "1 or more"),
        ("cahrd", "zone_limit", {"commander": True, "lieutenants": 9, "strategist": True}, "0 to 3"),
        (
            "empires-and-generals",
            "validate_card",
            {"card": {"type": "strategy", "name": "A", "play_cost": -1}},
            "0 or more",
        ),
        ("guarda", "config", {"options": {"opening_hand": 7}}, "one of 6, 5"),
    ],
)
def test_what_a_number_may_be_is_told_in_words(key: str, op: str, given: dict[str, Any], words: str) -> None:
    """Bounds of the form of a question, of the rules, of a card's field and of a house reading."""
    asked = game(key)
    answer = asked.operations[op].ask(asked.spec, given)
    assert answer[asked.spec.refusal_key] == "bad_input" and possible_values(answer) == words


def test_of_many_unknown_words_one_is_looked_up(calls_to: Calls) -> None:
    """The nearest word is looked for where it is told, which is at the first fault."""
    looked_up = calls_to(Vocabulary, "nearest")
    asked = game("empires-and-generals")
    question = {"counts": {f"soldierz{number}": 1 for number in range(1000)}}
    answer = asked.operations["balanced_advice"].ask(asked.spec, question)
    assert answer["reason"] == "bad_input" and len(looked_up) <= 1
