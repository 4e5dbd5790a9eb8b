"""SQL conditions of a query, so that its predicate, which decides, has few cards to test."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from carddb.cards.query import Query, searched_fields
from carddb.cards.query.terms import folded
from carddb.game.game import GameSpec

MOST_VALUES = 500
"""Values in one statement."""
_MOST_WORDS = 20
_COLUMNS = ("ref", "set", "type", "name")
_OF_PRINTINGS = {"ref": "code", "set": "set"}
"""Columns that each printing of a card has for itself, and what they are called there."""
_NO_WORDS = frozenset(("ref", "set", "type", "art", "emblem", "face_image", "face_fit"))
"""Values in which no query looks for words."""
_REF_OR_TRANSLATED_NAME = """ AND ref IN (
    SELECT value FROM json_each(?) UNION ALL SELECT card.ref FROM translation JOIN card ON card.id = card_id
    WHERE translation.name IN (SELECT value FROM json_each(?)))"""
_LARGEST = 2**53
"""Up to here SQLite and Python compare whole numbers and fractions alike."""

Conditions = tuple[str, Sequence[str | float]]
"""More conditions in SQL on a row of the table of cards, and their values."""
EVERY_CARD: Conditions = ("", ())
_INDEX_MATCHES = " AND id IN (SELECT rowid FROM card_words WHERE card_words MATCH ?)"
_ANY_INDEX_MATCHES = """ AND (id IN (SELECT rowid FROM card_words WHERE card_words MATCH ?) OR id IN (
    SELECT card_id FROM translation WHERE id IN (
        SELECT rowid FROM translation_words WHERE translation_words MATCH ?)))"""


def narrowing(spec: GameSpec, query: Query, translated: bool = False) -> Conditions:
    """Conditions that the row of every card fulfils that a query over a game's cards finds.

    With `translated` the query is about cards in another language, whose words stand elsewhere.
    """
    if not _is_indexed(spec):
        return EVERY_CARD
    conditions = ""
    values: list[str | float] = []
    elsewhere = spec.translatable if translated else frozenset[str]()
    for column in _COLUMNS:
        choices = query.equal(column)
        if choices is not None and len(choices) <= MOST_VALUES and column not in elsewhere:
            conditions += " AND " + _among(column, marks(choices))
            values += sorted(choices) * (2 if column in _OF_PRINTINGS else 1)
    fields = [name for name in _fields_of_rows(spec) if name not in elsewhere]
    for field, condition, limits in _of_fields(query, fields):
        # A card without the field may have it by default or by its type: the predicate decides.
        conditions += f" AND (data ->> ? IS NULL OR data ->> ? {condition})"
        path = f'$."{field}"'
        values += [path, path, *limits]
    if translated:
        # One word may stand in the translation and the next in a field that has none.
        for word in query.words()[:_MOST_WORDS] if _are_indexed(spec) else ():
            conditions += _ANY_INDEX_MATCHES
            values += [f'"{word}"*'] * 2
        return conditions, values
    for words in _of_words(query, _are_indexed(spec)):
        conditions += _INDEX_MATCHES
        values.append(words)
    return conditions, values


def _among(column: str, values: str) -> str:
    """The condition that a column of a card, or of one of its printings, has one of these values."""
    own = f'"{column}" IN ({values})'
    if column not in _OF_PRINTINGS:
        return own
    of_printings = f'"{_OF_PRINTINGS[column]}" IN ({values})'
    return f"({own} OR id IN (SELECT card_id FROM printing WHERE retired = 0 AND {of_printings}))"


def mention_conditions(spec: GameSpec, words: Collection[str]) -> Iterator[Conditions]:
    """Conditions of which each card fulfils one whose reference or name, in any language, is one of these words."""
    if not _is_indexed(spec):
        yield EVERY_CARD
        return
    listed = json.dumps(sorted(words))
    yield _REF_OR_TRANSLATED_NAME, [listed, listed]
    names = [name for word in sorted(words) if (name := folded(word).split())]
    for start in range(0, len(names), _MOST_WORDS):
        any_name = _any_name(names[start : start + _MOST_WORDS])
        yield f"{_INDEX_MATCHES} AND name IN (SELECT value FROM json_each(?))", [any_name, listed]


def indexed(values: Mapping[str, Any]) -> str:
    """The words of a card's name and texts for the index, which splits and lowers plain ASCII itself."""
    texts = [text for name, text in values.items() if type(text) is str and name not in _NO_WORDS]
    words = " ".join(texts)
    return words if _is_plain(words) else " ".join([text if _is_plain(text) else folded(text) for text in texts])


def _is_plain(text: str) -> bool:
    return text.isascii() and "&" not in text


def _of_words(query: Query, all_texts: bool) -> Iterator[str]:
    """FTS queries that every hit fulfils: words that begin with the query's, and the words of a required name.

    `all_texts` says whether the index has the words of all texts of a card.
    """
    if all_texts and (words := sorted(query.words(), key=len, reverse=True)[:_MOST_WORDS]):
        yield " ".join(f'"{word}"*' for word in words)
    names = [folded(name).split() for name in sorted(query.equal("name") or ())]
    if all(names) and 0 < len(names) <= _MOST_WORDS:
        yield _any_name(names)


def _any_name(names: Iterable[Sequence[str]]) -> str:
    """The FTS query for texts that hold all words of one of the names."""
    return " OR ".join("(" + " ".join(f'"{word}"' for word in name[:_MOST_WORDS]) + ")" for name in names)


def _of_fields(query: Query, fields: Collection[str]) -> Iterator[tuple[str, str, list[str | float]]]:
    """A field, the condition on its value, and the parameters of that."""
    for field in fields:
        choices = query.equal(field)
        if field not in _COLUMNS and choices is not None and len(choices) <= MOST_VALUES:
            yield field, f"IN ({marks(choices)})", sorted(choices)
    for field, op, limit in query.bounds():
        if field in fields and abs(limit) < _LARGEST:
            yield field, f"{op} ?", [limit]


def marks(values: Collection[object]) -> str:
    """As many places as there are values."""
    return ", ".join("?" * len(values))


def _fields_of_rows(spec: GameSpec) -> list[str]:
    """The fields whose values are stored in the row: no type gives them to its cards."""
    implied = {name for kind in spec.types.values() for name in kind.implies}
    return [field for field in spec.all_fields() if field not in implied]


def _is_indexed(spec: GameSpec) -> bool:
    """Whether the row holds name, type and set itself: not where the game gives cards one of them."""
    return not _filled_in(spec).intersection(_COLUMNS)


def _are_indexed(spec: GameSpec) -> bool:
    """Whether the row holds every text in which words are searched."""
    return not _filled_in(spec).intersection(searched_fields(spec.query_fields()))


def _filled_in(spec: GameSpec) -> set[str]:
    """The fields that cards have by default, or by their type."""
    declared = [*spec.fields.items(), *(pair for kind in spec.types.values() for pair in kind.fields.items())]
    defaults = {name for name, field in declared if field.default is not None}
    return defaults | {name for kind in spec.types.values() for name in kind.implies}
