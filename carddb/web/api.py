"""The HTTP API under `/api/v1`, described as OpenAPI 3.1. It answers as the command line does with `--json`."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, cast, get_args

from starlette.responses import Response

from carddb.app.bans.lists import ban_list
from carddb.app.cards import search as card_search
from carddb.app.cards.faces import FaceRequest, Kind, Side, face_key
from carddb.app.decks.check import check_deck
from carddb.app.games.explanation import games_json
from carddb.app.printing.options import PaperOptions
from carddb.app.referee import operations_of, referee
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError
from carddb.core.version import __version__
from carddb.games.schemas import operations_schema
from carddb.read.documents.located_document import load
from carddb.web.http.answers import (
    CHECK_FIELDS,
    Asked,
    as_json,
    check_request,
    day_of,
    deck_of,
    json_body,
    moment_of,
    refuse_others,
    route,
    text_of,
)
from carddb.web.http.modes import Unknown, unknown
from carddb.web.http.pages import cacheable
from carddb.web.printing.print_room import SHEET_FIELDS, as_printed, check_printing, sheets_of

_DESCRIPTION = Path(__file__).with_name("openapi.yaml")
_ERRORS = {"400": "A wrong value", "404": "An unknown name", "413": "Too large", "503": "Busy: try again later"}


def openapi(project: Workspace) -> dict[str, Any]:
    """Returns the OpenAPI description of the API for a project's games, with a path for each referee operation."""
    document, _ = load(_DESCRIPTION)
    assert document
    described: dict[str, Any] = document.value
    paths = described["paths"]
    described["info"]["version"] = __version__
    of_check, of_sheets = (_body(paths[path]["post"])["schema"] for path in ("/check", "/sheets"))
    options: dict[str, Any] = {name: {} for name in PaperOptions.__annotations__}
    of_sheets["properties"] = of_check["properties"] | of_sheets["properties"] | options
    operations = operations_of(referee(project), None)
    question = paths.pop("/judge/{operation}")["post"]
    for name, (operation, _) in operations.items():
        paths[f"/judge/{name}"] = {"post": {**deepcopy(question), "summary": operation.about}}
        _body(paths[f"/judge/{name}"]["post"])["schema"] = {"$ref": f"#/components/schemas/{name}"}
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    for verb in (verb for path in paths.values() for verb in path.values()):
        verb["responses"] |= {code: {"description": text, "content": error} for code, text in _ERRORS.items()}
    described["components"]["schemas"] |= _moved(operations_schema(operations, "")["$defs"])
    return described


def _body(verb: dict[str, Any]) -> dict[str, Any]:
    """Returns the description of the JSON body that a request of this operation sends."""
    body: dict[str, Any] = verb["requestBody"]["content"]["application/json"]
    return body


def _moved(value: Any) -> Any:
    """Returns `value` with every `$ref` into `$defs` changed to point into `components/schemas`, as in OpenAPI."""
    if isinstance(value, Mapping):
        moved = {key: _moved(part) for key, part in value.items()}
        if isinstance(ref := moved.get("$ref"), str):
            moved["$ref"] = ref.replace("#/$defs/", "#/components/schemas/")
        return moved
    return [_moved(part) for part in value] if isinstance(value, list) else value


_FACE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"
"""The policy of a face: a picture that a browser opens by itself may load nothing and run nothing."""
_MEDIA_TYPES: dict[Kind, str] = {"svg": "image/svg+xml", "png": "image/png"}


def games(asked: Asked) -> Response:
    """Answers with every game, as `carddb games --json` prints them."""
    asked.query()
    return as_json(games_json(asked.project.all_games()))


def cards(asked: Asked) -> Response:
    """Answers with the cards that a query finds, as `carddb cards --json` prints them."""
    fields = asked.query("q", "game", "on", "lang")
    key, on, lang = text_of(fields, "game"), day_of(fields, "on"), fields.get("lang", "")
    return as_json(card_search.cards_json(card_search.search(asked.project, fields.get("q", ""), key, on, lang)))


def card(asked: Asked) -> Response:
    """Answers with one card, as `carddb show --json` prints it."""
    fields = asked.query("on", "lang")
    on, key, ref = day_of(fields, "on"), asked.path_params["game"], asked.path_params["ref"]
    with unknown():
        hit = card_search.find(asked.project, ref, key, on, fields.get("lang", ""))[1]
    return as_json(card_search.card_json(hit))


def face(asked: Asked) -> Response:
    """Answers with a card's face as SVG or PNG. Caches may keep it forever if `v` in the URL is its current key."""
    fields = asked.query("side", "lang", "size", "on", "v")
    ref, dot, kind = asked.path_params["file"].rpartition(".")
    side = fields.get("side", "front")
    if not dot or kind not in get_args(Kind):
        raise Unknown("a face can only be a .svg or a .png", "Write .svg or .png after the reference.")
    if side not in get_args(Side):
        raise UsageError(f"a card has no side {side!r}", "Write side=front or side=back.")
    face_request = FaceRequest(cast(Side, side), cast(Kind, kind), fields.get("size", ""), fields.get("lang", ""))
    on = day_of(fields, "on")
    with unknown():
        game, hit = card_search.find(asked.project, ref, asked.path_params["game"], on, face_request.lang)
    image = asked.front.faces.image(asked.project, game, hit, face_request)
    key, policy = face_key(game, hit, face_request), {"Content-Security-Policy": _FACE_POLICY}
    return cacheable(asked, image.data, image.digest, key, _MEDIA_TYPES[face_request.kind], policy)


def check(asked: Asked) -> Response:
    """Checks a deck, and answers as `carddb check --json` does."""
    fields = json_body(asked)
    refuse_others(fields, *CHECK_FIELDS)
    return as_json(check_deck(asked.project, deck_of(fields), check_request(fields)).to_json())


def judge(asked: Asked) -> Response:
    """Answers a question to the referee. With `?why`, the answer names the rules that it follows from."""
    why, question, operation = "why" in asked.query("why"), json_body(asked), asked.path_params["operation"]
    with unknown():
        asked.front.referee.find(operation)
    return as_json(asked.front.referee.ask(operation, question, why))


def bans(asked: Asked) -> Response:
    """Answers with a ban list as it is on a day, in the form that `carddb bans show --json` prints."""
    fields = asked.query("on", "known_at")
    on, known_at = day_of(fields, "on"), moment_of(fields, "known_at")
    with unknown():
        named = ban_list(asked.project, asked.path_params["list"])
    return as_json(named.on(on, known_at).to_json())


def sheets(asked: Asked) -> Response:
    """Prints a deck or the cards of a query. Answers with the PDF that `carddb sheets` writes with the same options.

    For a cutting machine, answers with a ZIP that also has the files with cut lines.
    """
    check_printing(asked.front)
    fields = json_body(asked)
    refuse_others(fields, *SHEET_FIELDS)
    result = sheets_of(asked.project, fields)
    if not result.data:
        return as_json(result.to_json(), 422)
    return as_printed(result.job.title, result.data, result.cut_files)


def description(asked: Asked) -> Response:
    """Answers with the description of this API as OpenAPI 3.1."""
    return as_json(openapi(asked.project))


FACES = [route("/api/v1/faces/{game}/{file:path}", face)]
ROUTES = [
    route("/api/v1/games", games),
    route("/api/v1/cards", cards),
    route("/api/v1/cards/{game}/{ref:path}", card),
    *FACES,
    route("/api/v1/check", check, ["POST"], read=None),
    route("/api/v1/judge/{operation}", judge, ["POST"], read=None),
    route("/api/v1/bans/{list}", bans),
    route("/api/v1/sheets", sheets, ["POST"], read=None),
    route("/api/v1/openapi.json", description),
]
