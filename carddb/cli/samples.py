"""The sample cards of the bundled games, into a catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carddb.cli.clock import now, today
from carddb.pool import SAMPLE

if TYPE_CHECKING:
    from carddb.catalog.store import Catalog
    from carddb.cli.session import Session


def load_samples(session: Session, catalog: Catalog, only: str | None = None) -> int:
    """Loads the sample cards of the bundled games (or of one) into set `sample`; gives their number."""
    from carddb.read.table import read_cards

    total = 0
    for folder in session.folders.values():
        if folder.cards_file is None or not folder.bundled or (only and folder.key != only):
            continue
        game = session.game(folder.key)
        file = read_cards(folder.cards_file, game.spec, default_set=SAMPLE, images_root=folder.path)
        catalog.load(
            game.spec, file.records, day=today(), sets=frozenset({SAMPLE}), author="carddb",
            source=f"{folder.key}/cards.csv", recorded_at=now(),
        )  # fmt: skip
        total += len(file.records)
    return total
