"""The cards and ban lists of games on a day, read from the open catalogue, each once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING

from carddb.cards import Pool

if TYPE_CHECKING:
    from carddb.app.project import Project
    from carddb.bans.log import Log
    from carddb.catalog.store import Catalog
    from carddb.games import Game


class DayCards:
    """What decks are checked against, remembered for as long as the catalogue is open."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._pools: dict[tuple[str, date], Pool] = {}
        self._bans: dict[tuple[str, date], Log] = {}

    def pool(self, game: Game, on: date) -> Pool:
        """The cards of a game that may be picked from on a day."""
        key = game.key, on
        if key not in self._pools:
            self._pools[key] = self.catalog.pool(game.spec, day=on)
        return self._pools[key]

    def bans(self, game: Game, on: date) -> Log:
        """The ban lists of a game by the terms in force on a day."""
        key = game.key, on
        if key not in self._bans:
            self._bans[key] = self.catalog.ban_log(game.key, day=on)
        return self._bans[key]


@contextmanager
def day_cards(project: Project) -> Iterator[DayCards]:
    """The cards of the project's catalogue, which stays open meanwhile."""
    with project.catalog() as catalog:
        yield DayCards(catalog)


def cards_at_hand(project: Project, game: Game) -> Pool:
    """The game's cards today: those of the catalogue where there is one, else the bundled ones."""
    from carddb.app.clock import today

    if not project.has_catalog():
        return game.own_cards
    with project.catalog() as catalog:
        return catalog.pool(game.spec, day=today())
