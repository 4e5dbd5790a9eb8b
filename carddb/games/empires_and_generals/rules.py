"""Empires and Generals: what its folder computes, for the house to find."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from carddb.games.empires_and_generals.advice import balanced_deck
from carddb.games.empires_and_generals.components import component_data
from carddb.games.empires_and_generals.faces import face_data, templates_of

if TYPE_CHECKING:
    from carddb.deck import Check

CHECKS: list[Check] = [balanced_deck]


def __getattr__(name: str) -> Any:
    """The questions are put together when one is asked: who prints or checks need not wait for them."""
    if name != "OPERATIONS":
        raise AttributeError(name)
    from carddb.games.empires_and_generals import combat, decks, track, turn
    from carddb.play.question import operations

    return operations(decks, track, turn, combat)


__all__ = ["CHECKS", "component_data", "face_data", "templates_of"]
