"""Reading decks from text, in which every line is either read or reported; other formats have their own readers."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from carddb.cards.cards import Deck, Pool
from carddb.core.files import NamedBytes
from carddb.findings import Finding, Place, Severity, error
from carddb.game.game import GameSpec
from carddb.read import source
from carddb.read.decks import line as syntax
from carddb.read.decks import programs
from carddb.read.decks.builder import MAX_BYTES, Builder
from carddb.read.decks.line_reader import LineReader
from carddb.read.decks.pasted import MAX_LINE
from carddb.read.source import control_characters, lines_with_places

MAX_LINES = 10_000
XML_SUFFIXES = (".cod", ".o8d", ".dek")
_JSON = re.compile(r'\s*\{\s*"')
_XML = re.compile(r"\s*<(?:\?xml|!DOCTYPE|cockatrice_deck\b|deck[\s>/])", re.I)


class OpenedDeck(NamedTuple):
    """The text of a deck file, None if it cannot be decoded; the name of the file in findings; and the findings."""

    text: str | None
    file: str
    findings: list[Finding]


def open_deck(path: Path | str | NamedBytes) -> OpenedDeck:
    """Returns the text of a deck file, or of standard input for `-`. Raises InputError if it cannot be read."""
    stream: Path | BinaryIO = Path(path) if isinstance(path, str) else path
    if str(path) == "-":
        stream = source.standard_input()
    file = source.name_of(stream)
    data, findings = source.read_bytes(stream, MAX_BYTES)
    if findings:
        return OpenedDeck(None, file, findings)
    text, findings = source.decode(data, file)
    return OpenedDeck(text, file, findings)


def is_json(text: str, file: str) -> bool:
    """Returns whether a deck is JSON, judged by the file's suffix or by how the text begins."""
    return file.lower().endswith(".json") or bool(_JSON.match(text.removeprefix("\ufeff")))


def header_of(text: str, file: str, key: str) -> str | None:
    """Returns the value of a deck's header line, such as `game` or `name`, as written; None if the deck has none."""
    if is_json(text, file):
        with suppress(ValueError, RecursionError):
            value = json.loads(text)
            if isinstance(value, dict) and (name := value.get(key)):
                return str(name)
            text = f"{value.get(programs.NOTE, '')}\n{text}" if isinstance(value, dict) else text
    match = re.search(rf"^[^\w\n]*+{key}\s*+:\s*+(.+)$", text, re.I | re.M)
    return match[1].strip() if match else None


def load_deck(path: Path | str | NamedBytes, spec: GameSpec, pool: Pool) -> tuple[Deck, list[Finding]]:
    """Returns the deck in a file, or in standard input for `-`, and findings. Raises InputError if it cannot be read.

    A file that ends in `.json`, or begins as JSON does, is read as JSON; `.cod`, `.o8d` and `.dek` are read as XML.
    """
    text, file, findings = open_deck(path)
    if text is None:
        return Deck(spec.key, (), file=file), findings
    return read_deck(text, spec, pool, file)


def read_deck(
    text: str, spec: GameSpec, pool: Pool, file: str = "", format_: str | None = None
) -> tuple[Deck, list[Finding]]:
    """Returns the deck in a text, and the findings about its lines. Raises nothing.

    Cards that are not in the pool stay in the deck as unknown. `format_` is a format that overrides the deck's own.
    """
    builder = Builder(spec, pool, file, format_)
    lines = syntax.lines_of(text)
    if is_json(text, file):
        whole = programs.read_json_deck(text, builder)
    elif file.lower().endswith(XML_SUFFIXES) or _XML.match(text.removeprefix("\ufeff")):
        whole = programs.read_program_deck(text, builder)
        builder.findings += control_characters(lines_with_places(lines, file), Severity.INFO)
    else:
        whole = len(lines) <= MAX_LINES and len(text) <= MAX_BYTES
        if whole:
            reader = LineReader(lines, builder)
            reader.read()
            builder.findings += reader.control_characters()
        else:
            message = f"the text of a deck has at most {MAX_LINES:,} lines and {source.size_in_words(MAX_BYTES)}"
            builder.findings.append(error("file_too_large", message, Place(file), fix="Write one deck per file."))
    if whole:
        builder.finish()
    return builder.deck(), builder.findings


def mentioned_words(text: str) -> set[str]:
    """Returns the references in the lines of a deck, and the names in lines without a reference, as written."""
    lines = [line for line in syntax.lines_of(text)[:MAX_LINES] if len(line) <= MAX_LINE]
    forms = {form for line in lines for form in (syntax.unquoted(line.strip()), syntax.tidy(line))}
    readings = (reading for form in forms for reading in syntax.readings(form))
    return {word for reading in readings if (word := reading.ref or reading.name)}
