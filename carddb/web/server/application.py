"""The ASGI application of a server: its routes, its guard, its worker process, and errors as answers."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
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
from carddb.web.events import desk, player_page, rounds
from carddb.web.events.player_page import event_page
from carddb.web.http import pages
from carddb.web.http.answers import as_error, as_json
from carddb.web.http.front import LOOPBACK, Front, FrontOptions, environment_hosts
from carddb.web.http.guard import Guard
from carddb.web.http.modes import Forbidden, refused, wants_page
from carddb.web.http.pages import page
from carddb.web.http.worker import Reply, WorkerJob
from carddb.web.printing import components, print_room, printers

GRACE = 2.0
"""The seconds for which a worker continues a request whose client has left: about as long as its restart takes."""


class WorkerRequests:
    """An ASGI application that passes all requests to the worker process."""

    def __init__(self, front: Front) -> None:
        self.front = front

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        job = WorkerJob(scope, await Request(scope, receive).body(), self.front.mode.seconds(scope))
        work = self.front.run(lambda: self.front.worker.answer(job), self.front.mode.client(scope))
        answer = asyncio.ensure_future(work)
        gone = asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait((answer, gone), return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                await self._give_up(job, answer)
                return
        finally:
            gone.cancel()
        reply = answer.result()
        if instead := self.front.mode.note(scope, reply.status):
            await instead(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": reply.status, "headers": reply.headers})
        await send({"type": "http.response.body", "body": reply.body})

    async def _give_up(self, job: WorkerJob, answer: asyncio.Task[Reply]) -> None:
        """Cancels a job that still waits; kills the process of a job that does not end within `GRACE` seconds."""
        if not job.begun.is_set():
            answer.cancel()
        await asyncio.wait((answer,), timeout=GRACE)
        if not answer.done():
            self.front.worker.end_job(job)
        with suppress(CarddbError, asyncio.CancelledError):
            await answer


async def _gone(receive: Receive) -> None:
    """Waits until the client disconnects."""
    message: Mapping[str, Any] = {"type": ""}
    while message["type"] != "http.disconnect":
        message = await receive()


_OWNED = ("/import", "/print/printers", "/studio")
"""Paths that a public server refuses, with all paths below them. It does not have the owner's other pages at all."""


async def health(_: Request) -> Response:
    """Answers that the server is running, for programs that monitor it."""
    return as_json({"ok": True})


_HEALTH = Route("/healthz", health)


def room_routes(front: Front) -> list[BaseRoute]:
    """Returns all routes of a server. The owner's come first, because more general ones would match their paths too."""
    if front.options.event:
        of_event = (desk, rounds, player_page, bans, decks, documents, cards, referee)
        return [*(route for room in of_event for route in room.ROUTES), *pages.SKIN_ROUTES, *api.FACES]
    if front.public:
        own = [Route(f"{path}{{rest:path}}", _refuse, methods=["GET", "POST"]) for path in _OWNED]
    else:
        own = [*cards.IMPORT_ROUTES, *decks.META_ROUTES, *printers.ROUTES, *studio.ROUTES, *desk.ROUTES, *rounds.ROUTES]
    rooms = (bans, decks, components, documents, cards, print_room, referee, pages, tables, api)
    return [Route("/", _begin), *own, *pages.SKIN_ROUTES, *(route for room in rooms for route in room.ROUTES), _HEALTH]


def server_routes(front: Front) -> list[BaseRoute]:
    """Returns the routes that a server with a worker process answers itself.

    They are static files, signing in, and event streams, which stay open longer than the worker may take.
    """
    routes: list[BaseRoute] = [*pages.ROUTES, _HEALTH]
    if front.options.event:
        return [*routes, *player_page.SIGN_IN_ROUTES]
    return [*routes, *tables.EVENTS] if front.has_tables else routes


async def _refuse(_: Request) -> Response:
    raise Forbidden("only the owner may open this page", "Run `carddb serve` on your own machine.")


async def _begin(_: Request) -> Response:
    return RedirectResponse("/check", status_code=303)


_LOG = logging.getLogger("uvicorn.error")
_REMEDIES = {404: "Nothing is at this address. Begin at the first page.", 405: "Look at /api/v1/openapi.json."}


def application(front: Front) -> Starlette:
    """Returns the application of a server, behind its guard. A server for others passes most requests to its worker."""
    worked = Mount("", WorkerRequests(front))
    routes = [*server_routes(front), worked] if front.public else room_routes(front)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        if front.public:
            front.worker.start()
        yield
        front.close()

    return _starlette(front, routes, [_CRASHES, Middleware(Guard, front=front, as_page=_as_page)], lifespan)


def rooms(front: Front) -> Starlette:
    """Returns the application of a server without a guard, which the worker process of a public server runs."""
    return _starlette(front, room_routes(front))


def _starlette(
    front: Front,
    routes: list[BaseRoute],
    middleware: Sequence[Middleware] = (),
    lifespan: Lifespan[Starlette] | None = None,
) -> Starlette:
    app = Starlette(
        routes=routes,
        middleware=[*middleware, _CRASHES],
        exception_handlers={CarddbError: _error, HTTPException: _http_error},
        lifespan=lifespan,
    )
    app.state.front = front
    return app


_SECRET = re.compile(r"(/(?:tables|p|join)/)(?!begin/)[^/?]+")


def without_secrets(record: logging.LogRecord) -> bool:
    """Removes the secrets that open tables and lists from a line of uvicorn's access log. Returns True, to log it."""
    if isinstance(record.args, tuple):
        record.args = tuple(_SECRET.sub(r"\1...", arg) if isinstance(arg, str) else arg for arg in record.args)
    return True


def public_application() -> Starlette:
    """Returns the public server that CARDDB_CATALOG, CARDDB_GAMES, CARDDB_HOSTS and CARDDB_TABLES configure."""
    logging.getLogger("uvicorn.access").addFilter(without_secrets)
    folder = os.environ.get("CARDDB_TABLES", "")
    hosts = (*LOOPBACK, *environment_hosts())
    options = FrontOptions(public=True, hosts=hosts, tables=bool(folder), table_folder=Path(folder) if folder else None)
    return application(Front(Workspace(), options))


async def _error(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, CarddbError)
    return _as_page(request.scope, as_error(fault))


def _as_page(scope: Scope, answer: Response) -> Response:
    """Returns an error as a page if a browser asks for a page, and any other answer unchanged.

    If a form was sent, the page has what was typed, and a button that sends it again.
    """
    request = Request(scope)
    front: Front = scope["app"].state.front
    is_error = answer.status_code >= 400 and answer.media_type == "application/json"
    if not is_error or not wants_page(scope):
        return answer
    words = json.loads(bytes(answer.body))
    typed = getattr(request.state, "typed", {}) if request.method == "POST" else {}
    values = {"message": words["error"], "remedy": words["remedy"], "typed": typed, "path": request.url.path,
              "status": answer.status_code}  # fmt: skip
    name = "events/refusal.html" if front.options.event else "fault.html"
    fault = event_page(name, request, **values) if front.options.event else page(name, front, "", **values)
    if "Retry-After" in answer.headers:
        fault.headers["Retry-After"] = answer.headers["Retry-After"]
    return fault


async def _crash(request: Request, fault: Exception) -> Response:
    """Logs an internal error of carddb in one line that contains nothing of what was sent, and answers 500."""
    line = traceback.extract_tb(fault.__traceback__)[-1]
    place = f"{line.filename}:{line.lineno}"
    # The path of a player's page contains the secret that opens it.
    path = "(an event)" if request.app.state.front.options.event else quote(request.url.path)
    _LOG.error("%s %s: %s at %s", request.method, path, type(fault).__name__, place)
    answer = refused(500, *crash_words("this request", fault, "its address and the line that the server wrote"))
    return _as_page(request.scope, answer)


async def _http_error(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, HTTPException)
    message, remedy = fault.detail.lower(), _REMEDIES.get(fault.status_code, "")
    return _as_page(request.scope, refused(fault.status_code, message, remedy, fault.headers))


# Starlette raises an Exception again after its own handler, so the server would print the traceback, which may quote a
# deck. A handler in this middleware prevents that, within the guard, and around it for what the guard stumbles over.
_CRASHES = Middleware(ExceptionMiddleware, handlers={Exception: _crash})
