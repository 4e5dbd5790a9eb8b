"""JSON Schemas of the files and questions a user writes, generated from the models that read them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from carddb.frozen import as_plain
from carddb.game import GameSpec
from carddb.game_parts import OptionSpec
from carddb.games import Game, folders
from carddb.games.referee import open_game
from carddb.games.rulebook import RuleBook
from carddb.play.question import Operation
from carddb.read.bans import BanFile
from carddb.read.deck_builder import MAX_COUNT
from carddb.read.edition import EditionFile, UpcomingFile
from carddb.read.print_manifest import Manifest
from carddb.read.shop_order import OrderManifest
from carddb.strict_models import model_of

DIALECT = "https://json-schema.org/draft/2020-12/schema"


_JSON_TYPES = {"text": "string"}


class DeckCard(BaseModel):
    """One line of a deck: by reference, by name, or both."""

    model_config = ConfigDict(extra="forbid")

    ref: str = ""
    name: str = ""
    count: int = Field(default=1, ge=1, le=MAX_COUNT)


class DeckFile(BaseModel):
    """A deck as JSON; further header lines stand beside `name`."""

    model_config = ConfigDict(extra="allow")

    name: str = ""
    game: str = ""
    format: str = ""
    sections: dict[str, list[DeckCard]]


class PrintDefaults(BaseModel):
    """How a project prints where nobody says otherwise."""

    model_config = ConfigDict(extra="forbid", strict=True)

    paper: str | None = None
    stock: str | None = None
    flip: Literal["long-edge", "short-edge", "none"] | None = None
    printer: str | None = None
    tray: str | None = None


class ProjectFile(BaseModel):
    """`carddb.toml`: paths are taken from its folder."""

    model_config = ConfigDict(extra="forbid", strict=True)

    catalog: str | None = None
    game: str | None = None
    games: list[str] = []
    options: dict[str, dict[str, Any]] = {}
    columns: dict[str, str | dict[str, str]] = {}
    defaults: PrintDefaults = PrintDefaults()


FILES: dict[str, tuple[type[BaseModel], str]] = {
    "game.schema.json": (model_of(GameSpec), "game.yaml"),
    "rules.schema.json": (model_of(RuleBook), "rules.yaml"),
    "ban-log.schema.json": (BanFile, "bans.yaml"),
    "deck.schema.json": (DeckFile, "a deck as JSON"),
    "project.schema.json": (ProjectFile, "carddb.toml"),
    "printed.schema.json": (Manifest, "what sheets put on paper"),
    "bans.schema.json": (EditionFile, "a published ban list"),
    "bans-upcoming.schema.json": (UpcomingFile, "what is announced of a ban list"),
    "order.schema.json": (OrderManifest, "manifest.json beside the pictures for a shop"),
}


def texts() -> dict[str, str]:
    """Every schema file by its name."""
    files = {name: {**model.model_json_schema(), "title": title} for name, (model, title) in FILES.items()}
    for folder in folders().values():
        game = open_game(folder)
        operations = {f"{game.spec.prefix}.{name}": (operation, game) for name, operation in game.operations.items()}
        title = f"the operations of {game.spec.name}"
        files[f"operations.{game.key}.schema.json"] = operations_schema(operations, title)
    return {name: _text(name, schema) for name, schema in files.items()}


def _text(name: str, schema: Mapping[str, Any]) -> str:
    head = {"$schema": DIALECT, "$id": f"urn:carddb:schema:{name.removesuffix('.schema.json')}"}
    return json.dumps({**head, **schema}, indent=1, ensure_ascii=False) + "\n"


def operations_schema(operations: Mapping[str, tuple[Operation[Any], Game]], title: str) -> dict[str, Any]:
    """A JSON Schema whose `$defs` hold the question of each operation, by the operation's full name.

    The objects inside the questions follow under their own names, and the options of each game (`eg.options`). A value
    is one line of a batch.
    """
    models: list[tuple[type[BaseModel], JsonSchemaMode]] = [
        (operation.question, "validation") for operation, _ in operations.values()
    ]
    places, schema = models_json_schema(models, ref_template="#/$defs/{model}")
    parts = schema.get("$defs", {})
    questions = {}
    for (name, (_, game)), key in zip(operations.items(), models, strict=True):
        question = parts.pop(places[key]["$ref"].rpartition("/")[2])
        options = f"{game.spec.prefix}.options"
        parts[options] = _options_schema(game.spec)
        properties = {**question.get("properties", {}), "options": {"$ref": f"#/$defs/{options}"}}
        questions[name] = {**question, "title": name, "properties": properties}
    line = {
        "type": "object",
        "required": ["id", "op", "input"],
        "properties": {
            "id": {},
            "op": {"enum": list(questions)},
            "input": {"type": "object"},
            "why": {"type": "boolean", "default": False},
        },
        "allOf": [
            {
                "if": {"properties": {"op": {"const": name}}},
                "then": {"properties": {"input": {"$ref": f"#/$defs/{name}"}}},
            }
            for name in questions
        ],
    }
    return {"title": title, **line, "$defs": {**questions, **parts}}


def _options_schema(spec: GameSpec) -> dict[str, Any]:
    """The house readings that every question of a game takes."""
    properties = {name: _option_schema(option) for name, option in spec.options.items()}
    return {"type": "object", "additionalProperties": False, "properties": properties}


def _option_schema(option: OptionSpec) -> dict[str, Any]:
    """The values of an option; those that are only documented are refused by a code of their own."""
    schema: dict[str, Any] = {"title": option.label} if option.label else {}
    if option.type == "choice":
        schema["enum"] = [form for value in (*option.of, *option.only_documented) for form in _forms(value)]
    else:
        schema["type"] = _JSON_TYPES.get(option.type, option.type)
    if option.only_documented:
        schema["description"] = f"Nobody can choose {', '.join(map(str, option.only_documented))}."
    return {**schema, "default": as_plain(option.default, whole=True)}


def _forms(value: str | int) -> list[str | int]:
    """A value as it is; a number as a text too, and the other way round."""
    digits = isinstance(value, str) and value.isdigit()
    return [value, int(value)] if digits else [value, str(value)] if isinstance(value, int) else [value]
