"""The options that all commands that print sheets share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from carddb.app.printing.options import PAPER, PaperOptions
from carddb.cli.options import CARDS_DAY, declared_options, taken
from carddb.core.errors import UsageError


def print_options(*groups: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Returns a decorator that adds the printing options of these groups to a command."""
    return declared_options(PaperOptions, [name for name, option in PAPER.items() if option.group in groups])


def paper_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options for paper, stock, marks, ink, language and day to a command."""
    return print_options("paper")(CARDS_DAY(print_options("words")(command)))


def only_pdf(output: Path | None) -> None:
    """Raises UsageError if the name of a file for sheets has an ending other than .pdf."""
    if output is not None and output.suffix.lower() not in ("", ".pdf"):
        message = f"sheets can only be written as PDF, not as {output.suffix}"
        raise UsageError(message, "Write -o FILE.pdf; for pictures of cards, use carddb sheets … --png DIR.")


def paper_of(options: dict[str, Any], output: Path | None = None) -> PaperOptions:
    """Removes from `options` the options for paper, and returns them.

    Raises UsageError if `output` is standard output and there is a cutter, because cut lines are files beside a PDF.
    """
    paper = cast("PaperOptions", taken(PaperOptions, options))
    if paper.get("cutter") and str(output) == "-":
        message = "cut lines are written as files beside a PDF, but -o - writes no file"
        raise UsageError(message, "Use -o FILE.pdf with --cutter.")
    return paper
