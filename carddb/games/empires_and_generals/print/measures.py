"""The measures of faces by the size of the card: those of a size that is `of` another, moved to its own edges.

They are the same for all cards, and are worked out once for the tables that they come from: for each card it was a
tenth of the time of 178 faces.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from carddb.core.identity import Identity

Measures = Mapping[str, Any]


def fronts(faces: Mapping[str, Any]) -> dict[str, Measures]:
    """The measures of the fronts of every size: `width` and `height` are the card in the units of its drawing."""
    return _fronts(Identity(faces))


@lru_cache(maxsize=8)
def _fronts(tables: Identity[Mapping[str, Any]]) -> dict[str, Measures]:
    faces = tables.value
    table = faces["metrics"]
    return {size: _moved(_chain(table, size), _chain(table, size), faces["moves"]) for size in table}


def references(faces: Mapping[str, Any], reference: Mapping[str, Any]) -> dict[str, Measures]:
    """The further measures of the reference cards of every size; those of each card are by its name."""
    return _references(Identity(faces), Identity(reference))


@lru_cache(maxsize=8)
def _references(tables: Identity[Mapping[str, Any]], further: Identity[Mapping[str, Any]]) -> dict[str, Measures]:
    faces, reference = tables.value, further.value
    table = reference["metrics"]
    return {size: _moved(_chain(table, size), _chain(faces["metrics"], size), reference["moves"]) for size in table}


def backs(reference: Mapping[str, Any]) -> dict[str, Measures]:
    """The measures of the backs of every size."""
    return {size: _merged(_chain(reference["backs"], size)) for size in reference["backs"]}


def _chain(table: Mapping[str, Measures], size: str) -> list[Measures]:
    """The measures of a size that is of no other, then what those that are of it, up to `size`, change."""
    own = table.get(size, {})
    return [*(_chain(table, own["of"]) if "of" in own else ()), own]


def _merged(chain: list[Measures]) -> dict[str, Any]:
    """The later ones go before the earlier, group by group."""
    merged: dict[str, Any] = {}
    for own in chain:
        for name, value in own.items():
            merged[name] = {**merged.get(name, {}), **value} if isinstance(value, Mapping) else value
    return merged


def _moved(chain: list[Measures], sheets: list[Measures], moves: Mapping[str, list[str]]) -> dict[str, Any]:
    """What a chain gives; its first measures that `moves` names go along with the edges of the sheet."""
    moved = _merged(chain)
    if len(chain) == 1:
        return moved
    own, first, sheet = _merged(chain[1:]), sheets[0], _merged(sheets)
    wider, higher = sheet["width"] - first["width"], sheet["height"] - first["height"]
    column = first["right"] - first["left"]
    ways: Mapping[str, Callable[[float], float]] = {
        "right": lambda x: x + wider,
        "foot": lambda y: y + higher,
        "grow": lambda x: x + wider * (x - first["left"]) / column,
    }
    for way, names in moves.items():
        for group, _, name in (path.rpartition(".") for path in names):
            if name in (own.get(group, {}) if group else own):
                continue
            place = moved[group] if group else moved
            place[name] = _each(ways[way], place[name])
    return moved


def _each(move: Callable[[float], float], value: Any) -> Any:
    return [_each(move, part) for part in value] if isinstance(value, list) else round(move(value), 2)
