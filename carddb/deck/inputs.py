"""What an operation is given: fields fetched by path, refused as `bad_input`, cards and decks written inline."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any

from carddb.deck.options import option_value
from carddb.game import GameSpec
from carddb.game_parts import FieldSpec
from carddb.pool import Card, Deck, Entry

MAX_NESTING = 50

Operation = Callable[[GameSpec, Mapping[str, Any]], dict[str, Any]]
"""A pure function of a game: a mapping in, a mapping out."""


class BadInput(Exception):
    """A key is missing, or a value of a wrong type or out of range; `path` joins keys and positions with dots."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


def operation(function: Operation) -> Operation:
    """Let a function refuse its input by raising BadInput."""

    @wraps(function)
    def answer(spec: GameSpec, data: Mapping[str, Any]) -> dict[str, Any]:
        try:
            for key, value in data.items():
                _shallow(value, key)
            return {"ok": True, **function(spec, data)}
        except BadInput as refusal:
            return {"ok": False, "reason": "bad_input", "path": refusal.path}

    return answer


def _shallow(value: Any, path: str) -> None:
    level = [value]
    for _ in range(MAX_NESTING):
        inner = [part for part in level if isinstance(part, Mapping | list | tuple)]
        level = [item for part in inner for item in (part.values() if isinstance(part, Mapping) else part)]
        if not level:
            return
    raise BadInput(path)


def mapping(value: Any, path: str) -> Mapping[str, Any]:
    """`value`, where it is an object. Raises BadInput."""
    if not isinstance(value, Mapping):
        raise BadInput(path)
    return value


def texts(value: Any, path: str) -> tuple[str, ...]:
    """`value`, where it is a list of texts. Raises BadInput."""
    if not isinstance(value, list | tuple):
        raise BadInput(path)
    for position, item in enumerate(value):
        if not isinstance(item, str):
            raise BadInput(f"{path}.{position}")
    return tuple(value)


def options(spec: GameSpec, data: Mapping[str, Any]) -> dict[str, Any]:
    """Every option, as `data["options"]` has it or by default; unknown ones are ignored. Raises BadInput."""
    values = {name: option.default for name, option in spec.options.items()}
    for name, value in mapping(data.get("options", {}), "options").items():
        if name in spec.options:
            try:
                values[name] = option_value(spec.options[name], value)
            except ValueError:
                raise BadInput(f"options.{name}") from None
    return values


def card(spec: GameSpec, value: Any, path: str) -> tuple[Card, list[str]]:
    """A card written inline, and the codes of what is wrong with it.

    A card of unknown type has that code and no other. A fault of a field for which the game has no code of its own
    raises BadInput.
    """
    given = mapping(value, path)
    kind = given.get("type")
    name, name_codes = _text(given, "name", spec.name_code, path)
    ref, ref_codes = _text(given, "ref", spec.ref_code, path)
    if kind is not None and not isinstance(kind, str):
        raise BadInput(f"{path}.type")
    if kind is None or kind not in spec.types:
        loose = {key: item for key, item in given.items() if spec.all_fields().keys() >= {key} and key != "ref"}
        return Card(spec.key, ref or "?", {**loose, "name": name, "type": str(kind)}), [spec.type_code]
    values, codes = _values(spec, kind, given, path)
    return spec.card(ref or "?" + name, {"name": name, "type": kind, **values}), [*ref_codes, *name_codes, *codes]


def _text(given: Mapping[str, Any], key: str, code: str, path: str) -> tuple[str, list[str]]:
    value = given.get(key)
    if value is not None and not isinstance(value, str):
        raise BadInput(f"{path}.{key}")
    return (value, []) if value and value.strip() else ("", [code])


def _values(spec: GameSpec, kind: str, given: Mapping[str, Any], path: str) -> tuple[dict[str, Any], list[str]]:
    values, codes = {}, []
    for name, field in spec.fields_of(kind).items():
        value = given.get(name)
        fault = field.fault(value)
        if fault is None:
            values[name] = value
        elif fault in field.codes and not (fault == "invalid" and _wrong_type(field, value)):
            codes.append(field.codes[fault])
            if fault == "invalid":
                values[name] = value
        else:
            raise BadInput(f"{path}.{name}")
    return values, codes


def _wrong_type(field: FieldSpec, value: Any) -> bool:
    """Whether a value is of a wrong type, and not merely a text that is none of the choices."""
    return not (field.type == "choice" and isinstance(value, str))


def deck(spec: GameSpec, data: Mapping[str, Any], required: Sequence[str]) -> tuple[Deck, list[str]]:
    """A deck whose sections are lists of `[card, count]`, and the codes of its cards and counts.

    An entry whose count is not a whole number of at least 1 adds nothing to any total. Raises BadInput.
    """
    entries, codes = [], []
    for section in spec.sections:
        rows = data.get(section)
        if rows is None and section not in required:
            continue
        if not isinstance(rows, list | tuple):
            raise BadInput(section)
        for position, row in enumerate(rows):
            path = f"{section}.{position}"
            if not isinstance(row, list | tuple) or len(row) != 2:
                raise BadInput(path)
            found, faults = card(spec, row[0], f"{path}.0")
            codes += faults
            count = row[1] if type(row[1]) is int and row[1] >= 1 else 0
            entries.append(Entry(section, count, found.name, found))
            if not count:
                codes.append("bad_count")
    return Deck(spec.key, tuple(entries)), codes
