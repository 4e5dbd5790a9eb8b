"""The table of a question or a save: displays, piles, chits and the cards beside them (SD-5, SD-7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self

from pydantic import Field

from carddb.games.cdg_solo.module import Module
from carddb.games.cdg_solo.play.cards import Cards, CardTexts, cards_of
from carddb.games.cdg_solo.play.deal import Extras, extras_for
from carddb.games.cdg_solo.play.display import SPACES, Display, Slot, Slots, SlotText, Space, slots
from carddb.play.question import Count, Many, Record
from carddb.play.table.session import Changing


class ChitRow(Record):
    """A row of chits, with the numbers of the flipped chits if the question has them."""

    total: Count
    flipped: Count = 0
    flipped_numbers: Many[int] | None = None


class Beside(Changing):
    """The cards beside a display."""

    home: Many[str] = ()
    home_used: Many[str] = ()
    fo: Many[str] = ()
    tactician: Many[str] = ()

    @property
    def cards(self) -> tuple[str, ...]:
        """All cards beside the display."""
        return (*self.home, *self.home_used, *self.fo, *self.tactician)

    def without(self, card: str) -> Self:
        """Returns a copy without a card."""
        return self.with_(**{area: tuple(other for other in cards if other != card) for area, cards in self})


class CardFlags(Record):
    """The player's statements about a card."""

    conditions_met: bool = False


class SideText(Record):
    """One side's part of the table."""

    display: dict[str, Many[SlotText]]
    discard: Many[str] = ()
    removed: Many[str] = ()
    chits: ChitRow | None = None
    hand: Count | None = None
    off_display: Beside = Beside()
    flags: dict[str, CardFlags] = Field(default_factory=dict)
    first_round_card: str | None = None
    surplus: Many[Space] = ()
    chit_flips_logged: Count | None = None


class Common(Changing):
    """The common pile, if the pile is not on the displays."""

    pile: Many[SlotText] = ()
    discard: Many[str] = ()


class TableText(Record):
    """The whole table; `home`, `fo` and `tactician` list the cards of these kinds."""

    sides: dict[str, SideText]
    deck: dict[str, Many[str]] | None = None
    common: Common | None = None
    pile: Many[SlotText] | None = None
    home: Many[str] = ()
    fo: Many[str] = ()
    tactician: Many[str] = ()
    pending: Many[Any] = ()
    cards: CardTexts = Field(default_factory=dict)
    conditions_met: Many[str] = ()
    hands: dict[str, Count] = Field(default_factory=dict)
    at_setup: bool = False
    phase_ended: bool = False
    step: str | None = None
    chit_flips_logged: Count | dict[str, Count] | None = None
    first_round_card: str | dict[str, str | None] | None = None


Place = tuple[str, str]
"""A card, and its place as a dotted path."""


@dataclass(frozen=True)
class Table:
    """A table, with the module whose rules apply."""

    module: Module
    text: TableText

    @cached_property
    def common_pile(self) -> Slots:
        """The pile of both sides, given with the common discards, alone, or as the pile of a display."""
        if self.text.common is not None:
            return slots(self.text.common.pile)
        if self.text.pile is not None:
            return slots(self.text.pile)
        piles = [slots(side.display.get("pile", ())) for side in self.text.sides.values()]
        return max(piles, key=len, default=())

    @cached_property
    def displays(self) -> Mapping[str, Display]:
        """The displays by side."""
        displays, layout = {}, self.module.layout
        for name, side in self.text.sides.items():
            spaces = {space: slots(side.display.get(space, ())) for space in SPACES}
            pile = slots(side.display.get("pile", ())) if layout == "pile_in_c" else self.common_pile
            displays[name] = Display(layout, spaces, pile)
        return displays

    def cards(self, side: str) -> Cards:
        """Returns the cards as `side` holds them."""
        return cards_of(self.module, self.text.cards, side if side in self.module.side_ids else None)

    def conditions_met(self, side: str) -> set[str]:
        """Returns the cards of `side` whose conditions the player has declared met."""
        flagged = {card for card, flag in self.text.sides[side].flags.items() if flag.conditions_met}
        return flagged | set(self.text.conditions_met)

    def of_kind(self, kind: Literal["home", "tactician"]) -> set[str]:
        """Returns the cards of `kind`: those that are listed so, and those with this kind in their attributes."""
        beside = [card for side in self.text.sides.values() for card in getattr(side.off_display, kind)]
        by_attributes = [id_ for id_, card in self.text.cards.items() if kind in card.kinds]
        return {*getattr(self.text, kind), *beside, *by_attributes}

    @cached_property
    def fo(self) -> set[str]:
        """The cards held as Future Offensives."""
        return {*self.text.fo, *(card for side in self.text.sides.values() for card in side.off_display.fo)}

    def hand(self, side: str) -> int | None:
        """Returns the hand size of a side: as the question gives it, else its number of chits."""
        text = self.text.sides[side]
        if side in self.text.hands:
            return self.text.hands[side]
        if text.hand is not None or text.chits is None:
            return text.hand
        return text.chits.total

    def flips_logged(self, side: str) -> int | None:
        """Returns how many chit flips of a side are logged in this phase; None if the question does not say so."""
        logged, own = self.text.chit_flips_logged, self.text.sides[side].chit_flips_logged
        if own is not None:
            return own
        if isinstance(logged, dict):
            return logged.get(side)
        flipped = sum(text.chits.flipped for text in self.text.sides.values() if text.chits)
        return None if logged == flipped else logged

    @cached_property
    def hands(self) -> tuple[int, int] | None:
        """Both hand sizes, None if the table does not have both."""
        sizes = [self.hand(side) for side in self.module.side_ids if side in self.text.sides]
        return (sizes[0], sizes[1]) if len(sizes) == 2 and sizes[0] and sizes[1] else None

    @cached_property
    def extras(self) -> Extras:
        """The extra cards that the displays should have."""
        return extras_for(self.hands if self.hands and self.module.extras_on_display else (0, 0))

    def piles(self) -> Iterator[tuple[str, Slots, bool]]:
        """Yields every pile with its place, and whether its top card counts as a card of a display."""
        if self.module.layout != "pile_in_c":
            yield "pile", self.common_pile, False
        else:
            for side, display in self.displays.items():
                yield f"sides.{side}.pile", display.stock, True

    def spread(self, side: str) -> Iterator[tuple[str, Slot]]:
        """Yields the cards in the spaces of a side, including unknown spaces, with their place."""
        for space, lying in self.text.sides[side].display.items():
            if space != "pile":
                yield from ((f"sides.{side}.{space}", slot) for slot in slots(lying))

    def lying(self, side: str) -> Iterator[Place]:
        """Yields the cards of a side in its spaces, its pile, its discards and among its removed cards."""
        yield from ((slot.card, where) for where, slot in self.spread(side))
        if self.module.layout == "pile_in_c":
            yield from ((slot.card, f"sides.{side}.pile") for slot in self.displays[side].stock)
        for name in ("discard", "removed"):
            yield from ((card, f"sides.{side}.{name}") for card in getattr(self.text.sides[side], name))

    def shared(self) -> Iterator[Place]:
        """Yields the cards of the common pile and the common discards."""
        if self.module.layout != "pile_in_c":
            yield from ((slot.card, "pile") for slot in self.common_pile)
        if self.text.common is not None:
            yield from ((card, "common.discard") for card in self.text.common.discard)

    def beside(self, side: str) -> set[str]:
        """Returns the cards of a side beside its display, and those being resolved."""
        own = self.text.sides[side].off_display.cards
        listed = {*own, *self.text.home, *self.text.fo, *self.text.tactician}
        pending = {card for card in self.text.pending if isinstance(card, str)}
        resolving = {str(part["card"]) for part in self.text.pending if isinstance(part, dict) and "card" in part}
        return listed | pending | resolving

    def drawable(self, side: str) -> bool:
        """Returns whether a side could draw a card, from its pile or after a rebalance or a reshuffle (SR-21)."""
        sides = [side] if self.module.deck_mode == "separate" else list(self.text.sides)
        if any(self.displays[name].stock or self.text.sides[name].discard for name in sides):
            return True
        return bool(self.text.common and self.text.common.discard)

    def first_round_cards(self) -> Iterator[tuple[str, str | None]]:
        """Yields the first-round cards that were chosen, each with its side, or None if the question has no side."""
        chosen = self.text.first_round_card
        by_side = chosen if isinstance(chosen, dict) else {None: chosen}
        yield from ((card, side) for side, card in by_side.items() if card)
        yield from ((text.first_round_card, side) for side, text in self.text.sides.items() if text.first_round_card)
