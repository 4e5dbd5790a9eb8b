"""The studio: the cards of a game as a table to be edited, their faces beside it, told at once what was saved."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carddb.app.project import Project
from carddb.app.studio.card_table import TableRow
from carddb.app.studio.drafts import Drafts
from carddb.app.studio.faces import FaceFault, FaceLook, StudioFace
from carddb.app.studio.overlays import OVERLAYS
from carddb.app.studio.room import StudioRoom, StudioView, as_json, row_differences
from carddb.app.studio.sitting import StoreReport
from carddb.app.studio.watching import saved_files
from carddb.app.words import amount
from carddb.errors import QueryError, UsageError
from carddb.layout.stock import CARDS, card_size, describe
from carddb.names import did_you_mean
from carddb.units import to_mm
from carddb.web.answers import Forbidden, Unknown
from carddb.web.answers import as_json as json_answer
from carddb.web.event_stream import Event
from carddb.web.forms import form_of
from carddb.web.front import Front
from carddb.web.pages import front_of, page
from carddb.web.requests import refuse_others

T = TypeVar("T")
_FIELDS = ("game", "q", "card", "side", "size", "ink", "over")
_SIDES = {"front": "Fronts", "back": "Backs"}
_INKS = {"full": "Full ink", "light": "Light ink", "text": "Words alone"}
_STATES = ("now", "stored")
_NO_FACE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 76 127"><rect width="76" height="127" fill="#fff"/>'
    '<path d="M0 0 76 127M76 0 0 127" stroke="#bbb" stroke-width=".5"/></svg>'
)
"""What stands where a face has never been drawn."""


class PageRequest(NamedTuple):
    """What a page of the studio shows: a query, a card (empty: the first), and how faces are drawn."""

    query: str
    card: str
    look: FaceLook


def _page_request(fields: Mapping[str, str]) -> PageRequest:
    """What an address or a form asks for. Raises UsageError for an unknown name."""
    side, size = fields.get("side") or "front", fields.get("size") or ""
    ink = fields.get("ink") or "full"
    overlays = tuple(name for name in OVERLAYS if name in fields.get("over", "").split(","))
    for value, choices in ((side, _SIDES), (ink, _INKS), (size or "poker", CARDS)):
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


def _usual_game(project: Project) -> Any:
    if project.settings.game:
        return project.only_game()
    with project.catalog() as catalog:
        keys = catalog.games()
    return next((game for game in project.all_games() if game.key in keys), project.all_games()[0])


async def _work(request: Request, fields: Mapping[str, str], work: Callable[[StudioRoom], T]) -> T:
    """Does some work at the studio of a request. Raises Forbidden on a public front."""
    front = front_of(request)
    if front.has_worker:
        raise Forbidden("the studio is its owner's", "Run `carddb serve` on your own machine.")
    return await front.run(lambda: work(_room(front, fields.get("game", ""))))


async def _form(request: Request) -> dict[str, str]:
    if front_of(request).has_worker:
        raise Forbidden("the studio is its owner's", "Run `carddb serve` on your own machine.")
    return await form_of(request)


async def show(request: Request) -> Response:
    """The table and the faces; a query that cannot be read is answered with the place of its fault."""
    fields = dict(request.query_params)
    refuse_others(fields, *_FIELDS, *OVERLAYS, "stored")
    fields["over"] = ",".join([*fields.get("over", "").split(","), *(name for name in OVERLAYS if name in fields)])
    viewing = _page_request(fields)

    def work(room: StudioRoom) -> dict[str, Any]:
        return _page_values(room, viewing)

    values = await _work(request, fields, work)
    return page("studio.html", front_of(request), "studio", **values, stored=fields.get("stored", ""))


def _page_values(room: StudioRoom, viewing: PageRequest) -> dict[str, Any]:
    """What the template sees."""
    fault = None
    try:
        view = room.view(viewing.query)
    except QueryError as error:
        fault, view = error, room.view("")
    rows = {row.ref: row for row in view.rows}
    row = rows.get(viewing.card) or next(iter(rows.values()), None)
    size = card_size(viewing.look.size or room.game.spec.card_size)

    def address(row: TableRow, state: str = "now", overlays: bool = False) -> str:
        return face_address(room, row, state, viewing.look if overlays else viewing.look.plain)

    return {
        "room_": room, "view": view, "game": room.game, "viewing": viewing, "fault": fault, "row": row,
        "games": room.project.all_games(), "face_address": address, "differences": row_differences,
        "width": round(to_mm(size.width) * 8), "height": round(to_mm(size.height) * 8),
        "sizes": {name: describe(each) for name, each in CARDS.items()}, "sides": _SIDES, "inks": _INKS,
        "overlays": OVERLAYS, "here": _address(room, viewing), "card_address": lambda ref: _address(room, viewing, ref),
    }  # fmt: skip


def _address(room: StudioRoom, viewing: PageRequest, card: str = "", **more: str) -> str:
    """The address of the studio with a query, a card and a look."""
    look = viewing.look
    parts = {"game": room.game.key, "q": viewing.query, "card": card or viewing.card, "size": look.size,
             "side": look.side if look.side != "front" else "", "ink": look.ink if look.ink != "full" else "",
             "over": ",".join(look.overlays), **more}  # fmt: skip
    return "/studio?" + urlencode({name: value for name, value in parts.items() if value})


def face_address(room: StudioRoom, row: TableRow, state: str, look: FaceLook) -> str:
    """Where a face of a card stands, with the digest of what it is drawn from."""
    card = row.stored if state == "stored" else row.shown
    parts = {"state": state, "side": look.side, "size": look.size, "ink": look.ink, "over": ",".join(look.overlays),
             "v": room.faces.key(card, look) if card else ""}  # fmt: skip
    query = urlencode({name: value for name, value in parts.items() if value})
    return f"/studio/face/{room.game.key}/{quote(row.ref, safe='')}.svg?{query}"


async def state(request: Request) -> Response:
    """The table as JSON."""
    fields = dict(request.query_params)
    refuse_others(fields, *_FIELDS)
    viewing = _page_request(fields)
    return json_answer(await _work(request, fields, lambda room: _state(room, viewing)))


def _state(room: StudioRoom, viewing: PageRequest) -> dict[str, Any]:
    return as_json(room, _view(room, viewing), viewing.look.plain)


def _view(room: StudioRoom, viewing: PageRequest) -> StudioView:
    """What a query finds; one that is half typed finds everything."""
    try:
        return room.view(viewing.query)
    except QueryError:
        return room.view("")


async def edit(request: Request) -> Response:
    """Gives cells a new text: `cells` as JSON, or the fields of one card's form."""
    fields = await _form(request)
    if "cells" in fields:
        cells = _cells(fields["cells"])
    else:
        ref = fields.get("ref", "")
        cells = {(ref, name.removeprefix("field.")): text for name, text in fields.items() if name[:6] == "field."}
    return await _changed(request, fields, lambda room: room.sitting.edit(_only_new(room, cells)))


def _only_new(room: StudioRoom, cells: Mapping[tuple[str, str], str]) -> dict[tuple[str, str], str]:
    """The cells whose text differs from what stands in them."""
    return {
        (ref, name): text
        for (ref, name), text in cells.items()
        if "\n".join(text.splitlines()).strip() != room.sitting.row(ref).texts.get(name, "").strip()
    }


def _cells(text: str) -> dict[tuple[str, str], str]:
    """Cells of a form: `[["REF", "field", "text"], ...]`. Raises UsageError."""
    try:
        return {(str(ref), str(name)): str(value) for ref, name, value in json.loads(text)}
    except (ValueError, TypeError):
        raise UsageError("cells is no list of cells", 'Send [["REF", "field", "text"]].') from None


async def choose(request: Request) -> Response:
    """Settles what differs from the file: `theirs` drops the draft, `mine` lets it stand; `drop` forgets a draft."""
    fields = await _form(request)
    ref, name, which = fields.get("ref", ""), fields.get("field", ""), fields.get("which", "")
    if which not in ("theirs", "mine", "drop"):
        raise UsageError(f"there is no choice {which!r}", "Known: theirs, mine, drop.")

    def work(room: StudioRoom) -> None:
        if which == "mine":
            room.sitting.keep_mine(ref, name)
        else:
            room.sitting.drop((ref, name))

    return await _changed(request, fields, work)


async def store(request: Request) -> Response:
    """Stores the drafts, and says what came of it."""
    fields = await _form(request)
    words: list[str] = []
    return await _changed(request, fields, lambda room: words.append(store_words(room.sitting.store())), words)


def store_words(report: StoreReport) -> str:
    """What came of storing, in a sentence or two."""
    parts = [*report.refused]
    if report.changes:
        where = f", {' and '.join(report.files)} written" if report.files else ""
        parts.insert(0, f"{amount(len(report.changes), 'card')} stored{where}")
    if report.unfiled:
        parts.append(f"{', '.join(report.unfiled)} could be written into no file and is in the catalogue alone")
    return "; ".join(parts) or "nothing new to store"


async def _changed(
    request: Request, fields: Mapping[str, str], work: Callable[[StudioRoom], object], words: list[str] | None = None
) -> Response:
    """Changes something, and answers with the table, or without script with the page again."""
    viewing = _page_request({name: fields[name] for name in _FIELDS if name in fields})

    def both(room: StudioRoom) -> tuple[dict[str, Any], str]:
        work(room)
        return _state(room, viewing), _address(room, viewing, fields.get("ref", ""), stored=(words or [""])[0])

    answer, address = await _work(request, fields, both)
    if "application/json" in request.headers.get("accept", ""):
        return json_answer({**answer, "message": (words or [""])[0]})
    return RedirectResponse(address, status_code=303)


async def _face(request: Request) -> StudioFace | FaceFault:
    """The face that an address asks for. Raises Unknown, UsageError."""
    fields = {name: value for name, value in request.query_params.items() if name != "v"}
    refuse_others(fields, "state", "side", "size", "ink", "over")
    viewing, which = _page_request(fields), fields.get("state", "now")
    ref = request.path_params["ref"]
    if which not in _STATES:
        raise UsageError(f"there is no state {which!r}", did_you_mean(which, _STATES))
    game = {"game": request.path_params["game"]}
    face = await _work(request, game, lambda room: room.face(ref, which, viewing.look))
    if face is None:
        raise Unknown(f"{ref} is not stored", "It is new: look at it as it is now.")
    return face


async def face_picture(request: Request) -> Response:
    """A face as SVG; where it cannot be drawn, the last good one."""
    face = await _face(request)
    headers = {"Cache-Control": "no-store"}
    if isinstance(face, StudioFace):
        headers = {"Cache-Control": "private, max-age=3600"} if request.query_params.get("v") else headers
        return Response(face.data, media_type="image/svg+xml", headers=headers)
    return Response(face.last.data if face.last else _NO_FACE, media_type="image/svg+xml", headers=headers)


async def face_facts(request: Request) -> Response:
    """Draws a face, and says what is wrong with it, its measures, or why it cannot be drawn."""
    face = await _face(request)
    if isinstance(face, FaceFault):
        last = face.last.drawn_at if face.last else ""
        return json_answer({"fault": face.fault.to_json(), "last": last, "findings": [], "measures": []})
    findings = [finding.to_json() for finding in face.findings]
    return json_answer({"fault": None, "findings": findings, "measures": list(face.measures)})


async def events(request: Request) -> Response:
    """Tells a page as long as it is open which files were saved."""
    key = request.query_params.get("game", "")
    refuse_others(request.query_params, "game")
    project, game = await _work(request, {"game": key}, lambda room: (room.project, room.game))

    async def saved() -> AsyncIterator[Event]:
        async for files in saved_files(project, game):
            yield Event("saved", json.dumps(files))

    return front_of(request).streams.answer(saved())


ROUTES = [
    Route("/studio", show),
    Route("/studio/state", state),
    Route("/studio/edit", edit, methods=["POST"]),
    Route("/studio/choose", choose, methods=["POST"]),
    Route("/studio/store", store, methods=["POST"]),
    Route("/studio/events", events),
    Route("/studio/face/{game}/{ref:path}.svg", face_picture),
    Route("/studio/face/{game}/{ref:path}.json", face_facts),
]
