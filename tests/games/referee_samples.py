"""The cases of every bundled game: questions to the referee with the answers that its rules give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from carddb.games import Game, folders
from carddb.games.referee import open_game
from carddb.read.documents import located_document

CASES = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """A claim with the ids of its rules in it, a question, and the keys of the answer that must be equal."""

    file: str
    game: str
    claim: str
    op: str
    given: Mapping[str, Any]
    expect: Mapping[str, Any]


@cache
def game(key: str) -> Game:
    return open_game(folders()[key])


@cache
def cases() -> tuple[Case, ...]:
    """Every case of every game, in the order of the files."""
    return tuple(_read())


def _read() -> Iterator[Case]:
    for key, folder in folders().items():
        for path in sorted((CASES / folder.path.name / "cases").glob("*.yaml")):
            parsed, findings = located_document.load(path)
            assert parsed is not None and not findings, findings
            for item in parsed.value:
                yield Case(
                    str(path.relative_to(CASES)), key, item["claim"], item["op"], item.get("given", {}), item["expect"]
                )


def ask(case: Case) -> dict[str, Any]:
    """The answer to a case's question."""
    asked = game(case.game)
    return asked.operations[case.op].ask(asked.spec, case.given)
