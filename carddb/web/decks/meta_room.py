"""What the decks of the project's folder say together: the page and the tables of `carddb meta`.

A draft of announcements can be sent to the page; nothing of it is stored.
"""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import Any, BinaryIO
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carddb.app.decks.check import CheckRequest
from carddb.app.decks.choices import FOLDER
from carddb.app.decks.meta import meta
from carddb.app.decks.meta_report import REPORT_STYLE, Meta, meta_body, meta_tables, meta_title
from carddb.core.errors import InputError, UsageError
from carddb.web.http.forms import sent_form
from carddb.web.http.front import Front
from carddb.web.http.pages import front_of, page
from carddb.web.http.refusals import Unknown
from carddb.web.http.requests import refuse_others, text_of


def _meta(front: Front, game: str | None, draft: BinaryIO | None = None) -> Meta:
    project = front.project()
    folder = (project.settings.root or project.folder) / FOLDER
    if not folder.is_dir():
        raise UsageError(
            f"the project has no folder {FOLDER}", f"Put deck files into {FOLDER}, or run carddb meta DIR."
        )
    return meta(project, folder, CheckRequest(game, files=False), draft)


async def index(request: Request) -> Response:
    """The charts; of a draft that is sent, what it would forbid, or why it cannot be announced."""
    refuse_others(request.query_params, "game")
    front, game = front_of(request), text_of(request.query_params, "game")
    files = (await sent_form(request)).files if request.method == "POST" else {}
    draft = BytesIO(files["draft"].data) if "draft" in files else None

    def work() -> dict[str, Any]:
        fault = None
        try:
            report = _meta(front, game, draft)
        except InputError as refusal:
            if draft is None:
                raise
            report, fault = _meta(front, game), refusal
        return {
            "game": report.game,
            "title": meta_title(report),
            "charts": Markup(meta_body(report)),
            "tables": list(meta_tables(replace(report, draft=""))),  # a draft is not stored: it has no table later
            "query": urlencode({"game": game}) if game else "",
            "fault": fault,
        }

    return page("decks/deck_meta.html", front, "check", **await front.run(work))


async def style(_: Request) -> Response:
    """The style of the charts and tables, which the page that `carddb meta` writes has in it."""
    return Response(REPORT_STYLE, media_type="text/css")


async def table(request: Request) -> Response:
    """One table as CSV."""
    refuse_others(request.query_params, "game")
    front, game, name = front_of(request), text_of(request.query_params, "game"), request.path_params["name"]
    tables = await front.run(lambda: meta_tables(_meta(front, game)))
    if name not in tables:
        raise Unknown(f"there is no table {name}", f"Tables: {', '.join(tables)}.")
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(tables[name], media_type="text/csv; charset=utf-8", headers=headers)


ROUTES = [
    Route("/check/meta/", index, methods=["GET", "POST"]),
    Route("/check/meta/report.css", style),
    Route("/check/meta/{name}", table),
]
