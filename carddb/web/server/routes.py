"""The addresses of a front, by how it is run.

Rooms are imported where a front has them: the worker of a public front does without those of an owner, and the server
before it, which only hands requests on, without all of them. That is 18 MB in the server and 8 in its worker.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from carddb.web.api import api
from carddb.web.bans import pages as ban_pages
from carddb.web.cards import gallery, import_room
from carddb.web.decks import checker, meta_room
from carddb.web.documents import documents
from carddb.web.events import desk, desk_player, desk_work, player_page, registration
from carddb.web.events.sign_in import ROUTES
from carddb.web.http import static_files
from carddb.web.http.answers import as_json
from carddb.web.http.front import Front
from carddb.web.http.refusals import Forbidden
from carddb.web.printing import components, print_room, printers
from carddb.web.referee import referee
from carddb.web.studio import edits as studio_edits
from carddb.web.studio import faces as studio_faces
from carddb.web.studio import studio
from carddb.web.tables import pages as table_pages
from carddb.web.tables import tables
from carddb.web.tables.pages import EVENTS

_OWNED = ("/import", "/print/printers", "/studio")
"""What the addresses begin with that a public front refuses. Others of its owner it does not have."""


async def health(_: Request) -> Response:
    """Whether the server answers: for what watches over it."""
    return as_json({"ok": True})


_HEALTH = Route("/healthz", health)


def room_routes(front: Front) -> list[BaseRoute]:
    """Every address of a front."""
    if front.options.event:
        return _routes((desk, desk_player, desk_work, player_page, registration))
    own = _refusals() if front.public else _routes(_owner_rooms())
    return [Route("/", _begin), *own, *_routes(_rooms()), _HEALTH]


def server_routes(front: Front) -> list[BaseRoute]:
    """What a front with a worker answers itself: files, sign-in, and word of changes, which outlasts any answer."""
    routes: list[BaseRoute] = [*static_files.ROUTES, _HEALTH]
    if front.options.event:
        return [*routes, *ROUTES]
    if front.has_tables:
        return [*routes, *EVENTS]
    return routes


def _routes(rooms: Iterable[ModuleType]) -> list[BaseRoute]:
    return [route for room in rooms for route in room.ROUTES]


def _rooms() -> Iterable[ModuleType]:
    """What everybody has."""
    return (ban_pages, checker, components, documents, gallery, print_room, referee, static_files, tables,
            table_pages, api)  # fmt: skip


def _owner_rooms() -> Iterable[ModuleType]:
    """What an owner has besides, before all others: their addresses are longer than those of the rooms they are in."""
    return (
        import_room,
        meta_room,
        printers,
        studio,
        studio_edits,
        studio_faces,
        desk,
        desk_player,
        desk_work,
    )


def _refusals() -> list[BaseRoute]:
    return [Route(f"{path}{{rest:path}}", _refuse, methods=["GET", "POST"]) for path in _OWNED]


async def _refuse(_: Request) -> Response:
    raise Forbidden("this room is its owner's", "Run carddb serve on your own machine.")


async def _begin(_: Request) -> Response:
    return RedirectResponse("/check", status_code=303)
