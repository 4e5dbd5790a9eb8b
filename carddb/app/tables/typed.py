"""What a player says of an action, in words: as the action wants it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carddb.core.errors import UsageError
from carddb.deck.options import json_or_text
from carddb.play.table.action import Action

YES = ("yes", "true", "1")
"""The words that mean yes where an action asks."""


def branches(field: dict[str, Any]) -> list[dict[str, Any]]:
    """What a field of a form may be, but absent."""
    return [part for part in field.get("anyOf", [field]) if part.get("type") != "null"]


def is_many(field: dict[str, Any]) -> bool:
    """A list, or values by name (`CP=7`)."""
    return any(part.get("type") in ("array", "object") for part in branches(field))


def input_of(action: Action[Any, Any], words: dict[str, Any]) -> dict[str, Any]:
    """The words as the action wants them, a list of them for each list; what was not said is left out."""
    fields = action.form.model_json_schema().get("properties", {})
    out: dict[str, Any] = {}
    for name, word in words.items():
        if word is None or word == ():
            continue
        parts = branches(fields[name])
        if any(part.get("type") == "object" for part in parts):
            out[name] = dict(pair(text) for text in word)
        elif is_many(fields[name]):
            numbers = any(part.get("items", {}).get("type") == "integer" for part in parts)
            out[name] = [_number(item) if numbers else item for item in word]
        elif any(part.get("type") == "integer" for part in parts):
            out[name] = _number(word)
        else:
            out[name] = word
    return out


def _number(word: Any) -> Any:
    return int(word) if str(word).lstrip("-").isdecimal() else word


def pair(text: str) -> tuple[str, Any]:
    """`NAME=VALUE` as the name and the value, which is JSON where it parses. Raises UsageError for anything else."""
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"{text!r} is no NAME=VALUE", "Write it as CP=7.")
    return name, json_or_text(value)


def words_of(action: Action[Any, Any], texts: Mapping[str, str]) -> dict[str, Any]:
    """The fields of a form as the words of an action: lists are cut at commas, `hands.S1` is a value by name.

    Empty fields and those that the action does not have are left out.
    """
    fields = action.form.model_json_schema().get("properties", {})
    words: dict[str, Any] = {}
    for name, text in texts.items():
        head, _, inner = name.partition(".")
        if head not in fields or not text.strip():
            continue
        parts = branches(fields[head])
        if inner or any(part.get("type") == "object" for part in parts):
            pairs = [f"{inner}={text.strip()}"] if inner else text.split()
            words[head] = (*words.get(head, ()), *pairs)
        elif is_many(fields[head]):
            words[head] = (*words.get(head, ()), *_items(text))
        elif any(part.get("type") == "boolean" for part in parts):
            words[head] = text.strip().casefold() in YES
        else:
            words[head] = text.strip()
    return words


def _items(text: str) -> list[str]:
    """The items of a list as it is typed: between commas, or where there are none between blanks."""
    return [item.strip() for item in text.split(",") if item.strip()] if "," in text else text.split()
