"""Grids, the form into which every table is read; reading CSV and TSV, and writing CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from carddb.core.errors import DataFault
from carddb.core.plain_text import escaped
from carddb.findings import Finding, Place

Cell = str | int | float | bool | Finding
"""The value of a cell, or the finding that says why it could not be read."""


class Row(NamedTuple):
    """One row: its line from 1, and its cells by column from 0, without empty cells."""

    line: int
    cells: dict[int, Cell]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table and its name (empty for CSV). `rows` can be read once, and may raise DataFault."""

    name: str
    rows: Iterator[Row]


_SIGNS = ("=", "+", "-", "@", "\t", "\r", "'")


def escaped_text(text: str) -> str:
    """Returns a text for a spreadsheet cell, with an apostrophe before one that would be taken for a formula."""
    return "'" + text if text.startswith(_SIGNS) else text


def unescaped_text(text: str) -> str:
    """Returns the text of a spreadsheet cell without the apostrophe that `escaped_text` adds."""
    return text[1:] if text[:1] == "'" and text[1:].startswith(_SIGNS) else text


def csv_table(columns: Sequence[str], rows: Iterable[Sequence[str | float]]) -> bytes:
    """Returns a table as CSV in UTF-8, with texts escaped for spreadsheet programs and terminals."""
    return csv_text([columns]).encode() + csv_rows(rows)


def csv_rows(rows: Iterable[Sequence[str | float]]) -> bytes:
    """Returns rows to be added to a CSV table, escaped like `csv_table`; numbers stay as they are."""
    return csv_text(
        [escaped_text(escaped(cell)) if isinstance(cell, str) else cell for cell in row] for row in rows
    ).encode()


def csv_text(rows: Iterable[Sequence[object]], delimiter: str = ",") -> str:
    """Returns rows as CSV, without escaping the cells for spreadsheet programs."""
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return text.getvalue()


QUOTED = re.compile(r'"[^"]*+(?:""[^"]*+)*+"')
_SEPARATOR_LINE = re.compile(r'"?sep=([,;|\t])"?(?=[\r\n]|$)', re.IGNORECASE)
NEWLINE = re.compile(r"\r\n|\r|\n")


def delimiter_of(text: str, fmt: str) -> tuple[str, str]:
    """Returns the delimiter of a text in the format `csv` or `tsv`, and the text to read.

    In CSV, a first line such as `sep=;` names the delimiter, and is emptied. Otherwise it is the comma, semicolon or
    tab, whichever occurs most often in the header line outside quotes.
    """
    if fmt == "tsv":
        return "\t", text
    separator_line = _SEPARATOR_LINE.match(text)
    if separator_line:
        return separator_line[1], text[separator_line.end() :]
    start = len(text) - len(text.lstrip("\r\n"))
    header = NEWLINE.split(QUOTED.sub("", text[start : start + 10_000]), maxsplit=1)[0]
    return max(",;\t", key=header.count), text


def rows(text: str, file: str, delimiter: str) -> Iterator[Row]:
    """Yields the rows of a delimited text, including empty ones.

    Raises DataFault (`quote_unclosed`, `quote_misplaced`, `cell_too_large`) if the quoting is faulty.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in reader:
            columns: dict[int, Cell] = dict(enumerate(cells))
            if not all(cells):
                columns = {column: cell for column, cell in columns.items() if cell}
            yield Row(line, columns)
            line = reader.line_num + 1
    except csv.Error as fault:
        raise _quoting_fault(text, file, line, delimiter) from fault


def row_cells(text: str, at: int, delimiter: str) -> Iterator[re.Match[str]]:
    """Yields the cells of the row that begins at the index `at`, each with its quotes; ends before faulty quotes."""
    bare = re.compile(rf"[^{re.escape(delimiter)}\r\n]*")
    while cell := QUOTED.match(text, at) or bare.match(text, at):
        yield cell
        if text[cell.end() : cell.end() + 1] != delimiter:
            return
        at = cell.end() + 1


def _quoting_fault(text: str, file: str, line: int, delimiter: str) -> DataFault:
    """Returns the fault of the row that begins in `line`, which the csv module could not read."""
    ends = (match.end() for match in NEWLINE.finditer(text))
    start = next(islice(ends, line - 2, None), len(text)) if line > 1 else 0
    for cell in row_cells(text, start, delimiter):
        if not cell[0].startswith('"'):
            continue
        if not QUOTED.fullmatch(cell[0]):
            place = _place(text, file, line, start, cell.start())
            message = f'a cell that begins with " in line {place.line} has no closing "'
            return DataFault("quote_unclosed", message, 'Add the closing ", or remove the opening one.', place)
        if text[cell.end() : cell.end() + 1] not in ("", delimiter, "\r", "\n"):
            place = _place(text, file, line, start, cell.start())
            message = f"text follows the closing quote of a cell in line {place.line}"
            return DataFault("quote_misplaced", message, 'Write a " inside a quoted cell twice: "".', place)
    message = f"a cell in line {line} is larger than 64 kB"
    return DataFault("cell_too_large", message, 'Shorten it, or add a " that is missing before it.', Place(file, line))


def _place(text: str, file: str, line: int, start: int, at: int) -> Place:
    """Returns the place of the index `at`; the row that contains it begins in `line`, at the index `start`."""
    ends = [match.end() for match in NEWLINE.finditer(text, start, at)]
    column = at - (ends[-1] if ends else start) + 1
    return Place(file, line + len(ends), column, text[at : at + 40].splitlines()[0])
