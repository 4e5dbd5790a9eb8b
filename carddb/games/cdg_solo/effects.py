"""What an event does to displays and chits: the effects that the hooks of cards share (§7.8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from carddb.games.cdg_solo.chits import Chits
from carddb.games.cdg_solo.display import Display, Entry, Slot, Slots, Space, refill_json
from carddb.play.question import refuse

Who = Literal["active", "opponent"]


@dataclass(frozen=True)
class Taken:
    """A card taken off a display, what fills its place, and the display after that."""

    card: str
    space: Space
    display: Display
    refill: Slot | None


def place_of(display: Display, card: str, *, up: bool = True) -> Space:
    """Where a card of the display lies. Refuses `card_not_on_display`, and `card_face_down` unless it may be down."""
    found = display.find(card)
    refuse(card_not_on_display=found is None)
    assert found is not None
    refuse(card_face_down=up and not found[1].up)
    return found[0]


def drawn_from(display: Display, pile: Slots | None) -> Display:
    """The display with the pile that the question gives, where that is not on it."""
    return display if pile is None else Display(display.layout, display.spaces, pile)


def taken_off(display: Display, card: str, entry: Entry = "keep") -> Taken:
    """A card taken off the display and its place filled from the pile."""
    space = place_of(display, card, up=False)
    rest, refill = display.without(card).refilled(space, entry)
    return Taken(card, space, rest, refill)


def in_its_place(display: Display, old: str, new: str) -> tuple[Space, Display]:
    """A card laid up in the place of another one, which leaves the display."""
    space = place_of(display, old, up=False)
    return space, display.without(old).with_card(space, Slot(new, True))


def refill(who: Who, space: Space, card: Slot | None) -> list[dict[str, Any]]:
    """A place that was filled, and on whose side; nothing where no card came."""
    return [] if card is None else [{"side": who, **refill_json(space, card)}]


def flips(active: int = 0, opponent: int = 0) -> dict[str, int]:
    """The chits turned over on both sides."""
    return {"active": active, "opponent": opponent}


def flipped(row: Chits, count: int = 1) -> tuple[Chits, int]:
    """A row with chits turned over, and how many really were."""
    after = row.flip(count)
    return after, after.flipped - row.flipped


def up_cards(display: Display) -> Sequence[str]:
    """The cards that random selection picks from, in the order of the chart (SR-36)."""
    return display.ups()
