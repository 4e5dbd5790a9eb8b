"""What an event does to displays and chits: the effects that the hooks of cards share (§7.8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from carddb.games.cdg_solo.play.chits import Chits
from carddb.games.cdg_solo.play.display import Display, RefillMode, Slot, Space, refill_json
from carddb.play.question import refuse

Who = Literal["active", "opponent"]


@dataclass(frozen=True)
class Removal:
    """The display after a card left it and its place was filled again, and the card that fills it."""

    display: Display
    space: Space
    refill: Slot | None

    def refills(self, who: Who) -> list[dict[str, Any]]:
        """The place that was filled, and on whose side; nothing where no card came."""
        return [] if self.refill is None else [{"side": who, **refill_json(self.space, self.refill)}]


def space_of(display: Display, card: str, *, up: bool = True) -> Space:
    """Where a card of the display lies. Refuses `card_not_on_display`, and `card_face_down` unless it may be down."""
    place = display.find(card)
    refuse(card_not_on_display=place is None)
    assert place is not None
    refuse(card_face_down=up and not place[1].up)
    return place[0]


def remove(display: Display, card: str, entry: RefillMode = "keep") -> Removal:
    """A card taken off the display, up or down, and its place filled from the pile."""
    space = space_of(display, card, up=False)
    rest, refill = display.without(card).refilled(space, entry)
    return Removal(rest, space, refill)


def replace_card(display: Display, old: str, new: str) -> tuple[Space, Display]:
    """A card laid up in the place of another one, which leaves the display."""
    space = space_of(display, old, up=False)
    return space, display.without(old).with_card(space, Slot(new, True))


def chit_flips(active: int = 0, opponent: int = 0) -> dict[str, int]:
    """The chits turned over on both sides."""
    return {"active": active, "opponent": opponent}


def flip(row: Chits, count: int = 1) -> tuple[Chits, int]:
    """A row with chits turned over, and how many really were."""
    after = row.flip(count)
    return after, after.flipped - row.flipped
