"""A form for any question to the referee, made from its schema, and the question from what was filled in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from carddb.deck.options import json_or_text

_DEPTH = 3
"""Objects within objects that are laid out as fields; what is deeper is written as JSON."""

Kind = Literal["choice", "boolean", "number", "text", "json"]
_KINDS: Mapping[str, Kind] = {"boolean": "boolean", "integer": "number", "number": "number", "string": "text"}


class FormField(NamedTuple):
    """A field of a form: its dotted name in the question, how it is filled in, and what it may be."""

    name: str
    kind: Kind
    required: bool
    choices: tuple[str, ...] = ()
    hint: str = ""

    @property
    def label(self) -> str:
        return self.name.replace("_", " ").replace(".", ", ")


def form_fields(schema: Mapping[str, Any]) -> list[FormField]:
    """The fields of a question; objects are laid out, lists are written as JSON."""
    return list(_fields(schema, schema.get("$defs", {}), "", True, 0))


def question_of_form(fields: Sequence[FormField], texts: Mapping[str, str]) -> dict[str, Any]:
    """The question that was filled in; an empty field is left out."""
    question: dict[str, Any] = {}
    for field in fields:
        text = texts.get(field.name, "").strip()
        if not text:
            continue
        *path, last = field.name.split(".")
        place = question
        for part in path:
            place = place.setdefault(part, {})
        place[last] = text if field.kind in ("text", "choice") and not _is_number(field) else json_or_text(text)
    return question


def _is_number(field: FormField) -> bool:
    return bool(field.choices) and all(choice.lstrip("-").isdecimal() for choice in field.choices)


def _fields(
    schema: Mapping[str, Any], defs: Mapping[str, Any], prefix: str, needed: bool, depth: int
) -> Iterator[FormField]:
    required = schema.get("required", ())
    for name, part in schema.get("properties", {}).items():
        branches = [_resolved(each, defs) for each in part.get("anyOf", [part])]
        real = [each for each in branches if each.get("type") != "null"]
        first: Mapping[str, Any] = real[0] if real else {}
        is_needed = needed and name in required
        if len(real) <= 2 and first.get("properties") and depth < _DEPTH:
            yield from _fields(first, defs, f"{prefix}{name}.", is_needed, depth + 1)
        else:
            yield _field(f"{prefix}{name}", part, first, len(real), is_needed)


def _field(name: str, part: Mapping[str, Any], schema: Mapping[str, Any], branches: int, needed: bool) -> FormField:
    default = part.get("default")
    hint = "" if default is None else json.dumps(default, ensure_ascii=False).strip('"')
    if branches == 1 and "enum" in schema:
        return FormField(name, "choice", needed, tuple(map(str, schema["enum"])), hint)
    kind = _KINDS.get(schema.get("type", ""), "json") if branches == 1 else "json"
    return FormField(name, kind, needed, (), hint or _example(schema))


def _example(schema: Mapping[str, Any]) -> str:
    """What a value looks like that has no field of its own."""
    return {"array": "[...]", "object": "{...}"}.get(schema.get("type", ""), "")


def _resolved(schema: Mapping[str, Any], defs: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = schema.get("$ref", "")
    return defs.get(reference.rpartition("/")[2], {}) if reference else schema
