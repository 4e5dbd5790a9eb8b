"""Cards: what is wrong with one, and what is merely unusual."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from carddb.cards.cards import Card
from carddb.core.names import did_you_mean
from carddb.findings import CardCount, Finding, Place, Severity, codes_of, error, warning
from carddb.game.card_fields import FieldSpec
from carddb.game.game import GameSpec
from carddb.games.rishar.play.file_forms import card_of_columns
from carddb.games.rishar.play.units import is_unit
from carddb.play.fields import Object
from carddb.play.inline import bad_field, checked, text
from carddb.play.question import Answer, BadInput, operation


@operation("R-9", "R-20", "R-21", "R-22", "R-23", "R-25", "R-26", "R-62", "R-157", "R-161", "R-162")
def check_card(card: Object, *, spec: GameSpec) -> Answer:
    """What is wrong with one card, and what is unusual about it."""
    checked, codes = read(spec, card, "card")
    further = findings(checked, Place(), spec)
    return {
        "errors": sorted({*codes, *codes_of(further, Severity.ERROR)}),
        "warnings": codes_of(further, Severity.WARNING),
    }


def read(spec: GameSpec, item: Mapping[str, Any], path: str) -> tuple[Card, set[str]]:
    """A card written in a question, where `id` is its reference and `role` its type, and the codes of its fields.

    Its keys may be the headings of a card file; a card in the columns of one is read as there, with whatever reference
    it has. Raises BadInput for a value of a wrong type, and for a wrong value that has no code.
    """
    of_file, item = "ref" in item, card_of_columns(spec, item, path)
    name, ref, word = (text(item, key, path) for key in ("name", "id", "role"))
    role = spec.type_words.find(word) or word
    faults = {
        "id_bad": not (ref if of_file else re.fullmatch(spec.data["id"], ref)),
        "name_missing": not name,
        "role_unknown": role not in spec.types,
        "strength_bad": "strength" not in item,
    }
    codes = {code for code, holds in faults.items() if holds}
    values = {}
    for key, field in spec.fields.items():
        value, fault = checked(field, item.get(key))
        values[key] = value
        if key == "special":
            _check_special(value, f"{path}.{key}")
        elif fault:
            if fault not in field.codes or (fault == "invalid" and not _of_its_kind(field, value)):
                raise bad_field(field, fault, f"{path}.{key}")
            codes.add(field.codes[fault])
    return spec.card(ref or "?" + name, {**values, "name": name, "type": role}), codes


def findings(card: Card, place: Place, spec: GameSpec) -> list[Finding]:
    """What is wrong with a card beyond its single fields, and what is unusual about it (R-25, R-26, R-62, R-161)."""
    return [
        finding._replace(
            message=f"{card.name}: {finding.message}", where=(place,), cards=(CardCount(card.ref, card.name),)
        )
        for finding in _findings(card, spec)
    ]


def _findings(card: Card, spec: GameSpec) -> Iterator[Finding]:
    """The findings of a card, without its name and place."""
    strength, letters, most = card.get("strength"), len(card.name), spec.data["name_length"]
    if letters > most:
        data, message = {"letters": letters, "limit": most}, f"its name has {letters} letters, at most {most}"
        yield error("name_missing", message, data=data, fix="Shorten it.", rules=("R-162",))
    for at, item in enumerate(specials(card), 1):
        if not all(isinstance(item.get(key), str) for key in ("name", "text")):
            message, fix = (
                f"its special text {at} is not a name and a text",
                'Write it like {"name": "…", "text": "…"}.',
            )
            yield error("field_invalid", message, fix=fix, rules=("R-20", "R-162"))
    if card.get("training") and strength is None:
        message = f"training is {card.get('training')}, but a card without Strength cannot be trained"
        fix = "Set training to 0, or give it a Strength."
        yield error("training_without_strength", message, fix=fix, rules=("R-161",))
    usual, traits = spec.data["strength_usual"], spec.data["traits"]
    if type(strength) is int and strength > usual:
        data, message = {"strength": strength, "limit": usual}, f"Strength {strength} is unusual, above {usual}"
        fix = "Nothing has to change, if it is meant."
        yield warning("strength_unusual", message, data=data, fix=fix, rules=("R-25",))
    for trait in card.get("traits") or ():
        if trait not in traits:
            message = f"the rules know no trait {trait!r}; it has no effect of its own"
            fix = did_you_mean(trait, traits)
            yield warning("trait_unknown", message, data={"trait": trait}, fix=fix, rules=("R-26",))
    if not is_unit(card.type) and strength is not None:
        message = f"a Ritual that shows Strength {strength}, and is never on Offense or Defense all the same"
        data = {"strength": strength}
        yield warning("ritual_with_strength", message, data=data, fix="Empty strength.", rules=("R-62",))


def specials(card: Card) -> list[Mapping[str, Any]]:
    """The special texts of a card: as they are written, one alone without its list."""
    special = card.get("special")
    return [special] if isinstance(special, Mapping) else list(special or ())


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
