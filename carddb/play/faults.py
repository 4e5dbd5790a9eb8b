"""What is wrong with a question, from the faults that its form finds: where, and what was probably meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from carddb.play.folding import UNKNOWN_WORD
from carddb.vocabulary import Vocabulary

_UNKNOWN_KEY = "extra_forbidden"

Step = int | str


def describe(form: type[BaseModel], fault: ValidationError, data: Any) -> tuple[str, dict[str, Any]]:
    """The path of the first fault, an unknown key before all others, and what else there is to say of it."""
    faults = fault.errors(include_url=False, include_input=False)
    first = next((one for one in faults if one["type"] == _UNKNOWN_KEY), faults[0])
    if first["type"] == _UNKNOWN_KEY:
        *place, key = first["loc"]
        keys = Vocabulary(keys_at(form, place))
        return _path(first, data), {"did_you_mean": keys.nearest(str(key))}
    path = _path(first, data)
    unknown = (one["ctx"] for one in faults if one["type"] == UNKNOWN_WORD and _path(one, data) == path)
    return path, next(map(_near, unknown), {})


def _near(unknown: Mapping[str, Any]) -> dict[str, Any]:
    """What a word that a list does not have may have been, and the words there are."""
    words: Vocabulary = unknown["words"]
    [word] = unknown["word"]
    return {"did_you_mean": words.nearest(word), "words": list(words.keys)}


def keys_at(form: type[BaseModel], place: Sequence[Step]) -> list[str]:
    """The keys of the objects that may stand at a place of a question."""
    forms = [form]
    for step in place:
        fields = [field for part in forms for name, field in part.model_fields.items() if step in (name, field.alias)]
        forms = [part for field in fields for part in _forms_in(field.annotation)] or forms
    return [key for part in forms for key in map(_key, part.model_fields.items())]


def _key(field: tuple[str, FieldInfo]) -> str:
    name, info = field
    return info.alias or name


def _forms_in(annotation: Any) -> Iterator[type[BaseModel]]:
    """The kinds of objects in the annotation of a field."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _forms_in(part)


def _path(fault: ErrorDetails, data: Any) -> str:
    """Where a fault is: the keys and positions that lead to it, without the names of a type's branches."""
    steps, at = [], data
    for number, step in enumerate(fault["loc"]):
        missing = fault["type"] == "missing" and number == len(fault["loc"]) - 1
        inside = isinstance(at, Mapping) and step in at
        inside = inside or (isinstance(at, list | tuple) and isinstance(step, int) and step < len(at))
        if inside:
            at = at[step]
        if inside or missing:
            steps.append(str(step))
    return ".".join(steps)
