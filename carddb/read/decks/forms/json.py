"""Decks in JSON, both ways."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from carddb.cards.cards import Deck
from carddb.core.names import did_you_mean
from carddb.findings import Place, Severity, error
from carddb.game.game import GameSpec
from carddb.read.decks.builder import Builder
from carddb.read.decks.forms.tabletop import is_saved_object, read_saved_object
from carddb.read.decks.header import MAX_BYTES
from carddb.read.decks.line import Heading, Reading
from carddb.read.decks.writer import header_pairs, sections_of, summed
from carddb.read.documents.located_document import Document, parse_all
from carddb.read.source import control_characters, texts_of

_SHOWN = 200


def read_json_deck(text: str, builder: Builder) -> bool:
    """Takes in the JSON form: header keys, and `sections` with lists of `{"ref", "name", "count"}`; or a saved object.

    False, with the reasons among the findings, where it cannot be read.
    """
    document, faults = parse_all(text, builder.file, "json", MAX_BYTES)
    builder.findings.extend(faults)
    if document is not None and is_saved_object(document.value):
        read_saved_object(document, builder)
    elif document is not None:
        _read_document(document, builder)
        texts = texts_of(document.value)
        in_places = ((part, document.place(path)) for path, part in texts)
        builder.findings += control_characters(in_places, Severity.INFO)
    return document is not None


def _read_document(document: Document, builder: Builder) -> None:
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
            if not builder.header.take(key, " ".join(str(value).splitlines()).strip(), place):
                builder.unread(f"{key[:80]!r} is no header key", place, did_you_mean(key, builder.header.keys))
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
        builder.listed([Reading(count, name.strip(), ref.strip())], at)


def write_json_deck(deck: Deck, spec: GameSpec) -> str:
    """The JSON form of a deck."""
    sections = {
        section: [
            {**({"ref": entry.card.ref} if entry.card else {}), "name": entry.name, "count": count}
            for count, entry in summed(deck, section, spec)
        ]
        for section in sections_of(deck, spec)
    }
    headers = {key.lower(): value for key, value in header_pairs(deck, spec)}
    return json.dumps({**headers, "sections": sections}, ensure_ascii=False, indent=1) + "\n"
