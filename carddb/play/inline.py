"""Cards and decks written inline in a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from carddb.cards.cards import Card, Deck, Entry
from carddb.core.vocabulary import fold_word
from carddb.game.card_fields import Fault, FieldSpec
from carddb.game.game import GameSpec
from carddb.play.question import BadInput


def card(spec: GameSpec, value: Any, path: str) -> tuple[Card, list[str]]:
    """A card written inline, and the codes of what is wrong with it.

    A card of unknown type has that code and no other. A fault of a field for which the game has no code of its own
    raises BadInput.
    """
    value = by_field(spec, value, path)
    name, ref = (text(value, key, path) for key in ("name", "ref"))
    kind = value.get("type")
    if kind is not None and not isinstance(kind, str):
        raise BadInput(f"{path}.type")
    key = None if kind is None else spec.type_words.find(kind)
    if key is None:
        fields = spec.all_fields()
        fit = {key: item for key, item in value.items() if key in fields and fields[key].fault(item) is None}
        fit.pop("ref", None)
        return Card(spec.key, ref or "?", {**fit, "name": name, "type": str(kind)}), [spec.type_code]
    values, codes = _values(spec, key, value, path)
    missing = [code for word, code in ((ref, spec.ref_code), (name, spec.name_code)) if not word]
    return spec.card(ref or "?" + name, {"name": name, "type": key, **values}), [*missing, *codes]


def by_field(spec: GameSpec, card: Any, path: str) -> Mapping[str, Any]:
    """A card with the fields that its keys mean, by label too: `Men Under Command` as `men`; other keys stay.

    A key that is a field comes before a label of the same field. Raises BadInput where the card is no object.
    """
    if not isinstance(card, Mapping):
        raise BadInput(path)
    words = spec.field_words
    exact = {key: value for key, value in card.items() if key in words.keys}
    if len(exact) == len(card):
        return card
    return {words.find(str(key)) or key: value for key, value in card.items()} | exact


def text(card: Mapping[str, Any], key: str, path: str) -> str:
    """A text of a card that is written inline at a path; empty where it is absent or blank. Raises BadInput."""
    value = card.get(key)
    if value is not None and not isinstance(value, str):
        raise BadInput(f"{path}.{key}")
    return value if value and value.strip() else ""


def _values(spec: GameSpec, kind: str, card: Mapping[str, Any], path: str) -> tuple[dict[str, Any], list[str]]:
    values, codes = {}, []
    for name, field in spec.fields_of(kind).items():
        value, fault = checked(field, card.get(name))
        if fault is None:
            values[name] = value
        elif fault in field.codes and not (fault == "invalid" and _wrong_type(field, value)):
            codes.append(field.codes[fault])
            if fault == "invalid":
                values[name] = value
        else:
            raise bad_field(field, fault, f"{path}.{name}")
    return values, codes


def bad_field(field: FieldSpec, fault: Fault | None, path: str) -> BadInput:
    """What is said of a value that a field of a card cannot have: of a number out of its range, that range."""
    bounds = {"least": field.min, "most": field.max} if fault == "range" else {}
    return BadInput(path, **{word: _whole(number) for word, number in bounds.items() if number is not None})


def _whole(number: float) -> float:
    return int(number) if number == int(number) else number


def checked(field: FieldSpec, value: Any) -> tuple[Any, Fault | None]:
    """A value as the field keeps it, and what is wrong with it.

    Known words are their keys, yes and no are booleans; a number in a text is of a wrong type.
    """
    if field.of and isinstance(value, list | tuple):
        return [field.words.find(item) or item if isinstance(item, str) else item for item in value], field.fault(value)
    if type(value) is str:
        value = _in_words(field, value)
    return value, field.fault(value)


def _in_words(field: FieldSpec, text: str) -> Any:
    """What a text of a printed card means to a field; the text itself where that is nothing else."""
    if field.type == "boolean":
        return field.truth.get(fold_word(text), text)
    return (field.words.find(text) or text) if field.of else text


def _wrong_type(field: FieldSpec, value: Any) -> bool:
    """Whether a value is of a wrong type, and not merely a text that is none of the choices."""
    return not (field.type == "choice" and isinstance(value, str))


Reader = Callable[[GameSpec, Any, str], tuple[Card, list[str]]]
"""How a game reads a card that is written inline at a path."""


def deck(spec: GameSpec, sections: Mapping[str, Sequence[Any]], read: Reader = card) -> tuple[Deck, list[str]]:
    """A deck whose sections are lists of `[card, count]`, and the codes of its cards and counts.

    An entry whose count is not a whole number of at least 1 adds nothing to any total. Raises BadInput.
    """
    entries, codes = [], []
    for section, rows in sections.items():
        for position, row in enumerate(rows):
            path = f"{section}.{position}"
            if not isinstance(row, list | tuple) or len(row) != 2:
                raise BadInput(path)
            card, faults = read(spec, row[0], f"{path}.0")
            codes += faults
            count = row[1] if type(row[1]) is int and row[1] >= 1 else 0
            entries.append(Entry(section, count, card.name, card))
            if not count:
                codes.append("bad_count")
    return Deck(spec.key, tuple(entries)), codes
