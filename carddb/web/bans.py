"""Pages of ban lists: a list on a day with its announced and past changes, and the preview of a draft announcement."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from starlette.responses import Response

from carddb.app.bans.announcements import DraftedChange, announce, last_drafted, with_drafted
from carddb.app.bans.lists import (
    BanListState,
    HoldReport,
    ban_list,
    ban_logs,
    card_name,
    every_card,
    group_words,
    level_words,
    lists_on,
    terms_words,
)
from carddb.app.cards.search import find
from carddb.app.decks.forecast import affected_decks
from carddb.app.workspace.workspace import Workspace, root_of
from carddb.bans.edition import Edition, edition_on
from carddb.bans.log import Change, changes_of
from carddb.bans.state import HistoryEntry
from carddb.cards.cards import Pool
from carddb.core.dates import later, spoken
from carddb.core.errors import CarddbError, UsageError
from carddb.core.names import nearest
from carddb.press.bans import wording
from carddb.web.http.answers import Asked, day_of, moment_of, route
from carddb.web.http.modes import Forbidden, unknown
from carddb.web.http.pages import page

_LEFT, _RIGHT, _TOP, _ROW = 96, 360, 14.5, 30
"""The left and right end of the chart's line, the height of its top level, and the step to the next, in SVG units."""
_LABEL = 66
"""The width that the label of a day needs below the axis, in SVG units."""
_BEFORE = 0.12
"""The share of the chart's time span that is shown before the first change."""


class StepChart(NamedTuple):
    """A step chart of a card's ban level over time: `line` is an SVG path, and `words` describes the chart as text.

    `levels` are the labels at its left and `days` the labels below it, each with its place along the axis.
    """

    height: float
    line: str
    levels: list[tuple[float, str]]
    days: list[tuple[float, str]]
    words: str


def step_chart(history: Sequence[HistoryEntry], until: date) -> StepChart | None:
    """Returns a chart of changes, earliest first, up to `until`, strictest level on top; None for fewer than two."""
    changes = [(entry.announcement.effective, entry.change.before, entry.change.after) for entry in history]
    if len(changes) < 2:
        return None
    (first, begin, _), (last_change, _, _) = changes[0], changes[-1]
    last = max(until, later(last_change, 1))
    start = first - (last - first) * _BEFORE
    levels = sorted({level for _, *both in changes for level in both}, reverse=True)
    rows = {level: _TOP + at * _ROW for at, level in enumerate(levels)}

    def across(day: date) -> float:
        return round(_LEFT + (_RIGHT - _LEFT) * ((day - start) / (last - start)), 1)

    steps = "".join(f"H{across(day)}V{rows[after]}" for day, _, after in changes)
    words = [f"{_level(begin)} until {spoken(first)}"]
    words += [f"from {spoken(day)} {_level(after)}" for day, _, after in changes]
    return StepChart(
        rows[levels[-1]] + 17.5,
        f"M{_LEFT} {rows[begin]}{steps}H{_RIGHT}",
        [(rows[level], _level(level)) for level in levels],
        _days([(across(day), day) for day, _, _ in changes]),
        ", ".join(words),
    )


def _days(places: Sequence[tuple[float, date]]) -> list[tuple[float, str]]:
    """Returns the month labels of changes given as (x, day): for the last change, and for earlier ones if they fit."""
    shown: list[tuple[float, str]] = []
    for at, day in reversed(places):
        if not shown or at <= shown[-1][0] - _LABEL:
            shown.append((min(at, _RIGHT - _LABEL / 2), f"{day:%b %Y}"))
    return shown[::-1]


def _level(level: int) -> str:
    return f"level {level}" if level else "free"


class Step(NamedTuple):
    """A change in words: its card or group, and its levels before and after with their squares, or else a sentence."""

    name: str
    ref: str
    levels: tuple[tuple[str, tuple[int, int]], ...]
    said: str
    why: str


def _step(change: Change, edition: Edition, pool: Pool) -> Step:
    """Returns a change in the words that publications use."""
    name, title = card_name(pool, change.card) if change.card else "", wording.group_title(change.group)
    if not change.group:
        levels = tuple(
            (wording.allowance(edition, level), wording.squares(edition, level))
            for level in (change.before, change.after)
        )
        return Step(name, change.card, levels, "", change.why)
    is_stricter = change.after > change.before
    if change.card:
        return Step(name, change.card, (), f"{'joins' if is_stricter else 'leaves'} the group {title}", change.why)
    return Step(f"Group {title}", "", (), "begins" if is_stricter else "ends", change.why)


def _edition(listed: BanListState) -> Edition:
    """Returns the edition of a list on a day, by which publications and pages show it."""
    of, state = listed.ban_list, listed.state
    return edition_on(of.log, state.list, state.day, {}, state.known_at)


def ban_words(report: HoldReport) -> dict[str, Any]:
    """Returns the template's values for what a ban list says about a card, with its changes, latest first."""
    listed, edition = report.state.ban_list, _edition(report.state)
    verdicts = [
        f"in the group {wording.group_title(hold.group.key)}"
        if hold.group
        else wording.level_line(edition, hold.standing.level).partition(": ")[2]
        for hold in report.holds
    ]
    groups = [group_words(hold.group, listed.pool) for hold in report.holds if hold.group]
    steps = [(entry.announcement, _step(entry.change, edition, listed.pool)) for entry in reversed(report.history)]
    chart = step_chart([entry for entry in report.history if not entry.change.group], report.state.day)
    return {"title": wording.list_title(edition), "key": listed.spec.key, "verdict": "; ".join(verdicts) or "free",
            "groups": groups, "held": report.holds, "steps": steps, "chart": chart}  # fmt: skip


_MOST_CHANGES = 200


def index(asked: Asked) -> Response:
    """Shows the ban lists of every game as they are today, with the next and the latest changes of each."""
    asked.query()
    project = asked.project
    with project.catalog() as catalog:
        logs = ban_logs(project, catalog)
    games = [
        (project.game(key), [(f"{key}:{one.state.list}", _shown(one)) for one in lists_on(project, key, None)])
        for key in logs
    ]
    return page("bans/ban_lists.html", asked.front, "bans", games=games)


def show(asked: Asked) -> Response:
    """Shows one ban list as it is on the day `on`, as far as it was known at the moment `known_at`."""
    fields, name = asked.query("on", "known_at"), asked.path_params["list"]
    on, known_at = day_of(fields, "on"), moment_of(fields, "known_at")
    with unknown():
        listed = ban_list(asked.project, name, on)
    shown = _shown(listed.on(on, known_at))
    return page("bans/ban_list.html", asked.front, "bans", name=name, fields=dict(fields), **shown)


def _shown(listed: BanListState) -> dict[str, Any]:
    """Returns the template's values for one ban list on a day."""
    spec, log, pool, state = listed.ban_list.spec, listed.ban_list.log, listed.ban_list.pool, listed.state
    edition = _edition(listed)
    levels = []
    for level in sorted({standing.level for standing in state.levels.values()}, reverse=True):
        cards = [(card_name(pool, ref), ref, each) for ref, each in state.levels.items() if each.level == level]
        name = wording.level_line(edition, level)
        levels.append((wording.squares(edition, level), name, sorted(cards, key=lambda card: card[0])))
    groups = [
        (wording.group_title(key), group_words(log.groups[key], pool), each)
        for key, each in state.groups.items()
        if key in log.groups
    ]
    coming = [
        (each, [_step(change, edition, pool) for change in changes]) for each, changes in listed.coming() if changes
    ]
    past = [(each, _step(change, edition, pool)) for each, change in changes_of(log, spec.key)]
    return {
        "listed": listed,
        "game": listed.ban_list.game,
        "spec": spec,
        "levels": levels,
        "title": wording.list_title(edition),
        "status_words": wording.status_words(edition),
        "groups": groups,
        "coming": coming,
        "past": list(reversed(past))[:_MOST_CHANGES],
        "terms": terms_words(spec),
        "note": log.note,
    }


def draft(asked: Asked) -> Response:
    """Shows the effect of a draft announcement: its errors, its changes, and the decks that it would make illegal."""
    if asked.front.public:
        raise Forbidden("only the owner may draft announcements", "Run `carddb serve` on your own machine.")
    project, form = asked.project, asked.fields
    values = {"text": form.get("text", ""), "report": None, "fault": None, "decks": None, **_draft_choices(project)}
    names = {card.ref: card.name for card in values["cards"]}
    if form.get("meant"):
        form.update(card=form["meant"], do="add")
    try:
        if form.get("do") == "add":
            values["text"] = _with_change(project, form)
            form["game"] = form["list"].partition(":")[0]
        drafted = last_drafted(values["text"]) if values["text"].strip() else None
        if drafted and form.get("do") != "add":
            game = form.get("game") or next((key for key, _, _ in values["lists"]), "").partition(":")[0]
            form.update(list=f"{game}:{drafted.list}", card=names.get(drafted.card, drafted.card))
            form.update(level=str(drafted.level))
            form.update(effective=drafted.effective.isoformat(), why=drafted.why)
        if values["text"].strip():
            values |= _tried(project, {**form, "text": values["text"]})
            if form.get("do") == "add" and any(each.message.startswith("why ") for each in values["report"].findings):
                values["text"] = form.get("text", "")
    except CarddbError as fault:
        near = nearest(form.get("card", ""), names.values(), 1)
        values |= {"fault": fault, "meant": near[0] if near else ""}
    return page("bans/ban_draft.html", asked.front, "bans", fields=form, **values)


def _draft_choices(project: Workspace) -> dict[str, Any]:
    """Returns what a drafted change may name, the names of games by key, and the notices that their lists allow."""
    with project.catalog() as catalog:
        logs = ban_logs(project, catalog)
        cards = [card for key in logs for card in every_card(catalog, project.game(key))]
    lists = [
        (f"{key}:{name}", spec.name, project.game(key).spec.name)
        for key, log in logs.items()
        for name, spec in log.lists.items()
    ]
    levels = {level: level_words(log.levels[level], level) for log in logs.values() for level in log.levels}
    games = {key: project.game(key).spec.name for key in logs}
    windows = {log.window for log in logs.values()}
    return {"lists": lists, "levels": {0: "free", **levels}, "cards": cards, "games": games, "windows": windows}


def _with_change(project: Workspace, form: Mapping[str, str]) -> str:
    """Returns the draft with the form's change added. Raises UsageError if a field is wrong or missing."""
    game, _, listed = form.get("list", "").partition(":")
    effective, level, card = day_of(form, "effective"), form.get("level", ""), form.get("card", "").strip()
    if effective is None or not card or not level.isdecimal():
        raise UsageError("a change needs a card, a level and a day", "Fill in all three fields.")
    drafted = DraftedChange(listed, find(project, card, game, None)[1].ref, int(level), effective, form.get("why", ""))
    return with_drafted(project, form.get("text", ""), game, drafted)


def _tried(project: Workspace, form: dict[str, str]) -> dict[str, Any]:
    report = announce(project, io.BytesIO(form["text"].encode()), form.get("game") or None, None, dry_run=True)
    folder = form.get("folder", "").strip()
    decks = affected_decks(project, report, root_of(project) / folder) if folder and report.result.applied else None
    changes = []
    for day, key, parts in report.effects() if report.result.applied else ():
        edition = edition_on(report.result.log, key, day, {})
        changes.append((day, wording.list_title(edition), [_step(part, edition, report.pool) for part in parts]))
    return {"report": report, "changes": changes, "decks": decks}


ROUTES = [
    route("/bans", index),
    route("/bans/draft", draft, ["GET", "POST"]),
    route("/bans/{list}", show),
]
