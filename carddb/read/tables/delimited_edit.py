"""Cells of CSV and TSV files written in place: delimiter, quotes, line ends, encoding and all other bytes stay."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from carddb.core.errors import CellFault
from carddb.read.source import encoding_of
from carddb.read.tables.delimited import NEWLINE, QUOTED, delimiter_of
from carddb.read.tables.grid import CellEdit

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
