"""As many copies of each card as its printings say that a playset has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from carddb.query.terms import folded

if TYPE_CHECKING:
    from carddb.app.selection import Selection
    from carddb.cards import Card
    from carddb.query import Query


def playset(part: Selection, query: Query) -> Selection:
    """The cards of a query, each as often as its printing in the sets that the query names, else the largest, says."""
    sets = [folded(text).strip() for field, text in query.texts() if field == "set"]
    return part._replace(copies=[(card, _quantity(card, sets)) for card, _ in part.copies])


def _quantity(card: Card, sets: Sequence[str]) -> int:
    printings = [each for each in card.printings if each.quantity]
    of_sets = [each for each in printings if any(part in folded(each.set) for part in sets)]
    return max((each.quantity or 1 for each in of_sets or printings), default=1)
