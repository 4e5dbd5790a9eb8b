"""The header of a deck, and a deck file before its game is known."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from carddb.cards.cards import HEADER_KEYS
from carddb.core.names import Vocabulary, did_you_mean, fold
from carddb.core.plain_text import without_controls
from carddb.findings import Finding, Place, error, info
from carddb.game.game import GameSpec
from carddb.read import source

_NEXT = re.compile(r"(?<!\s)\s*+[/;,|\u00b7]\s*+(?=([A-Za-z][^:/;,|\u00b7]*+):)")
"""Before a second key on one line: `Path: Steel / Role: Aggressor`."""


class Header:
    """The header of one deck: `values` and `places` by the names of fields, `keys` as users write them."""

    def __init__(self, spec: GameSpec, findings: list[Finding]) -> None:
        self.values: dict[str, str] = {}
        self.places: dict[str, Place] = {}
        self.keys = (*HEADER_KEYS, *spec.header)
        self._words = spec.vocabulary(self.keys, "header")
        self._findings = findings
        self._spec = spec

    def knows(self, key: str) -> bool:
        """Returns whether header lines may begin with a word."""
        return self._words.find(key) is not None

    def take(self, key: str, value: str, place: Place) -> bool:
        """Takes a header line, and others that stand on the same line; False where the key is not known."""
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
            if value and value != spec.key and fold(value) not in (fold(spec.key), fold(spec.name)):
                message = f"the deck says that it is for {value[:80]}, but it is read as one for {spec.key}"
                fix = f"Name the right game, or change the line to Game: {spec.key}."
                self._findings.append(error("game_differs", message, place, fix=fix))
        elif self.values.get(name, value) != value:
            self._findings.append(unread(f"{key} is given twice; the first counts", place, "Keep one of them."))
        elif value:
            self._set(name, value, place)
        return True

    def _in_words(self, name: str, value: str) -> str:
        """Returns the key of the word that a line's value is; the value itself where no list has the word."""
        if name == "format":
            return self._spec.format_words.find(value) or value
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
        """Takes a line that stands for two others: the row and the column of the cell that it names."""
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
        """Takes a first line that is the name of the deck, as other programs write it."""
        self._set("name", text, place)
        fix = f"Write Name: {text[:80]}"
        self._findings.append(info("title_assumed", f"{text[:80]!r} was read as the name of the deck", place, fix=fix))

    def _set(self, name: str, value: str, place: Place) -> None:
        self.values[name] = without_controls(value)
        self.places[name] = place


def unread(message: str, place: Place, fix: str = "") -> Finding:
    """Returns the finding for a line that cannot be read."""
    return error("line_unread", message, place, fix=fix or "Write cards as 3 Name [REF], comments with # in front.")


MAX_BYTES = 1 << 20
XML_SUFFIXES = (".cod", ".o8d", ".dek")
_XML = re.compile(r"\s*<(?:\?xml|!DOCTYPE|cockatrice_deck\b|deck[\s>/])", re.I)
_GAME = re.compile(r"^[^\w\n]*+game\s*+:\s*+(.+)$", re.I | re.M)


class OpenedDeck(NamedTuple):
    """The text of a deck file, how findings call it, and why it has no text."""

    text: str | None
    file: str
    findings: list[Finding]


def open_deck(path: Path | str) -> OpenedDeck:
    """Reads a deck file (standard input for `-`). Raises InputError where it cannot be read."""
    stream = source.standard_input() if str(path) == "-" else Path(path)
    file = source.name_of(stream)
    data, findings = source.read_bytes(stream, MAX_BYTES)
    if findings:
        return OpenedDeck(None, file, findings)
    text, findings = source.decode(data, file)
    return OpenedDeck(text, file, findings)


def is_xml(text: str, file: str) -> bool:
    """Returns whether a deck is in XML, by the ending of its file or by how it begins."""
    return file.lower().endswith(XML_SUFFIXES) or bool(_XML.match(text.removeprefix("\ufeff")))


def game_of_deck(text: str, file: str, games: dict[str, str]) -> str | None:
    """Returns the key of the game that a deck names by key or name; None if it is none of `games` (key to name)."""
    name = _in_json(text) if file.lower().endswith(".json") else None
    match = _GAME.search(text)
    name = name or (match[1].strip() if match else None)
    if not name:
        return None
    return next((key for key, title in games.items() if fold(name) in (fold(key), fold(title))), None)


def _in_json(text: str) -> str | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    match = _GAME.search(str(value.get("Note", "")))
    return str(value["game"]) if "game" in value else match[1].strip() if match else None
