"""The front as an ASGI application: its routes, what stands before them, and errors as answers."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carddb.app.project import Project
from carddb.errors import CarddbError
from carddb.web import api, ban_pages, checker, documents, gallery, print_room, referee, static_files
from carddb.web.answers import as_error
from carddb.web.front import LOOPBACK, Front, FrontOptions
from carddb.web.guard import Guard, refused

_ROOMS = (ban_pages, checker, documents, gallery, print_room, referee, static_files, api)
_REMEDIES = {404: "Begin at the first page: /", 405: "Look at /api/v1/openapi.json."}


def application(front: Front) -> Starlette:
    """The pages and the API of a front."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        front.close()

    app = Starlette(
        routes=[Route("/", _begin), *(route for room in _ROOMS for route in room.ROUTES)],
        middleware=[Middleware(Guard, front=front)],
        exception_handlers={CarddbError: _error, HTTPException: _http_error, Exception: _crash},
        lifespan=lifespan,
    )
    app.state.front = front
    return app


def public_application() -> Starlette:
    """The public front that the environment describes: CARDDB_CATALOG, CARDDB_GAMES, CARDDB_HOSTS."""
    hosts = tuple(name.strip().lower() for name in os.environ.get("CARDDB_HOSTS", "").split(",") if name.strip())
    return application(Front(Project(), FrontOptions(public=True, hosts=(*LOOPBACK, *hosts))))


async def _begin(_: Request) -> Response:
    return RedirectResponse("/check", status_code=303)


async def _error(_: Request, fault: Exception) -> Response:
    assert isinstance(fault, CarddbError)
    return as_error(fault)


async def _crash(_: Request, _fault: Exception) -> Response:
    return refused(500, "carddb could not do this", "Look at what the server wrote, and report it.")


async def _http_error(_: Request, fault: Exception) -> Response:
    assert isinstance(fault, HTTPException)
    return refused(fault.status_code, fault.detail.lower(), _REMEDIES.get(fault.status_code, ""), fault.headers)
