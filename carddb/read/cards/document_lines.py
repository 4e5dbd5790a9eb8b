"""Documents as lines: lists of mappings, in JSON or YAML."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from carddb.core.vocabulary import fold_word
from carddb.findings import Finding, Place, error
from carddb.read.cards.lines import Headings, Line, labelled
from carddb.read.cards.values import shown
from carddb.read.documents.located_document import Document
from carddb.read.documents.parse_notes import Path_
from carddb.read.source import Unreadable

_DECIMAL = re.compile(r"[-+.0-9eE]+|[A-Za-z]+")
_MOST_OTHERS = 100
"""Items of a list that are no cards, before it is taken for another list."""
_LISTS = {
    "json": 'Write [{"name": ...}, {"name": ...}], or {"cards": [...]}.',
    "yaml": "Begin each card with a hyphen.",
}


class RecordLine(Line):
    """A mapping in a JSON or YAML list."""

    __slots__ = ("_document", "_keys", "_path", "_typed", "label")

    def __init__(self, document: Document, path: Path_, label: str) -> None:
        super().__init__({})
        self.label = label
        self._document = document
        self._path = path
        self._keys: dict[str, Path_] = {}
        self._typed: dict[str, Any] = {}

    @property
    def fields(self) -> Collection[str]:
        return self._keys.keys()

    def give(self, field: str, keys: Path_, value: Any) -> None:
        """Adds the value at some keys, or an empty one; numbers as written, so that text fields keep their zeros."""
        self._keys[field] = keys
        if value is not None and (field == "ref" or value != ""):
            self._typed[field] = value
            self.cells[field] = self._written(value, (*self._path, *keys))

    def _written(self, value: Any, path: Path_) -> Any:
        if isinstance(value, list):
            return [
                item if isinstance(item, dict | list) else self._written(item, (*path, index))
                for index, item in enumerate(value)
            ]
        text = self._document.places[path].text if isinstance(value, int | float) else ""
        return text if _DECIMAL.fullmatch(text) else value

    def place(self, field: str = "") -> Place:
        keys = self._keys.get(field, (field,))
        at = self._document.place((*self._path, *keys) if field else self._path)
        text = shown(self.cells[field]) if field in self.cells else ""
        return Place(at.file, at.line, at.column, text, "", ".".join(map(str, keys)))

    def typed(self, field: str) -> Any:
        return self._typed[field]


def card_list(document: Document) -> tuple[Path_, list[Any] | None]:
    """The path and the items of a list, or of the one under `cards`, or the only one of mappings; None without any."""
    items = document.value
    if not isinstance(items, dict):
        return (), items if isinstance(items, list) else None
    lists = [
        key for key, value in items.items() if isinstance(value, list) and any(type(each) is dict for each in value)
    ]
    key = "cards" if "cards" in items else lists[0] if len(lists) == 1 else None
    return ((), None) if key is None else ((key,), items[key] if isinstance(items[key], list) else None)


def from_document(document: Document, fmt: str, headings: Headings, findings: list[Finding]) -> Iterator[Line]:
    """The cards of a document (`fmt`: json or yaml): a list of mappings, or such a list under the key `cards`.

    Raises Unreadable for far too many unknown keys, or items that are no mappings.
    """
    path, items = card_list(document)
    if items is None:
        message = "a cards file holds a list of cards"
        findings.append(error("document_invalid", message, document.place(path), fix=_LISTS[fmt]))
        return
    strange: dict[str, list[RecordLine]] = defaultdict(list)
    others = 0
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
            others += 1
            if others > _MOST_OTHERS:
                message = f"more than {_MOST_OTHERS:,} items of the list are no mappings"
                raise Unreadable(error("document_invalid", message, line.place(), fix=_LISTS[fmt]))
    for key, lines in strange.items():
        findings.append(headings.unknown(key, *(line.place(key) for line in lines), label=lines[0].label))


def _fill(line: RecordLine, item: Mapping[str, Any], headings: Headings, strange: dict[str, list[RecordLine]]) -> None:
    roots = {fold_word(path.partition(".")[0]) for path in headings.paths}
    for key, value in item.items():
        if fold_word(key) in roots and isinstance(value, Mapping | list):
            continue
        field = headings.field(key)
        if field is not None:
            _give(line, field, (key,), value)
        elif not headings.leaves_out(key):
            strange[key].append(line)
            headings.check_number(len(strange), "keys that are no field of the game", line.place(key))
    for path, field in headings.paths.items():
        if path not in item and (hit := value_at(item, path.split("."))):
            _give(line, field, *hit)


def _give(line: RecordLine, field: str, keys: Path_, value: Any) -> None:
    if field in line.fields:
        message = labelled(line.label, f"the field {field} is given twice")
        line.faults = [*line.faults, error("header_repeated", message, line.place(field))]
    else:
        line.give(field, keys, value)


def value_at(value: Any, parts: Sequence[str], path: Path_ = ()) -> tuple[Path_, Any] | None:
    """What lies in objects and lists where the parts lead, and the keys to it; None where they lead nowhere.

    A number is a place in a list; another part is asked of every item of a list, which gives a list.
    """
    if not parts:
        return path, value
    part, *rest = parts
    if isinstance(value, Mapping):
        key = next((key for key in value if fold_word(key) == fold_word(part)), None)
        return None if key is None else value_at(value[key], rest, (*path, key))
    if not isinstance(value, list):
        return None
    if part.isdecimal():
        return value_at(value[int(part)], rest, (*path, int(part))) if int(part) < len(value) else None
    hits = [hit for each in value if (hit := value_at(each, parts))]
    return (path, [each for _, each in hits]) if hits else None
