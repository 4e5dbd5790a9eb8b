"""Documents as lines: lists of mappings, in JSON or YAML."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from carddb.findings import Finding, Place, error
from carddb.read.card_lines import Headings, Line, labelled, tidy_line
from carddb.read.located_document import Document
from carddb.read.parse_notes import Path_
from carddb.read.values import shown

_DECIMAL = re.compile(r"[-+.0-9eE]+|[A-Za-z]+")
_LISTS = {
    "json": 'Write [{"name": ...}, {"name": ...}], or {"cards": [...]}.',
    "yaml": "Begin each card with a hyphen.",
}


class RecordLine:
    """A mapping in a JSON or YAML list."""

    __slots__ = ("_document", "_keys", "_path", "_typed", "cells", "faults", "label")
    columns: Mapping[str, int] = MappingProxyType({})

    def __init__(self, document: Document, path: Path_, label: str) -> None:
        self.label = label
        self._document = document
        self._path = path
        self._keys: dict[str, str] = {}
        self._typed: dict[str, Any] = {}
        self.cells: dict[str, Any] = {}
        self.faults: list[Finding] = []

    @property
    def tidy(self) -> bool:
        return bool(tidy_line(self.cells.values()))

    @property
    def fields(self) -> Collection[str]:
        return self._keys.keys()

    def give(self, field: str, key: str, value: Any) -> None:
        """Adds a value, or an empty one; numbers as they are written, so that text fields keep their zeros."""
        self._keys[field] = key
        if value is not None and (field == "ref" or value != ""):
            self._typed[field] = value
            self.cells[field] = self._written(value, (*self._path, key))

    def _written(self, value: Any, path: Path_) -> Any:
        if isinstance(value, list):
            return [
                item if isinstance(item, dict | list) else self._written(item, (*path, index))
                for index, item in enumerate(value)
            ]
        text = self._document.places[path].text if isinstance(value, int | float) else ""
        return text if _DECIMAL.fullmatch(text) else value

    def place(self, field: str = "") -> Place:
        key = self._keys.get(field, field)
        at = self._document.place((*self._path, key) if field else self._path)
        text = shown(self.cells[field]) if field in self.cells else ""
        return Place(at.file, at.line, at.column, text, "", key)

    def typed(self, field: str) -> Any:
        return self._typed[field]

    def column_missing(self, field: str) -> Finding | None:
        return None


def card_list(document: Document) -> tuple[Path_, list[Any] | None]:
    """The path and the items of a list, or of the list under the key `cards`; None where there is none."""
    path: Path_ = ()
    items = document.value
    if isinstance(items, dict) and "cards" in items:
        path, items = ("cards",), items["cards"]
    return path, items if isinstance(items, list) else None


def from_document(document: Document, fmt: str, headings: Headings, findings: list[Finding]) -> Iterator[Line]:
    """The cards of a document (`fmt`: json or yaml): a list of mappings, or such a list under the key `cards`.

    Raises Unreadable for far too many unknown keys.
    """
    path, items = card_list(document)
    if items is None:
        message = "a cards file holds a list of cards"
        findings.append(error("document_invalid", message, document.place(path), fix=_LISTS[fmt]))
        return
    strange: dict[str, list[RecordLine]] = defaultdict(list)
    starts = Counter(document.place((*path, index)).line for index in range(len(items)))
    for index, item in enumerate(items):
        crowded = starts[document.place((*path, index)).line] > 1
        line = RecordLine(document, (*path, index), f"card {index + 1}" if crowded else "")
        if isinstance(item, Mapping):
            _fill(line, item, headings, strange)
            yield line
        else:
            message = f"card {index + 1} must be a mapping of fields to values"
            findings.append(error("document_invalid", message, line.place()))
    for key, lines in strange.items():
        findings.append(headings.unknown(key, *(line.place(key) for line in lines), label=lines[0].label))


def _fill(line: RecordLine, item: Mapping[str, Any], headings: Headings, strange: dict[str, list[RecordLine]]) -> None:
    for key, value in item.items():
        field = headings.field(key)
        if field is None:
            strange[key].append(line)
            headings.check_number(len(strange), "keys that are no field of the game", line.place(key))
        elif field in line.fields:
            message = labelled(line.label, f"the field {field} is given twice")
            line.faults.append(error("header_repeated", message, line.place(key)))
        else:
            line.give(field, key, value)
