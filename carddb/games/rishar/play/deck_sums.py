"""The sums on the list of an army: who leads it, with how much Morale, and what it costs."""

from __future__ import annotations

from carddb.cards.cards import Deck
from carddb.game.game import GameSpec
from carddb.games.rishar.play.armies import class_in
from carddb.games.rishar.play.morale import starting


def deck_sums(deck: Deck, spec: GameSpec) -> list[tuple[str, str, str]]:
    """Progression with the Commander's name and class, starting Morale, Upkeep: figure, label, note (R-43, R-151)."""
    own = class_in(deck, spec)
    label = spec.data["powers"]["classes"][own]["label"] if own else ""
    leader = ", ".join(filter(None, (deck.headers.get("commander"), label)))
    sums = []
    progression = deck.headers.get("progression", "0")
    if len(progression) < 10 and progression.isascii() and progression.isdigit():
        morale = starting(spec, int(progression))
        sums = [(str(int(progression)), "Progression", leader), (str(morale), "Morale", "at the start")]
    upkeep = sum(entry.count * int(entry.card.get("upkeep") or 0) for entry in deck.entries if entry.card)
    return [*sums, (str(upkeep), "Upkeep", "for a Day")]
