"""A deck in another file format."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from carddb.app.clock import today
from carddb.app.deck_check import DeckSource, ReadDeck, read_deck
from carddb.app.words import amount
from carddb.errors import UsageError
from carddb.findings import Finding
from carddb.plain_text import json_bytes

if TYPE_CHECKING:
    from carddb.app.project import Project
    from carddb.cards import Deck
    from carddb.game import GameSpec

KINDS = ("deck", "txt", "dec", "csv", "json", "cod", "o8d")
TABLETOP = "tts.json"
"""The ending of a saved object of Tabletop Simulator."""


@dataclass(frozen=True, slots=True)
class ConvertedDeck:
    """A deck file, with the findings of reading and of writing it, and the names of pictures beside it."""

    data: bytes
    findings: tuple[Finding, ...]
    summary: str
    pictures: tuple[str, ...] = ()


def kind_of(path: Path) -> str:
    """The kind that the ending of a file names; without one the canonical text."""
    if path.name.lower().endswith(f".{TABLETOP}"):
        return TABLETOP
    return path.suffix.lower().removeprefix(".") or "deck"


def convert_deck(
    project: Project, deck: DeckSource, kind: str, game: str | None = None, on: date | None = None
) -> ConvertedDeck:
    """The deck as a file of a kind, named by its ending. Raises UsageError, InputError."""
    _refuse_unknown(kind)
    read = read_deck(project, deck, game, on or today())
    data, remarks = written(read.deck, read.game.spec, kind)
    return ConvertedDeck(data, (*read.findings, *remarks), _summary(read))


def written(deck: Deck, spec: GameSpec, kind: str) -> tuple[bytes, list[Finding]]:
    """The bytes of a deck as a kind of file, with what its program will not know. Raises UsageError."""
    from carddb.read.deck_exports import export_deck

    _refuse_unknown(kind)
    text, remarks = export_deck(deck, spec, kind)
    return text.encode("utf-8", "replace"), remarks


def _refuse_unknown(kind: str) -> None:
    if kind not in KINDS:
        raise UsageError(f"a deck is not written as {kind!r}", f"Known: {', '.join((*KINDS, TABLETOP))}.")


def tabletop_deck_file(
    project: Project, deck: DeckSource, file: Path, game: str | None = None, on: date | None = None, url: str = ""
) -> ConvertedDeck:
    """The deck as a saved object of Tabletop Simulator, with its pictures, which are written beside the file.

    The object looks for them under `url`. A card that is none of the game's is written in its note. Raises UsageError,
    InputError, OutputError.
    """
    from carddb.executors import InProcess
    from carddb.press.card_pictures import Pages
    from carddb.press.face_bank import FaceBank
    from carddb.press.face_streams import FaceStreams
    from carddb.press.tabletop import DPI, UPLOAD, tabletop_deck
    from carddb.press.workshop import open_workshop
    from carddb.read.deck_exports import remarks
    from carddb.read.deck_tabletop import note_of, piles_of

    read = read_deck(project, deck, game, on or today())
    piles, note = piles_of(read.deck, read.game.spec), note_of(read.deck, read.game.spec)
    if not piles:
        raise UsageError("the deck has no card of the game, so that nothing can lie on the table")
    cards = {card.ref: card for pile in piles.values() for card, _ in pile}
    pages = Pages(FaceStreams(FaceBank(open_workshop(read.game, cards.values(), project.art_folder))), DPI)
    title = file.name[: -len(TABLETOP) - 1]
    with project.working(f"drawing {amount(len(cards), 'card')}"):
        value, pictures = tabletop_deck(pages, piles, file.parent, title, InProcess(), url, note)
    if not url:
        project.notify("upload_needed", UPLOAD)
    findings = (*read.findings, *remarks(read.deck, TABLETOP), *pages.findings)
    return ConvertedDeck(json_bytes(value), findings, _summary(read), tuple(pictures))


def _summary(read: ReadDeck) -> str:
    cards = sum(entry.count for entry in read.deck.entries)
    return f"{amount(cards, 'card')}, {read.deck.fingerprint()}"
