"""Descriptions for JSON Schemas: what stands below a key in the class that reads it."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from pydantic import BaseModel

from carddb.game.frozen import Frozen, fields_of

Part = type[Frozen] | type[BaseModel]


def described(schema: dict[str, Any], root: Part) -> dict[str, Any]:
    """The schema of a part, with a description for every key whose field has one below it."""
    parts = {part.__name__: part for part in _parts(root, set())}
    objects = {root.__name__: schema, **schema.get("$defs", {})}
    for name, values in objects.items():
        if part := parts.get(name):
            texts, written = descriptions(part), _written(part)
            for key, value in values.get("properties", {}).items():
                if text := texts.get(written.get(key, key)):
                    value["description"] = text
    return schema


def with_key_texts(schema: dict[str, Any], texts: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """The schema of questions or records, with a description for every key that a game has words for.

    `texts` are those for `all` objects, and over them those of single ones by their names. A key whose class describes
    it keeps that.
    """
    objects = {str(schema.get("title", "")): schema, **schema.get("$defs", {})}
    for name, values in objects.items():
        own = {**texts.get("all", {}), **texts.get(name.rpartition(".")[2], {})}
        for key, value in values.get("properties", {}).items():
            if "description" not in value and key in own:
                value["description"] = own[key]
    return schema


def descriptions(part: Part) -> dict[str, str]:
    """What stands below each field of a class and of those that it is made from, in one line."""
    out: dict[str, str] = {}
    for kind in reversed(part.__mro__):
        if kind not in (Frozen, BaseModel, object) and issubclass(kind, Frozen | BaseModel):
            out |= _own(kind)
    return out


def _own(kind: type) -> dict[str, str]:
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(definition, ast.ClassDef)
    out = {}
    for field, below in zip(definition.body, definition.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(below, ast.Expr):
            text = ast.literal_eval(below.value)
            out[field.target.id] = " ".join(text.split())
    return out


def _parts(part: Part, seen: set[Part]) -> Iterator[Part]:
    """A class and all that its fields are made of."""
    seen.add(part)
    yield part
    if issubclass(part, Frozen):
        hints = list(fields_of(part).values())
    else:
        hints = [field.annotation for field in part.model_fields.values()]
    for kind in (kind for hint in hints for kind in _classes(hint)):
        if kind not in seen:
            yield from _parts(kind, seen)


def _classes(hint: Any) -> Iterator[Part]:
    if isinstance(hint, type) and not get_args(hint) and issubclass(hint, Frozen | BaseModel):
        yield hint
    for inside in get_args(hint):
        yield from _classes(inside)


def _written(part: Part) -> Mapping[str, str]:
    """The fields of a class by the words that files have for them, where those are others."""
    if issubclass(part, Frozen):
        return {word: name for name, word in part.written.items()}
    return {field.alias: name for name, field in part.model_fields.items() if field.alias}
