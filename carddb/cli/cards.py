"""The cards that a verb without a catalogue of its own speaks of."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from carddb.cards import Pool
    from carddb.cli.session import Session
    from carddb.games import Game


def cards_at_hand(session: Session, game: Game) -> Pool:
    """The game's cards: those of the catalogue where there is one, else the bundled ones."""
    from carddb.catalog.store import Catalog
    from carddb.cli.clock import today

    if session.named_catalog or Catalog.exists(session.catalog_path):
        with session.catalog() as catalog:
            return catalog.pool(game.spec, day=today())
    return game.own_cards
