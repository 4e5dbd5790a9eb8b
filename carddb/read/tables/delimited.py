"""CSV and TSV text as a grid."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from itertools import islice

from carddb.findings import Finding, Place, error
from carddb.read.source import Unreadable
from carddb.read.tables.grid import Cell, Row

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
