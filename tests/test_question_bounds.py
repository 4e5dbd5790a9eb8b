"""What a question costs is bounded by its form: very long lists are refused, and one unknown word is looked up."""

from __future__ import annotations

from typing import Any

import pytest
from referee_samples import cases, game

from carddb.vocabulary import Vocabulary


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


def test_of_many_unknown_words_one_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The nearest word is looked for where it is told, which is at the first fault."""
    looked_up: list[str] = []
    nearest = Vocabulary.nearest

    def counted(self: Vocabulary, text: str) -> str | None:
        looked_up.append(text)
        return nearest(self, text)

    monkeypatch.setattr(Vocabulary, "nearest", counted)
    asked = game("empires-and-generals")
    question = {"counts": {f"soldierz{number}": 1 for number in range(1000)}}
    answer = asked.operations["balanced_advice"].ask(asked.spec, question)
    assert answer["reason"] == "bad_input" and len(looked_up) <= 1
