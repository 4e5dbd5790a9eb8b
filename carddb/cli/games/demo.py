"""The command `demo`: from a catalogue to printed sheets, with bundled data."""

from __future__ import annotations

from pathlib import Path

import click

from carddb.app.games.demonstration import demonstrate
from carddb.cli import show
from carddb.cli.session import Session
from carddb.findings import Severity


@click.command()
@click.option(
    "--output", default=Path("output"), type=click.Path(path_type=Path, file_okay=False), show_default=True,
    metavar="DIR", help="The folder for the files.",
)  # fmt: skip
@click.pass_obj
def demo(session: Session, output: Path) -> int:
    """Do the main job on sample data: load, check a legal and an illegal deck, print sheets, cards, lists and rules."""
    result = demonstrate(session.project, output)
    for path, report in result.reports:
        show.echo(show.style(f"\ncarddb check {path}", bold=True))
        show.findings(report.findings, least=Severity.INFO if session.verbose else Severity.WARNING)
        show.echo(report.sentence)
    show.echo("")
    show.table(("file", "what it is", "how to use or print it"), result.products)
    return 0
