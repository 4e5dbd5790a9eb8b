"""The studio: an editable table of a game's cards, their faces beside it, and their errors shown at once."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carddb.app.cards.card_import import PendingImport, preview_import
from carddb.app.cards.load import LoadRequest
from carddb.app.studio.drafted_file import Drafts
from carddb.app.studio.faces import OVERLAYS, FaceFault, FaceLook, StudioFace
from carddb.app.studio.sitting import StoreReport, TableRow
from carddb.app.studio.studio import StudioRoom, as_json, row_differences, saved_files
from carddb.core.errors import CarddbError, QueryError, UsageError
from carddb.core.files import NamedBytes
from carddb.core.names import did_you_mean
from carddb.core.plain_text import amount
from carddb.game.game import GameSpec
from carddb.layout.stock import CARDS, card_size, describe
from carddb.read.source import fetch
from carddb.web.documents import document
from carddb.web.http.answers import Asked, SentForm, refuse_others, route, sent_form, status_of
from carddb.web.http.answers import as_json as json_answer
from carddb.web.http.event_stream import StreamMessage
from carddb.web.http.modes import Forbidden, Unknown
from carddb.web.http.pages import environment, face_pixels, page

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
    """Returns the state of the page that a URL or a form describes. Raises UsageError for an unknown value."""
    side, size = fields.get("side") or "front", fields.get("size") or ""
    ink = fields.get("ink") or "full"
    overlays = tuple(name for name in OVERLAYS if name in fields.get("over", "").split(","))
    for value, choices in ((side, SIDES), (ink, INKS), (size or "poker", CARDS)):
        if value not in choices:
            raise UsageError(f"there is no side, ink or size {value!r}", did_you_mean(value, choices))
    return PageRequest(fields.get("q", "").strip(), fields.get("card", ""), FaceLook(side, size, ink, overlays))


def _room(asked: Asked, key: str) -> StudioRoom:
    """Returns the studio of the game `key`; by default of the project's game, else of the first game that has cards.

    Raises Forbidden on a server for others.
    """
    project, studios = asked.project, asked.front.studios
    if asked.front.public:
        raise Forbidden("only the owner may use the studio", "Run `carddb serve` on your own machine.")
    if key:
        game = project.game(key)
    elif project.settings.game:
        game = project.only_game()
    else:
        with project.catalog() as catalog:
            keys = catalog.games()
        games = project.all_games()
        game = next((each for each in games if each.key in keys), games[0])
    if game.key not in studios:
        drafts = next((room.sitting.drafts for room in studios.values()), None) or Drafts(project.art_folder)
        studios[game.key] = StudioRoom(project, game, drafts)
    return studios[game.key]


def studio_address(room: StudioRoom, viewing: PageRequest, card: str = "", **more: str) -> str:
    """Returns the URL of the studio in the state `viewing`, with another `card` and further parameters if given."""
    look = viewing.look
    parts = {"game": room.game.key, "q": viewing.query, "card": card or viewing.card, "size": look.size,
             "side": look.side if look.side != "front" else "", "ink": look.ink if look.ink != "full" else "",
             "over": ",".join(look.overlays), **more}  # fmt: skip
    return "/studio?" + urlencode({name: value for name, value in parts.items() if value})


def studio_state(room: StudioRoom, viewing: PageRequest) -> dict[str, Any]:
    """Returns the table as JSON. If the query cannot be parsed, the table has all cards."""
    try:
        view = room.view(viewing.query)
    except QueryError:
        view = room.view("")
    return as_json(room, view, viewing.look.plain)


def edit(asked: Asked) -> Response:
    """Changes the texts of cells, given as JSON in `cells` or as the form of one card."""
    fields = asked.fields
    cells = {(fields.get("ref", ""), name): text for name, text in _texts(fields).items()}
    if "cells" in fields:
        try:
            cells = {(str(ref), str(name)): str(value) for ref, name, value in json.loads(fields["cells"])}
        except (ValueError, TypeError):
            raise UsageError("cells must be a list of cells", 'Send [["REF", "field", "text"]].') from None

    return _changed(asked, lambda room: room.sitting.edit(cells))


def _texts(fields: Mapping[str, str]) -> dict[str, str]:
    """Returns the texts of a card's form, by field."""
    return {name.removeprefix("field."): text for name, text in fields.items() if name.startswith("field.")}


def add(asked: Asked) -> Response:
    """Creates a new card, as a draft that will be appended to a file."""
    fields = asked.fields
    ref, file = fields.get("ref", ""), fields.get("file", "")
    return _changed(asked, lambda room: room.sitting.add(ref, file, _texts(fields)))


def choose(asked: Asked) -> Response:
    """Settles a draft's conflict with its file: `theirs` deletes it, `mine` keeps it. `drop` deletes any draft."""
    ref, name, which = (asked.fields.get(each, "") for each in ("ref", "field", "which"))
    if which not in ("theirs", "mine", "drop"):
        raise UsageError(f"there is no choice {which!r}", "Choose theirs, mine or drop.")

    def work(room: StudioRoom) -> None:
        if which == "mine":
            room.sitting.keep_mine(ref, name)
        else:
            room.sitting.drop((ref, name))

    return _changed(asked, work)


def store(asked: Asked) -> Response:
    """Stores the drafts, and answers with what was stored."""
    return _changed(asked, lambda room: store_words(room.sitting.store()))


def store_words(report: StoreReport) -> str:
    """Returns in a sentence what was stored and what was not."""
    parts = [*report.refused]
    if report.changes:
        where = f", {' and '.join(report.files)} written" if report.files else ""
        parts.insert(0, f"{amount(len(report.changes), 'card')} stored{where}")
    if report.unfiled:
        parts.append(f"only the catalogue has {', '.join(report.unfiled)}, because no file could be written")
    return "; ".join(parts) or "nothing new to store"


def _changed(asked: Asked, work: Callable[[StudioRoom], str | None]) -> Response:
    """Runs `work`, which changes something, and may return a message.

    Answers with the table as JSON or, for a browser without script, with a redirect to the page.
    """
    fields = asked.fields
    viewing = page_request({name: fields[name] for name in FIELDS if name in fields})
    room = _room(asked, fields.get("game", ""))
    words = work(room) or ""
    if "application/json" in asked.headers.get("accept", ""):
        return json_answer({**studio_state(room, viewing), "message": words})
    return RedirectResponse(studio_address(room, viewing, fields.get("ref", ""), stored=words), status_code=303)


_STATES = ("now", "stored")
_NO_FACE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 76 127"><rect width="76" height="127" fill="#fff"/>'
    '<path d="M0 0 76 127M76 0 0 127" stroke="#bbb" stroke-width=".5"/></svg>'
)
"""The picture shown in place of a face that was never drawn successfully."""


def face_address(room: StudioRoom, row: TableRow, state: str, look: FaceLook) -> str:
    """Returns the URL of a card's face, `now` or `stored`, with a digest of everything that it is drawn from."""
    card = row.stored if state == "stored" else row.shown
    parts = {"state": state, "side": look.side, "size": look.size, "ink": look.ink, "over": ",".join(look.overlays),
             "v": room.faces.key(card, look) if card else ""}  # fmt: skip
    query = urlencode({name: value for name, value in parts.items() if value})
    return f"/studio/face/{room.game.key}/{quote(row.ref, safe='')}.svg?{query}"


def _face(asked: Asked) -> StudioFace | FaceFault:
    """Returns the face in the URL. Raises Unknown if the card is not stored yet, UsageError for a wrong parameter."""
    fields = {name: value for name, value in asked.query_params.items() if name != "v"}
    refuse_others(fields, "state", "side", "size", "ink", "over")
    viewing, which = page_request(fields), fields.get("state", "now")
    ref = asked.path_params["ref"]
    if which not in _STATES:
        raise UsageError(f"there is no state {which!r}", did_you_mean(which, _STATES))
    face = _room(asked, asked.path_params["game"]).face(ref, which, viewing.look)
    if face is None:
        raise Unknown(f"{ref} is new and not stored yet", "Look at the card as it is now.")
    return face


def face_picture(asked: Asked) -> Response:
    """Answers with a face as SVG or, if it cannot be drawn, with the last face of the card that could."""
    face = _face(asked)
    shown = face if isinstance(face, StudioFace) else face.last
    stays = isinstance(face, StudioFace) and asked.query_params.get("v")
    headers = {"Cache-Control": "private, max-age=3600" if stays else "no-store"}
    return Response(shown.data if shown else _NO_FACE, media_type="image/svg+xml", headers=headers)


def face_facts(asked: Asked) -> Response:
    """Answers, as JSON, with the findings and measures of a face, or with the error that prevents its drawing."""
    face = _face(asked)
    if isinstance(face, FaceFault):
        last = face.last.drawn_at if face.last else ""
        return json_answer({"fault": face.fault.to_json(), "last": last, "findings": [], "measures": []})
    findings = [finding.to_json() for finding in face.findings]
    return json_answer({"fault": None, "findings": findings, "measures": list(face.measures)})


PAGE_ROWS = 100
"""The number of rows in a page before its script adds others. Without script, a page has only these."""


def show(asked: Asked) -> Response:
    """Shows the table and the faces. If the query cannot be parsed, shows the error and all cards."""
    fields = dict(asked.query(*FIELDS, *OVERLAYS, "stored"))
    fields["over"] = ",".join([*fields.get("over", "").split(","), *(name for name in OVERLAYS if name in fields)])
    values = _page_values(_room(asked, fields.get("game", "")), page_request(fields))
    return page("studio/studio.html", asked.front, "studio", **values, stored=fields.get("stored", ""))


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
    width, height = face_pixels(card_size(viewing.look.size or room.game.spec.card_size))

    def address(row: TableRow, state: str = "now", overlays: bool = False) -> str:
        return face_address(room, row, state, viewing.look if overlays else viewing.look.plain)

    return {
        "view": view, "game": room.game, "viewing": viewing, "fault": fault,
        "row": view.rows[at] if view.rows else None, "rows": view.rows[first : first + PAGE_ROWS], "first": first,
        "pages": [view.rows[number].ref for number in pages], "page_rows": PAGE_ROWS,
        "example": _example(room.game.spec, view.rows[at].texts if view.rows else {}),
        "games": room.project.all_games(), "face_address": address, "differences": row_differences,
        "width": width, "height": height,
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


def state(asked: Asked) -> Response:
    """Answers with the table as JSON."""
    fields = asked.query(*FIELDS)
    return json_answer(studio_state(_room(asked, fields.get("game", "")), page_request(fields)))


async def events(request: Request) -> Response:
    """Sends the names of files when they are saved, as long as the page is open."""
    asked = Asked(request, SentForm({}, {}, {}))
    key = asked.query("game").get("game", "")
    room = await asked.front.run(lambda: _room(asked, key))

    async def saved() -> AsyncIterator[StreamMessage]:
        async for files in saved_files(room.project, room.game):
            yield StreamMessage("saved", json.dumps(files))

    return asked.front.streams.answer(saved())


_MOST_SHOWN = 20
"""The number of changed and of new cards of a sheet that are named."""


async def sheet(request: Request) -> Response:
    """Reads a sheet on the web, and answers with a part of a page: how its cards differ from the stored ones."""
    asked = Asked(request, await sent_form(request))
    address = asked.sent.fields.get("url", "").strip()
    try:
        # This may take ten seconds, so it must not block the single thread that does all of carddb's work.
        source = await run_in_threadpool(fetch, address)
        values = await asked.front.run(lambda: _sheet_values(asked, source, address))
    except CarddbError as fault:
        values = {"fault": fault}
    values |= {"status": status_of(values["fault"]), "address": address, "most": _MOST_SHOWN}
    return page("studio/_sheet.html", asked.front, "studio", **values)


def _sheet_values(asked: Asked, source: NamedBytes, address: str) -> dict[str, Any]:
    """Returns the template's values for the differences between a sheet and the stored cards."""
    room = _room(asked, asked.sent.fields.get("game", ""))
    pending = PendingImport(source.name, source.getvalue(), LoadRequest(room.game.key), address)
    seen = preview_import(room.project, pending)
    return {"fault": None, "result": seen.result, "report": seen.report, "game": room.game, "name": source.name}


def guide(asked: Asked) -> Response:
    """Shows the rule sheet, with a banner if its files have errors."""
    key = asked.path_params["game"]
    room = _room(asked, key)
    view = room.guide()
    head = environment().get_template("studio/_studio_guide.html").render(game=key, name=room.game.spec.name, view=view)
    nothing = environment().get_template("studio/_no_guide.html").render().encode()
    return document(view.data or nothing, head, with_script=True)


ROUTES = [
    route("/studio", show),
    route("/studio/state", state),
    Route("/studio/events", events),
    route("/studio/guide/{game}", guide),
    route("/studio/edit", edit, ["POST"]),
    route("/studio/add", add, ["POST"]),
    Route("/studio/sheet", sheet, methods=["POST"]),
    route("/studio/choose", choose, ["POST"]),
    route("/studio/store", store, ["POST"]),
    route("/studio/face/{game}/{ref:path}.svg", face_picture),
    route("/studio/face/{game}/{ref:path}.json", face_facts),
]
