"""As many copies of each card as its printings say that a playset has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from carddb.app.chosen_printing import of_sets, sets_of

if TYPE_CHECKING:
    from carddb.app.selection import Selection
    from carddb.cards import Card
    from carddb.query import Query


def playset(part: Selection, query: Query) -> Selection:
    """The cards of a query, each as often as its printing in the sets that the query names, else the largest, says."""
    sets = sets_of(query)
    return part._replace(copies=[(card, _quantity(card, sets)) for card, _ in part.copies])


def _quantity(card: Card, sets: Sequence[str]) -> int:
    printings = [each for each in card.printings if each.quantity]
    in_sets = [each for each in of_sets(card, sets) if each.quantity]
    return max((each.quantity or 1 for each in in_sets or printings), default=1)
