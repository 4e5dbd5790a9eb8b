"""The parts of Rishar that are called from outside its folder; each is imported when it is first used."""

from __future__ import annotations

from carddb.games.lazy import LazyPackage

rishar = LazyPackage("carddb.games.rishar")

CHECKS = [rishar.function("play.armies", "army_check")]
CARD_CHECKS = [rishar.function("play.cards", "findings")]

OPERATIONS = rishar.operations(
    "play.cards",
    "play.armies",
    "play.powers",
    "play.fields",
    "battle.skirmish",
    "play.morale",
    "battle.state",
    "play.odds",
    "battle.replay",
)
ODDS = rishar.chances("play.odds")

component_data = rishar.function("print.components", "component_data")
deck_sums = rishar.function("play.armies", "deck_sums")
face_data = rishar.function("print.faces", "face_data")
SESSION = rishar.value("table.game", "TABLE")
TABLE = rishar.value("table.front", "FRONT")
