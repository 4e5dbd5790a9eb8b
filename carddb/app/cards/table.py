"""Cards as a table: in which order, and with which columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from carddb.cards.cards import Card
from carddb.catalog.search import natural
from carddb.core.errors import UsageError
from carddb.core.names import did_you_mean
from carddb.game.game import GameSpec

_USUAL = "ref,name,type,rarity,set"


class Column(NamedTuple):
    """A field as games have it: its name in each, by the key of the game."""

    name: str
    names: Mapping[str, str]

    def value(self, card: Card) -> Any:
        """What a card has there; None where it has nothing, or its game has no such field."""
        value = card.get(self.names.get(card.game, self.name))
        return None if value == "" else value


def sorted_cards(cards: Iterable[Card], specs: Sequence[GameSpec], order: str) -> list[Card]:
    """Cards by fields such as `rarity,-strength`: a minus turns the order round, a card without the field comes last.

    Numbers go by size, choices as the game lists them, texts by the numbers within them. Raises UsageError for an
    unknown field.
    """
    out = list(cards)
    for part in reversed(_parts(order)):
        column = _column(part.removeprefix("-"), specs)
        rank = _rank(column, specs)
        out.sort(key=lambda card: rank(column.value(card)), reverse=part.startswith("-"))
        out.sort(key=lambda card: column.value(card) is None)
    return out


def columns(cards: Iterable[Card], specs: Sequence[GameSpec], names: str = "") -> list[Column]:
    """The columns of these names, or the usual ones, of which any card has something. Raises UsageError."""
    cards = list(cards)
    chosen = [_column(name, specs, optional=not names) for name in _parts(names or _USUAL)]
    return [column for column in chosen if any(column.value(card) is not None for card in cards)]


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _column(word: str, specs: Sequence[GameSpec], optional: bool = False) -> Column:
    """The field that a word means in each game. Raises UsageError where none has it, unless that is `optional`."""
    names = {spec.key: "game" if word == "game" else spec.field_words.find(word) for spec in specs}
    keys = {key: name for key, name in names.items() if name}
    if not keys and not optional:
        raise UsageError(
            f"there is no field {word!r}", did_you_mean(word, {f: 0 for s in specs for f in s.all_fields()})
        )
    return Column(next(iter(keys.values()), word), keys)


def _rank(column: Column, specs: Sequence[GameSpec]) -> Any:
    """What values are sorted by: their place among the choices of a game, numbers, or the text."""
    fields = [spec.all_fields().get(column.names.get(spec.key, "")) for spec in specs]
    places = {value: at for field in fields if field for at, value in enumerate(field.of)}

    @cache
    def of_text(text: str) -> Any:
        return (1, places[text], "") if text in places else (2, natural(text), "")

    def rank(value: Any) -> Any:
        if isinstance(value, int | float):
            return 0, value, ""
        return of_text(value if isinstance(value, str) else "" if value is None else str(value))

    return rank
