"""The tournament desk: the events, and the table of one with deck, verdict and reason of each player."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carddb.app.events import table as tournament_table
from carddb.app.events import tournament
from carddb.app.events.checks import list_of_event
from carddb.app.events.export import export_archive
from carddb.app.events.gate import accepts
from carddb.app.workspace.clock import now, to_day
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import CarddbError, UsageError
from carddb.events.records import Event, EventTerms
from carddb.events.store import Events
from carddb.web.events.pages import event_file, event_page, fault_page, in_event, upload_of
from carddb.web.http.pages import front_of
from carddb.web.http.requests import refuse_others

_VIEW = ("show", "q", "sort", "done")
_WHOLE: Mapping[str, str] = dict.fromkeys(_VIEW, "")


async def events(request: Request) -> Response:
    """Every event, and the form of a new one."""
    return event_page("events/events.html", request, **await _listed(request), fields={})


async def make(request: Request) -> Response:
    """Makes an event."""
    upload, front = await upload_of(request), front_of(request)
    fields = upload.fields

    def work() -> Event:
        project = front.project()
        with tournament.open_events(project) as opened:
            return tournament.new_event(project, opened, _terms(project, fields), "", bool(fields.get("registration")))

    try:
        event = await front.run(work)
    except CarddbError as fault:
        return fault_page("events/events.html", request, fault, **await _listed(request), fields=fields)
    return RedirectResponse(f"/events/{event.key}", status_code=303)


async def _listed(request: Request) -> dict[str, Any]:
    front = front_of(request)

    def work() -> dict[str, Any]:
        project = front.project()
        with tournament.open_events(project) as opened:
            every = [(event, len(opened.players(event))) for event in opened.events()]
        return {"events": every, "games": project.all_games(), "zone": tournament.usual_zone()}

    return await front.run(work)


def _terms(project: Workspace, fields: Any) -> EventTerms:
    """The terms of a new event from its form. Raises UsageError."""
    day = to_day(fields.get("day") or None)
    if not isinstance(day, date):
        raise UsageError("an event has a day", "Choose it.")
    zone = fields.get("zone", "").strip() or tournament.usual_zone()
    return EventTerms(
        fields.get("name", ""),
        project.only_game(fields.get("game") or None).key,
        fields.get("format", "").strip() or None,
        day,
        tournament.to_deadline(fields.get("deadline", ""), day, zone),
        zone,
        tuple(name.strip() for name in fields.get("editions", "").split(",") if name.strip()),
        _readings(fields.get("options", "")),
    )


def _readings(text: str) -> dict[str, str]:
    """House readings, a line each, as `name=value`. Raises UsageError."""
    readings = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, equals, value = line.partition("=")
        if not equals:
            raise UsageError(f"the house reading {line!r} has no value", "Write name=value.")
        readings[name.strip()] = value.strip()
    return readings


async def table(request: Request) -> Response:
    """The table, filtered, searched and sorted as the address says."""
    view = {name: request.query_params.get(name, "") for name in _VIEW}
    refuse_others(request.query_params, *_VIEW)

    def work(project: Workspace, opened: Events, event: Event) -> dict[str, Any]:
        return shown_table(project, opened, event, view)

    return event_page("events/desk.html", request, **await in_event(request, work))


def shown_table(project: Workspace, opened: Events, event: Event, view: Mapping[str, str] = _WHOLE) -> dict[str, Any]:
    """What the template sees of the table."""
    every = tournament_table.table(project, opened, event)
    sort = view["sort"] or "verdict"
    chosen = tournament_table.filtered(every, view["show"], view["q"])
    game = project.game(event.terms.game)
    format_key = event.terms.format or ""
    spec = game.spec.formats.get(format_key)
    return {
        "event": event, "game": game, "format": (spec.name if spec and spec.name else format_key) or "no format",
        "ban_list": list_of_event(project, event.terms),
        "every": every, "rows": tournament_table.in_order(chosen, sort), "view": {**view, "sort": sort},
        "tally": tournament_table.tally(every), "outdated": sum(row.is_outdated for row in every),
        "left": event.terms.deadline - now(), "accepts": accepts(event, now()),
        "late": tournament.late_deadline(event.terms), "address": _address_of(event),
        "deadline": f"{event.terms.deadline.astimezone(ZoneInfo(event.terms.zone)):%Y-%m-%dT%H:%M}",
        "lists_in": sum(row.entry is not None for row in every),
    }  # fmt: skip


def _address_of(event: Event) -> Any:
    """The address of the table with another filter, search or order."""

    def address(view: dict[str, str], **changes: str) -> str:
        parts = {**view, **changes, "done": ""}
        if parts["sort"] == "verdict":
            parts["sort"] = ""
        query = "&".join(f"{name}={quote(value)}" for name, value in parts.items() if value)
        return f"/events/{event.key}" + (f"?{query}" if query else "")

    return address


async def find(request: Request) -> Response:
    """The player whose list has a fingerprint, as a code on paper leads here; the table where there are several."""
    refuse_others(request.query_params, "q")
    words = request.query_params.get("q", "")

    def work(project: Workspace, opened: Events, event: Event) -> str:
        rows = tournament_table.with_fingerprint(tournament_table.table(project, opened, event), words)
        place = f"/events/{event.key}"
        return f"{place}/players/{rows[0].player.id}" if len(rows) == 1 else f"{place}?q={quote(words)}"

    return RedirectResponse(await in_event(request, work), status_code=303)


async def csv(request: Request) -> Response:
    """The table as CSV."""

    def work(project: Workspace, opened: Events, event: Event) -> bytes:
        return tournament_table.table_csv(tournament_table.table(project, opened, event))

    return event_file(await in_event(request, work), f"{request.path_params['key']}.csv", "text/csv; charset=utf-8")


async def export(request: Request) -> Response:
    """Everything as a ZIP archive."""
    return event_file(await in_event(request, export_archive), f"{request.path_params['key']}.zip", "application/zip")


ROUTES = [
    Route("/events", events),
    Route("/events", make, methods=["POST"]),
    Route("/events/{key}", table),
    Route("/events/{key}/find", find),
    Route("/events/{key}/table.csv", csv),
    Route("/events/{key}/export.zip", export),
]
