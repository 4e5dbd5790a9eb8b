"""Decks and saved objects of Tabletop Simulator: what is read from one, and what `press` puts into one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any, NamedTuple

from carddb.cards.cards import Card, Deck
from carddb.findings import Place
from carddb.game.game import GameSpec
from carddb.read.decks.builder import Builder
from carddb.read.decks.line import Reading, lines_of
from carddb.read.decks.line_reader import LineReader
from carddb.read.decks.writer import readable_counts, section_label, sections_of, summed, write_deck
from carddb.read.documents.located_document import Document

OBJECTS = "ObjectStates"
"""The key by which a saved object is told from other JSON."""
NOTE = "Note"
"""The note of a saved object: carddb writes there, as deck text, what cannot lie on the table."""
OUR_NOTE = "# carddb deck"
"""How such a note begins; any other is not read."""
_CARDS = ("Card", "CardCustom")
_SHOWN = 200


class _TableCard(NamedTuple):
    """A card as it lies there; `pile` is the name of the deck around it, `notes` what only the game master sees."""

    name: str
    notes: str
    pile: str
    place: Place


def is_saved_object(value: Any) -> bool:
    """Whether a JSON value is a saved object, and no deck in carddb's own JSON."""
    return isinstance(value, Mapping) and isinstance(value.get(OBJECTS), list)


def read_saved_object(document: Document, builder: Builder) -> None:
    """Takes in the cards of a saved object, and the note that carddb wrote into it."""
    cards = _cards(document.value[OBJECTS], (OBJECTS,), "", document)
    for (name, notes, pile), copies in groupby(cards, key=lambda card: card[:3]):
        place, *others = (card.place for card in copies)
        ref, section = _reference_and_section(notes, pile, builder)
        if section:
            builder.begin(section, place)
        for count in readable_counts(len(others) + 1):
            builder.listed([Reading(count, name, ref)], place)
    note = document.value.get(NOTE)
    if isinstance(note, str) and note.startswith(OUR_NOTE):
        LineReader(lines_of(note), builder).read()


def piles_of(deck: Deck, spec: GameSpec) -> dict[str, list[tuple[Card, int]]]:
    """The cards of a deck with their copies by section, as they lie on the table; unknown ones lie in none."""
    piles = {
        section_label(section, spec): [
            (entry.card, count) for count, entry in summed(deck, section, spec) if entry.card
        ]
        for section in sections_of(deck, spec)
    }
    return {label: cards for label, cards in piles.items() if cards}


def note_of(deck: Deck, spec: GameSpec) -> str:
    """What cannot lie on the table, as deck text: the header, and the cards that are none of the game's."""
    return write_deck(replace(deck, entries=tuple(entry for entry in deck.entries if entry.card is None)), spec)


def notes_of(ref: str, section: str) -> str:
    """What a card bears so that it is read back as the same card in the same section."""
    return f"{ref}\n{section}".strip()


def _reference_and_section(notes: str, pile: str, builder: Builder) -> tuple[str, str]:
    """The reference that a card bears, where the game has it, and its section, else that of the deck's name."""
    ref, _, section = notes.partition("\n")
    own = bool(ref and builder.pool.by_reference(ref))
    return ref if own else "", section if own and section else pile.rpartition(": ")[2] if ": " in pile else ""


def _cards(things: Any, path: tuple[str | int, ...], pile: str, document: Document) -> Iterator[_TableCard]:
    """The cards among things and what lies in them."""
    for index, thing in enumerate(things if isinstance(things, list) else ()):
        if not isinstance(thing, Mapping):
            continue
        here = (*path, index)
        name = _text(thing, "Nickname")
        if thing.get("Name") in _CARDS:
            place = document.place((*here, "Nickname"))
            yield _TableCard(name, _text(thing, "GMNotes"), pile, place._replace(text=name[:_SHOWN]))
        else:
            yield from _cards(thing.get("ContainedObjects"), (*here, "ContainedObjects"), name, document)


def _text(thing: Mapping[str, Any], key: str) -> str:
    value = thing.get(key)
    return value.strip() if isinstance(value, str) else ""
