"""Ban lists: how one stands on a day, what is to come, how it came so, and a draft's effect before it is made."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carddb.app.bans.announcements import announce
from carddb.app.bans.lists import BanListState, ban_list, ban_logs
from carddb.app.bans.words import card_name, change_words, group_words, level_words, terms_words
from carddb.app.decks.announcement_effect import affected_decks
from carddb.app.workspace.workspace import Workspace
from carddb.bans.log import Change, changes_of
from carddb.cards.cards import Pool
from carddb.core.errors import CarddbError, UsageError
from carddb.web.http.forms import form_of
from carddb.web.http.pages import front_of, page
from carddb.web.http.refusals import Forbidden, Unknown
from carddb.web.http.requests import day_of, moment_of, refuse_others

_MOST_CHANGES = 200


async def index(request: Request) -> Response:
    """The lists of every game."""
    refuse_others(request.query_params)
    front = front_of(request)

    def work() -> list[tuple[str, str, str, str]]:
        project = front.project()
        with project.catalog() as catalog:
            logs = ban_logs(project, catalog)
        return [
            (f"{game}:{key}", spec.title, project.game(game).spec.name, key)
            for game, log in logs.items()
            for key, spec in log.lists.items()
        ]

    return page("bans/ban_lists.html", front, "bans", lists=await front.run(work))


async def show(request: Request) -> Response:
    """One list on a day, as it was known at a moment."""
    fields, name, front = request.query_params, request.path_params["list"], front_of(request)
    refuse_others(fields, "on", "known_at")
    on, known_at = day_of(fields, "on"), moment_of(fields, "known_at")

    def work() -> dict[str, Any]:
        project = front.project()
        try:
            listed = ban_list(project, name, on)
        except UsageError as fault:
            raise Unknown(fault.message, fault.remedy) from fault
        return _shown(listed.on(on, known_at))

    return page("bans/ban_list.html", front, "bans", name=name, fields=dict(fields), **await front.run(work))


def _shown(listed: BanListState) -> dict[str, Any]:
    """What the template sees of a list."""
    spec, log, pool, state = listed.ban_list.spec, listed.ban_list.log, listed.ban_list.pool, listed.state
    levels = []
    for level in sorted({standing.level for standing in state.levels.values()}, reverse=True):
        cards = [(card_name(pool, ref), ref, each) for ref, each in state.levels.items() if each.level == level]
        levels.append((level, level_words(log.levels.get(level), level), sorted(cards, key=lambda card: card[0])))
    groups = [
        (key, group_words(log.groups[key], pool), each) for key, each in state.groups.items() if key in log.groups
    ]
    coming = [
        (each, [(_arrow(change, pool), change.why) for change in changes])
        for each, changes in listed.coming()
        if changes
    ]
    past = [(each, _arrow(change, pool), change.why) for each, change in changes_of(log, spec.key)]
    return {
        "listed": listed,
        "game": listed.ban_list.game,
        "spec": spec,
        "levels": levels,
        "most_level": max(log.levels, default=0),
        "groups": groups,
        "coming": coming,
        "past": list(reversed(past))[:_MOST_CHANGES],
        "terms": terms_words(spec),
        "note": log.note,
    }


def _arrow(change: Change, pool: Pool) -> str:
    """A change without its reason."""
    return change_words(change._replace(why=""), pool).replace("->", "→")


async def draft(request: Request) -> Response:
    """An announcement before it is made: its faults, what it changes, and the decks that it makes illegal."""
    front = front_of(request)
    if front.public:
        raise Forbidden("announcements are drafted on one's own machine", "Run carddb serve without --public.")
    form = await form_of(request) if request.method == "POST" else {}

    def work() -> dict[str, Any]:
        project = front.project()
        values: dict[str, Any] = {"text": form.get("text", ""), "report": None, "fault": None, "decks": None}
        if not form.get("text", "").strip():
            return values
        try:
            return values | _tried(project, form)
        except CarddbError as fault:
            return values | {"fault": fault}

    values = await front.run(work)
    return page("bans/ban_draft.html", front, "bans", fields=form, **values)


def _tried(project: Workspace, form: dict[str, str]) -> dict[str, Any]:
    report = announce(project, io.BytesIO(form["text"].encode()), form.get("game") or None, None, dry_run=True)
    folder = form.get("folder", "").strip()
    root = project.settings.root or project.folder
    decks = affected_decks(project, report, root / Path(folder)) if folder and not report.result.refused else None
    changes = [
        (day, report.result.log.lists[key].title, [_arrow(change, report.pool) for change in changes])
        for day, key, changes in report.effects()
    ]
    return {"report": report, "changes": changes, "decks": decks}


ROUTES = [
    Route("/bans", index),
    Route("/bans/draft", draft, methods=["GET", "POST"]),
    Route("/bans/{list}", show),
]
