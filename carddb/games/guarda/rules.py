"""Guarda: what its folder computes."""

from __future__ import annotations

from carddb.games.lazy import LazyPackage

guarda = LazyPackage("carddb.games.guarda")

CHECKS = [guarda.function("findings", "deck_check"), guarda.function("players", "game_check")]
CARD_CHECKS = [guarda.function("findings", "card_check")]

OPERATIONS = guarda.operations(
    "decks", "cards", "field", "players", "turn", "moves", "guards", "attack", "winning", "odds", "simulator.simulation"
)
ODDS = guarda.operations("odds_shown")

component_data = guarda.function("components", "component_data")
in_print = guarda.function("components", "in_print")
face_data = guarda.function("faces", "face_data")
opening_hands = guarda.function("opening_hands", "opening_hands")
