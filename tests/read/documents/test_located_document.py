"""YAML and JSON with places."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, ValidationError

from carddb.core.errors import InputError
from carddb.read.documents import parse_notes
from carddb.read.documents.located_document import MAX_BYTES, load, parse
from carddb.read.documents.strict_models import pydantic_findings
from tests.rows import every


def value(text: str, file: str = "a.yaml") -> Any:
    document, findings = parse(text, file)
    assert document is not None, findings
    return document.value


def codes(text: str, file: str = "a.yaml") -> list[str]:
    document, findings = parse(text, file)
    assert document is None
    return [finding.code for finding in findings]


@every(
    "text, expected",
    [
        ("~", None),
        ("", None),
        ("null", None),
        ("true", True),
        ("False", False),
        ("yes", "yes"),
        ("no", "no"),
        ("on", "on"),
        ("3", 3),
        ("-216", -216),
        ("0", 0),
        ("007", "007"),
        ("-01", "-01"),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ("0x1f", 31),
        ("0o17", 15),
        ("017", "017"),
        ("1_000", "1_000"),
        ("12:30", "12:30"),
        ("2024-01-01", "2024-01-01"),
        (".inf", ".inf"),
        ("1e999", "1e999"),
        ("'3'", "3"),
        ('"true"', "true"),
    ],
)
def test_scalars_follow_the_core_schema(text: str, expected: object) -> None:
    """Plain scalars follow YAML 1.2, but zeros in front keep text."""
    found = value(f"a: {text}")["a"]
    assert found == expected
    assert type(found) is type(expected)


def test_places_name_line_and_column() -> None:
    """Every key and list item has its line, column and text as written."""
    document, _ = parse("limits:\n  - code: x\n    max: 1.50\n", "game.yaml")
    assert document is not None
    place = document.places["limits", 0, "max"]
    assert (place.file, place.line, place.column, place.text) == ("game.yaml", 3, 5, "1.50")
    assert document.place(("limits", 0, "absent", "deeper")).line == 2


def test_json_places_name_line_and_column() -> None:
    """JSON has places too, and tabs between its values."""
    document, _ = parse('{\n\t"a": [1,\n\t\t2.50]}', "a.json")
    assert document is not None
    assert document.value == {"a": [1, 2.5]}
    place = document.places["a", 1]
    assert (place.line, place.column, place.text) == (3, 3, "2.50")


@every(
    "text, file, expected",
    [
        ("a: &x 1\nb: *x", "a.yaml", ["yaml_alias", "yaml_alias"]),
        ("<<: {a: 1}", "a.yaml", ["yaml_alias"]),
        ("a: !!python/name:os.system x", "a.yaml", ["yaml_tag"]),
        ("a: 1\na: 2\nb: 1\nb: 2", "a.yaml", ["key_repeated", "key_repeated"]),
        ("a: 1\n---\na: 2", "a.yaml", ["document_several"]),
        ("a: b: c", "a.yaml", ["document_syntax"]),
        ("? [1, 2]\n: 3", "a.yaml", ["document_syntax"]),
        ("a: \x07", "a.yaml", ["document_syntax"]),
        ("- \ud800", "a.yaml", ["document_syntax"]),
        ("[" * 100_000, "a.yaml", ["nesting_too_deep"]),
        ("[" * 100_000, "a.json", ["nesting_too_deep"]),
        ('{"a": 1, "a": 2}', "a.json", ["key_repeated"]),
        ('{"a": NaN}', "a.json", ["document_syntax"]),
        ('{"a": 1e999}', "a.json", ["document_syntax"]),
        ('{"a": 01}', "a.json", ["document_syntax"]),
        ('["\\ud800"]', "a.json", ["document_syntax"]),
        ("[1,]", "a.json", ["document_syntax"]),
        ("[1] 2", "a.json", ["document_syntax"]),
        ('["a\nb"]', "a.json", ["document_syntax"]),
        ("", "a.json", ["document_syntax"]),
    ],
)
def test_what_would_mean_more_than_it_shows_is_refused(text: str, file: str, expected: list[str]) -> None:
    """Aliases, tags, merge keys, repeated keys, several documents, deep nesting and faulty syntax are findings."""
    assert codes(text, file) == expected


def test_fifty_levels_are_read() -> None:
    """Nesting of fifty levels is allowed, one more is not."""
    for file in ("a.yaml", "a.json"):
        assert parse("[" * 50 + "]" * 50, file)[1] == []
        assert codes("[" * 51 + "]" * 51, file) == ["nesting_too_deep"]


def test_repeated_key_names_both_lines() -> None:
    """A repeated key is reported where it stands, with the line of the first."""
    _, (finding,) = parse("a: 1\nb: 2\na: 3\n", "x.yaml")
    assert finding.where[0].line == 3
    assert "line 1" in finding.message


def test_a_large_document_is_refused() -> None:
    """A document over 16 MB is a finding, not an attempt."""
    assert codes("#" * (MAX_BYTES + 1)) == ["file_too_large"]


@pytest.mark.parametrize("file", ["a.yaml", "a.json"])
def test_values_and_faults_are_bounded(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A document of endless values, or of endless faults, is not read to its end."""
    monkeypatch.setattr(parse_notes, "MAX_FAULTS", 5)
    assert codes("{" + ", ".join(['"a": 1'] * 20) + "}", file) == ["key_repeated"] * 5
    monkeypatch.setattr(parse_notes, "MAX_VALUES", 10)
    assert codes(f"[{'1, ' * 20}1]", file) == ["file_too_large"]


def test_wrong_encoding_names_byte_and_line(tmp_path: Path) -> None:
    """A byte that is not UTF-8 is reported with its offset and line."""
    path = tmp_path / "game.yaml"
    path.write_bytes(b"a: 1\nb: \xff\n")
    document, (finding,) = load(path)
    assert document is None
    assert finding.code == "wrong_encoding"
    assert finding.data == {"offset": 8, "line": 2}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings_with_a_mark_are_read(tmp_path: Path, encoding: str) -> None:
    """UTF-8 with or without a mark, and UTF-16 with one, are read."""
    path = tmp_path / "game.yaml"
    path.write_bytes("a: Zhūgě\n".encode(encoding))
    document, findings = load(path)
    assert (document and document.value, findings) == ({"a": "Zhūgě"}, [])


def test_an_unreadable_file_is_an_input_error(tmp_path: Path) -> None:
    """A missing file, and a folder, are errors of their own kind."""
    for path in (tmp_path / "absent.yaml", tmp_path):
        with pytest.raises(InputError):
            load(path)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=25, deadline=None)
@given(JSON_VALUES)
def test_json_reads_as_the_standard_library_does(data: Any) -> None:
    """What json writes is read to the same value, escaped or not."""
    for escaped in (True, False):
        assert value(json.dumps(data, ensure_ascii=escaped), "a.json") == data


@settings(max_examples=25, deadline=None)
@given(st.text(alphabet="ab:-[]{},&*!|>'\"#%\n\t 01?~\u00e9"), st.sampled_from(["a.yaml", "a.json"]))
def test_no_text_makes_the_reader_fail(text: str, file: str) -> None:
    """Any text gives a document or findings, never an exception."""
    document, findings = parse(text, file)
    assert (document is None) == bool(findings)
    assert all(finding.where[0].file == file for finding in findings)


class Limit(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")
    code: str
    max: int | None = None


class Game(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")
    key: str
    limits: list[Limit] = []
    named: Mapping[str, Limit] = {}


def test_model_faults_are_findings_with_places() -> None:
    """Each fault of a model is one finding at the nearest place, and an unknown key is answered with the nearest."""
    document, _ = parse("key: 3\nlimits:\n  - cod: x\nnamed:\n  a: {code: b, max: two}\n", "game.yaml")
    assert document is not None
    with pytest.raises(ValidationError) as caught:
        Game.model_validate(document.value)
    findings = pydantic_findings(caught.value, document, Game)
    assert {finding.code for finding in findings} == {"document_invalid"}
    found = {(finding.where[0].line, finding.message, finding.fix) for finding in findings}
    assert found == {
        (1, "key must be text, not 3", ""),
        (3, "the key code is missing", "Add code."),
        (3, "the key cod is not known here", "Did you mean code?"),
        (5, "max must be a whole number, not 'two'", ""),
    }
