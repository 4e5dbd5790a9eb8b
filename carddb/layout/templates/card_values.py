"""The values of a card in a template: its fields, its missing fields, and the printed labels of fields."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from carddb.core.names import did_you_mean

FAULTS = (
    TypeError, ValueError, ArithmeticError, LookupError, AttributeError, RecursionError, MemoryError, AssertionError
)  # fmt: skip
"""The Python exceptions that a faulty template can cause (AssertionError from assertions in Jinja's filters)."""


class CardValues(dict[str, Any]):
    """The fields of a card; `fields` are all fields of its game, and `name` is the card's name for use in messages."""

    def __init__(self, values: Mapping[str, Any], fields: Collection[str], name: str) -> None:
        super().__init__(values)
        self.fields = fields
        self.name = name


class Label(str):
    """The printed label of a card's type.

    In a template, it can be called with the name of a field, which returns the field's label, or with a field and one
    of its values, which returns the value's label.
    """

    fields: Mapping[str, str]
    values: Mapping[str, Mapping[str, str]]

    @classmethod
    def of(cls, label: str, fields: Mapping[str, str], values: Mapping[str, Mapping[str, str]]) -> Label:
        """Returns the label of a type; `fields` is `{field: label}` and `values` is `{field: {value: label}}`."""
        label_of_type = cls(label)
        label_of_type.fields, label_of_type.values = fields, values
        return label_of_type

    def __call__(self, field: str, value: Any = None) -> str:
        """Returns the label of a field or, if given, of its value. Raises ValueError if there is no such field."""
        if field not in self.fields:
            raise ValueError(f"the game has no field {field!r}\n{did_you_mean(field, self.fields)}")
        if value is None:
            return self.fields[field]
        return self.values.get(field, {}).get(str(value), str(value))
