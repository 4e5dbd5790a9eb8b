"""The meanings of the headings of card files, and a preview of what loading the files would do with each row."""

from __future__ import annotations

import shlex
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from pathlib import Path, PurePath, PureWindowsPath
from secrets import token_urlsafe
from types import MappingProxyType
from typing import NamedTuple

from carddb.app.cards.load import LoadReport, LoadRequest, LoadSource, kind_of, load_files, sums_of
from carddb.app.workspace.settings import Values, write_settings
from carddb.app.workspace.workspace import Workspace, root_of
from carddb.catalog.search import LoadResult
from carddb.core.cache import LruCache
from carddb.core.errors import CarddbError, DataFault, UsageError
from carddb.core.files import NamedBytes
from carddb.core.groups import grouped
from carddb.core.options import declared
from carddb.core.plain_text import escaped
from carddb.game.parts import LEFT_OUT
from carddb.games import Game
from carddb.read.cards.file import format_of_bytes
from carddb.read.cards.lines import Headings
from carddb.read.cards.raw_table import (
    NONE,
    ColumnMeaning,
    RawCell,
    RawRow,
    RawTable,
    column_meanings,
    proposed_columns,
    raw_tables,
)
from carddb.read.source import name_of

_HEADING_FAULTS = ("header_unknown", "header_missing")
_MOST_OPTIONS = 20


def tables_of(source: NamedBytes) -> Iterator[RawTable]:
    """Yields the tables of a card file, up to a place where it cannot be read.

    Raises UsageError for an unknown format, InputError if the file cannot be read at all.
    """
    data = source.getvalue()
    with suppress(DataFault):
        yield from raw_tables(data, source.name, format_of_bytes(source, data))


def headings_of(source: NamedBytes) -> list[RawTable]:
    """Returns the tables of a card file without their rows. Raises what `tables_of` raises."""
    return [table._replace(rows=iter(())) for table in tables_of(source)]


def meanings_of(
    project: Workspace, game: Game, tables: Sequence[RawTable], columns: Mapping[str, str]
) -> list[ColumnMeaning]:
    """Returns the meaning of each heading by project settings and `columns`. Raises UsageError for an unknown field."""
    headings = Headings(game.spec, {**project.settings.columns_of(game.key, game.spec.all_fields()), **columns})
    inner = frozenset[str]().union(*(table.inner for table in tables))
    return column_meanings(headings, (name for table in tables for name in table.headings), inner)


def map_options(columns: Mapping[str, str]) -> list[str]:
    """Returns the options `--map HEADING=FIELD` with which `carddb load` gives headings these fields."""
    return [word for heading, field in columns.items() for word in ("--map", f"{heading}={field}")]


def map_hints(project: Workspace, sources: list[LoadSource], report: LoadReport, request: LoadRequest) -> list[str]:
    """Returns a hint for each file that was refused because of its headings: the `--map` options for reading it.

    An option maps a heading to the nearest field, or leaves its column out if no field is near.
    """
    faulty = {place.file for finding in report.findings if finding.code in _HEADING_FAULTS for place in finding.where}
    game = project.only_game(request.game)
    hints = []
    for source in sources:
        if name_of(source) not in faulty or str(source) == "-":
            continue
        try:
            data = NamedBytes(source.read_bytes(), str(source)) if isinstance(source, Path) else source
            tables = [each for each in headings_of(data) if request.sheet in ("", each.sheet)]
            meanings = meanings_of(project, game, tables, request.columns)
        except (CarddbError, OSError):
            continue
        columns = {**proposed_columns(meanings), **{each.heading: LEFT_OUT for each in meanings if each.basis == NONE}}
        fields = {field for each in meanings for field in (*each.fields, each.near) if field}
        if fields & {"ref", "name", game.spec.name_from} and 0 < len(columns) <= _MOST_OPTIONS:
            hints.append(f"{name_of(source)}: to read its headings, add {shlex.join(map_options(columns))}")
    return hints


def save_columns(
    project: Workspace, game: Game, columns: Mapping[str, str], html: bool = False, kind: str = ""
) -> None:
    """Writes the field that each heading means under `[columns.GAME]` of `carddb.toml`, replacing earlier entries.

    For files that contain no cards, such as printings, `kind` takes the place of the game. With `html`, it also writes
    under `[load.GAME]` that texts contain HTML. Raises OutputError as `write_settings` does.
    """
    key = kind or game.key
    tables: dict[tuple[str, ...], Values] = {("columns", key): columns, ("load", key): {"html": True} if html else {}}
    changes = {table: values for table, values in tables.items() if values}
    if changes:
        path = write_settings(root_of(project), changes)
        options = [option for option, is_said in (("--map", columns), ("--html", html)) if is_said]
        project.notify("columns_saved", f"the choices of {' and '.join(options)} are saved in {path}")


MOST_ROWS = 300
"""The most rows of a file that a preview shows."""
_FIRST_ROWS = 50
"""The number of first rows that a preview shows even if they have no faults."""
_Fault = tuple[tuple[int, int], int]
"""The line and column of a finding, and the number of the finding in the report, from 1."""
_States = Mapping[tuple[str, int, int], tuple[str, str]]
"""The reference of each card and what loading would do with it (`PreviewRow.state`), by sheet, line and column."""


class PreviewCell(NamedTuple):
    """The text of a cell, and the numbers (from 1) of the findings about it."""

    text: str
    faults: tuple[int, ...] = ()


class PreviewRow(NamedTuple):
    """A row of a preview. `faults` are the numbers of the findings about the row as a whole.

    `state` is the effect of loading the row: `new`, `changed`, `restored`, `same` or `faulty`, or empty if unknown.
    """

    line: int
    ref: str
    state: str
    cells: tuple[PreviewCell, ...]
    faults: tuple[int, ...]


class PreviewTable(NamedTuple):
    """A sheet: its headings, the rows shown, the number of rows not shown (`hidden`), and findings about the sheet."""

    sheet: str
    headings: tuple[PreviewCell, ...]
    faults: tuple[int, ...]
    rows: tuple[PreviewRow, ...]
    hidden: int


def preview_tables(source: NamedBytes, sheet: str, report: LoadReport) -> list[PreviewTable]:
    """Returns the sheets of a file (or only `sheet`) with up to `MOST_ROWS` rows: the first rows, and rows with faults.

    Raises UsageError for an unknown format, InputError if the file cannot be read.
    """
    states, left = _states(report), MOST_ROWS
    tables = []
    for table in tables_of(source):
        if sheet and table.sheet != sheet:
            continue
        faulty = sorted(
            ((place.line, place.column), number)
            for number, finding in enumerate(report.findings, 1)
            for place in finding.where
            if place.sheet == table.sheet and place.line
        )
        shown = _shown(table, faulty, states, left)
        left -= len(shown.rows)
        tables.append(shown)
    return tables


def _states(report: LoadReport) -> _States:
    """Returns what loading would do with each card that could be read, by the place of the card in the file."""
    states: dict[tuple[str, int, int], tuple[str, str]] = {}
    for file, result in report.cards:
        kinds = {"new": result.added, "changed": result.changed, "restored": result.restored}
        by_ref = {change.ref: state for state, changes in kinds.items() for change in changes}
        by_ref |= dict.fromkeys(result.unchanged, "same")
        for row in file.records:
            place = row.place
            states[place.sheet, place.line, place.column] = row.ref, by_ref.get(row.ref, "")
    return states


def _shown(table: RawTable, faulty: Sequence[_Fault], states: _States, most: int) -> PreviewTable:
    """Returns a sheet of the preview with at most `most` rows: the first, and those with findings in `faulty`."""

    def before(line: int, column: int) -> int:
        return bisect_left(faulty, ((line, column),))

    raw_rows: list[RawRow] = []
    with suppress(DataFault):  # the rows before the point where the file becomes unreadable are shown
        for raw in table.rows:
            raw_rows.append(raw)
    begin = before(table.line + 1, 0) if table.line else 0
    places = table.columns or (0,) * len(table.headings)
    names = [RawCell(name, table.line, column) for name, column in zip(table.headings, places, strict=True)]
    headings, above = _cells(names, faulty[:begin])
    rows: list[PreviewRow] = []
    for row, following in zip_longest(raw_rows, raw_rows[1:]):
        end = before(following.line, following.column) if following else len(faulty)
        faults, begin = faulty[begin:end], max(begin, end)
        if len(rows) < most and (faults or len(rows) < _FIRST_ROWS):
            cells, elsewhere = _cells(
                [row.cells.get(at) or RawCell("", row.line, column) for at, column in enumerate(places)], faults
            )
            ref, state = states.get((table.sheet, row.line, row.column), ("", "faulty" if faults else ""))
            rows.append(PreviewRow(row.line, ref, state, cells, elsewhere))
    return PreviewTable(table.sheet, headings, above, tuple(rows), len(raw_rows) - len(rows))


def _cells(raw: Sequence[RawCell], faults: Sequence[_Fault]) -> tuple[tuple[PreviewCell, ...], tuple[int, ...]]:
    """Returns a row's cells with the numbers of the findings about each, and the numbers of findings about none."""
    at = grouped(dict.fromkeys(faults))
    cells = tuple(
        PreviewCell(escaped(cell.text), tuple(at.pop((cell.line, cell.column), ()) if cell.column else ()))
        for cell in raw
    )
    return cells, tuple(dict.fromkeys(number for numbers in at.values() for number in numbers))


MOST_IMPORTS = 4
"""The most files that wait to be loaded; a further file replaces the one that was used least recently."""


@dataclass
class PendingImport:
    """An uploaded file that waits to be loaded, with the choices of the user.

    `columns` maps headings to fields, as `--map` does; None means the proposed fields. These replace the columns of
    `request`, and with `save_map` they are saved in the project. `address` is the web address of the file, if it has
    one; `report` is the result of loading it. `join_option` is the value of `--join` for the second file.
    """

    name: str
    data: bytes
    request: LoadRequest
    address: str = ""
    report: LoadReport | None = None
    join_option: str = ""
    columns: Mapping[str, str] | None = None
    save_map: bool = False

    @cached_property
    def headings(self) -> list[RawTable]:
        """The sheets with their headings, without rows; empty for a file that has no cards or cannot be read."""
        try:
            tables = headings_of(self.source) if kind_of(self.source) == "cards" else []
        except CarddbError:
            return []
        joined = [heading for join in self.request.joins for heading in join.headings]
        return [each._replace(headings=(*each.headings, *joined), inner=each.inner | set(joined)) for each in tables]

    @property
    def source(self) -> NamedBytes:
        """The file, ready to be read from its beginning."""
        return NamedBytes(self.data, self.name)


class Imports(LruCache[str, PendingImport]):
    """The files that wait to be loaded, each under a key that cannot be guessed; at most `MOST_IMPORTS`."""

    def __init__(self) -> None:
        super().__init__(MOST_IMPORTS)

    def add(self, pending: PendingImport) -> str:
        """Stores a file, and returns its key."""
        key = token_urlsafe(16)
        self.put(key, pending)
        return key


def file_name(name: str) -> str:
    """Returns the name of an uploaded file without its folders. Raises UsageError if it has no name."""
    last = PureWindowsPath(PurePath(name).name).name
    if last in ("", ".", "..", "-"):
        raise UsageError("the file to load has no name", "Choose a file, or enter the web address of a file.")
    return last


@dataclass(frozen=True)
class ImportPreview:
    """A preview of what loading a file would do.

    `meanings` are the meanings of its headings, and `columns` the fields chosen or proposed for them. `sheets` are the
    names of its sheets, and `command` is the command line that loads it. Only card files have `tables`.
    """

    report: LoadReport
    meanings: Sequence[ColumnMeaning]
    columns: Mapping[str, str]
    sheets: Sequence[str]
    tables: Sequence[PreviewTable]
    command: Sequence[str]

    @property
    def result(self) -> LoadResult | None:
        """The changes that loading would make; None if the file has no cards, or has errors."""
        cards = self.report.cards
        return cards[0].result if cards and not cards[0].result.refused else None

    @property
    def kept(self) -> Mapping[str, int]:
        """The fields for which the file has no column, with the number of cards that keep their value of the field."""
        return self.report.cards[0].file.kept if self.report.cards else MappingProxyType({})

    @property
    def examples(self) -> Mapping[str, str]:
        """The first text in the column of each heading, as `{heading: text}`."""
        examples: dict[str, str] = {}
        for table in self.tables:
            for at, heading in enumerate(table.headings):
                text = next((row.cells[at].text for row in table.rows if row.cells[at].text), "")
                examples.setdefault(heading.text, text)
        return examples

    @property
    def edits_kept(self) -> int:
        """The number of cards that keep an edit made in the studio in place of the value in the file."""
        return sum(finding.code == "edit_kept" for finding in self.report.findings)


def preview_import(project: Workspace, pending: PendingImport) -> ImportPreview:
    """Returns a preview of loading a file; nothing is stored.

    Cards of the file's sets that are not in the file count as retired. Raises UsageError for an unknown field,
    InputError if the file cannot be read, CatalogError if the catalogue cannot be read.
    """
    meanings = import_meanings(project, pending)
    columns = _columns(pending.columns, meanings)
    prune = pending.request.prune or kind_of(pending.source) == "cards"
    request = pending.request._replace(columns=columns, dry_run=True, prune=prune)
    report = load_files(project, [pending.source], request)
    tables = preview_tables(pending.source, request.sheet, report) if pending.headings else []
    sheets = [table.sheet for table in pending.headings if table.sheet]
    return ImportPreview(report, meanings, columns, sheets, tables, load_command(pending, columns))


def import_meanings(project: Workspace, pending: PendingImport) -> list[ColumnMeaning]:
    """Returns the fields of a file's headings. Raises UsageError if the project's settings name an unknown field."""
    chosen = [table for table in pending.headings if pending.request.sheet in ("", table.sheet)]
    return meanings_of(project, project.only_game(pending.request.game), chosen, {})


def _columns(columns: Mapping[str, str] | None, meanings: Sequence[ColumnMeaning]) -> Mapping[str, str]:
    """Returns the fields of headings as `{heading: field}`: `columns`, or if that is None, those in `meanings`."""
    return proposed_columns(meanings) if columns is None else columns


def is_shown(before: PendingImport, after: PendingImport, meanings: Sequence[ColumnMeaning]) -> bool:
    """Returns whether the preview that was made with the choices in `before` is also right for the choices in `after`.

    Options that have a checkbox beside the preview do not matter. `meanings` are the meanings of the file's headings.
    """
    same_columns = dict(_columns(before.columns, meanings)) == dict(_columns(after.columns, meanings))
    boxes = {name: getattr(after.request, name) for name in ("prune", "force", "keep_samples")}
    return same_columns and before.request._replace(**boxes) == after.request


def load_command(pending: PendingImport, columns: Mapping[str, str]) -> list[str]:
    """Returns the words of the command line that loads a file with the same choices."""
    options: list[str] = []
    for option in declared(LoadRequest).values():
        if value := getattr(pending.request, option.name):
            options += [option.dashed] if option.is_switch else [option.dashed, str(value)]
    options += ["--join", pending.join_option] if pending.join_option else []
    options += map_options(columns)
    options += ["--save-map"] if pending.save_map and (columns or pending.request.html) else []
    name = pending.address or pending.name
    return ["carddb", "load", f"./{name}" if name.startswith("-") else name, *options]


def load_import(project: Workspace, pending: PendingImport) -> LoadReport:
    """Loads a file with the user's choices, as `carddb load` does.

    Which column is which field is saved if the user chose this. Raises what `preview_import`
    raises, and OutputError if the columns cannot be saved.
    """
    columns = _columns(pending.columns, import_meanings(project, pending))
    request = pending.request._replace(columns=columns)
    report = load_files(project, [pending.source], request)
    if pending.save_map and report.ok:
        save_columns(project, project.only_game(request.game), columns, request.html)
    pending.report = report
    return report


def other_sums(report: LoadReport) -> list[str]:
    """Returns a summary of each stored file that is not of cards, as `carddb load` prints it."""
    return [sums for each, sums in sums_of(report) if each not in report.cards]
