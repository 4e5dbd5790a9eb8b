"""A type of card, ready to read lines: a converter for each field, and a short way for lines without a flaw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from functools import lru_cache
from typing import Any

from carddb.core.errors import CellFault
from carddb.game.card_fields import RESERVED, FieldSpec
from carddb.read.cards.html_marks import HtmlTexts
from carddb.read.cards.lines import Line
from carddb.read.cards.values import BRACKETS, Converter, converter

_CACHE_SIZE = 500
"""Sets of fields that are remembered."""
_SCALARS = ("integer", "number", "boolean", "choice")


class Kind:
    """A type of card, with the fields of every card and those of its own.

    `convert` holds the converter of each field; `required` are the fields whose lack has a finding of its own, `needed`
    those and the name, `typed` those that take a value with the type that the file gives it. `others` are headings that
    are no fields of cards, but the same in other languages.
    """

    def __init__(self, of_type: Mapping[str, FieldSpec], html: HtmlTexts, others: Set[str]) -> None:
        self.fields = {**RESERVED, **of_type}
        self.convert = {name: converter(name, field, html) for name, field in self.fields.items()}
        always = ("ref", "name", "type")
        self.required = tuple(name for name, field in self.fields.items() if field.required and name not in always)
        self.needed = {"name", *self.required}
        self.typed = {name for name, field in self.fields.items() if field.type == "object"}
        self._html = {name for name, field in self.fields.items() if html.reads(name, field)}
        self._texts = {name for name, field in self.fields.items() if field.type == "text" and not field.of}
        self._others = others
        self._conversions: dict[tuple[str, ...], Sequence[tuple[str, Converter]] | None] = {}
        # The cells of these fields come again and again: a look-up takes a tenth of a conversion.
        self._cached: Mapping[str, Converter] = {
            name: lru_cache(maxsize=None)(self.convert[name])
            for name, field in self.fields.items()
            if field.type in _SCALARS
        }

    def converter(self, name: str, raw: Any) -> Converter | None:
        """What converts a cell of a field; None for a field that the type has not."""
        return (self._cached.get(name) if type(raw) is str else None) or self.convert.get(name)

    def values(self, line: Line) -> dict[str, Any] | None:
        """The values of a tidy line with its reference; None where a cell is faulty, or one that is needed lacks.

        Texts are taken as they are. Read cell by cell, a line takes five times as long.
        """
        cells = line.cells
        names = tuple(cells)
        conversions = self._conversions[names] if names in self._conversions else self._conversions_of(names)
        if conversions is None or not BRACKETS.isdisjoint(cells["ref"]):
            return None
        values = cells.copy()
        try:
            for name, convert in conversions:
                value = convert(cells[name])
                if value is not None:
                    values[name] = value
                elif name in self.needed:
                    return None
                else:
                    del values[name]
        except CellFault:
            return None
        return values

    def _conversions_of(self, names: tuple[str, ...]) -> Sequence[tuple[str, Converter]] | None:
        """How the cells of some fields that are no mere texts are converted.

        None where a field that is needed lacks, and where there is one that the type has not or whose HTML is counted.
        """
        conversions = None
        fields = set(names)
        if self.needed | {"ref"} <= fields <= (self.fields.keys() - self._html) | self._others:
            conversions = [(name, self.converter(name, "") or _left_out) for name in names if name not in self._texts]
        if len(self._conversions) >= _CACHE_SIZE:
            self._conversions.clear()
        self._conversions[names] = conversions
        return conversions


def _left_out(raw: Any) -> None:
    """Words in other languages are no values of the card."""
