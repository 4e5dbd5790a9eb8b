"""The kinds of values that questions are made of."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, Field, Strict

T = TypeVar("T")

Many = Annotated[tuple[T, ...], Strict(False)]
"""A JSON list of values of one kind."""

Known = Annotated[T | str, Field(union_mode="left_to_right")]
"""A word of a list, or any other text: where the rules have a code of their own for an unknown word."""

Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
FromZero = Annotated[int, Field(description="A position, counted from 0.")]
FromOne = Annotated[int, Field(description="A number, counted from 1.")]
Nth = Annotated[int, Field(ge=1, description="A number, counted from 1.")]
Die = Annotated[int, Field(ge=1, le=6)]
Object = dict[str, Any]
"""A JSON object whose keys are checked by the rules, not by the form of the question."""
LIST = "carddb_words"
"""Where the schema of a field says from which list of the game its further words are."""


def _day(value: Any) -> date:
    if type(value) is date:
        return value
    if not isinstance(value, str):
        raise ValueError("not a day")
    day = date.fromisoformat(value)
    if day.isoformat() != value:
        raise ValueError("not a day as 2026-06-20")
    return day


Day = Annotated[date, BeforeValidator(_day)]
"""A day as 2026-06-20."""


class Words:
    """Beside a `Literal`: the list of the game whose labels and aliases are taken too; `types` are its card types."""

    def __init__(self, list_: str) -> None:
        self.list = list_

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        schema = handler(source)
        return {**schema, "metadata": {**schema.get("metadata", {}), LIST: self.list}}
