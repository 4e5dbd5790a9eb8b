"""XLSX and ODS in, with hostile archives."""

from __future__ import annotations

import datetime
import io
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableCell, TableRow
from odf.text import P

from carddb.core.errors import InputError
from carddb.game.game import GameSpec
from carddb.game.parts import FieldSpec, TypeSpec
from carddb.read.cards.file import CardFile, CardReading, read_cards
from carddb.read.tables import xlsx_and_ods
from carddb.read.tables.xlsx_and_ods import pad_or_date, unescape
from tests.rows import every

SPEC = GameSpec(
    key="trial",
    prefix="tr",
    name="Trial",
    fields={"text": FieldSpec(), "year": FieldSpec(type="integer"), "released": FieldSpec(type="boolean")},
    types={"soldier": TypeSpec()},
)
HEADER = ["ref", "name", "type", "text", "year", "released"]


def read(folder: Path, data: bytes, fmt: str = "xlsx") -> CardFile:
    path = folder / f"cards.{fmt}"
    path.write_bytes(data)
    return read_cards(path, CardReading(SPEC, "home", folder))


def workbook(*rows: list[Any], formats: dict[str, str] | None = None) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in [HEADER, *rows]:
        sheet.append(row)
    for cell, code in (formats or {}).items():
        sheet[cell].number_format = code
    return saved(book)


def saved(book: Any) -> bytes:
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def spreadsheet(content: str) -> bytes:
    """An ODS file around the rows of one table."""
    names = ("office", "table", "text")
    spaces = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in names)
    head = "".join(
        f'<table:table-cell office:value-type="string"><text:p>{name}</text:p></table:table-cell>' for name in HEADER
    )
    text = (
        f'<office:document-content {spaces}><office:body><office:spreadsheet><table:table table:name="Cards">'
        f"<table:table-row>{head}</table:table-row>{content}</table:table></office:spreadsheet></office:body>"
        "</office:document-content>"
    )
    return zipped({"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": text})


def zipped(parts: dict[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in parts.items():
            packed.writestr(name, text)
    return stream.getvalue()


def replaced(data: bytes, part: str, old: str, new: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        parts = {name: packed.read(name).decode() for name in packed.namelist()}
    assert old in parts[part]
    parts[part] = parts[part].replace(old, new, 1)
    return zipped(parts)


def cell(kind: str, shown: str = "", extra: str = "") -> str:
    inner = f"<text:p>{shown}</text:p>" if shown else ""
    return f'<table:table-cell office:value-type="{kind}" {extra}>{inner}</table:table-cell>'


def row(*cells: str) -> str:
    return f"<table:table-row>{''.join(cells)}</table:table-row>"


NAMED = cell("string", "A") + cell("string", "soldier")


def test_typed_cells_of_a_workbook(tmp_path: Path) -> None:
    """Numbers stay whole, zeros of a number format stay, dates become ISO text, booleans themselves."""
    day, moment = datetime.date(2024, 2, 3), datetime.datetime(2024, 2, 3, 4, 5)
    found = read(
        tmp_path,
        workbook(
            [7, "A", "soldier", day, 3.0, True],
            ["B-1", 300, "soldier", moment, -216, False],
            [8, "C", "soldier", 1.5, None, None],
            formats={"A2": "000"},
        ),
    )
    assert found.findings == []
    assert [(record.ref, record.values) for record in found.records] == [
        ("007", {"name": "A", "type": "soldier", "text": "2024-02-03", "year": 3, "released": True, "set": "home"}),
        (
            "B-1",
            {
                "name": "300",
                "type": "soldier",
                "text": "2024-02-03T04:05:00",
                "year": -216,
                "released": False,
                "set": "home",
            },
        ),
        ("8", {"name": "C", "type": "soldier", "text": "1.5", "set": "home"}),
    ]


def test_faults_of_a_workbook_name_the_sheet(tmp_path: Path) -> None:
    """A fault names file, sheet, row and column; a formula without value and an error value are faults."""
    found = read(tmp_path, workbook(["=1+1", "A", "soldier", "#N/A", 3.5, "maybe"]))
    assert [
        (finding.code, finding.where[0].sheet, finding.where[0].line, finding.where[0].column)
        for finding in found.findings
    ] == [
        ("formula_without_value", "Sheet", 2, 1),
        ("field_invalid", "Sheet", 2, 4),
        ("field_invalid", "Sheet", 2, 5),
        ("field_invalid", "Sheet", 2, 6),
    ]
    assert found.records == []


def test_a_formula_with_a_saved_value_counts(tmp_path: Path) -> None:
    """The value that a program saved with a formula is the cell's value."""
    data = workbook([None, "A", "soldier", "x", "=1+1"])
    data = replaced(data, "xl/worksheets/sheet1.xml", "<f>1+1</f>", "<f>1+1</f><v>2</v>")
    found = read(tmp_path, data)
    assert found.findings == []
    assert found.records[0].values["year"] == 2


def test_every_sheet_with_a_name_column_is_read(tmp_path: Path) -> None:
    """Sheets with a column `name` are read in their order; another is mentioned."""
    book = openpyxl.load_workbook(io.BytesIO(workbook(["R1", "A", "soldier"])))
    book.create_sheet("Notes").append(["nothing", "here"])
    book.create_sheet("Empty")
    more = book.create_sheet("More")
    more.append(["Type", "Name"])
    more.append(["soldier", "B"])
    found = read(tmp_path, saved(book))
    assert [(record.ref, record.place.sheet) for record in found.records] == [("R1", "Sheet"), ("soldier-b", "More")]
    assert [(finding.code, finding.where[0].sheet) for finding in found.findings] == [("sheet_skipped", "Notes")]


def test_a_far_cell_costs_nothing(tmp_path: Path) -> None:
    """A value in the last corner of the sheet is one fault, not a billion empty cells."""
    book = openpyxl.load_workbook(io.BytesIO(workbook(["R1", "A", "soldier"])))
    sheet = book.active
    assert sheet is not None
    sheet.cell(1_048_576, 16_384, "x")
    assert next(finding.code for finding in read(tmp_path, saved(book)).findings) == "row_too_long"


@pytest.mark.parametrize("fmt", ["xlsx", "ods"])
def test_archives_that_are_none(tmp_path: Path, fmt: str) -> None:
    """Broken, encrypted and foreign archives are input errors with a remedy."""
    whole = workbook(["R1", "A", "soldier"])
    other = zipped({"readme.txt": "x"})
    for data in (b"", b"PK", whole[:200], bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600), other):
        with pytest.raises(InputError) as caught:
            read(tmp_path, data, fmt)
        assert "save it again" in caught.value.remedy


@pytest.mark.parametrize("fmt", ["xlsx", "ods"])
def test_document_types_are_refused(tmp_path: Path, fmt: str) -> None:
    """XML that declares entities is refused before anything is expanded."""
    part = "xl/workbook.xml" if fmt == "xlsx" else "content.xml"
    bomb = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>'
    with pytest.raises(InputError, match="document type"):
        read(tmp_path, zipped({part: bomb}), fmt)


def test_the_bound_is_on_what_is_really_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive that unpacks past the bound is a finding, whatever its directory claims."""
    monkeypatch.setattr(xlsx_and_ods, "MAX_INFLATED", 1 << 20)
    data = replaced(
        workbook(["R1", "A", "soldier"]), "xl/worksheets/sheet1.xml", "<sheetData>", " " * (2 << 20) + "<sheetData>"
    )
    assert [finding.code for finding in read(tmp_path, data).findings] == ["archive_too_large"]


@pytest.mark.parametrize("bound", ["MAX_ELEMENTS", "MAX_CELLS"])
def test_cells_and_elements_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: str) -> None:
    """A workbook of endless cells or elements is a finding."""
    monkeypatch.setattr(xlsx_and_ods, bound, 5)
    assert [finding.code for finding in read(tmp_path, workbook(["R1", "A", "soldier"])).findings] == [
        "archive_too_large"
    ]


@pytest.mark.parametrize(
    "strings",
    [
        "<si a='" + "x" * (2 << 20) + "'/>", "<!--" + "x" * (2 << 20) + "-->", "<a>" * 300 + "</a>" * 300,
        "".join(f"<a{number}/>" for number in range(10_100)),
        "".join(f"<si a{number}=''/>" for number in range(10_100)),
    ],
    ids=["attribute", "comment", "depth", "elements", "attributes"],
)  # fmt: skip
def test_tags_depth_and_names_are_bounded(tmp_path: Path, strings: str) -> None:
    """A tag or comment of megabytes, elements nested without end and thousands of names are one finding each."""
    found = read(tmp_path, zipped({"xl/workbook.xml": "<workbook/>", "xl/sharedStrings.xml": f"<sst>{strings}</sst>"}))
    assert [finding.code for finding in found.findings] == ["archive_too_large"]


@pytest.mark.parametrize(
    ("part", "inside", "element"), [("sharedStrings", "sst", "<si/>"), ("styles", "cellXfs", "<xf/>")]
)
def test_shared_strings_and_styles_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str, inside: str, element: str
) -> None:
    """A workbook with more shared strings or cell styles than there may be cells is a finding, and read no further."""
    monkeypatch.setattr(xlsx_and_ods, "MAX_CELLS", 5)
    endless = f"<{inside}>{element * 6}"  # what would follow is not looked at
    found = read(tmp_path, zipped({"xl/workbook.xml": "<workbook/>", f"xl/{part}.xml": endless}))
    assert [finding.code for finding in found.findings] == ["archive_too_large"]


@pytest.mark.parametrize("encoding", ["utf-9", "shift_jis", "idna", "rot13"])
@pytest.mark.parametrize(("fmt", "part"), [("xlsx", "xl/workbook.xml"), ("ods", "content.xml")])
def test_encodings_that_cannot_be_read(tmp_path: Path, fmt: str, part: str, encoding: str) -> None:
    """A part in an encoding that is unknown, or none for XML, is an input error that names the part."""
    data = zipped({part: f'<?xml version="1.0" encoding="{encoding}"?><a>x</a>'})
    with pytest.raises(InputError, match=f"damaged in the part {part}, line 1"):
        read(tmp_path, data, fmt)


def test_repeated_cells_are_bounded(tmp_path: Path) -> None:
    """An ODS that repeats a cell without end is a finding."""
    endless = (
        '<table:table-row table:number-rows-repeated="1048576">'
        + NAMED.replace("<table:table-cell ", '<table:table-cell table:number-columns-repeated="16384" ')
        + "</table:table-row>"
    )
    assert [finding.code for finding in read(tmp_path, spreadsheet(endless), "ods").findings] == ["archive_too_large"]


def test_empty_repeats_cost_nothing(tmp_path: Path) -> None:
    """A million empty rows, as every ODS has them, are passed over with the line numbers right."""
    gap = '<table:table-row table:number-rows-repeated="1048000"><table:table-cell/></table:table-row>'
    found = read(tmp_path, spreadsheet(gap + row("<table:table-cell/>", NAMED)), "ods")
    assert [record.place.line for record in found.records] == [1_048_002]


def test_typed_cells_of_an_ods(tmp_path: Path) -> None:
    """ODS cells give the same values as XLSX cells; comments are not content."""
    note = "<office:annotation><text:p>no</text:p></office:annotation>"
    found = read(
        tmp_path,
        spreadsheet(
            row(
                cell("float", "007", 'office:value="7"'),
                NAMED,
                cell("date", "3.2.24", 'office:date-value="2024-02-03T00:00:00"'),
                cell("float", "3", 'office:value="3"'),
                cell("boolean", "TRUE", 'office:boolean-value="true"'),
            )
            + row(
                cell("string", "R2").replace("<text:p>", note + "<text:p>"),
                NAMED,
                '<table:table-cell office:value-type="string"><text:p>a<text:s text:c="2"/>b</text:p><text:p>c</text:p>'
                "</table:table-cell>",
            )
        ),
        "ods",
    )
    assert found.findings == []
    assert [
        (record.ref, record.values.get("text"), record.values.get("year"), record.values.get("released"))
        for record in found.records
    ] == [("007", "2024-02-03", 3, True), ("R2", "a  b\nc", None, None)]


def test_a_formula_without_value_in_an_ods(tmp_path: Path) -> None:
    """A formula whose value was not saved is a finding; one with a value counts."""
    formula = '<table:table-cell table:formula="of:=1+1"{}/>'
    filled = formula.format(' office:value-type="float" office:value="2"')
    found = read(
        tmp_path,
        spreadsheet(
            row(cell("string", "R1"), NAMED, "<table:table-cell/>", formula.format(""))
            + row(cell("string", "R2"), NAMED, "<table:table-cell/>", filled)
        ),
        "ods",
    )
    assert [(finding.code, finding.where[0].sheet, finding.where[0].line) for finding in found.findings] == [
        ("formula_without_value", "Cards", 2)
    ]
    assert [(record.ref, record.values["year"]) for record in found.records] == [("R2", 2)]


def test_an_ods_of_another_program(tmp_path: Path) -> None:
    """A file made by odfpy is read."""
    document = OpenDocumentSpreadsheet()
    table = Table(name="Cards")
    for texts in (HEADER, ["R1", "Ä & <b>", "soldier", "=x"]):
        line = TableRow()
        for text in texts:
            made = TableCell(valuetype="string")
            made.addElement(P(text=text))
            line.addElement(made)
        table.addElement(line)
    document.spreadsheet.addElement(table)
    stream = io.BytesIO()
    document.write(stream)
    (record,) = read(tmp_path, stream.getvalue(), "ods").records
    assert (record.ref, record.values["name"], record.values["text"]) == ("R1", "Ä & <b>", "=x")


@every(
    "code, expected",
    [
        ("000", 3),
        ("0", 0),
        ("General", 0),
        ("0.00", 0),
        ("yyyy-mm-dd", "date"),
        ('0" days"', 0),
        ("[h]:mm", "date"),
        ("[Red]0", 0),
        ("0000;-0000", 4),
        (r"0\d", 0),
    ],
)
def test_number_formats(code: str, expected: int | str) -> None:
    """A number format pads with zeros, shows a date, or changes nothing."""
    assert pad_or_date(code) == expected


def test_escapes_of_a_workbook() -> None:
    """What XML cannot hold is written _xHHHH_."""
    assert unescape("a_x000D_b_x005F_x0041_ _x1_") == "a\rb_x0041_ _x1_"
