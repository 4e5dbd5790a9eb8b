"""Empires and Generals: what its folder computes, for the house to find."""

from __future__ import annotations

from carddb.deck import Check
from carddb.games.empires_and_generals import combat, decks, track, turn
from carddb.games.empires_and_generals.components import component_data
from carddb.games.empires_and_generals.faces import face_data, templates_of
from carddb.play.question import operations

CHECKS: list[Check] = [decks.balanced_deck]

OPERATIONS = operations(decks, track, turn, combat)

__all__ = ["CHECKS", "OPERATIONS", "component_data", "face_data", "templates_of"]
