"""A remark on a deck: how often an opening hand has officers for an army."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carddb.cards.cards import Deck, Pool
from carddb.findings import Finding, Place, info
from carddb.game.game import GameSpec
from carddb.games.cahrd.play.setup import chance_of_hand, officers_needed
from carddb.play.chance import text

if TYPE_CHECKING:
    from carddb.deck import Context

RULES = ("C-63", "C-64")


def opening_hand(deck: Deck, spec: GameSpec, pool: Pool, context: Context) -> list[Finding]:
    """The chance of officers enough in the opening hand; nothing for a deck smaller than a hand (C-63, C-64)."""
    size, hand, need = deck.size("main"), spec.data["setup"]["hand"], officers_needed(spec)
    officers = sum(e.count for e in deck.entries if e.section == "main" and e.card and e.card.type == "officer")
    if size < hand:
        return []
    chance = chance_of_hand(size, officers, hand, need)
    return [
        info(
            "opening_hand",
            f"An opening hand of {hand} from {size} cards with {officers} officers has {need} officers or more "
            f"in {float(100 * chance):.1f} % of all deals",
            Place(deck.file),
            data={"officers": officers, "size": size, "chance": text(chance)},
            fix="More officers make it likelier: see `carddb odds cahrd`.",
            rules=RULES,
        )
    ]
