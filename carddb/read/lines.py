"""Tables and documents as one kind of line: the fields that a card is given, and where each stands."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from carddb.findings import Finding, Place, error, info
from carddb.game import GameSpec
from carddb.names import did_you_mean, nearest
from carddb.read.document import Document
from carddb.read.grid import Cell, Row, Sheet
from carddb.read.values import shown

_FORMULA_SIGNS = "=+-@\t\r'"
_DECIMAL = re.compile(r"[-+.0-9eE]+|[A-Za-z]+")
_MAX_PLACES = 20
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "upright strokes"}
_LISTS = {
    "json": 'Write [{"name": ...}, {"name": ...}], or {"cards": [...]}.',
    "yaml": "Begin each card with a hyphen.",
}


class Line(Protocol):
    """One card as a file gives it: raw values by field, empty ones left out."""

    cells: dict[str, Any]
    faults: list[Finding]
    """What is wrong with the line as a whole."""
    label: str
    """`card 3`, where its place alone would not tell it from other cards."""

    def place(self, field: str = "") -> Place:
        """Where a field stands, or the whole card."""

    def typed(self, field: str) -> Any:
        """A value with the types that the file itself gives it, for fields that hold JSON."""


def labelled(label: str, message: str) -> str:
    """A message about a line, with its label where it has one."""
    return f"{label}: {message}" if label else message


class Headings:
    """The columns that a game understands, matched without regard to case, spaces, `_` and `-`."""

    def __init__(self, spec: GameSpec) -> None:
        self.names = list(spec.all_fields())
        self.typed = bool(spec.types)
        meant = {**spec.columns, **{name: name for name in self.names}}
        self._by_key = {_key(name): field for name, field in meant.items()}

    def field(self, header: str) -> str | None:
        """The field that a header means."""
        return self._by_key.get(_key(header))

    def unknown(self, header: str, *where: Place, label: str = "") -> Finding:
        """The finding for a header that means none; `label` is that of the first line that has it."""
        times = f" ({len(where)} times)" if len(where) > 1 else ""
        message = labelled(label, f"the game has no field {shown(header)!r}{times}")
        return error("header_unknown", message, *where[:_MAX_PLACES], fix=did_you_mean(header[:100], self.names))


def _key(header: str) -> str:
    return re.sub(r"[\s_-]+", "", header.casefold())


class SheetLine:
    """A row of a table."""

    __slots__ = ("_line", "_table", "cells", "faults")
    label = ""

    def __init__(self, table: _Table, line: int, cells: dict[str, Any], faults: list[Finding]) -> None:
        self._table = table
        self._line = line
        self.cells = cells
        self.faults = faults

    def place(self, field: str = "") -> Place:
        column = self._table.positions.get(field)
        text = shown(self.cells[field]) if field in self.cells else ""
        if column is None:
            return Place(self._table.file, self._line, 0, text, self._table.sheet, field)
        header = self._table.headers[column]
        return Place(self._table.file, self._line, column + 1, text, self._table.sheet, header)

    def typed(self, field: str) -> Any:
        return self.cells[field]


class RecordLine:
    """A mapping in a JSON or YAML list."""

    __slots__ = ("_document", "_keys", "_path", "_typed", "cells", "faults", "label")

    def __init__(self, document: Document, path: tuple[str | int, ...], label: str) -> None:
        self.label = label
        self._document = document
        self._path = path
        self._keys: dict[str, str] = {}
        self._typed: dict[str, Any] = {}
        self.cells: dict[str, Any] = {}
        self.faults: list[Finding] = []

    def give(self, field: str, key: str, value: Any) -> None:
        """Adds a value; numbers as they are written, so that text fields keep their zeros."""
        self._keys[field] = key
        self._typed[field] = value
        self.cells[field] = self._written(value, (*self._path, key))

    def _written(self, value: Any, path: tuple[str | int, ...]) -> Any:
        if isinstance(value, list):
            return [
                item if isinstance(item, dict | list) else self._written(item, (*path, index))
                for index, item in enumerate(value)
            ]
        text = self._document.places[path].text if isinstance(value, int | float) else ""
        return text if _DECIMAL.fullmatch(text) else value

    def place(self, field: str = "") -> Place:
        key = self._keys.get(field, field)
        at = self._document.place((*self._path, key) if field else self._path)
        text = shown(self.cells[field]) if field in self.cells else ""
        return Place(at.file, at.line, at.column, text, "", key)

    def typed(self, field: str) -> Any:
        return self._typed[field]


class _Table:
    """One sheet: which column holds which field."""

    def __init__(self, file: str, sheet: str, row: Row) -> None:
        self.file = file
        self.sheet = sheet
        self.line = row.line
        self.headers = {column: text for column, cell in row.cells.items() if (text := shown(cell).strip())}
        self.width = max(self.headers, default=-1)
        self.fields: dict[int, str] = {}
        self.positions: dict[str, int] = {}

    def name_columns(self, headings: Headings) -> Iterator[Finding]:
        for column, header in sorted(self.headers.items()):
            place = Place(self.file, self.line, column + 1, header, self.sheet, header)
            field = headings.field(header)
            if field is None:
                yield headings.unknown(header, place)
            elif field in self.positions:
                first = self.positions[field]
                message = f"the column {field} stands twice, as columns {first + 1} and {column + 1}"
                yield error("header_repeated", message, place, fix="Keep one of them.")
            else:
                self.positions[field] = column
                self.fields[column] = field

    def missing(self, field: str, headings: Headings) -> Finding:
        """The finding for a table without the column of a field."""
        headers = list(self.headers.values())
        place = Place(self.file, self.line, 0, "; ".join(headers)[:80], self.sheet)
        message = f'no column is called "{field}"'
        if len(headers) == 1 and (sign := _separator_in(headers[0])):
            message += f"; the file seems to be separated by {_SEPARATORS[sign]}"
            return error("header_missing", message, place, fix=_resaved(sign, self.file))
        near = nearest(field, [header[:100] for header in headers if headings.field(header) is None], 1)
        fix = f"Did you mean {near[0]} → {field}?" if near else f'Add a column "{field}" to the header row.'
        return error("header_missing", message, place, fix=fix)


def _separator_in(header: str) -> str | None:
    """The sign that seems to separate what stands in one cell."""
    said = header.casefold().removeprefix("sep=")
    if said != header.casefold():
        return said if said in _SEPARATORS else None
    return max((sign for sign in _SEPARATORS if sign in header), key=header.count, default=None)


def _resaved(sign: str, file: str) -> str:
    """How a file becomes one that is read with this separator."""
    if sign == "|":
        return "Save it with commas, as .csv."
    ending = ".tsv" if sign == "\t" else ".csv"
    return f"Name it {ending}." if file.lower().endswith((".csv", ".tsv", ".txt")) else f"Save it as text, as {ending}."


def from_sheets(sheets: Iterable[Sheet], file: str, headings: Headings, findings: list[Finding]) -> Iterator[Line]:
    """The cards of every sheet that has a column `name`. Raises what reading the sheets does."""
    tables: list[_Table] = []
    skipped: list[_Table] = []
    for sheet in sheets:
        first = next((row for row in sheet.rows if any(_filled(cell) for cell in row.cells.values())), None)
        if first is None:
            continue
        table = _Table(file, sheet.name, first)
        faults = list(table.name_columns(headings))
        if "name" not in table.positions:
            skipped.append(table)
            continue
        tables.append(table)
        findings.extend(faults)
        if headings.typed and "type" not in table.positions:
            findings.append(table.missing("type", headings))
        else:
            yield from _lines(table, sheet.rows, findings)
    if tables:
        findings.extend(_skipped(table) for table in skipped)
    elif skipped:
        findings.extend(table.missing("name", headings) for table in skipped)
    else:
        findings.append(error("header_missing", "the file is empty", Place(file), fix="Begin with a header row."))


def _skipped(table: _Table) -> Finding:
    message = f"the sheet {table.sheet} has no column name in its first row and was not read"
    return info("sheet_skipped", message, Place(table.file, table.line, sheet=table.sheet))


def _filled(cell: Cell) -> bool:
    return not isinstance(cell, str) or bool(cell.strip())


def _lines(table: _Table, rows: Iterable[Row], findings: list[Finding]) -> Iterator[Line]:
    nameless: set[int] = set()
    fields = table.fields
    for row in rows:
        cells: dict[str, Any] = {}
        over = 0
        for column, raw in row.cells.items():
            cell = raw
            if type(raw) is str:
                cell = raw.strip()
                if cell[:1] == "'":
                    cell = _unescaped(cell)
                if not cell:
                    continue
            field = fields.get(column)
            if field is not None:
                cells[field] = cell
            elif column > table.width:
                over = max(over, column + 1)
            elif column not in table.headers and column not in nameless:
                nameless.add(column)
                findings.append(_nameless(table, row.line, column, cell))
        if cells or over:
            yield SheetLine(table, row.line, cells, [_too_long(table, row, over)] if over else [])


def _unescaped(text: str) -> str:
    """Takes off the mark that keeps a spreadsheet from reading a text as a formula."""
    return text[1:] if text[:1] == "'" and text[1:2] and text[1] in _FORMULA_SIGNS else text


def _too_long(table: _Table, row: Row, width: int) -> Finding:
    place = Place(table.file, row.line, width, shown(row.cells[width - 1]), table.sheet)
    message = f"the row has {width} cells, but the header names {table.width + 1} columns"
    of_text = "Put cells that hold the separator in quotes."
    fix = "Name their columns in the header row, or empty the cells." if table.sheet else of_text
    return error("row_too_long", message, place, fix=fix)


def _nameless(table: _Table, line: int, column: int, cell: Cell) -> Finding:
    place = Place(table.file, line, column + 1, shown(cell), table.sheet)
    message = f"column {column + 1} has no header, yet line {line} has a value in it"
    return error("header_unknown", message, place, fix="Name the column in the header row, or empty it.")


def from_document(document: Document, fmt: str, headings: Headings, findings: list[Finding]) -> Iterator[Line]:
    """The cards of a document (`fmt`: json or yaml): a list of mappings, or such a list under the key `cards`."""
    path: tuple[str | int, ...] = ()
    items = document.value
    if isinstance(items, dict) and "cards" in items:
        path, items = ("cards",), items["cards"]
    if not isinstance(items, list):
        message = "a cards file holds a list of cards"
        findings.append(error("document_invalid", message, document.place(path), fix=_LISTS[fmt]))
        return
    strange: dict[str, list[RecordLine]] = defaultdict(list)
    starts = Counter(document.place((*path, index)).line for index in range(len(items)))
    for index, item in enumerate(items):
        crowded = starts[document.place((*path, index)).line] > 1
        line = RecordLine(document, (*path, index), f"card {index + 1}" if crowded else "")
        if isinstance(item, Mapping):
            _fill(line, item, headings, strange)
            yield line
        else:
            message = f"card {index + 1} must be a mapping of fields to values"
            findings.append(error("document_invalid", message, line.place()))
    for key, lines in strange.items():
        findings.append(headings.unknown(key, *(line.place(key) for line in lines), label=lines[0].label))


def _fill(line: RecordLine, item: Mapping[str, Any], headings: Headings, strange: dict[str, list[RecordLine]]) -> None:
    for key, value in item.items():
        field = headings.field(key)
        if field is None:
            strange[key].append(line)
        elif field in line.cells:
            message = labelled(line.label, f"the field {field} is given twice")
            line.faults.append(error("header_repeated", message, line.place(key)))
        elif value is not None and (field == "ref" or value != ""):
            line.give(field, key, value)
