"""The strict records of the catalogue's tables: all that is written goes through one of them.

They import no database, and of Pydantic only its core: importing the rest takes longer than loading some thousand
cards.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from pydantic_core import CoreConfig, CoreSchema, PydanticSerializationError, SchemaValidator, core_schema, to_json

from carddb.core.dates import day, moment

T = TypeVar("T")
_write = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode

_PLAIN = frozenset({str, int, bool, type(None)})
"""The types that Pydantic writes as `json` does, in a fraction of the time."""


def canonical(values: object) -> str:
    """Returns a JSON object as text, the same for the same values. Raises ValueError for what JSON cannot hold."""
    if not isinstance(values, (dict, Mapping)):  # most are of the first, which is told at once
        raise ValueError("not an object of fields and values")
    if not values:
        return "{}"
    try:
        if _PLAIN.issuperset(map(type, values.values())):
            return to_json({name: values[name] for name in _in_order(tuple(values))}).decode()
        out = _write(values)
        if not out.isascii():
            out.encode()
    except (TypeError, RecursionError, UnicodeError, PydanticSerializationError) as fault:
        raise ValueError("a value that JSON cannot hold") from fault
    return out


@lru_cache(maxsize=500)
def _in_order(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(names))


class CardRecord(NamedTuple):
    """A card as it may be written: `data` holds every given value, name, type and set among them."""

    game: str
    ref: str
    name: str
    type: str
    set: str
    data: str


class TermsRecord(NamedTuple):
    """The lists, levels and groups of a game as they may be written; in force always where no day is given."""

    game: str
    in_force_from: str | None
    data: str


class AnnouncementRecord(NamedTuple):
    """An announcement of a ban list as it may be written: `data` holds all of it, id and days among it."""

    game: str
    name: str
    made: str
    effective: str
    data: str


class TranslationRecord(NamedTuple):
    """The words of a card in a language as they may be written: `data` holds every field, a name among them too."""

    lang: str
    name: str | None
    in_force_from: str | None
    recorded_at: str
    author: str
    source: str
    data: str


class StampRecord(NamedTuple):
    """The common part of a load's revisions: kind of change, from which day, recorded when, by whom, from where.

    `in_force_from` is None for the first revision of a card: it is in force always.
    """

    kind: str
    in_force_from: str | None
    recorded_at: str
    author: str
    source: str


def cards(rows: Sequence[tuple[Any, ...]]) -> list[CardRecord]:
    """Returns records of the fields of cards, their values as a mapping.

    Raises ValidationError, whose places are the number of a card and that of a field.
    """
    records: list[CardRecord] = _CARDS.validate_python(rows)
    return records


def record(kind: type[T], *fields: Any) -> T:
    """Returns the record of these fields: terms, an announcement, a translation or a stamp; values as a mapping.

    Raises ValidationError.
    """
    validated: T = _VALIDATORS[kind].validate_python(fields)
    return validated


def _only_the_first_is_always(record: StampRecord) -> StampRecord:
    if (record.kind == "added") != (record.in_force_from is None):
        raise ValueError("the first revision of a card is in force always, and no other")
    return record


def _schema(kind: type[NamedTuple], *fields: CoreSchema) -> CoreSchema:
    """Returns the schema of a record: the schemas of its fields in order."""
    return core_schema.no_info_after_validator_function(kind._make, core_schema.tuple_schema([*fields]))


_STRICT = CoreConfig(strict=True)
_TEXT = core_schema.str_schema()
_LINE = core_schema.str_schema(pattern=r"^[^\r\n]*\S[^\r\n]*$")
"""One line of text that is not blank."""
_KIND = core_schema.literal_schema(["added", "changed", "retired", "restored"])
_DAY = core_schema.no_info_after_validator_function(day, _TEXT)
_SINCE = core_schema.nullable_schema(_DAY)
_MOMENT = core_schema.no_info_after_validator_function(moment, _TEXT)
_VALUES = core_schema.no_info_before_validator_function(canonical, _TEXT)
"""A mapping, stored as its canonical text."""
_STAMP = _schema(StampRecord, _KIND, _SINCE, _MOMENT, _TEXT, _TEXT)

_CARDS = SchemaValidator(
    core_schema.list_schema(_schema(CardRecord, _LINE, _LINE, _LINE, _LINE, _LINE, _VALUES)), _STRICT
)
_VALIDATORS: dict[type, SchemaValidator] = {
    TermsRecord: SchemaValidator(_schema(TermsRecord, _LINE, _SINCE, _VALUES), _STRICT),
    TranslationRecord: SchemaValidator(
        _schema(TranslationRecord, _LINE, core_schema.nullable_schema(_LINE), _SINCE, _MOMENT, _TEXT, _TEXT, _VALUES),
        _STRICT,
    ),
    AnnouncementRecord: SchemaValidator(_schema(AnnouncementRecord, _LINE, _LINE, _MOMENT, _DAY, _VALUES), _STRICT),
    StampRecord: SchemaValidator(
        core_schema.no_info_after_validator_function(_only_the_first_is_always, _STAMP), _STRICT
    ),
}
