"""The checks, operations and template functions of Guarda, each imported when it is first used."""

from __future__ import annotations

from carddb.games.lazy import LazyPackage

guarda = LazyPackage("carddb.games.guarda")

CHECKS = [guarda.function("deck", "deck_check"), guarda.function("play.players", "game_check")]
CARD_CHECKS = [guarda.function("deck", "card_check")]

OPERATIONS = guarda.operations("deck", "play.field", "play.players", "play.turn", "play.odds", "simulation")
ODDS = guarda.chances("play.odds")

component_data = guarda.function("print", "component_data")
in_print = guarda.function("print", "in_print")
face_data = guarda.function("print", "face_data")
opening_hands = guarda.function("play.odds", "opening_hands")
