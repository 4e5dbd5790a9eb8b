"""Reading decks: the tolerant text format, with every line accounted for; other forms have their own readers."""

from __future__ import annotations

from pathlib import Path

from carddb.cards.cards import Deck, Pool
from carddb.core.files import NamedBytes
from carddb.findings import Finding, Place, Severity, error
from carddb.game.game import GameSpec
from carddb.read import source
from carddb.read.decks import line as deck_line
from carddb.read.decks import programs
from carddb.read.decks.builder import Builder
from carddb.read.decks.header import MAX_BYTES, is_json, is_xml, open_deck
from carddb.read.decks.line_reader import LineReader
from carddb.read.decks.pasted import MAX_LINE
from carddb.read.source import control_characters, lines_with_places

MAX_LINES = 10_000


def load_deck(path: Path | str | NamedBytes, spec: GameSpec, pool: Pool) -> tuple[Deck, list[Finding]]:
    """Reads a deck file, or standard input for `-`. Raises InputError if it cannot be read.

    A file that ends in `.json`, or begins as JSON does, is read as JSON, `.cod`, `.o8d` and `.dek` as XML.
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
    as_json = is_json(text, file)
    if not as_json and not is_xml(text, file):
        lines = deck_line.lines_of(text)
        whole = len(lines) <= MAX_LINES and len(text) <= MAX_BYTES
        if whole:
            reader = LineReader(lines, builder)
            reader.read()
            builder.findings += reader.control_characters()
        else:
            message = f"a deck has at most {MAX_LINES:,} lines and {source.size_in_words(MAX_BYTES)}"
            fix = "Keep one deck in a file."
            builder.findings.append(error("file_too_large", message, Place(file), fix=fix))
    else:
        whole = programs.read_json_deck(text, builder) if as_json else programs.read_program_deck(text, builder)
        if not as_json:
            builder.findings += control_characters(lines_with_places(deck_line.lines_of(text), file), Severity.INFO)
    if whole:
        builder.finish()
    return builder.deck(), builder.findings


def mentioned_words(text: str) -> set[str]:
    """Returns the references in the lines of a deck, and the names without a reference, as written."""
    lines = [line for line in deck_line.lines_of(text)[:MAX_LINES] if len(line) <= MAX_LINE]
    forms = {form for line in lines for form in (deck_line.unquoted(line.strip()), deck_line.tidy(line))}
    readings = (reading for form in forms for reading in deck_line.readings(form))
    return {word for reading in readings if (word := reading.ref or reading.name)}
