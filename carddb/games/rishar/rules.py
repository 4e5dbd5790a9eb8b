"""Rishar: what its folder computes, for the house to find."""

from __future__ import annotations

from carddb.games.rishar import (
    armies,
    battle,
    campaign,
    cards,
    chances,
    morale,
    odds,
    powers,
    replay,
    roles,
    skirmish,
    units,
)
from carddb.games.rishar.armies import CHECKS
from carddb.games.rishar.cards import findings
from carddb.games.rishar.components import component_data
from carddb.games.rishar.faces import face_data
from carddb.games.rishar.muster import deck_sums
from carddb.play.question import operations

CARD_CHECKS = [findings]

OPERATIONS = operations(cards, armies, powers, units, skirmish, morale, battle, roles, campaign, odds, replay)

ODDS = operations(chances)

__all__ = ["CARD_CHECKS", "CHECKS", "ODDS", "OPERATIONS", "component_data", "deck_sums", "face_data"]
