"""A file of cards for a module, to be filled in by the owner of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from carddb.core.errors import UsageError
from carddb.core.names import did_you_mean
from carddb.games.cdg_solo.module.module import module_of
from carddb.games.cdg_solo.print.deck_template import rows, unnumbered
from carddb.read.cards.export import write_cards

if TYPE_CHECKING:
    from carddb.app.tables.file import TableFile
    from carddb.games.cdg_solo.session import Session

MOST = 999
"""The most cards that a deck may have."""


class DeckTemplate(NamedTuple):
    """The file, how many cards it has, how many of them have a rule of their own, and which of those have no number."""

    data: bytes
    cards: int
    own: int
    unnumbered: list[str]


def deck_template(file: TableFile[Session], module: str, sizes: Mapping[str, int], kind: str) -> DeckTemplate:
    """The cards of a bundled module; `sizes` are the cards of decks by name, under an empty name those of all others.

    Raises UsageError for an unknown module, deck, size or kind.
    """
    spec = file.game.spec
    if module not in spec.data["modules"]:
        raise UsageError(f"there is no module {module}", did_you_mean(module, spec.data["modules"]))
    decks = module_of(spec, module).decks
    for deck, size in sizes.items():
        if deck and deck not in decks:
            raise UsageError(f"{module} has no deck {deck!r}", f"Its decks: {', '.join(decks)}.")
        if not 1 <= size <= MOST:
            raise UsageError(f"a deck has 1 to {MOST} cards, not {size}")
    rest = dict.fromkeys(decks, sizes[""]) if "" in sizes else {}
    cards = [(str(row.pop("ref")), row) for row in rows(spec, module, {**rest, **sizes})]
    own = sum(row["note"] is not None for _, row in cards)
    return DeckTemplate(write_cards(cards, spec, kind), len(cards), own, unnumbered(spec, module))
