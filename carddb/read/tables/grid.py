"""What every kind of table is read into, sheets of rows of cells, and what is written back, single cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Flaw:
    """A cell that holds no value that could be read."""

    code: str
    message: str
    fix: str = ""


Cell = str | int | float | bool | Flaw


class Row(NamedTuple):
    """One row: its line from 1, and what is in its columns, counted from 0. Empty cells have no key."""

    line: int
    cells: dict[int, Cell]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table and its name (empty in CSV). `rows` may be read once; it can raise Unreadable."""

    name: str
    rows: Iterator[Row]


class CellEdit(NamedTuple):
    """What a cell is to hold: `line` counts from 1 and `column` from 0, as in a `Row`; an empty text empties it.

    `is_number` lets a workbook store a number where the text is one.
    """

    sheet: str
    line: int
    column: int
    text: str
    is_number: bool = False


class CellText(NamedTuple):
    """What a cell of a new row is to hold."""

    text: str
    is_number: bool = False
