"""Cards out, and in again."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableCell, TableRow
from odf.text import LineBreak, P, S, Tab

from carddb.core.errors import OutputError, UsageError
from carddb.game.frozen import replaced
from carddb.game.game import GameSpec
from carddb.game.parts import FieldSpec, TypeSpec
from carddb.read.cards.export import FORMATS, write_cards
from carddb.read.cards.file import CardReading, read_cards
from tests.rows import every

SPEC = GameSpec(
    key="trial",
    prefix="tr",
    name="Trial",
    fields={
        "text": FieldSpec(),
        "rarity": FieldSpec(type="choice", of=("common", "no", "007")),
        "year": FieldSpec(type="integer"),
        "weight": FieldSpec(type="number"),
        "released": FieldSpec(type="boolean"),
        "tags": FieldSpec(type="list"),
        "special": FieldSpec(type="object"),
    },
    types={"soldier": TypeSpec(), "act_of_god": TypeSpec()},
)

Cards = list[tuple[str, dict[str, Any]]]

_CHARACTERS = st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff")
TRICKY = st.sampled_from(
    [
        "=1+1",
        "+1",
        "-5",
        "@x",
        "'",
        "''x",
        "'=x",
        "007",
        "1.10",
        "no",
        "~",
        "null",
        "true",
        "1e3",
        "0x1f",
        "2024-01-01",
        "a: b",
        "- x",
        "#x",
        "[x]",
        '["a"]',
        "{}",
        "_x0041_",
        "<&>",
        '"',
        "a,b;c\td",
        "x\ny",
    ]
)
TEXTS = (
    st.one_of(TRICKY, st.text(_CHARACTERS | st.sampled_from("\n\t"), min_size=1, max_size=30))
    .map(lambda text: text.strip())
    .filter(bool)
)
LINES = TEXTS.map(lambda text: " ".join(text.split())).filter(bool)
REFS = LINES.filter(lambda text: not set(text) & set("[]{}"))
NUMBERS = st.one_of(st.integers(-(10**15) + 1, 10**15 - 1), st.floats(-1e14, 1e14).filter(lambda n: not n.is_integer()))
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
VALUES = st.fixed_dictionaries(
    {"name": LINES, "type": st.sampled_from(["soldier", "act_of_god"]), "set": LINES},
    optional={
        "text": TEXTS,
        "rarity": st.sampled_from(["common", "no", "007"]),
        "year": st.integers(-(10**15) + 1, 10**15 - 1),
        "weight": NUMBERS,
        "released": st.booleans(),
        "tags": st.lists(TEXTS, min_size=1, max_size=3),
        "special": st.dictionaries(TEXTS, JSON_VALUES, min_size=1, max_size=3),
        "emblem": LINES,
    },
)
CARDS = st.lists(st.tuples(REFS, VALUES), min_size=1, max_size=4, unique_by=lambda card: card[0])


def read_back(data: bytes, fmt: str) -> Cards:
    found = read_cards(io.BytesIO(data), CardReading(SPEC, "home", Path("absent")), fmt)
    assert found.findings == []
    return [(record.ref, record.values) for record in found.records]


def as_ods(data: bytes) -> bytes:
    """The cells of an XLSX export as odfpy writes them."""
    sheet = openpyxl.load_workbook(io.BytesIO(data)).active
    assert sheet is not None
    document, table = OpenDocumentSpreadsheet(), Table(name="Cards")
    for row in sheet.iter_rows(values_only=True):
        line = TableRow()
        for value in row:
            line.addElement(_ods_cell(value))
        table.addElement(line)
    document.spreadsheet.addElement(table)
    stream = io.BytesIO()
    document.write(stream)
    return stream.getvalue()


def _ods_cell(value: Any) -> Any:
    if value is None:
        return TableCell()
    if isinstance(value, bool):
        return TableCell(valuetype="boolean", booleanvalue=str(value).lower())
    if isinstance(value, int | float):
        return TableCell(valuetype="float", value=repr(value))
    cell, paragraph = TableCell(valuetype="string"), P()
    for char in value.replace("_x005F_", "_"):
        if char == " ":
            paragraph.addElement(S(c=1))
        elif char in "\n\t":
            paragraph.addElement(LineBreak() if char == "\n" else Tab())
        elif char > "\uffff":
            paragraph.addCDATA(char)  # as text, odfpy would write U+1FFFE and its like as U+FFFD
        else:
            paragraph.addText(char)
    cell.addElement(paragraph)
    return cell


def law(cards: Cards) -> None:
    for fmt in FORMATS:
        assert read_back(write_cards(cards, SPEC, fmt), fmt) == cards, fmt
    assert read_back(as_ods(write_cards(cards, SPEC, "xlsx")), "ods") == cards


@settings(max_examples=25, deadline=None)
@given(CARDS)
def test_an_untouched_export_reads_back(cards: Cards) -> None:
    """Reading an export gives the same references and values in every format."""
    law(cards)


@pytest.mark.full
@settings(max_examples=1000, deadline=None)
@given(CARDS)
def test_an_untouched_export_reads_back_at_full_size(cards: Cards) -> None:
    """The same over a thousand card files."""
    law(cards)


@every("text", ["=1", "+1", "-1", "@x", "'x", "'", "_x0041_", "007", "no", "1e3", "x\n\n y", "\u2028x\u2028y"])
def test_texts_that_programs_like_to_change(text: str) -> None:
    """Texts that look like formulas, numbers or escapes come back unchanged."""
    law([("R", {"name": "A", "type": "soldier", "set": "s", "text": text.strip(), "tags": [text.strip(), "b; c"]})])


def test_columns_stand_in_the_order_of_the_game() -> None:
    """Columns are ref, name, type, set, the fields in use as the game orders them, then art and emblem."""
    cards = [("R", {"name": "A", "type": "soldier", "set": "s", "emblem": "lion", "year": 3, "text": "x"})]
    head = write_cards(cards, SPEC, "csv").decode().splitlines()[0]
    assert head == "ref,name,type,set,text,year,emblem"


def test_formulas_get_a_mark_and_numbers_do_not() -> None:
    """A text that begins like a formula gets one quote in front; a negative number none."""
    cards = [("R", {"name": "=1", "type": "soldier", "set": "s", "text": "'x", "year": -5})]
    rows = list(csv.reader(io.StringIO(write_cards(cards, SPEC, "csv").decode())))
    assert rows[1] == ["R", "'=1", "soldier", "s", "''x", "-5"]
    sheet = openpyxl.load_workbook(io.BytesIO(write_cards(cards, SPEC, "xlsx"))).active
    assert sheet is not None
    assert [cell.value for cell in sheet[2]] == ["R", "'=1", "soldier", "s", "''x", -5]
    assert [cell.number_format for cell in sheet[2]] == ["@", "@", "@", "@", "@", "General"]


@pytest.mark.door
def test_a_workbook_has_the_same_bytes_each_time() -> None:
    """The same cards give the same bytes, with no clock in them."""
    cards = [("R", {"name": "A", "type": "soldier", "set": "s"})]
    data = write_cards(cards, SPEC, "xlsx")
    assert data == write_cards(cards, SPEC, "xlsx")
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        assert {entry.date_time for entry in packed.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_what_cannot_be_written_is_an_error() -> None:
    """A text too long for a workbook's cell is refused, not cut; so is an unknown format."""
    cards = [("R", {"name": "A", "type": "soldier", "set": "s", "text": "x" * 32_768})]
    with pytest.raises(OutputError):
        write_cards(cards, SPEC, "xlsx")
    with pytest.raises(UsageError):
        write_cards(cards, SPEC, "docx")


SEPARATED = [(" - ", ["A", "B-C", "D"]), (("\u00b7", " - "), ["A", "B-C", "D"]), ((), ["A - B-C - D"])]


@pytest.mark.parametrize(("separator", "values"), SEPARATED)
def test_a_list_may_have_a_separator_of_its_own(tmp_path: Path, separator: Any, values: list[str]) -> None:
    """Keywords joined by ` - ` are several values beside the semicolon; what is exported is read back the same."""
    spec = replaced(SPEC, fields={**SPEC.fields, "tags": FieldSpec(type="list", separator=separator)})
    file = tmp_path / "cards.csv"
    file.write_text("ref,name,type,tags\nT-1,One,soldier,A - B-C - D\nT-2,Two,soldier,-\n", "utf-8")
    read = [row.values.get("tags") for row in read_cards(file, CardReading(spec, "", tmp_path)).records]
    assert read == [values, None]
    for fmt in ("csv", "json"):
        again = tmp_path / f"again.{fmt}"
        again.write_bytes(write_cards([("T-1", {"name": "One", "type": "soldier", "tags": values})], spec, fmt))
        assert [row.values["tags"] for row in read_cards(again, CardReading(spec, "", tmp_path)).records] == [values]


def test_a_separator_that_separates_nothing_is_a_misfit() -> None:
    """It belongs to a list, and is not empty."""
    for field in (FieldSpec(separator=","), FieldSpec(type="list", separator=("", ","))):
        spec = replaced(SPEC, fields={"tags": field})
        assert [path for path, *_ in spec.misfits()] == [("fields", "tags", "separator")]
