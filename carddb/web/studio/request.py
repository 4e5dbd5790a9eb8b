"""What a request to the studio is about: the game, the query, the card, and how faces are drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlencode

from starlette.requests import Request

from carddb.app.studio.drafts import Drafts
from carddb.app.studio.faces import OVERLAYS, FaceLook
from carddb.app.studio.room import StudioRoom, StudioView, as_json
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import QueryError, UsageError
from carddb.core.names import did_you_mean
from carddb.games import Game
from carddb.layout.stock import CARDS
from carddb.web.http.forms import form_of
from carddb.web.http.front import Front
from carddb.web.http.pages import front_of
from carddb.web.http.refusals import Forbidden

T = TypeVar("T")
FIELDS = ("game", "q", "card", "side", "size", "ink", "over")
"""The parts of an address of the studio."""
SIDES = {"front": "Fronts", "back": "Backs"}
INKS = {"full": "Full ink", "light": "Light ink", "text": "Words alone"}


class PageRequest(NamedTuple):
    """What a page of the studio shows: a query, a card (empty: the first), and how faces are drawn."""

    query: str
    card: str
    look: FaceLook


def page_request(fields: Mapping[str, str]) -> PageRequest:
    """What an address or a form asks for. Raises UsageError for an unknown name."""
    side, size = fields.get("side") or "front", fields.get("size") or ""
    ink = fields.get("ink") or "full"
    overlays = tuple(name for name in OVERLAYS if name in fields.get("over", "").split(","))
    for value, choices in ((side, SIDES), (ink, INKS), (size or "poker", CARDS)):
        if value not in choices:
            raise UsageError(f"there is no {value!r} here", did_you_mean(value, choices))
    return PageRequest(fields.get("q", "").strip(), fields.get("card", ""), FaceLook(side, size, ink, overlays))


def _room(front: Front, key: str) -> StudioRoom:
    """The studio of a game: the one that is named, else the project's, else the first that has cards."""
    project = front.project()
    game = project.game(key) if key else _usual_game(project)
    if game.key not in front.studios:
        drafts = next((room.sitting.drafts for room in front.studios.values()), None) or Drafts(project.art_folder)
        front.studios[game.key] = StudioRoom(project, game, drafts)
    return front.studios[game.key]


def _usual_game(project: Workspace) -> Game:
    if project.settings.game:
        return project.only_game()
    with project.catalog() as catalog:
        keys = catalog.games()
    return next((game for game in project.all_games() if game.key in keys), project.all_games()[0])


async def studio_work(request: Request, fields: Mapping[str, str], work: Callable[[StudioRoom], T]) -> T:
    """Does some work at the studio of a request. Raises Forbidden on a public front."""
    front = front_of(request)
    if front.has_worker:
        raise Forbidden("the studio is its owner's", "Run `carddb serve` on your own machine.")
    return await front.run(lambda: work(_room(front, fields.get("game", ""))))


async def studio_form(request: Request) -> dict[str, str]:
    if front_of(request).has_worker:
        raise Forbidden("the studio is its owner's", "Run `carddb serve` on your own machine.")
    return await form_of(request)


def studio_address(room: StudioRoom, viewing: PageRequest, card: str = "", **more: str) -> str:
    """The address of the studio with a query, a card and a look."""
    look = viewing.look
    parts = {"game": room.game.key, "q": viewing.query, "card": card or viewing.card, "size": look.size,
             "side": look.side if look.side != "front" else "", "ink": look.ink if look.ink != "full" else "",
             "over": ",".join(look.overlays), **more}  # fmt: skip
    return "/studio?" + urlencode({name: value for name, value in parts.items() if value})


def studio_state(room: StudioRoom, viewing: PageRequest) -> dict[str, Any]:
    return as_json(room, _view(room, viewing.query), viewing.look.plain)


def _view(room: StudioRoom, query: str) -> StudioView:
    """What a query finds; one that is half typed finds everything."""
    try:
        return room.view(query)
    except QueryError:
        return room.view("")
