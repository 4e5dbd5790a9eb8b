"""The finding for characters that steer a terminal or turn the direction of words, wherever they were read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from carddb.core.plain_text import control_at
from carddb.findings import Finding, Place, Severity

_MOST = 20
"""The places that are named."""
_SHOWN = 200


def control_characters(texts: Iterable[tuple[str, Place]], severity: Severity = Severity.WARNING) -> list[Finding]:
    """One finding for all texts with such a character, at their places; none where no text has one."""
    places, names = [], []
    for text, place in texts:
        if character := control_at(text):
            places.append(place)
            names.append(character[1])
    if not places:
        return []
    where = f", the first of {len(places)}" if len(places) > 1 else ""
    message = f"the text holds the control character {names[0]}{where}; it is never shown"
    data = {"places": len(places)}
    return [Finding("control_character", severity, message, tuple(places[:_MOST]), data=data, fix="Remove it.")]


def lines_with_places(lines: Iterable[str], file: str) -> Iterator[tuple[str, Place]]:
    """The lines of a file that have such a character, each with the place of the first."""
    for number, line in enumerate(lines, start=1):
        if character := control_at(line):
            yield line, Place(file, number, character[0] + 1, line.strip()[:_SHOWN])


def texts_of(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The keys and texts of plain data, each with the keys and numbers that lead to it."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield (*path, str(key)), str(key)
            yield from texts_of(part, (*path, str(key)))
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from texts_of(part, (*path, number))
