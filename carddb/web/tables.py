"""Tables for play: the page on which a table is begun or continued, and the page of each seat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carddb.app.cards.faces import FaceRequest
from carddb.app.decks.page import DeckChoice, chosen_text, deck_choices
from carddb.app.printing.component_prints import print_score_sheets
from carddb.app.tables.seat import UNDO, TableSeat
from carddb.app.tables.tables import MOST_DECKS, WATCHER, OpenTable, Remark, TableBeginnings
from carddb.core.errors import CarddbError, UsageError
from carddb.core.files import file_state
from carddb.core.groups import grouped
from carddb.core.options import json_or_text
from carddb.core.plain_text import whole
from carddb.game.parts import OptionSpec
from carddb.games import Game
from carddb.play.playtest.front import PLAYTEST
from carddb.play.table.engine import Action, offered
from carddb.play.table.front import ONE
from carddb.play.table.front import Front as TableFront
from carddb.web.cards import picture
from carddb.web.http.answers import Asked, as_file, route, status_of
from carddb.web.http.event_stream import changes
from carddb.web.http.front import Front
from carddb.web.http.modes import Forbidden, Unknown, client_of, unknown
from carddb.web.http.pages import front_of, game_page, page
from carddb.web.printing.print_room import HOUSE_OPTION, prefixed
from carddb.web.referee import FormField, form_fields

_MOST_LINES = 150
"""The number of lines of the log that a page shows."""
_JOINED = ("cards",)
"""The fields that a form may send several times. Their values are joined by spaces."""


def allowed(front: Front) -> None:
    """Raises Forbidden if this server has no tables."""
    if not front.has_tables:
        raise Forbidden("this server has no tables", "Play with `carddb serve` on your own machine.")


def room(asked: Asked, fault: CarddbError | None = None) -> Response:
    """Shows the games that can be played and, on the owner's server, the open tables; also the `fault` of a form."""
    project, front, beginnings = asked.project, asked.front, _beginnings(asked)
    fields = asked.fields if fault else {"game": asked.query("game").get("game", "")}
    saves = beginnings.saves()
    values = {
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
        "fields": fields, "fault": fault, "seats": MOST_DECKS,
    }  # fmt: skip
    return page("tables/tables.html", front, "tables", status=status_of(fault), **values)


def _beginnings(asked: Asked) -> TableBeginnings:
    """Returns the object that begins tables. Raises Forbidden if this server has no tables."""
    allowed(asked.front)
    return TableBeginnings(asked.project, asked.front.tables, own=not asked.front.public)


def _readings(game: Game) -> dict[str, OptionSpec]:
    """Returns the house readings of a game that a table can choose."""
    return {name: option for name, option in game.spec.options.items()
            if not option.players and (option.type != "choice" or len(option.of) > 1)}  # fmt: skip


def begin(asked: Asked) -> Response:
    """Begins a table from a form. If the form is wrong, shows the error on the same page."""
    beginnings = _beginnings(asked)
    try:
        return RedirectResponse(_way(_begun(beginnings, asked.path_params["kind"], asked.fields)), status_code=303)
    except CarddbError as fault:
        return room(asked, fault)


def _begun(beginnings: TableBeginnings, kind: str, form: Mapping[str, str]) -> OpenTable:
    """Begins a table: from an uploaded file (`save`), of the project's files (`own`), or the one that `kind` names.

    Raises Unknown for an unknown kind, CarddbError if the form is wrong.
    """
    if kind == "save":
        return beginnings.of_save(form.get("file", ""))
    if kind == "own":
        return beginnings.of_project(form.get("save", ""))
    if kind == PLAYTEST.verb:
        choices = deck_choices(beginnings.project, own=beginnings.own)
        seats = [str(number) for number in range(1, MOST_DECKS + 1)]
        taken = [at for at in seats if form.get(f"deck_{at}") or form.get(f"text_{at}")]
        decks = [_deck(choices, form, at) for at in taken]
        names = [form.get(f"player_{at}", "").strip() for at in taken]
        return beginnings.playtest(decks, names, _whole(form), **_file(beginnings, form, PLAYTEST))
    if kind in beginnings.fronts():
        table = beginnings.fronts()[kind][0]
        return beginnings.of_game(kind, _values(beginnings, form, table), **_file(beginnings, form, table))
    raise Unknown(f"there is no table of the kind {kind!r}", "Begin a table at /tables.")


def _way(table: OpenTable) -> str:
    """Returns the URL to open after a table was begun: of its only seat, or of the page with the links of all seats."""
    return f"/tables/{table.link(WATCHER if WATCHER in table.seats else ONE)}"


def _whole(form: Mapping[str, str], name: str = "seed") -> int | None:
    """Returns the number in a field; None if it is empty. Raises UsageError for a text that is not a number."""
    text = form.get(name, "").strip()
    number = whole(text.removeprefix("-"), 18)
    if text and number is None:
        remedy = "Leave the field empty for a random seed." if name == "seed" else "Write the number in digits."
        raise UsageError(f"the {name} {text!r} is not a whole number", remedy)
    return -number if number and text.startswith("-") else number


def _file(beginnings: TableBeginnings, form: Mapping[str, str], table: TableFront[Any]) -> dict[str, Any]:
    """Returns as `save` the session file of a form, empty for strangers, and as `force` whether to overwrite it."""
    save = form.get("save", table.usual_file).strip() if beginnings.own else ""
    return {"save": save + ".json" if save and "." not in save else save, "force": bool(form.get("force"))}


def _values(beginnings: TableBeginnings, form: Mapping[str, str], table: TableFront[Any]) -> dict[str, Any]:
    """Returns the values with which a game's table is begun. A form's field `own_NAME` replaces the field `NAME`."""
    values: dict[str, Any] = {}
    for each in table.begin.parameters:
        text = form.get(f"own_{each.key}", "").strip() or form.get(each.key, "").strip()
        if each.kind == "deck":
            choices = deck_choices(beginnings.project, own=beginnings.own)
            values[each.key] = tuple(_deck(choices, form, chr(ord("a") + number)) for number in range(each.count))
        elif each.kind == "cards":
            values[each.key] = form.get("file") or form.get("cards", "")
        elif each.kind == "whole" and text:
            values[each.key] = _whole(form, each.key)
        elif each.kind == "readings":
            values[each.key] = {name: json_or_text(value) for name, value in prefixed(form, HOUSE_OPTION).items()}
        elif each.kind == "flag" and each.key not in ("force", "open"):
            values[each.key] = bool(text)
        elif each.kind in ("text", "save") and text:
            values[each.key] = text
    return values


def _deck(choices: list[DeckChoice], form: Mapping[str, str], seat: str) -> str:
    """Returns the deck of a seat: the pasted text, or else the chosen deck. Raises UsageError if there is none."""
    text = form.get(f"text_{seat}", "").replace("\r\n", "\n")
    return f"{text}\n" if text.strip() else chosen_text(choices, form.get(f"deck_{seat}", ""))


class LogLine(NamedTuple):
    """A line of the log: an action with its number, or a remark that only this seat sees."""

    number: int
    text: str
    remark: Remark | None = None


def _seat_of(asked: Asked) -> TableSeat:
    """Returns the seat whose link is in the URL. Raises Forbidden if this server has no tables."""
    allowed(asked.front)
    return TableSeat(asked.project, asked.front.tables, asked.path_params["link"])


def show(asked: Asked) -> Response:
    """Shows the page of a seat."""
    asked.query()
    seat = _seat_of(asked)
    game: Game = seat.file.game
    is_playtest = seat.front is PLAYTEST
    seats = seat.table.seats if seat.is_watcher else ()  # whoever began the table has the links of all seats
    names = seat.front.seats(seat.session) if seats else {}
    backs = seat.backs() if is_playtest else {}
    values = {
        "seat": seat,
        "board": seat.board,
        "game": game,
        "mark": seat.mark,
        "pictures": {key: picture(game, card) for key, card in seat.pictures().items()},
        "backs": {key: picture(game, card, FaceRequest("back")) for key, card in backs.items()},
        "lines": list(_lines(seat))[:_MOST_LINES],
        "more": [] if seat.is_watcher else list(_forms(seat)),
        "may_save": _may_save(seat),
        "links": [(names[each], f"/tables/{seat.table.link(each)}") for each in seats if each != WATCHER],
        "do": _do,
    }
    template = "tables/table_playtest.html" if is_playtest else game_page(game.folder, "table/page.html")
    return page(template, asked.front, "tables", **values)


def act(asked: Asked) -> Response:
    """Plays an action of a seat, or takes back the last action, and redirects to the page."""
    seat, sent = _seat_of(asked), asked.sent
    form = sent.fields | {name: " ".join(sent.values.get(name, ())) for name in _JOINED if name in sent.values}
    texts = _said(form)
    action, mark = texts.pop("action", ""), form.get("mark", "")
    if action == UNDO:
        seat.undo(mark)
    else:
        seat.play(action, texts, mark)
    return RedirectResponse(asked.url.path, status_code=303)


def save(asked: Asked) -> Response:
    """Answers with the saved table, which the terminal can continue. It contains the hidden cards of all seats."""
    seat = _seat_of(asked)
    if not _may_save(seat):
        raise Forbidden(
            "only the player who began the table may open the save, because it shows all cards",
            "Ask that player for the link.",
        )
    return as_file(seat.file.path.read_bytes(), seat.front.usual_file)


def sheet(asked: Asked) -> Response:
    """Answers with a score sheet that is filled in from the table, as the command line writes it."""
    seat, kind = _seat_of(asked), asked.path_params["kind"]
    form = seat.front.sheets
    if form is None:
        raise Unknown("this game has no sheet to fill in", "Go back to the table.")
    filled = seat.file.filled_sheets([seat.file.path])
    with unknown():
        data = print_score_sheets(seat.project, seat.file.game, form, filled, kind, {}).data
    return as_file(data, f"{form.name}.{kind}")


async def events(request: Request) -> Response:
    """Sends an event for every change of a table by any seat. The event does not say what has changed."""
    front = front_of(request)
    allowed(front)
    table, _ = front.tables.find(request.path_params["link"])
    client = client_of(request.scope) if front.public else ""
    return front.streams.answer(changes(lambda: file_state(table.path)), client)


def _do(action: str, fields: Mapping[str, Any] | None = None, use: str = "", **more: Any) -> str:
    """Returns the value of a button: an action with its input, and in `use` the form's fields to send too."""
    return urlencode({"action": action, **(fields or {}), **more, **({"use": use} if use else {})})


def _said(form: Mapping[str, str]) -> dict[str, str]:
    """Returns an action with its input: what the pressed button's `do` says, or else all fields of the form."""
    if "do" not in form:
        return dict(form)
    pressed = dict(parse_qsl(form["do"], keep_blank_values=True))
    used = pressed.pop("use", "").split()
    return {name: value for name, value in form.items() if name.partition(".")[0] in used} | pressed


def _lines(seat: TableSeat) -> Iterator[LogLine]:
    """Yields the lines of a seat's log, newest first. A remark stands where it was made."""
    log = seat.session.log
    own = seat.table.remarks.get(seat.seat, ())
    remarks = grouped((min(remark.after, len(log)), remark) for remark in own)
    for number in range(len(log), -1, -1):
        yield from (LogLine(0, remark.text, remark) for remark in reversed(remarks[number]))
        if number:
            yield LogLine(number, log[number - 1].told)


def _forms(seat: TableSeat) -> Iterator[tuple[Action[Any, Any], list[FormField]]]:
    """Yields the actions that are possible now but have no button on the board, each with the fields of its form."""
    for action in offered(seat.file.table, seat.session):
        if action.name not in seat.board.direct:
            fields = form_fields(action.form.model_json_schema())
            yield action, [field for field in fields if field.name != "army"]


def _may_save(seat: TableSeat) -> bool:
    """Returns True if a seat may have the saved session: the only seat, or the page of who began the table."""
    return seat.is_watcher or WATCHER not in seat.table.seats


EVENTS = [Route("/tables/{link}/events", events)]
ROUTES = [
    route("/tables", room),
    route("/tables/begin/{kind}", begin, ["POST"]),
    *EVENTS,
    route("/tables/{link}", show),
    route("/tables/{link}", act, ["POST"]),
    route("/tables/{link}/save", save),
    route("/tables/{link}/sheet.{kind}", sheet),
]
