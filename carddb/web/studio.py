"""The studio: an editable table of a game's cards, their faces beside it, and their errors shown at once."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carddb.app.cards.card_import import ImportChoices, PendingImport, preview_import
from carddb.app.studio.drafted_file import Drafts
from carddb.app.studio.faces import OVERLAYS, FaceFault, FaceLook, StudioFace
from carddb.app.studio.sitting import StoreReport, TableRow
from carddb.app.studio.studio import GuideView, StudioRoom, as_json, row_differences, saved_files
from carddb.core.errors import CarddbError, QueryError, UsageError
from carddb.core.names import did_you_mean
from carddb.core.plain_text import amount
from carddb.core.units import to_mm
from carddb.game.game import GameSpec
from carddb.layout.stock import CARDS, card_size, describe
from carddb.read.source import fetch
from carddb.web.documents import document
from carddb.web.http.answers import as_json as json_answer
from carddb.web.http.answers import form_of, refuse_others, status_of
from carddb.web.http.event_stream import Event
from carddb.web.http.front import Front
from carddb.web.http.modes import Forbidden, Unknown
from carddb.web.http.pages import environment, front_of, page

T = TypeVar("T")
FIELDS = ("game", "q", "card", "side", "size", "ink", "over")
"""The query parameters of the studio's URLs."""
SIDES = {"front": "Fronts", "back": "Backs"}
INKS = {"full": "Full ink", "light": "Light ink", "text": "Words alone"}


class PageRequest(NamedTuple):
    """The state of a studio page: its query, the chosen card (empty means the first), and how faces are drawn."""

    query: str
    card: str
    look: FaceLook


def page_request(fields: Mapping[str, str]) -> PageRequest:
    """Returns the page that a URL or a form asks for. Raises UsageError for an unknown side, ink or size."""
    side, size = fields.get("side") or "front", fields.get("size") or ""
    ink = fields.get("ink") or "full"
    overlays = tuple(name for name in OVERLAYS if name in fields.get("over", "").split(","))
    for value, choices in ((side, SIDES), (ink, INKS), (size or "poker", CARDS)):
        if value not in choices:
            raise UsageError(f"there is no {value!r} here", did_you_mean(value, choices))
    return PageRequest(fields.get("q", "").strip(), fields.get("card", ""), FaceLook(side, size, ink, overlays))


def _room(front: Front, key: str) -> StudioRoom:
    """Returns the studio of the game `key`; by default of the project's game, else of the first game that has cards."""
    project = front.project()
    if key:
        game = project.game(key)
    elif project.settings.game:
        game = project.only_game()
    else:
        with project.catalog() as catalog:
            keys = catalog.games()
        games = project.all_games()
        game = next((each for each in games if each.key in keys), games[0])
    if game.key not in front.studios:
        drafts = next((room.sitting.drafts for room in front.studios.values()), None) or Drafts(project.art_folder)
        front.studios[game.key] = StudioRoom(project, game, drafts)
    return front.studios[game.key]


async def studio_work(request: Request, fields: Mapping[str, str], work: Callable[[StudioRoom], T]) -> T:
    """Runs `work` with the request's studio and returns its result. Raises Forbidden on a server for others."""
    front = _owned(request)
    return await front.run(lambda: work(_room(front, fields.get("game", ""))))


async def studio_form(request: Request) -> dict[str, str]:
    """Reads a form of the studio. Raises Forbidden on a server for others."""
    _owned(request)
    return await form_of(request)


def _owned(request: Request) -> Front:
    front = front_of(request)
    if front.public:
        raise Forbidden("only the owner may use the studio", "Open it on your own machine.")
    return front


def studio_address(room: StudioRoom, viewing: PageRequest, card: str = "", **more: str) -> str:
    """Returns the URL of the studio with a query, a card, and how faces are drawn."""
    look = viewing.look
    parts = {"game": room.game.key, "q": viewing.query, "card": card or viewing.card, "size": look.size,
             "side": look.side if look.side != "front" else "", "ink": look.ink if look.ink != "full" else "",
             "over": ",".join(look.overlays), **more}  # fmt: skip
    return "/studio?" + urlencode({name: value for name, value in parts.items() if value})


def studio_state(room: StudioRoom, viewing: PageRequest) -> dict[str, Any]:
    """Returns the table as JSON. If the query is incomplete, the table has all cards."""
    try:
        view = room.view(viewing.query)
    except QueryError:
        view = room.view("")
    return as_json(room, view, viewing.look.plain)


async def edit(request: Request) -> Response:
    """Changes the texts of cells, given as JSON in `cells` or as the form of one card."""
    fields = await studio_form(request)
    cells = {(fields.get("ref", ""), name): text for name, text in _texts(fields).items()}
    if "cells" in fields:
        try:
            cells = {(str(ref), str(name)): str(value) for ref, name, value in json.loads(fields["cells"])}
        except (ValueError, TypeError):
            raise UsageError("cells is no list of cells", 'Send [["REF", "field", "text"]].') from None

    def work(room: StudioRoom) -> None:
        rows = {ref: room.sitting.row(ref) for ref, _ in cells}
        room.sitting.edit(
            {
                (ref, name): text
                for (ref, name), text in cells.items()
                if "\n".join(text.splitlines()).strip() != rows[ref].texts.get(name, "").strip()
            }
        )

    return await _changed(request, fields, work)


def _texts(fields: Mapping[str, str]) -> dict[str, str]:
    """Returns the texts of a card's form, by field."""
    return {name.removeprefix("field."): text for name, text in fields.items() if name.startswith("field.")}


async def add(request: Request) -> Response:
    """Creates a new card, as a draft that will be appended to a file."""
    fields = await studio_form(request)
    ref, file = fields.get("ref", ""), fields.get("file", "")
    return await _changed(request, fields, lambda room: room.sitting.add(ref, file, _texts(fields)))


async def choose(request: Request) -> Response:
    """Settles a conflict between a draft and its file: `theirs` drops the draft, `mine` keeps it.

    `drop` deletes any draft.
    """
    fields = await studio_form(request)
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
    """Stores the drafts and reports the result."""
    fields = await studio_form(request)
    words: list[str] = []
    return await _changed(request, fields, lambda room: words.append(store_words(room.sitting.store())), words)


def store_words(report: StoreReport) -> str:
    """Returns the result of storing as a sentence or two."""
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
    """Runs `work`, which changes something.

    Answers with the table as JSON or, without script, by a redirect to the page.
    """
    viewing = page_request({name: fields[name] for name in FIELDS if name in fields})

    def both(room: StudioRoom) -> tuple[dict[str, Any], str]:
        work(room)
        address = studio_address(room, viewing, fields.get("ref", ""), stored=(words or [""])[0])
        return studio_state(room, viewing), address

    answer, address = await studio_work(request, fields, both)
    if "application/json" in request.headers.get("accept", ""):
        return json_answer({**answer, "message": (words or [""])[0]})
    return RedirectResponse(address, status_code=303)


_STATES = ("now", "stored")
_NO_FACE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 76 127"><rect width="76" height="127" fill="#fff"/>'
    '<path d="M0 0 76 127M76 0 0 127" stroke="#bbb" stroke-width=".5"/></svg>'
)
"""The picture shown in place of a face that was never drawn successfully."""


def face_address(room: StudioRoom, row: TableRow, state: str, look: FaceLook) -> str:
    """Returns the URL of a card's face. It includes a digest of everything that the face is drawn from."""
    card = row.stored if state == "stored" else row.shown
    parts = {"state": state, "side": look.side, "size": look.size, "ink": look.ink, "over": ",".join(look.overlays),
             "v": room.faces.key(card, look) if card else ""}  # fmt: skip
    query = urlencode({name: value for name, value in parts.items() if value})
    return f"/studio/face/{room.game.key}/{quote(row.ref, safe='')}.svg?{query}"


async def _face(request: Request) -> StudioFace | FaceFault:
    """Returns the face that the URL asks for.

    Raises Unknown if the card is not stored, UsageError for a wrong parameter.
    """
    fields = {name: value for name, value in request.query_params.items() if name != "v"}
    refuse_others(fields, "state", "side", "size", "ink", "over")
    viewing, which = page_request(fields), fields.get("state", "now")
    ref = request.path_params["ref"]
    if which not in _STATES:
        raise UsageError(f"there is no state {which!r}", did_you_mean(which, _STATES))
    game = {"game": request.path_params["game"]}
    face = await studio_work(request, game, lambda room: room.face(ref, which, viewing.look))
    if face is None:
        raise Unknown(f"{ref} is not stored", "It is new: look at it as it is now.")
    return face


async def face_picture(request: Request) -> Response:
    """Answers with a face as SVG or, if it cannot be drawn, with the last one that could."""
    face = await _face(request)
    shown = face if isinstance(face, StudioFace) else face.last
    stays = isinstance(face, StudioFace) and request.query_params.get("v")
    headers = {"Cache-Control": "private, max-age=3600" if stays else "no-store"}
    return Response(shown.data if shown else _NO_FACE, media_type="image/svg+xml", headers=headers)


async def face_facts(request: Request) -> Response:
    """Answers with the findings and measures of a face as JSON, or with the error that prevents its drawing."""
    face = await _face(request)
    if isinstance(face, FaceFault):
        last = face.last.drawn_at if face.last else ""
        return json_answer({"fault": face.fault.to_json(), "last": last, "findings": [], "measures": []})
    findings = [finding.to_json() for finding in face.findings]
    return json_answer({"fault": None, "findings": findings, "measures": list(face.measures)})


PAGE_ROWS = 100
"""The number of rows in a page before its script adds those in view. Without script, the page is limited to them."""


async def show(request: Request) -> Response:
    """Shows the table and the faces. If the query cannot be parsed, shows the error and all cards."""
    fields = dict(request.query_params)
    refuse_others(fields, *FIELDS, *OVERLAYS, "stored")
    fields["over"] = ",".join([*fields.get("over", "").split(","), *(name for name in OVERLAYS if name in fields)])
    viewing = page_request(fields)

    values = await studio_work(request, fields, lambda room: _page_values(room, viewing))
    return page("studio/studio.html", front_of(request), "studio", **values, stored=fields.get("stored", ""))


def _page_values(room: StudioRoom, viewing: PageRequest) -> dict[str, Any]:
    """Returns the template's values for a page of the studio."""
    fault = None
    try:
        view = room.view(viewing.query)
    except QueryError as error:
        fault, view = error, room.view("")
    at = next((number for number, row in enumerate(view.rows) if row.ref == viewing.card), 0)
    first = at - at % PAGE_ROWS
    pages = range(0, len(view.rows), PAGE_ROWS)
    size = card_size(viewing.look.size or room.game.spec.card_size)

    def address(row: TableRow, state: str = "now", overlays: bool = False) -> str:
        return face_address(room, row, state, viewing.look if overlays else viewing.look.plain)

    return {
        "view": view, "game": room.game, "viewing": viewing, "fault": fault,
        "row": view.rows[at] if view.rows else None, "rows": view.rows[first : first + PAGE_ROWS], "first": first,
        "pages": [view.rows[number].ref for number in pages], "page_rows": PAGE_ROWS,
        "example": _example(room.game.spec, view.rows[at].texts if view.rows else {}),
        "games": room.project.all_games(), "face_address": address, "differences": row_differences,
        "width": round(to_mm(size.width) * 8), "height": round(to_mm(size.height) * 8),
        "sizes": {name: describe(each) for name, each in CARDS.items()}, "sides": SIDES, "inks": INKS,
        "overlays": OVERLAYS,
        "card_address": lambda ref: studio_address(room, viewing, ref), "places": room.sitting.places(),
    }  # fmt: skip


def _example(spec: GameSpec, texts: Mapping[str, str]) -> str:
    """Returns a query that finds a card with these texts: by its type and a field with few values, or else by name."""
    fields = spec.all_fields()
    names = [name for name in texts if name == "type" or (name in fields and fields[name].closed)]
    words = [f"{name}:{texts[name]}" for name in names if texts[name] and " " not in texts[name]]
    return " ".join(words[:2]) or texts.get("name", "")


async def state(request: Request) -> Response:
    """Answers with the table as JSON."""
    fields = dict(request.query_params)
    refuse_others(fields, *FIELDS)
    viewing = page_request(fields)
    return json_answer(await studio_work(request, fields, lambda room: studio_state(room, viewing)))


async def events(request: Request) -> Response:
    """Sends the names of files whenever they are saved, as long as the page is open."""
    key = request.query_params.get("game", "")
    refuse_others(request.query_params, "game")
    project, game = await studio_work(request, {"game": key}, lambda room: (room.project, room.game))

    async def saved() -> AsyncIterator[Event]:
        async for files in saved_files(project, game):
            yield Event("saved", json.dumps(files))

    return front_of(request).streams.answer(saved())


_MOST_SHOWN = 20
"""The number of changed and of new cards of a sheet that are named."""


async def sheet(request: Request) -> Response:
    """Reads a sheet on the web, and answers with how its cards differ from the stored ones, as a part of a page."""
    fields, front = await studio_form(request), _owned(request)
    address = fields.get("url", "").strip()
    try:
        # This may take ten seconds, so it must not block the single thread that does all of carddb's work.
        source = await run_in_threadpool(fetch, address)

        def work(room: StudioRoom) -> dict[str, Any]:
            choices = ImportChoices(room.game.key)
            seen = preview_import(room.project, PendingImport(source.name, source.getvalue(), choices, address))
            return {"result": seen.result, "report": seen.report, "game": room.game, "name": source.name}

        values = {"fault": None, **await studio_work(request, fields, work)}
    except CarddbError as fault:
        values = {"fault": fault}
    answer = page("studio/_sheet.html", front, "studio", **values, address=address, most=_MOST_SHOWN)
    answer.status_code = status_of(values["fault"]) if values["fault"] else 200
    return answer


async def guide(request: Request) -> Response:
    """Shows the rule sheet, with a banner if its files have errors."""
    key = request.path_params["game"]

    def work(room: StudioRoom) -> tuple[str, GuideView]:
        room.refresh()
        return room.game.spec.name, room.guide.view(room.game)

    name, view = await studio_work(request, {"game": key}, work)
    head = environment().get_template("studio/_studio_guide.html").render(game=key, name=name, view=view)
    nothing = environment().get_template("studio/_no_guide.html").render().encode()
    return document(view.data or nothing, head, with_script=True)


ROUTES = [
    Route("/studio", show),
    Route("/studio/state", state),
    Route("/studio/events", events),
    Route("/studio/guide/{game}", guide),
    Route("/studio/edit", edit, methods=["POST"]),
    Route("/studio/add", add, methods=["POST"]),
    Route("/studio/sheet", sheet, methods=["POST"]),
    Route("/studio/choose", choose, methods=["POST"]),
    Route("/studio/store", store, methods=["POST"]),
    Route("/studio/face/{game}/{ref:path}.svg", face_picture),
    Route("/studio/face/{game}/{ref:path}.json", face_facts),
]
