"""Cards, decks and questions of C.A.H.R.D., for its tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carddb.game.frozen import as_plain
from carddb.game.game import GameSpec
from carddb.games import Game
from tests.games.referee_samples import game

GAME: Game = game("cahrd")
SPEC: GameSpec = GAME.spec
BOOK: Mapping[str, Any] = as_plain(GAME.rule_book, whole=True)

OWN: Mapping[str, Mapping[str, Any]] = {
    "officer": {"ldr": 3, "war": 4, "int": 2, "chm": 3, "men": 4, "recruitment_cost": 25000, "trait": "T"},
    "item": {"reserve_cost": 5000, "effect": "E"},
    "tactic": {"effect": "E"},
    "strategy": {"requirement": "R", "effect": "E"},
}


def raiding_deck() -> str:
    """An example deck with as many raids as were allowed until 29 November 2026."""
    text = next(path for path in GAME.folder.decks if path.stem == "grain-roads").read_text("utf-8")
    for one, other in (("1 Siege T", "2 Siege T"), ("3 Supply", "2 Supply"), ("2 Raid", "3 Raid"), ("3 Cav", "2 Cav")):
        text = text.replace(one, other)
    return text


def card(kind: str, name: str, **values: Any) -> dict[str, Any]:
    """A card as a question writes it."""
    return {"name": name, "type": kind, **OWN.get(kind, {}), **values}


def cards(kind: str, count: int, each: int = 1, prefix: str = "") -> list[list[Any]]:
    """So many cards of a type, `each` copies at most of one."""
    firsts = range(0, count, each)
    return [[card(kind, f"{prefix}{kind} {first}"), min(each, count - first)] for first in firsts]


def main(*more: list[Any], size: int = 40) -> list[list[Any]]:
    """A main deck of that size that is legal but for what is put into it."""
    rest = size - sum(count for _, count in more if type(count) is int and count > 0)
    return [*more, *cards("officer", 10), *cards("item", 15, 3), *cards("tactic", max(0, rest - 25), 3)]


def ask(operation: str, **question: Any) -> dict[str, Any]:
    return GAME.operations[operation].ask(SPEC, question)


def judged(*more: list[Any], strategy: list[Any] | None = None, **rest: Any) -> dict[str, Any]:
    """What `validate_deck` says of a deck of forty."""
    return ask("validate_deck", main=main(*more), strategy=strategy or [], **rest)


def violations(*more: list[Any], strategy: list[Any] | None = None, **rest: Any) -> list[str]:
    found = judged(*more, strategy=strategy, **rest)
    assert found["ok"] and found["valid"] is not bool(found["violations"])
    return list(found["violations"])
