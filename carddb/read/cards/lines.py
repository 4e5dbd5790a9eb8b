"""One kind of line for tables and documents: the fields of a card, and the place of each."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from carddb.core.errors import UsageError
from carddb.core.languages import language_tag
from carddb.core.names import did_you_mean
from carddb.core.vocabulary import fold_word
from carddb.findings import Finding, Place, error
from carddb.game.card_fields import LEFT_OUT
from carddb.game.game import GameSpec
from carddb.read.cards.values import MAX_LINE, shown
from carddb.read.source import Unreadable

MAX_HEADINGS = 1_000
"""Columns of a table, or different unknown keys of a document: more is no list of cards."""
EVERY_OTHER = "*"
"""The heading that stands for all that are not understood."""
OLDER = "older"
"""The column of a table for translators that names the fields whose words have changed; it is not read."""
_PRINTABLE = bytes(range(ord(" "), ord("~") + 1))
_MAX_PLACES = 20
_MAX_SUGGESTIONS = 100
"""Unknown headings for which the nearest field is looked for, which takes a millisecond each."""
_IN_BRACKETS = re.compile(r"\s*\([^()]*\)$")
"""A unit or short form behind a heading: `Recruitment Cost (men)`, `Leadership (LDR)`."""


class Line(ABC):
    """One card as a file gives it: raw values by field, empty ones left out."""

    __slots__ = ("cells", "faults")
    label = ""
    """`card 3`, where other cards have the same place."""
    originals: Mapping[str, str] = MappingProxyType({})
    """In a translators' file the words that they saw, by field."""

    def __init__(self, cells: dict[str, Any], faults: Sequence[Finding] = ()) -> None:
        self.cells = cells
        self.faults = faults
        """What is wrong with the line as a whole."""

    @property
    @abstractmethod
    def fields(self) -> Collection[str]:
        """The fields that the file has for this card, empty ones too; it leaves all others alone."""

    @abstractmethod
    def place(self, field: str = "") -> Place:
        """The place of a field, or of the whole card."""

    @property
    def tidy(self) -> bool:
        """Whether all cells are texts that a text field takes as they are."""
        return bool(tidy_line(self.cells.values()))

    @property
    def columns(self) -> Mapping[str, int]:
        """The columns of the fields that have one for themselves, from 0; none where the file is no table."""
        return {}

    def typed(self, field: str) -> Any:
        """A value with the types that the file itself gives it, for fields that hold JSON."""
        return self.cells[field]

    def column_missing(self, field: str) -> Finding | None:
        """What is wrong with a table without the column of a field; None where each card has keys of its own."""
        return None


def tidy_line(cells: Collection[Any]) -> str:
    """Cells as one line, where all are texts that a text field takes as they are; else nothing."""
    try:
        line = " ".join(cells)
    except TypeError:
        return ""
    is_short = len(line) <= MAX_LINE or max(map(len, cells)) <= MAX_LINE
    # For a line of 300 characters `isprintable` takes 0.84 µs, this 0.27.
    is_printable = not line.encode().translate(None, _PRINTABLE) if line.isascii() else line.isprintable()
    return line if is_short and is_printable and "  " not in line and line.strip() == line else ""


def labelled(label: str, message: str) -> str:
    """A message about a line, with its label where it has one."""
    return f"{label}: {message}" if label else message


class Headings:
    """The columns that a game understands: a user's own headings, then the key, label and aliases of every field.

    `columns` are the user's own headings and the fields that they mean; LEFT_OUT is no field but leaves the column
    out, and so does EVERY_OTHER for all that nobody understands. A heading with points leads into the objects and
    lists of a document, `attributes.text`; it may stand on either side. A field with a language behind it, `name.ja`,
    is that field in the language. Raises UsageError for an unknown field.
    """

    def __init__(self, spec: GameSpec, columns: Mapping[str, str] = MappingProxyType({})) -> None:
        self._words = spec.field_words
        self._language = language_tag(spec.language)
        self.translatable = spec.translatable
        self.in_languages: set[str] = set()
        """Fields with a language behind them, as far as headings were asked for."""
        self.names = list(self._words.keys)
        self.typed = len(spec.types) > 1
        self.identifying: Sequence[str] = ("name", spec.name_from)
        """The fields of which a table has one, the usual one first."""
        pairs = [self._own_field(header, name) for header, name in columns.items()]
        self._own = {fold_word(header): field for header, field in pairs}
        self.paths = {header: field for header, field in pairs if "." in header and field != LEFT_OUT}
        """Headings that lead into a document, and their fields."""
        self._fields: dict[str, str | None] = {}
        self._suggestions = 0

    def _own_field(self, header: str, name: str) -> tuple[str, str]:
        """A heading and the field that it means."""
        if name == LEFT_OUT:
            return header, name
        field = self._words.find(name) or self._in_language(name)
        if field is None and "." in name and (field := self._words.find(header)):
            return name, field
        if field is None:
            raise UsageError(f"the column {header!r} cannot be {name!r}, which is no field", self._remedy(name))
        return header, field

    def field(self, header: str) -> str | None:
        """The field that a header means."""
        if header not in self._fields:  # the keys of a document are asked for card by card
            own = self._own.get(fold_word(header))
            without_unit = _IN_BRACKETS.sub("", header)
            field = own or self._words.find(header) or self._words.find(without_unit) or self._in_language(header)
            self._fields[header] = None if field == LEFT_OUT else field
        return self._fields[header]

    def is_own(self, header: str) -> bool:
        """Whether the user says what a header means."""
        return fold_word(header) in self._own

    def is_name(self, header: str) -> bool:
        """Whether a header is the key of a field, in whatever spelling."""
        return any(fold_word(header) == fold_word(name) for name in self.names)

    def _in_language(self, header: str) -> str | None:
        """`name.ja` for a heading of a field with a language behind it; the field alone for the game's own language."""
        base, _, tail = header.rpartition(".")
        lang, field = language_tag(tail), self._words.find(base) if base else None
        if not (lang and field in self.translatable):
            return None
        if lang == self._language:
            return field
        self.in_languages.add(f"{field}.{lang}")
        return f"{field}.{lang}"

    def is_of_game(self, header: str) -> bool:
        """Whether a heading has the game's own language behind it."""
        return header not in self._words and language_tag(header.rpartition(".")[2]) == self._language

    def leaves_out(self, header: str) -> bool:
        """Whether a header that means no field is one that the user knows of."""
        return header == OLDER or LEFT_OUT in (self._own.get(fold_word(header)), self._own.get(EVERY_OTHER))

    def nearest(self, header: str) -> str | None:
        """The field whose words look most like a header that means none."""
        return None if self._unvaried(header) else self._words.nearest(header)

    def _unvaried(self, header: str) -> str | None:
        """The field of a heading such as `cost.ja`, whose values are the same in every language."""
        base, _, tail = header.rpartition(".")
        return self._words.find(base) if base and language_tag(tail) else None

    def words_of(self, field: str) -> list[str]:
        """The headings that mean a field, its key first."""
        return self._words.words_of(field)

    def joined(self, header: str) -> tuple[str, ...]:
        """The fields that a header such as `Strength/Life` names one after the other; none where one is unknown."""
        fields = [self.field(part) for part in header.split("/")]
        return tuple(field for field in fields if field) if len(fields) > 1 and all(fields) else ()

    def unknown(self, header: str, *where: Place, label: str = "") -> Finding:
        """The finding for a header that means none; `label` is that of the first line that has it."""
        times = f" ({len(where)} times)" if len(where) > 1 else ""
        message = labelled(label, f"the game has no field {shown(header)!r}{times}")
        self._suggestions += 1
        fix = self._remedy(header) if self._suggestions <= _MAX_SUGGESTIONS else ""
        return error("header_unknown", message, *where[:_MAX_PLACES], fix=fix)

    @staticmethod
    def check_number(number: int, what: str, place: Place) -> None:
        """Raises Unreadable where a file has more headings than any list of cards."""
        if number > MAX_HEADINGS:
            message = f"there are more than {MAX_HEADINGS:,} {what}, the most that are read"
            raise Unreadable(error("header_unknown", message, place, fix="Take out what is no field of the game."))

    def _remedy(self, name: str) -> str:
        if field := self._unvaried(name):
            return f"{field} is the same in every language: leave the column out, or --map {shown(name)}=-."
        near = self._words.nearest(name)
        return f"Did you mean {near}?" if near else did_you_mean(name[:100], self.names)
