"""JSON Schemas of the files a user writes, generated from the models that read them."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from carddb.game import GameSpec
from carddb.games.book import RuleBook
from carddb.read.deckbuild import MAX_COUNT

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


class ProjectFile(BaseModel):
    """`carddb.toml`: paths are taken from its folder."""

    model_config = ConfigDict(extra="forbid", strict=True)

    catalog: str | None = None
    game: str | None = None
    games: list[str] = []
    options: dict[str, dict[str, Any]] = {}


FILES: dict[str, tuple[type[BaseModel], str]] = {
    "game.schema.json": (GameSpec, "game.yaml"),
    "rules.schema.json": (RuleBook, "rules.yaml"),
    "deck.schema.json": (DeckFile, "a deck as JSON"),
    "project.schema.json": (ProjectFile, "carddb.toml"),
}


def texts() -> dict[str, str]:
    """Every schema file by its name."""
    return {name: _text(model, title) for name, (model, title) in FILES.items()}


def _text(model: type[BaseModel], title: str) -> str:
    schema = model.model_json_schema()
    return json.dumps({"$schema": DIALECT, **schema, "title": title}, indent=1, ensure_ascii=False) + "\n"
