"""The zones of a playtest table, as a game's data have them or, where they have none, by the sections of its decks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from carddb.game.game import GameSpec
from carddb.game.parts import ZoneSpec
from carddb.play.question import Record


class Zone(Record):
    """A zone as a save has it, so that a save can be read when the game's data have changed."""

    label: str
    whose: Literal["player", "shared"] = "player"
    faces: Literal["up", "down", "own"] = "up"
    order: Literal["pile", "row", "grid"] = "row"
    shuffled: bool = False


def zones_of(spec: GameSpec) -> Mapping[str, ZoneSpec]:
    """The zones of a game by key; without any a pile for each section, a hand, a place for cards in play, discards."""
    return spec.zones or {**_piles(spec), **_USUAL}


def zone_of(key: str, zone: ZoneSpec) -> Zone:
    """A zone of a game's data as a save has it."""
    label = zone.label or key.replace("_", " ").capitalize()
    return Zone(label=label, whose=zone.whose, faces=zone.faces, order=zone.order, shuffled=zone.shuffled)


_USUAL: Mapping[str, ZoneSpec] = {
    "hand": ZoneSpec(label="Hand", faces="own", order="row", opening_hand=True),
    "play": ZoneSpec(label="In play", faces="up", order="grid"),
    "discard": ZoneSpec(label="Discards", faces="up", order="pile"),
}


def _piles(spec: GameSpec) -> Mapping[str, ZoneSpec]:
    """A shuffled pile for each section."""
    return {
        f"deck{number}": ZoneSpec(
            label=spec.section_label(section), faces="down", order="pile", sections=(section,), shuffled=True
        )
        for number, section in enumerate(spec.sections, 1)
    }
