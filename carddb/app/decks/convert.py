"""A deck in another file format."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from carddb.app.decks.reading import DeckSource, ReadDeck, read_deck
from carddb.app.workspace.clock import today
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Deck
from carddb.core.amounts import amount
from carddb.core.errors import UsageError
from carddb.findings import Finding
from carddb.game.game import GameSpec
from carddb.read.decks.exports import export_deck

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
    project: Workspace, deck: DeckSource, kind: str, game: str | None = None, on: date | None = None
) -> ConvertedDeck:
    """The deck as a file of a kind, named by its ending. Raises UsageError, InputError."""
    _refuse_unknown(kind)
    read = read_deck(project, deck, game, on or today())
    data, remarks = written(read.deck, read.game.spec, kind)
    return ConvertedDeck(data, (*read.findings, *remarks), summary_of(read))


def written(deck: Deck, spec: GameSpec, kind: str) -> tuple[bytes, list[Finding]]:
    """The bytes of a deck as a kind of file, with what its program will not know. Raises UsageError."""
    _refuse_unknown(kind)
    text, remarks = export_deck(deck, spec, kind)
    return text.encode("utf-8", "replace"), remarks


def _refuse_unknown(kind: str) -> None:
    if kind not in KINDS:
        raise UsageError(f"a deck is not written as {kind!r}", f"Known: {', '.join((*KINDS, TABLETOP))}.")


def summary_of(read: ReadDeck) -> str:
    """`40 cards, carddb1:7f3a9c21d0`"""
    cards = sum(entry.count for entry in read.deck.entries)
    return f"{amount(cards, 'card')}, {read.deck.fingerprint()}"
