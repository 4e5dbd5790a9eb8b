"""What the decks of the project's folder say together: the page and the tables of `carddb meta`.

A draft of announcements can be sent to the page; nothing of it is stored.
"""

from __future__ import annotations

from io import BytesIO
from typing import BinaryIO

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carddb.app.deck_check import CheckRequest
from carddb.app.deck_choices import FOLDER
from carddb.app.deck_meta import Meta, meta
from carddb.app.meta_page import meta_page
from carddb.app.meta_tables import meta_tables
from carddb.errors import InputError, UsageError
from carddb.web.answers import Unknown
from carddb.web.documents import document
from carddb.web.forms import sent_form
from carddb.web.front import Front
from carddb.web.guard import FORM_FIELD
from carddb.web.pages import environment, front_of
from carddb.web.requests import refuse_others, text_of


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

    def work() -> tuple[bytes, InputError | None]:
        try:
            return meta_page(_meta(front, game, draft), served=True), None
        except InputError as fault:
            if draft is None:
                raise
            return meta_page(_meta(front, game), served=True), fault

    data, fault = await front.run(work)
    head = environment().get_template("_meta_head.html")
    return document(data, head.render(game=game or "", fault=fault, form_field=FORM_FIELD, form_token=front.form_token))


async def table(request: Request) -> Response:
    """One table as CSV."""
    refuse_others(request.query_params, "game")
    front, game, name = front_of(request), text_of(request.query_params, "game"), request.path_params["name"]
    tables = await front.run(lambda: meta_tables(_meta(front, game)))
    if name not in tables:
        raise Unknown(f"there is no table {name}", f"Tables: {', '.join(tables)}.")
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(tables[name], media_type="text/csv; charset=utf-8", headers=headers)


ROUTES = [Route("/check/meta/", index, methods=["GET", "POST"]), Route("/check/meta/{name}", table)]
