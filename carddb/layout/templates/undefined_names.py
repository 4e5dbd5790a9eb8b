"""What stands for a name that a template uses and that there is not, and for a field that a card lacks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jinja2 import ChainableUndefined, StrictUndefined
from jinja2.environment import TemplateModule

from carddb.core.names import did_you_mean
from carddb.layout.templates.card_values import CardValues


class UnknownName(StrictUndefined):
    """A name that a template uses and that there is not. Its message is a sentence, a newline and a remedy."""

    @property
    def _undefined_message(self) -> str:
        name, holder = self._undefined_name, self._undefined_obj
        if self._undefined_hint is None and isinstance(holder, Mapping):
            return f"there is no entry {name!r}\n{did_you_mean(str(name), map(str, holder))}"
        if self._undefined_hint is None and isinstance(holder, TemplateModule):
            names = [key for key in vars(holder) if not key.startswith("_")]
            return f"{vars(holder)['__name__']} has no macro {name!r}\n{did_you_mean(str(name), names)}"
        return super()._undefined_message


class AbsentField(ChainableUndefined):
    """A field that the game has and the card lacks: empty, not defined, and less or more than nothing."""

    def _never(self, *_: Any, **__: Any) -> Any:
        return False

    __lt__ = __le__ = __gt__ = __ge__ = _never

    def __eq__(self, other: Any) -> bool:
        return other is None or other == "" or isinstance(other, AbsentField)

    def __ne__(self, other: Any) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash("")


def absent(values: CardValues, field: str) -> AbsentField | UnknownName:
    """What stands for a field that a card lacks; one that the game lacks cannot be used."""
    if field in values.fields:
        return AbsentField(f"{values.name} has no {field}", values, field)
    names = sorted({*values, *values.fields})
    near = did_you_mean(field, names)
    return UnknownName(f"{values.name}: there is no field {field!r}\n{near} Fields: {', '.join(names)}.")
