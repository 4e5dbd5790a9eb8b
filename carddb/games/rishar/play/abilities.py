"""What the special text of a card does, where it is worded as an ability of the glossary."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from carddb.cards.cards import Card
from carddb.core.vocabulary import fold_word
from carddb.game.game import GameSpec
from carddb.games.rishar.play.cards import specials
from carddb.games.rishar.play.fields import Side, Unit

_ARTICLE = re.compile(r"^(?:an?|the) ")
_UNIT = re.compile(r" unit$")


class Ability(NamedTuple):
    """An ability: its keyword, its label, its number, and the sort of unit that it is for or against."""

    key: str
    label: str
    number: int
    whom: str


def ability_of(card: Card, spec: GameSpec) -> Ability | None:
    """The ability of a card; None where its special text is worded otherwise, or is absent."""
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
    """Whether a unit is of the sort that an ability names: by Role, Path or trait."""
    word = fold_word(_UNIT.sub("", _ARTICLE.sub("", ability.whom)))
    return word in {fold_word(label) for label in _sorts(unit, spec)}


def _sorts(unit: Unit, spec: GameSpec) -> list[str]:
    paths: Mapping[str, Any] = spec.data["paths"]
    path = [paths[unit.path]["label"]] if unit.path else []
    return [spec.label_of(unit.current_role), *path, *map(str, unit.traits)]


def own_strength(ability: Ability | None, side: Side, against: Unit | None, spec: GameSpec) -> int:
    """The Strength that a card on the table has from its own ability (R-63); `against` is None where Unopposed."""
    if ability is None:
        return 0
    helps = {
        "charge": side == "off",
        "hold": side == "def",
        "raid": against is None,
        "bane": against is not None and fits(ability, against, spec),
    }
    return ability.number if helps.get(ability.key) else 0
