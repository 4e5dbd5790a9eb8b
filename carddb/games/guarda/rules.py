"""Guarda: what its folder computes, for the house to find."""

from __future__ import annotations

from carddb.deck import Check
from carddb.games.guarda import (
    attack,
    bars,
    cards,
    decks,
    field,
    findings,
    guards,
    moves,
    odds,
    parties,
    turn,
    winning,
)
from carddb.games.guarda.components import component_data
from carddb.games.guarda.faces import face_data
from carddb.games.guarda.simulator import simulation
from carddb.play.question import operations

CHECKS: list[Check] = [findings.deck_check, parties.game_check]

OPERATIONS = operations(decks, cards, field, parties, turn, moves, guards, attack, winning, odds, simulation)

ODDS = operations(bars)

__all__ = ["CHECKS", "ODDS", "OPERATIONS", "component_data", "face_data"]
