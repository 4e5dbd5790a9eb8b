"""An XLSX workbook of one sheet, written part by part: the same rows give the same bytes."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Collection, Iterable, Sequence
from xml.sax.saxutils import escape

Cell = str | int | float | bool


class Formula(str):
    """What a cell reckons, without the equals sign: `B12*1000`."""


_DAY = (1980, 1, 1, 0, 0, 0)
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_LOOKS_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_NOT_IN_TITLES = re.compile(r"[\[\]:*?/\\']")

_CONTENT_TYPES = (
    f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_KIND}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_KIND}.worksheet+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{_KIND}.styles+xml"/>'
    "</Types>"
)
_ROOT_RELATIONS = (
    f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
    "</Relationships>"
)
_BOOK_RELATIONS = (
    f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="rId2" Type="{_OFFICE}/styles" Target="styles.xml"/>'
    "</Relationships>"
)
# Cell styles by index: 0 general, 1 text (number format 49), 2 text in bold.
_STYLES = (
    f'<styleSheet xmlns="{_MAIN}">'
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills>'
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
    '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>'
    "</styleSheet>"
)


def write_workbook(title: str, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """The bytes of a workbook: a bold header that stays in view, text as text, numbers and booleans as themselves."""
    return _packed(title, _sheet(header, rows))


def write_form(title: str, lines: Sequence[Sequence[Cell]], headings: Collection[int]) -> bytes:
    """The bytes of a workbook to be filled in: lines of cells, those of `headings` (counted from 0) in bold."""
    widest = max(map(len, lines), default=0)
    letters = [_letters(column) for column in range(widest)]
    columns = "".join(
        f'<col min="{column + 1}" max="{column + 1}" width="{_width(lines, column)}" customWidth="1"/>'
        for column in range(widest)
    )
    rows = (
        _row(number, letters[: len(cells)], cells, 2 if number - 1 in headings else 1)
        for number, cells in enumerate(lines, 1)
    )
    return _packed(
        title, f'<worksheet xmlns="{_MAIN}"><cols>{columns}</cols><sheetData>{"".join(rows)}</sheetData></worksheet>'
    )


def _width(lines: Sequence[Sequence[Cell]], column: int) -> int:
    """Room for the longest text of a column, in characters."""
    texts = [str(cells[column]) for cells in lines if len(cells) > column and not isinstance(cells[column], Formula)]
    return min(40, max(6, *(len(text) + 3 for text in texts)))


def _packed(title: str, sheet: str) -> bytes:
    name = escape(_NOT_IN_TITLES.sub("-", title)[:31] or "cards", {'"': "&quot;"})
    book = (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">'
        f'<sheets><sheet name="{name}" sheetId="1" r:id="rId1"/></sheets></workbook>'
    )
    parts = {
        "[Content_Types].xml": _CONTENT_TYPES,
        "_rels/.rels": _ROOT_RELATIONS,
        "xl/workbook.xml": book,
        "xl/_rels/workbook.xml.rels": _BOOK_RELATIONS,
        "xl/styles.xml": _STYLES,
        "xl/worksheets/sheet1.xml": sheet,
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, text in parts.items():
            entry = zipfile.ZipInfo(part, _DAY)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            archive.writestr(entry, (_HEAD + text).encode())
    return stream.getvalue()


def _sheet(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    letters = [_letters(column) for column in range(len(header))]
    lines = [_row(1, letters, header, 2)]
    lines.extend(_row(number, letters, cells, 1) for number, cells in enumerate(rows, 2))
    return (
        f'<worksheet xmlns="{_MAIN}">'
        '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" '
        'state="frozen"/></sheetView></sheetViews>'
        f"<sheetData>{''.join(lines)}</sheetData></worksheet>"
    )


def _row(number: int, letters: Sequence[str], cells: Sequence[Cell], style: int) -> str:
    pairs = zip(letters, cells, strict=True)
    written = [_cell(f"{letter}{number}", cell, style) for letter, cell in pairs if cell != ""]
    return f'<row r="{number}">{"".join(written)}</row>'


def _cell(reference: str, cell: Cell, style: int) -> str:
    if isinstance(cell, Formula):
        return f'<c r="{reference}"><f>{escape(cell)}</f></c>'
    if isinstance(cell, bool):
        return f'<c r="{reference}" t="b"><v>{int(cell)}</v></c>'
    if isinstance(cell, int | float):
        return f'<c r="{reference}"><v>{cell!r}</v></c>'
    text = escape(_LOOKS_ESCAPED.sub("_x005F_", cell))
    return f'<c r="{reference}" s="{style}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


def _letters(column: int) -> str:
    """0 -> `A`, 26 -> `AA`."""
    text = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text
