"""Whatever is asked, the referee answers: wrong types, missing keys, huge numbers, deep nesting."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carddb.games import folders
from tests.games.referee_samples import cases, game
from tests.rows import every

EVERY = list(cases())
OPERATIONS = [(key, name) for key in folders() for name in game(key).operations]


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


ODD: list[Any] = [None, True, False, -1, 0, 1, 7, 10**6, 10**30, -(10**30), 1.5, 1e300, "", "x", "S", "\ud800", [], {}]
ODD += [[[]], {"": {}}, [None] * 40, nested(60), {"a": nested(60)}, "9" * 5000, ["a", "a"], [1, 1]]


@st.composite
def damaged(draw: st.DrawFn, key: str, name: str) -> Any:
    """A good question with a few of its parts, at any depth, replaced or left out."""
    question = copy.deepcopy(dict(draw(st.sampled_from(_questions(key, name)))))
    for _ in range(draw(st.integers(1, 3))):
        _damage(draw, question)
    return question


@cache
def _questions(key: str, name: str) -> tuple[Any, ...]:
    return tuple(case.given for case in EVERY if (case.game, case.op) == (key, name)) or ({},)


def _damage(draw: st.DrawFn, part: Any) -> None:
    keys = list(part) if isinstance(part, dict) else list(range(len(part)))
    if isinstance(part, dict):
        keys += draw(st.sampled_from([[], ["options"], ["strange"]]))
    if not keys:
        return
    key = draw(st.sampled_from(keys))
    inner = part.get(key) if isinstance(part, dict) else part[key]
    if isinstance(inner, dict | list) and draw(st.booleans()):
        _damage(draw, inner)
    elif draw(st.integers(0, 4)) == 0 and key in (part if isinstance(part, dict) else keys):
        del part[key]
    else:
        part[key] = copy.deepcopy(draw(st.sampled_from(ODD)))


@pytest.mark.full
@every("key, name", OPERATIONS)
def test_a_damaged_question_is_answered(key: str, name: str) -> None:
    """Every operation answers a damaged question with plain JSON, and leaves the question as it was."""
    asked(key, name, 6)


@pytest.mark.full
@every("key, name", OPERATIONS)
def test_a_huge_number_anywhere_is_answered(key: str, name: str) -> None:
    """Wherever a good question has a number, another of thirty digits gets its answer too: nothing counts up to it."""
    operation, spec = game(key).operations[name], game(key).spec
    for question in _questions(key, name):
        for place in _numbers(question):
            json.dumps(operation.ask(spec, _with(question, place, 10**30)), allow_nan=False)


def _numbers(part: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all numbers in a value."""
    if isinstance(part, dict | list):
        for key, inner in part.items() if isinstance(part, dict) else enumerate(part):
            yield from _numbers(inner, (*place, key))
    elif isinstance(part, int | float) and not isinstance(part, bool):
        yield place


def _with(question: Any, place: tuple[Any, ...], value: Any) -> Any:
    """A copy of a question with another value in one place."""
    changed = inner = copy.deepcopy(question)
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return changed


@pytest.mark.full
@pytest.mark.parametrize(("key", "name"), OPERATIONS, ids=str)
def test_a_damaged_question_is_answered_at_full_size(key: str, name: str) -> None:
    """The same, many times over."""
    asked(key, name, 1500)


def asked(key: str, name: str, examples: int) -> None:
    operation, spec = game(key).operations[name], game(key).spec

    @settings(max_examples=examples, deadline=None)
    @given(damaged(key, name))
    def answers(question: Any) -> None:
        before = copy.deepcopy(question)
        answer = operation.ask(spec, question)
        assert question == before
        json.dumps(answer, allow_nan=False)
        refused = answer.get(spec.refusal_key) if answer.get("ok") is not True else None
        assert refused is None or isinstance(refused, str)

    answers()


@every("question", [None, 3, "x", [], [{}]])
def test_a_question_that_is_no_object(question: Any) -> None:
    """A question that is no object is bad input without a path."""
    for key, name in OPERATIONS:
        answer = game(key).operations[name].ask(game(key).spec, question)
        assert answer[game(key).spec.refusal_key] == "bad_input" and answer["path"] == ""


def test_deep_nesting_is_bad_input_of_its_field() -> None:
    """Fifty brackets in a field are read, fifty-one are bad input with the field's name."""
    operation, spec = game("empires-and-generals").operations["validate_card"], game("empires-and-generals").spec
    assert operation.ask(spec, {"card": {"text": "", "more": nested(48)}})["ok"]
    assert operation.ask(spec, {"card": {"text": "", "more": nested(49)}}) == {
        "ok": False,
        "reason": "bad_input",
        "path": "card",
    }
