"""What the decks of the project's folder say together: the page and the tables of `carddb meta`."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carddb.app.deck_check import CheckRequest
from carddb.app.deck_choices import FOLDER
from carddb.app.deck_meta import Meta, meta
from carddb.app.meta_page import meta_page
from carddb.app.meta_tables import meta_tables
from carddb.errors import UsageError
from carddb.web.answers import Unknown
from carddb.web.documents import document
from carddb.web.front import Front
from carddb.web.pages import environment, front_of
from carddb.web.requests import refuse_others, text_of


def _meta(front: Front, game: str | None) -> Meta:
    project = front.project()
    folder = (project.settings.root or project.folder) / FOLDER
    if not folder.is_dir():
        raise UsageError(
            f"the project has no folder {FOLDER}", f"Put deck files into {FOLDER}, or run carddb meta DIR."
        )
    return meta(project, folder, CheckRequest(game, files=False))


async def index(request: Request) -> Response:
    """The charts."""
    refuse_others(request.query_params, "game")
    front, game = front_of(request), text_of(request.query_params, "game")
    data = await front.run(lambda: meta_page(_meta(front, game), policy=False))
    return document(data, environment().get_template("_document_head.html").render(game=game or ""))


async def table(request: Request) -> Response:
    """One table as CSV."""
    refuse_others(request.query_params, "game")
    front, game, name = front_of(request), text_of(request.query_params, "game"), request.path_params["name"]
    tables = await front.run(lambda: meta_tables(_meta(front, game)))
    if name not in tables:
        raise Unknown(f"there is no table {name}", f"Tables: {', '.join(tables)}.")
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(tables[name], media_type="text/csv; charset=utf-8", headers=headers)


ROUTES = [Route("/check/meta/", index), Route("/check/meta/{name}", table)]
