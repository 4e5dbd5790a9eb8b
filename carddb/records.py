"""The strict records that feed the tables of the catalogue: whatever is written goes through one of them.

They import no database, so that loading cards need not wait for its libraries.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, datetime
from functools import lru_cache
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, StringConstraints, model_validator
from pydantic_core import PydanticSerializationError, to_json

Kind = Literal["added", "changed", "retired", "restored"]

_write = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode

_PLAIN = frozenset({str, int, bool, type(None)})
"""What Pydantic writes as `json` does, in a fraction of the time."""


def canonical(values: object) -> str:
    """A JSON object as text, the same for the same values. Raises ValueError for what JSON cannot hold."""
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


@lru_cache(maxsize=16)
def _day(value: str) -> str:
    if date.fromisoformat(value).isoformat() != value:
        raise ValueError("not a day as 2026-06-20")
    return value


@lru_cache(maxsize=16)
def _moment(value: str) -> str:
    if datetime.strptime(value, "%Y-%m-%dT%H:%M:%SZ").isoformat() + "Z" != value:
        raise ValueError("not a moment as 2026-06-20T12:00:00Z")
    return value


Line = Annotated[str, StringConstraints(pattern=r"^[^\r\n]*\S[^\r\n]*$")]
"""One line of text that is not blank."""
Day = Annotated[str, AfterValidator(_day)]
Moment = Annotated[str, AfterValidator(_moment)]
Values = Annotated[str, BeforeValidator(canonical)]
"""Given as a mapping, kept as its canonical text."""

_STRICT = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)
"""What a record is held to is made ready when the first of its kind is."""


class CardRecord(BaseModel):
    """A card as it may be written: `data` holds every given value, name, type and set among them."""

    model_config = _STRICT

    game: Line
    ref: Line
    name: Line
    type: Line
    set: Line
    data: Values


class TermsRecord(BaseModel):
    """The lists, levels and groups of a game as they may be written; in force always where no day is given."""

    model_config = _STRICT

    game: Line
    in_force_from: Day | None = None
    data: Values


class AnnouncementRecord(BaseModel):
    """An announcement of a ban list as it may be written: `data` holds all of it, id and days among it."""

    model_config = _STRICT

    game: Line
    name: Line
    made: Moment
    effective: Day
    data: Values


class StampRecord(BaseModel):
    """What the revisions of one load share: the kind of change, from which day, recorded when, by whom, from where.

    `in_force_from` is None for the first revision of a card: it is in force always.
    """

    model_config = _STRICT

    kind: Kind
    in_force_from: Day | None = None
    recorded_at: Moment
    author: str
    source: str

    @model_validator(mode="after")
    def _only_the_first_is_always(self) -> Self:
        if (self.kind == "added") != (self.in_force_from is None):
            raise ValueError("the first revision of a card is in force always, and no other")
        return self
