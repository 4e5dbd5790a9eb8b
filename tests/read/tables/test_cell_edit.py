"""Cells written into table files: the cell holds the new text, and every other cell and byte stays."""

from __future__ import annotations

import io
import zipfile

import openpyxl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from carddb.core.errors import DataFault
from carddb.read.source import encoding_of
from carddb.read.tables import grid, xlsx_and_ods
from carddb.read.tables.cell_edit import CellEdit, write_cells
from carddb.read.tables.grid import Row
from carddb.read.tables.xlsx_writer import write_workbook

TEXTS = st.text(st.sampled_from("ab ;,\t\"\n\r'é–="), max_size=6)
ENCODINGS = st.sampled_from([b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"])


def rows_of(data: bytes, fmt: str) -> list[Row]:
    mark, encoding = encoding_of(data)
    text = data[len(mark) :].decode(encoding)
    delimiter, text = grid.delimiter_of(text, fmt)
    return list(grid.rows(text, "f", delimiter))


def in_quotes(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


@st.composite
def tables(draw: st.DrawFn) -> tuple[bytes, str, list[list[str]]]:
    """A delimited file with quotes here and there, its format, and its cells."""
    fmt, delimiter = draw(st.sampled_from([("csv", ","), ("csv", ";"), ("tsv", "\t")]))
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    width = draw(st.integers(2, 4))
    cells = draw(st.lists(st.lists(TEXTS, min_size=width, max_size=width), min_size=1, max_size=4))
    header = [f"h{column}" for column in range(width)]
    lines = []
    for row in [header, *cells]:
        must = [any(sign in cell for sign in ('"', "\r", "\n", ",", ";", "\t")) for cell in row]
        quoted = [draw(st.booleans()) and row is not header for _ in row]
        shown = [in_quotes(c) if m or q else c for c, m, q in zip(row, must, quoted, strict=True)]
        lines.append(delimiter.join(shown))
    text = end.join(lines) + draw(st.sampled_from(["", end]))
    mark = draw(ENCODINGS)
    return mark + text.encode(encoding_of(mark)[1]), fmt, [header, *cells]


@given(tables(), st.data())
def test_a_written_cell_is_read_back_and_all_others_stay(
    table: tuple[bytes, str, list[list[str]]], data: st.DataObject
) -> None:
    """Of a CSV or TSV in any encoding and with any line ends only the bytes of the cell change."""
    before, fmt, cells = table
    rows = rows_of(before, fmt)
    number = data.draw(st.integers(1, len(rows) - 1))
    column, text = data.draw(st.integers(0, len(cells[0]) - 1)), data.draw(TEXTS)
    line = rows[number].line
    after = write_cells(before, fmt, [CellEdit("", line, column, text)])
    expected = [dict(row.cells) for row in rows]
    expected[number] = {at: c for at, c in {**expected[number], column: text}.items() if c}
    assert [row.cells for row in rows_of(after, fmt)] == expected
    old = rows[number].cells.get(column, "")
    back = write_cells(after, fmt, [CellEdit("", line, column, str(old))])
    assert rows_of(back, fmt) == rows
    start = next(
        (at for at, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after))
    )
    tail = next((at for at, (a, b) in enumerate(zip(before[::-1], after[::-1], strict=False)) if a != b), 0)
    widest = 4 * max(len(text), len(str(old))) + 12
    assert before == after or len(before) - tail - start <= widest, "more than the cell has changed"


@given(tables(), st.data())
def test_the_same_text_changes_no_byte(table: tuple[bytes, str, list[list[str]]], data: st.DataObject) -> None:
    """A cell that is given what it holds already leaves the file as it was, its needless quotes too."""
    before, fmt, _ = table
    rows = rows_of(before, fmt)
    row = data.draw(st.sampled_from(rows))
    assume(row.cells)
    column = data.draw(st.sampled_from(sorted(row.cells)))
    assert write_cells(before, fmt, [CellEdit("", row.line, column, str(row.cells[column]))]) == before


def test_a_short_row_gets_the_delimiters_that_it_lacks() -> None:
    """A cell beyond the end of its row is put under its heading."""
    assert write_cells(b"a;b;c\r\n1\r\n2;3\r\n", "csv", [CellEdit("", 2, 2, "x")]) == b"a;b;c\r\n1;;x\r\n2;3\r\n"


def test_the_separator_line_of_a_spreadsheet_program_stays() -> None:
    """`sep=;` is left where it is, and lines are counted as the reader counts them."""
    assert write_cells(b"sep=|\na|b\n1|2\n", "csv", [CellEdit("", 3, 1, "x|y")]) == b'sep=|\na|b\n1|"x|y"\n'


def test_a_line_in_which_no_row_begins_is_refused() -> None:
    """The second line of a quoted cell is no row, and neither is one beyond the end."""
    for line in (3, 9):
        with pytest.raises(DataFault):
            write_cells(b'a,b\n1,"x\ny"\n', "csv", [CellEdit("", line, 0, "z")])


def parts_of(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def cells_of(data: bytes) -> dict[str, list[Row]]:
    return {sheet.name: list(sheet.rows) for sheet in xlsx_and_ods.sheets(data, "f.xlsx", "xlsx")}


def office_book() -> bytes:
    """A workbook as a spreadsheet program saves one: shared strings, styles, a formula, two sheets."""
    book = openpyxl.Workbook()
    cards = book.active
    assert cards is not None
    cards.title = "Cards"
    cards.append(["ref", "name", "life", "text"])
    cards.append(["A-1", "Hanno", 7, "One & <two>"])
    cards.append(["A-2", "Mago", 6, None])
    cards["C4"], cards["A4"] = "=C2+1", "A-3"
    cards["C2"].number_format = "0.00"
    book.create_sheet("Notes").append(["Hanno", "a note"])
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def test_of_a_workbook_only_the_part_of_the_cell_changes() -> None:
    """Number and text are read back, styles stay, all other parts are the same bytes."""
    before = office_book()
    edits = [
        CellEdit("Cards", 2, 2, "9", True),
        CellEdit("Cards", 2, 3, "A \n<b> _x0041_"),
        CellEdit("Cards", 3, 3, "new"),
    ]
    after = write_cells(before, "xlsx", edits)
    old, new = parts_of(before), parts_of(after)
    assert list(old) == list(new)
    assert [name for name in old if old[name] != new[name]] == ["xl/worksheets/sheet1.xml"]
    rows = cells_of(after)["Cards"]
    assert rows[1].cells == {0: "A-1", 1: "Hanno", 2: 9, 3: "A \n<b> _x0041_"}
    assert rows[2].cells == {0: "A-2", 1: "Mago", 2: 6, 3: "new"}
    assert rows[3].cells == cells_of(before)["Cards"][3].cells
    assert cells_of(after)["Notes"] == cells_of(before)["Notes"]
    opened = openpyxl.load_workbook(io.BytesIO(after))
    assert (opened["Cards"]["C2"].value, opened["Cards"]["C2"].number_format) == (9, "0.00")
    assert opened["Cards"]["D3"].value == "new"


def test_a_formula_is_not_written_over() -> None:
    """A cell that is reckoned is refused, so that its formula is not lost."""
    with pytest.raises(DataFault, match="C4 contains a formula"):
        write_cells(office_book(), "xlsx", [CellEdit("Cards", 4, 2, "3", True)])


@given(
    st.lists(
        st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=5), min_size=3, max_size=3),
        min_size=1,
        max_size=4,
    ),
    st.data(),
)
def test_a_cell_of_any_workbook_is_read_back_and_all_others_stay(cells: list[list[str]], data: st.DataObject) -> None:
    """Also where the cell was empty and stands between others, or its row had none."""
    clean = [["".join(c for c in cell if c.isprintable()) for cell in row] for row in cells]
    before = write_workbook("t", ["a", "b", "c"], clean)
    line, column = data.draw(st.integers(2, len(clean) + 1)), data.draw(st.integers(0, 2))
    text = data.draw(st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Zs"]), min_size=1, max_size=5))
    rows = {row.line: row.cells for row in cells_of(before)["t"]}
    try:
        after = write_cells(before, "xlsx", [CellEdit("t", line, column, text)])
    except DataFault:
        assert line not in rows
        return
    rows[line] = {**rows.get(line, {}), column: text}
    assert {row.line: row.cells for row in cells_of(after)["t"]} == rows
