"""Decks in: the tolerant text format, every line accounted for; other forms go to their own readers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from carddb.cards import Deck, Pool
from carddb.findings import Finding, Place, error
from carddb.game import GameSpec
from carddb.names import did_you_mean
from carddb.read import deck_line, source
from carddb.read.deck_builder import Builder
from carddb.read.deck_file import MAX_BYTES, is_xml, open_deck
from carddb.read.deck_line import Heading, Reading
from carddb.read.deck_table import Table, find_table, read_row, single_cell

__all__ = ["load_deck", "read_deck"]

MAX_LINES = 10_000
MAX_LINE = 2_000
_SHOWN = 200


def load_deck(path: Path | str, spec: GameSpec, pool: Pool) -> tuple[Deck, list[Finding]]:
    """Reads a deck file, or standard input for `-`. Raises InputError where it cannot be read.

    A file that ends in `.json` holds the JSON form, one that ends in `.cod`, `.o8d` or `.dek` XML.
    """
    text, file, findings = open_deck(path)
    if text is None:
        return Deck(spec.key, (), file=file), findings
    return read_deck(text, spec, pool, file)


def read_deck(text: str, spec: GameSpec, pool: Pool, file: str = "") -> tuple[Deck, list[Finding]]:
    """The deck of a text, and the findings about its lines. Never raises.

    Cards that are not in the pool stay in the deck.
    """
    builder = Builder(spec, pool, file)
    if file.lower().endswith(".json"):
        from carddb.read.deck_json import read_json_deck

        whole = read_json_deck(text, builder)
    elif is_xml(text, file):
        from carddb.read.deck_programs import read_program_deck

        whole = read_program_deck(text, builder)
    else:
        whole = _read_lines(text, builder)
    if whole:
        builder.finish()
    return builder.deck(), builder.findings


def _read_lines(text: str, builder: Builder) -> bool:
    """Takes in the text form; False, with one finding, where it is too large."""
    lines = deck_line.lines_of(text)
    if len(lines) > MAX_LINES or len(text) > MAX_BYTES:
        message = f"a deck has at most {MAX_LINES:,} lines and {source.size_in_words(MAX_BYTES)}"
        place = Place(builder.file)
        builder.findings.append(error("file_too_large", message, place, fix="Keep one deck in a file."))
        return False
    table = find_table(lines)
    for number, line in enumerate(lines):
        if table is None or not _read_table_line(table, line, number, builder):
            _read_line(single_cell(line) if table else line, number + 1, builder)
    return True


def _read_table_line(table: Table, line: str, number: int, builder: Builder) -> bool:
    """Reads a line as a row of a table where it is one."""
    if number <= table.row or len(line) > MAX_LINE:
        return number == table.row
    place = Place(builder.file, number + 1, 1, line.strip()[:_SHOWN])
    return read_row(table, line, place, builder)


def _read_line(raw: str, number: int, builder: Builder) -> None:
    """Reads one line as the first kind of line that fits."""
    line = deck_line.tidy(raw)
    indent = len(raw) - len(raw.lstrip())
    place = Place(builder.file, number, indent + 1, raw.strip()[:_SHOWN])
    if len(raw) > MAX_LINE:
        message = f"the line has {len(raw):,} characters, more than the {MAX_LINE:,} that are read"
        builder.findings.append(error("line_too_long", message, place, fix="Split it, one card a line."))
    elif not line or line.startswith(("# carddb", "# fingerprint")):
        return
    else:
        heading = deck_line.heading(line)
        if (heading and builder.heading(heading, place)) or (deck_line.is_comment(line) and not _is_label(heading)):
            return
        _read_content(raw, line, heading, place, builder)


def _is_label(heading: Heading | None) -> bool:
    """`##` is never only a comment: an unknown label gives a finding."""
    return heading is not None and heading.mark == "#"


def _read_content(raw: str, line: str, heading: Heading | None, place: Place, builder: Builder) -> None:
    """A header line, a card, or something that is neither."""
    if heading and heading.mark == "#":
        builder.unknown_heading(heading, place)
        return
    pair = deck_line.key_value(line)
    # The value is taken as it was typed: a deck's name may have smart quotes.
    value = raw.partition(":")[2].strip() if ":" in raw else pair[1] if pair else ""
    if pair and builder.header(pair[0], value, place):
        return
    tidied = list(deck_line.readings(line))
    match = builder.matcher.match([*_typed(raw, line), *tidied], tidied[0])
    if match.how == "unknown":
        if heading and (heading.mark == "[" or (line.endswith(":") and tidied[0].count is None)):
            builder.unknown_heading(heading, place)
            return
        if pair and tidied[0].count is None:
            fix = did_you_mean(pair[0], builder.header_keys())
            message = f"{pair[0]!r} is no header key, and no card is called {line[:80]!r}"
            builder.unread(message, place, fix)
            return
        if not deck_line.could_be_card(tidied[0]):
            builder.unread(f"{line[:80]!r} is neither a card, a heading nor a comment", place)
            return
    at = raw.find(match.reading.name) if match.reading.name else -1
    column = at + 1 if at >= 0 else place.column
    builder.card(match, tidied, Place(place.file, place.line, column, place.text))


def _typed(raw: str, line: str) -> Iterator[Reading]:
    """The ways to read a line as it was typed, for a card's own name may hold what tidying takes away."""
    typed = deck_line.unquoted(raw.strip())
    return deck_line.readings(typed) if typed != line else iter(())
