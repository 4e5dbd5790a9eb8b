"""The faults of an installation and a project: doctor."""

from __future__ import annotations

import click

from carddb.app.doctor import examine
from carddb.app.workspace.words import tally
from carddb.cli import show
from carddb.cli.session import Session
from carddb.findings import Severity


@click.command()
@click.option("--json", "json_", is_flag=True, help="The report as JSON.")
@click.pass_obj
def doctor(session: Session, json_: bool) -> int:
    """Examine the installation, the project, its games, catalogue, printers and cache; say what to do.

    Nothing is changed, and no catalogue is made. Exit code 1 where anything is an error.
    """
    diagnosis = examine(session.project)
    if json_:
        show.as_json(diagnosis.to_json())
        return diagnosis.exit_code
    width = max(len(part.name) for part in diagnosis.parts)
    for part in diagnosis.parts:
        bad = any(finding.severity is Severity.ERROR for finding in part.findings)
        word = show.style(part.word, fg="red" if bad else "green", bold=True)
        if bad or not session.quiet:
            show.echo(f"{part.name.ljust(width)}  {word}  {part.subject}".rstrip())
        show.findings(part.findings, least=Severity.WARNING if session.quiet else Severity.INFO)
    session.say(f"{tally(diagnosis.findings).capitalize()}.")
    return diagnosis.exit_code
