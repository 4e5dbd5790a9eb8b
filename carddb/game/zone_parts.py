"""The zones of a `game.yaml`: the places of a table on which any of its decks can be tried."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Literal

from carddb.core.names import did_you_mean
from carddb.game.frozen import Frozen, Misfit


class ZoneSpec(Frozen):
    """A place on the playtest table."""

    label: str = ""
    """The place in words."""
    whose: Literal["player", "shared"] = "player"
    """Whether each player has one, or all share it."""
    faces: Literal["up", "down", "own"] = "up"
    """Who sees the cards there: all, nobody, or their owner."""
    order: Literal["pile", "row", "grid"] = "row"
    """Whether they lie in a pile, a row or a grid."""
    sections: tuple[str, ...] = ()
    """The sections of each deck whose cards begin there."""
    shuffled: bool = False
    """Whether they are shuffled, or lie in the order of the deck."""
    opening_hand: bool = False
    """Whether the opening hand that the game's data name is dealt there."""
    rules: tuple[str, ...] = ()
    """The ids of the rules behind it."""


def zone_misfits(zones: Mapping[str, ZoneSpec], sections: Collection[str]) -> Iterator[Misfit]:
    """Keys that cannot be part of a place's name, and sections that the game does not have."""
    for key, zone in zones.items():
        if not re.fullmatch("[a-z][a-z0-9_]*", key):
            yield ("zones", key), f"zone {key!r} is not small letters, digits and _, a letter first", ""
        for section in zone.sections:
            if section not in sections:
                yield ("zones", key, "sections"), f"zone {key}: no section {section!r}", did_you_mean(section, sections)
