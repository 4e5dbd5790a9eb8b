"""The zones of a `game.yaml`: the places of a table on which any of its decks can be tried."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Literal

from carddb.frozen import Frozen, Misfit
from carddb.names import did_you_mean


class ZoneSpec(Frozen):
    """A place on the playtest table: each player has one, or all share it.

    `faces` says who sees the cards that lie there: all, nobody, or their owner alone. The cards of the `sections` of
    each deck begin there, `shuffled` or in the order of the deck. The opening hand that the game's data name is dealt
    into the zone that is the `opening_hand`.
    """

    label: str = ""
    whose: Literal["player", "shared"] = "player"
    faces: Literal["up", "down", "own"] = "up"
    order: Literal["pile", "row", "grid"] = "row"
    sections: tuple[str, ...] = ()
    shuffled: bool = False
    opening_hand: bool = False
    rules: tuple[str, ...] = ()


def zone_misfits(zones: Mapping[str, ZoneSpec], sections: Collection[str]) -> Iterator[Misfit]:
    """Keys that cannot be part of a place's name, and sections that the game does not have."""
    for key, zone in zones.items():
        if not re.fullmatch("[a-z][a-z0-9_]*", key):
            yield ("zones", key), f"zone {key!r} is not small letters, digits and _, a letter first", ""
        for section in zone.sections:
            if section not in sections:
                yield ("zones", key, "sections"), f"zone {key}: no section {section!r}", did_you_mean(section, sections)
