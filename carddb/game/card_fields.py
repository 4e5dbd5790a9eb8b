"""The fields of cards: what a field of `game.yaml` may hold, how printed cards write it, and which every game has."""

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal

from carddb.core.vocabulary import YES_AND_NO, Vocabulary, fold_word
from carddb.game.frozen import Frozen

Fault = Literal["missing", "invalid", "range"]
"""What can be wrong with the value of a field."""

_WITH_UNIT = re.compile(r"([-+]?[0-9]{1,15}(?:\.[0-9]{1,15})?)\s*([^\W\d_][\w\s-]{0,40})")


class FieldSpec(Frozen):
    """One field of a card. An object is a mapping, or a list of mappings."""

    type: Literal["text", "integer", "number", "boolean", "choice", "list", "object"] = "text"
    """What its values are."""
    of: tuple[str, ...] = ()
    """The values of a choice or a list."""
    required: bool = False
    """Whether every card needs a value."""
    min: float | None = None
    """The least number."""
    max: float | None = None
    """The greatest number."""
    default: Any = None
    """The value of a card that has none."""
    label: str = ""
    """The field in words."""
    labels: Mapping[str, str] = {}
    """The printed names of values."""
    aliases: Mapping[str, tuple[str, ...]] = {}
    """Further words for values."""
    open: bool = False
    """Whether a choice or list takes values that `of` lacks."""
    separator: str | tuple[str, ...] = ()
    """What may stand between the values of a list beside a semicolon, as in `Pilot - Scout`; one or several."""
    unit: str = ""
    """The word that may stand behind a number, as in `4 Points`."""
    suffix: Mapping[str, int] = {}
    """Letters behind a number, each with what it multiplies by, as in `25k`."""
    keys: tuple[str, ...] = ()
    """The two keys of an object that is written a line for each, `Name: text`."""
    markup: Literal["marks", "plain", "html"] = "marks"
    """How the characters of a text are read: as marks, each for itself, or as basic HTML that becomes marks."""
    translate: bool = True
    """Whether cards have other words for it in other languages; false for what stays, such as who drew a picture."""
    codes: Mapping[Fault, str] = {}
    """The codes of the game for `field_missing`, `field_invalid` and `field_range`."""
    rules: tuple[str, ...] = ()
    """The ids of the rules behind it."""

    @cached_property
    def words(self) -> Vocabulary:
        """The values of a choice or list, by every word for them."""
        return Vocabulary(self.of, self.labels, self.aliases)

    @cached_property
    def truth(self) -> Mapping[str, bool]:
        """What may stand for a boolean, folded: yes, no, and the label as printed cards have it, with or without no."""
        label = fold_word(self.label)
        return {**YES_AND_NO, **({label: True, f"no{label}": False} if label else {})}

    @property
    def closed(self) -> tuple[str, ...]:
        """The values that there are; none where others are taken too."""
        return () if self.open or self.type == "text" else self.of

    @property
    def is_wording(self) -> bool:
        """Whether its values are words that another language has others for; those of closed lists have labels."""
        has_words = self.type in ("text", "object") or (self.type == "list" and not self.closed)
        return has_words and self.translate

    @property
    def separators(self) -> tuple[str, ...]:
        """What may stand between the values of a list beside a semicolon."""
        return (self.separator,) if isinstance(self.separator, str) else self.separator

    def without_unit(self, text: str) -> str:
        """A number without its unit and times its suffix: `4 Points` as `4`, `25k` as `25000`; other text stays."""
        match = _WITH_UNIT.fullmatch(text) if self.unit or self.suffix else None
        if not match:
            return text
        word, unit = fold_word(match[2]), fold_word(self.unit)
        word = "" if word in (unit, unit.removesuffix("s")) else word.removesuffix(unit)
        factor = self._factors.get(word)
        return text if factor is None else match[1] if factor == 1 else f"{float(match[1]) * factor:.15g}"

    @cached_property
    def _factors(self) -> dict[str, int]:
        return {fold_word(suffix): factor for suffix, factor in self.suffix.items()} | {"": 1}

    def fault(self, value: Any) -> Fault | None:
        """What is wrong with a value that is typed already; None and blank text are absent."""
        if value is None or (isinstance(value, str) and not value.strip()):
            return "missing" if self.required else None
        if not self._has_type(value):
            return "invalid"
        if isinstance(value, int | float) and not isinstance(value, bool):
            return None if self.reaches(value) else "range"
        return None

    def reaches(self, value: float) -> bool:
        """Whether a number lies in the field's range."""
        low, high = self.min, self.max
        return not ((low is not None and value < low) or (high is not None and value > high))

    def _has_type(self, value: Any) -> bool:
        if self.type == "choice":
            return isinstance(value, str) and (not self.closed or value in self.closed)
        if self.type == "list":
            return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)
        if self.type == "object":
            return all(isinstance(item, dict) for item in (value if isinstance(value, list) else [value]))
        kinds = {"text": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,)}
        return type(value) in kinds[self.type]

    def code(self, fault: Fault) -> str:
        """The finding code of a fault: the game's own, or the generic one."""
        return self.codes.get(fault, f"field_{fault}")


def defaults_of(fields: Mapping[str, FieldSpec]) -> dict[str, Any]:
    """The values that cards have in fields which they do not state."""
    return {name: field.default for name, field in fields.items() if field.default is not None}


RESERVED: Mapping[str, FieldSpec] = {
    **{name: FieldSpec() for name in ("ref", "name", "type", "set", "art", "emblem", "face_image")},
    "face_fit": FieldSpec(type="choice", of=("fit", "fill", "stretch")),
}
"""Fields understood in every game."""

HEADINGS: Mapping[str, str] = {
    **dict.fromkeys(("reference", "reference number", "reference no.", "card number"), "ref"),
    "card name": "name",
    "card type": "type",
}
"""What else the reserved fields are called at the head of a column, in every game."""

PLACEHOLDER = re.compile(r"\{(\w+)\}")
"""The name of a field in a pattern, such as that of pictures."""

LEFT_OUT = "-"
"""What a user maps a heading to that is no field of the game."""

PICTURES = ("art", "face_image")
"""Fields that name a file with a picture: for the plate of a face, and one that is the whole front."""
