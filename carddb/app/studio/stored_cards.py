"""What the catalogue has of a game's cards, read again only where it may have changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from carddb.app.workspace.clock import today
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Card
from carddb.catalog.store import UnfiledEdits
from carddb.core.files import file_state
from carddb.games import Game


@dataclass(frozen=True, slots=True)
class StoredCards:
    """What the catalogue has of a game: values and frozen cards by reference, and edits that stand in no file.

    `sources` are the files that the revisions of each card come from.
    """

    values: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    cards: Mapping[str, Card] = field(default_factory=dict)
    edits: UnfiledEdits = field(default_factory=dict)
    sources: Mapping[str, list[str]] = field(default_factory=dict)


class CatalogueReader:
    """Reads the stored cards of a game. A look at the size and time of the catalogue's files says whether it has to:

    with 2,000 cards reading takes 450 ms, the look none.
    """

    def __init__(self, project: Workspace) -> None:
        self._project = project
        self._last: tuple[object, StoredCards] | None = None

    def cards(self, game: Game) -> StoredCards:
        """The stored cards as they are now, the same object as long as nothing has changed. Raises CatalogError."""
        path = self._project.catalog_path
        state = (id(game), today(), file_state(path), file_state(Path(f"{path}-wal")))
        if self._last is None or self._last[0] != state:
            self._last = state, self._read(game)
        return self._last[1]

    def _read(self, game: Game) -> StoredCards:
        with self._project.catalog() as catalog:
            return StoredCards(
                dict(catalog.given(game.spec, game.spec.query(""), day=today())),
                {card.ref: card for card in catalog.search(game.spec, day=today())},
                catalog.unfiled_edits(game.key),
                catalog.sources(game.key),
            )
