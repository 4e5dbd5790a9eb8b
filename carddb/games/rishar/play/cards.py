"""Cards: errors and warnings about a card, and what its special text does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from carddb.cards.cards import Card, Pool
from carddb.core.errors import DataFault
from carddb.core.names import Vocabulary, did_you_mean, fold_word, slug
from carddb.findings import CardCount, Finding, Place, Severity, codes_of
from carddb.game.game import GameSpec
from carddb.games.printed_words import finding
from carddb.games.rishar.play.fields import Side, Unit, is_unit
from carddb.play.question import Answer, BadInput, Object, bad_field, by_field, checked, operation
from carddb.play.question import text as text_of
from carddb.read.cards.values import converter

IN_QUESTIONS = {"ref": "id", "type": "role"}
"""The names that two fields of a card have in questions (R-162)."""
_OF_A_LINE = {"ref", "name", "count", "section"}
_OF_THE_DECK = ("player", "event", "date", "game", "format")
"""The keys of a deck's header that are not about its Commander."""
_NUMBERS = ("progression", "base_bonus", "favors", "influence")


def card_of_columns(spec: GameSpec, item: Mapping[str, Any], path: str) -> Mapping[str, Any]:
    """Returns the fields of a card in a question; keys may be the headings of a cards file (R-162).

    If `item` has `ref` or `type`, it is a row of a cards file, and its texts are converted like the cells of that file;
    a text that cannot be converted stays. Raises BadInput if `item` is not an object.
    """
    values = {IN_QUESTIONS.get(key, key): value for key, value in by_field(spec, item, path).items()}
    if not any(column in item for column in IN_QUESTIONS):
        return values
    for key, field in spec.fields.items():
        if isinstance(values.get(key), str):
            try:
                values[key] = converter(key, field)(values[key])
            except DataFault:
                continue
    values.setdefault("strength", None)
    if isinstance(special := values.get("special"), Mapping):
        values["special"] = [special]
    return {**values, "count": _number(values.get("count"))}


def listed_card(item: Mapping[str, Any], pool: Pool) -> Card | None:
    """Returns the pool's card for an item with a reference; None if it also has fields of a card (R-33)."""
    if "ref" not in item or not set(item) <= _OF_A_LINE or not isinstance(item["ref"], str):
        return None
    return pool.by_reference(item["ref"])


def commander_of_header(header: Mapping[str, Any], spec: GameSpec | None) -> dict[str, Any]:
    """Returns the fields of a Commander from the header of a deck, with a Path and a Role instead of a class."""
    values = {slug(str(key)).replace("-", "_"): value for key, value in header.items()}
    if "commander" in values:
        values["name"] = values.pop("commander")
    if spec is not None and isinstance(values.get("class"), str):
        values |= _path_and_role(spec, values["class"])
    return {
        key: _number(value) if key in _NUMBERS else value
        for key, value in values.items()
        if key not in _OF_THE_DECK and (key, value) != ("class", None)
    }


def _path_and_role(spec: GameSpec, word: str) -> dict[str, Any]:
    """Returns the Path and the Role of the class called `word`; empty if there is no such class."""
    powers = spec.data["powers"]
    labels = {key: power["label"] for key, power in powers["classes"].items()}
    class_ = Vocabulary(labels, labels).find(word)
    places = [(role, path) for role, row in powers["grid"].items() for path, key in row.items() if key == class_]
    return {"role": places[0][0], "path": places[0][1], "class": None} if places else {}


def _number(value: Any) -> Any:
    """Returns the number that a text contains; any other value unchanged."""
    if not isinstance(value, str):
        return value
    try:
        number = float(value)
    except ValueError:
        return value
    return int(number) if number.is_integer() else number


@operation()
def check_card(card: Object, *, spec: GameSpec) -> Answer:
    """Checks a card for faults, and for what is unusual but legal."""
    checked, codes = read(spec, card, "card")
    further = findings(checked, Place(), spec)
    return {
        "errors": sorted({*codes, *codes_of(further, Severity.ERROR)}),
        "warnings": codes_of(further, Severity.WARNING),
    }


def read(spec: GameSpec, item: Mapping[str, Any], path: str) -> tuple[Card, set[str]]:
    """Returns a card from a question, and the codes of errors in its fields.

    The card has `id` for its reference and `role` for its type, or the columns of a cards file. Raises BadInput for a
    value of a wrong type, and for a wrong value that has no code.
    """
    of_file, item = "ref" in item, card_of_columns(spec, item, path)
    name, ref, word = (text_of(item, key, path) for key in ("name", "id", "role"))
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
            # A wrong value has a code if its type is right: a number for a number, a text for a choice.
            of_its_kind = isinstance(value, str) if field.type != "integer" else type(value) in (int, float)
            if fault not in field.codes or (fault == "invalid" and not of_its_kind):
                raise bad_field(field, fault, f"{path}.{key}")
            codes.add(field.codes[fault])
    return spec.card(ref or "?" + name, {**values, "name": name, "type": role}), codes


def findings(card: Card, place: Place, spec: GameSpec) -> list[Finding]:
    """Returns the findings about a card that the checks of single fields do not give (R-25, R-26, R-62, R-161)."""
    return [
        each._replace(message=f"{card.name}: {each.message}", where=(place,), cards=(CardCount(card.ref, card.name),))
        for each in _findings(card, spec)
    ]


def _findings(card: Card, spec: GameSpec) -> Iterator[Finding]:
    """Yields the findings about a card; the caller adds the card's name and place to each."""
    strength, letters, most = card.get("strength"), len(card.name), spec.data["name_length"]
    if letters > most:
        yield finding(spec, "name_missing", data={"letters": letters, "limit": most})
    for at, item in enumerate(specials(card), 1):
        if not all(isinstance(item.get(key), str) for key in ("name", "text")):
            yield finding(spec, "field_invalid", words={"number": at})
    if card.get("training") and strength is None:
        yield finding(spec, "training_without_strength", words={"training": card.get("training")})
    usual, traits = spec.data["strength_usual"], spec.data["traits"]
    if type(strength) is int and strength > usual:
        yield finding(spec, "strength_unusual", data={"strength": strength, "limit": usual})
    for trait in card.get("traits") or ():
        if trait not in traits:
            fix = did_you_mean(trait, traits)
            yield finding(spec, "trait_unknown", data={"trait": trait}, words={"quoted": repr(trait)}, fix=fix)
    if not is_unit(card.type) and strength is not None:
        yield finding(spec, "ritual_with_strength", data={"strength": strength})


def specials(card: Card) -> list[Mapping[str, Any]]:
    """Returns the special texts of a card as a list, even if there is only one."""
    special = card.get("special")
    return [special] if isinstance(special, Mapping) else list(special or ())


def _check_special(value: Any, path: str) -> None:
    """Raises BadInput if the special texts are not a list of objects with a name and a text."""
    if value is not None and not isinstance(value, list | tuple):
        raise BadInput(path)
    for at, item in enumerate(value or ()):
        if not isinstance(item, Mapping):
            raise BadInput(f"{path}.{at}")
        for key in ("name", "text"):
            if not isinstance(item.get(key), str):
                raise BadInput(f"{path}.{at}.{key}")


_ARTICLE = re.compile(r"^(?:an?|the) ")
_UNIT = re.compile(r" unit$")


class Ability(NamedTuple):
    """An ability of a card: its keyword, label, number, and the sort of unit that it helps or fights (`whom`)."""

    key: str
    label: str
    number: int
    whom: str


def ability_of(card: Card, spec: GameSpec) -> Ability | None:
    """Returns the ability in a card's special text; None if no text has the wording of an ability."""
    texts = [str(special.get("text") or "") for special in specials(card)]
    for key, word in spec.data["keywords"].items():
        if word["kind"] != "ability":
            continue
        pattern = re.escape(word["wording"])
        pattern = pattern.replace(r"\{n\}", r"(?P<n>\d+)").replace(r"\{whom\}", "(?P<whom>.+)")
        for match in filter(None, (re.fullmatch(pattern, text) for text in texts)):
            parts = match.groupdict()
            return Ability(key, word["label"], int(parts.get("n") or 0), parts.get("whom") or "")
    return None


def fits(ability: Ability, unit: Unit, spec: GameSpec) -> bool:
    """Returns whether a unit is of the sort that `ability.whom` names: by Role, Path or trait."""
    word = fold_word(_UNIT.sub("", _ARTICLE.sub("", ability.whom)))
    path = [spec.data["paths"][unit.path]["label"]] if unit.path else []
    return word in map(fold_word, (spec.label_of(unit.current_role), *path, *unit.traits))


def own_strength(ability: Ability | None, side: Side, against: Unit | None, spec: GameSpec) -> int:
    """Returns the Strength that an engaged card gets from its own ability (R-63). `against` is None if Unopposed."""
    if ability is None:
        return 0
    helps = {
        "charge": side == "off",
        "hold": side == "def",
        "raid": against is None,
        "bane": against is not None and fits(ability, against, spec),
    }
    return ability.number if helps.get(ability.key) else 0
