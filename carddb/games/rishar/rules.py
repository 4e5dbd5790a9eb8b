"""Rishar: what its folder computes."""

from __future__ import annotations

from carddb.games.lazy import LazyPackage

rishar = LazyPackage("carddb.games.rishar")

CHECKS = [rishar.function("armies", "army_check")]
CARD_CHECKS = [rishar.function("cards", "findings")]

OPERATIONS = rishar.operations(
    "cards", "armies", "powers", "units", "skirmish", "morale", "battle", "roles", "campaign", "odds", "replay"
)
ODDS = rishar.operations("odds_shown")

component_data = rishar.function("components", "component_data")
deck_sums = rishar.function("deck_sums", "deck_sums")
face_data = rishar.function("faces", "face_data")
play_example = rishar.function("session.examples", "play_example")
SESSION = rishar.function("session.table_game", "table_game")
stands_for = rishar.function("session.coverage", "stands_for")
