"""Cards to browse: the cards that a query finds, with ways to narrow it, and the fields of a card as they are shown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from carddb.app.cards.search import search
from carddb.app.workspace.clock import today
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Card
from carddb.core.errors import QueryError
from carddb.core.names import capital, nearest
from carddb.game.game import GameSpec
from carddb.games import Game
from carddb.layout.text.markup import plain

_WORD = re.compile(r"[\w-]+")
_FIELD_BEFORE = re.compile(r"(\w+)\s*(?:!?[:=]|[<>]=?)[^\s:=<>]*$")
"""Matches the field and the operator before a word of a query, if the word is part of the value of a field."""
_MOST_VALUES = 14
"""The most values of a field that a filter offers."""


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value of a field by which a search can be narrowed, with the number of found cards that have it.

    `query` is the query with this condition added; or, if the query has it already (`chosen`), the query without it.
    """

    label: str
    count: int
    query: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Facet:
    """A field by which a search can be narrowed, with the values that the cards found have most often."""

    label: str
    values: tuple[FacetValue, ...]


def gallery(project: Workspace, query: str, key: str | None, on: date | None) -> tuple[list[Card], list[Facet]]:
    """Returns the cards that a query finds, and facets to narrow it. Raises QueryError, UsageError as `search`."""
    cards, games, facets = search(project, query, key, on), project.searched_games(key), list[Facet]()
    if len(games) > 1:
        names = {game.key: game.spec.name for game in games}
        facets += _facet("Game", "game", query, (card.game for card in cards), names)
        games = [game for game in games if {card.game for card in cards} == {game.key}]
    for game in games:
        facets += _of_game(game, query, cards)
    return cards, facets


def query_words(project: Workspace, key: str | None) -> dict[str, list[str]]:
    """Returns the fields that a query may name, each with its values (none unless they are a closed list)."""
    words: dict[str, list[str]] = {}
    for game in project.searched_games(key):
        for name, field in game.spec.query_fields().items():
            values, closed = words.setdefault(name, []), game.spec.types if name == "type" else field.closed
            values += [value for value in closed if value not in values]
    return words


def corrections(fault: QueryError, words: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    """Returns corrections of the word at which a query fails, as pairs of a near word and the corrected query.

    Near words are fields, or values of the field before the word. `words` come from `query_words`.
    """
    before, rest = fault.query[: fault.position], fault.query[fault.position :]
    word = _WORD.match(rest)
    if word is None:
        return []
    field = _FIELD_BEFORE.search(before)
    choices = words.get(field[1].lower(), ()) if field else words
    after = rest[word.end() :]
    return [(near, f"{before}{_quoted(near)}{after}") for near in nearest(word[0], choices)]


def _of_game(game: Game, query: str, cards: Sequence[Card]) -> Iterator[Facet]:
    spec = game.spec
    types = {name: spec.label_of(name) for name in spec.types}
    yield from _facet("Type", "type", query, (card.type for card in cards), types)
    for name, field in spec.all_fields().items():
        if name not in ("type", "emblem") and field.type in ("choice", "list") and field.closed:
            given = (value for card in cards if (value := card.get(name)) not in (None, ""))
            values = (each for value in given for each in ([value] if isinstance(value, str) else value))
            labels = {value: field.labels.get(value) or value.replace("_", " ") for value in field.closed}
            yield from _facet(field.label or name, name, query, values, labels)
    yield from _facet("Set", "set", query, (card.set for card in cards), {})


def _facet(label: str, field: str, query: str, values: Iterable[str], labels: Mapping[str, str]) -> Iterator[Facet]:
    """Yields a facet of the cards' values, if they are several or one is a condition of the query."""
    counts = Counter(values)
    offered = tuple(
        FacetValue(labels.get(value) or value, count, *_toggled(query, f"{field}:{_quoted(value)}"))
        for value, count in counts.most_common(_MOST_VALUES)
        if value
    )
    if len(offered) > 1 or any(value.chosen for value in offered):
        yield Facet(label, offered)


def _toggled(query: str, term: str) -> tuple[str, bool]:
    """Returns the query with `term` added, or removed if it was in it, and whether it was in it."""
    words = query.split()
    if term in words:
        words.remove(term)
        return " ".join(words), True
    return f"{query} {term}".strip(), False


def _quoted(value: str) -> str:
    return f'"{value}"' if any(letter in value for letter in " ,:()") else value


_HEAD = ("ref", "name", "type", "set", "art", "face_image", "flavor")
"""The fields that the page of a card shows elsewhere than in its list of fields."""
_BRIEF = 30
"""The most characters of a brief value; longer ones are shown after the brief ones."""


def neighbours(project: Workspace, game: Game, card: Card, on: date | None) -> tuple[Card | None, Card | None]:
    """Returns the cards before and after a card in its set; None in place of one that does not exist."""
    with project.catalog() as catalog:
        pool = catalog.pool(game.spec, day=on or today(), with_sample=True)
    cards = [each for each in pool if each.set == card.set]
    at = next((at for at, each in enumerate(cards) if each.ref == card.ref), None)
    if at is None:
        return None, None
    return cards[at - 1] if at else None, cards[at + 1] if at + 1 < len(cards) else None


def shown_fields(spec: GameSpec, card: Card, whole: bool = False) -> list[tuple[str, Any]]:
    """Returns the fields of a card that are not empty or default, as pairs of displayed name and displayed value.

    Fields that the page of a card shows in another place are left out, unless `whole`. Integers come first, then other
    brief values, then long texts, each group in the order of the game's fields.
    """
    head, every = (_HEAD[:3], spec.all_fields()) if whole else (_HEAD, {})
    fields = {**every, **spec.fields_of(card.type)}
    names = [name for name in fields if card.get(name) not in (None, "", fields[name].default, (), [])]
    names.sort(key=lambda name: (fields[name].type != "integer", len(str(card.get(name))) > _BRIEF))
    return [field_words(spec, card, name, card.get(name)) for name in names if name not in head]


def field_words(spec: GameSpec, card: Card, name: str, value: Any) -> tuple[str, Any]:
    """Returns the displayed name of a card's field, and `value` as it is displayed (empty for None)."""
    if name == "type":
        return name, spec.kind_of(card)
    field = {**spec.all_fields(), **spec.fields_of(card.type)}.get(name)
    label = (field and field.label) or capital(name.replace("_", " "))
    return label, "" if value is None else field.shown(value, spec.page_words, plain) if field else value


def caption(spec: GameSpec, card: Card) -> str:
    """Returns the caption of a card: its fields that `spec.caption` names, such as `Side 1 · Ops`, or its type."""
    fields = spec.fields_of(card.type)
    values = [(card.get(name), fields[name]) for name in spec.caption if name in fields]
    texts = [str(field.shown(value, spec.page_words, plain)) for value, field in values if value]
    return capital(" · ".join(texts)) or spec.kind_of(card)
