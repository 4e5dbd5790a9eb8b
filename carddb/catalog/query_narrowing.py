"""What the database can tell of a query, so that few cards are left to its predicate, which decides."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from carddb.game import GameSpec
from carddb.query import Query
from carddb.query.terms import folded

MOST_VALUES = 500
"""Values of one question to the database."""
_MOST_WORDS = 20
_COLUMNS = ("ref", "set", "type", "name")
_LARGEST = 2**53
"""Up to here SQLite and Python compare whole numbers and fractions alike."""

Conditions = tuple[str, Sequence[str | float]]
"""More conditions in SQL on a row of the table of cards, and their values."""
EVERY_CARD: Conditions = ("", ())


def narrowing(spec: GameSpec, query: Query) -> Conditions:
    """What the row of a card meets where it is a hit of a query over the cards of a game."""
    if not _is_indexed(spec):
        return EVERY_CARD
    conditions = ""
    values: list[str | float] = []
    for column in _COLUMNS:
        choices = query.equal(column)
        if choices is not None and len(choices) <= MOST_VALUES:
            conditions += f' AND "{column}" IN ({marks(choices)})'
            values += sorted(choices)
    for field, condition, limits in _of_fields(query, _fields_of_rows(spec)):
        # A card without the field may have it by default or by its type: only the predicate can tell.
        conditions += f" AND (data ->> ? IS NULL OR data ->> ? {condition})"
        path = f'$."{field}"'
        values += [path, path, *limits]
    for words in _of_words(query):
        conditions += " AND id IN (SELECT rowid FROM card_words WHERE card_words MATCH ?)"
        values.append(words)
    return conditions, values


def indexed(values: Mapping[str, Any]) -> str:
    """The words of a card as they are found: of its name and text. The index parts and lowers plain ASCII itself."""
    texts = [text for text in (values.get("name"), values.get("text")) if isinstance(text, str)]
    return " ".join([text if text.isascii() and "&" not in text else folded(text) for text in texts])


def _of_words(query: Query) -> Iterator[str]:
    """What to ask of the words of every hit: those that begin with the query's, and those of a name it demands."""
    if words := sorted(query.words(), key=len, reverse=True)[:_MOST_WORDS]:
        yield " ".join(f'"{word}"*' for word in words)
    names = [folded(name).split() for name in sorted(query.equal("name") or ())]
    if all(names) and 0 < len(names) <= _MOST_WORDS:
        yield " OR ".join("(" + " ".join(f'"{word}"' for word in name[:_MOST_WORDS]) + ")" for name in names)


def _of_fields(query: Query, fields: Collection[str]) -> Iterator[tuple[str, str, list[str | float]]]:
    """A field, what SQL asks of its value, and the values of that."""
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
    """The fields that no type lays down for its cards."""
    implied = {name for kind in spec.types.values() for name in kind.implies}
    return [field for field in spec.all_fields() if field not in implied]


def _is_indexed(spec: GameSpec) -> bool:
    """Whether what is searched by word stands in the row: not where the game gives cards a name, text or set."""
    declared = [*spec.fields.items(), *(pair for kind in spec.types.values() for pair in kind.fields.items())]
    defaults = {name for name, field in declared if field.default is not None}
    implied = {name for kind in spec.types.values() for name in kind.implies}
    return not (defaults | implied) & {*_COLUMNS, "text"}
