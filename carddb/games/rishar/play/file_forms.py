"""Cards as the columns of a cards file have them, and a Commander as the header of a deck has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carddb.cards.cards import Card, Pool
from carddb.core.errors import CellFault
from carddb.core.names import slug
from carddb.core.vocabulary import Vocabulary
from carddb.game.game import GameSpec
from carddb.play.inline import by_field
from carddb.read.cards.values import converter

IN_QUESTIONS = {"ref": "id", "type": "role"}
"""What questions call two fields of a card (R-162)."""
_OF_A_LINE = {"ref", "name", "count", "section"}
_OF_THE_DECK = ("player", "event", "date", "game", "format")
"""The keys of a deck's header that are not about its Commander."""
_NUMBERS = ("progression", "base_bonus", "favors", "influence")


def card_of_columns(spec: GameSpec, item: Mapping[str, Any], path: str) -> Mapping[str, Any]:
    """A card by the fields of a question, whatever headings its keys are (R-162).

    Of an item with `ref` or `type`, which is one of a cards file, texts are read as the cells there are; what cannot be
    read stays as it is. Raises BadInput where the item is no object.
    """
    values = {IN_QUESTIONS.get(key, key): value for key, value in by_field(spec, item, path).items()}
    if not any(column in item for column in IN_QUESTIONS):
        return values
    for key, field in spec.fields.items():
        if isinstance(values.get(key), str):
            try:
                values[key] = converter(key, field)(values[key])
            except CellFault:
                continue
    values.setdefault("strength", None)
    if isinstance(special := values.get("special"), Mapping):
        values["special"] = [special]
    return {**values, "count": _number(values.get("count"))}


def listed_card(item: Mapping[str, Any], pool: Pool) -> Card | None:
    """The card of a line that has no more than a deck's line has: a reference, a name, a count (R-33)."""
    if "ref" not in item or not set(item) <= _OF_A_LINE or not isinstance(item["ref"], str):
        return None
    return pool.by_reference(item["ref"])


def commander_of_header(header: Mapping[str, Any], spec: GameSpec | None) -> dict[str, Any]:
    """A Commander by the fields of a question: keys in any spelling, numbers as texts, a Dervish's choice as a word.

    A class stands for its Path and Role where the game is known.
    """
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
    """The Path and the Role of a class in words; nothing of it where there is none."""
    powers = spec.data["powers"]
    labels = {key: power["label"] for key, power in powers["classes"].items()}
    class_ = Vocabulary(labels, labels).find(word)
    places = [(role, path) for role, row in powers["grid"].items() for path, key in row.items() if key == class_]
    return {"role": places[0][0], "path": places[0][1], "class": None} if places else {}


def _number(value: Any) -> Any:
    """The number that a text is; any other value as it stands."""
    if not isinstance(value, str):
        return value
    try:
        number = float(value)
    except ValueError:
        return value
    return int(number) if number.is_integer() else number
