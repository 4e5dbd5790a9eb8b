"""Writing XLSX workbooks of one sheet, part by part; the same rows give the same bytes."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

Cell = str | int | float | bool


class Formula(str):
    """The formula of a cell, without the equals sign: `B12*1000`."""


_DAY = (1980, 1, 1, 0, 0, 0)
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
LOOKS_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_NOT_IN_TITLES = re.compile(r"[\[\]:*?/\\']")

_FOLDER = Path(__file__).with_name("workbook")
"""The parts that every workbook has, with line ends and indents for readers.

The cell styles by index are 0 general, 1 text (number format 49), 2 bold text; in forms 3 to fill in, 4 calculated
(number format 3, whole numbers with separators), 5 a heading, 6 a title.
"""


def write_workbook(title: str, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """Returns the bytes of a workbook with a bold, frozen header row; texts stay texts, numbers stay numbers."""
    return _packed(title, _sheet(header, rows))


_FOR_NAMES = 24
_PAGE = (
    '<printOptions horizontalCentered="1"/>'
    '<pageMargins left="0.5" right="0.5" top="0.5" bottom="0.6" header="0.3" footer="0.3"/>'
    '<pageSetup orientation="landscape" fitToWidth="1" fitToHeight="1"/>'
)


def write_form(title: str, lines: Sequence[Sequence[Cell]], headings: Collection[int], foot: str = "") -> bytes:
    """Returns the bytes of a workbook to be filled in, which prints on one page with `foot` at its bottom.

    The lines whose index is in `headings` are bold, a heading of one cell is a title, and an empty cell is framed.
    """
    widest = max(map(len, lines), default=0)
    columns = "".join(
        f'<col min="{column + 1}" max="{column + 1}" width="{_width(lines, column)}" customWidth="1"/>'
        for column in range(widest)
    )
    rows = "".join(
        f'<row r="{number}" ht="20" customHeight="1">'
        + "".join(
            _form_cell(f"{column_letters(at)}{number}", cell, len(cells) == 1, number - 1 in headings)
            for at, cell in enumerate(cells)
        )
        + "</row>"
        for number, cells in enumerate(lines, 1)
    )
    footer = f"<headerFooter><oddFooter>&amp;L{escape(foot, quote=False)}</oddFooter></headerFooter>" if foot else ""
    sheet = (
        f'<worksheet xmlns="{_MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><cols>{columns}</cols>'
        f"<sheetData>{rows}</sheetData>{_PAGE}{footer}</worksheet>"
    )
    return _packed(title, [sheet])


def _form_cell(reference: str, cell: Cell, alone: bool, heading: bool) -> str:
    if cell == "":
        return f'<c r="{reference}" s="3"/>'
    return _cell(reference, cell, (6 if alone else 5) if heading else 3, 4)


def _width(lines: Sequence[Sequence[Cell]], column: int) -> int:
    """Returns the width of a column in characters, enough for its longest text; the first column has room for names."""
    shown = [cells[column] for cells in lines if len(cells) > max(column, 1)]
    texts = (str(cell) for cell in shown if not isinstance(cell, Formula))
    return min(40, max([6 if column else _FOR_NAMES, *(len(text) + 3 for text in texts)]))


def _packed(title: str, sheet: Iterable[str]) -> bytes:
    """Returns the bytes of a workbook whose sheet is given in pieces; only compressed data are kept in memory."""
    name = escape(_NOT_IN_TITLES.sub("-", title)[:31] or "cards", quote=False).replace('"', "&quot;")
    book = (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">'
        f'<sheets><sheet name="{name}" sheetId="1" r:id="rId1"/></sheets></workbook>'
    )
    parts: dict[str, Iterable[str]] = {
        "[Content_Types].xml": _part("content_types"),
        "_rels/.rels": _part("root_relations"),
        "xl/workbook.xml": [book],
        "xl/_rels/workbook.xml.rels": _part("book_relations"),
        "xl/styles.xml": _part("styles"),
        "xl/worksheets/sheet1.xml": sheet,
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, pieces in parts.items():
            entry = zipfile.ZipInfo(part, _DAY)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            with archive.open(entry, "w") as file:
                file.write(_HEAD.encode())
                for piece in pieces:
                    file.write(piece.encode())
    return stream.getvalue()


def _part(name: str) -> list[str]:
    return [line.strip() for line in (_FOLDER / f"{name}.xml").read_text("utf-8").splitlines()]


def _sheet(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    letters = [column_letters(column) for column in range(len(header))]
    yield (
        f'<worksheet xmlns="{_MAIN}">'
        '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" '
        'state="frozen"/></sheetView></sheetViews><sheetData>'
    )
    yield _row(1, letters, header, 2)
    for number, cells in enumerate(rows, 2):
        yield _row(number, letters, cells, 1)
    yield "</sheetData></worksheet>"


def _row(number: int, letters: Sequence[str], cells: Sequence[Cell], style: int) -> str:
    pairs = zip(letters, cells, strict=True)
    written = [_cell(f"{letter}{number}", cell, style) for letter, cell in pairs if cell != ""]
    return f'<row r="{number}">{"".join(written)}</row>'


def _cell(reference: str, cell: Cell, text_style: int, number_style: int = 0) -> str:
    style = f' s="{number_style}"' if number_style else ""
    if isinstance(cell, Formula):
        return f'<c r="{reference}"{style}><f>{escape(cell, quote=False)}</f></c>'
    if isinstance(cell, bool):
        return f'<c r="{reference}" t="b"><v>{int(cell)}</v></c>'
    if isinstance(cell, int | float):
        return f'<c r="{reference}"{style}><v>{cell!r}</v></c>'
    text = escape(LOOKS_ESCAPED.sub("_x005F_", cell), quote=False)
    return f'<c r="{reference}" s="{text_style}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


def column_letters(column: int) -> str:
    """Returns the letters of the column with this index: 0 is `A`, 26 is `AA`."""
    text = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text
