"""Decks out, in every format that is written, and what a format cannot hold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator

from carddb.cards.cards import Deck, Entry
from carddb.core.plain_text import first_of
from carddb.findings import CardCount, Finding, Place, warning
from carddb.game.game import GameSpec
from carddb.read.decks.forms.json import write_json_deck
from carddb.read.decks.forms.programs import write_cockatrice, write_octgn
from carddb.read.decks.forms.table import write_table
from carddb.read.decks.writer import write_deck

WRITERS: dict[str, Callable[[Deck, GameSpec], str]] = {
    "deck": write_deck,
    "txt": write_deck,
    "dec": write_deck,
    "csv": write_table,
    "json": write_json_deck,
    "cod": write_cockatrice,
    "o8d": write_octgn,
}
"""By the ending of the file."""
_PROGRAMS = {"cod": "Cockatrice", "o8d": "OCTGN", "tts.json": "Tabletop Simulator"}
_LISTED = 20


def export_deck(deck: Deck, spec: GameSpec, kind: str) -> tuple[str, list[Finding]]:
    """The text of a file of a kind of `WRITERS`, and the cards that its program will not tell apart or find."""
    return WRITERS[kind](deck, spec), list(remarks(deck, kind))


def remarks(deck: Deck, kind: str) -> Iterator[Finding]:
    """What the program of a kind of file will not know, or not tell apart."""
    if kind not in _PROGRAMS:
        return
    program, place = _PROGRAMS[kind], Place(deck.file)
    unknown = [entry for entry in deck.entries if entry.card is None]
    if unknown:
        message = f"{program} gets the name alone of what is no card of the game: {_names(unknown)}"
        fix = "Correct the name and convert the deck again."
        yield warning("card_by_name_only", message, place, cards=_cards(unknown), fix=fix)
    by_name: dict[str, dict[str, Entry]] = defaultdict(dict)
    for entry in deck.entries:
        by_name[entry.name].setdefault(entry.ref, entry)
    shared = [entry for entries in by_name.values() if len(entries) > 1 for entry in entries.values()]
    if shared and kind == "cod":
        message = f"{program} finds cards by name and cannot tell these apart: {_names(shared)}"
        fix = "Name the cards differently there; carddb reads the references of the file."
        yield warning("name_not_unique", message, place, cards=_cards(shared), fix=fix)


def _names(entries: list[Entry]) -> str:
    names = [f"{entry.name[:80]} [{entry.ref}]" if entry.card else entry.name[:80] for entry in entries]
    return first_of(names, _LISTED)


def _cards(entries: list[Entry]) -> tuple[CardCount, ...]:
    return tuple(CardCount(entry.ref, entry.name, entry.count) for entry in entries)
