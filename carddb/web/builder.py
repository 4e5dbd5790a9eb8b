"""The builder: the gallery of one game beside a deck, whose copies are added and removed by clicking."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carddb.app.decks.check import CheckRequest
from carddb.app.decks.page import DeckPage, chosen_text, deck_choices
from carddb.app.workspace.workspace import Workspace
from carddb.findings import VERDICTS
from carddb.web.cards import SEARCH_FIELDS, found_cards
from carddb.web.decks import Checked, deck_of_form, mended
from carddb.web.http.answers import form_of, refuse_others, text_of
from carddb.web.http.front import Front
from carddb.web.http.pages import front_of, page
from carddb.web.printing.print_room import HOUSE_OPTION

_JUDGED_BY = ("format", "on", "event", "editions")
"""The fields of the checker by which a deck is judged, which the builder carries along."""


async def begin(request: Request) -> Response:
    """Shows the builder with an empty deck, or with the deck that `deck` names.

    Where neither a deck nor a game is named and the project has none of its own, leads to the cards of all games, with
    a button for each game.
    """
    fields, front = request.query_params, front_of(request)
    refuse_others(fields, *SEARCH_FIELDS, "deck")
    own_game = await front.run(lambda: front.project().settings.game)
    if not (fields.get("game") or fields.get("deck") or own_game):
        return RedirectResponse("/cards", 303)

    def opened(project: Workspace) -> DeckPage:
        key = text_of(fields, "game")
        text = chosen_text(deck_choices(project, own=not front.public), fields["deck"]) if fields.get("deck") else ""
        return DeckPage(project, text or f"Game: {project.only_game(key).key}\n", CheckRequest(key, files=False))

    return await _builder(front, fields, opened)


async def go_on(request: Request) -> Response:
    """Shows the builder with the deck of a form; with `more`, first adds or removes a copy of a card."""
    front, form = front_of(request), await form_of(request)

    def opened(project: Workspace) -> DeckPage:
        deck = deck_of_form(project, form)
        return DeckPage(project, mended(deck, form), deck.request) if form.get("more") else deck

    return await _builder(front, form, opened)


async def _builder(front: Front, fields: Mapping[str, str], opened: Callable[[Workspace], DeckPage]) -> Response:
    def work() -> dict[str, Any]:
        project = front.project()
        deck = opened(project)
        game = deck.report.game
        search = found_cards(project, {**fields, "game": game.key})
        own = [choice for choice in deck_choices(project, own=not front.public) if choice.game == game.key]
        return {
            **search,
            "building": True,
            "deck": deck,
            "copies": deck.copies,
            "most": deck.most_copies([each.ref for each in search["tiles"]]),
            "verdict": VERDICTS[deck.report.verdict],
            "sums": Checked(deck).sums,
            "choices": [(choice.key, choice.label) for choice in own],
        }

    values = await front.run(work)
    key = values["game"]

    def address(**changes: Any) -> str:
        parts = {"q": fields.get("q"), "game": key, "view": fields.get("view"), **changes}
        return "/build?" + urlencode({name: value for name, value in parts.items() if value})

    carried = {name: text for name, text in fields.items() if name in _JUDGED_BY or name.startswith(HOUSE_OPTION)}
    return page("cards/gallery.html", front, "cards", address=address, carried=carried, **values)


ROUTES = [Route("/build", begin, methods=["GET"]), Route("/build", go_on, methods=["POST"])]
