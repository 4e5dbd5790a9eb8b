"""Single cells written into a table file: which cell, what it is to hold, and where that cannot be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

WRITABLE = ("csv", "tsv", "xlsx")
"""The formats whose cells can be written one by one."""


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


class CellNotWritable(Exception):
    """A cell that cannot be written without changing others: a formula, a row that is not there."""


def write_cells(data: bytes, fmt: str, edits: Sequence[CellEdit]) -> bytes:
    """The bytes of a table file with some cells changed and everything else as it was; `fmt` is one of WRITABLE.

    Raises CellNotWritable, and InputError for a file that is not what its format says.
    """
    if fmt == "xlsx":
        from carddb.read.xlsx_edit import write_workbook_cells

        return write_workbook_cells(data, edits)
    from carddb.read.delimited_edit import write_delimited_cells

    return write_delimited_cells(data, fmt, edits)


def append_row(data: bytes, fmt: str, sheet: str, cells: Mapping[int, CellText]) -> bytes:
    """The bytes of a table file with one row more at its end; `cells` by column from 0, `fmt` is one of WRITABLE.

    Raises CellNotWritable, and InputError for a file that is not what its format says.
    """
    if fmt == "xlsx":
        from carddb.read.xlsx_edit import append_workbook_row

        return append_workbook_row(data, sheet, cells)
    from carddb.read.delimited_edit import append_delimited_row

    return append_delimited_row(data, fmt, {column: cell.text for column, cell in cells.items()})
