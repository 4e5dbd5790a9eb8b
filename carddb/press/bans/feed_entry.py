"""What a feed says of an announcement."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from markupsafe import Markup

from carddb.bans.edition import Edition, LevelChange, ListedGroup
from carddb.press.bans.html.parts import join, own
from carddb.press.bans.word_forms import day, long_day
from carddb.press.bans.wording import (
    allowance,
    group_flag,
    group_limit,
    group_reason,
    group_title,
    level_name,
    marks,
    status_line,
)


def entry(edition: Edition) -> str:
    """What a feed says of an announcement: its changes and the whole list, as plain HTML."""
    news = edition.news
    assert news is not None
    paragraph = Markup("<p>{}</p>")
    parts = [paragraph.format(mark) for mark in marks(edition)]
    parts.append(paragraph.format(f"In force from {long_day(news.announcement.effective)}."))
    for title, steps in (("Stricter", news.stricter), ("Softer", news.softer)):
        parts += _section(title, [_step_line(edition, step) for step in steps])
    parts += _section("Groups", [_group_line(group) for group in edition.groups])
    rows = [_row_line(row.name, row.ref, level_name(edition, row.level).lower()) for row in edition.rows]
    parts += _section(f"Whole list from {day(edition.day)}", rows)
    parts.append(paragraph.format(status_line(edition)))
    return str(join(parts))


def _section(title: str, entries: Sequence[Markup]) -> list[Markup]:
    items = join(Markup("<li>{}</li>").format(item) for item in entries)
    return [Markup("<h2>{}</h2>\n<ul>\n{}\n</ul>").format(title, items)] if entries else []


@lru_cache(maxsize=10_000)  # every announcement repeats the rows of its list
def _row_line(name: str, ref: str, allowed: str) -> Markup:
    return Markup("{} [{}], {}").format(own(name), own(ref), allowed)


def _step_line(edition: Edition, step: LevelChange) -> Markup:
    why = Markup(". {}").format(own(step.why)) if step.why else ""
    before, after = allowance(edition, step.before), allowance(edition, step.after)
    return Markup("{} [{}]: {} → {}{}").format(own(step.name), own(step.ref), before, after, why)


def _group_line(group: ListedGroup) -> Markup:
    members = Markup(", ").join(Markup("{} [{}]").format(own(each.name), own(each.ref)) for each in group.members)
    flag = f" ({group_flag(group)})" if group.is_news else ""
    moves = Markup(". {}").format(own(group_reason(group))) if group.joined or group.left else ""
    return Markup("{}{}: {}: {}{}").format(own(group_title(group)), flag, own(group_limit(group)), members, moves)
