"""The values of a card in a template: its fields, those that it lacks, and the words printed for fields."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from carddb.core.names import did_you_mean

FAULTS = (
    TypeError, ValueError, ArithmeticError, LookupError, AttributeError, RecursionError, MemoryError, AssertionError
)  # fmt: skip
"""The exceptions that Python raises for a template at fault; Jinja asserts what its filters take."""


class CardValues(dict[str, Any]):
    """The fields of a card, and which further ones its game has."""

    def __init__(self, values: Mapping[str, Any], fields: Collection[str], name: str) -> None:
        super().__init__(values)
        self.fields = fields
        self.name = name


class Label(str):
    """The printed name of a card's type; called with the name of a field, it gives that field's printed name.

    Called with a field and a value of it, it gives the value's printed name.
    """

    fields: Mapping[str, str]
    values: Mapping[str, Mapping[str, str]]

    @classmethod
    def of(cls, label: str, fields: Mapping[str, str], values: Mapping[str, Mapping[str, str]]) -> Label:
        """Returns the label of a type with those of its fields, and by field those of values."""
        label_of_type = cls(label)
        label_of_type.fields, label_of_type.values = fields, values
        return label_of_type

    def __call__(self, field: str, value: Any = None) -> str:
        """Returns the label of a field, or of one of its values. Raises ValueError for a field that there is not."""
        if field not in self.fields:
            raise ValueError(f"there is no field {field!r}. {did_you_mean(field, self.fields)}")
        if value is None:
            return self.fields[field]
        return self.values.get(field, {}).get(str(value), str(value))
