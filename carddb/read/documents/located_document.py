"""Reading YAML and JSON with line and column of every value, and JSON (RFC 8259) without them; writing JSON lines."""

from __future__ import annotations

import json
import json.decoder
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from json import JSONDecodeError
from math import isfinite
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from carddb.core.errors import DataFault
from carddb.core.names import fold_word
from carddb.core.plain_text import whole
from carddb.findings import Finding, Place, error, has_errors
from carddb.read import source
from carddb.read.documents import parse_notes
from carddb.read.documents.parse_notes import MAX_DEPTH, TEXT_SHOWN, Notes, Path_

_scan_string: Callable[[str, int, bool], tuple[str, int]] = vars(json.decoder)["scanstring"]
_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORD = re.compile(r"[\w.+-]+")
_COMMA_OR_TEXT = re.compile(r',|"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_CONSTANTS = {"true": True, "false": False, "null": None}
_LONGEST_NUMBER = 300
_VALUES = "Write a text in double quotes, a number, true, false, null, a list or a mapping."


class _Reader:
    def __init__(self, text: str, notes: Notes) -> None:
        self.text = text
        self.notes = notes
        self.at = 0
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def document(self) -> Any:
        """Returns the value of the text. Raises DataFault at the first syntax error, or for too many values."""
        if self.text.count(",") >= parse_notes.MAX_VALUES:  # before any value is kept
            commas = (match.start() for match in _COMMA_OR_TEXT.finditer(self.text) if match[0] == ",")
            if (at := next(islice(commas, parse_notes.MAX_VALUES - 1, None), None)) is not None:
                raise self.notes.too_many_values(*self.position(at))
        self.skip()
        value = self.value((), self.at, 0)
        self.skip()
        if self.at < len(self.text):
            raise self.stop(self.at, "there is more text after the end of the document", "Remove the second part.")
        return value

    def position(self, at: int) -> tuple[int, int]:
        line = bisect_right(self.starts, at)
        return line, at - self.starts[line - 1] + 1

    def stop(self, at: int, message: str, fix: str = "") -> DataFault:
        """Returns the exception for a syntax error at the index `at`, to be raised."""
        word = _WORD.match(self.text, at)
        shown = word[0] if word else self.text[at : at + 1]
        return self.notes.end("document_syntax", *self.position(at), message, shown, fix)

    def skip(self) -> str:
        """Skips white space and returns the character after it; empty at the end of the text."""
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.text[self.at : self.at + 1]

    def value(self, path: Path_, start: int, depth: int) -> Any:
        """Reads the value at the current position; its key, or without a key the value, begins at `start`."""
        first = self.text[self.at : self.at + 1]
        here = self.at
        if first in ("{", "["):
            self.notes.put(path, *self.position(start))
            if depth >= MAX_DEPTH:
                raise self.notes.too_deep(*self.position(here))
            return self.mapping(path, depth) if first == "{" else self.sequence(path, depth)
        value = self.string() if first == '"' else self.bare()
        self.notes.put(path, *self.position(start), value[:TEXT_SHOWN] if first == '"' else self.text[here : self.at])
        return value

    def string(self) -> str:
        start = self.at
        try:
            value, self.at = _scan_string(self.text, start + 1, True)
        except JSONDecodeError as fault:
            raise self.stop(fault.pos, f"the text in double quotes is faulty: {fault.msg.lower()}") from fault
        if _SURROGATE.search(value):
            raise self.stop(start, "half a surrogate pair is not a character", "Write the character itself.")
        return str(value)

    def bare(self) -> Any:
        """Returns the number, true, false or null at the current position."""
        start = self.at
        word = _WORD.match(self.text, start)
        if word is None:
            shown = "the end of the file" if start >= len(self.text) else repr(self.text[start])
            raise self.stop(start, f"a value was expected, not {shown}", _VALUES)
        self.at = word.end()
        if word[0] in _CONSTANTS:
            return _CONSTANTS[word[0]]
        number = _NUMBER.fullmatch(word[0])
        if not number:
            raise self.stop(start, f"a value was expected, not {word[0][:TEXT_SHOWN]!r}", _VALUES)
        value = float(number[0]) if number[1] or number[2] or len(number[0]) > _LONGEST_NUMBER else int(number[0])
        if not isfinite(value) or len(number[0]) > _LONGEST_NUMBER:
            raise self.stop(start, "the number is too long or too large to be kept", "Write a smaller number.")
        return value

    def parts(self, bracket: str) -> Iterator[str]:
        """Yields the first character of each item up to the closing `bracket`; the caller then reads the item."""
        self.at += 1
        sign = self.skip()
        while sign != bracket:
            yield self.skip()
            sign = self.skip()
            if not sign or sign not in ("," + bracket):
                raise self.stop(self.at, f"a comma or {bracket!r} was expected")
            self.at += sign == ","
        self.at += 1

    def sequence(self, path: Path_, depth: int) -> list[Any]:
        values: list[Any] = []
        for _ in self.parts("]"):
            values.append(self.value((*path, len(values)), self.at, depth + 1))
        return values

    def mapping(self, path: Path_, depth: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for first in self.parts("}"):
            if first != '"':
                raise self.stop(self.at, "a key in double quotes was expected")
            start = self.at
            key = self.string()
            if self.skip() != ":":
                raise self.stop(self.at, "a colon was expected after the key")
            self.at += 1
            self.skip()
            here = (*path, key)
            if key in values:
                self.notes.repeated(*self.position(start), key, self.notes.places[here].line)
            self.notes.count_keys(values, *self.position(start))
            values[key] = self.value(here, start, depth + 1)
        return values


MAX_BYTES = 16 << 20


class LocatedDocument(NamedTuple):
    """The value of a file (dict, list, str, int, float, bool or None), and the place of each of its parts.

    `places` maps a path, such as `("limits", 0, "code")`, to its place, whose text is the scalar as written.
    """

    value: Any
    places: dict[Path_, Place]

    def place(self, path: Path_) -> Place:
        """Returns the place of the part at `path`; keys of `path` that the file does not contain are skipped."""
        nearest: Path_ = ()
        for part in path:
            if (*nearest, part) in self.places:
                nearest = (*nearest, part)
        return self.places.get(nearest, Place())

    def in_list(self) -> LocatedDocument:
        """Returns the document as a list whose only item is the document."""
        return LocatedDocument([self.value], {(0, *path): place for path, place in self.places.items()})


def parse(text: str, file: str) -> tuple[LocatedDocument | None, list[Finding]]:
    """Returns a document, None if it has any error, and findings. It is JSON if `file` ends in `.json`, else YAML.

    Codes: document_syntax, document_several, key_repeated, nesting_too_deep, file_too_large, yaml_alias (anchors,
    aliases, merge keys), yaml_tag.
    """
    document, findings = parse_all(text, file)
    return (None if has_errors(findings) else document), findings


def parse_all(
    text: str, file: str, fmt: str = "", limit: int = MAX_BYTES
) -> tuple[LocatedDocument | None, list[Finding]]:
    """Returns a document and the findings as `parse` does, but a faulty document too if it can be read to its end.

    `fmt` is `json` or `yaml`; if empty, the file's name decides. `limit` is the largest number of characters.
    """
    if len(text) > limit:
        message = f"the document is larger than the {source.size_in_words(limit)} that are read"
        return None, [error("file_too_large", message, Place(file), data={"limit": limit}, fix="Split it into parts.")]
    notes = Notes(file)
    try:
        if fmt == "json" or (not fmt and file.lower().endswith(".json")):
            value = _Reader(text, notes).document()
        else:
            from carddb.read.documents import yaml_text  # PyYAML, 20 ms, not needed for JSON

            value = yaml_text.value_of(text, notes)
        return LocatedDocument(value, notes.places), notes.findings
    except DataFault as end:
        return None, [*notes.findings, end.finding]


def parse_bytes(
    data: bytes, file: str, fmt: str = "", limit: int = MAX_BYTES
) -> tuple[LocatedDocument | None, list[Finding]]:
    """Returns the document in a file's bytes, which are decoded and then parsed as by `parse_all`, and the findings."""
    text, findings = source.decode(data, file)
    return (None, findings) if text is None else parse_all(text, file, fmt, limit)


def load(path: Path | BinaryIO) -> tuple[LocatedDocument | None, list[Finding]]:
    """Returns the document in a file, or None if it has any error, and the findings. Raises InputError."""
    data, findings = source.read_bytes(path, MAX_BYTES)
    if not findings:
        document, findings = parse_bytes(data, source.name_of(path))
    return (None if has_errors(findings) else document), findings


def value_at(value: Any, parts: Sequence[str], path: Path_ = ()) -> tuple[Path_, Any] | None:
    """Returns (path, value) for the value to which `parts` lead in nested objects and lists; None if they lead nowhere.

    A number is an index into a list. Any other part is looked up in every item of a list, and the results form a list.
    """
    if not parts:
        return path, value
    part, *rest = parts
    if isinstance(value, Mapping):
        key = next((key for key in value if fold_word(str(key)) == fold_word(part)), None)
        return None if key is None else value_at(value[key], rest, (*path, key))
    if not isinstance(value, list):
        return None
    if part.isdecimal():
        index = whole(part)
        return value_at(value[index], rest, (*path, index)) if index is not None and index < len(value) else None
    hits = [hit for each in value if (hit := value_at(each, parts))]
    return (path, [each for _, each in hits]) if hits else None


def dotted_value(value: Any, path: str) -> Any:
    """Returns the value to which keys joined by dots lead in nested objects and lists, or None."""
    hit = value_at(value, path.split("."))
    return hit[1] if hit else None


_DEEPEST = 100
"""The depth from which JSON is replaced by null: deeper than any question to the referee, but not too deep to parse."""
_LARGE = 100_000
"""The length in bytes above which the keys of each object are counted."""

_MARK = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


def json_value(text: bytes) -> Any:
    """Returns the value of a JSON text; parts nested too deeply are null. Raises ValueError with the reason if not
    JSON.
    """
    hook = _object if len(text) > _LARGE else None
    try:
        try:
            return json.loads(text, object_pairs_hook=hook)
        except RecursionError:
            return json.loads(_cut(text.decode("utf-8")), object_pairs_hook=hook)
    except RecursionError:
        raise ValueError("some brackets are never closed") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Returns the pairs of an object in a large text as a dict. Raises ValueError if there are more than MAX_KEYS."""
    if len(pairs) > parse_notes.MAX_KEYS:
        raise ValueError(f"an object has more than {parse_notes.MAX_KEYS:,} keys")
    return dict(pairs)


def _cut(text: str) -> str:
    parts, depth, start = [], 0, 0
    for mark in _MARK.finditer(text):
        if mark[0] in "[{":
            depth += 1
            if depth == _DEEPEST + 1:
                parts.append(text[start : mark.start()] + "null")
        elif mark[0] in "]}":
            if depth == _DEEPEST + 1:
                start = mark.end()
            depth -= 1
    return "".join([*parts, text[start:]])


def answer_line(value: Any) -> bytes:
    """Returns a value as one line of JSON."""
    return json.dumps(value, separators=(",", ":")).encode("ascii") + b"\n"
