"""The other face of a double-faced card: a card of the same reference with the fields that its type says."""

from __future__ import annotations

from carddb.cards.cards import Card
from carddb.game.game import GameSpec

_SHARED = ("type", "set")
"""Fields that both faces have alike."""


def reverse_of(spec: GameSpec, card: Card) -> Card | None:
    """The other face of a card as a card; None where the card has none of its fields."""
    kind = spec.types.get(card.type)
    values = {field: card.get(own) for field, own in kind.reverse.items()} if kind else {}
    values = {field: value for field, value in values.items() if value not in (None, "")}
    if not values:
        return None
    shared = {name: card.get(name) for name in _SHARED if card.get(name)}
    return spec.card(card.ref, {"name": card.name, **shared, **values})
