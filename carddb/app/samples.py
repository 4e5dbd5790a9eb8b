"""The sample cards and sample ban lists of the bundled games, into a catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carddb.app.announcements import put
from carddb.app.clock import now, today
from carddb.cards import SAMPLE
from carddb.errors import GameError

if TYPE_CHECKING:
    from carddb.app.project import Project
    from carddb.catalog.store import Catalog


def load_samples(project: Project, catalog: Catalog, only: str | None = None) -> int:
    """Loads the sample cards of the bundled games (or of one) into set `sample`; gives their number."""
    from carddb.read.bans import read_bans

    total = 0
    for folder in project.folders.values():
        if not folder.bundled or (only and folder.key != only):
            continue
        game = project.game(folder.key)
        if game.own_file is None:
            continue
        records = game.own_file.records
        catalog.load(
            game.spec, records, day=today(), sets=frozenset({SAMPLE}), author="carddb",
            source=f"{folder.key}/cards.csv", recorded_at=now(),
        )  # fmt: skip
        total += len(records)
        if folder.bans_file:
            source = f"{game.key}/{folder.bans_file.name}"
            result = put(catalog, game, read_bans(folder.bans_file), source, "carddb", sample=True)
            if result.refused:
                fault = result.findings[0].message
                raise GameError(f"the ban lists of {game.key} cannot be used: {fault}", "Mend the file.")
    return total
