"""XLSX workbooks as grids, streamed: a far-off cell costs no more than a near one."""

from __future__ import annotations

import datetime
import posixpath
import re
from collections.abc import Iterator

from carddb.read.tables.archive import Archive, Handler
from carddb.read.tables.grid import Cell, Flaw, Row, Sheet

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
