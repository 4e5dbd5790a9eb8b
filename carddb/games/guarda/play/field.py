"""The field: its cells and rotations, the patterns and their names, its variants, and the cells that a card affects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, Field, Strict

from carddb.core.names import Vocabulary
from carddb.game.game import GameSpec
from carddb.play.question import Answer, BadInput, Known, Positive, Words, operation, refuse

SIZES = range(3, 10)
"""The sizes of the fields that can be played on, in cells a side (G-16)."""

Cell = tuple[int, int]
"""Row and column of the field, or of a card; from 1."""

Seat = Annotated[Literal["S", "W", "N", "E"], Words("seats")]
Orientation = Annotated[Literal["attack", "defence"], Words("orientations")]

SEATS: tuple[str, ...] = get_args(get_args(Seat)[0])
"""The sides, clockwise as seen from above (G-26)."""
ORIENTATIONS: tuple[str, ...] = get_args(get_args(Orientation)[0])


def on_field(n: int, cell: Sequence[int]) -> bool:
    """Returns whether a cell is on the field."""
    return all(1 <= number <= n for number in cell)


def turned(n: int, cell: Cell) -> Cell:
    """Returns where a cell of the field is after a quarter turn of the field clockwise."""
    row, column = cell
    return column, n + 1 - row


def on_hill(n: int, cell: Cell) -> bool:
    """Returns whether a cell is in the centre: one cell of an odd field, four of an even field (G-89, G-90)."""
    middle = ((n + 1) // 2, n // 2 + 1)
    return cell[0] in middle and cell[1] in middle


def plain(cells: Iterable[Cell]) -> list[list[int]]:
    """Returns cells as lists for an answer, sorted by row, then column (G-109)."""
    return [list(cell) for cell in sorted(cells)]


def slide(n: int, cell: Cell, step: tuple[int, int], blocked: frozenset[Cell], most: int) -> Iterator[Cell]:
    """Yields up to `most` cells from `cell` on along `step`, until the edge or a blocked cell (G-44, G-47, G-48)."""
    for _ in range(most):
        cell = cell[0] + step[0], cell[1] + step[1]
        if cell in blocked or not on_field(n, cell):
            return
        yield cell


@cache
def shapes(n: int) -> Mapping[str, frozenset[Cell]]:
    """Returns the highlighted cells of every pattern by id, with the pointer at the top: V, H, X, ALL (G-15)."""
    line = range(1, n + 1)
    return {
        **{f"V{k}": frozenset((row, k) for row in line) for k in line},
        **{f"H{k}": frozenset((k, column) for column in line) for k in line},
        "X": frozenset((row, column) for row in line for column in (row, n + 1 - row)),
        "ALL": frozenset((row, column) for row in line for column in line),
    }


@cache
def areas(n: int, seat: str, orientation: str) -> Mapping[str, frozenset[Cell]]:
    """Returns the field cells of each pattern by its id, turned for an orientation and a seat (G-20 to G-23)."""
    area = shapes(n)
    for _ in range(SEATS.index(seat) + 2 * ORIENTATIONS.index(orientation)):
        area = {card: frozenset(turned(n, cell) for cell in cells) for card, cells in area.items()}
    return area


def grid_columns(spec: GameSpec) -> int:
    """Returns how many grid cards are placed side by side (G-96, G-100)."""
    return int(spec.types["grid"].fields["column"].max or 0)


def name_of(names: Mapping[str, str], card: str) -> str:
    """Returns the name of a pattern or grid card (`Column 3`) from its id (`V3`) and the names of kinds."""
    letters = card.rstrip("0123456789")
    return str(names[letters]).replace("{k}", card.removeprefix(letters))


def name_on(spec: GameSpec, n: int, card: str) -> str:
    """Returns the full name of a card: `Column 3 of 5×5`."""
    faces = spec.data["faces"]
    return str(faces["name"]).replace("{name}", name_of(faces["names"], card)).replace("{n}", str(n))


def pattern_id(spec: GameSpec, word: str) -> str:
    """Returns the id of the pattern called `word`, in any spelling; `word` itself if there is none."""
    return _pattern_words(tuple(spec.data["faces"]["names"].items())).find(word) or word


@cache
def _pattern_words(names: tuple[tuple[str, str], ...]) -> Vocabulary:
    """Returns the vocabulary of the patterns of the largest field, from the names of their kinds."""
    return Vocabulary(shapes(SIZES[-1]), {card: name_of(dict(names), card) for card in shapes(SIZES[-1])})


PatternId = Annotated[str, AfterValidator(lambda word, info: pattern_id(info.context, word) if info.context else word)]
"""A pattern card in a question: its id or its name, in any case."""
Size = Annotated[int, Field(ge=SIZES[0], le=SIZES[-1])]
CellField = Annotated[tuple[Positive, Positive], Strict(False), Field(description="Row and column, counted from 1.")]
"""Row and column of the field, or of a card, in a question."""
TypedCell = Annotated[CellField | str, Field(description="row,column, such as 1,2")]
Point = Annotated[tuple[int, int], Strict(False), Field(description="Row and column, counted from 1.")]
"""Row and column, which may be off the field."""


def require_cells(n: int, cells: Mapping[str, Sequence[int | Sequence[int]]]) -> None:
    """Raises BadInput for the first row or column off the field; `cells` maps paths to a cell or a list of cells."""
    for path, value in cells.items():
        for at, part in enumerate(value):
            if isinstance(part, Sequence):
                require_cells(n, {f"{path}.{at}": part})
            elif part > n:
                raise BadInput(f"{path}.{at}", least=1, most=n)


STRAIGHT = ((-1, 0), (0, -1), (0, 1), (1, 0))
DIAGONAL = ((-1, -1), (-1, 1), (1, -1), (1, 1))


@dataclass(frozen=True, slots=True)
class Variant:
    """The figures of the rules for a size of field, under the options in force; `cards` are the ids of its patterns."""

    n: int
    cards: tuple[str, ...]
    copies: int
    grid_cards: int
    opening_hand: int
    steps: tuple[tuple[int, int], ...]
    bend: bool
    health_cap: int | None
    exhaust_on: str
    guard: Mapping[str, int]

    @property
    def deck(self) -> int:
        """The number of a player's pattern cards (G-12, G-16)."""
        return len(self.cards) * self.copies

    @property
    def hand(self) -> int:
        """The hand size up to which a Draw phase draws (G-36)."""
        return self.n


def variant(spec: GameSpec, n: int) -> Variant:
    """Returns the variant on an `n` × `n` field."""
    data = spec.data
    by_field = "lines" if n in data["lines_only"] else "lines_x_all"
    families = data["patterns"].get(spec.readings["patterns"], data["patterns"][by_field])
    cap = spec.readings["health_cap"]
    return Variant(
        n=n,
        cards=tuple(card for card in shapes(n) if card.rstrip("0123456789") in families),
        copies=data["copies"],
        grid_cards=data["grid_cards"],
        opening_hand=max(spec.readings["opening_hand"], n),
        steps=STRAIGHT + (DIAGONAL if spec.readings["diagonals"] else ()),
        bend=spec.readings["bend"],
        health_cap=None if cap == "none" else cap,
        exhaust_on=spec.readings["exhaust_on"],
        guard=data["guard"],
    )


AnyOrientation = Known[Orientation]
AnySeat = Known[Seat]


def _area(spec: GameSpec, n: int, card: str, orientation: str, seat: str) -> frozenset[CellField]:
    refuse(
        pattern_unknown=card not in variant(spec, n).cards,
        bad_orientation=orientation not in ORIENTATIONS,
        bad_seat=seat not in SEATS,
    )
    return areas(n, seat, orientation)[card]


@operation()
def cells(card: PatternId, orientation: AnyOrientation, seat: AnySeat, n: Size = 5, *, spec: GameSpec) -> Answer:
    """The field cells that a card affects, in attack or defence, from a seat."""
    return {"cells": plain(_area(spec, n, card, orientation, seat))}


@operation()
def covers(
    card: PatternId, orientation: AnyOrientation, seat: AnySeat, cell: CellField, n: Size = 5, *, spec: GameSpec
) -> Answer:
    """Checks whether a card affects a cell, in attack or defence, from a seat."""
    require_cells(n, {"cell": cell})
    return {"covers": cell in _area(spec, n, card, orientation, seat)}


@operation()
def cards_covering(orientation: Orientation, seat: Seat, cell: CellField, n: Size = 5, *, spec: GameSpec) -> Answer:
    """All cards that affect a cell, in attack or defence, from a seat."""
    require_cells(n, {"cell": cell})
    area = areas(n, seat, orientation)
    return {"cards": [card for card in variant(spec, n).cards if cell in area[card]]}


@operation()
def inverse(cell: CellField, n: Size = 5) -> Answer:
    """The cell that is hit in attack by the cards that cover this cell in defence."""
    require_cells(n, {"cell": cell})
    return {"cell": list(turned(n, turned(n, cell)))}  # mirrored at the centre (G-25)


@operation()
def hill(cell: CellField, n: Size = 5) -> Answer:
    """Checks whether a cell belongs to the centre of the field."""
    require_cells(n, {"cell": cell})
    return {"hill": on_hill(n, cell)}
