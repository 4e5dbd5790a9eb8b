"""The options of all commands that print sheets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from carddb.app.printing.options import PAPER, PaperOptions
from carddb.cli.options import DAY, declared_options, taken
from carddb.cli.session import Session
from carddb.core.errors import UsageError

if TYPE_CHECKING:
    from carddb.app.printing.sheet_job import PrintResult
    from carddb.app.workspace.published_folder import PrintedFile


def print_options(*groups: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Adds the printing options of these groups to a command."""
    return declared_options(PaperOptions, [name for name, option in PAPER.items() if option.group in groups])


def paper_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options for paper, stock, marks, ink, language and day to a command."""
    day = click.option("--on", "day", type=DAY, help="The cards as of this day (default: today).")
    return print_options("paper")(day(print_options("words")(command)))


def only_pdf(output: Path | None) -> None:
    """Raises UsageError for a file of sheets that does not end in .pdf."""
    if output is not None and output.suffix.lower() not in ("", ".pdf"):
        raise UsageError(f"sheets are written as PDF, not as {output.suffix}", "Pictures: carddb sheets … --png DIR.")


def write_sheets(session: Session, output: Path, printed: PrintedFile | PrintResult) -> None:
    """Writes a printed file, and beside it the files with its cut lines, and says what they are."""
    session.write(output, printed.data)
    session.say(f"{output}: {printed.summary}")
    for each in printed.cut_files:
        path = each.beside(output)
        session.write(path, each.data)
        session.say(f"{path}: cut lines of sheet{'' if each.sheets.isdigit() else 's'} {each.sheets}")


def paper_of(options: dict[str, Any], output: Path | None = None) -> PaperOptions:
    """Removes the options for paper from those of a command, and returns them.

    Raises UsageError if `output` is no file beside which cut lines could be written.
    """
    paper = cast("PaperOptions", taken(PaperOptions, options))
    if paper.get("cutter") and str(output) == "-":
        raise UsageError("the cut lines are files beside the PDF", "Use -o FILE.pdf with --cutter.")
    return paper
