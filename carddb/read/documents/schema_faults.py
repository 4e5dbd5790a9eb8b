"""The faults that a strict model finds in a document, as findings in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, get_args

from pydantic import BaseModel, ValidationError

from carddb.core.names import did_you_mean
from carddb.findings import Finding, error
from carddb.game.frozen import FrozenT
from carddb.game.strict_models import checked, model_of

if TYPE_CHECKING:
    from carddb.read.documents.located_document import Document

_SHOWN = 80

_EXPECTED = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "set_type": "a list",
    "dict_type": "a mapping of keys to values",
    "mapping_type": "a mapping of keys to values",
    "model_type": "a mapping of keys to values",
    "model_attributes_type": "a mapping of keys to values",
    "none_required": "nothing",
}
_BOUNDS = {
    "greater_than": ("more than", "gt"),
    "greater_than_equal": ("at least", "ge"),
    "less_than": ("less than", "lt"),
    "less_than_equal": ("at most", "le"),
}


def checked_part(kind: type[FrozenT], value: Any, document: Document) -> tuple[FrozenT | None, list[Finding]]:
    """Returns the part that a value in a document describes, or None and all its faults."""
    try:
        return checked(kind, value), []
    except ValidationError as fault:
        return None, pydantic_findings(fault, document, model_of(kind))


def pydantic_findings(
    fault: ValidationError, document: Document, model: type[BaseModel] | None = None
) -> list[Finding]:
    """Returns an error `document_invalid` for each fault, at the nearest known place.

    With `model`, the fix for an unknown key suggests the nearest key known there.
    """
    findings = []
    for item in fault.errors(include_url=False):
        loc = tuple(part for part in item["loc"] if part != "[key]")
        if item["type"] == "misfits":
            findings += [
                error("document_invalid", message, document.place((*loc, *path)), data={"path": [*loc, *path]}, fix=fix)
                for path, message, fix in item["ctx"]["misfits"]
            ]
            continue
        name = str(loc[-1]) if loc else "the document"
        message, fix = _words(str(item["type"]), name, item, _keys_at(model, loc[:-1]) if model else [])
        findings.append(error("document_invalid", message, document.place(loc), data={"path": list(loc)}, fix=fix))
    return findings


def _words(kind: str, name: str, item: Mapping[str, Any], names: list[str]) -> tuple[str, str]:
    context = item.get("ctx", {})
    shown = repr(item.get("input"))[:_SHOWN]
    if kind == "missing":
        return f"the key {name} is missing", f"Add {name}."
    if kind == "extra_forbidden":
        return f"the key {name} is not known here", did_you_mean(name, names) or "Remove it."
    if kind in _EXPECTED:
        return f"{name} must be {_EXPECTED[kind]}, not {shown}", ""
    if kind in _BOUNDS:
        word, bound = _BOUNDS[kind]
        return f"{name} must be {word} {context.get(bound)}, not {shown}", ""
    if kind in ("literal_error", "enum"):
        return f"{name} must be {context.get('expected')}, not {shown}", ""
    message = str(item.get("msg", "")).removeprefix("Value error, ")
    return f"{name} is not right: {message}", ""


def _keys_at(model: type[BaseModel], loc: tuple[str | int, ...]) -> list[str]:
    """Returns the keys that the model knows at a path; keys of mappings and list indices are skipped."""
    here: Any = model
    for part in loc:
        field = here.model_fields.get(part) if isinstance(part, str) else None
        here = _model_in(field.annotation) or here if field else here
    return list(here.model_fields)


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """Returns the model inside an annotation such as `Mapping[str, Model] | None`, or None."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((model for part in get_args(annotation) if (model := _model_in(part))), None)
