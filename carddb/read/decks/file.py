"""A deck file before its game is known: its text, and the game it names."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

from carddb.core.names import fold
from carddb.findings import Finding
from carddb.read import source

MAX_BYTES = 1 << 20
XML_SUFFIXES = (".cod", ".o8d", ".dek")
_XML = re.compile(r"\s*<(?:\?xml|!DOCTYPE|cockatrice_deck\b|deck[\s>/])", re.I)
_GAME = re.compile(r"^\W*game\s*:\s*(.+?)\s*$", re.I | re.M)


class OpenedDeck(NamedTuple):
    """The text of a deck file, how findings call it, and why it has no text."""

    text: str | None
    file: str
    findings: list[Finding]


def open_deck(path: Path | str) -> OpenedDeck:
    """A deck file (standard input for `-`). Raises InputError where it cannot be read."""
    stream = source.standard_input() if str(path) == "-" else Path(path)
    file = source.name_of(stream)
    data, findings = source.read_bytes(stream, MAX_BYTES)
    if findings:
        return OpenedDeck(None, file, findings)
    text, findings = source.decode(data, file)
    return OpenedDeck(text, file, findings)


def is_xml(text: str, file: str) -> bool:
    """Whether a deck is in XML, by the ending of its file or by how it begins."""
    return file.lower().endswith(XML_SUFFIXES) or bool(_XML.match(text.removeprefix("\ufeff")))


def game_of_deck(text: str, file: str, games: dict[str, str]) -> str | None:
    """The key of the game that a deck names by key or name; None where it names none of `games` (key -> name)."""
    name = _in_json(text) if file.lower().endswith(".json") else None
    match = _GAME.search(text)
    name = name or (match[1] if match else None)
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
    return str(value["game"]) if "game" in value else match[1] if match else None
