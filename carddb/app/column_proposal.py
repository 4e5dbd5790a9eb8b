"""What the columns of a file would mean, and the options of `load` that say so."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from carddb.app.card_load import LoadReport, LoadRequest
from carddb.app.load_sources import LoadSource
from carddb.card_fields import LEFT_OUT
from carddb.errors import CarddbError
from carddb.read.source import NamedBytes, name_of

if TYPE_CHECKING:
    from carddb.app.project import Project
    from carddb.games import Game
    from carddb.read.column_mapping import ColumnMeaning

_HEADING_FAULTS = ("header_unknown", "header_missing")
_MOST_OPTIONS = 20


def meanings_of(
    project: Project, game: Game, source: NamedBytes, columns: Mapping[str, str], sheet: str = ""
) -> list[ColumnMeaning]:
    """What the headings of a card file mean by the project's settings and by `columns`; none of a damaged file.

    Raises UsageError for an unknown format or field, InputError.
    """
    from carddb.read.card_file import format_of_bytes
    from carddb.read.card_lines import Headings
    from carddb.read.column_mapping import column_meanings
    from carddb.read.grid import Unreadable
    from carddb.read.raw_table import raw_tables

    data = source.getvalue()
    headings = Headings(game.spec, {**project.settings.columns_of(game.key, game.spec.all_fields()), **columns})
    names: list[str] = []
    inner: set[str] = set()
    try:
        for table in raw_tables(data, source.name, format_of_bytes(source, data)):
            if not sheet or table.sheet == sheet:
                names += table.headings
                inner |= table.inner
    except Unreadable:
        return []
    return column_meanings(headings, names, inner)


def map_options(columns: Mapping[str, str]) -> list[str]:
    """The options of `load` that say what columns mean."""
    return [word for heading, field in columns.items() for word in ("--map", f"{heading}={field}")]


def map_hints(project: Project, sources: list[LoadSource], report: LoadReport, request: LoadRequest) -> list[str]:
    """For each file that was refused for its headings, the options that would name them: the nearest field, or none."""
    from carddb.read.column_mapping import NONE, proposed_columns

    faulty = {place.file for finding in report.findings if finding.code in _HEADING_FAULTS for place in finding.where}
    game = project.only_game(request.game)
    hints = []
    for source in sources:
        if name_of(source) not in faulty or str(source) == "-":
            continue
        try:
            meanings = meanings_of(project, game, _in_memory(source), request.columns, request.sheet)
        except (CarddbError, OSError):
            continue
        columns = {**proposed_columns(meanings), **{each.heading: LEFT_OUT for each in meanings if each.basis == NONE}}
        fields = {field for each in meanings for field in (*each.fields, each.near) if field}
        if fields & {"ref", "name", game.spec.name_from} and 0 < len(columns) <= _MOST_OPTIONS:
            hints.append(f"{name_of(source)}: its headings could be read with {shlex.join(map_options(columns))}")
    return hints


def _in_memory(source: LoadSource) -> NamedBytes:
    return NamedBytes(source.read_bytes(), str(source)) if isinstance(source, Path) else source
