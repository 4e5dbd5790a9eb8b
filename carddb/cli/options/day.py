"""Days as options: written 2026-06-20."""

from __future__ import annotations

from datetime import date
from typing import Any

import click


class DayType(click.ParamType[date]):
    """A day written as 2026-06-20."""

    name = "day"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        if isinstance(value, date):
            return value
        try:
            return date.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is not a day; write it as 2026-06-20.", param, ctx)


DAY = DayType()
