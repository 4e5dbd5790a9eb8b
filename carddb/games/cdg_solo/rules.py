"""The CDG solo method: what its folder computes."""

from __future__ import annotations

from carddb.games.lazy import LazyPackage

cdg = LazyPackage("carddb.games.cdg_solo")

CHECKS = [cdg.function("decks", "module_deck")]

OPERATIONS = cdg.operations(
    "die",
    "deal",
    "rounds",
    "choices",
    "plays",
    "combat",
    "chits",
    "phase",
    "hooks",
    "selection",
    "module",
    "odds",
    "validate_module",
    "validate_deck",
    "validate_state",
    "validate_print",
)
ODDS = cdg.operations("odds_shown")

component_data = cdg.function("components", "component_data")
component_findings = cdg.function("tweak_sheet", "component_findings")
face_data = cdg.function("faces", "face_data")
option_values = cdg.function("validate_module", "option_values")
opening_hands = cdg.function("opening_hands", "opening_hands")
own_module = cdg.function("own_module", "own_module")
schemas = cdg.function("schemas", "schemas")
play_example = cdg.function("session.examples", "play_example")
SESSION = cdg.function("session.table_game", "table_game")
stands_for = cdg.function("session.coverage", "stands_for")
