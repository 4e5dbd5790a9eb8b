"""Questions about Guarda, for its tests."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from carddb.cards.cards import Pool
from carddb.game.frozen import as_plain
from carddb.game.game import GameSpec
from carddb.games.guarda.rules import ODDS, OPERATIONS
from carddb.press.faces.workshop import Workshop, open_workshop
from carddb.read.cards.file import CardReading, read_cards
from tests.games.referee_samples import game

SPEC: GameSpec = game("guarda").spec
BOOK: Mapping[str, Any] = as_plain(game("guarda").rule_book, whole=True)

SIZES = range(3, 10)
CLOCKWISE = "SWNE"
ORIENTATIONS = ("attack", "defence")
FULL = {"patterns": "lines_x_all"}


def ask(name: str, **given: Any) -> dict[str, Any]:
    """The referee's answer."""
    return OPERATIONS[name].ask(SPEC, given)


def odds(name: str, **given: Any) -> dict[str, Any]:
    """The chances as people ask for them."""
    return ODDS[name].ask(SPEC, given)


def patterns(n: int) -> list[str]:
    """Every pattern of a field, X and ALL among them."""
    return [f"{kind}{k}" for kind in "VH" for k in range(1, n + 1)] + ["X", "ALL"]


def column(n: int, k: int) -> list[list[int]]:
    return [[row, k] for row in range(1, n + 1)]


def row(n: int, k: int) -> list[list[int]]:
    return [[k, column] for column in range(1, n + 1)]


@lru_cache(maxsize=1)
def pool() -> Pool:
    """The cards of every field, from the game's own file."""
    folder = game("guarda").folder.path
    file = read_cards(folder / "cards.csv", CardReading(SPEC, "sample", folder))
    assert file.findings == []
    return Pool(SPEC.card(record.ref, record.values) for record in file.records)


@lru_cache(maxsize=1)
def workshop() -> Workshop:
    """The game ready to be drawn."""
    return open_workshop(game("guarda"))
