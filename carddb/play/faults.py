"""What is wrong with a question, from the faults that its form finds: where, and what was probably meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from carddb.core.vocabulary import Vocabulary
from carddb.play.folding import UNKNOWN_WORD

_UNKNOWN_KEY = "extra_forbidden"
_BOUNDS = {"ge": "least", "le": "most", "gt": "above", "lt": "below"}
"""The bounds of numbers by their names in an annotation, and those that an answer has."""

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
    same_place = [one for one in faults if _path(one, data) == path]
    unknown = (_near(one["ctx"]) for one in same_place if one["type"] == UNKNOWN_WORD)
    return path, next(unknown, {}) or next(filter(None, (_numbers(form, one) for one in same_place)), {})


def _near(unknown: Mapping[str, Any]) -> dict[str, Any]:
    """What a word that a list does not have may have been, and the words there are."""
    words: Vocabulary = unknown["words"]
    [word] = unknown["word"]
    return {"did_you_mean": words.nearest(word), "words": list(words.keys)}


def sentence(details: Mapping[str, Any]) -> str:
    """What is wrong with a question, from what its refusal says: `cell.1 is 1 to 5`."""
    path, possible = details.get("path", ""), possible_values(details)
    if possible:
        return f"{path} is {possible}"
    return f"{path} is missing, or cannot be what was typed" if path else "not understood here"


def possible_values(details: Mapping[str, Any]) -> str:
    """What may stand at a place, as far as a refusal says so: `1 to 6`, `0 or more`, `one of flip, add`; else empty."""
    if details.get("words"):
        return f"one of {', '.join(map(str, details['words']))}"
    if "least" in details and "most" in details:
        return f"{details['least']} to {details['most']}"
    words = {"least": "{} or more", "above": "more than {}", "most": "{} or less", "below": "less than {}"}
    return " and ".join(text.format(details[key]) for key, text in words.items() if key in details)


def _numbers(form: type[BaseModel], fault: ErrorDetails) -> dict[str, Any]:
    """The numbers that may stand where a fault is, if it is a number that may not: `words`, or the bounds.

    Of the bounds both are told where one kind of number with that bound may stand there, else the one that it is
    beyond.
    """
    kinds = [kind for field in _fields_at(form, fault["loc"]) for kind in _kinds(field)]
    if fault["type"] == "literal_error":
        lists = [get_args(kind) for kind, _ in kinds if get_origin(kind) is Literal]
        return next(({"words": [*choices]} for choices in lists if all(type(each) is int for each in choices)), {})
    beyond = {word: fault["ctx"][name] for name, word in _BOUNDS.items() if name in fault.get("ctx", {})}
    if not beyond:
        return {}
    bounds = [each for each in (_bounds(metadata) for _, metadata in kinds) if beyond.items() <= each.items()]
    return bounds[0] if bounds and all(each == bounds[0] for each in bounds) else beyond


def _bounds(metadata: Iterable[Any]) -> dict[str, Any]:
    return {word: getattr(part, name) for part in metadata for name, word in _BOUNDS.items() if hasattr(part, name)}


def _kinds(field: FieldInfo) -> Iterator[tuple[Any, list[Any]]]:
    """The kinds of values of a field and within it, each with its metadata."""
    waiting: list[tuple[Any, list[Any]]] = [(field.annotation, field.metadata)]
    while waiting:
        kind, metadata = waiting.pop()
        yield kind, metadata
        if get_origin(kind) is Annotated:
            inner, *metadata = get_args(kind)
            parts = (each.metadata if isinstance(each, FieldInfo) else [each] for each in metadata)
            waiting.append((inner, [part for some in parts for part in some]))
        else:
            waiting += [(part, []) for part in get_args(kind)]


def keys_at(form: type[BaseModel], place: Sequence[Step]) -> list[str]:
    """The keys of the objects that may stand at a place of a question."""
    forms = [part for field in _fields_at(form, place) for part in _forms_in(field.annotation)] or [form]
    return [key for part in forms for key in map(_key, part.model_fields.items())]


def _fields_at(form: type[BaseModel], place: Sequence[Step]) -> list[FieldInfo]:
    """The innermost fields that a place of a question lies in; positions and branches of a type are no fields."""
    forms, fields = [form], list[FieldInfo]()
    for step in place:
        hits = [field for part in forms for name, field in part.model_fields.items() if step in (name, field.alias)]
        fields = hits or fields
        forms = [part for field in hits for part in _forms_in(field.annotation)] or forms
    return fields


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
