"""The manual as a file."""

from __future__ import annotations

from pathlib import Path

import click

from carddb.app.documents.handbook import PAPERS, print_handbook
from carddb.cli import show
from carddb.cli.session import Session
from carddb.core.errors import UsageError
from carddb.findings import exit_code


@click.command()
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, allow_dash=True, readable=False),
    metavar="FILE|DIR",
    help="A PDF, or a folder for web pages.",
)
@click.option("--paper", type=click.Choice(PAPERS), default="letter", show_default=True, help="The paper of a PDF.")
@click.pass_obj
def handbook(session: Session, /, output: Path, paper: str) -> int:
    """Write this manual: as PDF with contents and index, or as web pages into a folder."""
    kind = _kind_of(output)
    printed = print_handbook(session.project, kind, paper)
    if kind == "pdf":
        for data in printed.files.values():
            session.write(output, data)
    else:
        printed.write(output)
    session.say(f"{output if kind == 'pdf' else output / 'index.html'}: {printed.summary}")
    show.findings(printed.findings, err=True)
    return exit_code(printed.findings)


def _kind_of(output: Path) -> str:
    """A name that ends in .pdf and a stream are a PDF, one without an ending is a folder. Raises UsageError."""
    ending = output.suffix.lower()
    if str(output) == "-" or ending == ".pdf":
        return "pdf"
    if ending and not output.is_dir():
        raise UsageError(f"the handbook is not written as {ending}", "Name a .pdf, or a folder for web pages.")
    return "html"
