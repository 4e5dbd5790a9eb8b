"""The pages of validated deck lists, as PDF."""

from __future__ import annotations

from collections.abc import Sequence

from carddb.findings import Finding
from carddb.games import Game
from carddb.press.documents.checked_deck import CheckedDeck
from carddb.press.documents.decklist import deck_list_pdf, deck_lists_pdf
from carddb.press.faces.workshop import open_workshop


def list_pages(game: Game, checked: CheckedDeck, paper: str, lang: str, creation: int) -> tuple[bytes, list[Finding]]:
    """The list of one deck in a language; `creation` is seconds since 1970. Raises UsageError, FontError."""
    workshop = open_workshop(game, lang=lang)
    return deck_list_pdf(workshop, checked, paper, workshop.lang, creation)


def book_pages(
    lists: Sequence[tuple[Game, CheckedDeck]], paper: str, lang: str, creation: int
) -> tuple[bytes, int, list[Finding]]:
    """The lists of many decks in one file, and the number of its pages. Raises UsageError, FontError."""
    workshops = {game.key: open_workshop(game, lang=lang) for game, _ in lists}
    opened = [(workshops[game.key], checked) for game, checked in lists]
    return deck_lists_pdf(opened, paper, opened[0][0].lang, creation)
