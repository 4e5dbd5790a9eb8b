"""What ban lists say of a card, as a page shows it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from carddb.app.bans.lists import HoldReport
from carddb.app.bans.words import group_words, level_words
from carddb.bans.log_data import level_text
from carddb.web.http.pages import spoken

_LEFT, _RIGHT, _TOP, _ROW = 96, 360, 14.5, 30
"""Where the line begins and ends, where its highest level is, and the way to the next, in units of the drawing."""
_LABEL = 66
"""The room of a day below the axis."""
_BEFORE = 0.12
"""The part of the time that is shown before the first change."""


class LevelChange(NamedTuple):
    """A change of a card: the day from which it holds, and both levels."""

    day: date
    before: int
    after: int


class Mark(NamedTuple):
    """A word of the drawing, and where it stands."""

    at: float
    text: str


class StepChart(NamedTuple):
    """The line as the path of a drawing, the levels at its left, the days below it, and all of it in words."""

    height: float
    line: str
    levels: list[Mark]
    days: list[Mark]
    words: str


def step_chart(changes: Sequence[LevelChange], until: date) -> StepChart | None:
    """The chart of at least two changes, the earliest first, up to a day; the strictest level is the highest row."""
    if len(changes) < 2:
        return None
    first, last = changes[0].day, max(until, changes[-1].day + timedelta(1))
    start = first - (last - first) * _BEFORE
    levels = sorted({level for change in changes for level in (change.before, change.after)}, reverse=True)
    rows = {level: _TOP + at * _ROW for at, level in enumerate(levels)}

    def across(day: date) -> float:
        return round(_LEFT + (_RIGHT - _LEFT) * ((day - start) / (last - start)), 1)

    steps = "".join(f"H{across(change.day)}V{rows[change.after]}" for change in changes)
    return StepChart(
        rows[levels[-1]] + 17.5,
        f"M{_LEFT} {rows[changes[0].before]}{steps}H{_RIGHT}",
        [Mark(rows[level], _level(level)) for level in levels],
        _days([(across(change.day), change.day) for change in changes]),
        _in_words(changes),
    )


def _days(places: Sequence[tuple[float, date]]) -> list[Mark]:
    """The months of the changes, the last in any case, others where they have room."""
    shown: list[Mark] = []
    for at, day in reversed(places):
        if not shown or at <= shown[-1].at - _LABEL:
            shown.append(Mark(min(at, _RIGHT - _LABEL / 2), f"{day:%b %Y}"))
    return shown[::-1]


def _in_words(changes: Sequence[LevelChange]) -> str:
    begin = f"{_level(changes[0].before)} until {spoken(changes[0].day)}"
    return ", ".join([begin, *(f"from {spoken(change.day)} {_level(change.after)}" for change in changes)])


def _level(level: int) -> str:
    return f"level {level}" if level else "free"


def ban_words(report: HoldReport) -> dict[str, Any]:
    """A list's word on a card, and how it came there, the latest first."""
    listed = report.state.ban_list
    levels = listed.log.levels
    holds = [
        group_words(hold.group, listed.pool)
        if hold.group
        else level_words(levels.get(hold.standing.level), hold.standing.level)
        for hold in report.holds
    ]
    steps = [
        {
            "day": entry.announcement.effective,
            "by": entry.announcement.id,
            "before": level_text(entry.change.before, bool(entry.change.group)),
            "after": level_text(entry.change.after, bool(entry.change.group)),
            "group": entry.change.group,
            "why": entry.change.why,
        }
        for entry in reversed(report.history)
    ]
    changes = [
        LevelChange(entry.announcement.effective, entry.change.before, entry.change.after)
        for entry in report.history
        if not entry.change.group
    ]
    chart = step_chart(changes, report.state.day)
    return {"title": listed.spec.title, "key": listed.spec.key, "holds": holds, "held": report.holds, "steps": steps,
            "chart": chart}  # fmt: skip
