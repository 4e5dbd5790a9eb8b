"""Grids of cells; CSV and TSV read as grids, and their cells written in place."""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from carddb.core.errors import CellFault
from carddb.core.plain_text import escaped
from carddb.findings import Finding, Place, error
from carddb.read.source import Unreadable, encoding_of


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


QUOTED = re.compile(r'"[^"]*+(?:""[^"]*+)*+"')
_SEPARATOR_LINE = re.compile(r'"?sep=([,;|\t])"?(?=[\r\n]|$)', re.IGNORECASE)
NEWLINE = re.compile(r"\r\n|\r|\n")


def delimiter_of(text: str) -> tuple[str, str]:
    """The delimiter of a CSV text, and the text to read.

    A first line such as `sep=;` says it and is emptied; else it is the comma, semicolon or tab, whichever stands most
    often in the header line outside quotes.
    """
    separator_line = _SEPARATOR_LINE.match(text)
    if separator_line:
        return separator_line[1], text[separator_line.end() :]
    start = len(text) - len(text.lstrip("\r\n"))
    header = NEWLINE.split(QUOTED.sub("", text[start : start + 10_000]), maxsplit=1)[0]
    return max(",;\t", key=header.count), text


def rows(text: str, file: str, delimiter: str) -> Iterator[Row]:
    """The rows of a delimited text, empty ones too.

    Raises Unreadable (`quote_unclosed`, `quote_misplaced`, `cell_too_large`) where the quoting goes wrong.
    """
    reader = csv.reader(lines_of(text), delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in reader:
            columns: dict[int, Cell] = dict(enumerate(cells))
            if not all(cells):
                columns = {column: cell for column, cell in columns.items() if cell}
            yield Row(line, columns)
            line = reader.line_num + 1
    except csv.Error as fault:
        raise Unreadable(_quoting_fault(text, file, line, delimiter)) from fault


def lines_of(text: str) -> Iterable[str]:
    """The lines of a text with their ends, of which there are three: LF, CR LF and CR.

    `splitlines` takes a third of the time of StringIO, which keeps four bytes a character; but it knows other ends too.
    """
    lines = text.splitlines(keepends=True)
    ends = len(lines) - bool(lines and not lines[-1].endswith("\n"))
    return lines if ends == text.count("\n") else io.StringIO(text, newline="")


def _quoting_fault(text: str, file: str, line: int, delimiter: str) -> Finding:
    """Why the csv module gave up in the row that begins in `line`."""
    start = at = _start_of(text, line)
    bare = re.compile(rf"[^{re.escape(delimiter)}\r\n]*")
    while at < len(text):
        opened = at
        quoted = QUOTED.match(text, at)
        if text[at] == '"' and not quoted:
            place = _place(text, file, line, start, opened)
            message = f"a quoted cell opens in line {place.line} and is never closed"
            return error("quote_unclosed", message, place, fix='Add the closing " or take the opening one out.')
        cell = quoted or bare.match(text, at)
        at = cell.end() if cell else at
        if quoted and text[at : at + 1] not in ("", delimiter, "\r", "\n"):
            place = _place(text, file, line, start, opened)
            message = f"text follows the closing quote of a cell in line {place.line}"
            return error("quote_misplaced", message, place, fix='Write a " inside a quoted cell twice: "".')
        if text[at : at + 1] != delimiter:
            break
        at += 1
    message = f"a cell in line {line} is larger than 64 kB"
    return error("cell_too_large", message, Place(file, line), fix="Shorten it, or close a quote left open before it.")


def _place(text: str, file: str, line: int, start: int, at: int) -> Place:
    """The place of `at`, in a row that begins at `start` in `line`."""
    ends = [match.end() for match in NEWLINE.finditer(text, start, at)]
    column = at - (ends[-1] if ends else start) + 1
    return Place(file, line + len(ends), column, text[at : at + 40].splitlines()[0])


def _start_of(text: str, line: int) -> int:
    """Where a line begins."""
    ends = (match.end() for match in NEWLINE.finditer(text))
    return next(islice(ends, line - 2, None), len(text)) if line > 1 else 0


Span = tuple[int, int]
"""Where a cell begins and ends in the text, its quotes included."""


def write_delimited_cells(data: bytes, fmt: str, edits: Sequence[CellEdit]) -> bytes:
    """The bytes of a CSV or TSV file with some cells changed.

    A cell that stood in quotes stays in quotes, and one that needs them gets them; a row that is too short for the
    column gets the delimiters that it lacks. Raises CellFault for a line in which no row begins.
    """
    mark, encoding, text = _decoded(data)
    delimiter, rest = ("\t", text) if fmt == "tsv" else delimiter_of(text)
    changed: dict[int, dict[int, str]] = defaultdict(dict)
    for edit in edits:
        changed[edit.line][edit.column] = edit.text
    parts, at = [text[: len(text) - len(rest)]], 0
    for line, spans in _rows(rest, delimiter):
        for span, cell in _changes(rest, spans, changed.pop(line, {}), delimiter):
            parts += [rest[at : span[0]], cell]
            at = span[1]
    if changed:
        raise CellFault("not_writable", f"no row begins in line {min(changed)}")
    return mark + "".join([*parts, rest[at:]]).encode(encoding)


def append_delimited_row(data: bytes, fmt: str, cells: Mapping[int, str]) -> bytes:
    """The bytes of a CSV or TSV file with one row more, as wide as its first one and with the line end of its last.

    Raises CellFault for a file that is no text.
    """
    mark, encoding, text = _decoded(data)
    delimiter, rest = ("\t", text) if fmt == "tsv" else delimiter_of(text)
    width = max((len(spans) for _, spans in islice(_rows(rest, delimiter), 1)), default=0)
    columns = range(max(width, *(column + 1 for column in cells)))
    row = delimiter.join(_as_cell(cells.get(column, ""), delimiter) for column in columns)
    ends = [end[0] for end in NEWLINE.finditer(text)]
    newline = ends[-1] if ends else "\n"
    is_ended = not text or text.endswith(newline)
    longer = f"{text}{row}{newline}" if is_ended else f"{text}{newline}{row}"
    return mark + longer.encode(encoding)


def _decoded(data: bytes) -> tuple[bytes, str, str]:
    """The byte order mark of a file, its encoding and its text. Raises CellFault."""
    mark, encoding = encoding_of(data)
    try:
        return mark, encoding, data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as fault:
        raise CellFault("not_writable", f"the file is not {encoding.upper()} text") from fault


def _rows(text: str, delimiter: str) -> Iterator[tuple[int, list[Span]]]:
    """Each row with the line in which it begins, counted as the reader counts, and the spans of its cells."""
    bare = re.compile(rf"[^{re.escape(delimiter)}\r\n]*")
    at, line = 0, 1
    while at < len(text):
        first, spans = line, []
        while True:
            cell = QUOTED.match(text, at) or bare.match(text, at)
            assert cell
            spans.append(cell.span())
            line += sum(1 for _ in NEWLINE.finditer(cell[0]))
            at = cell.end()
            if text[at : at + 1] != delimiter:
                break
            at += 1
        end = NEWLINE.match(text, at)
        if end is None and at < len(text):
            raise CellFault("not_writable", f"the quotes of line {first} go wrong")
        at, line = (end.end(), line + 1) if end else (at, line)
        yield first, spans


def _changes(text: str, spans: list[Span], cells: Mapping[int, str], delimiter: str) -> Iterator[tuple[Span, str]]:
    """The spans of a row that change, from left to right, and what they become."""
    for column, cell in sorted(cells.items()):
        if column < len(spans):
            span = spans[column]
            yield span, _as_cell(cell, delimiter, quoted=text[span[0] : span[0] + 1] == '"')
    end, missing = spans[-1][1], {column: cell for column, cell in cells.items() if column >= len(spans)}
    if missing:
        added = (_as_cell(missing.get(column, ""), delimiter) for column in range(len(spans), max(missing) + 1))
        yield (end, end), "".join(delimiter + cell for cell in added)


def _as_cell(text: str, delimiter: str, quoted: bool = False) -> str:
    """A text as a cell, in quotes where it has to be or was."""
    if quoted or any(sign in text for sign in (delimiter, '"', "\r", "\n")):
        return '"' + text.replace('"', '""') + '"'
    return text
