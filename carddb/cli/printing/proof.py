"""One face before it is printed: proof."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import click

from carddb.app.printing.proof import print_proof
from carddb.cli import show
from carddb.cli.printing.paper import paper_of, paper_options
from carddb.cli.session import Session
from carddb.findings import exit_code


@click.command()
@click.argument("ref")
@show.output_option("PDF, PNG or SVG by its ending.")
@click.option("--game", "key", metavar="G", help="The game, where several have the reference.")
@click.option("--dpi", type=click.IntRange(30, 1200), default=300, show_default=True, help="Of a PNG.")
@paper_options
@click.pass_obj
def proof(
    session: Session, /, ref: str, output: Path, key: str | None, dpi: int, day: date | None, **options: Any
) -> int:
    """Draw one face with its trim and safe lines."""
    kind = output.suffix.lower().removeprefix(".") or "pdf"
    printed = print_proof(session.project, ref, key, day, kind, dpi, paper_of(options))
    session.write(output, printed.data)
    session.say(f"{output}: {printed.summary}")
    show.findings(printed.findings, err=True)
    return exit_code(printed.findings)
