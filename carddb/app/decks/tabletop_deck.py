"""A deck for Tabletop Simulator, with the pictures of its cards."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from carddb.app.decks.check import DeckSource, read_deck
from carddb.app.decks.lists import TABLETOP, ConvertedDeck, summary_of
from carddb.app.workspace.clock import today
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError
from carddb.core.executors import InProcess
from carddb.core.plain_text import amount, json_bytes
from carddb.press.faces.bank import FaceBank, FaceStreams
from carddb.press.faces.card_pictures import Pages
from carddb.press.faces.workshop import open_workshop
from carddb.press.shops.tabletop import DPI, UPLOAD, tabletop_deck
from carddb.read.decks.programs import note_of, piles_of, remarks


def tabletop_deck_file(
    project: Workspace, deck: DeckSource, file: Path, game: str | None = None, on: date | None = None, url: str = ""
) -> ConvertedDeck:
    """The deck as a saved object of Tabletop Simulator, with its pictures, which are written beside the file.

    The object looks for them under `url`. A card that is none of the game's is written in its note. Raises UsageError,
    InputError, OutputError.
    """
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
    return ConvertedDeck(json_bytes(value), findings, summary_of(read), tuple(pictures))
