"""The field: its cells, its sides, and how a card lies on it as its player sits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, get_args

from pydantic import Field, Strict

from carddb.play.fields import Positive
from carddb.play.question import Answer, BadInput, operation

SIZES = range(3, 10)
"""The fields that can be played on, by their side (G-16)."""

Size = Annotated[int, Field(ge=SIZES[0], le=SIZES[-1])]
Cell = Annotated[tuple[Positive, Positive], Strict(False)]
"""Row and column of the field, or of a card; from 1."""
Point = Annotated[tuple[int, int], Strict(False)]
"""Row and column that may lie off the field."""
Seat = Literal["S", "W", "N", "E"]
Orientation = Literal["attack", "defence"]

SEATS: tuple[str, ...] = get_args(Seat)
"""The sides, clockwise as seen from above (G-26)."""
ORIENTATIONS: tuple[str, ...] = get_args(Orientation)


def on_field(n: int, cell: Sequence[int]) -> bool:
    """Whether a cell is one of the field's."""
    return all(1 <= number <= n for number in cell)


def demand_cell(n: int, cell: Sequence[int], path: str) -> None:
    """Raises BadInput for a cell off the field."""
    for at, number in enumerate(cell):
        if number > n:
            raise BadInput(f"{path}.{at}")


def demand_cells(n: int, cells: Sequence[Sequence[int]], path: str) -> None:
    """Raises BadInput for the first cell off the field."""
    for at, cell in enumerate(cells):
        demand_cell(n, cell, f"{path}.{at}")


def turned(n: int, cell: Cell) -> Cell:
    """A cell after a quarter turn clockwise."""
    row, column = cell
    return column, n + 1 - row


def seen_from(seat: str, orientation: str, n: int, cell: Cell) -> Cell:
    """The field cell of a card's cell: a half turn for defence, then a quarter turn for each side (G-20 to G-23)."""
    for _ in range(SEATS.index(seat) + 2 * ORIENTATIONS.index(orientation)):
        cell = turned(n, cell)
    return cell


def opposite(n: int, cell: Cell) -> Cell:
    """The inverse cell, mirrored at the middle (G-25)."""
    return turned(n, turned(n, cell))


def on_hill(n: int, cell: Cell) -> bool:
    """Whether a cell is the centre: one cell of an odd field, four of an even one (G-89, G-90)."""
    middle = ((n + 1) // 2, n // 2 + 1)
    return cell[0] in middle and cell[1] in middle


def plain(cells: Sequence[Cell] | frozenset[Cell] | set[Cell]) -> list[list[int]]:
    """Cells as an answer lists them: by row, then column (G-109)."""
    return [list(cell) for cell in sorted(cells)]


def slide(n: int, cell: Cell, step: tuple[int, int], blocked: frozenset[Cell], most: int) -> Iterator[Cell]:
    """The cells that a piece reaches in a straight line, up to the edge or the next piece (G-44, G-47, G-48)."""
    for _ in range(most):
        cell = cell[0] + step[0], cell[1] + step[1]
        if cell in blocked or not on_field(n, cell):
            return
        yield cell


@operation("G-25", "G-109")
def inverse(cell: Cell, n: Size = 5) -> Answer:
    """The cell on which an opponent is struck by the cards that defend this one."""
    demand_cell(n, cell, "cell")
    return {"cell": list(opposite(n, cell))}


@operation("G-89", "G-90", "G-109")
def hill(cell: Cell, n: Size = 5) -> Answer:
    """Whether a cell belongs to the centre of the field."""
    demand_cell(n, cell, "cell")
    return {"hill": on_hill(n, cell)}
