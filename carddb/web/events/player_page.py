"""A player's own page: his link reads and replaces his deck list until the deadline, and nobody else's."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carddb.app.events import entries as tournament_entries
from carddb.app.events import players as tournament_players
from carddb.app.events.batch import Outcome, file_deck
from carddb.app.events.checks import event_checks
from carddb.app.events.entries import line_changes
from carddb.app.events.gate import accepts, is_open
from carddb.app.events.prints import print_player_list
from carddb.app.events.rows import Row
from carddb.app.events.table import table
from carddb.app.workspace.clock import now
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import CarddbError, UsageError
from carddb.events.records import Author, Event, Player
from carddb.events.store import Events
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
from carddb.web.http.refusals import Forbidden


async def show(request: Request) -> Response:
    """The player's list with its verdict, or the form to hand one in."""
    return event_page("events/player.html", request, **await in_event(request, _shown_of(request)))


async def submit(request: Request) -> Response:
    """Hands the list in as the next version."""
    upload = await upload_of(request)
    text = _text_of(upload)

    def work(project: Workspace, events: Events, event: Event) -> None:
        player, version = _player(events, event, request), seen_version(upload)
        with event_checks(project, event.terms) as checks:
            tournament_entries.submit(checks, events, event, player, text, Author.PLAYER, version)

    return await _answered(request, work, text)


async def object_to(request: Request) -> Response:
    """Notes what the player says against a correction."""
    upload = await upload_of(request)
    words = upload.fields.get("words", "")

    def work(_: Workspace, events: Events, event: Event) -> None:
        tournament_entries.object_to(events, _player(events, event, request), words)

    return await _answered(request, work, None)


async def mend(request: Request) -> Response:
    """The player's page with a remedy made in the text, which he hands in himself."""
    upload = await upload_of(request)

    def work(project: Workspace, events: Events, event: Event) -> str:
        versions = events.versions(_player(events, event, request))
        return mended(project, event, versions[0] if versions else None, upload.fields.get("fix", ""))

    shown = await in_event(request, _shown_of(request, await in_event(request, work)))
    return event_page("events/player.html", request, **shown, fault=None, is_draft=True)


async def _answered(request: Request, work: Any, draft: str | None) -> Response:
    """The player's page after some work, or with what is wrong and his text still there."""
    try:
        await in_event(request, work)
    except Forbidden:
        raise
    except CarddbError as fault:
        return fault_page("events/player.html", request, fault, **await in_event(request, _shown_of(request, draft)))
    return RedirectResponse(f"/p/{request.path_params['token']}", status_code=303)


def _text_of(upload: Upload) -> str:
    """The text of a list, from the file that was chosen or from the field. Raises UsageError."""
    if not upload.files:
        return upload.fields.get("deck", "")
    deck = file_deck(*upload.files[0])
    if isinstance(deck, Outcome):
        raise UsageError(str(deck.fault), "Save it as text.")
    return deck.text


def _player(events: Events, event: Event, request: Request) -> Player:
    """The player whose link this is. Raises Forbidden for any other address."""
    player = tournament_players.player_of_link(events, event, request.path_params["token"])
    if player is None:
        raise Forbidden("this link opens no list", "Ask at the desk for another one.")
    return player


def _shown_of(request: Request, draft: str | None = None) -> Any:
    """What the template sees of the player's list."""

    def work(project: Workspace, events: Events, event: Event) -> dict[str, Any]:
        player = _player(events, event, request)
        versions = events.versions(player)
        entry = versions[0] if versions else None
        corrected = entry is not None and entry.recorded_by is Author.ORGANISER and len(versions) > 1
        open_now = is_open(event, player, now())
        findings = numbered(project, event, entry)
        opened = [row for row in _opened(project, events, event) if row.player.id != player.id]
        here = f"/p/{request.path_params['token']}"
        return {
            "event": event, "player": player, "entry": entry, "findings": findings,
            "lines": lines_of(entry, findings), "is_open": open_now,
            "left": event.terms.deadline - now(), "accepts": accepts(event, now()),
            "code": qr_code(_find(request, event) + entry.verdict.fingerprint) if entry else None,
            "changes": line_changes(versions[1].text, versions[0].text) if corrected else [],
            "game": project.game(event.terms.game), "opened": opened, "address": f"{base_of(request)}{here}",
            "here": here,
            "state_of_list": f"{entry.version if entry else 0} {entry.checked_at if entry else ''} {open_now}",
            "draft": draft if draft is not None else entry.text if entry else "",
        }  # fmt: skip

    return work


def _find(request: Request, event: Event) -> str:
    """The address at the desk that finds a list by its fingerprint, without that."""
    return f"{base_of(request)}/events/{event.key}/find?q="


def _opened(project: Workspace, events: Events, event: Event) -> list[Row]:
    """The rows of the lists that are open to all players."""
    if not event.open_lists:
        return []
    rows = (row for row in table(project, events, event) if row.player.open_list and row.entry)
    return sorted(rows, key=lambda row: row.player.name)


async def print_list(request: Request) -> Response:
    """The deck list as PDF."""

    def work(project: Workspace, events: Events, event: Event) -> tuple[bytes, str]:
        player = _player(events, event, request)
        row = next(row for row in table(project, events, event) if row.player.id == player.id)
        return print_player_list(project, row, "a4", _find(request, event)).data, player.name

    data, name = await in_event(request, work)
    return event_file(data, f"{name}.pdf", "application/pdf")


async def open_list(request: Request) -> Response:
    """The list of another player, where the organiser has opened it to all."""

    def work(project: Workspace, events: Events, event: Event) -> dict[str, Any]:
        _player(events, event, request)
        for row in _opened(project, events, event):
            if row.player.id == request.path_params["player"]:
                return {"event": event, "row": row, "here": f"/p/{request.path_params['token']}"}
        raise Forbidden("this list is not open", "Look at your own.")

    return event_page("events/open_list.html", request, **await in_event(request, work))


ROUTES = [
    Route("/p/{token}", show),
    Route("/p/{token}", submit, methods=["POST"]),
    Route("/p/{token}/mend", mend, methods=["POST"]),
    Route("/p/{token}/note", object_to, methods=["POST"]),
    Route("/p/{token}/list.pdf", print_list),
    Route("/p/{token}/lists/{player:int}", open_list),
]
