"""The kinds of values that questions are made of."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, Field, Strict

T = TypeVar("T")

Many = Annotated[tuple[T, ...], Strict(False)]
"""A JSON list of values of one kind."""

Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
Die = Annotated[int, Field(ge=1, le=6)]
Object = dict[str, Any]
"""A JSON object whose keys are checked by the rules, not by the form of the question."""


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
