"""Strict pydantic models of parts, which check data from outside and report every fault, and yield the JSON Schemas."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, create_model, model_validator
from pydantic_core import PydanticCustomError

from carddb.game.frozen import AtLeast, Frozen, FrozenT, build, fields_of

_MODELS: dict[type[Frozen], type[BaseModel]] = {}
_CONFIG = ConfigDict(strict=True, frozen=True, extra="forbid")


def checked(kind: type[FrozenT], data: Any) -> FrozenT:
    """Returns the part that data from outside describe. Raises pydantic's ValidationError.

    Lists are accepted for tuples. Fields that do not fit together become one error of the type `misfits`, which holds
    them all in its context.
    """
    return _part_of(kind, model_of(kind).model_validate(data, strict=False))


def model_of(kind: type[Frozen]) -> type[BaseModel]:
    """Returns the strict model of a part: the same field names and defaults, and no unknown keys."""
    if kind in _MODELS:
        return _MODELS[kind]
    fields: dict[str, Any] = {name: (_hint(hint), _default(kind, name)) for name, hint in fields_of(kind).items()}
    has_misfits = kind.misfits is not Frozen.misfits
    validators: dict[str, Any] = (
        {"hangs_together": model_validator(mode="after")(_hangs_together(kind))} if has_misfits else {}
    )
    model: type[BaseModel] = create_model(
        kind.__name__, __config__=_CONFIG, __doc__=kind.__doc__, __validators__=validators, **fields
    )
    return _MODELS.setdefault(kind, model)


def _default(kind: type[Frozen], name: str) -> Any:
    """Returns the pydantic default of a field with its alias.

    A default that is a part stays out of the schema, since it has no JSON form.
    """
    default, alias = getattr(kind, name, ...), kind.written.get(name)
    if isinstance(default, Frozen):
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
    """Returns an annotation for pydantic: models instead of parts, and `Field` instead of `AtLeast`."""
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
