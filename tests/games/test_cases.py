"""The referee's answers: every case of every game, and that nothing checkable is left untested."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import groupby

import pytest

from carddb.game.frozen import as_plain
from carddb.games import folders
from carddb.games.opening.spec_reader import finding_codes, shared_codes
from tests.claims import docstrings
from tests.games.referee_samples import ask, cases, game
from tests.rows import every

EVERY = list(cases())
FILES = {file: list(group) for file, group in groupby(EVERY, key=lambda case: case.file)}
KEYS = sorted(folders())
_RULE = re.compile(r"\b([A-Z]{1,2})-(\d+)\b(?: to \1-(\d+))?")


@pytest.mark.parametrize("file", FILES)
def test_cases(file: str, subtests: pytest.Subtests) -> None:
    """Every key that a case of a file lists is equal in the referee's answer."""
    for case in FILES[file]:
        with subtests.test(case.claim):
            answer = ask(case)
            assert {key: answer.get(key, "(absent)") for key in case.expect} == case.expect


def test_claims_are_told_once() -> None:
    """No two cases of a game make the same claim."""
    told = [(case.game, case.claim) for case in EVERY]
    assert sorted(told) == sorted(set(told))


@every("key", KEYS)
def test_every_operation_has_a_case(key: str) -> None:
    """Each operation of a game is asked by a case at least once."""
    assert set(game(key).operations) <= {case.op for case in EVERY if case.game == key}


@every("key", KEYS)
def test_every_checkable_rule_is_named_by_a_test(key: str) -> None:
    """A rule that software checks stands in the claim of a case or in the docstring of a test."""
    checkable = {name for name, rule in game(key).rule_book.rules.items() if "S" in (rule.tag, *rule.also)}
    assert sorted(checkable - _named()) == []


@cache
def _named() -> set[str]:
    claims = [case.claim for case in EVERY]
    return {rule for claim in [*claims, *docstrings().values()] for rule in _rules_in(claim)}


def _rules_in(text: str) -> Iterator[str]:
    for prefix, first, last in _RULE.findall(text):
        yield from (f"{prefix}-{number}" for number in range(int(first), int(last or first) + 1))


@every("key", KEYS)
def test_operations_name_rules_of_the_book(key: str) -> None:
    """An operation stands on rules that the game's book has, and at least on one."""
    book = game(key).rule_book.rules
    for operation in game(key).operations.values():
        rules = game(key).rules_behind(operation)
        assert rules and set(rules) <= set(book), operation.name
        assert operation.about.endswith("."), f"{operation.name} says what it answers in one line"


@every("key", KEYS)
def test_every_refusal_of_a_case_is_explained(key: str) -> None:
    """The reason that a refused case expects is a code of the game's book."""
    spoken = {
        str(case.expect[name])
        for case in EVERY
        if case.game == key
        for name in ("reason", "error")
        if name in case.expect
    }
    assert sorted(spoken - {"bad_input"} - set(game(key).rule_book.codes)) == []


@every("key", KEYS)
def test_codes_are_explained(key: str) -> None:
    """Every code that a game's data or an answer can give has a cause and a fix."""
    explained = {name: as_plain(code, whole=True) for name, code in shared_codes().items()} | {
        name: as_plain(code, whole=True) for name, code in game(key).rule_book.codes.items()
    }
    assert all(entry["cause"] and entry["fix"] for entry in explained.values())
    answered = {
        code
        for case in EVERY
        if case.game == key
        for name in ("errors", "warnings")
        for code in case.expect.get(name, ())
    }
    assert sorted((answered | set(finding_codes(game(key).spec))) - set(explained)) == []
