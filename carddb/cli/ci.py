"""The command `ci`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from carddb.app.ci import JUNIT, REPORT, CiRequest, run_ci
from carddb.app.workspace.published_folder import write_folder
from carddb.cli import show
from carddb.cli.options import declared_options, taken
from carddb.cli.serve import write_site
from carddb.cli.session import Session
from carddb.core.plain_text import amount
from carddb.findings import Severity


@click.command()
@show.folder_option("The folder for the report and everything that is printed.")
@declared_options(CiRequest)
@click.option("--site", is_flag=True, help="Also write the web site of the game, into the folder `site` there.")
@click.pass_obj
def ci(session: Session, /, output: Path, site: bool, **options: Any) -> int:
    """Check and print a game after every change: conform, faces, decks, sheets, changes; report.md and junit.xml.

    The exit code is 1 if a check finds an error. Everything that could be printed is in the folder all the same.
    """
    request = CiRequest(**taken(CiRequest, options))
    report = run_ci(session.project, request)
    files = {**report.files, REPORT: report.markdown().encode(), JUNIT: report.junit()}
    write_folder(session.project, output, files, (REPORT,))
    if site:
        key = session.project.only_game(request.game).key
        write_site(session, output / "site", games=(key,), on=request.on)
    for check in report.checks:
        if check.fault:
            session.say(f"{check.part}: {check.fault}")
        show.findings(check.findings, err=True, least=Severity.WARNING)
    failed = sum(not check.passed for check in report.checks)
    session.say(f"{output / REPORT}: {amount(len(report.checks), 'check')}, {failed} failed")
    return 1 if failed else 0
