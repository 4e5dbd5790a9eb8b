"""The functions of Empires and Generals that its game folder uses."""

from __future__ import annotations

from carddb.games.lazy import LazyPackage

empires = LazyPackage("carddb.games.empires_and_generals")

CHECKS = [empires.function("deck", "balanced_deck")]

OPERATIONS = empires.operations("play.decks", "play.turn", "play.combat")

component_data = empires.function("components", "component_data")
face_data = empires.function("components", "face_data")
templates_of = empires.function("components", "templates_of")
