"""Strict pydantic models of the classes derived from Frozen, which test data from outside; faults as findings."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model, model_validator
from pydantic_core import PydanticCustomError

from carddb.core.names import did_you_mean
from carddb.findings import Finding, error
from carddb.game.frozen import AtLeast, Frozen, FrozenT, build, fields_of
from carddb.read.documents.located_document import LocatedDocument

_MODELS: dict[type[Frozen], type[BaseModel]] = {}
_CONFIG = ConfigDict(strict=True, frozen=True, extra="forbid")


def checked(kind: type[FrozenT], data: Any) -> FrozenT:
    """Returns an object of the class `kind` made from data from outside. Raises pydantic's ValidationError.

    Lists are accepted for tuples. The faults that `kind.misfits` yields are the context of one error `misfits`.
    """
    return _part_of(kind, model_of(kind).model_validate(data, strict=False))


def model_of(kind: type[Frozen]) -> type[BaseModel]:
    """Returns the strict pydantic model of a class, with the same field names and defaults, and no unknown keys."""
    if kind in _MODELS:
        return _MODELS[kind]
    fields: dict[str, Any] = {name: (_hint(hint), _default(kind, name)) for name, hint in fields_of(kind).items()}
    validators: dict[str, Any] = {}
    if kind.misfits is not Frozen.misfits:
        validators["hangs_together"] = model_validator(mode="after")(_hangs_together(kind))
    model: type[BaseModel] = create_model(
        kind.__name__, __config__=_CONFIG, __doc__=kind.__doc__, __validators__=validators, **fields
    )
    return _MODELS.setdefault(kind, model)


def _default(kind: type[Frozen], name: str) -> Any:
    """Returns the default of the field `name` for pydantic, together with the field's alias if it has one."""
    default, alias = getattr(kind, name, ...), kind.written.get(name)
    if isinstance(default, Frozen):  # a factory stays out of the JSON Schema, in which the object has no form
        return Field(default_factory=lambda: default)
    return Field(default, alias=alias) if alias else default


def _part_of(kind: type[FrozenT], model: BaseModel) -> FrozenT:
    return build(kind, model.model_dump(exclude_unset=True))


def _hangs_together(kind: type[Frozen]) -> Any:
    def validate(model: BaseModel) -> BaseModel:
        misfits = list(_part_of(kind, model).misfits())
        if misfits:
            text = " ".join(f"{message}. {fix}".strip() for _, message, fix in misfits)
            raise PydanticCustomError("misfits", "{text}", {"text": text, "misfits": misfits})
        return model

    return validate


def _hint(hint: Any) -> Any:
    """Returns a type annotation for pydantic: with models in place of Frozen classes, `Field` in place of `AtLeast`."""
    if isinstance(hint, type) and issubclass(hint, Frozen):
        return model_of(hint)
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return Annotated[inside[0], *(Field(ge=bound.least) for bound in inside[1:] if isinstance(bound, AtLeast))]
    if origin in (tuple, Mapping):
        return origin[tuple(_hint(part) for part in inside)]
    if origin is UnionType:
        return reduce(or_, map(_hint, inside))
    return hint


_SHOWN = 80

_EXPECTED = {
    "string_type": "text",
    **dict.fromkeys(("float_type", "float_parsing"), "a number"),
    "bool_type": "true or false",
    "none_required": "empty",
    **dict.fromkeys(("int_type", "int_from_float"), "a whole number"),
    **dict.fromkeys(("list_type", "tuple_type", "set_type"), "a list"),
    **dict.fromkeys(
        ("dict_type", "mapping_type", "model_type", "model_attributes_type"), "a mapping of keys to values"
    ),
}
_BOUNDS = {
    "greater_than": ("more than", "gt"),
    "greater_than_equal": ("at least", "ge"),
    "less_than": ("less than", "lt"),
    "less_than_equal": ("at most", "le"),
}


def checked_part(kind: type[FrozenT], value: Any, document: LocatedDocument) -> tuple[FrozenT | None, list[Finding]]:
    """Returns the object of the class `kind` that `value` in `document` describes, or None and all its faults."""
    try:
        return checked(kind, value), []
    except ValidationError as fault:
        return None, pydantic_findings(fault, document, model_of(kind))


def pydantic_findings(fault: ValidationError, document: LocatedDocument, model: type[BaseModel]) -> list[Finding]:
    """Returns an error `document_invalid` for each fault, at its place or, if that is missing, the one around it."""
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
        if len(loc) > 1 and isinstance(loc[-1], int):
            name = f"item {loc[-1] + 1} of {loc[-2]}"
        message, fix = _words(str(item["type"]), name, item, _keys_at(model, loc[:-1]))
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
        if item.get("input") is None:
            message = f"{name} is empty; it must be {_EXPECTED[kind]}"
            return message, f"Write a value after {name}:, or remove the line."
        return f"{name} must be {_EXPECTED[kind]}, not {shown}", ""
    if kind in _BOUNDS:
        word, bound = _BOUNDS[kind]
        return f"{name} must be {word} {context.get(bound)}, not {shown}", ""
    if kind == "string_too_long":
        most, length = context["max_length"], len(item["input"])
        return f"{name} has {length:,} characters, but may have at most {most:,}", f"Shorten it by {length - most:,}."
    if kind in ("literal_error", "enum"):
        return f"{name} must be {context.get('expected')}, not {shown}", ""
    message = str(item.get("msg", "")).removeprefix("Value error, ")
    return f"{name} is wrong: {message}", ""


def _keys_at(model: type[BaseModel], loc: tuple[str | int, ...]) -> list[str]:
    """Returns the keys that the model has at the path `loc`; keys of mappings and list indices in it are skipped."""
    here: Any = model
    for part in loc:
        field = here.model_fields.get(part) if isinstance(part, str) else None
        here = _model_in(field.annotation) or here if field else here
    return list(here.model_fields)


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """Returns the first model in an annotation such as `Mapping[str, Model] | None`; None if there is no model."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((model for part in get_args(annotation) if (model := _model_in(part))), None)
