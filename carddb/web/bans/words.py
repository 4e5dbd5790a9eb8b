"""What ban lists say of a card, as a page shows it."""

from __future__ import annotations

from typing import Any

from carddb.app.bans.lists import HoldReport
from carddb.app.bans.words import group_words, level_words
from carddb.bans.log_data import level_text
from carddb.web.bans.step_chart import LevelChange, step_chart


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
