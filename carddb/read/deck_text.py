"""Decks in: the tolerant text format and its JSON form, every line accounted for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carddb.cards import Deck, Pool
from carddb.findings import Finding, Place, error
from carddb.game import GameSpec
from carddb.names import did_you_mean
from carddb.read import deck_line, source
from carddb.read.deck_builder import Builder, canonical_name
from carddb.read.deck_file import MAX_BYTES, open_deck
from carddb.read.deck_line import Heading, Reading

if TYPE_CHECKING:
    from carddb.read.located_document import Document

__all__ = ["load_deck", "read_deck"]

MAX_LINES = 10_000
MAX_LINE = 2_000
_SHOWN = 200


def load_deck(path: Path | str, spec: GameSpec, pool: Pool) -> tuple[Deck, list[Finding]]:
    """Reads a deck file, or standard input for `-`. Raises InputError where it cannot be read.

    A file that ends in `.json` holds the JSON form.
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
        from carddb.read.located_document import parse_all

        document, faults = parse_all(text, file, "json", MAX_BYTES)
        builder.findings.extend(faults)
        if document is None:
            return builder.deck(), builder.findings
        _read_document(document, builder)
    else:
        lines = deck_line.lines_of(text)
        if len(lines) > MAX_LINES or len(text) > MAX_BYTES:
            message = f"a deck has at most {MAX_LINES:,} lines and {source.size_in_words(MAX_BYTES)}"
            return builder.deck(), [error("file_too_large", message, Place(file), fix="Keep one deck in a file.")]
        for number, line in enumerate(lines, 1):
            _read_line(line, number, builder)
    builder.finish()
    return builder.deck(), builder.findings


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
        if not _could_be_card(tidied[0]):
            builder.unread(f"{line[:80]!r} is neither a card, a heading nor a comment", place)
            return
    at = raw.find(match.reading.name) if match.reading.name else -1
    column = at + 1 if at >= 0 else place.column
    builder.card(match, tidied, Place(place.file, place.line, column, place.text))


def _typed(raw: str, line: str) -> Iterator[Reading]:
    """The ways to read a line as it was typed, for a card's own name may hold what tidying takes away."""
    typed = deck_line.unquoted(raw.strip())
    return deck_line.readings(typed) if typed != line else iter(())


def _could_be_card(reading: Reading) -> bool:
    if reading.count is None:
        return any(char.isalpha() for char in reading.name) and deck_line.only_count(reading.name) is None
    return any(char.isalnum() for char in reading.name)


def _read_document(document: Document, builder: Builder) -> None:
    """The JSON form: header keys, and `sections` with lists of `{"ref", "name", "count"}`."""
    if not isinstance(document.value, dict):
        message = 'a deck in JSON is a mapping with the key "sections"'
        builder.findings.append(error("document_invalid", message, document.place(())))
        return
    for key, value in document.value.items():
        place = document.place((key,))
        if key == "sections" and isinstance(value, Mapping):
            for section, items in value.items():
                _read_section(section, items, document, builder)
        elif isinstance(value, str | int | float):
            if not builder.header(key, " ".join(str(value).split()), place):
                builder.unread(f"{key[:80]!r} is no header key", place, did_you_mean(key, builder.header_keys()))
        elif value is not None:
            builder.unread(f"{key[:80]!r} cannot be read", place)


def _read_section(section: str, items: Any, document: Document, builder: Builder) -> None:
    place = document.place(("sections", section))
    heading = Heading("[", ((section, None),))
    if not builder.heading(heading, place):
        builder.unknown_heading(heading, place)
    if not isinstance(items, Sequence) or isinstance(items, str):
        builder.unread(f"the section {section[:80]!r} must be a list of cards", place)
        return
    for index, item in enumerate(items):
        here = document.place(("sections", section, index))
        fields = item if isinstance(item, Mapping) else {}
        name, ref, count = fields.get("name", ""), fields.get("ref", ""), fields.get("count")
        if not (isinstance(name, str) and isinstance(ref, str) and (name or ref)):
            builder.unread("a card is a mapping with a ref or a name, and a count", here)
            continue
        at = Place(here.file, here.line, here.column, (ref or name)[:_SHOWN])
        if count is not None and (isinstance(count, bool) or not isinstance(count, int)):
            builder.bad_count(count, at)
            continue
        reading = Reading(count, name.strip(), ref.strip())
        if not _could_be_card(Reading(1, canonical_name(name or ref))):
            builder.unread(f"{(name or ref)[:80]!r} is no name of a card", at)
            continue
        builder.card(builder.matcher.match([reading], reading), [reading], at)
