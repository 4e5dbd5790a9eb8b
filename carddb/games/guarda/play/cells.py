"""The cells of the field and their turns: what a card covers from each side, the middle, straight lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Literal, get_args

from carddb.play.fields import Words

SIZES = range(3, 10)
"""The fields that can be played on, by their side (G-16)."""

Cell = tuple[int, int]
"""Row and column of the field, or of a card; from 1."""

Seat = Annotated[Literal["S", "W", "N", "E"], Words("seats")]
Orientation = Annotated[Literal["attack", "defence"], Words("orientations")]

SEATS: tuple[str, ...] = get_args(get_args(Seat)[0])
"""The sides, clockwise as seen from above (G-26)."""
ORIENTATIONS: tuple[str, ...] = get_args(get_args(Orientation)[0])


def on_field(n: int, cell: Sequence[int]) -> bool:
    """Whether a cell is one of the field's."""
    return all(1 <= number <= n for number in cell)


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


def plain(cells: Iterable[Cell]) -> list[list[int]]:
    """Cells as an answer lists them: by row, then column (G-109)."""
    return [list(cell) for cell in sorted(cells)]


def slide(n: int, cell: Cell, step: tuple[int, int], blocked: frozenset[Cell], most: int) -> Iterator[Cell]:
    """The cells that a piece reaches in a straight line, up to the edge or the next piece (G-44, G-47, G-48)."""
    for _ in range(most):
        cell = cell[0] + step[0], cell[1] + step[1]
        if cell in blocked or not on_field(n, cell):
            return
        yield cell
