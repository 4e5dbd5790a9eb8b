"""Decks in the files of other programs: JSON, Tabletop Simulator, Cockatrice, OCTGN; Magic Online's are only read."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, NoReturn
from uuid import NAMESPACE_URL, UUID, uuid5
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from carddb.cards.cards import Card, Deck, Entry
from carddb.core.errors import DataFault
from carddb.core.groups import grouped
from carddb.core.names import did_you_mean
from carddb.core.plain_text import FORBIDDEN, first_of
from carddb.findings import CardCount, Finding, Place, Severity, error, info, warning
from carddb.game.game import GameSpec
from carddb.read.decks.builder import MAX_BYTES, SIDEBOARD, Builder, default_section
from carddb.read.decks.line import HeadingLine, LineReading, key_value, lines_of
from carddb.read.decks.line_reader import COLUMNS, LineReader
from carddb.read.decks.writer import header_pairs, readable_counts, section_label, sections_of, summed, write_deck
from carddb.read.documents.located_document import LocatedDocument, parse_all
from carddb.read.source import control_characters, texts_of
from carddb.read.tables.grid import csv_text, escaped_text

OBJECTS = "ObjectStates"
"""The key that distinguishes a saved object of Tabletop Simulator from other JSON."""
NOTE = "Note"
"""The key of a saved object's note, where carddb writes the parts of a deck that cannot be cards on the table."""
OUR_NOTE = "# carddb deck"
"""The beginning of a note that carddb wrote; other notes are not read."""
_CARDS = ("Card", "CardCustom")
_LIST_FORM = 'Write the cards as [{"name": "...", "count": 3}, ...].'
_TableCard = tuple[str, str, str, Place]
"""A card on the table: its name, notes that only the game master sees, the name of its deck, and its place."""
_SHOWN = 200


def read_saved_object(document: LocatedDocument, builder: Builder) -> None:
    """Reads into `builder` the cards in a saved object of Tabletop Simulator, and the note by carddb in it."""
    cards = _cards(document.value[OBJECTS], (OBJECTS,), "", document)
    for (name, notes, pile), copies in groupby(cards, key=lambda card: card[:3]):
        place, *others = (place for *_, place in copies)
        ref, _, section = notes.partition("\n")
        if not (ref and builder.pool.by_reference(ref)):
            ref, section = "", ""
        section = section or (pile.rpartition(": ")[2] if ": " in pile else "")
        if section:
            builder.begin(section, place)
        for count in readable_counts(len(others) + 1):
            builder.listed([LineReading(count, name, ref)], place)
    note = document.value.get(NOTE)
    if isinstance(note, str) and note.startswith(OUR_NOTE):
        LineReader(lines_of(note), builder).read()


def piles_of(deck: Deck, spec: GameSpec) -> dict[str, list[tuple[Card, int]]]:
    """Returns `{section's label: (card, count) of its known cards}`; each section is a pile on the table."""
    return grouped(
        (section_label(section, spec), (entry.card, count))
        for section in sections_of(deck, spec)
        for count, entry in summed(deck, section, spec)
        if entry.card
    )


def note_of(deck: Deck, spec: GameSpec) -> str:
    """Returns what cannot be on the table, the header and the unknown cards of a deck, as the text of a deck."""
    return write_deck(replace(deck, entries=tuple(entry for entry in deck.entries if entry.card is None)), spec)


def notes_of(ref: str, section: str) -> str:
    """Returns the notes for the game master on a card, by which the same card is read back into the same section."""
    return f"{ref}\n{section}".strip()


def _cards(things: Any, path: tuple[str | int, ...], pile: str, document: LocatedDocument) -> Iterator[_TableCard]:
    """Yields the cards among the objects `things` at `path`, and inside these; `pile` is the name of their deck."""
    for index, thing in enumerate(things if isinstance(things, list) else ()):
        if not isinstance(thing, Mapping):
            continue
        here = (*path, index)
        name = _text(thing, "Nickname")
        if thing.get("Name") in _CARDS:
            place = document.place((*here, "Nickname"))
            yield name, _text(thing, "GMNotes"), pile, place._replace(text=name[:_SHOWN])
        else:
            yield from _cards(thing.get("ContainedObjects"), (*here, "ContainedObjects"), name, document)


def _text(thing: Mapping[str, Any], key: str) -> str:
    value = thing.get(key)
    return value.strip() if isinstance(value, str) else ""


def read_json_deck(text: str, builder: Builder) -> bool:
    """Reads a deck in JSON: header keys, and `sections` with lists of `{"ref", "name", "count"}`.

    It may also be a saved object, or have counts by reference. Returns False, and adds findings, if it cannot be read.
    """
    document, faults = parse_all(text, builder.file, "json", MAX_BYTES)
    builder.findings.extend(faults)
    if document is None:
        return False
    if isinstance(document.value, Mapping) and isinstance(document.value.get(OBJECTS), list):
        read_saved_object(document, builder)
    elif slots := _deck_of_slots(document.value):
        _read_slots(*slots, document, builder)
    else:
        _read_document(document, builder)
        texts = texts_of(document.value)
        in_places = ((part, document.place(path)) for path, part in texts)
        builder.findings += control_characters(in_places, Severity.INFO)
    return True


_SLOTS = {"slots": None, "cards": None, "card_slots": None, "sideSlots": 1, "side_slots": 1}
"""The keys at NetrunnerDB, ArkhamDB and arkham.build with counts by reference; 1 marks those of the sideboard."""
_LEADERS = ("investigator_code", "hero_code")
"""The keys of a card that leads the deck and is not among its slots."""
_MOST_COPIES = 100_000
_INSIDE = ("data", "attributes")
"""The keys under which these sites put the deck when they answer a request."""


def _deck_of_slots(value: Any) -> tuple[Mapping[str, Any], tuple[str | int, ...]] | None:
    """Returns the part of a document that is a deck with counts by reference, and the path to it; else None."""
    path: tuple[str | int, ...] = ()
    for key in ("", *_INSIDE):
        if key and isinstance(value, Mapping):
            value, path = value.get(key), (*path, key)
        if isinstance(value, list) and len(value) == 1:
            value, path = value[0], (*path, 0)
        if isinstance(value, Mapping) and any(isinstance(value.get(slots), Mapping) for slots in _SLOTS):
            return value, path
    return None


def _read_slots(
    deck: Mapping[str, Any], path: tuple[str | int, ...], document: LocatedDocument, builder: Builder
) -> None:
    """Reads counts by reference, the leading card and the header of a deck; one finding lists all its other keys."""
    others = []
    builder.placed_by_type = True
    for key, value in sorted(deck.items(), key=lambda pair: _SLOTS.get(pair[0]) is not None):
        place = document.place((*path, key))
        if key in _SLOTS:
            if _SLOTS[key] is not None and value:
                builder.zone(_SLOTS[key], SIDEBOARD, place)
            for ref, count in value.items() if isinstance(value, Mapping) else ():
                at = document.place((*path, key, ref))._replace(text=ref[:_SHOWN])
                if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= _MOST_COPIES:
                    builder.bad_count(count, at)
                    continue
                for part in readable_counts(count):
                    builder.listed([LineReading(part, ref), LineReading(part, "", ref)], at)
        elif key in _LEADERS and isinstance(value, str):
            builder.listed([LineReading(1, value), LineReading(1, "", value)], place._replace(text=value[:_SHOWN]))
        elif not (isinstance(value, str) and builder.header.take(key, " ".join(value.splitlines()).strip(), place)):
            others.append(key)
    if others:
        words = first_of(list(map(repr, others)), _LISTED)
        message = f"keys that mean nothing in a deck were ignored: {words}"
        builder.findings.append(info("text_passed_over", message, document.place(path)))


def _read_document(document: LocatedDocument, builder: Builder) -> None:
    if not isinstance(document.value, dict):
        message = 'a deck in JSON must be a mapping with the key "sections"'
        builder.findings.append(error("document_invalid", message, document.place(())))
        return
    for key, value in document.value.items():
        place = document.place((key,))
        if key == "sections" and isinstance(value, Mapping):
            for section, items in value.items():
                _read_section(section, items, document, builder)
        elif isinstance(value, str | int | float):
            if not builder.header.take(key, " ".join(str(value).splitlines()).strip(), place):
                builder.unread(f"{key[:80]!r} is no key of the header", place, did_you_mean(key, builder.header.keys))
        elif value is not None:
            builder.unread(f"the value of {key[:80]!r} must be a text", place, "Write a text, or remove the key.")


def _read_section(section: str, items: Any, document: LocatedDocument, builder: Builder) -> None:
    place = document.place(("sections", section))
    heading = HeadingLine("[", ((section, None),))
    if not builder.heading(heading, place):
        builder.unknown_heading(heading, place)
    if not isinstance(items, Sequence) or isinstance(items, str):
        builder.unread(f"the section {section[:80]!r} must be a list of cards", place, _LIST_FORM)
        return
    for index, item in enumerate(items):
        here = document.place(("sections", section, index))
        fields = item if isinstance(item, Mapping) else {}
        name, ref, count = fields.get("name", ""), fields.get("ref", ""), fields.get("count")
        if not (isinstance(name, str) and isinstance(ref, str) and (name or ref)):
            builder.unread("a card must be a mapping with a ref or a name, and a count", here, _LIST_FORM)
            continue
        at = Place(here.file, here.line, here.column, (ref or name)[:_SHOWN])
        if count is not None and (isinstance(count, bool) or not isinstance(count, int)):
            builder.bad_count(count, at)
            continue
        builder.listed([LineReading(count, name.strip(), ref.strip())], at)


def write_json_deck(deck: Deck, spec: GameSpec) -> str:
    """Returns a deck in its JSON form."""
    sections = {
        section: [
            {**({"ref": entry.card.ref} if entry.card else {}), "name": entry.name, "count": count}
            for count, entry in summed(deck, section, spec)
        ]
        for section in sections_of(deck, spec)
    }
    return _with_headers(deck, spec, {"sections": sections})


def write_slots(deck: Deck, spec: GameSpec) -> str:
    """Returns a deck as counts by reference, with the sideboard apart, in the form of NetrunnerDB and arkham.build."""
    slots: dict[str, dict[str, int]] = {"slots": {}, "sideSlots": {}}
    sideboard = spec.section_words.find(SIDEBOARD)
    for entry in deck.entries:
        part = slots["sideSlots" if entry.section == sideboard else "slots"]
        key = entry.card.ref if entry.card else entry.name
        part[key] = part.get(key, 0) + entry.count
    counts = {key: dict(sorted(part.items())) for key, part in slots.items() if part or key == "slots"}
    return _with_headers(deck, spec, counts)


def _with_headers(deck: Deck, spec: GameSpec, cards: Mapping[str, Any]) -> str:
    headers = {key.lower(): value for key, value in header_pairs(deck, spec)}
    return json.dumps({**headers, **cards}, ensure_ascii=False, indent=1) + "\n"


MAX_DEPTH = 10
MAX_ELEMENTS = 20_000


@dataclass(slots=True)
class Element:
    """An XML element: its attributes, its children in order, and its text without that of the children."""

    name: str
    attributes: dict[str, str]
    place: Place
    children: list[Element] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.parts).strip()


def _tree(text: str, file: str) -> Element:
    """Returns the root of an XML document. Raises DataFault if it is broken, too deep or too large."""
    body = text.removeprefix("\ufeff").lstrip()
    lines_before = text.count("\n", 0, len(text) - len(body))
    document = Element("", {}, Place(file))
    open_elements = [document]
    parser = expat.ParserCreate("utf-8")  # the text is decoded, whatever encoding its declaration names
    count = 0

    def place() -> Place:
        return Place(file, parser.CurrentLineNumber + lines_before, parser.CurrentColumnNumber + 1)

    def refuse(code: str, message: str) -> NoReturn:
        raise DataFault(code, message, "Export the deck again.", place())

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if len(open_elements) > MAX_DEPTH:
            refuse("nesting_too_deep", f"elements are nested deeper than {MAX_DEPTH} levels")
        if count > MAX_ELEMENTS:
            refuse("file_too_large", f"a deck in XML has at most {MAX_ELEMENTS:,} elements")
        element = Element(name, attributes, place())
        open_elements[-1].children.append(element)
        open_elements.append(element)

    def character_data(data: str) -> None:
        open_elements[-1].parts.append(data)

    words = "a deck in XML may not declare a document type or entities"
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: open_elements.pop()
    parser.CharacterDataHandler = character_data
    parser.StartDoctypeDeclHandler = lambda *_: refuse("document_syntax", words)
    try:
        parser.Parse(body.encode("utf-8", "replace"), True)
    except expat.ExpatError as fault:
        refuse("document_syntax", f"the file is not a complete XML document: {expat.ErrorString(fault.code)}")
    return document.children[0]


MAIN, SIDE = "main", "side"
"""The two zones of a deck in Cockatrice, which correspond to the first two sections of a game."""
_COUNT = re.compile("-?[0-9]{1,9}")


def read_program_deck(text: str, builder: Builder) -> bool:
    """Reads a deck in XML into `builder`; returns False, and adds a finding, if the text is no such deck."""
    try:
        root = _tree(text, builder.file)
    except DataFault as refusal:
        builder.findings.append(refusal.finding)
        return False
    reader = _READERS.get(root.name)
    if reader is None:
        message = f"<{root.name[:80]}> is not a deck: only decks of Cockatrice, OCTGN and Magic Online can be read"
        builder.findings.append(error("document_invalid", message, root.place))
        return False
    reader(root, builder)
    return True


def _read_cockatrice(root: Element, builder: Builder) -> None:
    for element in root.children:
        if element.name == "deckname":
            builder.header.take("name", element.text, element.place)
        elif element.name == "comments":
            _read_notes(element, builder)
        elif element.name == "zone":
            label = element.attributes.get("name", "")
            builder.zone({MAIN: 0, SIDE: 1}.get(label), label, element.place)
            for card in element.children:
                name = card.attributes.get("name", "").strip()
                number, from_set = (card.attributes.get(key, "") for key in ("collectorNumber", "setShortName"))
                in_set = [LineReading(None, name, "", from_set, number)] if number and from_set else []
                _read_card(card, builder, "number", [LineReading(None, name, number), *in_set])


def _read_octgn(root: Element, builder: Builder) -> None:
    refs = {octgn_id(builder.game, card.ref): card.ref for card in builder.pool}
    for element in root.children:
        if element.name == "notes":
            _read_notes(element, builder)
        elif element.name == "section":
            label = element.attributes.get("name", "")
            builder.zone(0 if label.casefold() == MAIN else None, label, element.place)
            for card in element.children:
                ref = ""
                with suppress(ValueError):
                    ref = refs.get(UUID(card.attributes.get("id", "")), "")
                _read_card(card, builder, "qty", [LineReading(None, card.text, ref)])


def _read_magic_online(root: Element, builder: Builder) -> None:
    for element in root.children:
        if element.name == "Cards":
            side = element.attributes.get("Sideboard", "").casefold() == "true"
            builder.zone(1 if side else 0, SIDE if side else MAIN, element.place)
            _read_card(element, builder, "Quantity", [LineReading(None, element.attributes.get("Name", "").strip())])


_READERS: dict[str, Callable[[Element, Builder], None]] = {
    "cockatrice_deck": _read_cockatrice,
    "deck": _read_octgn,
    "Deck": _read_magic_online,
}


def _read_notes(element: Element, builder: Builder) -> None:
    """Reads the header lines in a deck's notes; other lines are comments."""
    for line in lines_of(element.text):
        if pair := key_value(line):
            builder.header.take(*pair, element.place)


def _read_card(element: Element, builder: Builder, count_name: str, readings: Sequence[LineReading]) -> None:
    """Reads a card of an XML deck; `readings` are without its count, which is in the attribute `count_name`."""
    place = element.place._replace(text=readings[0].name[:_SHOWN])
    count = element.attributes.get(count_name)
    if count is not None and not _COUNT.fullmatch(count.strip()):
        builder.bad_count(count, place)
    else:
        number = None if count is None else int(count)
        builder.listed([replace(reading, count=number) for reading in readings], place)


def write_cockatrice(deck: Deck, spec: GameSpec) -> str:
    """Returns a deck for Cockatrice, whose first two sections become main deck and sideboard."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<cockatrice_deck version="1">']
    lines.append(f"    <deckname>{_escaped(deck.name)}</deckname>")
    lines.append(f"    <comments>{_notes(deck, spec, 'name')}</comments>")
    zones = {
        section: zone
        for section, zone in zip(spec.sections, (MAIN, SIDE), strict=False)
        if spec.section_words.find(zone) in (section, None)  # the game has no other section of that name
    }
    for section in sections_of(deck, spec):
        lines.append(f"    <zone name={_quoted(zones.get(section, section))}>")
        for count, entry in summed(deck, section, spec):
            number = f" collectorNumber={_quoted(entry.card.ref)}" if entry.card else ""
            lines.append(f'        <card number="{count}" name={_quoted(entry.name)}{number}/>')
        lines.append("    </zone>")
    return "\n".join([*lines, "</cockatrice_deck>", ""])


def write_octgn(deck: Deck, spec: GameSpec) -> str:
    """Returns a deck for OCTGN. The ids of game and cards never change, because they are derived from their keys."""
    lines = ['<?xml version="1.0" encoding="utf-8" standalone="yes"?>', f'<deck game="{octgn_id(deck.game)}">']
    for section in sections_of(deck, spec):
        lines.append(f'  <section name={_quoted(section_label(section, spec))} shared="False">')
        lines += [
            f'    <card qty="{count}" id="{octgn_id(deck.game, entry.ref)}">{_escaped(entry.name)}</card>'
            for count, entry in summed(deck, section, spec)
        ]
        lines.append("  </section>")
    return "\n".join([*lines, f"  <notes>{_notes(deck, spec)}</notes>", "</deck>", ""])


def octgn_id(game: str, ref: str = "") -> UUID:
    """Returns the id by which OCTGN knows a game, or one of its cards."""
    return uuid5(NAMESPACE_URL, f"carddb:{game}:{ref}")


def _notes(deck: Deck, spec: GameSpec, besides: str = "") -> str:
    """Returns the header of a deck as notes, with the game's name but without the key `besides`."""
    lines = [f"{key}: {value}" for key, value in header_pairs(deck, spec) if key.casefold() != besides]
    return _escaped("\n".join(["", *lines, ""]))


def _escaped(text: str) -> str:
    """Returns a text escaped for XML, with characters that XML does not allow replaced."""
    return escape(FORBIDDEN.sub("\ufffd", text))


def _quoted(text: str) -> str:
    """Returns a text as an attribute value in quotes."""
    return quoteattr(FORBIDDEN.sub("\ufffd", text))


def write_table(deck: Deck, spec: GameSpec) -> str:
    """Returns a deck as CSV: first each header line as a row of one cell, then the table of cards."""
    rows: list[Sequence[object]] = [[f"{key}: {value}"] for key, value in header_pairs(deck, spec)]
    rows.append(COLUMNS)
    for section in sections_of(deck, spec):
        for count, entry in summed(deck, section, spec):
            ref = entry.card.ref if entry.card else ""
            rows.append([count, escaped_text(entry.name), escaped_text(ref), section])
    return csv_text(rows)


WRITERS: dict[str, Callable[[Deck, GameSpec], str]] = {
    **dict.fromkeys(("deck", "txt", "dec"), write_deck),
    "csv": write_table,
    "json": write_json_deck,
    "json-slots": write_slots,
    "cod": write_cockatrice,
    "o8d": write_octgn,
}
"""The functions that write a deck, by the suffix of the file or by the kind that `--to` names."""
_PROGRAMS = {"cod": "Cockatrice", "o8d": "OCTGN", "tts.json": "Tabletop Simulator"}
_LISTED = 20


def export_deck(deck: Deck, spec: GameSpec, kind: str) -> tuple[str, list[Finding]]:
    """Returns the text of a deck's file of a `kind` in WRITERS, and the warnings that `remarks` yields."""
    return WRITERS[kind](deck, spec), list(remarks(deck, kind, spec))


def remarks(deck: Deck, kind: str, spec: GameSpec | None = None) -> Iterator[Finding]:
    """Yields warnings about cards that the program for this kind of file does not know, cannot tell apart, or moves."""
    if kind == "json-slots" and spec:
        sideboard = spec.section_words.find(SIDEBOARD)
        moved = [entry for entry in deck.entries if entry.section not in (sideboard, default_section(entry.card, spec))]
        if moved:
            message = f"the file has no sections; a reader puts these cards where their type belongs: {_names(moved)}"
            fix = "Write a .json file instead; it keeps the sections."
            yield warning("sections_not_kept", message, Place(deck.file), cards=_card_counts(moved), fix=fix)
    if kind not in _PROGRAMS:
        return
    program, place = _PROGRAMS[kind], Place(deck.file)
    unknown = [entry for entry in deck.entries if entry.card is None]
    if unknown:
        message = f"the game has no such cards, so {program} gets only their names: {_names(unknown)}"
        fix = "Correct the names in the deck and convert it again."
        yield warning("card_by_name_only", message, place, cards=_card_counts(unknown), fix=fix)
    by_name: dict[str, dict[str, Entry]] = defaultdict(dict)
    for entry in deck.entries:
        by_name[entry.name].setdefault(entry.ref, entry)
    shared = [entry for entries in by_name.values() if len(entries) > 1 for entry in entries.values()]
    if shared and kind == "cod":
        message = f"{program} finds cards by name and cannot tell these apart: {_names(shared)}"
        fix = f"Give them different names in {program}; carddb itself goes by their references."
        yield warning("name_not_unique", message, place, cards=_card_counts(shared), fix=fix)


def _names(entries: list[Entry]) -> str:
    names = [f"{entry.name[:80]} [{entry.ref}]" if entry.card else entry.name[:80] for entry in entries]
    return first_of(names, _LISTED)


def _card_counts(entries: list[Entry]) -> tuple[CardCount, ...]:
    return tuple(CardCount(entry.ref, entry.name, entry.count) for entry in entries)
