"""carddb: a card database and print-and-play generator that knows the rules of its games.

This is the only public door: the names below are what a script may rely on. A module is imported when one of its
names is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from carddb.version import __version__ as __version__

if TYPE_CHECKING:
    from carddb.cards import Card as Card
    from carddb.cards import Deck as Deck
    from carddb.cards import Entry as Entry
    from carddb.cards import Pool as Pool
    from carddb.catalog.store import Catalog as Catalog
    from carddb.deck import Context as Context
    from carddb.deck import check as check
    from carddb.errors import CarddbError as CarddbError
    from carddb.findings import Finding as Finding
    from carddb.findings import Place as Place
    from carddb.findings import Severity as Severity
    from carddb.findings import verdict as verdict
    from carddb.game import GameSpec as GameSpec
    from carddb.games import Game as Game
    from carddb.games import folders as folders
    from carddb.games import load as load
    from carddb.games.referee import judge as judge
    from carddb.press.components import print_components as print_components
    from carddb.press.sheet_options import SheetOptions as SheetOptions
    from carddb.press.sheets import print_cards as print_cards
    from carddb.press.workshop import open_workshop as open_workshop
    from carddb.query import parse as parse
    from carddb.read.card_file import read_cards as read_cards
    from carddb.read.deck_text import load_deck as load_deck
    from carddb.read.deck_text import read_deck as read_deck
    from carddb.read.deck_writer import write_deck as write_deck
    from carddb.read.export import write_cards as write_cards

_DOOR = {
    "carddb.catalog.store": ("Catalog",),
    "carddb.deck": ("Context", "check"),
    "carddb.errors": ("CarddbError",),
    "carddb.findings": ("Finding", "Place", "Severity", "verdict"),
    "carddb.game": ("GameSpec",),
    "carddb.games": ("Game", "folders", "load"),
    "carddb.games.referee": ("judge",),
    "carddb.cards": ("Card", "Deck", "Entry", "Pool"),
    "carddb.press.components": ("print_components",),
    "carddb.press.sheet_options": ("SheetOptions",),
    "carddb.press.sheets": ("print_cards",),
    "carddb.press.workshop": ("open_workshop",),
    "carddb.query": ("parse",),
    "carddb.read.deck_text": ("load_deck", "read_deck"),
    "carddb.read.deck_writer": ("write_deck",),
    "carddb.read.export": ("write_cards",),
    "carddb.read.card_file": ("read_cards",),
}
_MODULE_OF = {name: module for module, names in _DOOR.items() for name in names}

__all__ = [*sorted(_MODULE_OF)]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"carddb has no public name {name!r}")
    return getattr(import_module(_MODULE_OF[name]), name)


def __dir__() -> list[str]:
    return list(__all__)
