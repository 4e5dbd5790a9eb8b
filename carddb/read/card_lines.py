"""One kind of line for tables and documents: the fields of a card, and the place of each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from carddb.findings import Finding, Place, error
from carddb.game import GameSpec
from carddb.names import did_you_mean
from carddb.read.values import shown

_MAX_PLACES = 20


class Line(Protocol):
    """One card as a file gives it: raw values by field, empty ones left out."""

    cells: dict[str, Any]
    label: str
    """`card 3`, where other cards have the same place."""

    @property
    def faults(self) -> Sequence[Finding]:
        """What is wrong with the line as a whole."""

    @property
    def tidy(self) -> bool:
        """Whether all cells are texts that a text field takes as they are, but for their length."""

    def place(self, field: str = "") -> Place:
        """The place of a field, or of the whole card."""

    def typed(self, field: str) -> Any:
        """A value with the types that the file itself gives it, for fields that hold JSON."""


def tidy_line(cells: Iterable[Any]) -> str:
    """Cells as one line, where all are texts that a text field takes as they are but for their length; else nothing."""
    try:
        line = " ".join(cells)
    except TypeError:
        return ""
    return line if line.isprintable() and "  " not in line and line.strip() == line else ""


def labelled(label: str, message: str) -> str:
    """A message about a line, with its label where it has one."""
    return f"{label}: {message}" if label else message


class Headings:
    """The columns that a game understands, matched without regard to case, spaces, `_` and `-`."""

    def __init__(self, spec: GameSpec) -> None:
        self.names = list(spec.all_fields())
        self.typed = bool(spec.types)
        fields = {**spec.columns, **{name: name for name in self.names}}
        self._by_key = {heading_key(name): field for name, field in fields.items()}

    def field(self, header: str) -> str | None:
        """The field that a header means."""
        return self._by_key.get(heading_key(header))

    def unknown(self, header: str, *where: Place, label: str = "") -> Finding:
        """The finding for a header that means none; `label` is that of the first line that has it."""
        times = f" ({len(where)} times)" if len(where) > 1 else ""
        message = labelled(label, f"the game has no field {shown(header)!r}{times}")
        return error("header_unknown", message, *where[:_MAX_PLACES], fix=did_you_mean(header[:100], self.names))


def heading_key(header: str) -> str:
    """A heading in the form in which headings are compared."""
    return re.sub(r"[\s_-]+", "", header.casefold())
