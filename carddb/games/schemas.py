"""JSON Schemas of the files and questions a user writes, generated from the models that read them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from carddb.game import GameSpec
from carddb.games import folders
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
        operations = {f"{game.spec.prefix}.{name}": operation for name, operation in game.operations.items()}
        title = f"the operations of {game.spec.name}"
        files[f"operations.{game.key}.schema.json"] = operations_schema(operations, title)
    return {name: _text(schema) for name, schema in files.items()}


def _text(schema: Mapping[str, Any]) -> str:
    return json.dumps({"$schema": DIALECT, **schema}, indent=1, ensure_ascii=False) + "\n"


def operations_schema(operations: Mapping[str, Operation[Any]], title: str) -> dict[str, Any]:
    """A JSON Schema whose `$defs` hold the question of each operation, by the operation's full name.

    The objects inside the questions follow under their own names. A value is one line of a batch.
    """
    models: list[tuple[type[BaseModel], JsonSchemaMode]] = [
        (operation.question, "validation") for operation in operations.values()
    ]
    places, schema = models_json_schema(models, ref_template="#/$defs/{model}")
    parts = schema.get("$defs", {})
    questions = {}
    for (name, _), key in zip(operations.items(), models, strict=True):
        place = places[key]["$ref"].rpartition("/")[2]
        questions[name] = {**parts.pop(place), "title": name}
    line = {
        "type": "object",
        "required": ["id", "op", "input"],
        "properties": {"id": {}, "op": {"enum": list(questions)}, "input": {"type": "object"}},
        "allOf": [
            {
                "if": {"properties": {"op": {"const": name}}},
                "then": {"properties": {"input": {"$ref": f"#/$defs/{name}"}}},
            }
            for name in questions
        ],
    }
    return {"title": title, **line, "$defs": {**questions, **parts}}
