"""Cards out of the catalogue into a file."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from carddb.app.cards.translation_table import cards_to_translate, translation_bytes
from carddb.app.workspace.clock import today
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError
from carddb.read.cards.export import write_cards, write_printings

KINDS = ("csv", "tsv", "xlsx", "json", "yaml", "yml")


class CardExport(NamedTuple):
    """A file of cards: its bytes and how many cards it has; none where nothing matched."""

    data: bytes
    cards: int


def export_cards(project: Workspace, query: str, kind: str, key: str | None, on: date | None) -> CardExport:
    """The cards that a query finds, as they were given. Raises UsageError, QueryError."""
    game, fmt = project.only_game(key), _format(kind)
    parsed = game.spec.query(query)
    with project.catalog() as catalog:
        cards = catalog.given(game.spec, parsed, day=on or today())
    return CardExport(write_cards(cards, game.spec, fmt) if cards else b"", len(cards))


def export_printings(project: Workspace, query: str, kind: str, key: str | None, on: date | None) -> CardExport:
    """The printings of the cards that a query finds. Raises UsageError, QueryError."""
    game, fmt = project.only_game(key), _format(kind)
    parsed = game.spec.query(query)
    with project.catalog() as catalog:
        cards = [card for card in catalog.search(game.spec, parsed, day=on or today()) if card.printings]
    printings = [printing for card in cards for printing in card.printings]
    return CardExport(write_printings(printings, fmt) if cards else b"", len(cards))


def export_translations(
    project: Workspace, query: str, kind: str, key: str | None, on: date | None, lang: str
) -> CardExport:
    """The cards that a query finds with their words in a language beside their own. Raises UsageError, QueryError."""
    game, fmt = project.only_game(key), kind if kind == "po" else _format(kind)
    if not game.spec.is_foreign(lang):
        raise UsageError(f"{lang} is the language of the game itself", "Leave --lang out.")
    parsed, day = game.spec.query(query), on or today()
    with project.catalog() as catalog:
        cards = catalog.search(game.spec, parsed, day=day)
        words = catalog.translations(game.spec, lang, day=day)
        older = catalog.older_translations(game.key, lang, day=day)
    rows = cards_to_translate(game.spec, cards, words, older)
    return CardExport(translation_bytes(game.spec, rows, lang, fmt) if rows else b"", len(rows))


def _format(kind: str) -> str:
    """The format of an ending. Raises UsageError."""
    if kind not in KINDS:
        raise UsageError(f"cards are not written as {kind!r}", f"Known: {', '.join(KINDS)}.")
    return "yaml" if kind == "yml" else kind
