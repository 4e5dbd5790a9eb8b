"""The sample cards and sample ban lists of games, into a catalogue."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from carddb.app.workspace.ban_file import put
from carddb.app.workspace.clock import now, today
from carddb.cards.cards import SAMPLE
from carddb.catalog.store import Catalog
from carddb.core.errors import GameError
from carddb.games import Game
from carddb.read.documents.bans import read_bans


def create_catalog(path: Path, games: Iterable[Game]) -> int:
    """Makes a catalogue with the samples of games; gives the number of its cards. Raises CatalogError, GameError."""
    with Catalog.create(path) as catalog:
        return load_samples(catalog, games)


def load_samples(catalog: Catalog, games: Iterable[Game]) -> int:
    """Loads the sample cards and ban lists of games into set `sample`; gives the number of cards. Raises GameError."""
    total = 0
    for game in games:
        if game.own_file is None:
            continue
        records = game.own_file.records
        catalog.load(
            game.spec, records, day=today(), sets=frozenset({SAMPLE}), author="carddb",
            source=f"{game.key}/cards.csv", recorded_at=now(),
        )  # fmt: skip
        total += len(records)
        if game.folder.bans_file:
            source = f"{game.key}/{game.folder.bans_file.name}"
            result = put(catalog, game, read_bans(game.folder.bans_file), source, "carddb", sample=True)
            if result.refused:
                fault = result.findings[0].message
                raise GameError(f"the ban lists of {game.key} cannot be used: {fault}", "Mend the file.")
    return total
