"""The API's description as OpenAPI 3.1, made from the schemas that the questions and files of carddb have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carddb.app.printing.options import PaperOptions
from carddb.app.referee.referee import operations_of, referee
from carddb.app.workspace.workspace import Workspace
from carddb.core.version import __version__
from carddb.games.schemas.schemas import operations_schema

_TEXT = {"type": "string"}
_DAY = {"type": "string", "format": "date"}
_OBJECT = {"type": "object"}
_NAMES = {"type": "array", "items": _TEXT}
_CHECK = {
    "deck": {"type": "string", "description": "The deck as text, in any form that `carddb check` reads."},
    "game": {"type": "string", "description": "The game, where the deck does not say."},
    "format": {"description": "A format of the game, or the filters of one of your own.", "type": ["string", "object"]},
    "on": {**_DAY, "description": "The day to judge by; today by default."},
    "event": {**_DAY, "description": "Warn of what announced ban lists will forbid by this day."},
    "editions": {**_NAMES, "description": "Editions that the table has chosen."},
    "options": {**_OBJECT, "description": "House readings by name."},
}
_ERROR = {
    "type": "object",
    "required": ["error", "remedy"],
    "properties": {"error": _TEXT, "remedy": _TEXT, "findings": {"type": "array", "items": _OBJECT}},
}
_ERRORS = {"400": "Misuse", "404": "Unknown", "413": "Too much", "503": "Busy: come again"}


def openapi(project: Workspace) -> dict[str, Any]:
    """The description of the API for the games of a project; each operation of the referee has its own path."""
    operations = operations_of(referee(project), None)
    defs = operations_schema(operations, "")["$defs"]
    questions = {
        f"/judge/{name}": _post(
            operation.about, {"$ref": f"#/components/schemas/{name}"}, "The answer", [_query("why", _TEXT)]
        )
        for name, (operation, _) in operations.items()
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "carddb", "version": __version__, "description": "What `carddb ... --json` says, by HTTP."},
        "servers": [{"url": "/api/v1"}],
        "paths": {**_PATHS, **questions},
        "components": {"schemas": {"Error": _ERROR, **_moved(defs)}},
    }


def _moved(value: Any) -> Any:
    """The same schemas where OpenAPI has them."""
    if isinstance(value, Mapping):
        moved = {key: _moved(part) for key, part in value.items()}
        if isinstance(ref := moved.get("$ref"), str):
            moved["$ref"] = ref.replace("#/$defs/", "#/components/schemas/")
        return moved
    return [_moved(part) for part in value] if isinstance(value, list) else value


def _query(name: str, schema: Mapping[str, Any], place: str = "query") -> dict[str, Any]:
    return {"name": name, "in": place, "required": place == "path", "schema": schema}


def _answers(what: str, media_type: str = "application/json") -> dict[str, Any]:
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    faults = {status: {"description": text, "content": error} for status, text in _ERRORS.items()}
    return {"200": {"description": what, "content": {media_type: {"schema": {}}}}, **faults}


def _get(about: str, *parameters: Mapping[str, Any], media_type: str = "application/json") -> dict[str, Any]:
    return {"get": {"summary": about, "parameters": list(parameters), "responses": _answers("The answer", media_type)}}


def _post(
    about: str, body: Mapping[str, Any], what: str, parameters: list[Any], media_type: str = "application/json"
) -> dict[str, Any]:
    content = {"required": True, "content": {"application/json": {"schema": body}}}
    answers = _answers(what, media_type)
    return {"post": {"summary": about, "parameters": parameters, "requestBody": content, "responses": answers}}


_GAME, _REF = _query("game", _TEXT, "path"), _query("ref", _TEXT, "path")
_ON = _query("on", _DAY)
_LANG = _query("lang", _TEXT)
_PATHS: Mapping[str, Any] = {
    "/games": _get("The games, as `carddb games --json`"),
    "/cards": _get("Cards by a query, as `carddb cards --json`", _query("q", _TEXT), _query("game", _TEXT), _ON, _LANG),
    "/cards/{game}/{ref}": _get("One card, as `carddb show --json`", _GAME, _REF, _ON, _LANG),
    "/faces/{game}/{ref}.svg": _get(
        "A face as SVG; .png gives a picture",
        *(_GAME, _REF, _ON, _query("side", {"enum": ["front", "back"]}), _LANG, _query("size", _TEXT)),
        media_type="image/svg+xml",
    ),
    "/check": _post(
        "Whether a deck may be played, as `carddb check --json`",
        {"type": "object", "required": ["deck"], "properties": _CHECK, "additionalProperties": False},
        "The report",
        [],
    ),
    "/bans/{list}": _get(
        "A ban list on a day, as `carddb bans show --json`",
        *(_query("list", _TEXT, "path"), _ON, _query("known_at", _TEXT)),
    ),
    "/sheets": _post(
        "Print sheets, the file of `carddb sheets`",
        {
            "type": "object",
            "properties": {
                **_CHECK,
                "q": {"type": "string", "description": "A reference or a query, in place of a deck."},
                "allow_illegal": {"type": "boolean"},
                "allow_faults": {"type": "boolean"},
                **{name: {} for name in PaperOptions.__annotations__},
            },
            "additionalProperties": False,
        },
        "The PDF",
        [],
        "application/pdf",
    ),
}
