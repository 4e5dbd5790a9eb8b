"""Days and moments as options."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import click

from carddb.bans.log import YEARS


class MomentType(click.ParamType[date | datetime]):
    """A day, or a moment as 2026-06-20T12:00:00Z; without a time zone it is of the list's."""

    name = "moment"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date | datetime:
        if isinstance(value, date):
            return value
        try:
            moment = date.fromisoformat(value) if len(value) == len("2026-06-20") else datetime.fromisoformat(value)
            if moment.year in YEARS:
                return moment
        except ValueError:
            pass
        self.fail(f"{value!r} is no moment; write it as 2026-06-20T12:00:00Z, or a day.", param, ctx)


known_option = click.option(
    "--known-at",
    "moment",
    type=MomentType(),
    metavar="MOMENT",
    help="By what was announced up to this moment, or by the end of this day (default: everything).",
)
