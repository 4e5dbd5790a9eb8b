"""What every kind of table is read into, and texts that a spreadsheet would take for formulas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from carddb.core.plain_text import escaped


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


_SIGNS = ("=", "+", "-", "@", "\t", "\r", "'")


def escaped_text(text: str) -> str:
    """A text as a cell of a spreadsheet: one that would be taken for a formula gets an apostrophe in front."""
    return "'" + text if text.startswith(_SIGNS) else text


def unescaped_text(text: str) -> str:
    """Takes that apostrophe off again."""
    return text[1:] if text[:1] == "'" and text[1:].startswith(_SIGNS) else text


def csv_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """A table as CSV in UTF-8, its texts escaped for spreadsheet programs and terminals."""
    return _csv([columns]) + csv_rows(rows)


def csv_rows(rows: Iterable[Sequence[str]]) -> bytes:
    """Further rows of such a table."""
    return _csv([escaped_text(escaped(cell)) for cell in row] for row in rows)


def _csv(rows: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()
