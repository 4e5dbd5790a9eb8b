"""Odd files cost little: what is far larger than anybody writes stops early, with one finding, in little memory."""

from __future__ import annotations

import io
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from carddb.app.printing.printers import open_book
from carddb.app.workspace.settings import find_settings
from carddb.cards.cards import Pool
from carddb.core.errors import InputError
from carddb.core.files import NamedBytes
from carddb.findings import Finding
from carddb.read.cards.file import CardReading, read_cards
from carddb.read.decks import owned
from carddb.read.decks.owned import read_owned
from carddb.read.documents import parse_notes
from carddb.read.documents.located_document import json_value, parse
from tests.games.cahrd.samples import SPEC

_MOST_MEMORY = 200 << 20
_EMPTY, _KEYS = 15_000_000, 500_000


def _cards(text: str, fmt: str) -> list[Finding]:
    return read_cards(io.BytesIO(text.encode()), CardReading(SPEC, "c", Path()), fmt).findings


def _empty_json(size: int) -> list[Finding]:
    return _cards("[" + '"",' * (size - 1) + '""]', "json")


def _empty_yaml(size: int) -> list[Finding]:
    return _cards("- ''\n" * (size * 4 // 5), "yaml")


def _json_keys(size: int) -> list[Finding]:
    return parse("{" + ",".join(f'"k{number}": 1' for number in range(size)) + "}", "game.json")[1]


def _yaml_keys(size: int) -> list[Finding]:
    return parse("".join(f"k{number}: 1\n" for number in range(size)), "game.yaml")[1]


def _owned_rows(size: int) -> list[Finding]:
    text = "name,count\n" + "".join(f"k{number},1\n" for number in range(size))
    return read_owned(NamedBytes(text.encode(), "own.csv"), SPEC, Pool(()))[1]


_FILES: list[tuple[Callable[[int], list[Finding]], int]] = [
    (_empty_json, _EMPTY), (_empty_yaml, _EMPTY), (_json_keys, _KEYS), (_yaml_keys, _KEYS), (_owned_rows, _KEYS),
]  # fmt: skip


@pytest.mark.parametrize("findings_of", [each for each, _ in _FILES])
def test_what_is_too_large_is_one_finding(
    findings_of: Callable[[int], list[Finding]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too many values, keys and rows are one finding `file_too_large` each; just as many as are read are none."""
    for module, name in ((parse_notes, "MAX_VALUES"), (parse_notes, "MAX_KEYS"), (owned, "MAX_ROWS")):
        monkeypatch.setattr(module, name, 50)
    assert [finding.code for finding in findings_of(100) if finding.code == "file_too_large"] == ["file_too_large"]
    assert "file_too_large" not in {finding.code for finding in findings_of(40)}


@pytest.mark.full
@pytest.mark.parametrize(("findings_of", "size"), _FILES)
def test_what_is_far_too_large_takes_little_memory(findings_of: Callable[[int], list[Finding]], size: int) -> None:
    """15 million empty texts, 500,000 unknown keys and 500,000 rows of no card end in at most 200 MB."""
    tracemalloc.start()
    try:
        findings = findings_of(size)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [finding.code for finding in findings if finding.code != "owned_unknown"] == ["file_too_large"]
    assert peak < _MOST_MEMORY


def test_items_that_are_no_cards_end_the_list() -> None:
    """A list of a thousand texts is told of in a hundred findings and one that says so, whatever its length."""
    findings = _cards("[" + '"",' * 999 + '""]', "json")
    assert len(findings) == 102 and "not mappings" in findings[-1].message


def test_objects_of_too_many_keys_are_no_questions() -> None:
    """A question or module with an object of more keys than anybody writes is refused before its keys are told."""
    keys = ",".join(f'"k{number}": 1' for number in range(parse_notes.MAX_KEYS + 1))
    with pytest.raises(ValueError, match="an object has more than"):
        json_value(f'{{"a": {{{keys}}}}}'.encode())


@pytest.mark.parametrize("text", ["a" + ".a" * 3_001 + "=1", "a=" + "[" * 5_000, "[options.cahrd]\na=0x" + "f" * 5_000])
def test_settings_that_cost_much_are_refused(text: str, tmp_path: Path) -> None:
    """Keys of thousands of parts, lists nested without end and numbers of thousands of digits end in a message."""
    (tmp_path / "carddb.toml").write_text(text, "utf-8")
    with pytest.raises(InputError, match="cannot be read"):
        find_settings(tmp_path)


def test_files_of_settings_are_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A project file and a book of printers of more than a megabyte are refused before they are parsed."""
    (tmp_path / "carddb.toml").write_text("".join(f"k{number} = 1\n" for number in range(100_000)), "utf-8")
    with pytest.raises(InputError, match="too large for a project file"):
        find_settings(tmp_path)
    monkeypatch.setenv("CARDDB_PRINTERS", str(tmp_path / "carddb.toml"))
    with pytest.raises(InputError, match="too large for a file of printers"):
        open_book()
