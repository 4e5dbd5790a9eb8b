"""C.A.H.R.D.: what its folder computes, for the house to find."""

from __future__ import annotations

from carddb.deck import Check
from carddb.games.cahrd import (
    battle,
    cards,
    chain,
    decks,
    effects,
    imd_questions,
    odds,
    recruiting,
    setup,
    stats,
    turn,
    victory,
    zones,
)
from carddb.games.cahrd.advice import opening_hand
from carddb.games.cahrd.components import component_data
from carddb.games.cahrd.faces import face_data
from carddb.games.cahrd.forms import component_form
from carddb.games.cahrd.imd_decks import restricted
from carddb.play.question import operations

CHECKS: list[Check] = [*decks.CHECKS, opening_hand]

OPERATIONS = operations(
    cards, decks, stats, setup, turn, recruiting, zones, effects, battle, chain, victory, imd_questions
)

CARD_CHECKS = decks.CARD_CHECKS

ODDS = operations(odds)

BAN_CHECK = restricted

__all__ = ["BAN_CHECK", "CARD_CHECKS", "CHECKS", "ODDS", "OPERATIONS", "component_data", "component_form", "face_data"]
