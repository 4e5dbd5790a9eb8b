"""The front as an ASGI application: its addresses, what stands before them, its worker, and errors as answers."""

from __future__ import annotations

import asyncio
import logging
import os
import traceback
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import Lifespan, Receive, Scope, Send

from carddb.app.workspace.workspace import Workspace, crash_words
from carddb.core.errors import CarddbError
from carddb.web import api, bans, cards, decks, documents, referee, studio, tables
from carddb.web.events import desk, player_page
from carddb.web.events.player_page import event_page
from carddb.web.http import pages
from carddb.web.http.answers import as_error, as_json, status_of
from carddb.web.http.front import LOOPBACK, Front, FrontOptions, environment_hosts
from carddb.web.http.guard import Guard
from carddb.web.http.modes import Forbidden, refused
from carddb.web.http.pages import page
from carddb.web.http.worker import Reply, WorkerJob
from carddb.web.printing import components, print_room, printers

GRACE = 2.0
"""Seconds that work goes on for nobody. A new worker costs as much: whoever leaves at once must not cost one."""


class WorkerRequests:
    """An ASGI application whose answers the worker of a front makes."""

    def __init__(self, front: Front) -> None:
        self.front = front

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        job = WorkerJob(scope, await Request(scope, receive).body(), self.front.mode.seconds(scope))
        answer = asyncio.ensure_future(self.front.run(lambda: self.front.worker.answer(job)))
        gone = asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait((answer, gone), return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                await self._give_up(job, answer)
                return
        finally:
            gone.cancel()
        reply = answer.result()
        self.front.mode.note(scope, reply.status)
        await send({"type": "http.response.start", "status": reply.status, "headers": reply.headers})
        await send({"type": "http.response.body", "body": reply.body})

    async def _give_up(self, job: WorkerJob, answer: asyncio.Task[Reply]) -> None:
        """Frees the place of a job that waits; one that is worked at ends with its process, unless it is done soon."""
        if not job.begun.is_set():
            answer.cancel()
        await asyncio.wait((answer,), timeout=GRACE)
        if not answer.done():
            self.front.worker.end_job(job)
        with suppress(CarddbError, asyncio.CancelledError):
            await answer


async def _gone(receive: Receive) -> None:
    """Waits until the client has gone."""
    message: Mapping[str, Any] = {"type": ""}
    while message["type"] != "http.disconnect":
        message = await receive()


_OWNED = ("/import", "/print/printers", "/studio")
"""Beginnings of addresses that a public front refuses. Others of its owner it does not have."""


async def health(_: Request) -> Response:
    """Answers that the server is there, for programs that watch over it."""
    return as_json({"ok": True})


_HEALTH = Route("/healthz", health)


def room_routes(front: Front) -> list[BaseRoute]:
    """Returns every address of a front.

    Those of its owner come first: they are longer than those of the rooms that they are in.
    """
    if front.options.event:
        return [*desk.ROUTES, *player_page.ROUTES]
    if front.public:
        own = [Route(f"{path}{{rest:path}}", _refuse, methods=["GET", "POST"]) for path in _OWNED]
    else:
        own = [*cards.IMPORT_ROUTES, *decks.META_ROUTES, *printers.ROUTES, *studio.ROUTES, *desk.ROUTES]
    rooms = (bans, decks, components, documents, cards, print_room, referee, pages, tables, api)
    return [Route("/", _begin), *own, *(route for room in rooms for route in room.ROUTES), _HEALTH]


def server_routes(front: Front) -> list[BaseRoute]:
    """Returns the addresses that a front with a worker answers itself.

    They are files, sign-in, and word of changes, which outlasts any answer.
    """
    routes: list[BaseRoute] = [*pages.ROUTES, _HEALTH]
    if front.options.event:
        return [*routes, *player_page.SIGN_IN_ROUTES]
    return [*routes, *tables.EVENTS] if front.has_tables else routes


async def _refuse(_: Request) -> Response:
    raise Forbidden("this room is its owner's", "Run carddb serve on your own machine.")


async def _begin(_: Request) -> Response:
    return RedirectResponse("/check", status_code=303)


_LOG = logging.getLogger("uvicorn.error")
_REMEDIES = {404: "Begin at the first page: /", 405: "Look at /api/v1/openapi.json."}


def application(front: Front) -> Starlette:
    """Returns the pages and the API of a front, behind its guard. One for others answers by its worker."""
    worked = Mount("", WorkerRequests(front))
    routes = [*server_routes(front), worked] if front.has_worker else room_routes(front)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        if front.has_worker:
            front.worker.start()
        yield
        front.close()

    return _starlette(front, routes, [Middleware(Guard, front=front)], lifespan)


def rooms(front: Front) -> Starlette:
    """Returns the pages and the API of a front without a guard, as the worker of a public front runs them."""
    return _starlette(front, room_routes(front))


def _starlette(
    front: Front,
    routes: list[BaseRoute],
    middleware: Sequence[Middleware] = (),
    lifespan: Lifespan[Starlette] | None = None,
) -> Starlette:
    # Starlette's own handler of Exception raises it again, and the server would write the traceback with what it
    # quotes of a deck; a middleware's does not.
    crashes = Middleware(ExceptionMiddleware, handlers={Exception: _crash})
    app = Starlette(
        routes=routes,
        middleware=[*middleware, crashes],
        exception_handlers={CarddbError: _error, HTTPException: _http_error},
        lifespan=lifespan,
    )
    app.state.front = front
    return app


def public_application() -> Starlette:
    """Returns the public front that CARDDB_CATALOG, CARDDB_GAMES, CARDDB_HOSTS and CARDDB_TABLES describe."""
    folder = os.environ.get("CARDDB_TABLES", "")
    hosts = (*LOOPBACK, *environment_hosts())
    options = FrontOptions(public=True, hosts=hosts, tables=bool(folder), table_folder=Path(folder) if folder else None)
    return application(Front(Workspace(), options))


async def _error(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, CarddbError)
    if request.app.state.front.options.event:  # a player looks at it
        return event_page(
            "events/refusal.html", request, status=status_of(fault), error=fault.message, remedy=fault.remedy
        )
    if _is_for_reading(request):
        return _fault_page(request, as_error(fault), fault.message, fault.remedy)
    return as_error(fault)


def _is_for_reading(request: Request) -> bool:
    """Returns true where somebody follows a link in a browser, false for a script or a program that asks for data."""
    wants_page = "text/html" in request.headers.get("accept", "")
    return wants_page and request.method == "GET" and not request.url.path.startswith("/api/")


def _fault_page(request: Request, answer: Response, message: str, remedy: str) -> Response:
    """Returns a refusal as a page with the status of the answer, and its moment to try again."""
    fault = page("fault.html", request.app.state.front, "", message=message, remedy=remedy)
    fault.status_code = answer.status_code
    if "Retry-After" in answer.headers:
        fault.headers["Retry-After"] = answer.headers["Retry-After"]
    return fault


async def _crash(request: Request, fault: Exception) -> Response:
    """Logs a fault of carddb's own: one line for the server's owner, with nothing of what was sent."""
    line = traceback.extract_tb(fault.__traceback__)[-1]
    place = f"{line.filename}:{line.lineno}"
    # The address of a player's page is his key to it.
    path = "(an event)" if request.app.state.front.options.event else quote(request.url.path)
    _LOG.error("%s %s: %s at %s", request.method, path, type(fault).__name__, place)
    return refused(500, *crash_words("this request", fault, "its address and the line that the server wrote"))


async def _http_error(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, HTTPException)
    message, remedy = fault.detail.lower(), _REMEDIES.get(fault.status_code, "")
    answer = refused(fault.status_code, message, remedy, fault.headers)
    if not request.app.state.front.options.event and _is_for_reading(request):
        return _fault_page(request, answer, message, remedy)
    return answer
