"""A side's card display and its row of chits: cards face up or down, and how a place is filled again (SD-4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import Field

from carddb.play.question import Answer, BadInput, Count, Many, Part, Words, operation, refuse

LIMIT = 12
"""The counters stop here (SR-7)."""


class Chits(Part):
    """Chits 1 to `total`, of which 1 to `flipped` are turned over."""

    total: Count
    flipped: Count

    @property
    def unflipped(self) -> int:
        return self.total - self.flipped

    def flip(self, count: int = 1) -> Chits:
        """Returns the next ones turned over; none where none is left (SR-7)."""
        return self.model_copy(update={"flipped": min(self.total, self.flipped + count)})

    def add(self, count: int = 1) -> Chits:
        """Returns further ones at the right end. Refuses `chit_over_limit`."""
        refuse(chit_over_limit=self.total + count > LIMIT)
        return self.model_copy(update={"total": self.total + count})

    def remove(self, count: int = 1) -> Chits:
        """Returns the highest unflipped ones taken away; none where none is left."""
        return self.model_copy(update={"total": max(self.flipped, self.total - count)})

    def checked(self, path: str) -> Chits:
        """Returns the row of a question, where it can be. Raises BadInput; refuses `chit_over_limit`."""
        if self.flipped > self.total:
            raise BadInput(f"{path}.flipped" if path else "flipped", least=0, most=self.total)
        refuse(chit_over_limit=self.total > LIMIT)
        return self


@operation("S-32", "S-33", "S-34", "S-36", "S-74", "SR-7")
def chits(
    total: Count,
    flipped: Count,
    action: Annotated[Literal["flip", "add", "remove", "reset"], Words("chit_actions")],
    n: Count | None = None,
) -> Answer:
    """A row of chits after chits are turned over, added or taken away, or laid out anew for a hand of `n`."""
    row = Chits(total=total, flipped=flipped).checked("")
    if action == "reset":
        return laid_out(row.total if n is None else n).model_dump()
    count = 1 if n is None else n
    return {"flip": row.flip, "add": row.add, "remove": row.remove}[action](count).model_dump()


def laid_out(hand: int) -> Chits:
    """Returns a fresh row for a hand. Refuses `chit_over_limit`, `hand_size_out_of_range`."""
    refuse(chit_over_limit=hand > LIMIT, hand_size_out_of_range=hand < 1)
    return Chits(total=hand, flipped=0)


Layout = Annotated[Literal["pile_in_c", "virtual_c", "card_in_c"], Words("layouts")]
Space = Literal["A", "B", "C", "D", "E"]
RefillMode = Literal["up", "keep", "down", "under"]
"""How a card enters a place: turned up; as it lies on the pile; turned down; from under the pile's top, as it lies."""

SPACES: tuple[Space, ...] = ("A", "B", "C", "D", "E")
WINGS: tuple[Space, ...] = ("A", "B", "D", "E")
"""The spaces around C."""

SlotText = Annotated[str, Field(pattern=r"^(?s:.+)[+-]$")]


@dataclass(frozen=True, slots=True)
class Slot:
    """A card as it lies: up or down."""

    card: str
    up: bool = False

    @classmethod
    def of(cls, text: str) -> Slot:
        """Reads a slot: `x1+` lies up, `x1-` down."""
        return cls(text[:-1], text.endswith("+"))

    def __str__(self) -> str:
        return self.card + ("+" if self.up else "-")


Slots = tuple[Slot, ...]

Lying = Annotated[Many[SlotText], Field(max_length=1000)]
"""The cards of a space or a pile in a question, no more than a deck may have: the choices among them are compared."""


class DisplayText(Part):
    """A display in slot notation; the pile is left out where it lies elsewhere."""

    A: Lying
    B: Lying
    C: Lying
    D: Lying
    E: Lying
    pile: Lying | None = None

    def on(self, layout: Layout) -> Display:
        """Returns the display that is written here."""
        spaces = {space: slots(getattr(self, space)) for space in SPACES}
        return Display(layout, spaces, None if self.pile is None else slots(self.pile))


def slots(texts: Iterable[str]) -> Slots:
    """Returns cards in slot notation."""
    return tuple(map(Slot.of, texts))


@dataclass(frozen=True)
class Display:
    """The five spaces and the pile: the side's own in `pile_in_c`, else the common one; None where it lies elsewhere.

    Nothing here is ever changed: every change is a new display.
    """

    layout: Layout
    spaces: Mapping[Space, Slots]
    pile: Slots | None = ()

    def at(self, space: Space) -> Slots:
        """Returns the cards of a space; the top of a pile in C is the card in C (SR-3)."""
        if space == "C" and self.layout == "pile_in_c":
            return self.stock[:1]
        return self.spaces.get(space, ())

    @property
    def stock(self) -> Slots:
        """The cards of the pile, none where it lies elsewhere."""
        return self.pile or ()

    def __iter__(self) -> Iterator[tuple[Space, Slot]]:
        """Returns every card of the display with its space, from A to E."""
        return ((space, slot) for space in SPACES for slot in self.at(space))

    def ups(self) -> list[str]:
        """Returns the cards that lie up, from A to E."""
        return [slot.card for _, slot in self if slot.up]

    def downs(self) -> list[str]:
        """Returns the cards that lie down, A to E; the top of a common pile stands for an empty virtual C (S-62)."""
        down = {space: [slot.card for slot in self.at(space) if not slot.up] for space in SPACES}
        if self.layout == "virtual_c" and not self.at("C"):
            down["C"] = [slot.card for slot in self.stock[:1]]
        return [card for space in SPACES for card in down[space]]

    def find(self, card: str) -> tuple[Space, Slot] | None:
        """Returns where a card lies on the display, and which way up; None where it does not."""
        return next(((space, slot) for space, slot in self if slot.card == card), None)

    def turned_up(self, cards: Collection[str]) -> Display:
        """Returns these cards turned up; the top of a common pile comes to a virtual C (S-60)."""
        display = self
        if self.layout == "virtual_c" and not self.at("C") and {slot.card for slot in self.stock[:1]} & set(cards):
            display = replace(self, spaces={**self.spaces, "C": self.stock[:1]}, pile=self.stock[1:])
        spaces = {space: _up(lying, cards) for space, lying in display.spaces.items()}
        pile = display.pile
        if pile and display.layout == "pile_in_c":
            pile = _up(pile[:1], cards) + pile[1:]
        return replace(display, spaces=spaces, pile=pile)

    def without(self, card: str) -> Display:
        """Returns the display without one of its cards; under the top of a pile in C the next card lies as it lay."""
        if self.layout == "pile_in_c" and self.stock and self.stock[0].card == card:
            return replace(self, pile=self.stock[1:])
        spaces = {space: tuple(slot for slot in lying if slot.card != card) for space, lying in self.spaces.items()}
        return replace(self, spaces=spaces)

    def with_card(self, space: Space, card: Slot) -> Display:
        """Returns a card laid into a space, last in it; on a pile in C it is the new top."""
        if space == "C" and self.layout == "pile_in_c":
            return replace(self, pile=(card, *self.stock))
        return replace(self, spaces={**self.spaces, space: (*self.spaces.get(space, ()), card)})

    def refilled(self, space: Space, entry: RefillMode) -> tuple[Display, Slot | None]:
        """Fills a place; returns the card too: None where the pile is empty, and for C but in `card_in_c`.

        In `card_in_c` the card comes down unless it is to come up; elsewhere as `entry` says.
        """
        if space == "C" and self.layout != "card_in_c":
            return self, None
        if self.layout == "card_in_c" and entry != "up":
            entry = "down"
        left = self.at("C") if self.layout == "virtual_c" and entry != "under" else ()
        from_ = 1 if entry == "under" and self.layout == "pile_in_c" else 0
        source = left or self.stock[from_ : from_ + 1]
        if not source:
            return self, None
        card = Slot(source[0].card, {"up": True, "down": False}.get(entry, source[0].up))
        rest = self.without(card.card) if left else replace(self, pile=self.stock[:from_] + self.stock[from_ + 1 :])
        return rest.with_card(space, card), card

    def refilled_all(self, spaces: Collection[Space], entry: RefillMode) -> Display:
        """Returns several places filled again in the order A to E, one card each (SR-23, SR-24)."""
        display = self
        for space in sorted(spaces):
            display, _ = display.refilled(space, entry)
        return display

    def to_json(self) -> dict[str, list[str]]:
        """Returns the display in slot notation; without its pile where that lies elsewhere."""
        out = {str(space): [str(slot) for slot in self.spaces.get(space, ())] for space in SPACES}
        return out if self.pile is None else {**out, "pile": [str(slot) for slot in self.pile]}


def _up(lying: Slots, cards: Collection[str]) -> Slots:
    return tuple(Slot(slot.card, slot.up or slot.card in cards) for slot in lying)


def refill_json(space: Space, card: Slot) -> dict[str, Any]:
    """Returns a place that was filled, as answers have it."""
    return {"space": space, "card": card.card, "up": card.up}
