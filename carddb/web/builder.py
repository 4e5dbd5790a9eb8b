"""The builder: the gallery of one game beside a deck, whose copies are added and removed by clicking."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from starlette.responses import RedirectResponse, Response

from carddb.app.decks.check import CheckRequest
from carddb.app.decks.page import DeckPage, chosen_text, deck_choices
from carddb.findings import VERDICTS
from carddb.web.cards import SEARCH_FIELDS, found_cards
from carddb.web.decks import Checked, deck_of_form, mended
from carddb.web.http.answers import Asked, route, text_of
from carddb.web.http.pages import page
from carddb.web.printing.print_room import HOUSE_OPTION

_JUDGED_BY = ("format", "on", "event", "editions")
"""The fields of the checker by which a deck is judged, which the builder carries along."""


def begin(asked: Asked) -> Response:
    """Shows the builder with an empty deck, or with the deck that `deck` names.

    Where neither a deck nor a game is named and the project has none of its own, leads to the cards of all games, with
    a button for each game.
    """
    fields, project = asked.query(*SEARCH_FIELDS, "deck"), asked.project
    if not (fields.get("game") or fields.get("deck") or project.settings.game):
        return RedirectResponse("/cards", 303)
    key, text = text_of(fields, "game"), ""
    if fields.get("deck"):
        text = chosen_text(deck_choices(project, own=not asked.front.public), fields["deck"])
    text = text or f"Game: {project.only_game(key).key}\n"
    return _builder(asked, fields, DeckPage(project, text, CheckRequest(key, files=False)))


def go_on(asked: Asked) -> Response:
    """Shows the builder with the deck of a form; with `more`, first adds or removes a copy of a card."""
    deck = deck_of_form(asked.project, asked.fields)
    if asked.fields.get("more"):
        deck = DeckPage(asked.project, mended(deck, asked.fields), deck.request)
    return _builder(asked, asked.fields, deck)


def _builder(asked: Asked, fields: Mapping[str, str], deck: DeckPage) -> Response:
    project, key = asked.project, deck.report.game.key
    search = found_cards(project, {**fields, "game": key})
    own = [choice for choice in deck_choices(project, own=not asked.front.public) if choice.game == key]

    def address(**changes: Any) -> str:
        parts = {"q": fields.get("q"), "game": key, "view": fields.get("view"), **changes}
        return "/build?" + urlencode({name: value for name, value in parts.items() if value})

    values = {
        **search,
        "building": True,
        "deck": deck,
        "copies": deck.copies,
        "most": deck.most_copies([each.ref for each in search["tiles"]]),
        "verdict": VERDICTS[deck.report.verdict],
        "sums": Checked(deck).sums,
        "choices": [(choice.key, choice.label) for choice in own],
        "carried": {name: text for name, text in fields.items() if name in _JUDGED_BY or name.startswith(HOUSE_OPTION)},
    }
    return page("cards/gallery.html", asked.front, "cards", address=address, **values)


ROUTES = [route("/build", begin), route("/build", go_on, ["POST"])]
