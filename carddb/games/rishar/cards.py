"""Cards: what is wrong with one, and what is merely unusual."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from carddb.game import GameSpec
from carddb.game_parts import FieldSpec
from carddb.games.rishar.units import is_unit
from carddb.play.fields import Object
from carddb.play.question import Answer, BadInput, operation
from carddb.pool import Card


@operation("R-9", "R-20", "R-21", "R-22", "R-23", "R-25", "R-26", "R-62", "R-157", "R-161", "R-162")
def check_card(card: Object, *, spec: GameSpec) -> Answer:
    """What is wrong with one card, and what is unusual about it."""
    found, errors = read(spec, card, "card")
    return {"errors": sorted({*errors, *faults(found)}), "warnings": sorted(oddities(spec, found))}


def read(spec: GameSpec, given: Mapping[str, Any], path: str) -> tuple[Card, set[str]]:
    """A card written in a question, where `id` is its reference and `role` its type, and the codes of its fields.

    Raises BadInput for a value of a wrong type, and for a wrong value that has no code.
    """
    name, ref, role = (_text(given, key, path) for key in ("name", "id", "role"))
    codes = {
        "id_bad": not re.fullmatch(spec.data["id"], ref),
        "name_missing": not name.strip() or len(name) > spec.data["name_length"],
        "role_unknown": role not in spec.types,
        "strength_bad": "strength" not in given,
    }
    found = {code for code, holds in codes.items() if holds}
    values = {}
    for key, field in spec.fields.items():
        value = values[key] = given.get(key)
        if key == "special":
            _check_special(value, f"{path}.{key}")
        elif fault := field.fault(value):
            if fault not in field.codes or (fault == "invalid" and not _of_its_kind(field, value)):
                raise BadInput(f"{path}.{key}")
            found.add(field.codes[fault])
    return spec.card(ref or "?" + name, {**values, "name": name, "type": role}), found


def faults(card: Card) -> set[str]:
    """The errors of a card that lie between its fields."""
    return {"training_without_strength"} if card.get("training") and card.get("strength") is None else set()


def oddities(spec: GameSpec, card: Card) -> set[str]:
    """The warnings of a card."""
    strength, known = card.get("strength"), spec.data["traits"]
    codes = {
        "strength_unusual": type(strength) is int and strength > spec.data["strength_usual"],
        "trait_unknown": any(trait not in known for trait in card.get("traits", ())),
        "ritual_with_strength": not is_unit(card.type) and strength is not None,
    }
    return {code for code, holds in codes.items() if holds}


def _text(given: Mapping[str, Any], key: str, path: str) -> str:
    value = given.get(key)
    if value is not None and not isinstance(value, str):
        raise BadInput(f"{path}.{key}")
    return value or ""


def _of_its_kind(field: FieldSpec, value: Any) -> bool:
    """Whether a wrong value is at least a number for a number, or a word for a choice."""
    return type(value) in (int, float) if field.type == "integer" else isinstance(value, str)


def _check_special(value: Any, path: str) -> None:
    """Raises BadInput where the special texts are no list of names and texts."""
    if value is not None and not isinstance(value, list | tuple):
        raise BadInput(path)
    for at, item in enumerate(value or ()):
        if not isinstance(item, Mapping):
            raise BadInput(f"{path}.{at}")
        for key in ("name", "text"):
            if not isinstance(item.get(key), str):
                raise BadInput(f"{path}.{at}.{key}")
