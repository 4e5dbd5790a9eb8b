"""Rule sheets and the handbook: documents that carddb sets, each a page with its own style and fonts in it."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carddb.errors import UsageError
from carddb.web.answers import Unknown
from carddb.web.pages import front_of, page

_STYLE = re.compile(rb"<style>(.*?)</style>", re.S)


def document(data: bytes) -> Response:
    """A page that carddb has set; its policy allows its own style by its digest, and nothing from elsewhere."""
    digests = [base64.b64encode(hashlib.sha256(style).digest()).decode() for style in _STYLE.findall(data)]
    styles = " ".join(f"'sha256-{digest}'" for digest in digests)
    policy = f"default-src 'none'; style-src {styles or chr(39) + 'none' + chr(39)}; font-src data:; img-src data:; "
    policy += "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    return Response(data, media_type="text/html", headers={"Content-Security-Policy": policy})


async def index(request: Request) -> Response:
    """The rule sheets and the handbook."""
    front = front_of(request)
    games = await front.run(lambda: front.project().all_games())
    return page("documents.html", front, "rules", games=games)


async def rule_sheet(request: Request) -> Response:
    """The rule sheet of a game."""
    front, key = front_of(request), request.path_params["game"]

    def work() -> bytes:
        try:
            return front.documents.rule_sheet(front.project(), key)
        except UsageError as fault:
            raise Unknown(fault.message, fault.remedy) from fault

    return document(await front.run(work))


async def handbook(request: Request) -> Response:
    """A chapter of the handbook."""
    front, name = front_of(request), request.path_params["name"]

    def work() -> Any:
        return front.documents.handbook(front.project()).get(name)

    data = await front.run(work)
    if data is None:
        raise Unknown(f"the handbook has no chapter {name}", "Look into /handbook/index.html.")
    return document(data)


async def first_chapter(_: Request) -> Response:
    return RedirectResponse("/handbook/index.html", status_code=303)


ROUTES = [
    Route("/rules", index),
    Route("/rules/{game}", rule_sheet),
    Route("/handbook", first_chapter),
    Route("/handbook/{name}", handbook),
]
