"""Empires and Generals: what its folder computes."""

from __future__ import annotations

from carddb.games.lazy import LazyPackage

empires = LazyPackage("carddb.games.empires_and_generals")

CHECKS = [empires.function("advice", "balanced_deck")]

OPERATIONS = empires.operations("decks", "track", "turn", "combat")

component_data = empires.function("components", "component_data")
face_data = empires.function("faces", "face_data")
templates_of = empires.function("faces", "templates_of")
