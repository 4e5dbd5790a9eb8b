"""What every kind of table is read into: sheets of rows of cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from carddb.findings import Finding


@dataclass(frozen=True, slots=True)
class Flaw:
    """A cell that holds no value that could be read."""

    code: str
    message: str
    fix: str = ""


Cell = str | int | float | bool | Flaw


class Row(NamedTuple):
    """One row: its line from 1, and what is in its columns, counted from 0. Empty cells have no key."""

    line: int
    cells: dict[int, Cell]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table and its name (empty in CSV). `rows` may be read once; it can raise Unreadable."""

    name: str
    rows: Iterator[Row]


class Unreadable(Exception):
    """The rest of a table cannot be read, and this is why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding
