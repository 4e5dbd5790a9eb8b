"""The room of tables: a solo session, a Battle or a playtest is begun here, and one's own are gone on with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carddb.app.decks.choices import DeckChoice, chosen_text, deck_choices
from carddb.app.tables.battle.beginning import KEY as BATTLE_GAME
from carddb.app.tables.beginning import MOST_DECKS, BattleBefore, TableBeginnings, TableRequest
from carddb.app.tables.kinds import BATTLE, KINDS, ONE, PLAYTEST, SOLO
from carddb.app.tables.solo.beginning import KEY as SOLO_GAME
from carddb.app.tables.tables import WATCHER, OpenTable
from carddb.core.errors import CarddbError, UsageError
from carddb.deck.options import json_or_text
from carddb.game.parts import OptionSpec
from carddb.games import Game
from carddb.web.http.answers import status_of
from carddb.web.http.forms import form_of
from carddb.web.http.front import Front
from carddb.web.http.pages import front_of, page
from carddb.web.http.refusals import Forbidden, Unknown
from carddb.web.http.requests import refuse_others

_ARMIES = ("a", "b")
_WITH_READINGS = ((SOLO, SOLO_GAME), (BATTLE, BATTLE_GAME))


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
        spec = project.game(SOLO_GAME).spec
        return {
            "modules": [(key, module["title"]) for key, module in spec.data["modules"].items()],
            "readings": {kind.key: _readings(project.game(game)) for kind, game in _WITH_READINGS},
            "battles": [name for name, kind in saves if kind is BATTLE],
            "choices": deck_choices(project, own=not front.public),
            "games": {game.key: game.spec.name for game in project.all_games()},
            "saves": [(name, kind.label) for name, kind in beginnings.closed(saves)],
            "open": [] if front.public else [(table, _way(table)) for table in front.tables.all()],
            "files": {kind.key: kind.usual_file for kind in KINDS.values()},
        }

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
    work = _BEGINNINGS.get(kind)
    if work is None:
        raise Unknown(f"there is no table of the kind {kind!r}", "Begin at /tables.")

    def begun() -> str:
        project = front.project()
        return _way(work(TableBeginnings(project, front.tables, own=not front.public), form))

    try:
        return RedirectResponse(await front.run(begun), status_code=303)
    except CarddbError as fault:
        return await _room(front, form, fault)


def _way(table: OpenTable) -> str:
    """Where a table is looked at first: from its only seat, else where the links of all seats are."""
    return f"/tables/{table.link(WATCHER if WATCHER in table.seats else ONE)}"


def _request(beginnings: TableBeginnings, form: Mapping[str, str], kind: str) -> TableRequest:
    seed = form.get("seed", "").strip()
    if seed and not (seed.lstrip("-").isdecimal() and len(seed) < 20):
        raise UsageError(f"the seed {seed!r} is no whole number", "Leave it empty for one by chance.")
    options = {name.removeprefix("option."): json_or_text(value) for name, value in form.items()
               if name.startswith("option.") and value}  # fmt: skip
    save = form.get("save", KINDS[kind].usual_file).strip() if beginnings.own else ""
    return TableRequest(int(seed) if seed else None, options, save, bool(form.get("force")))


def _solo(beginnings: TableBeginnings, form: Mapping[str, str]) -> OpenTable:
    cards = form.get("file") or form.get("cards", "")
    module = form.get("own_module", "").strip() or form.get("module", "")
    return beginnings.solo(module, cards, _request(beginnings, form, SOLO.key))


def _battle(beginnings: TableBeginnings, form: Mapping[str, str]) -> OpenTable:
    choices = deck_choices(beginnings.project, own=beginnings.own)
    decks = (_deck(choices, form, "a"), _deck(choices, form, "b"))
    first = form.get("first", "")
    if first and first not in _ARMIES:
        raise UsageError(f"there is no army {first!r}", "Say a or b, or leave it to the lot.")
    save = form.get("after", "").strip()
    before = BattleBefore(save, bool(form.get("new_day")), bool(form.get("refresh"))) if save else None
    return beginnings.battle(decks, cast(Any, first or None), _request(beginnings, form, BATTLE.key), before)


def _playtest(beginnings: TableBeginnings, form: Mapping[str, str]) -> OpenTable:
    choices = deck_choices(beginnings.project, own=beginnings.own)
    seats = [str(number) for number in range(1, MOST_DECKS + 1)]
    decks = [_deck(choices, form, seat) for seat in seats if form.get(f"deck_{seat}") or form.get(f"text_{seat}")]
    return beginnings.playtest(decks, _request(beginnings, form, PLAYTEST.key))


def _deck(choices: list[DeckChoice], form: Mapping[str, str], seat: str) -> str:
    """The deck of a seat: what was pasted, else the one that was chosen. Raises UsageError."""
    text = form.get(f"text_{seat}", "").replace("\r\n", "\n")
    return f"{text}\n" if text.strip() else chosen_text(choices, form.get(f"deck_{seat}", ""))


_BEGINNINGS: Mapping[str, Callable[[TableBeginnings, Mapping[str, str]], OpenTable]] = {
    SOLO.key: _solo,
    BATTLE.key: _battle,
    PLAYTEST.key: _playtest,
    "save": lambda beginnings, form: beginnings.of_save(form.get("file", "")),
    "own": lambda beginnings, form: beginnings.of_project(form.get("save", "")),
}

ROUTES = [Route("/tables", room), Route("/tables/begin/{kind}", begin, methods=["POST"])]
