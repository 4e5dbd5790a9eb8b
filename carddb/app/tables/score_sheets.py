"""The score sheets that sessions at a table fill: as rows of a table, and as printed pages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from carddb.app.printing.options import PaperOptions, sheet_options
from carddb.app.tables.file import TableFile
from carddb.app.workspace.clock import today
from carddb.app.workspace.published_folder import PrintedFile
from carddb.core.errors import UsageError
from carddb.game.frozen import replaced
from carddb.games import Game
from carddb.play.table.front import FilledSheets, Sheets
from carddb.press.components.components import print_components
from carddb.press.faces.workshop import open_workshop
from carddb.read.tables.grid import csv_table
from carddb.read.tables.xlsx_writer import write_workbook

KINDS = ("pdf", "xlsx", "csv")


class TableSheets:
    """The score sheets that sessions of one game fill. Raises InputError if their `fill` does."""

    def __init__(self, file: TableFile[Any], form: Sheets[Any], paths: Sequence[Path]) -> None:
        self.file = file
        self.form = form
        self.filled: FilledSheets = form.fill(file.spec, [(path, file.saved(path)) for path in paths])

    def as_kind(self, kind: str) -> bytes:
        """Returns the rows as CSV or XLSX. Raises UsageError for another kind."""
        if kind not in KINDS[1:]:
            raise UsageError(f"a {self.form.name} sheet is not written as {kind!r}", f"Known: {', '.join(KINDS)}.")
        if kind == "xlsx":
            return write_workbook(self.form.name, self.form.columns, self.filled.rows)
        return csv_table(self.form.columns, self.filled.rows)

    def pages(self, paper: PaperOptions) -> PrintedFile:
        """Returns the printed sheets, filled in; what does not fit continues on a further page."""
        project, game, name = self.file.project, self.file.game, self.form.component
        rows = tuple({"filled": page} for page in self.filled.pages)
        component = replaced(game.spec.components[name], rows=rows)
        spec = replaced(game.spec, components={**game.spec.components, name: component})
        options = sheet_options(project, paper, today())
        workshop = open_workshop(Game(game.folder, spec), art_folder=project.art_folder, lang=options.lang)
        printed = print_components(workshop, [name], options, players=1)
        return PrintedFile(
            printed.data, printed.pages, printed.sheets, printed.cards, printed.findings, project=project,
            summary=self.filled.title,
        )  # fmt: skip
