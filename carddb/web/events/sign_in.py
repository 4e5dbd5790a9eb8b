"""The organiser's door of an event: a secret is exchanged for a session that ends."""

from __future__ import annotations

import hmac

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carddb.app.events.tournament import token_hash
from carddb.app.workspace.workspace import Workspace
from carddb.events.records import Event
from carddb.events.store import Events
from carddb.web.events.pages import event_page, fault_page, in_event, upload_of
from carddb.web.http.event_mode import SESSION_HOURS, EventMode, client_of, cookie_name, session_cookie
from carddb.web.http.pages import front_of
from carddb.web.http.refusals import Forbidden


async def begin(request: Request) -> Response:
    """What this front is, for who has no link; the organiser who is signed in goes on to the desk."""
    mode = _mode(request)
    if mode.is_organiser(request.headers):
        return RedirectResponse(mode.desk, status_code=303)
    event = await in_event(request, _event)
    return event_page("events/sign_in.html", request, event=event, form=request.url.path != "/")


async def sign_in(request: Request) -> Response:
    """Begins a session for who has the secret."""
    upload, mode = await upload_of(request), _mode(request)
    secret = upload.fields.get("secret", "").strip()
    event = await in_event(request, _event)
    if not hmac.compare_digest(token_hash(secret), event.secret_hash or ""):
        mode.faults.note(client_of(request.scope))
        fault = Forbidden("this is not the secret", "It stood in the terminal when the front was started.")
        return fault_page("events/sign_in.html", request, fault, event=event, form=True)
    response = RedirectResponse(mode.desk, status_code=303)
    response.set_cookie(
        cookie_name(request.headers), mode.sessions.begin(), max_age=SESSION_HOURS * 3600, httponly=True,
        samesite="strict", secure=request.url.scheme == "https",
    )  # fmt: skip
    return response


async def sign_out(request: Request) -> Response:
    """Ends the session."""
    await upload_of(request)
    _mode(request).sessions.end(session_cookie(request.headers))
    response = RedirectResponse("/sign-in", status_code=303)
    response.delete_cookie(cookie_name(request.headers), httponly=True, samesite="strict")
    return response


def _event(_project: Workspace, _events: Events, event: Event) -> Event:
    return event


def _mode(request: Request) -> EventMode:
    mode = front_of(request).mode
    assert isinstance(mode, EventMode)
    return mode


ROUTES = [
    Route("/", begin),
    Route("/sign-in", begin),
    Route("/sign-in", sign_in, methods=["POST"]),
    Route("/sign-out", sign_out, methods=["POST"]),
]
