"""Whether the server answers: for what watches over it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carddb.web.http.answers import as_json


async def health(_: Request) -> Response:
    """Whether the server answers."""
    return as_json({"ok": True})


ROUTES = [Route("/healthz", health)]
