"""The room of tables: a solo session, a Battle or a playtest is begun here, and one's own are gone on with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carddb.app.decks.page import DeckChoice, chosen_text, deck_choices
from carddb.app.tables.beginning import MOST_DECKS, TableBeginnings, TableRequest
from carddb.app.tables.tables import WATCHER, OpenTable
from carddb.core.errors import CarddbError, UsageError
from carddb.deck.context import json_or_text
from carddb.game.parts import OptionSpec
from carddb.games import Game
from carddb.play.playtest.front import PLAYTEST
from carddb.play.table.front import ONE
from carddb.play.table.front import Front as TableFront
from carddb.web.http.answers import refuse_others, status_of
from carddb.web.http.forms import form_of
from carddb.web.http.front import Front
from carddb.web.http.pages import front_of, game_page, page
from carddb.web.http.refusals import Forbidden, Unknown
from carddb.web.printing.print_form import HOUSE_OPTION, prefixed


def allowed(front: Front) -> None:
    """Raises Forbidden where this front has no tables."""
    if not front.has_tables:
        raise Forbidden("this front has no tables", "Play on your own machine: carddb serve.")


async def room(request: Request) -> Response:
    """What can be played, and on one's own machine what is being played."""
    refuse_others(request.query_params, "game")
    front = front_of(request)
    allowed(front)
    return await _room(front, {"game": request.query_params.get("game", "")}, None)


async def _room(front: Front, fields: Mapping[str, str], fault: CarddbError | None) -> Response:
    def work() -> dict[str, Any]:
        project = front.project()
        beginnings = TableBeginnings(project, front.tables, own=not front.public)
        saves = beginnings.saves()
        return {
            "fronts": [
                {
                    "verb": each.verb, "spec": game.spec, "readings": _readings(game),
                    "template": game_page(game.folder, "table/begin.html"),
                    "saves": [name for name, of in saves if of is each],
                }
                for each, game in beginnings.fronts().values()
            ],
            "choices": deck_choices(project, own=not front.public),
            "games": {game.key: game.spec.name for game in project.all_games()},
            "saves": [(name, of.label) for name, of in beginnings.closed(saves)],
            "open": [] if front.public else [(table, _way(table)) for table in front.tables.all()],
        }  # fmt: skip

    values = await front.run(work)
    answer = page("tables/tables.html", front, "tables", **values, fields=fields, fault=fault, seats=MOST_DECKS)
    if fault is not None:
        answer.status_code = status_of(fault)
    return answer


def _readings(game: Game) -> dict[str, OptionSpec]:
    """The house readings of a game that a table may choose."""
    return {name: option for name, option in game.spec.options.items()
            if not option.players and (option.type != "choice" or len(option.of) > 1)}  # fmt: skip


async def begin(request: Request) -> Response:
    """A table begun from a form; what is wrong with it is said on the room's page."""
    front, kind = front_of(request), request.path_params["kind"]
    allowed(front)
    form = await form_of(request)

    def begun() -> str:
        beginnings = TableBeginnings(front.project(), front.tables, own=not front.public)
        if kind == "save":
            return _way(beginnings.of_save(form.get("file", "")))
        if kind == "own":
            return _way(beginnings.of_project(form.get("save", "")))
        if kind == PLAYTEST.verb:
            return _way(beginnings.playtest(_decks(beginnings, form), _request(beginnings, form, PLAYTEST)))
        if kind in beginnings.fronts():
            table = beginnings.fronts()[kind][0]
            return _way(beginnings.of_game(kind, _values(beginnings, form, table), _request(beginnings, form, table)))
        raise Unknown(f"there is no table of the kind {kind!r}", "Begin at /tables.")

    try:
        return RedirectResponse(await front.run(begun), status_code=303)
    except CarddbError as fault:
        return await _room(front, form, fault)


def _way(table: OpenTable) -> str:
    """Where a table is looked at first: from its only seat, else where the links of all seats are."""
    return f"/tables/{table.link(WATCHER if WATCHER in table.seats else ONE)}"


def _request(beginnings: TableBeginnings, form: Mapping[str, str], table: TableFront[Any]) -> TableRequest:
    seed = form.get("seed", "").strip()
    if seed and not (seed.lstrip("-").isdecimal() and len(seed) < 20):
        raise UsageError(f"the seed {seed!r} is no whole number", "Leave it empty for one by chance.")
    options = {name: json_or_text(value) for name, value in prefixed(form, HOUSE_OPTION).items()}
    save = form.get("save", table.usual_file).strip() if beginnings.own else ""
    return TableRequest(int(seed) if seed else None, options, save, bool(form.get("force")))


def _values(beginnings: TableBeginnings, form: Mapping[str, str], table: TableFront[Any]) -> dict[str, Any]:
    """What a form says of the values with which a game's table is begun; `own_NAME` goes before `NAME`."""
    values: dict[str, Any] = {}
    for each in table.begin.parameters:
        text = form.get(f"own_{each.key}", "").strip() or form.get(each.key, "").strip()
        if each.kind == "deck":
            choices = deck_choices(beginnings.project, own=beginnings.own)
            values[each.key] = tuple(_deck(choices, form, chr(ord("a") + number)) for number in range(each.count))
        elif each.kind == "cards":
            values[each.key] = form.get("file") or form.get("cards", "")
        elif each.kind == "flag" and each.key not in ("force", "open"):
            values[each.key] = bool(text)
        elif each.kind in ("text", "save") and text:
            values[each.key] = text
    return values


def _decks(beginnings: TableBeginnings, form: Mapping[str, str]) -> list[str]:
    choices = deck_choices(beginnings.project, own=beginnings.own)
    seats = [str(number) for number in range(1, MOST_DECKS + 1)]
    return [_deck(choices, form, seat) for seat in seats if form.get(f"deck_{seat}") or form.get(f"text_{seat}")]


def _deck(choices: list[DeckChoice], form: Mapping[str, str], seat: str) -> str:
    """The deck of a seat: what was pasted, else the one that was chosen. Raises UsageError."""
    text = form.get(f"text_{seat}", "").replace("\r\n", "\n")
    return f"{text}\n" if text.strip() else chosen_text(choices, form.get(f"deck_{seat}", ""))


ROUTES = [Route("/tables", room), Route("/tables/begin/{kind}", begin, methods=["POST"])]
