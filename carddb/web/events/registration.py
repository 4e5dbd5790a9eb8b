"""Registration: a player who has the event's code gives his name, and gets a link of his own."""

from __future__ import annotations

import hmac
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carddb.app.events import players as tournament_players
from carddb.app.events.gate import accepts
from carddb.app.workspace.clock import now
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import CarddbError
from carddb.events.records import Event
from carddb.events.store import Events
from carddb.web.events.pages import event_page, fault_page, in_event, upload_of
from carddb.web.http.refusals import Forbidden


async def show(request: Request) -> Response:
    """The form for one's name."""
    event = await in_event(request, _checked(request))
    opens = event.registration and accepts(event, now())
    left = event.terms.deadline - now()
    return event_page("events/join.html", request, event=event, opens=opens, left=left, name="")


async def register(request: Request) -> Response:
    """Registers a player, and goes to his own page."""
    upload = await upload_of(request)
    name = upload.fields.get("name", "")
    event = await in_event(request, _checked(request))

    def work(_: Workspace, events: Events, event: Event) -> str:
        return tournament_players.register(events, event, name).token

    try:
        token = await in_event(request, work)
    except CarddbError as fault:
        left = event.terms.deadline - now()
        return fault_page(
            "events/join.html", request, fault, event=event, opens=event.registration, left=left, name=name
        )
    return RedirectResponse(f"/p/{token}", status_code=303)


def _checked(request: Request) -> Callable[[Workspace, Events, Event], Event]:
    """The event, for who has its code. Raises Forbidden."""

    def work(_project: Workspace, _events: Events, event: Event) -> Event:
        code = request.path_params["code"].lower().replace("-", "")
        if not hmac.compare_digest(code.encode(), event.join_code.encode()):
            raise Forbidden("this is not the code of the event", "Look at the notice of the organiser.")
        return event

    return work


ROUTES = [Route("/join/{code}", show), Route("/join/{code}", register, methods=["POST"])]
