"""C.A.H.R.D.: what its folder computes, for the house to find."""

from __future__ import annotations

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
from carddb.games.cahrd.decks import CHECKS
from carddb.games.cahrd.imd_decks import restricted
from carddb.play.question import operations

OPERATIONS = operations(
    cards, decks, stats, setup, turn, recruiting, zones, effects, battle, chain, victory, imd_questions
)

ODDS = operations(odds)

BAN_CHECK = restricted

__all__ = ["BAN_CHECK", "CHECKS", "ODDS", "OPERATIONS"]
