"""The gallery: cards by a query, what narrows it, and a page for each card."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carddb.app.bans.lists import hold_report, lists_on
from carddb.app.cards.faces import FaceRequest, face_key
from carddb.app.cards.gallery import CardPage, corrections, gallery, query_words
from carddb.app.decks.page import decks_with
from carddb.app.workspace.clock import today
from carddb.cards.cards import Card
from carddb.core.errors import QueryError
from carddb.core.units import to_mm
from carddb.games import Game
from carddb.layout.stock import card_size
from carddb.web.bans import ban_words
from carddb.web.http.answers import day_of, refuse_others, text_of
from carddb.web.http.pages import front_of, page
from carddb.web.http.refusals import unknown

PAGE = 60
"""Faces on one page."""
_FRONT, _BACK = FaceRequest(), FaceRequest("back")


class Picture(NamedTuple):
    """A face on a page: where it stands, its measures, and what it shows in words."""

    address: str
    width: int
    height: int
    words: str


class Tile(NamedTuple):
    """A card of the gallery."""

    ref: str
    address: str
    name: str
    small: str
    picture: Picture


def picture(game: Game, card: Card, request: FaceRequest = _FRONT) -> Picture:
    """Returns a face of a card at the address where it never changes."""
    size = card_size(game.spec.card_size)
    place = f"/api/v1/faces/{game.key}/{quote(card.ref, safe='')}.{request.kind}"
    fields = {"v": face_key(game, card, request)} | ({"side": "back"} if request.side == "back" else {})
    text = next((str(card.get(name)) for name in ("text", "effect", "special") if card.get(name)), "")
    words = f"{card.name}: {text}" if text and request.side == "front" else f"{request.side.title()} of {card.name}"
    return Picture(f"{place}?{urlencode(fields)}", round(to_mm(size.width) * 8), round(to_mm(size.height) * 8), words)


def tile(game: Game, card: Card) -> Tile:
    """Returns a card with its face and its page."""
    parts = [game.spec.label_of(card.type), *(str(card.get(name)) for name in ("rarity", "path") if card.get(name))]
    small = " · ".join(part.replace("_", " ") for part in parts)
    return Tile(card.ref, f"/cards/{game.key}/{quote(card.ref, safe='')}", card.name, small, picture(game, card))


async def cards(request: Request) -> Response:
    """Shows the cards that a query finds; one that cannot be read is answered with the place of its fault."""
    fields = request.query_params
    refuse_others(fields, "q", "game", "on", "page", "build")
    query, key, on = fields.get("q", "").strip(), text_of(fields, "game"), day_of(fields, "on")
    number = int(fields["page"]) if fields.get("page", "").isdecimal() else 1
    front = front_of(request)

    def work() -> dict[str, Any]:
        project = front.project()
        values: dict[str, Any] = {
            "words": query_words(project, key),
            "games": project.all_games(),
            "fault": None,
            "corrections": [],
        }
        try:
            hits = gallery(project, query, key, on)
        except QueryError as fault:
            values["corrections"] = corrections(fault, values["words"])
            return values | {"fault": fault, "tiles": [], "count": 0, "facets": (), "pages": 1}
        shown = hits.cards[(number - 1) * PAGE : number * PAGE]
        pages = max(1, -(-len(hits.cards) // PAGE))
        tiles = [tile(project.game(each.game), each) for each in shown]
        return values | {"tiles": tiles, "count": len(hits.cards), "facets": hits.facets, "pages": pages}

    values = await front.run(work)

    def address(**changes: Any) -> str:
        parts = {"q": query, "game": key, "on": fields.get("on"), "build": fields.get("build"), **changes}
        return "/cards?" + urlencode({name: value for name, value in parts.items() if value})

    building = bool(fields.get("build")) and key is not None
    more = {"query": query, "game": key, "number": number, "address": address, "building": building}
    return page("cards/gallery.html", front, "cards", **values, **more)


async def card(request: Request) -> Response:
    """Shows one card."""
    refuse_others(request.query_params, "on")
    on, key, ref = day_of(request.query_params, "on"), request.path_params["game"], request.path_params["ref"]
    front = front_of(request)

    def work() -> dict[str, Any]:
        project = front.project()
        shown = CardPage(project, ref, key, on)
        with unknown():
            game, hit = shown.game, shown.card
        before, after = shown.neighbours
        return {
            "shown": shown,
            "game": game,
            "card": hit,
            "front_face": picture(game, hit),
            "back_face": picture(game, hit, _BACK) if game.spec.types[hit.type].back else None,
            "before": tile(game, before) if before else None,
            "after": tile(game, after) if after else None,
            "bans": [ban_words(hold_report(listed, [hit.ref])) for listed in lists_on(project, game.key, on)],
            "decks": [] if front.public else decks_with(project, game, hit.ref, on or today()),
            "history": shown.history,
            "fields": shown.fields,
        }

    return page("cards/card.html", front, "cards", **await front.run(work))


ROUTES = [Route("/cards", cards), Route("/cards/{game}/{ref:path}", card)]
