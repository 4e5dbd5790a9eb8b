"""Cards, decks and questions of Empires and Generals, for its tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carddb.game.frozen import as_plain
from carddb.game.game import GameSpec
from carddb.games.empires_and_generals.rules import OPERATIONS
from tests.games.referee_samples import game

GAME = game("empires-and-generals")
SPEC: GameSpec = GAME.spec
BALANCED = {"general": 5, "soldier": 9, "kingdom": 5, "strategy": 5, "tactics": 5, "resource": 18, "reference": 6}
BOOK: Mapping[str, Any] = as_plain(GAME.rule_book, whole=True)

STATS = {"strength": 4, "life": 5}
DATED = {"edition": "Antiquity", "era": "antiquity", "year": -216}


def inline(ref: str, kind: str | None = "kingdom", rarity: str | None = "common", **values: Any) -> dict[str, Any]:
    """A card as a question writes it; a field of None is left out."""
    own = STATS if kind in ("general", "soldier") else {"amount": 2} if kind == "resource" else {}
    card = {"ref": ref, "name": f"Card {ref}", "type": kind, "rarity": rarity, **DATED, **own, **values}
    return {key: value for key, value in card.items() if value is not None}


def filler(count: int = 25) -> list[list[Any]]:
    """Playing cards, five copies each at most."""
    return [[inline(f"F-{at}"), min(5, count - at)] for at in range(0, count, 5)]


def answer(playing: list[Any], resource: list[Any] | None = None, **rest: Any) -> dict[str, Any]:
    """What `validate_deck` says of a deck that is large enough."""
    question = {"playing": [*filler(), *playing], "resource": resource or [], **rest}
    return OPERATIONS["validate_deck"].ask(SPEC, question)


def violations(playing: list[Any], resource: list[Any] | None = None, **rest: Any) -> list[str]:
    found = answer(playing, resource, **rest)
    assert found["ok"] and found["valid"] is not bool(found["violations"])
    return list(found["violations"])


def ask(operation: str, **data: Any) -> dict[str, Any]:
    return OPERATIONS[operation].ask(SPEC, data)
