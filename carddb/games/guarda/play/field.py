"""The field in questions: its size and its cells; and the questions about single cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import Field, Strict

from carddb.games.guarda.play.cells import SIZES, on_hill, opposite
from carddb.play.fields import Positive
from carddb.play.question import Answer, BadInput, operation

Size = Annotated[int, Field(ge=SIZES[0], le=SIZES[-1])]
Cell = Annotated[tuple[Positive, Positive], Strict(False), Field(description="Row and column, counted from 1.")]
"""Row and column of the field, or of a card."""
Point = Annotated[tuple[int, int], Strict(False), Field(description="Row and column, counted from 1.")]
"""Row and column that may lie off the field."""


def require_cells(n: int, cells: Mapping[str, Sequence[int | Sequence[int]]]) -> None:
    """Raises BadInput for the first number off the field, in cells or lists of cells by their path."""
    for path, value in cells.items():
        for at, part in enumerate(value):
            if isinstance(part, Sequence):
                require_cells(n, {f"{path}.{at}": part})
            elif part > n:
                raise BadInput(f"{path}.{at}", least=1, most=n)


@operation("G-25", "G-109")
def inverse(cell: Cell, n: Size = 5) -> Answer:
    """The cell on which an opponent is struck by the cards that defend this one."""
    require_cells(n, {"cell": cell})
    return {"cell": list(opposite(n, cell))}


@operation("G-89", "G-90", "G-109")
def hill(cell: Cell, n: Size = 5) -> Answer:
    """Whether a cell belongs to the centre of the field."""
    require_cells(n, {"cell": cell})
    return {"hill": on_hill(n, cell)}
