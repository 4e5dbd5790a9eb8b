"""The hands that the sides of a module begin with, for the numbers of a deck."""

from __future__ import annotations

from carddb.cards.cards import Deck
from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module.module import module_of
from carddb.play.question import Options


def opening_hands(deck: Deck, spec: GameSpec, options: Options) -> list[tuple[str, int, str]]:
    """For each deck of the module that is the format: its section, the cards of a hand, and why it has none."""
    key = deck.headers.get("format", "")
    if key not in spec.data["modules"]:
        return [("main", 0, "The deck names no module, which says how many cards a hand has.")]
    module = module_of(spec, key)
    sides = {module.deck_of(side): side for side in reversed(module.side_ids)}
    return [_hand(section, module.hand.default.get(sides[section]), module.title) for section in module.decks]


def _hand(section: str, cards: int | None, title: str) -> tuple[str, int, str]:
    return section, cards or 0, "" if cards else f"{title} fixes no number of cards for a first hand."
