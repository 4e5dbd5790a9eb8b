"""Shared by the pages of events: the event of an address, its words, and forms that one session or link has opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from carddb.app.events import table
from carddb.app.events.table import STATES
from carddb.app.events.tournament import event_called, open_events
from carddb.app.workspace.clock import now
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import CarddbError
from carddb.events.store import Event, Events
from carddb.web.http.answers import as_file, status_of
from carddb.web.http.forms import SentForm, read_form
from carddb.web.http.modes import form_token, session_cookie
from carddb.web.http.pages import front_of, page
from carddb.web.http.refusals import unknown

T = TypeVar("T")

_MOST_FILES, _MOST_FIELDS, _MOST_TEXT = 200, 1000, 10_000_000


async def in_event(request: Request, work: Callable[[Workspace, Events, Event], T]) -> T:
    """Does some work with the event of an address. Raises Unknown where there is none, CarddbError."""
    front, key = front_of(request), request.path_params.get("key") or front_of(request).options.event

    def job() -> T:
        project = front.project()
        with open_events(project) as events:
            with unknown():
                event = event_called(events, key)
            return work(project, events, event)

    return await front.run(job)


async def event_of(request: Request) -> Event:
    """Returns the event of an address. Raises Unknown where there is none."""
    return await in_event(request, lambda _project, _events, event: event)


def credential_of(request: Request) -> str:
    """Returns the secret with which a page was opened: its link, else the session's cookie; none on one's own front."""
    link = request.path_params.get("token") or request.path_params.get("code")
    return link or session_cookie(request.headers)


def event_page(template: str, request: Request, *, status: int = 200, **values: Any) -> HTMLResponse:
    """Returns a page about events."""
    front = front_of(request)
    common = {
        "alone": bool(front.options.event),
        "form_token": form_token(front.form_token, credential_of(request)),
        "day_words": table.day_words, "moment_words": table.moment_words, "grouped": table.grouped,
        "left_words": table.left_words, "now": now(), "is_draft": False, "fault": None, "states": STATES,
    }  # fmt: skip
    response = page(template, front, "events", **{**common, **values})
    response.status_code = status
    return response


def fault_page(template: str, request: Request, fault: CarddbError, **values: Any) -> HTMLResponse:
    """Returns a page about events that says what is wrong, with the status of the fault."""
    return event_page(template, request, status=status_of(fault), fault=fault, **values)


def event_file(data: bytes, name: str, media_type: str) -> Response:
    """Returns a file of an event to be saved, which no cache keeps."""
    response = as_file(data, name, media_type)
    response.headers["Cache-Control"] = "no-store"
    return response


def base_of(request: Request) -> str:
    """Returns the address of this front, as the browser wrote it."""
    return f"{request.url.scheme}://{request.headers['host']}"


async def upload_of(request: Request) -> SentForm:
    """Reads the form of a request. Raises Forbidden without the token of its page, UsageError."""
    token = form_token(front_of(request).form_token, credential_of(request))
    return await read_form(request, token, _MOST_FIELDS, _MOST_FILES, _MOST_TEXT)


def seen_version(upload: SentForm) -> int:
    """Returns the version that a form was made from; 0 for none."""
    seen = upload.fields.get("seen", "")
    return int(seen) if seen.isdecimal() and len(seen) < 6 else 0
