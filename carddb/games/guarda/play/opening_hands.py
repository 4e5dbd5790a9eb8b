"""The first hand of a player of Guarda, for the numbers of a deck."""

from __future__ import annotations

from carddb.cards.cards import Deck
from carddb.game.game import GameSpec
from carddb.games.guarda.play.variant import variant
from carddb.play.question import Options


def opening_hands(deck: Deck, spec: GameSpec, options: Options) -> list[tuple[str, int, str]]:
    """The section that is drawn from and how many cards, by the field that is the deck's format (G-34 to G-36)."""
    field = deck.headers.get("format") or spec.default_format or ""
    if field not in spec.formats:
        return [("pattern", 0, f"No field is called {field}, so that the first hand is not known.")]
    return [("pattern", variant(spec, options, int(spec.formats[field].label or 0)).opening_hand, "")]
