"""Changing cells of CSV, TSV and XLSX files in place, leaving everything else as it was."""

from __future__ import annotations

import io
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import islice
from typing import NamedTuple
from xml.parsers import expat

from carddb.core.errors import DataFault
from carddb.core.plain_text import whole
from carddb.read.source import encoding_of
from carddb.read.tables.grid import NEWLINE, delimiter_of, row_cells
from carddb.read.tables.xlsx_and_ods import REFERENCE, Archive, Workbook, column_number, number
from carddb.read.tables.xlsx_writer import LOOKS_ESCAPED, column_letters


class CellEdit(NamedTuple):
    """A new text for a cell, empty to clear it; `line` counts from 1 and `column` from 0, as in a `Row`.

    With `is_number`, a workbook stores a number if the text is one.
    """

    sheet: str
    line: int
    column: int
    text: str
    is_number: bool = False


class CellText(NamedTuple):
    """The text of a cell in a new row. With `is_number`, a workbook stores a number if the text is one."""

    text: str
    is_number: bool = False


_STYLE = re.compile(rb"""\bs\s*=\s*["'](\d+)["']""")
_ROW_TAG = re.compile(rb"<([^\s/>]*)([^>]*?)\s*/>")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,9})?")
_NOT_UTF8 = re.compile(rb"""<\?xml[^>]*encoding=["'](?!utf-8["'])""", re.IGNORECASE)


WRITABLE = ("csv", "tsv", "xlsx")
"""The formats whose cells can be changed one by one."""


def write_cells(data: bytes, fmt: str, edits: Sequence[CellEdit]) -> bytes:
    """Returns the bytes of a table file with some cells changed. Everything else stays, including styles in a workbook.

    `fmt` is one of WRITABLE. A text is stored in its cell, not among the shared strings. Raises DataFault for a cell
    with a formula, a missing row or sheet, and text not in UTF-8, and InputError or DataFault for another format.
    """
    if fmt != "xlsx":
        return _with_delimited_cells(data, fmt, edits)
    archive = Archive(data, "the workbook", fmt)
    parts = dict(Workbook(archive).sheets)
    changed: dict[str, bytes] = {}
    of_sheet: dict[str, dict[tuple[int, int], CellEdit]] = defaultdict(dict)
    for edit in edits:
        of_sheet[edit.sheet][edit.line, edit.column] = edit
    for sheet, cells in of_sheet.items():
        xml, pieces, at = _sheet_bytes(archive, parts, sheet), [], 0
        positions = _Positions(xml, frozenset(line for line, _ in cells))
        for start, _, end, cell in sorted(_cell_changes(xml, positions, cells)):
            pieces += [xml[at:start], cell]
            at = end
        changed[parts[sheet]] = b"".join([*pieces, xml[at:]])
    return _repacked(data, changed)


def append_row(data: bytes, fmt: str, sheet: str, cells: Mapping[int, CellText]) -> bytes:
    """Returns the bytes of a table file with a row added at its end; `cells` are by column from 0.

    `fmt` is one of WRITABLE. In a workbook, the row gets the styles of the sheet's last row. Raises DataFault for a
    sheet that is missing, empty or not in UTF-8, InputError or DataFault for a file that is not of its format.
    """
    if fmt != "xlsx":
        return _with_delimited_row(data, fmt, cells)
    archive = Archive(data, "the workbook", fmt)
    parts = dict(Workbook(archive).sheets)
    xml = _sheet_bytes(archive, parts, sheet)
    line = max(_Positions(xml, frozenset()).cells, default=0)
    positions = _Positions(xml, frozenset([line]))
    row = positions.rows.get(line)
    if row is None:
        raise DataFault("not_writable", "the sheet has no rows")
    prefix = xml[row.start + 1 : row.end].split(b">", 1)[0].split()[0].rstrip(b"/").removesuffix(b"row")
    written = []
    for column, cell in sorted(cells.items()):
        above = positions.cells[line].get(column)
        old = xml[above.start : above.end] if above else b"<%bc>" % prefix
        written.append(_cell(old, f"{column_letters(column)}{line + 1}", cell))
    new = b'<%brow r="%d">%b</%brow>' % (prefix, line + 1, b"".join(written), prefix)
    return _repacked(data, {parts[sheet]: xml[: row.end] + new + xml[row.end :]})


def _sheet_bytes(archive: Archive, parts: Mapping[str, str], sheet: str) -> bytes:
    """Returns the XML of a sheet. Raises DataFault if the sheet is missing, or not in UTF-8."""
    if sheet not in parts:
        raise DataFault("not_writable", f"there is no sheet {sheet}")
    xml = b"".join(archive.chunks(parts[sheet]))
    if _NOT_UTF8.match(xml) or xml[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise DataFault("not_writable", "the sheet is not UTF-8")
    return xml


def _repacked(data: bytes, changed: Mapping[str, bytes]) -> bytes:
    """Returns the archive with the parts in `changed` replaced, and all parts in the same order."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        new.comment = old.comment
        for about in old.infolist():
            new.writestr(about, changed.get(about.filename) or old.read(about), about.compress_type)
    return stream.getvalue()


class _Element(NamedTuple):
    """An element of a sheet's XML: its start, the end of its content, and its end, all as byte positions."""

    start: int
    inside_end: int
    end: int
    has_formula: bool = False


class _Positions:
    """The byte positions of cells and rows in a worksheet; columns count from 0."""

    def __init__(self, xml: bytes, lines: frozenset[int]) -> None:
        self.rows: dict[int, _Element] = {}
        self.cells: dict[int, dict[int, _Element]] = {}
        self.counted: set[int] = set()
        """The lines that have cells without a reference; the column of such a cell is known only by counting."""
        self._xml, self._lines = xml, lines
        self._line, self._column, self._start, self._row_start = 0, -1, 0, 0
        self._formula = False
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler, self._parser.EndElementHandler = self._begin, self._end
        self._parser.StartDoctypeDeclHandler = self._refuse
        try:
            self._parser.Parse(xml, True)
        except expat.ExpatError as fault:
            raise DataFault("not_writable", "the sheet is damaged") from fault

    @staticmethod
    def _refuse(*_: object) -> None:
        raise DataFault("not_writable", "the sheet declares a document type")

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        if tag == "row":
            line = attributes.get("r", "")
            number = whole(line)
            self._line = self._line + 1 if number is None else number
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


def _cell_changes(
    xml: bytes, positions: _Positions, edits: Mapping[tuple[int, int], CellEdit]
) -> Iterator[tuple[int, int, int, bytes]]:
    """Yields (start, column, end, new bytes) of each replacement. Raises DataFault if a cell cannot be changed."""
    emptied_rows: dict[int, list[tuple[int, bytes]]] = defaultdict(list)
    for (line, column), edit in sorted(edits.items()):
        row = positions.rows.get(line)
        if row is None:
            raise DataFault("not_writable", f"there is no row {line}")
        cells = positions.cells[line]
        reference = f"{column_letters(column)}{line}"
        old = cells.get(column)
        if old:
            if old.has_formula:
                raise DataFault("not_writable", f"{reference} contains a formula")
            yield old.start, column, old.end, _cell(xml[old.start : old.end], reference, edit)
            continue
        if line in positions.counted:
            raise DataFault("not_writable", f"the cells of row {line} have no references")
        tag = xml[row.start + 1 : row.end].split(b">", 1)[0].split()[0].rstrip(b"/")
        cell = _cell(b"<" + tag.replace(b"row", b"c") + b">", reference, edit)
        following = min((element.start for at, element in cells.items() if at > column), default=row.inside_end)
        if xml[row.start : row.end].rstrip().endswith(b"/>") and not cells:
            emptied_rows[line].append((column, cell))
        else:
            yield following, column, following, cell
    for line, cells_of_row in emptied_rows.items():
        row = positions.rows[line]
        whole = _ROW_TAG.fullmatch(xml[row.start : row.end])
        assert whole
        inside = b"".join(cell for _, cell in sorted(cells_of_row))
        yield row.start, 0, row.end, b"<%b%b>%b</%b>" % (whole[1], whole[2], inside, whole[1])


def _cell(old: bytes, reference: str, edit: CellEdit | CellText) -> bytes:
    """Returns the XML of the cell `old` with a new text and `reference`; its namespace prefix and its style stay."""
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


Span = tuple[int, int]
"""The start and end of a cell in the text, with its quotes."""


def _with_delimited_cells(data: bytes, fmt: str, edits: Sequence[CellEdit]) -> bytes:
    """Returns the bytes of a CSV or TSV file with some cells changed.

    Raises DataFault if no row begins in a given line. A quoted cell stays quoted, and a cell that needs quotes gets
    them. A row that is too short for the column gets the missing delimiters.
    """
    mark, encoding, text, delimiter, rest = _decoded(data, fmt)
    changed: dict[int, dict[int, str]] = defaultdict(dict)
    for edit in edits:
        changed[edit.line][edit.column] = edit.text
    parts, at = [text[: len(text) - len(rest)]], 0
    for line, spans in _rows(rest, delimiter):
        for span, cell in _changes(rest, spans, changed.pop(line, {}), delimiter):
            parts += [rest[at : span[0]], cell]
            at = span[1]
    if changed:
        raise DataFault("not_writable", f"no row begins in line {min(changed)}")
    return mark + "".join([*parts, rest[at:]]).encode(encoding)


def _with_delimited_row(data: bytes, fmt: str, cells: Mapping[int, CellText]) -> bytes:
    """Returns a CSV or TSV file with a row added, as wide as the first, with the last row's line end."""
    mark, encoding, text, delimiter, rest = _decoded(data, fmt)
    width = max((len(spans) for _, spans in islice(_rows(rest, delimiter), 1)), default=0)
    columns = range(max(width, *(column + 1 for column in cells)))
    row = delimiter.join(_as_cell(cells.get(column, CellText("")).text, delimiter) for column in columns)
    ends = [end[0] for end in NEWLINE.finditer(text)]
    newline = ends[-1] if ends else "\n"
    is_ended = not text or text.endswith(newline)
    longer = f"{text}{row}{newline}" if is_ended else f"{text}{newline}{row}"
    return mark + longer.encode(encoding)


def _decoded(data: bytes, fmt: str) -> tuple[bytes, str, str, str, str]:
    """Returns byte order mark, encoding, text, delimiter, and text to read (see `delimiter_of`). Raises DataFault."""
    mark, encoding = encoding_of(data)
    try:
        text = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as fault:
        raise DataFault("not_writable", f"the file is not {encoding.upper()} text") from fault
    return mark, encoding, text, *delimiter_of(text, fmt)


def _rows(text: str, delimiter: str) -> Iterator[tuple[int, list[Span]]]:
    """Yields (line in which it begins, spans of its cells) for each row; lines count as the reader counts them."""
    at, line = 0, 1
    while at < len(text):
        cells = list(row_cells(text, at, delimiter))
        first, at = line, cells[-1].end()
        line += sum(len(NEWLINE.findall(cell[0])) for cell in cells)
        end = NEWLINE.match(text, at)
        if end is None and at < len(text):
            raise DataFault("not_writable", f"the quotes in line {first} are faulty")
        at, line = (end.end(), line + 1) if end else (at, line)
        yield first, [cell.span() for cell in cells]


def _changes(text: str, spans: list[Span], cells: Mapping[int, str], delimiter: str) -> Iterator[tuple[Span, str]]:
    """Yields (span of a cell, its new text) for the cells of a row that change, from left to right."""
    for column, cell in sorted(cells.items()):
        if column < len(spans):
            span = spans[column]
            yield span, _as_cell(cell, delimiter, quoted=text[span[0] : span[0] + 1] == '"')
    end, missing = spans[-1][1], {column: cell for column, cell in cells.items() if column >= len(spans)}
    if missing:
        added = (_as_cell(missing.get(column, ""), delimiter) for column in range(len(spans), max(missing) + 1))
        yield (end, end), "".join(delimiter + cell for cell in added)


def _as_cell(text: str, delimiter: str, quoted: bool = False) -> str:
    """Returns a text as a cell of a delimited file, in quotes if it needs them or was `quoted` before."""
    if quoted or any(sign in text for sign in (delimiter, '"', "\r", "\n")):
        return '"' + text.replace('"', '""') + '"'
    return text
