"""The header of a deck, and what can be read of a deck file before its game is known."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from carddb.cards.cards import HEADER_KEYS
from carddb.core.files import NamedBytes
from carddb.core.names import Vocabulary, did_you_mean, fold
from carddb.core.plain_text import without_controls
from carddb.findings import Finding, Place, error, info
from carddb.game.game import GameSpec
from carddb.read import source

_NEXT = re.compile(r"(?<!\s)\s*+[/;,|\u00b7]\s*+(?=([A-Za-z][^:/;,|\u00b7]*+):)")
"""The separator before a second key on one line: `Path: Steel / Role: Aggressor`."""


class Header:
    """The header of one deck: `values` and `places` by field name, and `keys`, the keys that users may write."""

    def __init__(self, spec: GameSpec, findings: list[Finding]) -> None:
        self.values: dict[str, str] = {}
        self.places: dict[str, Place] = {}
        self.keys = (*HEADER_KEYS, *spec.header)
        self._words = spec.vocabulary(self.keys, "header")
        self._findings = findings
        self._spec = spec

    def knows(self, key: str) -> bool:
        """Returns whether `key` may begin a header line."""
        return self._words.find(key) is not None

    def take(self, key: str, value: str, place: Place) -> bool:
        """Reads a header line, and further ones on the same line; returns False if the key is unknown."""
        word = self._words.find(key)
        if word is None:
            return False
        for following in _NEXT.finditer(value) if ":" in value else ():
            if self.knows(following[1].strip()):
                further, _, rest = value[following.end() :].partition(":")
                value = value[: following.start()]
                self.take(further.strip(), rest.strip(), place)
                break
        name = self._spec.header.get(word, word)
        if name in self._spec.header_tables:
            self._take_cell(key, name, value, place)
            return True
        value = self._in_words(name, value)
        if name == "game":
            spec = self._spec
            if value and value != spec.key and fold(value.partition(":")[0]) not in (fold(spec.key), fold(spec.name)):
                message = f"the deck says that it is for {value[:80]}, but it is read as one for {spec.key}"
                fix = f"Name the right game, or change the line to Game: {spec.key}."
                self._findings.append(error("game_differs", message, place, fix=fix))
        elif self.values.get(name, value) != value:
            self._findings.append(unread(f"{key} is given twice; the first counts", place, "Keep one of them."))
        elif value:
            self._set(name, value, place)
        return True

    def _in_words(self, name: str, value: str) -> str:
        """Returns the key for the word in a header line, or the value itself if no list contains it."""
        if name == "format":
            return self._spec.format_named(value) or value
        for words in self._lists(name) if name in self._spec.header_words else ():
            if key := words.find(value):
                return key
        return value

    def _lists(self, name: str) -> Iterator[Vocabulary]:
        spec = self._spec
        for list_ in spec.header_words.get(name, ()):
            if list_ == "types":
                yield spec.type_words
            elif list_ in spec.fields:
                yield spec.fields[list_].words
            else:
                yield spec.vocabulary(tuple(spec.words[list_]), list_)

    def _take_cell(self, key: str, name: str, value: str, place: Place) -> None:
        """Reads a line that sets two other header lines: the row and the column of the table cell that it names."""
        header = self._spec.header_tables[name]
        table: Mapping[str, Mapping[str, Any]] = self._spec.data
        for step in header.table.split("."):
            table = table[step]
        cells = {str(cell): (row, column) for row, cells in table.items() for column, cell in cells.items()}
        words = Vocabulary(cells)
        cell = words.find(value)
        if cell is None:
            fix = did_you_mean(value[:80], words.keys)
            self._findings.append(unread(f"{value[:80]!r} is no {key.lower()}", place, fix))
            return
        row, column = cells[cell]
        self.take(header.rows, row, place)
        self.take(header.columns, column, place)

    def take_title(self, text: str, place: Place) -> None:
        """Reads a first line without a key as the name of the deck, as other programs write it."""
        self._set("name", text, place)
        fix = f"Write Name: {text[:80]}"
        self._findings.append(info("title_assumed", f"{text[:80]!r} was read as the name of the deck", place, fix=fix))

    def _set(self, name: str, value: str, place: Place) -> None:
        self.values[name] = without_controls(value)
        self.places[name] = place


def unread(message: str, place: Place, fix: str = "") -> Finding:
    """Returns the finding for an unreadable line."""
    return error("line_unread", message, place, fix=fix or "Write cards as 3 Name [REF], comments with # in front.")


MAX_BYTES = 1 << 20
XML_SUFFIXES = (".cod", ".o8d", ".dek")
_JSON = re.compile(r'\s*\{\s*"')
_XML = re.compile(r"\s*<(?:\?xml|!DOCTYPE|cockatrice_deck\b|deck[\s>/])", re.I)
_GAME = re.compile(r"^[^\w\n]*+game\s*+:\s*+(.+)$", re.I | re.M)


class OpenedDeck(NamedTuple):
    """The text of a deck file, or None and findings, and the file's name in findings."""

    text: str | None
    file: str
    findings: list[Finding]


def open_deck(path: Path | str | NamedBytes) -> OpenedDeck:
    """Reads a deck file, or standard input for `-`. Raises InputError if it cannot be read."""
    stream: Path | BinaryIO = Path(path) if isinstance(path, str) else path
    if str(path) == "-":
        stream = source.standard_input()
    file = source.name_of(stream)
    data, findings = source.read_bytes(stream, MAX_BYTES)
    if findings:
        return OpenedDeck(None, file, findings)
    text, findings = source.decode(data, file)
    return OpenedDeck(text, file, findings)


def is_xml(text: str, file: str) -> bool:
    """Returns whether a deck is XML, judged by the file's suffix or by how the text begins."""
    return file.lower().endswith(XML_SUFFIXES) or bool(_XML.match(text.removeprefix("\ufeff")))


def is_json(text: str, file: str) -> bool:
    """Returns whether a deck is JSON, judged by the file's suffix or by how the text begins."""
    return file.lower().endswith(".json") or bool(_JSON.match(text.removeprefix("\ufeff")))


def game_name_of(text: str, file: str) -> str | None:
    """Returns the game that a deck names, as it is written there; None if the deck names none."""
    name = _in_json(text) if is_json(text, file) else None
    match = _GAME.search(text)
    return name or (match[1].strip() if match else None)


def _in_json(text: str) -> str | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    match = _GAME.search(str(value.get("Note", "")))
    return str(value["game"]) if "game" in value else match[1].strip() if match else None
