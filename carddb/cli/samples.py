"""The sample cards of the bundled games, into a catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carddb.cards import SAMPLE
from carddb.cli.clock import now, today
from carddb.errors import GameError

if TYPE_CHECKING:
    from pathlib import Path

    from carddb.catalog.store import Catalog
    from carddb.cli.session import Session
    from carddb.games import Game


def _load_lists(game: Game, catalog: Catalog, path: Path) -> None:
    from carddb.cli.announced import put
    from carddb.read.bans import read_bans

    result = put(catalog, game, read_bans(path), f"{game.key}/{path.name}", "carddb", sample=True)
    if result.refused:
        raise GameError(f"the ban lists of {game.key} cannot be used: {result.findings[0].message}", "Mend the file.")


def load_samples(session: Session, catalog: Catalog, only: str | None = None) -> int:
    """Loads the sample cards of the bundled games (or of one) into set `sample`; gives their number."""
    total = 0
    for folder in session.folders.values():
        if not folder.bundled or (only and folder.key != only):
            continue
        game = session.game(folder.key)
        file = game.own_file
        if file is None:
            continue
        catalog.load(
            game.spec, file.records, day=today(), sets=frozenset({SAMPLE}), author="carddb",
            source=f"{folder.key}/cards.csv", recorded_at=now(),
        )  # fmt: skip
        total += len(file.records)
        if folder.bans_file:
            _load_lists(game, catalog, folder.bans_file)
    return total
