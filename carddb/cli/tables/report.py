"""The command that writes the score sheets of a table. It is a module of its own, because only it needs printing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from carddb.app.tables.score_sheets import TableSheets
from carddb.cli import show
from carddb.cli.options import PATH
from carddb.cli.printing.paper import paper_of, paper_options
from carddb.cli.tables.group import Terminal
from carddb.findings import exit_code
from carddb.play.table.front import Front


def report(front: Front[Any]) -> click.Command:
    """Returns the command that writes the score sheets of a table."""
    form = front.sheets
    assert form is not None

    @click.command("report", help=form.help)
    @click.argument("files", nargs=-1, type=PATH, metavar=f"[{front.verb.upper()}.json]...")
    @show.output_option("A PDF, XLSX or CSV (default: shown here).", required=False)
    @paper_options
    @click.pass_obj
    def write(terminal: Terminal[Any], /, files: tuple[Path, ...], output: Path | None, **paper: Any) -> int:
        sheets = TableSheets(terminal.file, form, files or (terminal.file.path,))
        if output is None:
            show.table(form.columns, sheets.filled.rows)
            return 0
        if output.suffix.lower() != ".pdf":
            terminal.file.project.write(output, sheets.as_kind(output.suffix.lower().removeprefix(".")))
            return 0
        printed = sheets.pages(paper_of(paper))
        show.findings(printed.findings, err=True)
        printed.write(output)
        return exit_code(printed.findings)

    return write
