"""carddb: a card database and print-and-play generator that knows the rules of its games.

    import carddb

    club = carddb.open("mygame")                            # a folder with carddb.toml, or one below it
    report = club.check("river.deck", event="2026-06-20")   # every finding at once
    club.sheets("river.deck", paper="a4").write("river.pdf")

This is the only public door: the names below are what a script may rely on, and the chapter "Python" of the handbook
says what each of them is. A module is imported when one of its names is first used. Lengths are whole micrometres,
days are `datetime.date`. What carddb cannot do is a `CarddbError`; what is wrong with data are `Finding` values.
Nothing here starts a process unless `processes` asks for it, or a game
that is not trusted is drawn.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from carddb.core.version import __version__ as __version__

if TYPE_CHECKING:
    from carddb.app.bans.lists import BanList as BanList
    from carddb.app.bans.lists import BanListState as BanListState
    from carddb.app.cards.load import LoadReport as LoadReport
    from carddb.app.decks.check import CheckRequest as CheckRequest
    from carddb.app.decks.check import Report as Report
    from carddb.app.decks.check import check as check
    from carddb.app.decks.check_many import Reports as Reports
    from carddb.app.decks.meta import Meta as Meta
    from carddb.app.printing.sheet_job import PrintResult as PrintResult
    from carddb.app.workspace.published_folder import PrintedFile as PrintedFile
    from carddb.app.workspace.workspace import Notice as Notice
    from carddb.app.workspace.workspace import Progress as Progress
    from carddb.cards.cards import Card as Card
    from carddb.cards.cards import Deck as Deck
    from carddb.cards.cards import Entry as Entry
    from carddb.cards.cards import Pool as Pool
    from carddb.cards.query import parse as parse
    from carddb.catalog.store import Catalog as Catalog
    from carddb.core.errors import CarddbError as CarddbError
    from carddb.core.errors import CatalogError as CatalogError
    from carddb.core.errors import FontError as FontError
    from carddb.core.errors import GameError as GameError
    from carddb.core.errors import InputError as InputError
    from carddb.core.errors import OutputError as OutputError
    from carddb.core.errors import QueryError as QueryError
    from carddb.core.errors import TemplateError as TemplateError
    from carddb.core.errors import UsageError as UsageError
    from carddb.deck.context import Context as Context
    from carddb.door import CardList as CardList
    from carddb.door import Project as Project
    from carddb.door import ProjectCard as ProjectCard
    from carddb.door import open as open
    from carddb.findings import Finding as Finding
    from carddb.findings import Place as Place
    from carddb.findings import Severity as Severity
    from carddb.findings import verdict as verdict
    from carddb.game.game import GameSpec as GameSpec
    from carddb.games import Game as Game
    from carddb.games import folders as folders
    from carddb.games import load as load
    from carddb.games.referee import judge as judge
    from carddb.press.components.components import print_components as print_components
    from carddb.press.faces.workshop import open_workshop as open_workshop
    from carddb.press.sheets.options import SheetOptions as SheetOptions
    from carddb.press.sheets.sheets import print_cards as print_cards
    from carddb.read.cards.export import write_cards as write_cards
    from carddb.read.cards.file import read_cards as read_cards
    from carddb.read.decks.text import load_deck as load_deck
    from carddb.read.decks.text import read_deck as read_deck
    from carddb.read.decks.writer import write_deck as write_deck

_DOOR = {
    "carddb.app.bans.lists": ("BanList", "BanListState"),
    "carddb.app.cards.load": ("LoadReport",),
    "carddb.app.decks.check": ("CheckRequest", "Report", "check"),
    "carddb.app.decks.check_many": ("Reports",),
    "carddb.app.decks.meta": ("Meta",),
    "carddb.app.workspace.workspace": ("Notice", "Progress"),
    "carddb.app.workspace.published_folder": ("PrintedFile",),
    "carddb.app.printing.sheet_job": ("PrintResult",),
    "carddb.cards.cards": ("Card", "Deck", "Entry", "Pool"),
    "carddb.catalog.store": ("Catalog",),
    "carddb.deck.context": ("Context",),
    "carddb.door": ("CardList", "Project", "ProjectCard", "open"),
    "carddb.core.errors": (
        "CarddbError",
        "CatalogError",
        "FontError",
        "GameError",
        "InputError",
        "OutputError",
        "QueryError",
        "TemplateError",
        "UsageError",
    ),
    "carddb.findings": ("Finding", "Place", "Severity", "verdict"),
    "carddb.game.game": ("GameSpec",),
    "carddb.games": ("Game", "folders", "load"),
    "carddb.games.referee": ("judge",),
    "carddb.press.components.components": ("print_components",),
    "carddb.press.sheets.options": ("SheetOptions",),
    "carddb.press.sheets.sheets": ("print_cards",),
    "carddb.press.faces.workshop": ("open_workshop",),
    "carddb.cards.query": ("parse",),
    "carddb.read.cards.file": ("read_cards",),
    "carddb.read.decks.text": ("load_deck", "read_deck"),
    "carddb.read.decks.writer": ("write_deck",),
    "carddb.read.cards.export": ("write_cards",),
}
_MODULE_OF = {name: module for module, names in _DOOR.items() for name in names}

__all__ = [*sorted(_MODULE_OF)]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"carddb has no public name {name!r}")
    return getattr(import_module(_MODULE_OF[name]), name)


def __dir__() -> list[str]:
    return list(__all__)
