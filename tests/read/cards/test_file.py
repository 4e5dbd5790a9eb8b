"""Card files to records and findings."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from carddb.core.errors import InputError, UsageError
from carddb.findings import Finding, Severity
from carddb.game.game import GameSpec
from carddb.game.parts import FieldSpec, TypeSpec
from carddb.read.cards import file as card_file
from carddb.read.cards.file import CardFile, CardReading, read_cards
from carddb.read.tables.xlsx_writer import write_workbook
from tests.conftest import Calls

SPEC = GameSpec(
    key="trial",
    prefix="tr",
    name="Trial",
    columns={"id": "ref", "Kind of card": "type"},
    fields={
        "rarity": FieldSpec(type="choice", of=("common", "rare"), required=True, codes={"missing": "unknown_rarity"}),
        "year": FieldSpec(type="integer"),
        "text": FieldSpec(),
        "tags": FieldSpec(type="list"),
        "special": FieldSpec(type="object"),
        "released": FieldSpec(type="boolean"),
        "weight": FieldSpec(type="number", min=0, max=10),
    },
    types={
        "soldier": TypeSpec(
            fields={"strength": FieldSpec(type="integer", min=0, required=True, codes={"range": "unit_stats_range"})}
        ),
        "resource": TypeSpec(fields={"amount": FieldSpec(type="integer", min=1)}),
    },
)


def read(folder: Path, text: str | bytes, name: str = "cards.csv") -> CardFile:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_cards(path, CardReading(SPEC, "home", folder))


def codes(found: CardFile) -> list[str]:
    return [finding.code for finding in found.findings]


def only(found: CardFile) -> Finding:
    assert len(found.findings) == 1, found.findings
    return found.findings[0]


def values(found: CardFile) -> dict[str, Any]:
    assert found.findings == []
    (record,) = found.records
    return record.values


def test_a_card_has_what_its_row_states(tmp_path: Path) -> None:
    """A record holds the values given, the set filled in, and nothing by default."""
    found = read(tmp_path, "ref,name,type,rarity,strength,year,tags\n007,Lancer,soldier,common,3,-216,a; b ;\n")
    (record,) = found.records
    assert record.ref == "007"
    assert record.values == {
        "name": "Lancer",
        "type": "soldier",
        "rarity": "common",
        "strength": 3,
        "year": -216,
        "tags": ["a", "b"],
        "set": "home",
    }
    assert (record.place.file, record.place.line) == (str(tmp_path / "cards.csv"), 2)


def test_every_fault_of_a_file_is_reported_at_once(tmp_path: Path) -> None:
    """All faults come together, each with line, column, header and text, and no faulty row gives a record."""
    found = read(
        tmp_path,
        (
            "Name,TYPE,Streng th,Amount,rarity\n"
            "A,soldier,3,,common\n"
            "B,soldier,-1,,comon\n"
            "C,resource,4,0,\n"
            "D,knight,x,x,x\n"
            ",soldier,2.5,,rare\n"
        ),
    )
    assert [record.values["name"] for record in found.records] == ["A"]
    assert [
        (
            finding.code,
            finding.where[0].line,
            finding.where[0].column,
            finding.where[0].column_name,
            finding.where[0].text,
        )
        for finding in found.findings
    ] == [
        ("unit_stats_range", 3, 3, "Streng th", "-1"),
        ("field_invalid", 3, 5, "rarity", "comon"),
        ("field_not_of_type", 4, 3, "Streng th", "4"),
        ("field_range", 4, 4, "Amount", "0"),
        ("unknown_rarity", 4, 5, "rarity", ""),
        ("unknown_card_type", 5, 2, "TYPE", "knight"),
        ("field_invalid", 5, 5, "rarity", "x"),
        ("field_invalid", 6, 3, "Streng th", "2.5"),
        ("name_missing", 6, 1, "Name", ""),
    ]
    assert {finding.severity for finding in found.findings} == {Severity.ERROR}
    assert found.findings[1].fix == "Did you mean common?"


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("name,type,rarty", "header_unknown"),
        ("name,type,Year,y-e_a r", "header_repeated"),
        ("title,type", "header_missing"),
        ("name,rarity", "header_missing"),
        ("", "header_missing"),
    ],
)
def test_header_faults(tmp_path: Path, header: str, code: str) -> None:
    """Unknown, repeated and missing headers are errors that name the place."""
    found = read(tmp_path, header + "\n")
    assert code in codes(found)
    assert found.records == []


def test_the_nearest_header_is_suggested(tmp_path: Path) -> None:
    """An unknown header is answered with the nearest that is known."""
    assert only(read(tmp_path, "name,type,rarty\n")).fix == "Did you mean rarity?"


def test_a_column_may_be_called_as_the_game_calls_it(tmp_path: Path) -> None:
    """The game's other names of fields are understood in tables and documents, and are the same field."""
    found = read(tmp_path, "ID,name,kind-of-card,rarity,strength\nA-1,A,soldier,common,1\n")
    assert values(found)["type"] == "soldier" and found.records[0].ref == "A-1"
    card = {"id": "A-1", "name": "A", "kind of card": "soldier", "rarity": "common", "strength": 1}
    found = read(tmp_path, json.dumps([card]), "cards.json")
    assert values(found)["type"] == "soldier" and found.records[0].ref == "A-1"
    assert codes(read(tmp_path, "id,ref,name,type,rarity,strength\n")) == ["header_repeated"]


def test_empty_columns_and_rows_are_passed_over(tmp_path: Path) -> None:
    """Columns without header or content, and rows of separators, mean nothing."""
    found = read(tmp_path, "name,type,,rarity,strength,,\n\nA,soldier,,common,1,,\n,,,,,,\n")
    assert values(found)["name"] == "A"


def test_values_outside_the_header_are_errors(tmp_path: Path) -> None:
    """A value under no header, or past the last one, is an error."""
    found = read(tmp_path, "name,type,,rarity,strength\nA,soldier,x,common,1\nB,soldier,,common,1,9\n")
    assert codes(found) == ["header_unknown", "row_too_long"]
    assert [record.values["name"] for record in found.records] == ["A"]


@pytest.mark.parametrize(
    ("field", "cell", "expected"),
    [
        ("year", "3", 3),
        ("year", "3.0", 3),
        ("year", "-5", -5),
        ("year", "'-5", -5),
        ("year", "1e2", 100),
        ("year", "007", 7),
        ("weight", "3.0", 3),
        ("weight", "0.5", 0.5),
        ("released", "TRUE", True),
        ("released", "Yes", True),
        ("released", "no", False),
        ("released", "false", False),
        ("text", "'=1+1", "=1+1"),
        ("text", "''quoted", "'quoted"),
        ("text", "'tis", "'tis"),
        ("text", "007", "007"),
        ("text", "1.10", "1.10"),
        ("tags", "a;b; ;c", ["a", "b", "c"]),
        ("tags", '["a; b", "c"]', ["a; b", "c"]),
        ("tags", "[x]", ["[x]"]),
        ("special", '{"a": 1.5}', {"a": 1.5}),
        ("special", '[{"a": 1}, {"b": 2}]', [{"a": 1}, {"b": 2}]),
        ("special", "{}", None),
        ("special", "[]", None),
        ("text", "  ", None),
    ],
)
def test_cells_become_values(tmp_path: Path, field: str, cell: str, expected: object) -> None:
    """A cell becomes the value that its field wants; zeros, signs and quotes are kept where they belong."""
    quoted = '"' + cell.replace('"', '""') + '"'
    found = values(read(tmp_path, f"name,type,rarity,strength,{field}\nA,soldier,common,1,{quoted}\n"))
    assert found.get(field) == expected
    assert type(found.get(field)) is type(expected)


@pytest.mark.parametrize(
    ("field", "cell", "code"),
    [
        ("year", "3.5", "field_invalid"),
        ("year", "three", "field_invalid"),
        ("year", "25,000", "field_invalid"),
        ("year", "1_000", "field_invalid"),
        ("year", "٣", "field_invalid"),
        ("year", "nan", "field_invalid"),
        ("year", "9" * 16, "field_range"),
        ("year", "9" * 5000, "field_invalid"),
        ("weight", "11", "field_range"),
        ("weight", "inf", "field_invalid"),
        ("released", "1", "field_invalid"),
        ("special", "[1]", "field_invalid"),
        ("special", "{", "field_invalid"),
        ("special", "3", "field_invalid"),
        ("special", '{"a": 1, "a": 2}', "field_invalid"),
        ("text", "bell \x07", "field_invalid"),
        ("text", "é" * 40_000, "cell_too_large"),
        ("ref", "A[1]", "field_invalid"),
        ("ref", "x" * 501, "field_invalid"),
        ("art", "../a.png", "image_outside_project"),
        ("art", "/etc/passwd", "image_outside_project"),
        ("art", "C:\\a.png", "image_outside_project"),
        ("art", "..\\a.png", "image_outside_project"),
        ("art", "https://example.org/a.png", "image_outside_project"),
        ("art", "cards.csv", "image_invalid"),
    ],
)
def test_cells_that_are_not_what_the_field_wants(tmp_path: Path, field: str, cell: str, code: str) -> None:
    """Each kind of faulty cell has its code."""
    quoted = '"' + cell.replace('"', '""') + '"'
    found = read(tmp_path, f"name,type,rarity,strength,{field}\nA,soldier,common,1,{quoted}\n")
    assert only(found).code == code
    assert found.records == []


@pytest.mark.parametrize("art", ["absent.png", "x" * 400])
def test_a_missing_picture_is_a_warning(tmp_path: Path, art: str) -> None:
    """A card whose picture is not there is read with its name, and a warning says where it is expected."""
    found = read(tmp_path, f"name,type,rarity,strength,art\nA,soldier,common,1,{art}\n")
    assert (only(found).code, only(found).severity) == ("image_missing", Severity.WARNING)
    assert [record.values["art"] for record in found.records] == [art]


def test_missing_pictures_are_one_warning(tmp_path: Path) -> None:
    """Pictures that are missing are one warning with the places of all; it names every folder that was looked into."""
    lines = "".join(f"A{number},soldier,common,1,a{number}.png\n" for number in range(7))
    path = tmp_path / "cards.csv"
    path.write_text(f"name,type,rarity,strength,art\n{lines}", "utf-8")
    found = read_cards(path, CardReading(SPEC, "s", (tmp_path / "project", tmp_path / "game")))
    warning = only(found)
    assert [place.line for place in warning.where] == [2, 3, 4, 5, 6, 7, 8] and len(found.records) == 7
    assert warning.message.startswith("there is no picture a0.png; ") and warning.message.endswith("and 2 more")
    assert str(tmp_path / "project" / "a0.png") in warning.fix and str(tmp_path / "game" / "a0.png") in warning.fix


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (",knight,common,", "name_missing"),
        ("A,knight,comon,", "field_invalid"),
        ("A,knight,,", "unknown_rarity"),
        ("A,knight,common,bell \x07", "field_invalid"),
        (f"A,knight,common,{'x' * 70_000}", "cell_too_large"),
        (f"{'A' * 501},knight,common,", "field_invalid"),
    ],
)
def test_a_line_of_an_unknown_type_is_checked_for_the_rest(tmp_path: Path, line: str, code: str) -> None:
    """Behind an unknown type, name, lengths and the fields that all types have in common are checked all the same."""
    found = read(tmp_path, f"name,type,rarity,strength\n{line}\n")
    assert codes(found) == ["unknown_card_type", code]


def test_a_cell_larger_than_the_reader_takes(tmp_path: Path) -> None:
    """A cell of megabytes ends the reading with a finding, and what stood before it was read."""
    found = read(tmp_path, f"name,type,rarity,strength\nA,soldier,common,1\nB,soldier,common,{'1' * 200_000}\n")
    assert (only(found).code, found.findings[0].where[0].line) == ("cell_too_large", 3)
    assert len(found.records) == 1


def test_an_unclosed_quote_is_found_where_it_opens(tmp_path: Path) -> None:
    """An unclosed quote names the line and column where it opens, after quoted cells of several lines too."""
    head = "name,type,rarity,strength,text,set\n"
    found = read(tmp_path, head + 'A,soldier,common,1,"two\nlines","open\nB,resource,,,,\n')
    place = only(found).where[0]
    assert (found.findings[0].code, place.line, place.column) == ("quote_unclosed", 3, 8)
    big = read(tmp_path, 'name,type,rarity,strength\n"A,soldier,common,1\n' + "B,soldier,common,1\n" * 20_000)
    assert (only(big).code, big.findings[0].where[0].line) == ("quote_unclosed", 2)


def test_text_after_a_closing_quote_is_an_error(tmp_path: Path) -> None:
    """Text after a closing quote is not guessed at."""
    assert only(read(tmp_path, 'name,type\n"A"B,soldier\n')).code == "quote_misplaced"


@pytest.mark.parametrize(("name", "mark"), [("a.csv", ","), ("a.csv", ";"), ("a.csv", "\t"), ("a.tsv", "\t")])
def test_delimiters(tmp_path: Path, name: str, mark: str) -> None:
    """Comma, semicolon and tab are told by the header line; a .tsv file has tabs."""
    rows = [["name", "type", "rarity", "strength", "text"], ["A", "soldier", "common", "1", "x"]]
    assert values(read(tmp_path, "\n".join(mark.join(row) for row in rows), name))["text"] == "x"


@pytest.mark.parametrize("first", ["sep=;", '"sep=;"', "SEP=;"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_first_line_may_name_the_separator(tmp_path: Path, first: str, newline: str) -> None:
    """A first line `sep=;` is followed whatever the header looks like, and lines are counted from it."""
    rows = [first, "name;type;rarity;strength;text", "A,B,C;soldier;rare;x;,,,,", "D;soldier;rare;1;,,,,,,,"]
    found = read(tmp_path, newline.join(rows))
    assert (only(found).code, found.findings[0].where[0].line) == ("field_invalid", 3)
    assert [record.values["name"] for record in found.records] == ["D"]


@pytest.mark.parametrize(
    ("file", "text", "said", "fix"),
    [
        ("a.csv", "nme,type", 'no column is called "name"', 'Rename the column "nme" to "name".'),
        ("a.csv", "name,typ", 'no column is called "type"', 'Rename the column "typ" to "type".'),
        ("a.csv", "qqq,type", 'no column is called "name"', 'Add a column "name" to the header row.'),
        ("a.csv", "ref,set,type", 'no column is called "name"', 'Add a column "name" to the header row.'),
        ("a.tsv", "name,type,text", "separated by commas", "Rename the file to end in .csv."),
        ("a.tsv", "name;type;text", "separated by semicolons", "Rename the file to end in .csv."),
        ("a.tsv", "sep=;\nname;type", "separated by semicolons", "Rename the file to end in .csv."),
        ("a.csv", "name|type|text", "separated by vertical bars", "Save it as .csv, with commas between the columns."),
        ("a.csv", "sep=:\nname:type", 'no column is called "name"', 'Add a column "name" to the header row.'),
    ],
)
def test_a_missing_column_is_explained(tmp_path: Path, file: str, text: str, said: str, fix: str) -> None:
    """A missing column is named in quotes, with the header or the separator that was meant."""
    finding = read(tmp_path, text + "\n", file).findings[-1]
    assert finding.code == "header_missing" and said in finding.message
    assert finding.fix == fix


def test_remedies_for_a_sheet_speak_of_cells(tmp_path: Path) -> None:
    """A sheet with all columns in one cell is to be saved as text; cells past the header are no matter of quotes."""
    pasted = only(read(tmp_path, write_workbook("x", ["name\ttype"], [["A\tsoldier"]]), "a.xlsx"))
    assert "separated by tabs" in pasted.message and pasted.fix == "Save it as a text file that ends in .tsv."
    header = ["name", "type", "rarity", "amount", ""]
    row: list[str | int] = ["A", "resource", "rare", 1, "x"]
    assert "cells" in only(read(tmp_path, write_workbook("x", header, [row]), "a.xlsx")).fix
    assert "quotes" in only(read(tmp_path, "name,type,rarity,amount\nA,resource,rare,1,x\n")).fix


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(tmp_path: Path, encoding: str, newline: str) -> None:
    """Marks of byte order and every kind of line end are understood."""
    text = newline.join(["name,type,rarity,strength", "Zhūgě,soldier,common,1", ""])
    assert values(read(tmp_path, text.encode(encoding)))["name"] == "Zhūgě"


def test_wrong_encoding(tmp_path: Path) -> None:
    """Another encoding is a finding with byte offset and line."""
    finding = only(read(tmp_path, "name,type\nÄ,soldier\n".encode("latin-1")))
    assert (finding.code, finding.data) == ("wrong_encoding", {"offset": 10, "line": 2})


def test_made_references_are_stable_and_unlike(tmp_path: Path) -> None:
    """A card without a reference gets one from type and name, numbered where it is taken, the same each time."""
    text = "ref,name,type,rarity,strength\n,A b,soldier,rare,1\nsoldier-a-b-2,X,soldier,rare,1\n,a B,soldier,rare,1\n"
    refs = [record.ref for record in read(tmp_path, text).records]
    assert refs == ["soldier-a-b", "soldier-a-b-2", "soldier-a-b-3"]
    assert refs == [record.ref for record in read(tmp_path, text).records]


def test_a_repeated_reference_names_every_row(tmp_path: Path) -> None:
    """Two cards with one reference are an error that names both rows, and neither is a record."""
    rows = "R,A,soldier,rare,1\nS,B,soldier,rare,1\nR,C,soldier,rare,1\n"
    found = read(tmp_path, "ref,name,type,rarity,strength\n" + rows)
    assert [place.line for place in only(found).where] == [2, 4]
    assert found.findings[0].code == "duplicate_reference"
    assert [record.ref for record in found.records] == ["S"]


def test_pictures_inside_the_project_are_accepted(tmp_path: Path) -> None:
    """A picture under the root is accepted by its relative path; a link that leads out is not."""
    root, outside = tmp_path / "art", tmp_path / "outside.png"
    root.mkdir()
    Image.new("RGB", (2, 2)).save(root / "a.png")
    Image.new("RGB", (2, 2)).save(outside)
    (root / "link.png").symlink_to(outside)
    path = tmp_path / "cards.csv"
    path.write_text("name,type,rarity,strength,art\nA,soldier,rare,1,a.png\nB,soldier,rare,1,link.png\n")
    found = read_cards(path, CardReading(SPEC, "home", root))
    assert [record.values["art"] for record in found.records] == ["a.png"]
    assert codes(found) == ["image_outside_project"]


def test_a_picture_of_too_many_pixels_is_refused(tmp_path: Path) -> None:
    """A picture that would unpack to hundreds of megabytes is refused by its header."""
    stream = io.BytesIO()
    Image.new("1", (9_000, 9_000)).save(stream, "PNG")
    (tmp_path / "huge.png").write_bytes(stream.getvalue())
    found = read(tmp_path, "name,type,rarity,strength,art\nA,soldier,rare,1,huge.png\n")
    assert only(found).code == "image_too_large"


@pytest.mark.parametrize("fmt", ["PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF"])
def test_a_picture_that_breaks_off_is_refused(tmp_path: Path, fmt: str) -> None:
    """A picture is read to its end: one cut in half is invalid, though its header is sound."""
    stream = io.BytesIO()
    Image.radial_gradient("L").convert("RGB").save(stream, fmt)
    (tmp_path / "whole").write_bytes(stream.getvalue())
    (tmp_path / "half").write_bytes(stream.getvalue()[: len(stream.getvalue()) // 2])
    found = read(tmp_path, "name,type,rarity,strength,art\nA,soldier,rare,1,whole\nB,soldier,rare,1,half\n")
    assert only(found).code == "image_invalid"
    assert [record.values["art"] for record in found.records] == ["whole"]


def test_a_picture_is_read_once(tmp_path: Path, calls_to: Calls) -> None:
    """However many cards show a picture, it is opened once."""
    Image.new("RGB", (2, 2)).save(tmp_path / "a.png")
    opened = calls_to(Image, "open")
    found = read(tmp_path, "name,type,rarity,strength,art\n" + "A,soldier,rare,1,a.png\n" * 3)
    assert (len(found.records), len(opened)) == (3, 1)


def test_yaml_cards_keep_their_zeros(tmp_path: Path) -> None:
    """In YAML a text field keeps what was written, whatever YAML would make of it."""
    text = "- {name: no, ref: 007, type: soldier, rarity: rare, strength: 0x10, text: 1.10, tags: [1.50, yes]}\n"
    found = read(tmp_path, text, "cards.yaml")
    assert found.findings == []
    assert found.records[0].ref == "007"
    kept = {"name": "no", "strength": 16, "text": "1.10", "tags": ["1.50", "yes"]}
    assert kept.items() <= found.records[0].values.items()


def test_json_cards_have_places(tmp_path: Path) -> None:
    """Faults in JSON are found by line and key; a blank reference is the game's own code."""
    first = {"name": "A", "type": "soldier", "rarity": "rare", "strength": "x"}
    cards = [first, {"ref": " ", "nam": 1, "type": "resource"}]
    found = read(tmp_path, json.dumps(cards, indent=1), "cards.json")
    assert [(finding.code, finding.where[0].line, finding.where[0].column_name) for finding in found.findings] == [
        ("field_invalid", 6, "strength"),
        ("reference_missing", 9, "ref"),
        ("name_missing", 8, "name"),
        ("unknown_rarity", 8, "rarity"),
        ("header_unknown", 10, "nam"),
    ]


def test_faults_in_one_line_of_json_name_the_card(tmp_path: Path) -> None:
    """Where several cards share a line, each fault says which card it is of."""
    good = {"name": "A", "ref": "1", "type": "soldier", "rarity": "rare", "strength": 1}
    cards = [good, {**good, "ref": "2", "strength": "x", "nam": 1}, {**good, "Name": "B"}, {"type": "knight"}]
    found = read(tmp_path, json.dumps(cards), "cards.json")
    assert [finding.code for finding in found.findings] == [
        "field_invalid",
        "header_repeated",
        "unknown_card_type",
        "name_missing",
        "unknown_rarity",
        "header_unknown",
        "duplicate_reference",
    ]
    assert [finding.message.partition(":")[0] for finding in found.findings[:6]] == [
        "card 2",
        "card 3",
        "card 4",
        "card 4",
        "card 4",
        "card 2",
    ]
    assert found.findings[6].message.endswith("card 1, card 3")
    lone = read(tmp_path, json.dumps([{**good, "strength": "x"}]), "cards.json")
    assert not only(lone).message.startswith("card")


@pytest.mark.parametrize(
    ("file", "text", "fix"),
    [("a.json", '{"a": 1}', '{"cards": [...]}'), ("a.json", "3", '[{"name": ...}'), ("a.yaml", "a: 1", "hyphen")],
)
def test_a_document_of_another_shape_is_answered_in_its_language(
    tmp_path: Path, file: str, text: str, fix: str
) -> None:
    """What a list of cards looks like is said in JSON for JSON, in YAML for YAML."""
    assert fix in only(read(tmp_path, text, file)).fix


@pytest.mark.parametrize("text", ["a: 1", "3", '"x"'])
def test_a_document_that_is_no_list_of_cards(tmp_path: Path, text: str) -> None:
    """A document of another shape is a finding."""
    assert only(read(tmp_path, text, "cards.yaml")).code == "document_invalid"


def test_yaml_aliases_do_not_hide_other_faults(tmp_path: Path) -> None:
    """An alias is reported together with the faults of the cards."""
    found = read(tmp_path, "- {name: &a A, type: soldier, strength: 1, rarity: rar}\n", "cards.yaml")
    assert codes(found) == ["yaml_alias", "field_invalid"]


@pytest.mark.parametrize(
    "data",
    [
        b"name,type,rarity,strength\nA,soldier,rare,1\n",
        b"name\ttype\trarity\tstrength\nA\tsoldier\trare\t1\n",
        b'[{"name": "A", "type": "soldier", "rarity": "rare", "strength": 1}]',
        b"- {name: A, type: soldier, rarity: rare, strength: 1}\n",
    ],
)
def test_a_stream_tells_its_format(tmp_path: Path, data: bytes) -> None:
    """A stream is read by what its first bytes look like."""
    found = read_cards(io.BytesIO(data), CardReading(SPEC, "home", tmp_path))
    assert [record.ref for record in found.records] == ["soldier-a"]
    assert found.records[0].place.file == "-"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """A missing file and an unknown ending are errors of their own kind."""
    with pytest.raises(InputError):
        read_cards(tmp_path / "absent.csv", CardReading(SPEC, "x", tmp_path))
    (tmp_path / "cards.docx").write_bytes(b"")
    with pytest.raises(UsageError):
        read_cards(tmp_path / "cards.docx", CardReading(SPEC, "x", tmp_path))


def test_only_regular_files_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder, a pipe without a writer, and a file without permission are refused, not waited for."""
    (tmp_path / "folder.csv").mkdir()
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "locked.csv").write_text("name\n")

    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    with pytest.raises(InputError, match="is a folder"):
        read_cards(tmp_path / "folder.csv", CardReading(SPEC, "x", tmp_path))
    with pytest.raises(InputError, match="not a regular file"):
        read_cards(tmp_path / "pipe.csv", CardReading(SPEC, "x", tmp_path))
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(InputError, match="permission denied"):
        read_cards(tmp_path / "locked.csv", CardReading(SPEC, "x", tmp_path))


@pytest.mark.door
def test_the_standard_input_may_be_named_as_a_file(tmp_path: Path) -> None:
    """`/dev/stdin` is the standard input, though it is a pipe."""
    script = "import sys; from pathlib import Path; from carddb.read.source import read_bytes\n"
    script += "sys.stdout.write(read_bytes(Path('/dev/stdin'), 100)[0].decode())"
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", script], input="name\n", cwd=root, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("name\n", "")


def test_reading_gives_up_after_very_many_faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of nothing but faults is not read for ever, and says so."""
    monkeypatch.setattr(card_file, "MAX_FINDINGS", 5)
    found = read(tmp_path, "name,type,rarity\n" + "A,knight,rare\n" * 50)
    assert codes(found) == ["unknown_card_type"] * 5 + ["faults_too_many"]


@settings(max_examples=25, deadline=None)
@given(st.text(alphabet="nametyp,;\"'\n\r\t =-1\x00é", max_size=200), st.sampled_from(["csv", "tsv", "json", "yaml"]))
def test_no_text_makes_the_reader_fail(tmp_path_factory: pytest.TempPathFactory, text: str, fmt: str) -> None:
    """Any text gives records and findings, never an exception."""
    stream = io.BytesIO(b"name,type\n" * (fmt == "csv") + text.encode())
    read_cards(stream, CardReading(SPEC, "x", tmp_path_factory.getbasetemp()), fmt)


def test_marks_of_direction_are_told_once_for_a_file(tmp_path: Path) -> None:
    """Characters that turn the direction of words are one warning with their cells, in texts and in lists."""
    text = (
        "name,type,rarity,tags,strength\nA\u202eB,soldier,rare,x,1\nC,soldier,rare,a\u2066b; c,1\nÀ,soldier,rare,,1\n"
    )
    file = read(tmp_path, text)
    [finding] = [each for each in file.findings if each.code == "control_character"]
    assert finding.severity is Severity.WARNING and "U+202E" in finding.message
    assert [(place.line, place.column_name) for place in finding.where] == [(2, "name"), (3, "tags")]
    assert len(file.records) == 3
