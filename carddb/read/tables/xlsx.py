"""XLSX workbooks as grids, streamed, and cells of them written in place."""

from __future__ import annotations

import datetime
import io
import posixpath
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple
from xml.parsers import expat

from carddb.core.errors import CellFault
from carddb.read.tables.archive import Archive, Handler
from carddb.read.tables.grid import (
    Cell,
    CellEdit,
    CellText,
    Flaw,
    Row,
    Sheet,
    append_delimited_row,
    write_delimited_cells,
)
from carddb.read.tables.workbook import LOOKS_ESCAPED, column_letters

NO_VALUE = Flaw(
    "formula_without_value",
    "the cell holds a formula whose value was not saved",
    "Open the file in a spreadsheet program and save it, or type the value.",
)
_BUILTIN_DATES = frozenset([*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)])
_NOT_LETTERS = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.|_.')
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")


def sheets(data: bytes, file: str) -> Iterator[Sheet]:
    """The worksheets of a workbook in its order. Raises InputError where it is no workbook, or Unreadable."""
    archive = Archive(data, file, "xlsx")
    book, styles, strings = _book(archive), _Styles(), _Strings()
    archive.parse("xl/styles.xml", styles)
    archive.parse("xl/sharedStrings.xml", strings)
    for name, part in _parts(archive, book):
        yield Sheet(name, _rows(archive, part, _SheetReader(strings.values, styles.formats, book.epoch)))


def worksheet_parts(archive: Archive) -> Iterator[tuple[str, str]]:
    """The names of the worksheets of a workbook in its order, each with its part. Raises InputError, Unreadable."""
    return _parts(archive, _book(archive))


def _book(archive: Archive) -> _Book:
    if not archive.has("xl/workbook.xml"):
        raise archive.broken("is no XLSX workbook")
    book = _Book()
    archive.parse("xl/workbook.xml", book)
    return book


def _parts(archive: Archive, book: _Book) -> Iterator[tuple[str, str]]:
    relations = _Relations()
    archive.parse("xl/_rels/workbook.xml.rels", relations)
    for name, relation in book.sheets:
        part = relations.worksheets.get(relation, "")
        if archive.has(part):
            yield name, part


def _rows(archive: Archive, part: str, reader: _SheetReader) -> Iterator[Row]:
    for _ in archive.feed(part, reader):
        yield from reader.rows
        reader.rows.clear()


def unescape(text: str) -> str:
    """`_x000D_` -> CR: how a workbook writes what XML cannot."""
    return _ESCAPED.sub(lambda escape: chr(int(escape[1], 16)), text) if "_x" in text else text


def pad_or_date(code: str) -> int | str:
    """What a number format does to a whole number: 3 for `000`, `date` for `d.m.yyyy`, 0 for nothing of note."""
    section = code.partition(";")[0]
    if re.fullmatch("0{2,}", section):
        return len(section)
    letters = _NOT_LETTERS.sub("", section).lower()
    return "date" if "general" not in letters and re.search("[ymdhs]", letters) else 0


def number(text: str) -> int | float | str:
    """A stored number; what is none stays text."""
    try:
        value = float(text)
    except ValueError:
        return text
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def iso_day(serial: float, epoch: datetime.datetime) -> str:
    """A day number as ISO date, time, or both; beyond the calendar it stays a number."""
    try:
        moment = epoch + datetime.timedelta(days=serial if serial >= 60 else serial + (epoch.year < 1900))
    except OverflowError:
        return str(serial)
    moment = (moment + datetime.timedelta(microseconds=500_000)).replace(microsecond=0)
    if 0 <= serial < 1:
        return moment.time().isoformat()
    return moment.date().isoformat() if moment.time() == datetime.time() else moment.isoformat()


class _Book(Handler):
    """xl/workbook.xml: names and relations of the sheets, and the day that numbers count from."""

    def __init__(self) -> None:
        self.sheets: list[tuple[str, str]] = []
        self.epoch = datetime.datetime(1899, 12, 30)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "sheet":
            self.sheets.append((attributes.get("name", ""), attributes.get("id", "")))
        elif name == "workbookPr" and attributes.get("date1904") in ("1", "true"):
            self.epoch = datetime.datetime(1904, 1, 1)


class _Relations(Handler):
    """Which part a relation of the workbook means."""

    def __init__(self) -> None:
        self.worksheets: dict[str, str] = {}

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "Relationship" and attributes.get("Type", "").endswith("/worksheet"):
            target = posixpath.normpath(posixpath.join("/xl", attributes.get("Target", "")))
            self.worksheets[attributes.get("Id", "")] = target.lstrip("/")


class _Styles(Handler):
    """xl/styles.xml: what each cell style does to numbers."""

    counted = "cell styles"

    def __init__(self) -> None:
        self.formats: list[int | str] = []
        self._codes: dict[str, str] = {}
        self._inside = ""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name in ("cellXfs", "cellStyleXfs", "dxfs"):
            self._inside = name
        elif name == "numFmt":
            self._codes[attributes.get("numFmtId", "")] = attributes.get("formatCode", "")
        elif name == "xf" and self._inside == "cellXfs":
            key = attributes.get("numFmtId", "0")
            builtin = "date" if key.isdigit() and int(key) in _BUILTIN_DATES else 0
            self.formats.append(pad_or_date(self._codes[key]) if key in self._codes else builtin)
            self.count += 1


class _Texts(Handler):
    """Gathers the texts of `t` and `v` in `parts`; reading aids above them (`rPh`) are left out."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._listening = self._aid = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name in ("t", "v"):
            self._listening = not self._aid
        elif name == "rPh":
            self._aid = True

    def end(self, name: str) -> None:
        if name in ("t", "v"):
            self._listening = False
        elif name == "rPh":
            self._aid = False

    def text(self, data: str) -> None:
        if self._listening:
            self.parts.append(data)


class _Strings(_Texts):
    """xl/sharedStrings.xml: the texts that cells point at."""

    counted = "shared strings"

    def __init__(self) -> None:
        super().__init__()
        self.values: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "si":
            self.parts = []
        super().start(name, attributes)

    def end(self, name: str) -> None:
        if name == "si":
            self.values.append(unescape("".join(self.parts)))
            self.count += 1
        super().end(name)


class _SheetReader(_Texts):
    """A worksheet: finished rows gather in `rows`, to be taken away."""

    def __init__(self, strings: list[str], formats: list[int | str], epoch: datetime.datetime) -> None:
        super().__init__()
        self.rows: list[Row] = []
        self._strings = strings
        self._formats = formats
        self._epoch = epoch
        self._line = 0
        self._column = -1
        self._cells: dict[int, Cell] = {}
        self._kind = self._style = ""
        self._formula = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "c":
            reference = REFERENCE.fullmatch(attributes.get("r", ""))
            self._column = column_number(reference[1]) if reference else self._column + 1
            self._kind, self._style = attributes.get("t", "n"), attributes.get("s", "")
            self._formula, self.parts = False, []
        elif name == "f":
            self._formula = True
        elif name == "row":
            line = attributes.get("r", "")
            self._line = int(line) if line.isdecimal() and len(line) < 8 else self._line + 1
            self._column, self._cells = -1, {}
        else:
            super().start(name, attributes)

    def end(self, name: str) -> None:
        if name == "c":
            value = self._value("".join(self.parts))
            if value != "":
                self._cells[self._column] = value
                self.count += 1
        elif name == "row" and self._cells:
            self.rows.append(Row(self._line, self._cells))
        else:
            super().end(name)

    def _value(self, text: str) -> Cell:
        if self._formula and not text and self._kind != "str":
            return NO_VALUE
        if self._kind == "s":
            index = int(text) if text.isdecimal() and len(text) < 9 else len(self._strings)
            return self._strings[index] if index < len(self._strings) else Flaw("field_invalid", "the cell is damaged")
        if self._kind in ("str", "inlineStr"):
            return unescape(text)
        if self._kind == "b":
            return text.strip() == "1"
        if self._kind == "e":
            return Flaw("field_invalid", f"the cell holds the spreadsheet error {text}", "Mend the formula.")
        return self._shown(number(text)) if text else ""

    def _shown(self, value: int | float | str) -> Cell:
        """A number as its cell style shows it, where that matters."""
        index = int(self._style) if self._style.isdecimal() and len(self._style) < 7 else 0
        does = self._formats[index] if index < len(self._formats) else 0
        if does == "date" and not isinstance(value, str):
            return iso_day(value, self._epoch)
        return f"{value:0{does}d}" if isinstance(does, int) and does and isinstance(value, int) else value


def column_number(letters: str) -> int:
    """`A` -> 0, `AA` -> 26."""
    total = 0
    for letter in letters:
        total = total * 26 + ord(letter) - 64
    return total - 1


_STYLE = re.compile(rb"""\bs\s*=\s*["'](\d+)["']""")
_ROW_TAG = re.compile(rb"<([^\s/>]*)([^>]*?)\s*/>")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,9})?")
_NOT_UTF8 = re.compile(rb"""<\?xml[^>]*encoding=["'](?!utf-8["'])""", re.IGNORECASE)


def write_workbook_cells(data: bytes, edits: Sequence[CellEdit]) -> bytes:
    """The bytes of a workbook with some cells changed; a text is written into its cell, not among the shared strings.

    The style of a cell stays. Raises CellFault for a cell with a formula, a row that is not there and a sheet
    that is no UTF-8; InputError, Unreadable for a broken workbook.
    """
    archive = Archive(data, "the workbook", "xlsx")
    parts = dict(worksheet_parts(archive))
    changed: dict[str, bytes] = {}
    of_sheet: dict[str, dict[tuple[int, int], CellEdit]] = defaultdict(dict)
    for edit in edits:
        of_sheet[edit.sheet][edit.line, edit.column] = edit
    for sheet, cells in of_sheet.items():
        if sheet not in parts:
            raise CellFault("not_writable", f"there is no sheet {sheet}")
        changed[parts[sheet]] = _written(b"".join(archive.chunks(parts[sheet])), cells)
    return _repacked(data, changed)


def append_workbook_row(data: bytes, sheet: str, cells: Mapping[int, CellText]) -> bytes:
    """The bytes of a workbook with one row more below the last one of a sheet, in the styles of that.

    Raises CellFault for a sheet that is not there, has no rows, or is no UTF-8; InputError, Unreadable for a
    broken workbook.
    """
    archive = Archive(data, "the workbook", "xlsx")
    part = dict(worksheet_parts(archive)).get(sheet)
    if part is None:
        raise CellFault("not_writable", f"there is no sheet {sheet}")
    return _repacked(data, {part: _with_row(b"".join(archive.chunks(part)), cells)})


def _with_row(xml: bytes, cells: Mapping[int, CellText]) -> bytes:
    """A worksheet with one row more."""
    _assert_utf8(xml)
    line = max(_Positions(xml, frozenset()).cells, default=0)
    positions = _Positions(xml, frozenset([line]))
    row = positions.rows.get(line)
    if row is None:
        raise CellFault("not_writable", "the sheet has no rows")
    prefix = xml[row.start + 1 : row.end].split(b">", 1)[0].split()[0].rstrip(b"/").removesuffix(b"row")
    written = []
    for column, cell in sorted(cells.items()):
        above = positions.cells[line].get(column)
        old = xml[above.start : above.end] if above else b"<%bc>" % prefix
        edit = CellEdit(sheet="", line=line + 1, column=column, text=cell.text, is_number=cell.is_number)
        written.append(_cell(old, f"{column_letters(column)}{line + 1}", edit))
    new = b'<%brow r="%d">%b</%brow>' % (prefix, line + 1, b"".join(written), prefix)
    return xml[: row.end] + new + xml[row.end :]


def _repacked(data: bytes, changed: Mapping[str, bytes]) -> bytes:
    """The archive with some parts replaced, in its order."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        new.comment = old.comment
        for about in old.infolist():
            new.writestr(about, changed.get(about.filename) or old.read(about), about.compress_type)
    return stream.getvalue()


class _Element(NamedTuple):
    """An element of the sheet: where it begins, where its content ends, and where it ends, in bytes."""

    start: int
    inside_end: int
    end: int
    has_formula: bool = False


class _Positions:
    """Where the cells and rows of a worksheet stand in its bytes; columns count from 0."""

    def __init__(self, xml: bytes, lines: frozenset[int]) -> None:
        self.rows: dict[int, _Element] = {}
        self.cells: dict[int, dict[int, _Element]] = {}
        self.counted: set[int] = set()
        """The lines that have cells without a reference, which stand where they are counted."""
        self._xml, self._lines = xml, lines
        self._line, self._column, self._start, self._row_start = 0, -1, 0, 0
        self._formula = False
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler, self._parser.EndElementHandler = self._begin, self._end
        self._parser.StartDoctypeDeclHandler = self._refuse
        try:
            self._parser.Parse(xml, True)
        except expat.ExpatError as fault:
            raise CellFault("not_writable", "the sheet is damaged") from fault

    @staticmethod
    def _refuse(*_: object) -> None:
        raise CellFault("not_writable", "the sheet declares a document type")

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        if tag == "row":
            line = attributes.get("r", "")
            self._line = int(line) if line.isdecimal() else self._line + 1
            self._column, self._row_start = -1, self._parser.CurrentByteIndex
            self.cells.setdefault(self._line, {})
        elif tag == "c":
            reference = REFERENCE.fullmatch(attributes.get("r", ""))
            self._column = column_number(reference[1]) if reference else self._column + 1
            if not reference:
                self.counted.add(self._line)
            self._start, self._formula = self._parser.CurrentByteIndex, False
        elif tag == "f":
            self._formula = True

    def _end(self, name: str) -> None:
        tag = name.rpartition(" ")[2]
        if tag not in ("c", "row") or self._line not in self._lines:
            return
        inside_end = self._parser.CurrentByteIndex
        end = self._xml.index(b">", inside_end) + 1
        if tag == "c":
            self.cells[self._line][self._column] = _Element(self._start, inside_end, end, self._formula)
        else:
            self.rows[self._line] = _Element(self._row_start, inside_end, end)


def _written(xml: bytes, edits: Mapping[tuple[int, int], CellEdit]) -> bytes:
    """A worksheet with some cells changed."""
    _assert_utf8(xml)
    positions = _Positions(xml, frozenset(line for line, _ in edits))
    changes = sorted(_changes(xml, positions, edits), key=lambda change: (change[0], change[3]))
    parts, at = [], 0
    for start, end, cell, _ in changes:
        parts += [xml[at:start], cell]
        at = end
    return b"".join([*parts, xml[at:]])


def _assert_utf8(xml: bytes) -> None:
    """Raises CellFault for a sheet in another encoding."""
    if _NOT_UTF8.match(xml) or xml[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise CellFault("not_writable", "the sheet is no UTF-8")


def _changes(
    xml: bytes, positions: _Positions, edits: Mapping[tuple[int, int], CellEdit]
) -> Iterator[tuple[int, int, bytes, int]]:
    """The bytes to replace, what they become, and the column."""
    emptied_rows: dict[int, list[tuple[int, bytes]]] = defaultdict(list)
    for (line, column), edit in sorted(edits.items()):
        row = positions.rows.get(line)
        if row is None:
            raise CellFault("not_writable", f"there is no row {line}")
        cells = positions.cells[line]
        reference = f"{column_letters(column)}{line}"
        old = cells.get(column)
        if old:
            if old.has_formula:
                raise CellFault("not_writable", f"{reference} holds a formula")
            yield old.start, old.end, _cell(xml[old.start : old.end], reference, edit), column
            continue
        if line in positions.counted:
            raise CellFault("not_writable", f"the cells of row {line} have no references")
        tag = xml[row.start + 1 : row.end].split(b">", 1)[0].split()[0].rstrip(b"/")
        cell = _cell(b"<" + tag.replace(b"row", b"c") + b">", reference, edit)
        following = min((element.start for at, element in cells.items() if at > column), default=row.inside_end)
        if xml[row.start : row.end].rstrip().endswith(b"/>") and not cells:
            emptied_rows[line].append((column, cell))
        else:
            yield following, following, cell, column
    for line, cells_of_row in emptied_rows.items():
        row = positions.rows[line]
        whole = _ROW_TAG.fullmatch(xml[row.start : row.end])
        assert whole
        inside = b"".join(cell for _, cell in sorted(cells_of_row))
        yield row.start, row.end, b"<%b%b>%b</%b>" % (whole[1], whole[2], inside, whole[1]), 0


def _cell(old: bytes, reference: str, edit: CellEdit) -> bytes:
    """A cell anew, with the prefix and the style that it had."""
    head = old.split(b">", 1)[0]
    prefix = head[1:].split()[0].rstrip(b"/").rpartition(b"c")[0].decode()
    style = _STYLE.search(head)
    attributes = f' r="{reference}"' + (f' s="{style[1].decode()}"' if style else "")
    if edit.text == "":
        return f"<{prefix}c{attributes}/>".encode()
    if edit.is_number and _NUMBER.fullmatch(edit.text) and str(number(edit.text)) == edit.text:
        return f"<{prefix}c{attributes}><{prefix}v>{edit.text}</{prefix}v></{prefix}c>".encode()
    text = escape(LOOKS_ESCAPED.sub("_x005F_", edit.text), quote=False).replace("\r", "_x000D_")
    inside = f'<{prefix}is><{prefix}t xml:space="preserve">{text}</{prefix}t></{prefix}is>'
    return f'<{prefix}c{attributes} t="inlineStr">{inside}</{prefix}c>'.encode()


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
