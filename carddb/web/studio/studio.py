"""The studio: the cards of a game as a table to be edited, their faces beside it, told at once what was saved."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carddb.app.studio.card_table import TableRow
from carddb.app.studio.faces import OVERLAYS
from carddb.app.studio.room import GuideView, StudioRoom, row_differences
from carddb.app.studio.watching import saved_files
from carddb.core.errors import QueryError
from carddb.core.units import to_mm
from carddb.layout.stock import CARDS, card_size, describe
from carddb.web.documents.documents import document
from carddb.web.http.answers import as_json as json_answer
from carddb.web.http.event_stream import Event
from carddb.web.http.pages import environment, front_of, page
from carddb.web.http.requests import refuse_others
from carddb.web.studio.faces import face_address
from carddb.web.studio.request import (
    FIELDS,
    INKS,
    SIDES,
    PageRequest,
    page_request,
    studio_address,
    studio_state,
    studio_work,
)

_EMPTY = b"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Rules</title>
</head>
<body>
</body>
</html>
"""
"""What is shown where a rule sheet has never been set."""

PAGE_ROWS = 100
"""Rows that a page has before its script draws those that are seen, and that it has without script."""


async def show(request: Request) -> Response:
    """The table and the faces; a query that cannot be read is answered with the place of its fault."""
    fields = dict(request.query_params)
    refuse_others(fields, *FIELDS, *OVERLAYS, "stored")
    fields["over"] = ",".join([*fields.get("over", "").split(","), *(name for name in OVERLAYS if name in fields)])
    viewing = page_request(fields)

    def work(room: StudioRoom) -> dict[str, Any]:
        return _page_values(room, viewing)

    values = await studio_work(request, fields, work)
    return page("studio/studio.html", front_of(request), "studio", **values, stored=fields.get("stored", ""))


def _page_values(room: StudioRoom, viewing: PageRequest) -> dict[str, Any]:
    """What the template sees."""
    fault = None
    try:
        view = room.view(viewing.query)
    except QueryError as error:
        fault, view = error, room.view("")
    at = next((number for number, row in enumerate(view.rows) if row.ref == viewing.card), 0)
    first = at - at % PAGE_ROWS
    pages = range(0, len(view.rows), PAGE_ROWS)
    size = card_size(viewing.look.size or room.game.spec.card_size)

    def address(row: TableRow, state: str = "now", overlays: bool = False) -> str:
        return face_address(room, row, state, viewing.look if overlays else viewing.look.plain)

    return {
        "view": view, "game": room.game, "viewing": viewing, "fault": fault,
        "row": view.rows[at] if view.rows else None, "rows": view.rows[first : first + PAGE_ROWS], "first": first,
        "pages": [view.rows[number].ref for number in pages], "page_rows": PAGE_ROWS,
        "games": room.project.all_games(), "face_address": address, "differences": row_differences,
        "width": round(to_mm(size.width) * 8), "height": round(to_mm(size.height) * 8),
        "sizes": {name: describe(each) for name, each in CARDS.items()}, "sides": SIDES, "inks": INKS,
        "overlays": OVERLAYS,
        "card_address": lambda ref: studio_address(room, viewing, ref), "places": room.sitting.places(),
    }  # fmt: skip


async def state(request: Request) -> Response:
    """The table as JSON."""
    fields = dict(request.query_params)
    refuse_others(fields, *FIELDS)
    viewing = page_request(fields)
    return json_answer(await studio_work(request, fields, lambda room: studio_state(room, viewing)))


async def events(request: Request) -> Response:
    """Tells a page as long as it is open which files were saved."""
    key = request.query_params.get("game", "")
    refuse_others(request.query_params, "game")
    project, game = await studio_work(request, {"game": key}, lambda room: (room.project, room.game))

    async def saved() -> AsyncIterator[Event]:
        async for files in saved_files(project, game):
            yield Event("saved", json.dumps(files))

    return front_of(request).streams.answer(saved())


async def guide(request: Request) -> Response:
    """The rule sheet, under a banner where its files are at fault."""
    key = request.path_params["game"]

    def work(room: StudioRoom) -> tuple[str, GuideView]:
        room.refresh()
        return room.game.spec.name, room.guide.view(room.game)

    name, view = await studio_work(request, {"game": key}, work)
    head = environment().get_template("studio/_studio_guide.html").render(game=key, name=name, view=view)
    return document(view.data or _EMPTY, head, with_script=True)


ROUTES = [
    Route("/studio", show),
    Route("/studio/state", state),
    Route("/studio/events", events),
    Route("/studio/guide/{game}", guide),
]
"""The page of the studio, its table as JSON, what is told to it, and the rule sheet of a game."""
