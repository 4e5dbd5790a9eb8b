"""The command `box`, which prints boxes and dividers for cards."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import click

from carddb.app.printing.box import BoxRequest, print_game_box
from carddb.cli import show
from carddb.cli.options import declared_options, taken
from carddb.cli.printing.paper import only_pdf, paper_of, paper_options, print_options, write_sheets
from carddb.cli.session import Session
from carddb.findings import exit_code


@click.command()
@click.argument("subject", metavar="DECK|GAME|QUERY")
@show.output_option("The PDF.")
@declared_options(BoxRequest)
@print_options("pictures")
@paper_options
@print_options("press")
@click.pass_obj
def box(session: Session, /, subject: str, output: Path, day: date | None, **options: Any) -> int:
    """Print a box for a deck, or for all cards of a game or query: its net with its faces, to cut out, fold and glue.

    Its size follows from the size, number and thickness of the cards.
    """
    only_pdf(output)
    request = BoxRequest(subject, **taken(BoxRequest, options))
    printed = print_game_box(session.project, request, day, paper_of(options, output))
    write_sheets(session, output, printed)
    show.findings(printed.findings, err=True)
    return exit_code(printed.findings)
