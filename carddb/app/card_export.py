"""Cards out of the catalogue into a file."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from carddb.app.clock import today
from carddb.errors import UsageError

if TYPE_CHECKING:
    from carddb.app.project import Project

KINDS = ("csv", "tsv", "xlsx", "json", "yaml", "yml")


class CardExport(NamedTuple):
    """A file of cards: its bytes and how many cards it has; none where nothing matched."""

    data: bytes
    cards: int


def export_cards(project: Project, query: str, kind: str, key: str | None, on: date | None) -> CardExport:
    """The cards that a query finds, as they were given. Raises UsageError, QueryError."""
    from carddb.read.export import write_cards

    game = project.only_game(key)
    if kind not in KINDS:
        raise UsageError(f"cards are not written as {kind!r}", f"Known: {', '.join(KINDS)}.")
    parsed = game.spec.query(query)
    with project.catalog() as catalog:
        cards = catalog.given(game.spec, parsed, day=on or today())
    data = write_cards(cards, game.spec, "yaml" if kind == "yml" else kind) if cards else b""
    return CardExport(data, len(cards))
