"""The parts of the CDG solo method that are called from outside its folder; each is imported when it is first used."""

from __future__ import annotations

from carddb.games.lazy import LazyPackage

cdg = LazyPackage("carddb.games.cdg_solo")

CHECKS = [cdg.function("validation", "module_deck")]

OPERATIONS = cdg.operations(
    "play.deal",
    "play.rounds",
    "play.plays",
    "play.combat",
    "play.display",
    "play.phase",
    "play.hooks",
    "module",
    "play.odds",
    "validation",
)
ODDS = cdg.chances("play.odds")

component_data = cdg.function("print.components", "component_data")
component_findings = cdg.function("print.tweak_sheet", "component_findings")
face_data = cdg.function("print.faces", "face_data")
option_values = cdg.function("validation", "option_values")
opening_hands = cdg.function("module", "opening_hands")
own_module = cdg.function("own_module", "own_module")
schemas = cdg.function("own_module", "schemas")
SESSION = cdg.value("table.game", "TABLE")
stands_for = cdg.function("table.game", "stands_for")
TABLE = cdg.value("table.front", "FRONT")
