"""The fields of a question and the options of a game as text, for `judge --list` and `odds`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from carddb.game.frozen import as_plain
from carddb.game.game import GameSpec
from carddb.play.question import Operation


def fields_of(operation: Operation[Any]) -> list[str]:
    """Returns the fields of a question in one line, followed by a line for each type of object in it."""
    schema = operation.question.model_json_schema()
    parts = [f"{name}: {_fields(part)}" for name, part in schema.get("$defs", {}).items()]
    return [_fields(schema) or "no fields", *parts]


def options_of(spec: GameSpec) -> list[str]:
    """Returns each option with its values and default: `tie_rule: defender_wins|life_holds = "defender_wins"`."""
    return [
        f"{name}: {'|'.join(map(str, option.of)) or option.type} = {json.dumps(as_plain(option.default, whole=True))}"
        for name, option in spec.options.items()
    ]


def _fields(schema: Mapping[str, Any]) -> str:
    """Returns the fields of an object as text: `hand: integer, pull: boolean or null = null`."""
    needed = schema.get("required", ())
    return ", ".join(
        f"{name}: {_kind(field)}" + ("" if name in needed else f" = {json.dumps(field.get('default'))}")
        for name, field in schema.get("properties", {}).items()
    )


def _kind(field: Mapping[str, Any]) -> str:
    """Returns the type of a value, and from what number it counts if its description says so."""
    counted = re.search("counted (from [01])", field.get("description", ""))
    return _plain_kind(field) + (f" (counted {counted[1]})" if counted else "")


def _plain_kind(field: Mapping[str, Any]) -> str:
    if "anyOf" in field:
        return " or ".join(_kind(part) for part in field["anyOf"])
    if "enum" in field or "const" in field:
        return "|".join(map(str, field.get("enum", [field.get("const")])))
    if "$ref" in field:
        return str(field["$ref"]).rpartition("/")[2]
    if field.get("type") == "array":
        return f"list of {_kind(field.get('items', {}))}"
    return str(field.get("type", "any")) + _range(field)


def _range(field: Mapping[str, Any]) -> str:
    low, high = field.get("minimum"), field.get("maximum")
    if low is None and high is None:
        return ""
    return f" from {low}" if high is None else f" to {high}" if low is None else f" {low} to {high}"
