"""The printing that a selection chooses by its code or its set: the card is drawn with the picture of that one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from carddb.query.terms import folded

if TYPE_CHECKING:
    from carddb.app.selection import Selection
    from carddb.cards import Card, Printing
    from carddb.query import Query


def sets_of(query: Query) -> list[str]:
    """The sets that a query names, or parts of their names, folded."""
    return [folded(text).strip() for field, text in query.texts() if field == "set"]


def of_sets(card: Card, sets: Iterable[str]) -> list[Printing]:
    """The printings of a card in these sets."""
    return [each for each in card.printings if any(part in folded(each.set) for part in sets)]


def printed_as(card: Card, code: str) -> Card:
    """A card with the picture of its printing of this code, where that has one of its own."""
    return _with_art(card, (each for each in card.printings if each.code.casefold() == code.casefold()))


def printed_in_sets(part: Selection, query: Query) -> Selection:
    """The cards of a query, each with the picture of its printing in the sets that the query names."""
    sets = sets_of(query)
    return part._replace(copies=[(_with_art(card, of_sets(card, sets)), count) for card, count in part.copies])


def _with_art(card: Card, printings: Iterable[Printing]) -> Card:
    art = next((each.art for each in printings if each.art), "")
    return card._replace(values={**card.values, "art": art}) if art else card
