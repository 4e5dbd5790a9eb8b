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

from carddb.web import (
    api,
    ban_pages,
    checker,
    components,
    desk,
    desk_player,
    desk_work,
    documents,
    gallery,
    health,
    import_room,
    meta_room,
    player_page,
    print_room,
    printers,
    referee,
    registration,
    static_files,
    studio,
    studio_edits,
    studio_faces,
    studio_guide,
    table_pages,
    tables,
)
from carddb.web.answers import Forbidden
from carddb.web.front import Front
from carddb.web.sign_in import ROUTES
from carddb.web.table_pages import EVENTS

_OWNED = ("/import", "/print/printers", "/studio")
"""What the addresses begin with that a public front refuses. Others of its owner it does not have."""


def room_routes(front: Front) -> list[BaseRoute]:
    """Every address of a front."""
    if front.options.event:
        return _routes(_event_rooms())
    own = _refusals() if front.public else _routes(_owner_rooms())
    return [Route("/", _begin), *own, *_routes(_rooms())]


def server_routes(front: Front) -> list[BaseRoute]:
    """What a front with a worker answers itself: files, sign-in, and word of changes, which outlasts any answer."""
    routes: list[BaseRoute] = [*static_files.ROUTES, *health.ROUTES]
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
            table_pages, health, api)  # fmt: skip


def _owner_rooms() -> Iterable[ModuleType]:
    """What an owner has besides, before all others: their addresses are longer than those of the rooms they are in."""
    return (
        import_room,
        meta_room,
        printers,
        studio,
        studio_edits,
        studio_faces,
        studio_guide,
        desk,
        desk_player,
        desk_work,
    )


def _event_rooms() -> Iterable[ModuleType]:
    """Tournaments, where a front is there for one event."""
    return desk, desk_player, desk_work, player_page, registration


def _refusals() -> list[BaseRoute]:
    return [Route(f"{path}{{rest:path}}", _refuse, methods=["GET", "POST"]) for path in _OWNED]


async def _refuse(_: Request) -> Response:
    raise Forbidden("this room is its owner's", "Run carddb serve on your own machine.")


async def _begin(_: Request) -> Response:
    return RedirectResponse("/check", status_code=303)
