"""A search without a hit: the same with the nearest words, where that finds something."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from carddb.app.cards.search import search
from carddb.app.workspace.clock import today
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Card, Pool
from carddb.cards.query import searched_fields
from carddb.cards.query.terms import folded
from carddb.core.errors import QueryError
from carddb.core.near_names import NearNames
from carddb.games import Game

_MOST_WORDS = 5
"""Words of a query for which near ones are looked for."""


class NearQuery(NamedTuple):
    """A query that finds something, and how many cards."""

    text: str
    cards: int


def near_query(project: Workspace, query: str, key: str | None, on: date | None) -> NearQuery | None:
    """The query with the words that no card has replaced by the nearest that one has; None where that finds nothing."""
    for game in project.searched_games(key):
        better = _better(project, game, query, on or today())
        if better != query and (hits := search(project, better, key, on)):
            return NearQuery(better, len(hits))
    return None


def _better(project: Workspace, game: Game, query: str, on: date) -> str:
    """The query with near words of one game's cards; the same where its words are known, or it cannot be read."""
    try:
        texts = game.spec.query(query).texts()
    except QueryError:
        return query
    with project.catalog() as catalog:
        pool = catalog.pool(game.spec, day=on)
    for field, text in sorted(texts)[:_MOST_WORDS]:
        query = _replaced(query, text, _nearest(game, pool, field, text))
    return query


def _nearest(game: Game, pool: Pool, field: str, text: str) -> str:
    """The nearest word or value of the cards; the text itself where a card has it, or nothing is near."""
    fields = [field] if field else searched_fields(game.spec.query_fields())
    values = {value for card in pool for value in _values(card, fields)}
    if field:
        if any(folded(text) in folded(value) for value in values):
            return text
        words = values | {word for value in values for word in folded(value).split()}
    else:
        words = {word for value in values for word in folded(value).split()}
        if any(word.startswith(text) for word in words):
            return text
    return next(iter(NearNames(sorted(words)).near(text)), text)


def _values(card: Card, fields: Iterable[str]) -> Iterable[str]:
    for field in fields:
        value = card.get(field)
        if isinstance(value, str):
            yield value
        yield from card.printed(field)


def _replaced(query: str, text: str, near: str) -> str:
    """The query with a word or value in place of another, however that is written in it."""
    if near == text:
        return query
    value = near if re.fullmatch(r"\w+", near) else f'"{near}"'
    quoted = re.escape(text)
    return re.sub(rf'"{quoted}"|\b{quoted}\b', lambda _: value, query, flags=re.IGNORECASE)
