"""Reading untrusted XLSX and ODS spreadsheets as grids, piece by piece, within limits of size."""

from __future__ import annotations

import datetime
import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any
from xml.parsers import expat

from carddb.core.errors import DataFault, InputError
from carddb.core.plain_text import whole
from carddb.findings import Place, error
from carddb.read.tables.grid import Cell, Row, Sheet

MAX_INFLATED = 256 << 20
MAX_CELLS = 2_000_000
MAX_ELEMENTS = 8_000_000
MAX_DEPTH = 200
MAX_NAMES = 10_000
"""The most different names of elements and attributes, because the parser keeps each of them."""
MAX_TAG = 1 << 20
"""The most bytes of a tag or a comment, because the parser begins it again with every piece of the file."""
_CHUNK = 1 << 16
_OLE = bytes.fromhex("d0cf11e0a1b11ae1")
_REMEDY = "Open it in a spreadsheet program and save it again as {}, without a password."


class Handler:
    """Receives the events of an XML part and ignores them; names are local, without namespace or prefix.

    `done` collects what is read. `count` is the number of items, at most MAX_CELLS; messages call these `counted`.
    """

    counted = "cells"
    count = 0

    def __init__(self) -> None:
        self.done: list[Any] = []

    def start(self, name: str, attributes: dict[str, str]) -> None: ...

    def end(self, name: str) -> None: ...

    def text(self, data: str) -> None: ...


class _LocalNames(dict[str, str]):
    """A cache from qualified XML names to names without namespace."""

    def __missing__(self, name: str) -> str:
        local = self[name] = name.rpartition(" ")[2]
        return local


class Archive:
    """A spreadsheet file of `kind` (`xlsx`, `ods`). Raises InputError if it is broken or encrypted."""

    def __init__(self, data: bytes, file: str, kind: str) -> None:
        self.file = file
        self.kind = kind
        self.inflated = 0
        self.elements = 0
        if data.startswith(_OLE):
            raise self.broken("is protected by a password, or is an old .xls workbook")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, EOFError, OSError, ValueError, NotImplementedError) as fault:
            raise self.broken("is not a complete zip archive") from fault
        self._names = set(self._zip.namelist())

    def broken(self, fault: str) -> InputError:
        """Returns the error for a file that is not of its format, to be raised."""
        return InputError(f"{self.file} {fault}", _REMEDY.format(self.kind.upper()))

    def has(self, part: str) -> bool:
        """Returns whether there is a part called `part`."""
        return part in self._names

    def chunks(self, part: str) -> Iterator[bytes]:
        """Yields the inflated bytes of a part. Raises DataFault beyond 256 MB for all parts, InputError if broken."""
        try:
            with self._zip.open(part) as stream:
                while chunk := stream.read(_CHUNK):
                    self.inflated += len(chunk)
                    if self.inflated > MAX_INFLATED:
                        raise self.too_large(f"unpacks to more than {MAX_INFLATED >> 20} MB")
                    yield chunk
        except KeyError as fault:
            raise self.broken(f"lacks the part {part}") from fault
        except RuntimeError as fault:
            raise self.broken("is protected by a password") from fault
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError) as fault:
            raise self.broken(f"is damaged in the part {part}") from fault

    def too_large(self, excess: str) -> DataFault:
        """Returns the exception `archive_too_large`, to be raised; `excess` says what there is too much of."""
        fix = "Delete the rows and sheets you do not need, or split the file into several."
        return DataFault("archive_too_large", f"the spreadsheet {excess}", fix, Place(self.file))

    def read(self, part: str, handler: Handler) -> Iterator[Any]:
        """Parses a part and yields what `handler` collects. Raises InputError if damaged, DataFault if too large."""
        parser = self._parser(handler)
        try:
            fed = 0
            for chunk in self.chunks(part):
                parser.Parse(chunk, False)
                fed += len(chunk)
                if fed - parser.CurrentByteIndex > MAX_TAG:
                    raise self.too_large(f"has an XML tag of more than {MAX_TAG >> 20} MB")
                self.check_count(handler)
                yield from handler.done
                handler.done.clear()
            parser.Parse(b"", True)
        except (expat.ExpatError, LookupError, ValueError) as fault:  # the last two for an unknown encoding
            raise self.broken(f"is damaged in the part {part}, line {parser.CurrentLineNumber}") from fault
        yield from handler.done

    def check_count(self, handler: Handler) -> None:
        """Raises DataFault if `handler` has counted too many items in a part."""
        if handler.count > MAX_CELLS:
            raise self.too_large(f"has more than {MAX_CELLS:,} {handler.counted}")

    def read_whole(self, part: str, handler: Handler) -> list[Any]:
        """Returns all items that `handler` collects from a part; none if there is no such part."""
        return list(self.read(part, handler)) if self.has(part) else []

    def _parser(self, handler: Handler) -> expat.XMLParserType:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        local = _LocalNames()
        depth = 0

        def start(name: str, attributes: dict[str, str]) -> None:
            nonlocal depth
            depth += 1
            self.elements += 1
            if depth > MAX_DEPTH or len(local) > MAX_NAMES:
                raise self.too_large(f"has more than {MAX_DEPTH} levels, or {MAX_NAMES:,} different names, of elements")
            if self.elements > MAX_ELEMENTS:
                raise self.too_large(f"has more than {MAX_ELEMENTS:,} XML elements")
            handler.start(local[name], attributes and {local[key]: value for key, value in attributes.items()})

        def end(name: str) -> None:
            nonlocal depth
            depth -= 1
            handler.end(local[name])

        def refuse(*_: Any) -> None:
            raise self.broken("declares a document type, which no spreadsheet program writes")

        parser.StartElementHandler = start
        parser.EndElementHandler = end
        parser.CharacterDataHandler = handler.text
        parser.StartDoctypeDeclHandler = refuse
        return parser


NO_VALUE = error(
    "formula_without_value",
    "the cell has a formula whose value was not saved",
    fix="Open the file in a spreadsheet program and save it, or type the value.",
)
_BUILTIN_DATES = frozenset([*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)])
_LONGEST_FORMAT = 255
"""The characters that a spreadsheet program allows in a number format."""
_NOT_LETTERS = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.|_.')
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")


def sheets(data: bytes, file: str, kind: str) -> Iterator[Sheet]:
    """Yields the sheets of a spreadsheet of `kind` (`xlsx`, `ods`) in order; the sheets of an ODS file are read whole.

    Raises InputError if it is no such file, and DataFault, both also while the rows are read.
    """
    archive = Archive(data, file, kind)
    if kind == "ods":
        if not archive.has(_CONTENT):
            raise archive.broken("is not an ODS spreadsheet, or is protected by a password")
        yield from archive.read(_CONTENT, _OdsReader(archive))
        return
    book = Workbook(archive)
    formats = archive.read_whole("xl/styles.xml", _Styles())
    strings = archive.read_whole("xl/sharedStrings.xml", _Strings())
    for name, part in book.sheets:
        yield Sheet(name, archive.read(part, _SheetReader(strings, formats, book.epoch)))


def unescape(text: str) -> str:
    """Returns a text with the escapes of workbooks resolved; `_x000D_`, for example, is CR, which XML cannot hold."""
    return _ESCAPED.sub(lambda escape: chr(int(escape[1], 16)), text) if "_x" in text else text


def pad_or_date(code: str) -> int | str:
    """Returns what a number format does: 3 for `000` (digits to pad to), `date` for `d.m.yyyy`, 0 for others."""
    section = code[:_LONGEST_FORMAT].partition(";")[0]
    if re.fullmatch("0{2,}", section):
        return len(section)
    letters = _NOT_LETTERS.sub("", section).lower()
    return "date" if "general" not in letters and re.search("[ymdhs]", letters) else 0


def number(text: str) -> int | float | str:
    """Returns the number in a text, or the text unchanged if it is not a number."""
    try:
        value = float(text)
    except ValueError:
        return text
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def iso_day(serial: float, epoch: datetime.datetime) -> str:
    """Returns a day's serial number, counted from `epoch`, as ISO date, time, or both; beyond the calendar as text."""
    try:
        moment = epoch + datetime.timedelta(days=serial if serial >= 60 else serial + (epoch.year < 1900))
    except OverflowError:
        return str(serial)
    moment = (moment + datetime.timedelta(microseconds=500_000)).replace(microsecond=0)
    if 0 <= serial < 1:
        return moment.time().isoformat()
    return moment.date().isoformat() if moment.time() == datetime.time() else moment.isoformat()


class Workbook(Handler):
    """An XLSX workbook: `sheets` are its sheets in order as (name, part), `epoch` is the day from which days count.

    Raises InputError if the archive is not a workbook, or DataFault if it is too large.
    """

    def __init__(self, archive: Archive) -> None:
        super().__init__()
        self.epoch = datetime.datetime(1899, 12, 30)
        self._relations: list[tuple[str, str]] = []
        self._parts: dict[str, str] = {}
        if not archive.has("xl/workbook.xml"):
            raise archive.broken("is not an XLSX workbook")
        archive.read_whole("xl/workbook.xml", self)
        archive.read_whole("xl/_rels/workbook.xml.rels", self)
        named = [(name, self._parts.get(relation, "")) for name, relation in self._relations]
        self.sheets = [(name, part) for name, part in named if archive.has(part)]

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "sheet":
            self._relations.append((attributes.get("name", ""), attributes.get("id", "")))
        elif name == "workbookPr" and attributes.get("date1904") in ("1", "true"):
            self.epoch = datetime.datetime(1904, 1, 1)
        elif name == "Relationship" and attributes.get("Type", "").endswith("/worksheet"):
            target = posixpath.normpath(posixpath.join("/xl", attributes.get("Target", "")))
            self._parts[attributes.get("Id", "")] = target.lstrip("/")


class _Styles(Handler):
    """Reads xl/styles.xml: for each cell style, what its format does to numbers, as `pad_or_date` returns it."""

    counted = "cell styles"

    def __init__(self) -> None:
        super().__init__()
        self._codes: dict[str, str] = {}
        self._inside = ""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name in ("cellXfs", "cellStyleXfs", "dxfs"):
            self._inside = name
        elif name == "numFmt":
            self._codes[attributes.get("numFmtId", "")] = attributes.get("formatCode", "")
        elif name == "xf" and self._inside == "cellXfs":
            key = attributes.get("numFmtId", "0")
            builtin = "date" if whole(key) in _BUILTIN_DATES else 0
            self.done.append(pad_or_date(self._codes[key]) if key in self._codes else builtin)
            self.count += 1


class _Texts(Handler):
    """Collects in `parts` the texts of the elements `t` and `v`, but not those that help to read others (`rPh`)."""

    def __init__(self) -> None:
        super().__init__()
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
    """Reads xl/sharedStrings.xml: the texts to which cells refer."""

    counted = "shared strings"

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "si":
            self.parts = []
        super().start(name, attributes)

    def end(self, name: str) -> None:
        if name == "si":
            self.done.append(unescape("".join(self.parts)))
            self.count += 1
        super().end(name)


class _SheetReader(_Texts):
    """Reads the rows of a worksheet."""

    def __init__(self, strings: list[str], formats: list[int | str], epoch: datetime.datetime) -> None:
        super().__init__()
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
            number = whole(attributes.get("r", ""), 7)
            self._line = self._line + 1 if number is None else number
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
            self.done.append(Row(self._line, self._cells))
        else:
            super().end(name)

    def _value(self, text: str) -> Cell:
        if self._formula and not text and self._kind != "str":
            return NO_VALUE
        if self._kind == "s":
            at = whole(text, 8)
            if at is None or at >= len(self._strings):
                return error("invalid", "the cell is damaged", fix="Type its value again.")
            return self._strings[at]
        if self._kind in ("str", "inlineStr"):
            return unescape(text)
        if self._kind == "b":
            return text.strip() == "1"
        if self._kind == "e":
            return error("invalid", f"the cell has the spreadsheet error {text}", fix="Correct the formula.")
        if not text:
            return ""
        value = number(text)
        index = whole(self._style, 6) or 0
        does = self._formats[index] if index < len(self._formats) else 0
        if does == "date" and not isinstance(value, str):
            return iso_day(value, self._epoch)
        return f"{value:0{does}d}" if isinstance(does, int) and does and isinstance(value, int) else value


def column_number(letters: str) -> int:
    """Returns the index of a column, from 0: `A` is 0, `AA` is 26."""
    total = 0
    for letter in letters:
        total = total * 26 + ord(letter) - 64
    return total - 1


_CONTENT = "content.xml"
_UNSHOWN = frozenset({"annotation", "tracked-changes", "shapes", "frame", "custom-shape", "ruby-text"})
_MIDNIGHT = "T00:00:00"


class _OdsReader(Handler):
    """Reads the tables of content.xml."""

    def __init__(self, archive: Archive) -> None:
        super().__init__()
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
            if name == "line-break" or (name == "p" and self._paragraphs):
                self._parts.append("\n")
            elif name == "s":
                self._parts.append(" " * min(_repeat(attributes.get("c", "1")), 1 << 17))
            elif name == "tab":
                self._parts.append("\t")
            self._paragraphs += name == "p"

    def end(self, name: str) -> None:
        if self._unshown:
            self._unshown -= 1
        elif name in ("table-cell", "covered-table-cell") and self._cell is not None:
            repeat = _repeat(self._cell.get("number-columns-repeated", "1"))
            value = _value(self._cell, "".join(self._parts))
            if value != "":
                self._add(repeat)
                self._cells |= dict.fromkeys(range(self._column, self._column + repeat), value)
            self._column += repeat
            self._cell = None
        elif name == "table-row":
            if self._cells and self._tables:
                self._add((self._row_repeat - 1) * len(self._cells))
                rows = self._tables[-1][1]
                rows.extend(Row(self._line + 1 + again, self._cells) for again in range(self._row_repeat))
            self._line += self._row_repeat
        elif name == "table" and self._tables:
            name, rows = self._tables.pop()
            self.done.append(Sheet(name, iter(rows)))

    def text(self, data: str) -> None:
        if self._cell is not None and self._paragraphs and not self._unshown:
            self._parts.append(data)

    def _add(self, cells: int) -> None:
        self.count += cells
        self._archive.check_count(self)


def _repeat(text: str) -> int:
    return whole(text, 7) or 1


def _value(cell: dict[str, str], shown: str) -> Cell:
    """Returns the value of a cell; `shown` is its displayed text, which decides about zeros as in 007."""
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
