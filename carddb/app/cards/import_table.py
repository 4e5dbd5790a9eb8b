"""The rows of a card file with what is wrong with each cell, and what loading would do with each card."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from carddb.app.cards.load import LoadReport
from carddb.core.plain_text import escaped
from carddb.read.cards.file import format_of_bytes
from carddb.read.cards.raw_table import RawCell, RawRow, RawTable, raw_tables
from carddb.read.source import NamedBytes, Unreadable

MOST_ROWS = 300
"""Rows with faults that are shown of a file."""
_FIRST_ROWS = 50
"""Rows that are shown whether they have faults or not."""
_Spot = tuple[int, int]
"""A line and a column."""
_Fault = tuple[_Spot, int]
"""The place of a finding, and its number."""
_States = Mapping[tuple[str, int, int], tuple[str, str]]
"""By sheet, line and column of a card its reference and what would become of it."""


class PreviewCell(NamedTuple):
    """A cell as it is shown, and the findings at it by number, from 1."""

    text: str
    faults: tuple[int, ...] = ()


class PreviewRow(NamedTuple):
    """A row: its line, the card's reference, what loading does with it, its cells, and the findings at no cell.

    `state` is `new`, `changed`, `restored`, `same`, `faulty`, or nothing where that is not known.
    """

    line: int
    ref: str
    state: str
    cells: tuple[PreviewCell, ...]
    faults: tuple[int, ...]


class PreviewTable(NamedTuple):
    """A sheet, with the findings at its headings and at none of its rows; `hidden` rows are not shown."""

    sheet: str
    headings: tuple[PreviewCell, ...]
    faults: tuple[int, ...]
    rows: tuple[PreviewRow, ...]
    hidden: int


def preview_tables(source: NamedBytes, sheet: str, report: LoadReport) -> list[PreviewTable]:
    """The first rows of each sheet and all with faults, as many as are shown. Raises UsageError, InputError."""
    states, left = _states(report), MOST_ROWS
    tables = []
    for table in _tables(source):
        if sheet and table.sheet != sheet:
            continue
        shown = _shown(table, _places(report, table.sheet), states, left)
        left -= len(shown.rows)
        tables.append(shown)
    return tables


def _tables(source: NamedBytes) -> Iterator[RawTable]:
    """The tables of a file, as far as it can be read."""
    data = source.getvalue()
    try:
        yield from raw_tables(data, source.name, format_of_bytes(source, data))
    except Unreadable:
        return


def _places(report: LoadReport, sheet: str) -> list[_Fault]:
    """The places of findings in a sheet with the number of each, in order."""
    return sorted(
        ((place.line, place.column), number)
        for number, finding in enumerate(report.findings, 1)
        for place in finding.where
        if place.sheet == sheet and place.line
    )


def _states(report: LoadReport) -> _States:
    """By place the reference of each sound card and what would become of it."""
    states: dict[tuple[str, int, int], tuple[str, str]] = {}
    for file, result in report.cards:
        kinds = {"new": result.added, "changed": result.changed, "restored": result.restored}
        by_ref = {change.ref: state for state, changes in kinds.items() for change in changes}
        by_ref |= dict.fromkeys(result.unchanged, "same")
        for row in file.records:
            place = row.place
            states[place.sheet, place.line, place.column] = row.ref, by_ref.get(row.ref, "")
    return states


def _shown(table: RawTable, places: Sequence[_Fault], states: _States, most: int) -> PreviewTable:
    """The rows of a table to show, at most so many, with the findings of each row."""
    waiting = deque(places)
    head = _taken(waiting, (table.line + 1, 0)) if table.line else []
    headings, above = _cells([RawCell(*each) for each in _heading_cells(table)], head)
    rows: list[PreviewRow] = []
    hidden = 0
    for row, following in _pairs(table.rows):
        faults = _taken(waiting, (following.line, following.column) if following else None)
        if len(rows) < most and (faults or len(rows) < _FIRST_ROWS):
            rows.append(_row(table, row, faults, states))
        else:
            hidden += 1
    return PreviewTable(table.sheet, headings, above, tuple(rows), hidden)


def _heading_cells(table: RawTable) -> list[tuple[str, int, int]]:
    columns = table.columns or (0,) * len(table.headings)
    return [(name, table.line, column) for name, column in zip(table.headings, columns, strict=True)]


def _taken(waiting: deque[_Fault], before: _Spot | None) -> list[_Fault]:
    """The findings before a place, which wait no more; all where there is no such place."""
    taken = []
    while waiting and (before is None or waiting[0][0] < before):
        taken.append(waiting.popleft())
    return taken


def _pairs(rows: Iterable[RawRow]) -> Iterator[tuple[RawRow, RawRow | None]]:
    """Each row with the one that follows it, as far as they can be read."""
    row = None
    try:
        for following in rows:
            if row is not None:
                yield row, following
            row = following
    except Unreadable:
        pass
    if row is not None:
        yield row, None


def _row(table: RawTable, row: RawRow, faults: Sequence[_Fault], states: _States) -> PreviewRow:
    columns = table.columns or (0,) * len(table.headings)
    raw = [row.cells.get(at) or RawCell("", row.line, column) for at, column in enumerate(columns)]
    cells, elsewhere = _cells(raw, faults)
    ref, state = states.get((table.sheet, row.line, row.column), ("", "faulty" if faults else ""))
    return PreviewRow(row.line, ref, state, cells, elsewhere)


def _cells(raw: Sequence[RawCell], faults: Sequence[_Fault]) -> tuple[tuple[PreviewCell, ...], tuple[int, ...]]:
    """Cells with the findings at each, and the findings at none."""
    at: dict[_Spot, list[int]] = {}
    for spot, number in faults:
        numbers = at.setdefault(spot, [])
        if number not in numbers:
            numbers.append(number)
    cells = tuple(
        PreviewCell(escaped(cell.text), tuple(at.pop((cell.line, cell.column), ()) if cell.column else ()))
        for cell in raw
    )
    return cells, tuple(dict.fromkeys(number for numbers in at.values() for number in numbers))
