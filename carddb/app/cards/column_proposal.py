"""What the columns of a file would mean, and the options of `load` that say so."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from carddb.app.cards.load import LoadReport
from carddb.app.cards.load_sources import LoadRequest, LoadSource
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import CarddbError
from carddb.core.files import NamedBytes
from carddb.game.parts import LEFT_OUT
from carddb.games import Game
from carddb.read.cards.file import format_of_bytes
from carddb.read.cards.lines import Headings
from carddb.read.cards.raw_table import NONE, ColumnMeaning, column_meanings, proposed_columns, raw_tables
from carddb.read.source import Unreadable, name_of

_HEADING_FAULTS = ("header_unknown", "header_missing")
_MOST_OPTIONS = 20


class TableHeadings(NamedTuple):
    """The headings of a sheet, or of a document, without a name; `inner` lead into objects."""

    sheet: str
    names: tuple[str, ...]
    inner: frozenset[str]


def headings_of(source: NamedBytes) -> list[TableHeadings]:
    """The headings of a card file as far as it can be read. Raises UsageError for an unknown format, InputError."""
    data = source.getvalue()
    tables: list[TableHeadings] = []
    try:
        for table in raw_tables(data, source.name, format_of_bytes(source, data)):
            tables.append(TableHeadings(table.sheet, table.headings, table.inner))
    except Unreadable:
        return tables
    return tables


def meanings_of(
    project: Workspace, game: Game, tables: Sequence[TableHeadings], columns: Mapping[str, str]
) -> list[ColumnMeaning]:
    """Returns what headings mean by the project's settings and by `columns`. Raises UsageError for an unknown field."""
    headings = Headings(game.spec, {**project.settings.columns_of(game.key, game.spec.all_fields()), **columns})
    inner = frozenset[str]().union(*(table.inner for table in tables))
    return column_meanings(headings, (name for table in tables for name in table.names), inner)


def map_options(columns: Mapping[str, str]) -> list[str]:
    """The options of `load` that say what columns mean."""
    return [word for heading, field in columns.items() for word in ("--map", f"{heading}={field}")]


def map_hints(project: Workspace, sources: list[LoadSource], report: LoadReport, request: LoadRequest) -> list[str]:
    """For each file that was refused for its headings, the options that would name them: the nearest field, or none."""
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
            hints.append(f"{name_of(source)}: its headings could be read with {shlex.join(map_options(columns))}")
    return hints
