"""Guarda: what its folder computes, for the house to find."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from carddb.games.guarda.components import component_data
from carddb.games.guarda.faces import face_data

if TYPE_CHECKING:
    from carddb.deck import Check
    from carddb.play.question import Operation


def __getattr__(name: str) -> Any:
    """Checks and questions are put together when they are wanted: who prints need not wait for them."""
    if name not in _LATER:
        raise AttributeError(name)
    return _LATER[name]()


@cache
def _checks() -> list[Check]:
    from carddb.games.guarda import findings, parties

    return [findings.deck_check, parties.game_check]


@cache
def _card_checks() -> list[Callable[..., Any]]:
    from carddb.games.guarda.findings import card_check

    return [card_check]


@cache
def _operations() -> Mapping[str, Operation[Any]]:
    from carddb.games.guarda import attack, cards, decks, field, guards, moves, odds, parties, turn, winning
    from carddb.games.guarda.simulator import simulation
    from carddb.play.question import operations

    return operations(decks, cards, field, parties, turn, moves, guards, attack, winning, odds, simulation)


@cache
def _odds() -> Mapping[str, Operation[Any]]:
    from carddb.games.guarda import bars
    from carddb.play.question import operations

    return operations(bars)


_LATER: Mapping[str, Callable[[], Any]] = {
    "CHECKS": _checks,
    "CARD_CHECKS": _card_checks,
    "OPERATIONS": _operations,
    "ODDS": _odds,
}

__all__ = ["component_data", "face_data"]
