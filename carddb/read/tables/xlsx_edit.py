"""Cells of XLSX workbooks written in place: only the XML of those cells changes, every other part is as it was."""

from __future__ import annotations

import io
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple
from xml.parsers import expat

from carddb.core.errors import CellFault
from carddb.read.tables.archive import Archive
from carddb.read.tables.grid import CellEdit, CellText
from carddb.read.tables.workbook import LOOKS_ESCAPED, column_letters
from carddb.read.tables.xlsx import REFERENCE, column_number, number, worksheet_parts

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
