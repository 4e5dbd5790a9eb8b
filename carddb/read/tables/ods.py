"""ODS spreadsheets as grids, streamed: repeated rows and cells are written out only where they hold something."""

from __future__ import annotations

from collections.abc import Iterator

from carddb.read.tables.archive import Archive, Handler
from carddb.read.tables.grid import Cell, Row, Sheet
from carddb.read.tables.xlsx import NO_VALUE, number

_CONTENT = "content.xml"
_UNSHOWN = frozenset({"annotation", "tracked-changes", "shapes", "frame", "custom-shape", "ruby-text"})
_MIDNIGHT = "T00:00:00"


def sheets(data: bytes, file: str) -> Iterator[Sheet]:
    """The tables of a spreadsheet in its order, each whole. Raises InputError where it is none, or Unreadable."""
    archive = Archive(data, file, "ods")
    if not archive.has(_CONTENT):
        raise archive.broken("is no ODS spreadsheet, or is protected by a password")
    reader = _Reader(archive)
    for _ in archive.feed(_CONTENT, reader):
        for name, rows in reader.done:
            yield Sheet(name, iter(rows))
        reader.done.clear()


class _Reader(Handler):
    """content.xml: finished tables gather in `done`, to be taken away."""

    def __init__(self, archive: Archive) -> None:
        self.done: list[tuple[str, list[Row]]] = []
        self._archive = archive
        self._tables: list[tuple[str, list[Row]]] = []
        self._unshown = 0
        self._line = self._column = 0
        self._row_repeat = 1
        self._cells: dict[int, Cell] = {}
        self._cell: dict[str, str] | None = None
        self._parts: list[str] = []
        self._paragraphs = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if self._unshown or name in _UNSHOWN:
            self._unshown += 1
        elif name == "table":
            self._tables.append((attributes.get("name", ""), []))
            self._line = 0
        elif name == "table-row":
            self._row_repeat = _repeat(attributes.get("number-rows-repeated", "1"))
            self._column, self._cells = 0, {}
        elif name in ("table-cell", "covered-table-cell"):
            self._cell, self._parts, self._paragraphs = attributes, [], 0
        elif self._cell is not None:
            self._inside_cell(name, attributes)

    def _inside_cell(self, name: str, attributes: dict[str, str]) -> None:
        if name == "p":
            self._paragraphs += 1
        if name == "line-break" or (name == "p" and self._paragraphs > 1):
            self._parts.append("\n")
        elif name == "s":
            self._parts.append(" " * min(_repeat(attributes.get("c", "1")), 1 << 17))
        elif name == "tab":
            self._parts.append("\t")

    def end(self, name: str) -> None:
        if self._unshown:
            self._unshown -= 1
        elif name in ("table-cell", "covered-table-cell") and self._cell is not None:
            self._end_cell(self._cell)
        elif name == "table-row":
            self._end_row()
        elif name == "table" and self._tables:
            self.done.append(self._tables.pop())

    def text(self, data: str) -> None:
        if self._cell is not None and self._paragraphs and not self._unshown:
            self._parts.append(data)

    def _end_cell(self, attributes: dict[str, str]) -> None:
        repeat = _repeat(attributes.get("number-columns-repeated", "1"))
        value = _value(attributes, "".join(self._parts))
        if value != "":
            self._add(repeat)
            for column in range(self._column, self._column + repeat):
                self._cells[column] = value
        self._column += repeat
        self._cell = None

    def _end_row(self) -> None:
        if self._cells and self._tables:
            self._add((self._row_repeat - 1) * len(self._cells))
            rows = self._tables[-1][1]
            rows.extend(Row(self._line + 1 + again, self._cells) for again in range(self._row_repeat))
        self._line += self._row_repeat

    def _add(self, cells: int) -> None:
        self.count += cells
        self._archive.check_count(self)


def _repeat(text: str) -> int:
    return max(1, int(text)) if text.isdecimal() and len(text) < 8 else 1


def _value(cell: dict[str, str], shown: str) -> Cell:
    """What a cell holds; `shown` is its text, which keeps the zeros of a number format such as 000."""
    kind = cell.get("value-type", "")
    if kind in ("float", "percentage", "currency"):
        value = number(cell.get("value", ""))
        padded = isinstance(value, int) and shown.isdecimal() and shown.isascii() and int(shown[:18]) == value
        return shown if padded and shown != str(value) else value
    if kind == "date":
        return cell.get("date-value", "").removesuffix(_MIDNIGHT)
    if kind == "time":
        return shown
    if kind == "boolean":
        return cell.get("boolean-value") == "true"
    if not kind and "formula" in cell:
        return NO_VALUE
    return cell.get("string-value", shown)
