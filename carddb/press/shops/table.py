"""A game laid out on a table: decks on their zones, boards, tokens and dice, each with its place, for every program.

The zones are those of the playtest table. Lengths are in micrometres, from the table's upper left corner.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from carddb.cards.cards import Card
from carddb.core.names import capital
from carddb.core.units import Box, Size, mm
from carddb.game.game import GameSpec
from carddb.play.playtest.session import zones_of

GAP = mm(36)
"""The space around each place, in which its label is."""
HEAD = mm(36)
"""The additional space above the area of each player, for the name."""
_WIDE: Mapping[str, int] = {"pile": 1, "row": 3, "grid": 4}
"""The number of cards side by side in a place, by the order of its cards."""
_ASPECT = 1.45
"""Width by height that a table should have."""
_WIDTHS = 40
"""The number of widths that are tried, from that of the widest part."""
BESIDE = mm(4)
"""The space between cards side by side in a place."""
MOST_COPIES = 100
"""The most copies of one component that are on a table of a program."""
_DIE = Size(mm(20), mm(20))
_SIDES: Mapping[str, int] = {"four": 4, "six": 6, "eight": 8, "ten": 10, "twelve": 12, "twenty": 20}
_DICE = re.compile(rf"(?:({'|'.join(_SIDES)})-sided )?(?:die|dice)\b")

Copies = Sequence[tuple[Card, int]]


@dataclass(frozen=True, slots=True)
class Seat:
    """A player with the cards of a deck, by section."""

    name: str
    sections: Mapping[str, Copies]


@dataclass(frozen=True, slots=True)
class Stack:
    """A zone on the table with the cards that begin there. `seat` is 0 if all share it."""

    key: str
    label: str
    seat: int
    faces: Literal["up", "down", "own"]
    order: Literal["pile", "row", "grid"]
    cards: Copies
    box: Box


@dataclass(frozen=True, slots=True)
class Thing:
    """Copies of a component: the numbers of its faces, and its place, which has its size."""

    label: str
    seat: int
    front: int
    back: int | None
    copies: int
    box: Box


@dataclass(frozen=True, slots=True)
class Die:
    """A die with its number of sides."""

    label: str
    seat: int
    sides: int
    box: Box


Part = Stack | Thing | Die


@dataclass(frozen=True, slots=True)
class OnlineTable:
    """Everything on the table, none overlapping another. `card` is the size of a card."""

    title: str
    card: Size
    size: Size
    seats: Sequence[Seat]
    stacks: Sequence[Stack]
    things: Sequence[Thing]
    dice: Sequence[Die]

    @property
    def piles(self) -> dict[str, Copies]:
        """The cards of each place that has some, by its name."""
        return {self.name_of(stack): stack.cards for stack in self.stacks if stack.cards}

    def name_of(self, stack: Stack) -> str:
        """Returns the label of a place, with its player if there are several."""
        return stack.label if not stack.seat or len(self.seats) < 2 else f"{stack.label}, {self.owner(stack.seat)}"

    def owner(self, seat: int) -> str:
        """Returns the number of a player and the name of the deck."""
        return f"{seat}: {self.seats[seat - 1].name}"


def lay_out(spec: GameSpec, title: str, seats: Sequence[Seat], things: Iterable[Thing], card: Size) -> OnlineTable:
    """Returns the table of a game. The first player sits at the lower edge, the others above the shared places.

    Only the size of the box of each thing is used.
    """
    parts: list[Part] = [*_stacks(spec, seats, card), *_dice(spec, len(seats)), *things]
    areas = [[part for part in parts if part.seat == seat] for seat in (*range(len(seats), 1, -1), 0, 1)]
    areas = [area for area in areas if area]
    widest = max(part.box.width + GAP for part in parts)

    def height_of(width: int) -> int:
        return sum(_shelves(area, width)[1] + HEAD for area in areas)

    tried = [round(widest * (1 + step / 4)) for step in range(_WIDTHS)]
    width = min(tried, key=lambda width: abs(math.log(width / height_of(width) / _ASPECT)))
    placed: list[Part] = []
    y = 0
    for area in areas:
        boxes, height = _shelves(area, width)
        y += HEAD
        placed += [replace(part, box=box._replace(y=box.y + y)) for part, box in zip(area, boxes, strict=True)]
        y += height
    return OnlineTable(
        title, card, Size(width + GAP, y + GAP), seats,
        [part for part in placed if isinstance(part, Stack)],
        [part for part in placed if isinstance(part, Thing)],
        [part for part in placed if isinstance(part, Die)],
    )  # fmt: skip


def _stacks(spec: GameSpec, seats: Sequence[Seat], card: Size) -> Iterator[Stack]:
    for key, zone in zones_of(spec).items():
        wide = _WIDE[zone.order]
        box = Box(0, 0, card.width * wide + BESIDE * (wide - 1), card.height)
        label = zone.label or capital(key.replace("_", " "))
        owners = range(1, len(seats) + 1) if zone.whose == "player" else (0,)
        for seat in owners:
            bringing = seats if seat == 0 else [seats[seat - 1]]
            cards = [copy for each in bringing for section in zone.sections for copy in each.sections.get(section, ())]
            yield Stack(key, label, seat, zone.faces, zone.order, cards, box)


def _dice(spec: GameSpec, players: int) -> Iterator[Die]:
    for part in spec.brought:
        if found := _DICE.search(part.what):
            for seat in range(1, players + 1) if part.per == "player" else (0,):
                sides = _SIDES.get(found[1] or "six", 6)
                yield from (Die(capital(part.what), seat, sides, Box(0, 0, *_DIE)) for _ in range(part.count or 1))


def _shelves(parts: Sequence[Part], width: int) -> tuple[list[Box], int]:
    """Returns boxes for the parts side by side in rows of `width`, each with a gap above and to its left, and their
    height."""
    out: list[Box] = []
    x = y = row = 0
    for part in parts:
        box = part.box
        if x and x + GAP + box.width > width:
            x, y, row = 0, y + row, 0
        out.append(box._replace(x=x + GAP, y=y + GAP))
        x, row = x + GAP + box.width, max(row, box.height + GAP)
    return out, y + row
