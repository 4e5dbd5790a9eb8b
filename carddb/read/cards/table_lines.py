"""Tables as lines: which column holds which field, and rows by field."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from carddb.core.errors import UsageError
from carddb.core.names import did_you_mean, nearest
from carddb.findings import Finding, Place, error, info
from carddb.read import source
from carddb.read.cards.lines import Headings, Line, tidy_line
from carddb.read.cards.values import shown
from carddb.read.tables import delimited
from carddb.read.tables.formula_text import unescaped_text
from carddb.read.tables.grid import Cell, Row, Sheet

TABLE_FORMATS = ("csv", "tsv", "xlsx", "ods")
_CACHE_SIZE = 500
"""Sets of columns whose fields are remembered."""
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "upright strokes"}


class SheetLine(Line):
    """A row of a table."""

    __slots__ = ("_line", "_table", "_tidy")

    def __init__(
        self, table: _Table, line: int, cells: dict[str, Any], faults: Sequence[Finding] = (), *, tidy: bool
    ) -> None:
        super().__init__(cells, faults)
        self._table = table
        self._line = line
        self._tidy = tidy

    @property
    def tidy(self) -> bool:
        return self._tidy

    @property
    def fields(self) -> Collection[str]:
        return self._table.positions.keys()

    @property
    def columns(self) -> Mapping[str, int]:
        return {field: column for column, field in self._table.fields.items()}

    def place(self, field: str = "") -> Place:
        if not field:
            return Place(self._table.file, self._line, sheet=self._table.sheet)
        column = self._table.positions.get(field)
        text = shown(self.cells[field]) if field in self.cells else ""
        if column is None:
            return Place(self._table.file, self._line, 0, text, self._table.sheet, field)
        header = self._table.headers[column]
        return Place(self._table.file, self._line, column + 1, text, self._table.sheet, header)

    def column_missing(self, field: str) -> Finding | None:
        return self._table.missing(field)


class _Table:
    """One sheet: which column holds which field."""

    def __init__(self, file: str, sheet: str, row: Row, headings: Headings) -> None:
        self.file = file
        self.sheet = sheet
        self.line = row.line
        self.headers = headers_of(row)
        self.width = max(self.headers, default=-1)
        self.fields: dict[int, str] = {}
        self.joined: dict[int, tuple[str, ...]] = {}
        self.positions: dict[str, int] = {}
        self._headings = headings
        self._fields_of: dict[tuple[int, ...], tuple[str, ...]] = {}

    def name_columns(self) -> Iterator[Finding]:
        """The faults of the header row. Raises Unreadable for far too many columns."""
        self._headings.check_number(len(self.headers), "columns", Place(self.file, self.line, sheet=self.sheet))
        for column, header in sorted(self.headers.items()):
            place = Place(self.file, self.line, column + 1, header, self.sheet, header)
            field = self._headings.field(header)
            fields = (field,) if field else self._headings.joined(header)
            if not fields and self._headings.leaves_out(header):
                continue
            if not fields:
                yield self._headings.unknown(header, place)
            elif repeated := next((name for name in fields if name in self.positions), None):
                first = self.positions[repeated]
                message = f"the column {repeated} stands twice, as columns {first + 1} and {column + 1}"
                yield error("header_repeated", message, place, fix="Keep one of them.")
            else:
                self.positions |= dict.fromkeys(fields, column)
                if field:
                    self.fields[column] = field
                else:
                    self.joined[column] = fields

    def plain(self, cells: Mapping[int, Cell]) -> dict[str, Any] | None:
        """The cells of a row by field, where all are tidy and have one; None for any other row."""
        line = tidy_line(cells.values())
        if not line or ("'" in line and (line[0] == "'" or " '" in line)):
            return None
        columns = tuple(cells)
        fields = self._fields_of.get(columns)
        if fields is None:
            if not self.fields.keys() >= cells.keys():
                return None
            if len(self._fields_of) >= _CACHE_SIZE:
                self._fields_of.clear()
            fields = self._fields_of[columns] = tuple(self.fields[column] for column in columns)
        return dict(zip(fields, cells.values(), strict=True))

    @property
    def needed(self) -> Sequence[str]:
        """The columns that new cards need."""
        name = [] if self.is_named else [self._headings.identifying[0]]
        return [*name, "type"] if self._headings.typed else name

    @property
    def is_named(self) -> bool:
        """Whether a column names the cards."""
        return not self.positions.keys().isdisjoint(self._headings.identifying)

    def missing(self, field: str) -> Finding:
        """The finding for a table without the column of a field."""
        headers = list(self.headers.values())
        place = Place(self.file, self.line, 0, "; ".join(headers)[:80], self.sheet)
        message = f'no column is called "{field}"'
        if len(headers) == 1 and (sign := _separator_in(headers[0])):
            message += f"; the file seems to be separated by {_SEPARATORS[sign]}"
            return error("header_missing", message, place, fix=_resaved(sign, self.file))
        near = nearest(field, [header[:100] for header in headers if self._headings.field(header) is None], 1)
        fix = f"Did you mean {near[0]} → {field}?" if near else f'Add a column "{field}" to the header row.'
        return error("header_missing", message, place, fix=fix)


def _separator_in(header: str) -> str | None:
    """The separator that a header of one cell seems to have."""
    separator = header.casefold().removeprefix("sep=")
    if separator != header.casefold():
        return separator if separator in _SEPARATORS else None
    return max((sign for sign in _SEPARATORS if sign in header), key=header.count, default=None)


def _resaved(sign: str, file: str) -> str:
    """How a file becomes one that is read with this separator."""
    if sign == "|":
        return "Save it with commas, as .csv."
    ending = ".tsv" if sign == "\t" else ".csv"
    return f"Name it {ending}." if file.lower().endswith((".csv", ".tsv", ".txt")) else f"Save it as text, as {ending}."


def sheets_of(data: bytes, file: str, fmt: str, findings: list[Finding]) -> Iterable[Sheet] | None:
    """The sheets of a file whose format is one of TABLE_FORMATS; None, and a finding, for text that cannot be decoded.

    Raises InputError, and Unreadable also while the sheets are read.
    """
    if fmt in ("xlsx", "ods"):
        from carddb.read.tables import ods, xlsx  # readers of archives and XML, 6 ms, which a CSV file does without

        return xlsx.sheets(data, file) if fmt == "xlsx" else ods.sheets(data, file)
    text, faults = source.decode(data, file)
    findings.extend(faults)
    if text is None:
        return None
    delimiter, text = ("\t", text) if fmt == "tsv" else delimited.delimiter_of(text)
    return [Sheet("", delimited.rows(text, file, delimiter))]


def only_sheet(sheets: Iterable[Sheet], name: str, file: str) -> Iterator[Sheet]:
    """The sheets of a name. Raises UsageError where the file has none, and what reading the sheets does."""
    others: list[str] = []
    is_there = False
    for sheet in sheets:
        if sheet.name == name:
            is_there = True
            yield sheet
        else:
            others.append(sheet.name)
    if not is_there:
        names = [other for other in others if other]
        raise UsageError(f"{file} has no sheet {name!r}", did_you_mean(name[:100], names) if names else "Leave it out.")


def header_row(sheet: Sheet) -> Row | None:
    """The first row of a sheet that holds something. What follows it is left in `sheet.rows`."""
    return next(
        (row for row in sheet.rows if any(not isinstance(cell, str) or cell.strip() for cell in row.cells.values())),
        None,
    )


def headers_of(row: Row) -> dict[int, str]:
    """The headings of a header row by column, from 0."""
    return {column: text for column, cell in row.cells.items() if (text := shown(cell).strip())}


def from_sheets(sheets: Iterable[Sheet], file: str, headings: Headings, findings: list[Finding]) -> Iterator[Line]:
    """The cards of every sheet with a column that identifies them, or a column `ref` beside columns that all are known.

    Raises what reading the sheets does.
    """
    any_read = False
    skipped: list[_Table] = []
    for sheet in sheets:
        first = header_row(sheet)
        if first is None:
            continue
        table = _Table(file, sheet.name, first, headings)
        faults = list(table.name_columns())
        if not (table.is_named or ("ref" in table.positions and not faults)):
            skipped.append(table)
            continue
        any_read = True
        findings.extend(faults)
        yield from _lines(table, sheet.rows, findings)
    if any_read:
        findings.extend(_skipped(table, headings.identifying[0]) for table in skipped)
    elif skipped:
        findings.extend(table.missing(headings.identifying[0]) for table in skipped)
    else:
        findings.append(error("header_missing", "the file is empty", Place(file), fix="Begin with a header row."))


def _skipped(table: _Table, column: str) -> Finding:
    message = f"the sheet {table.sheet} has no column {column} in its first row and was not read"
    return info("sheet_skipped", message, Place(table.file, table.line, sheet=table.sheet))


def _lines(table: _Table, rows: Iterable[Row], findings: list[Finding]) -> Iterator[Line]:
    nameless: set[int] = set()
    fields = table.fields
    row = None
    for row in rows:
        plain = table.plain(row.cells)
        if plain is not None:
            yield SheetLine(table, row.line, plain, tidy=True)
            continue
        cells: dict[str, Any] = {}
        over = 0
        for column, raw in row.cells.items():
            cell = raw
            if type(raw) is str:
                cell = raw.strip()
                if cell[:1] == "'":
                    cell = unescaped_text(cell)
                if not cell:
                    continue
            field = fields.get(column)
            if field is not None:
                cells[field] = cell
            elif column in table.joined:
                cells |= _parts(table.joined[column], cell)
            elif column > table.width:
                over = max(over, column + 1)
            elif column not in table.headers and column not in nameless:
                nameless.add(column)
                findings.append(_nameless(table, row.line, column, cell))
        if cells or over:
            faults = [_too_long(table, row, over)] if over else ()
            yield SheetLine(table, row.line, cells, faults, tidy=bool(tidy_line(cells.values())))
    if row is None:
        findings.extend(table.missing(name) for name in table.needed if name not in table.positions)


def _parts(fields: Sequence[str], cell: Cell) -> dict[str, Any]:
    """A cell such as `5/6` by the fields of its column; one of another number of parts is left to the first field."""
    parts = [part.strip() for part in cell.split("/")] if isinstance(cell, str) else []
    if len(parts) != len(fields):
        return {fields[0]: cell}
    return {field: part for field, part in zip(fields, parts, strict=True) if part}


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
