"""A deck in another file format."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from carddb.app.clock import today
from carddb.app.deck_check import DeckSource, read_deck
from carddb.app.words import amount
from carddb.errors import UsageError
from carddb.findings import Finding

if TYPE_CHECKING:
    from carddb.app.project import Project

KINDS = ("deck", "txt", "csv", "json", "cod", "o8d")


@dataclass(frozen=True, slots=True)
class ConvertedDeck:
    """A deck file, with the findings of reading and of writing it."""

    data: bytes
    findings: tuple[Finding, ...]
    summary: str


def convert_deck(
    project: Project, deck: DeckSource, kind: str, game: str | None = None, on: date | None = None
) -> ConvertedDeck:
    """The deck as a file of a kind, named by its ending. Raises UsageError, InputError."""
    if kind not in KINDS:
        raise UsageError(f"a deck is not written as {kind!r}", f"Known: {', '.join(KINDS)}.")
    from carddb.read.deck_exports import export_deck

    read = read_deck(project, deck, game, on or today())
    cards = sum(entry.count for entry in read.deck.entries)
    summary = f"{amount(cards, 'card')}, {read.deck.fingerprint()}"
    text, remarks = export_deck(read.deck, read.game.spec, kind)
    return ConvertedDeck(text.encode("utf-8", "replace"), (*read.findings, *remarks), summary)
