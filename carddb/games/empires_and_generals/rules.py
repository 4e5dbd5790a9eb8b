"""The checks, operations and template functions of Empires and Generals, with the advice on a balanced deck."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from carddb.cards.cards import Deck, Pool
from carddb.core.groups import totals
from carddb.findings import Finding, Place
from carddb.game.game import GameSpec
from carddb.games.lazy import LazyPackage
from carddb.games.printed_words import finding

if TYPE_CHECKING:
    from carddb.deck import Context  # 40 ms, which only a check should take

empires = LazyPackage("carddb.games.empires_and_generals")

OPERATIONS = empires.operations("play.decks", "play.turn")

component_data = empires.function("components", "component_data")
face_data = empires.function("components", "face_data")
templates_of = empires.function("components", "templates_of")


def balanced_deck(deck: Deck, spec: GameSpec, pool: Pool, context: Context) -> list[Finding]:
    """Returns a finding if a deck, though legal, differs from the recommended numbers by type (E-18 to E-20)."""
    counts = totals((entry.card.type, entry.count) for entry in deck.entries if entry.card)
    differences = difference(spec, counts)
    if not any(differences.values()):
        return []
    advised: Mapping[str, int] = spec.data["balanced_deck"]
    parts = [
        f"{spec.label_of(kind)} {counts[kind]} instead of {advised[kind]}" for kind, by in differences.items() if by
    ]
    data = {"difference": differences, "count": dict(counts), "limit": dict(advised)}
    return [finding(spec, "balanced_deck", Place(deck.file), data=data, words={"parts": ", ".join(parts)})]


def difference(spec: GameSpec, counts: Mapping[str, int]) -> dict[str, int]:
    """Returns, for each type, how many cards there are above the recommended number; negative if there are fewer."""
    return {kind: counts.get(kind, 0) - advised for kind, advised in spec.data["balanced_deck"].items()}


CHECKS = [balanced_deck]
