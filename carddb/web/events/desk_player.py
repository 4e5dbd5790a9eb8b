"""One player at the desk: findings at their lines, versions with differences, corrections, locks, links, forgetting."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carddb.app.events import entries as tournament_entries
from carddb.app.events import players as tournament_players
from carddb.app.events.checks import event_checks
from carddb.app.events.entries import LineChange, line_changes
from carddb.app.events.prints import print_player_list
from carddb.app.events.rows import Row
from carddb.app.events.table import table
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import CarddbError
from carddb.events.records import Author, Entry, Event, Player
from carddb.events.store import Events
from carddb.findings import VERDICTS
from carddb.layout.qr_code import qr_code
from carddb.web.events.findings import lines_of, mended, numbered
from carddb.web.events.pages import (
    Upload,
    base_of,
    event_file,
    event_page,
    fault_page,
    in_event,
    seen_version,
    upload_of,
)
from carddb.web.http.refusals import Unknown

_MOST_DIFFERENCES = 20
"""The latest versions whose differences are shown."""


class Version(NamedTuple):
    """A version with its difference from the one before."""

    entry: Entry
    changes: list[LineChange]


async def show(request: Request) -> Response:
    """The player's list."""
    return event_page("events/desk_player.html", request, **await in_event(request, _shown_of(request)))


def _shown_of(request: Request, draft: str | None = None) -> Any:
    def work(project: Workspace, events: Events, event: Event) -> dict[str, Any]:
        rows = table(project, events, event)
        row = _row(rows, request)
        at = rows.index(row)
        versions, findings = events.versions(row.player), numbered(project, event, row.entry)
        return {
            "event": event, "row": row, "player": row.player, "entry": row.entry, "findings": findings,
            "lines": lines_of(row.entry, findings), "verdicts": VERDICTS,
            "versions": _with_differences(versions),
            "before": rows[at - 1] if at else None, "after": rows[at + 1] if at + 1 < len(rows) else None,
            "draft": draft if draft is not None else row.entry.text if row.entry else "",
        }  # fmt: skip

    return work


def _with_differences(versions: Sequence[Entry]) -> list[Version]:
    """The versions, the latest ones with their differences."""
    shown = [
        Version(entry, line_changes(before.text, entry.text))
        for entry, before in pairwise(versions[: _MOST_DIFFERENCES + 1])
    ]
    return [*shown, *(Version(entry, []) for entry in versions[len(shown) :])]


def _row(rows: Sequence[Row], request: Request) -> Row:
    """The row of the player in an address. Raises Unknown."""
    for row in rows:
        if row.player.id == request.path_params["player"]:
            return row
    raise Unknown("there is no such player", "Look at the table.")


def _player(events: Events, event: Event, request: Request) -> Player:
    player = events.player(event, request.path_params["player"])
    if player is None:
        raise Unknown("there is no such player", "Look at the table.")
    return player


async def correct(request: Request) -> Response:
    """Hands a corrected list in as the organiser: its player sees what was changed."""
    upload = await upload_of(request)
    text, version = upload.fields.get("deck", ""), seen_version(upload)

    def work(project: Workspace, events: Events, event: Event) -> None:
        player = _player(events, event, request)
        with event_checks(project, event.terms) as checks:
            tournament_entries.submit(checks, events, event, player, text, Author.ORGANISER, version)

    try:
        await in_event(request, work)
    except Unknown:
        raise
    except CarddbError as fault:
        shown = await in_event(request, _shown_of(request, text))
        return fault_page("events/desk_player.html", request, fault, **shown)
    return RedirectResponse(request.url.path.rpartition("/")[0], status_code=303)


async def mend(request: Request) -> Response:
    """The page with a remedy made in the text, which is not stored yet."""
    upload = await upload_of(request)

    def work(project: Workspace, events: Events, event: Event) -> str:
        return mended(project, event, _row(table(project, events, event), request).entry, upload.fields.get("fix", ""))

    shown = await in_event(request, _shown_of(request, await in_event(request, work)))
    return event_page("events/desk_player.html", request, **shown, fault=None, is_draft=True)


async def act(request: Request) -> Response:
    """Locks or opens the list, makes another link, or forgets the person."""
    upload = await upload_of(request)
    done = await in_event(request, lambda _, events, event: _acted(events, event, request, upload))
    if isinstance(done, tournament_players.Link):
        base = base_of(request)
        links = [(done.player.name, f"{base}/p/{done.token}")]
        event = await in_event(request, lambda _project, _events, event: event)
        return event_page("events/event_links.html", request, event=event, links=links, qr_code=qr_code)
    return RedirectResponse(done, status_code=303)


def _acted(events: Events, event: Event, request: Request, upload: Upload) -> Any:
    """A new link, or the address where one goes on."""
    player, what = _player(events, event, request), upload.fields.get("do", "")
    here = f"/events/{event.key}/players/{player.id}"
    if what == "link":
        return tournament_players.new_link(events, player)
    if what == "forget":
        copies = tournament_players.forget(events, player)
        return f"/events/{event.key}?done={'forget-copies' if copies else 'forget'}"
    if what in ("open-list", "close-list"):
        tournament_players.open_list(events, player, what == "open-list")
    else:
        tournament_players.lock_player(events, player, {"lock": True, "unlock": False}.get(what))
    return here


async def print_list(request: Request) -> Response:
    """The deck list as PDF, with its code."""
    key = request.path_params["key"]
    address = f"{base_of(request)}/events/{key}/find?q="

    def work(project: Workspace, events: Events, event: Event) -> tuple[bytes, str]:
        row = _row(table(project, events, event), request)
        return print_player_list(project, row, "a4", address).data, row.player.name

    data, name = await in_event(request, work)
    return event_file(data, f"{name}.pdf", "application/pdf")


async def version(request: Request) -> Response:
    """The text of one version of the list."""

    def work(_: Workspace, events: Events, event: Event) -> tuple[str, str]:
        player = _player(events, event, request)
        for entry in events.versions(player):
            if entry.version == request.path_params["version"]:
                return entry.text, player.name
        raise Unknown("there is no such version", "Look at the player.")

    text, name = await in_event(request, work)
    file = f"{name} {request.path_params['version']}.deck"
    return event_file(f"{text}\n".encode(), file, "text/plain; charset=utf-8")


ROUTES = [
    Route("/events/{key}/players/{player:int}", show),
    Route("/events/{key}/players/{player:int}/versions/{version:int}", version),
    Route("/events/{key}/players/{player:int}/correct", correct, methods=["POST"]),
    Route("/events/{key}/players/{player:int}/mend", mend, methods=["POST"]),
    Route("/events/{key}/players/{player:int}/act", act, methods=["POST"]),
    Route("/events/{key}/players/{player:int}/list.pdf", print_list),
]
