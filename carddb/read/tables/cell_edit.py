"""Single cells and rows written into a table file of any format that allows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from carddb.read.tables.delimited_edit import append_delimited_row, write_delimited_cells
from carddb.read.tables.grid import CellEdit, CellText
from carddb.read.tables.xlsx_edit import append_workbook_row, write_workbook_cells

WRITABLE = ("csv", "tsv", "xlsx")
"""The formats whose cells can be written one by one."""


def write_cells(data: bytes, fmt: str, edits: Sequence[CellEdit]) -> bytes:
    """The bytes of a table file with some cells changed and everything else as it was; `fmt` is one of WRITABLE.

    Raises CellFault, and InputError for a file that is not what its format says.
    """
    if fmt == "xlsx":
        return write_workbook_cells(data, edits)
    return write_delimited_cells(data, fmt, edits)


def append_row(data: bytes, fmt: str, sheet: str, cells: Mapping[int, CellText]) -> bytes:
    """The bytes of a table file with one row more at its end; `cells` by column from 0, `fmt` is one of WRITABLE.

    Raises CellFault, and InputError for a file that is not what its format says.
    """
    if fmt == "xlsx":
        return append_workbook_row(data, sheet, cells)
    return append_delimited_row(data, fmt, {column: cell.text for column, cell in cells.items()})
