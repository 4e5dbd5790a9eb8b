"""Cards, armies, turns and questions of Rishar, for its tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from carddb.cards.cards import Pool
from carddb.game.frozen import as_plain
from carddb.game.game import GameSpec
from carddb.games.rishar.rules import OPERATIONS
from carddb.read.cards.file import CardReading, read_cards
from tests.games.referee_samples import game

GAME = game("rishar")
SPEC: GameSpec = GAME.spec
BOOK: Mapping[str, Any] = as_plain(GAME.rule_book, whole=True)
HERE = Path(__file__).parent


def sample_pool() -> Pool:
    """The sample cards, the four known ones first."""
    assert GAME.folder.cards_file
    cards = read_cards(GAME.folder.cards_file, CardReading(SPEC, "sample", GAME.folder.path))
    assert cards.findings == []
    return Pool(SPEC.card(record.ref, record.values) for record in cards.records)


def ask(operation: str, **data: Any) -> dict[str, Any]:
    """The answer to a question; `def_` and `class_` stand for the words that Python keeps."""
    return OPERATIONS[operation].ask(SPEC, {name.rstrip("_"): value for name, value in data.items()})


def card(ref: str, strength: int | None = 1, role: str = "healer", path: str = "steel", **rest: Any) -> dict[str, Any]:
    """A card as a question writes it."""
    return {"id": ref, "name": ref.title(), "strength": strength, "path": path, "role": role, **rest}


def host(*cards: dict[str, Any], path: str = "mind", role: str = "healer", **rest: Any) -> dict[str, Any]:
    """An army; its Commander is a Mender, whose power is nothing in a turn. Fields of the Commander are picked out."""
    fields = ("kind", "progression", "favors", "influence", "chosen", "dervish", "base_bonus")
    own = {name: rest.pop(name) for name in fields if name in rest}
    return {"commander": {"path": path, "role": role, "progression": 4, **own}, "cards": list(cards), **rest}


def clash(by: str, off: str, def_: str | None, roll: int = 3, reply: int = 3, **rest: Any) -> dict[str, Any]:
    """A turn in which two cards meet with a die each; `def_` None is a Pass on Defense."""
    defense = {"choice": "play", "card": def_} if def_ else {"choice": "pass"}
    return {
        "by": by, "choice": "play", "card": off, "defense": defense, "rolls": {"off": [roll], "def": [reply]}, **rest,
    }  # fmt: skip


def attack(by: str, off: str, roll: int = 3, **rest: Any) -> dict[str, Any]:
    """A turn in which the defender Passes."""
    return clash(by, off, None, **{"rolls": {"off": [roll]}, **rest})


def replay(a: dict[str, Any], b: dict[str, Any], *turns: dict[str, Any], **rest: Any) -> dict[str, Any]:
    """The answer to a Battle that the first army begins."""
    return ask("replay", **{"a": a, "b": b, "first_turn": "a", "turns": list(turns), **rest})


def where(answer: Mapping[str, Any], army: str) -> dict[str, str]:
    """The pile of every card of an army."""
    return {key: pile for pile, keys in answer[army]["piles"].items() for key in keys}
