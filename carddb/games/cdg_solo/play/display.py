"""A side's card display, its row of chits, and the results of the method die, which name its spaces (SD-4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import Field

from carddb.game.game import GameSpec
from carddb.play.question import Answer, BadInput, Count, Many, Part, Words, operation, refuse
from carddb.play.table.session import Changing

LIMIT = 12
"""The highest number on the counters (SR-7)."""


class Chits(Part):
    """A row of chits, numbered from 1 to `total`, of which 1 to `flipped` are flipped."""

    total: Count
    flipped: Count

    @property
    def unflipped(self) -> int:
        return self.total - self.flipped

    def flip(self, count: int = 1) -> Chits:
        """Returns the row with its next `count` chits flipped, or with all flipped if fewer are left (SR-7)."""
        return self.model_copy(update={"flipped": min(self.total, self.flipped + count)})

    def add(self, count: int = 1) -> Chits:
        """Returns the row with `count` chits added at the right. Refuses with `chit_over_limit` if it gets too long."""
        refuse(chit_over_limit=self.total + count > LIMIT)
        return self.model_copy(update={"total": self.total + count})

    def remove(self, count: int = 1) -> Chits:
        """Returns the row without its `count` highest unflipped chits, or without all of them if there are fewer."""
        return self.model_copy(update={"total": max(self.flipped, self.total - count)})

    def checked(self, path: str) -> Chits:
        """Returns the row. Raises BadInput at `path` for too many flips. Refuses with `chit_over_limit` past LIMIT."""
        if self.flipped > self.total:
            raise BadInput(f"{path}.flipped" if path else "flipped", least=0, most=self.total)
        refuse(chit_over_limit=self.total > LIMIT)
        return self


@operation()
def chits(
    total: Count,
    flipped: Count,
    action: Annotated[Literal["flip", "add", "remove", "reset"], Words("chit_actions")],
    n: Count | None = None,
) -> Answer:
    """Changes a row of chits: turns chits over, adds or removes them, or lays them out again for a hand of `n`."""
    row = Chits(total=total, flipped=flipped).checked("")
    if action == "reset":
        return laid_out(row.total if n is None else n).model_dump()
    count = 1 if n is None else n
    return {"flip": row.flip, "add": row.add, "remove": row.remove}[action](count).model_dump()


def laid_out(hand: int) -> Chits:
    """Returns a row for `hand` cards. Refuses with `chit_over_limit` above LIMIT, `hand_size_out_of_range` below 1."""
    refuse(chit_over_limit=hand > LIMIT, hand_size_out_of_range=hand < 1)
    return Chits(total=hand, flipped=0)


Layout = Annotated[Literal["pile_in_c", "virtual_c", "card_in_c"], Words("layouts")]
Space = Literal["A", "B", "C", "D", "E"]
RefillMode = Literal["up", "keep", "down", "under"]
"""The way a card fills a space: turned up; as it lies; turned down; as it lies, from under the top of the pile."""

SPACES: tuple[Space, ...] = ("A", "B", "C", "D", "E")
WINGS: tuple[Space, ...] = ("A", "B", "D", "E")
"""The spaces around C."""

_Faces = Literal["C_JR", "AB", "DE", "ABC", "CDE", "UP"]
Result = Annotated[_Faces, Words("results")]
RESULTS: tuple[Result, ...] = get_args(_Faces)
FACES = tuple(str(face) for face in range(1, 7))


def result_of(spec: GameSpec, word: Any) -> Any:
    """Returns the code of the result whose code or printed text is `word`; any other value unchanged."""
    return (spec.vocabulary(RESULTS, "results").find(word) or word) if isinstance(word, str) else word


def letters(result: Result) -> list[Space]:
    """Returns the spaces that a result names, which are the letters of its code; none for `UP`."""
    return [space for space in SPACES if space in result]


def has_c(result: Result) -> bool:
    """Returns whether the letters of a result include C."""
    return "C" in letters(result)


SlotText = Annotated[str, Field(pattern=r"^(?s:.+)[+-]$")]


@dataclass(frozen=True, slots=True)
class Slot:
    """A card on a display or in a pile, face up or down."""

    card: str
    up: bool = False

    @classmethod
    def of(cls, text: str) -> Slot:
        """Returns the slot for a text: `x1+` is the card `x1` face up, `x1-` the same card face down."""
        return cls(text[:-1], text.endswith("+"))

    def __str__(self) -> str:
        return self.card + ("+" if self.up else "-")

    def filling(self, space: Space) -> dict[str, Any]:
        """Returns `space` and this card, which refills the space, as an answer lists them."""
        return {"space": space, "card": self.card, "up": self.up}


Slots = tuple[Slot, ...]

Lying = Annotated[Many[SlotText], Field(max_length=1000)]
"""The cards of a space or a pile in a question; their number is limited, because all are compared with each other."""


class DisplayText(Part):
    """A display in slot notation (`x1+` is `x1` face up, `x1-` face down), without its pile if that is elsewhere."""

    A: Lying
    B: Lying
    C: Lying
    D: Lying
    E: Lying
    pile: Lying | None = None

    def on(self, layout: Layout) -> Display:
        """Returns the display for a module with this layout."""
        spaces = {space: slots(getattr(self, space)) for space in SPACES}
        return Display(layout, spaces, None if self.pile is None else slots(self.pile))


def slots(texts: Iterable[str]) -> Slots:
    """Returns the slots for texts such as `x1+`, which `Slot.of` reads."""
    return tuple(map(Slot.of, texts))


@dataclass(frozen=True)
class Display:
    """The five spaces and the pile: the side's own pile in `pile_in_c`, else the common one.

    The pile is None if it is kept elsewhere. A display never changes: every change returns a new display.
    """

    layout: Layout
    spaces: Mapping[Space, Slots]
    pile: Slots | None = ()

    def at(self, space: Space) -> Slots:
        """Returns the cards in a space. With a pile in C, the card in C is the top of the pile (SR-3)."""
        if space == "C" and self.layout == "pile_in_c":
            return self.stock[:1]
        return self.spaces.get(space, ())

    @property
    def stock(self) -> Slots:
        """The cards of the pile, empty if the pile is kept elsewhere."""
        return self.pile or ()

    def __iter__(self) -> Iterator[tuple[Space, Slot]]:
        """Yields every card of the display with its space, from A to E."""
        return ((space, slot) for space in SPACES for slot in self.at(space))

    def ups(self) -> list[str]:
        """Returns the face-up cards, from A to E."""
        return [slot.card for _, slot in self if slot.up]

    def down(self) -> Mapping[str, list[str]]:
        """Returns the face-down cards by space. An empty virtual C counts as the top of the common pile (S-62)."""
        down: dict[str, list[str]] = {space: [slot.card for slot in self.at(space) if not slot.up] for space in SPACES}
        if self.layout == "virtual_c" and not self.at("C"):
            down["C"] = [slot.card for slot in self.stock[:1]]
        return down

    def downs(self) -> list[str]:
        """Returns the face-down cards, from A to E."""
        return [card for lying in self.down().values() for card in lying]

    def find(self, card: str) -> tuple[Space, Slot] | None:
        """Returns the space and the slot of a card; None if the card is not on the display."""
        return next(((space, slot) for space, slot in self if slot.card == card), None)

    def turned_up(self, cards: Collection[str]) -> Display:
        """Returns the display with `cards` turned up; the top of a common pile moves to a virtual C (S-60)."""
        display = self
        if self.layout == "virtual_c" and not self.at("C") and {slot.card for slot in self.stock[:1]} & set(cards):
            display = replace(self, spaces={**self.spaces, "C": self.stock[:1]}, pile=self.stock[1:])
        spaces = {space: _up(lying, cards) for space, lying in display.spaces.items()}
        pile = display.pile
        if pile and display.layout == "pile_in_c":
            pile = _up(pile[:1], cards) + pile[1:]
        return replace(display, spaces=spaces, pile=pile)

    def without(self, card: str) -> Display:
        """Returns the display without `card`. The next card of a pile in C stays as it was, face up or down."""
        if self.layout == "pile_in_c" and self.stock and self.stock[0].card == card:
            return replace(self, pile=self.stock[1:])
        spaces = {space: tuple(slot for slot in lying if slot.card != card) for space, lying in self.spaces.items()}
        return replace(self, spaces=spaces)

    def with_card(self, space: Space, card: Slot) -> Display:
        """Returns the display with `card` added last to `space`, or on top of a pile in C."""
        if space == "C" and self.layout == "pile_in_c":
            return replace(self, pile=(card, *self.stock))
        return replace(self, spaces={**self.spaces, space: (*self.spaces.get(space, ()), card)})

    def refilled(self, space: Space, entry: RefillMode) -> tuple[Display, Slot | None]:
        """Returns the display with `space` refilled, and the card that fills it.

        The card is None if the pile is empty, or if `space` is C, except in `card_in_c`. There the card comes face down
        unless `entry` is `up`; in other layouts as `entry` says. In `virtual_c`, a card in C fills the space first.
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

    def to_json(self) -> dict[str, list[str]]:
        """Returns the display in slot notation, without its pile if that is kept elsewhere."""
        out = {str(space): [str(slot) for slot in self.spaces.get(space, ())] for space in SPACES}
        return out if self.pile is None else {**out, "pile": [str(slot) for slot in self.pile]}


def _up(lying: Slots, cards: Collection[str]) -> Slots:
    return tuple(Slot(slot.card, slot.up or slot.card in cards) for slot in lying)


class Beside(Changing):
    """The cards beside a display; `home_used` are Home cards played in this phase, `fo` Future Offensives cards."""

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


class Common(Changing):
    """The common pile and its discards, in layouts with the pile off the displays."""

    pile: Many[SlotText] = ()
    discard: Many[str] = ()
