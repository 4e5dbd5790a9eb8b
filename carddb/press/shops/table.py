"""Lays out a game on a table (decks on their zones, boards, tokens and dice, each with its place), and draws a plan.

The zones are those of the game's playtest table. Lengths are in micrometres, from the table's upper left corner.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from carddb.cards.cards import Card
from carddb.core.names import capital
from carddb.core.units import Box, Size, mm, to_mm
from carddb.game.game import GameSpec
from carddb.layout.sheets.grid import whole_page
from carddb.layout.sheets.imposition import Placed, impose
from carddb.layout.stock import paper_size
from carddb.paint.pdf.images import PdfImages
from carddb.paint.pdf.sheets import sheets_pdf
from carddb.play.playtest.session import zones_of
from carddb.press.faces.bank import FaceStreams
from carddb.press.faces.workshop import families_of

GAP = mm(36)
"""The space around each place, which has room for its label."""
HEAD = mm(36)
"""The additional space above the area of each player, for the name."""
_WIDE: Mapping[str, int] = {"pile": 1, "row": 3, "grid": 4}
"""The number of cards side by side in a place, by the order of its cards. A grid with cards is as wide as they need."""
_WIDTHS = 16
"""The number of table widths that are tried, beginning with the width of the widest part."""
BESIDE = mm(4)
"""The space between cards side by side in a place."""
MOST_COPIES = 100
"""The most copies of one piece on an online table."""
_DIE = Size(mm(20), mm(20))
_SIDES: Mapping[str, int] = {"four": 4, "six": 6, "eight": 8, "ten": 10, "twelve": 12, "twenty": 20}
_DICE = re.compile(rf"(?:({'|'.join(_SIDES)})-sided )?(?:die|dice)\b")

Copies = Sequence[tuple[Card, int]]


@dataclass(frozen=True, slots=True)
class Seat:
    """A player: the name and the cards of the deck, by section. Without a deck, the name is empty."""

    name: str
    sections: Mapping[str, Copies]


@dataclass(frozen=True, slots=True)
class Stack:
    """A zone on the table, with the cards that begin there. `seat` is its player's number, 0 if players share it."""

    key: str
    label: str
    seat: int
    faces: Literal["up", "down", "own"]
    order: Literal["pile", "row", "grid"]
    cards: Copies
    box: Box

    def spots(self, card: Size) -> list[tuple[Card, Box]]:
        """Returns the cards that lie side by side, as many as the zone has room for, with their boxes."""
        wide, high = card.width + BESIDE, card.height + BESIDE
        columns, rows = (
            (length + BESIDE) // step for length, step in ((self.box.width, wide), (self.box.height, high))
        )
        each = [card for card, count in self.cards for _ in range(count if self.order == "grid" else 1)]
        return [
            (shown, Box(self.box.x + at % columns * wide, self.box.y + at // columns * high, *card))
            for at, shown in enumerate(each[: columns * rows])
        ]


@dataclass(frozen=True, slots=True)
class TablePiece:
    """Copies of a piece: the numbers of its faces, and its shape as in `game.yaml`, empty for a plain rectangle."""

    front: int
    back: int | None
    copies: int = 1
    shape: str = ""


@dataclass(frozen=True, slots=True)
class Thing:
    """A component: its pieces, which lie on each other, and their place. `seat` is its player's number, 0 if shared."""

    label: str
    seat: int
    pieces: Sequence[TablePiece]
    box: Box

    @property
    def copies(self) -> int:
        return sum(piece.copies for piece in self.pieces)


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
    """Everything on the table, without overlaps. `card` is the size of a card."""

    title: str
    card: Size
    size: Size
    seats: Sequence[Seat]
    stacks: Sequence[Stack]
    things: Sequence[Thing]
    dice: Sequence[Die]

    @property
    def piles(self) -> dict[str, tuple[Copies, Box, bool]]:
        """The piles by name: cards, box, and whether they lie face up. Each card of a grid is a separate pile."""
        piles: dict[str, tuple[Copies, Box, bool]] = {}
        for stack in filter(lambda stack: stack.cards, self.stacks):
            name, is_up = self.name_of(stack), stack.faces == "up"
            if stack.order == "grid":
                spots = enumerate(stack.spots(self.card), 1)
                piles |= {f"{name} {at}": (((card, 1),), box, is_up) for at, (card, box) in spots}
            else:
                piles[name] = stack.cards, stack.box, is_up
        return piles

    @property
    def thing_faces(self) -> list[int]:
        """The numbers of the faces of all components, each once."""
        pieces = (piece for thing in self.things for piece in thing.pieces)
        return list(dict.fromkeys(face for piece in pieces for face in (piece.front, piece.back) if face is not None))

    def name_of(self, stack: Stack) -> str:
        """Returns the label of a zone, with the number of its player if there are several players."""
        return stack.label if not stack.seat or len(self.seats) < 2 else f"{stack.label}, player {stack.seat}"

    def owner(self, seat: int) -> str:
        """Returns the label of a player, such as `Player 2` or, if the seat has a name, `Player 2: Iron Wall`."""
        return f"Player {seat}: {self.seats[seat - 1].name}".removesuffix(": ")


def is_board(size: Size, card: Size) -> bool:
    """Returns True if a piece is so much larger than a card that it is a board."""
    return size.width > 2 * card.width


def lay_out(
    spec: GameSpec, title: str, seats: Sequence[Seat], things: Iterable[Thing], card: Size, aspect: float
) -> OnlineTable:
    """Returns the table of a game. The first player sits at the lower edge, the others above the shared places.

    Only the sizes of the boxes of `things` are used. `aspect` is the width of the area to fill, divided by its height.
    """
    tallest_first = sorted(things, key=lambda thing: -thing.box.height)
    parts: list[Part] = [*_stacks(spec, seats, card), *tallest_first, *_dice(spec, len(seats))]
    areas = [[part for part in parts if part.seat == seat] for seat in (*range(len(seats), 1, -1), 0, 1)]
    areas = [area for area in areas if area]
    widest = max(part.box.width + GAP for part in parts)

    def scale_of(width: int) -> float:
        return min(aspect / width, 1 / sum(_packed(area, width)[1] + HEAD for area in areas))

    width = max((round(widest * (1 + step / 4)) for step in range(_WIDTHS)), key=scale_of)
    placed: list[Part] = []
    y = 0
    for area in areas:
        boxes, height = _packed(area, width)
        y += HEAD
        placed += [replace(part, box=box._replace(y=box.y + y)) for part, box in zip(area, boxes, strict=True)]
        y += height
    return OnlineTable(
        title, card, Size(max(part.box.right for part in placed) + GAP, y + GAP), seats,
        [part for part in placed if isinstance(part, Stack)],
        [part for part in placed if isinstance(part, Thing)],
        [part for part in placed if isinstance(part, Die)],
    )  # fmt: skip


def _stacks(spec: GameSpec, seats: Sequence[Seat], card: Size) -> Iterator[Stack]:
    for key, zone in zones_of(spec).items():
        label = zone.label or capital(key.replace("_", " "))
        owners = range(1, len(seats) + 1) if zone.whose == "player" else (0,)
        for seat in owners:
            bringing = seats if seat == 0 else [seats[seat - 1]]
            copies = [copy for each in bringing for section in zone.sections for copy in each.sections.get(section, ())]
            wide, high = _WIDE[zone.order], 1
            if zone.order == "grid" and copies:  # if several players bring the same cards of a grid, it has them once
                copies = list({card.ref: (card, count) for card, count in copies}.values())
                wide = math.isqrt(sum(count for _, count in copies) - 1) + 1
                high = -(-sum(count for _, count in copies) // wide)
            box = Box(0, 0, card.width * wide + BESIDE * (wide - 1), card.height * high + BESIDE * (high - 1))
            yield Stack(key, label, seat, zone.faces, zone.order, copies, box)


def _dice(spec: GameSpec, players: int) -> Iterator[Die]:
    for part in spec.brought:
        if found := _DICE.search(part.what):
            for seat in range(1, players + 1) if part.per == "player" else (0,):
                sides = _SIDES.get(found[1] or "six", 6)
                label = capital(part.what.partition(",")[0])
                yield from (Die(label, seat, sides, Box(0, 0, *_DIE)) for _ in range(part.count or 1))


def _packed(parts: Sequence[Part], width: int) -> tuple[list[Box], int]:
    """Returns boxes for the parts within `width`, with a gap above and to the left of each, and their total height.

    Each part lies as high as possible below or beside the parts before it and, among equally high places, leftmost.
    """
    out: list[Box] = []
    taken: list[tuple[int, int, int]] = []  # left, right and bottom of each part with its gap
    for part in parts:
        wide = part.box.width + GAP
        lefts = [left for left in (0, *(right for _, right, _ in taken)) if not left or left + wide <= width]
        below = {x: max((end for left, right, end in taken if left < x + wide and x < right), default=0) for x in lefts}
        y, x = min((y, x) for x, y in below.items())
        out.append(part.box._replace(x=x + GAP, y=y + GAP))
        taken.append((x, x + wide, y + GAP + part.box.height))
    return out, max((bottom for _, _, bottom in taken), default=0)


_TEMPLATE = "table-plan.svg"
_MARGIN, _TOP = mm(10), mm(19)
_LEGEND, _LINE = mm(54), mm(5)
"""The width of the legend, and the height of its lines."""
_APART = mm(6)
"""The distance of the legend from the table."""
_SMALL = mm(4)
"""A pile is not drawn as a pile if a side of its place is no longer than this."""
_LETTER = mm(1.25)
"""The average width of a letter of a label."""
_NAME, _LABEL = mm(2.6), mm(5)
"""The least distance of a player's name from the area above, and its distance from the first places below."""
_DPI = 200
"""The resolution of pictures on the small cards of a plan."""


def plan_size(paper: str) -> Size:
    """Returns the size of the page of a plan, in landscape format. Raises UsageError for an unknown paper."""
    page = paper_size(paper)
    return page.turned if page.height > page.width else page


def table_area(page: Size) -> Size:
    """Returns the size of the area that a plan has for the table, beside the legend."""
    return Size(page.width - 2 * _MARGIN - _LEGEND, page.height - _TOP - _MARGIN)


def plan_pdf(streams: FaceStreams, table: OnlineTable, page: Size, creation: int = 0) -> bytes:
    """Returns the plan as a PDF with one page of this size. Raises TemplateError or FontError if it cannot be drawn."""
    bank, workshop = streams.bank, streams.bank.workshop
    plan = _Plan(table, table_area(page))
    faces = list(plan.faces(streams))
    families = families_of(workshop.game.spec)
    words = {"title": table.title, "heading": families.heading, "label": families.label, "left": to_mm(_MARGIN)}
    over = bank.page(_TEMPLATE, {**words, **plan.context(page, {placed.box for placed in faces})})
    (sheet,) = impose([(over, None)], whole_page(page), "none")
    drawn = streams.drawn(sheet._replace(placed=(*sheet.placed, *faces)))
    album = PdfImages(workshop.images, _DPI)
    return sheets_pdf(
        [drawn], workshop.kit.book, album, title=table.title, lang=workshop.lang, duplex="none", two_sided=False,
        creation=creation,
    )  # fmt: skip


class _Plan:
    """The places of a table, scaled to an area on a page."""

    def __init__(self, table: OnlineTable, area: Size) -> None:
        self._table = table
        self._scale = min(area.width / (table.size.width - 2 * GAP), area.height / table.size.height)
        self._left = _MARGIN - round(GAP * self._scale)
        parts: list[Part] = [*table.stacks, *table.things, *table.dice]
        self._places = [(self._box(part.box), _label(part), part) for part in parts]
        self._tops = {seat: min(part.box.y for part in parts if part.seat == seat) for seat in {p.seat for p in parts}}
        room = round(GAP * self._scale)
        long = (label for box, label, _ in self._places if len(label) * _LETTER > box.width + room)
        self._numbers = {label: at for at, label in enumerate(dict.fromkeys(long), 1)}

    def _box(self, box: Box) -> Box:
        x, y, width, height = (round(length * self._scale) for length in box)
        return Box(x + self._left, y + _TOP, width, height)

    def faces(self, streams: FaceStreams) -> Iterator[Placed]:
        """Yields the faces to show: the first card of a pile, the first cards of a row, and components."""
        for stack in self._table.stacks:
            for card, box in stack.spots(self._table.card):
                back = streams.bank.back(card) if stack.faces == "down" else None
                yield self._placed(streams.bank.front(card) if back is None else back, box, streams)
        for thing in self._table.things:
            yield self._placed(thing.pieces[0].front, thing.box, streams)

    def _placed(self, number: int, box: Box, streams: FaceStreams) -> Placed:
        """Returns a face in a box, turned by 90° if only one of the two is in landscape format."""
        size, shown = streams.bank.size_of(number), self._box(box)
        turned = (size.width > size.height) != (box.width > box.height) and size.width != size.height
        return Placed(number, shown, shown, 90 if turned else 0)

    def context(self, page: Size, shown: set[Box]) -> dict[str, Any]:
        """Returns the template's data: places with labels, and the heading of each player."""
        return {
            "page": {"width": to_mm(page.width), "height": to_mm(page.height)},
            "places": [
                {"x": to_mm(box.x), "y": to_mm(box.y), "width": to_mm(box.width), "height": to_mm(box.height),
                 "label": label, "number": self._numbers.get(label, 0), "empty": box not in shown,
                 "sides": part.sides if isinstance(part, Die) else 0,
                 "shaped": isinstance(part, Thing) and bool(part.pieces[0].shape),
                 "pile": label.endswith(")") and min(box.width, box.height) > _SMALL}
                for box, label, part in self._places
            ],
            "seats": [
                {"y": to_mm(max(self._box(Box(0, top - HEAD - GAP, 0, 0)).y + _NAME,
                                self._box(Box(0, top, 0, 0)).y - _LABEL)),
                 "name": self._table.owner(seat) if seat else "Shared"}
                for seat, top in sorted(self._tops.items()) if len(self._tops) > 1
            ],
            "legend": list(self._numbers), "line": to_mm(_LINE),
            "legend_left": to_mm(page.width - _MARGIN - _LEGEND + _APART), "legend_width": to_mm(_LEGEND - _APART),
            "legend_top": to_mm(_TOP + mm(9)),
        }  # fmt: skip


def _label(part: Part) -> str:
    """Returns the label of a place, with the number of its cards or copies if there are several."""
    if isinstance(part, Die):
        return part.label
    copies = sum(number for _, number in part.cards) if isinstance(part, Stack) else part.copies
    return f"{part.label} ({copies})" if copies > 1 else part.label
