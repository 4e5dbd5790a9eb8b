"""Guarda: what its folder computes."""

from __future__ import annotations

from carddb.games.lazy import LazyPackage

guarda = LazyPackage("carddb.games.guarda")

CHECKS = [guarda.function("deck.findings", "deck_check"), guarda.function("deck.players", "game_check")]
CARD_CHECKS = [guarda.function("deck.findings", "card_check")]

OPERATIONS = guarda.operations(
    "deck.decks",
    "play.cards",
    "play.field",
    "deck.players",
    "play.turn",
    "play.moves",
    "play.guards",
    "play.attack",
    "play.winning",
    "play.odds",
    "simulator.simulation",
)
ODDS = guarda.operations("play.odds_shown")

component_data = guarda.function("print.components", "component_data")
in_print = guarda.function("print.components", "in_print")
face_data = guarda.function("print.faces", "face_data")
opening_hands = guarda.function("play.opening_hands", "opening_hands")
