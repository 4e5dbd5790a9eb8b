"""The columns of card files: what they mean, the `--map` options that say so, and saving them in `carddb.toml`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from carddb.app.cards.load import LoadReport, LoadRequest, LoadSource
from carddb.app.workspace.settings import Values, write_settings
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import CarddbError
from carddb.core.files import NamedBytes
from carddb.game.parts import LEFT_OUT
from carddb.games import Game
from carddb.read.cards.file import format_of_bytes
from carddb.read.cards.lines import Headings
from carddb.read.cards.raw_table import NONE, ColumnMeaning, RawTable, column_meanings, proposed_columns, raw_tables
from carddb.read.source import Unreadable, name_of

_HEADING_FAULTS = ("header_unknown", "header_missing")
_MOST_OPTIONS = 20


class TableHeadings(NamedTuple):
    """The headings of a sheet; `sheet` is empty for a document. `inner` are headings whose values are objects."""

    sheet: str
    names: tuple[str, ...]
    inner: frozenset[str]


def tables_of(source: NamedBytes) -> Iterator[RawTable]:
    """Yields the tables of a card file, up to the point where it becomes unreadable.

    Raises UsageError for an unknown format, InputError if the file cannot be read at all.
    """
    data = source.getvalue()
    with suppress(Unreadable):
        yield from raw_tables(data, source.name, format_of_bytes(source, data))


def headings_of(source: NamedBytes) -> list[TableHeadings]:
    """Returns the headings of a card file; raises as `tables_of`."""
    return [TableHeadings(table.sheet, table.headings, table.inner) for table in tables_of(source)]


def meanings_of(
    project: Workspace, game: Game, tables: Sequence[TableHeadings], columns: Mapping[str, str]
) -> list[ColumnMeaning]:
    """Returns what headings mean by the project's settings and by `columns`. Raises UsageError for an unknown field."""
    headings = Headings(game.spec, {**project.settings.columns_of(game.key, game.spec.all_fields()), **columns})
    inner = frozenset[str]().union(*(table.inner for table in tables))
    return column_meanings(headings, (name for table in tables for name in table.names), inner)


def map_options(columns: Mapping[str, str]) -> list[str]:
    """Returns the `--map` options that give `carddb load` these columns."""
    return [word for heading, field in columns.items() for word in ("--map", f"{heading}={field}")]


def map_hints(project: Workspace, sources: list[LoadSource], report: LoadReport, request: LoadRequest) -> list[str]:
    """Returns a hint for each file that was refused because of its headings: the `--map` options that would name them.

    An option names the nearest field, or none if there is no near one.
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
            hints.append(f"{name_of(source)}: its headings could be read with {shlex.join(map_options(columns))}")
    return hints


def save_columns(
    project: Workspace, game: Game, columns: Mapping[str, str], html: bool = False, kind: str = ""
) -> None:
    """Writes headings and their fields under `[columns.GAME]` of `carddb.toml`, replacing earlier entries for them.

    `kind` replaces the game, for files that hold no cards of it, such as printings. With `html` it also records under
    `[load.GAME]` that texts contain HTML. Raises OutputError, with the lines to write by hand, if the file has these
    tables in another form.
    """
    key = kind or game.key
    tables: dict[tuple[str, ...], Values] = {("columns", key): columns, ("load", key): {"html": True} if html else {}}
    changes = {table: values for table, values in tables.items() if values}
    if changes:
        path = write_settings(project.settings.root or project.folder, changes)
        options = [option for option, is_said in (("--map", columns), ("--html", html)) if is_said]
        project.notify("columns_saved", f"{path} has what {' and '.join(options)} said")
