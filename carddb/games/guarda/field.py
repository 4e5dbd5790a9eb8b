"""The field as questions name it: its size, its cells, its sides; and what is asked of single cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field, Strict

from carddb.games.guarda.cells import SIZES, on_hill, opposite
from carddb.play.fields import Positive
from carddb.play.question import Answer, BadInput, operation

Size = Annotated[int, Field(ge=SIZES[0], le=SIZES[-1])]
Cell = Annotated[tuple[Positive, Positive], Strict(False)]
"""Row and column of the field, or of a card; from 1."""
Point = Annotated[tuple[int, int], Strict(False)]
"""Row and column that may lie off the field."""


def demand_cell(n: int, cell: Sequence[int], path: str) -> None:
    """Raises BadInput for a cell off the field."""
    for at, number in enumerate(cell):
        if number > n:
            raise BadInput(f"{path}.{at}")


def demand_cells(n: int, cells: Sequence[Sequence[int]], path: str) -> None:
    """Raises BadInput for the first cell off the field."""
    for at, cell in enumerate(cells):
        demand_cell(n, cell, f"{path}.{at}")


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
