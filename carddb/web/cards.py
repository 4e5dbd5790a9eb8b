"""Pages of cards: the gallery with its search, the page of one card, and the import of card files with a preview."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carddb.app.bans.lists import hold_report, lists_on
from carddb.app.cards import card_import
from carddb.app.cards.faces import FaceRequest, face_key
from carddb.app.cards.gallery import caption, corrections, field_words, gallery, neighbours, query_words, shown_fields
from carddb.app.cards.load import LoadRequest, join_of
from carddb.app.cards.search import find, history, near_query
from carddb.app.decks.page import decks_with
from carddb.app.workspace.clock import today
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Card
from carddb.core.errors import CarddbError, QueryError, UsageError
from carddb.core.files import NamedBytes
from carddb.core.plain_text import whole
from carddb.findings import has_errors
from carddb.game.parts import LEFT_OUT, PICTURES
from carddb.games import Game
from carddb.layout.stock import card_size
from carddb.read.cards.lines import EVERY_OTHER
from carddb.read.cards.raw_table import ColumnMeaning, proposed_columns
from carddb.read.source import fetch
from carddb.web.bans import ban_words
from carddb.web.http.answers import Asked, day_of, route, sent_form, status_of, text_of
from carddb.web.http.modes import Forbidden, Unknown, unknown
from carddb.web.http.pages import face_pixels, page

PAGE = 60
"""The number of faces on one page."""
_FRONT, _BACK = FaceRequest(), FaceRequest("back")


class FacePicture(NamedTuple):
    """A picture of a face: its URL, its width and height in pixels, and its text for readers who cannot see it."""

    address: str
    width: int
    height: int
    words: str


class Tile(NamedTuple):
    """A card in the gallery: its reference, page, name, small print, picture, and the heading that it stands under."""

    ref: str
    address: str
    name: str
    small: str
    picture: FacePicture
    group: str


def picture(game: Game, card: Card, request: FaceRequest = _FRONT) -> FacePicture:
    """Returns the picture of a card's face. Its URL includes the face's key, so browsers may cache it without limit."""
    place = f"/api/v1/faces/{game.key}/{quote(card.ref, safe='')}.{request.kind}"
    fields = {"v": face_key(game, card, request)} | ({"side": "back"} if request.side == "back" else {})
    text = next((str(card.get(name)) for name in ("text", "effect", "special") if card.get(name)), "")
    words = f"{card.name}: {text}" if text and request.side == "front" else f"{request.side.title()} of {card.name}"
    return FacePicture(f"{place}?{urlencode(fields)}", *face_pixels(card_size(game.spec.card_size)), words)


def tile(game: Game, card: Card) -> Tile:
    """Returns a card as it is shown in the gallery."""
    parts = [caption(game.spec, card), *(str(card.get(name)) for name in ("rarity", "path") if card.get(name))]
    small, group = " · ".join(part.replace("_", " ") for part in parts), parts[0].partition(" · ")[0]
    address, heading = f"/cards/{game.key}/{quote(card.ref, safe='')}", group if game.spec.caption else ""
    return Tile(card.ref, address, card.name, small, picture(game, card), heading)


SEARCH_FIELDS = ("q", "game", "on", "page", "view")
"""The fields of a search in the gallery. `view` is `list` for a list without pictures."""


def found_cards(project: Workspace, fields: Mapping[str, str]) -> dict[str, Any]:
    """Returns the gallery template's values for a search. For a query that cannot be parsed, they have corrections.

    `builds` are the games whose cards the query finds, so that a deck of them can be built.
    """
    query, key, on = fields.get("q", "").strip(), text_of(fields, "game"), day_of(fields, "on")
    number = whole(fields.get("page", ""))
    number = 1 if number is None else number
    values: dict[str, Any] = {
        "query": query, "game": key, "number": number, "view": fields.get("view", ""), "games": project.all_games(),
        "words": query_words(project, key), "fault": None, "corrections": [], "meant": "", "tiles": [], "count": 0,
        "facets": (), "pictured": False,
        "pages": 1, "builds": [], "building": False,
    }  # fmt: skip
    try:
        hits, facets = gallery(project, query, key, on)
    except QueryError as fault:
        return values | {"fault": fault, "corrections": corrections(fault, values["words"])}
    shown = hits[(number - 1) * PAGE : number * PAGE]
    keys = {key} if key else {each.game for each in hits}
    near = None if hits else near_query(project, query, key, on)
    return values | {
        "meant": near[0] if near else "",
        "tiles": [tile(project.game(each.game), each) for each in shown], "count": len(hits),
        "facets": facets,
        "pictured": any(card.get(field) for card in hits for field in PICTURES),
        "pages": max(1, -(-len(hits) // PAGE)),
        "builds": [game for game in values["games"] if game.key in keys],
    }  # fmt: skip


def cards(asked: Asked) -> Response:
    """Shows the cards that a query finds or, for a query that cannot be parsed, the error and possible corrections."""
    fields = asked.query(*SEARCH_FIELDS, "build")
    if fields.get("build") and fields.get("game"):
        kept = {name: value for name, value in fields.items() if name != "build"}
        return RedirectResponse(f"/build?{urlencode(kept)}", status_code=303)

    def address(**changes: Any) -> str:
        parts = {**{name: fields.get(name) for name in ("q", "game", "on", "view")}, **changes}
        return "/cards?" + urlencode({name: value for name, value in parts.items() if value})

    found = found_cards(asked.project, fields)
    return page("cards/gallery.html", asked.front, "cards", address=address, **found)


def card(asked: Asked) -> Response:
    """Shows the page of one card."""
    project, on = asked.project, day_of(asked.query("on"), "on")
    with unknown():
        game, hit = find(project, asked.path_params["ref"], asked.path_params["game"], on)
    before, after = neighbours(project, game, hit, on)
    values = {
        "game": game,
        "card": hit,
        "front_face": picture(game, hit),
        "back_face": picture(game, hit, _BACK) if game.spec.types[hit.type].back else None,
        "before": tile(game, before) if before else None,
        "after": tile(game, after) if after else None,
        "bans": [ban_words(hold_report(listed, [hit.ref])) for listed in lists_on(project, game.key, on)],
        "decks": [] if asked.front.public else decks_with(project, game, hit.ref, on or today()),
        "history": history(project, hit.ref, game.key)[1][::-1],
        "fields": shown_fields(game.spec, hit),
        "caption": caption(game.spec, hit),
        "words_of": partial(field_words, game.spec, hit),
    }
    return page("cards/card.html", asked.front, "cards", **values)


ROUTES = [route("/cards", cards), route("/cards/{game}/{ref:path}", card)]


_COLUMN = "column."
MOST_COLUMNS = 120
"""The number of columns that the form shows. Further columns keep the meaning that was proposed for them."""
_MOST_SHOWN = 300
"""The number of findings and changes that are listed."""


def _refuse_others(asked: Asked) -> None:
    """Raises Forbidden unless only the owner is served, because only the owner loads cards."""
    if asked.front.public:
        raise Forbidden("only the owner may load cards", "Run `carddb serve` on your own machine.")


def _pending(asked: Asked) -> card_import.PendingImport:
    """Returns the pending import whose key is in the URL. Raises Unknown if it is no longer kept."""
    _refuse_others(asked)
    pending = asked.front.imports.find(asked.path_params["key"])
    if pending is None:
        raise Unknown("the preview of this file is no longer kept", "Choose the file again at /import.")
    return pending


def start(asked: Asked, fields: Mapping[str, str] | None = None, fault: CarddbError | None = None) -> Response:
    """Shows the page for dropping a file to import, filled in with `fields` (default: those of the URL)."""
    _refuse_others(asked)
    fields = asked.query_params if fields is None else fields
    return page(
        "cards/import.html",
        asked.front,
        "cards",
        status=status_of(fault),
        games=asked.project.all_games(),
        game=fields.get("game") or asked.project.settings.game or "",
        address=fields.get("url", ""),
        fault=fault,
        join_keys=fields.get("join_keys", ""),
    )


async def bring(request: Request) -> Response:
    """Takes an uploaded file, or fetches the file at a given URL, and redirects to its preview."""
    asked = Asked(request, await sent_form(request))
    fields = asked.sent.fields
    try:
        # This may take ten seconds, so it must not block the single thread that does all of carddb's work.
        address = "" if "file" in asked.sent.files else fields.get("url", "").strip()
        fetched = await run_in_threadpool(fetch, address) if address else None
    except CarddbError as fault:
        refusal = fault
        return await asked.front.run(lambda: start(asked, fields, refusal))
    return await asked.front.run(lambda: _brought(asked, address, fetched))


def _brought(asked: Asked, address: str, fetched: NamedBytes | None) -> Response:
    """Keeps the uploaded file, or else the file that was `fetched` from `address`, and redirects to its preview."""
    _refuse_others(asked)
    fields, _, files = asked.sent
    keys = fields.get("join_keys", "").strip()
    try:
        request = LoadRequest(asked.project.game(fields.get("game", "")).key)
        if "file" in files:
            file = files["file"][-1]
            # It is loaded as if it were in the project's folder, so that a patch file there applies.
            request = request._replace(beside=asked.project.art_folder)
            pending = card_import.PendingImport(card_import.file_name(file.name), file.data, request)
        elif fetched:
            pending = card_import.PendingImport(fetched.name, fetched.getvalue(), request, address)
        else:
            raise UsageError("no file was chosen", "Choose a file, or write the address of one.")
        if "join" in files:
            second = files["join"][-1]
            source = NamedBytes(second.data, card_import.file_name(second.name))
            pending.request = request._replace(joins=[join_of(source, keys)])
            pending.join_option = f"{source.name}:{keys}"
    except CarddbError as fault:
        return start(asked, fields, fault)
    return RedirectResponse(f"/import/{asked.front.imports.add(pending)}", status_code=303)


def preview(asked: Asked, refusal: CarddbError | None = None) -> Response:
    """Shows the preview of an import: the meanings of its columns, its rows with errors, and what it would change."""
    project, pending = asked.project, _pending(asked)
    game = project.only_game(pending.request.game)
    try:
        values = {"fault": None, **_shown(game, card_import.preview_import(project, pending))}
    except CarddbError as fault:
        values = {"fault": fault, "preview": None, "result": None, "columns": [], "every_other": EVERY_OTHER}
    command = values["preview"].command if values["preview"] else card_import.load_command(pending, {})
    common = {
        "game": game,
        "games": project.all_games(),
        "reads_html": project.settings.reads_html(game.key),
        "key": asked.path_params["key"],
        "pending": pending,
        "command": shlex.join(command),
        "note": asked.query_params.get("note", ""),
        "refusal": refusal,
    }
    return page("cards/import_preview.html", asked.front, "cards", **common, **values)


def _shown(game: Game, preview: card_import.ImportPreview) -> dict[str, Any]:
    """Returns the template's values for the preview of an import."""
    findings, words = preview.report.findings, game.spec.field_words
    unmapped = (
        each.heading
        for each in preview.meanings
        if each.basis in ("none", "near") and each.heading not in preview.columns
    )
    anchors = {
        number
        for table in preview.tables
        for numbers in (
            table.faults,
            *(cell.faults for cell in table.headings),
            *(row.faults for row in table.rows),
            *(cell.faults for row in table.rows for cell in row.cells),
        )
        for number in numbers
    }
    return {
        "preview": preview, "result": preview.result, "anchors": anchors,
        "loadable": preview.report.ok and not has_errors(findings),
        "findings": list(enumerate(findings, 1))[:_MOST_SHOWN], "more_findings": max(0, len(findings) - _MOST_SHOWN),
        "sums": card_import.other_sums(preview.report), "most": _MOST_SHOWN,
        "columns": preview.meanings[:MOST_COLUMNS], "fields": {
            name: f"{words.labels[name]} ({name})" if words.labels.get(name) else name for name in words.keys
        },
        "more_columns": max(0, len(preview.meanings) - MOST_COLUMNS), "every_other": EVERY_OTHER,
        "unmapped": [] if EVERY_OTHER in preview.columns else list(unmapped),
    }  # fmt: skip


def choose(asked: Asked) -> Response:
    """Loads the file if the form asks for it and has the choices that were shown; otherwise previews the file again."""
    pending, project, fields = _pending(asked), asked.project, asked.sent.fields
    before, here = replace(pending), asked.url.path
    try:
        meanings = card_import.import_meanings(project, pending)
        _take_choices(project, pending, meanings, fields)
        if fields.get("do") != "load":
            return RedirectResponse(here, status_code=303)
        if not card_import.is_shown(before, pending, meanings):
            return RedirectResponse(f"{here}?note=changed", status_code=303)
        card_import.load_import(project, pending)
    except CarddbError as fault:
        return preview(asked, fault)
    asked.front.studios.clear()  # their card files may have more columns now
    return RedirectResponse(f"{here}/result", status_code=303)


def _take_choices(
    project: Workspace, pending: card_import.PendingImport, meanings: Sequence[ColumnMeaning], fields: Mapping[str, str]
) -> None:
    """Gives a pending import the choices made in the form. Raises UsageError for an unknown game or an invalid day.

    If the game or the sheet has changed, the columns' meanings are proposed again.
    """
    now = pending.request
    game, sheet = project.game(fields.get("game") or str(now.game)).key, fields.get("sheet", "")
    columns = None
    if (game, sheet) == (now.game, now.sheet) and any(name.startswith(_COLUMN) for name in fields):
        columns = dict(proposed_columns(meanings[MOST_COLUMNS:]))
        for number, meaning in enumerate(meanings[:MOST_COLUMNS]):
            if value := fields.get(f"{_COLUMN}{number}"):
                columns[meaning.heading] = value
        columns |= {EVERY_OTHER: LEFT_OUT} if fields.get("every_other") else {}
    boxes: dict[str, Any] = {name: name in fields for name in ("prune", "force", "html", "keep_samples")}
    set_name, day = fields.get("set", "").strip() or None, day_of(fields, "from")
    pending.request = now._replace(game=game, sheet=sheet, set_name=set_name, day=day, **boxes)
    pending.columns, pending.save_map = columns, "save_map" in fields


def result(asked: Asked) -> Response:
    """Shows the result of an import."""
    key, pending = asked.path_params["key"], _pending(asked)
    if pending.report is None:
        return RedirectResponse(f"/import/{key}", status_code=303)
    game = asked.project.only_game(pending.request.game)
    values = {"game": game, "pending": pending, "report": pending.report, "key": key, "most": _MOST_SHOWN}
    values["sums"] = card_import.other_sums(pending.report)
    return page("cards/import_result.html", asked.front, "cards", **values)


IMPORT_ROUTES = [
    route("/import", start),
    Route("/import", bring, methods=["POST"]),
    route("/import/{key}", preview),
    route("/import/{key}", choose, ["POST"]),
    route("/import/{key}/result", result),
]
