"""Checks of single cards: errors, and unusual but legal values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from carddb.cards.cards import Card
from carddb.core.names import fold_space
from carddb.game.game import GameSpec
from carddb.game.parts import FieldSpec
from carddb.games.cahrd.play.battle import S
from carddb.play.question import Answer, BadInput, Object, Options, bad_field, by_field, checked, operation, text


def read(spec: GameSpec, value: Any, path: str, options: Options) -> tuple[Card, list[str]]:
    """Returns a card written in a question, and the codes of its errors; an unknown type is its only error.

    Raises BadInput for an error without a code.
    """
    value = by_field(spec, value, path)
    word = value.get("type")
    kind = spec.type_words.find(word) if isinstance(word, str) else None
    if kind is None:
        unknown = str(word or "")
        return Card(spec.key, f"?{unknown}", {"name": str(value.get("name", "")), "type": unknown}), [spec.type_code]
    name = text(value, "name", path)
    fields = spec.fields_of(kind)
    values = {**value, "trait": _trait(value, path)}
    values = {key: checked(field, values.get(key))[0] for key, field in fields.items()}
    codes = [] if name else [spec.name_code]
    codes += _faults(spec, fields, values, path, options)
    values = {key: value for key, value in values.items() if value is not None}
    return spec.card(f"?{kind} {fold_space(name)}", {"name": name, "type": kind, **values}), codes


def _trait(card: Mapping[str, Any], path: str) -> str | list[str] | None:
    """Returns the trait.

    A list with one trait counts as that trait, an empty list as None; a longer one stays a list (C-15).
    """
    trait = card.get("trait")
    if trait is None or isinstance(trait, str):
        return trait
    if not isinstance(trait, list | tuple) or not all(isinstance(word, str) for word in trait):
        raise BadInput(f"{path}.trait")
    return list(trait) if len(trait) > 1 else next(iter(trait), None)


def _faults(
    spec: GameSpec, fields: Mapping[str, FieldSpec], values: Mapping[str, Any], path: str, options: Options
) -> Iterator[str]:
    for name, field in fields.items():
        value = values.get(name)
        if value == S and name in spec.data["stats"] and options["allow_printed_s"]:
            continue
        fault = field.fault(value)
        closed_list = field.type == "list" and not field.open
        not_a_choice = fault is None and closed_list and not set(value or ()) <= set(field.of)
        if not_a_choice or (fault and fault not in field.codes):
            raise bad_field(field, fault, f"{path}.{name}")
        if fault:
            yield field.codes[fault]


def remarks(card: Card, spec: GameSpec) -> list[str]:
    """Returns the codes of unusual but legal values of a card (C-15, C-19)."""
    cost = card.get("reserve_cost")
    uneven = card.type == "item" and type(cost) is int and cost > 0 and cost % spec.data["round_cost"] != 0
    traitless = card.type == "officer" and not str(card.get("trait") or "").strip()
    return [*(["trait_missing"] if traitless else []), *(["cost_not_round"] if uneven else [])]


@operation("C-5", "C-11", "C-12", "C-13", "C-15", "C-17", "C-18", "C-19", "C-21", "C-24")
def validate_card(card: Object, *, spec: GameSpec, options: Options) -> Answer:
    """Checks one card: its faults, and what is unusual about it."""
    checked, codes = read(spec, card, "card", options)
    return {"valid": not codes, "violations": sorted(set(codes)), "warnings": sorted(remarks(checked, spec))}
