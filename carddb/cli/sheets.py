"""Print sheets of cards, or pictures of each."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import click

from carddb.cli import show
from carddb.cli.arguments import QueryCommand, judging_options, query_argument
from carddb.cli.changed import Wanted, change_options
from carddb.cli.clock import today
from carddb.cli.job import Job
from carddb.cli.paper import art_options, only_pdf, paper_options, printer_options, sheet_options
from carddb.cli.pictures import Asked, make, picture_options
from carddb.cli.selection import Terms, select, stamp_of
from carddb.cli.session import Session
from carddb.errors import UsageError
from carddb.findings import Severity, exit_code, has_errors, verdict


@click.command(cls=QueryCommand)
@query_argument("selection", required=True)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, allow_dash=True, readable=False), metavar="FILE", help="The PDF."
)
@picture_options
@click.option("--game", "key", metavar="G", help="The game of a query or reference.")
@click.option("--dry-run", is_flag=True, help="Say what would be printed: sheets, slots, cuts; draw nothing.")
@change_options
@judging_options
@click.option("--allow-illegal", is_flag=True, help="Print a deck that is not legal, and say so on every page.")
@click.option("--allow-faults", is_flag=True, help="Print faces with errors, such as text that does not fit.")
@click.option("--json", "json_", is_flag=True, help="What was printed, or would be, as JSON.")
@art_options
@paper_options
@printer_options
@click.pass_obj
def sheets(
    session: Session,
    /,
    selection: tuple[str, ...],
    key: str | None,
    dry_run: bool,
    day: date | None,
    allow_illegal: bool,
    allow_faults: bool,
    json_: bool,
    **given: Any,
) -> int:
    """Print sheets of a deck, of cards by reference, or of a query: fronts and backs, or pictures of each card.

    A selection that is a file is a deck, and is checked first; one that is a reference is that card; all else is one
    query.
    """
    asked = Asked(**{name: given.pop(name) for name in Asked._fields})
    if not dry_run:
        asked.check()
    only_pdf(asked.output)
    if json_ and str(asked.output) == "-":
        raise UsageError("standard output takes the sheets or the JSON, not both", "Use -o FILE.pdf.")
    wanted = Wanted(**{name: given.pop(name) for name in Wanted._fields})
    wanted.check(asked.sheets)
    terms = Terms(**{name: given.pop(name) for name in Terms._fields})
    if given["max_mb"] and not (dry_run or asked.sheets):
        raise UsageError("--max-mb limits a PDF of sheets, not pictures", "Choose a lower --dpi for pictures.")
    on = day or today()
    options = sheet_options(given, on)
    game, copies, title, found, sections = select(session, selection, key, on, terms)
    stamp = stamp_of(found, on) if allow_illegal else ""
    options = options._replace(stamp=stamp)
    job = Job(game, copies, title, options, wanted, on, found, sections, allow_faults, json_)
    if dry_run and not has_errors(found) and copies:
        return _foretell(job)
    code = _run(session, job, asked, allow_illegal)
    if json_:
        show.as_json(job.report(asked.place))
    return code


def _run(session: Session, job: Job, asked: Asked, illegal_too: bool) -> int:
    """Does a job and gives its exit code; nothing is written of a deck that is not legal, unless that is wanted."""
    if has_errors(job.found) and not illegal_too:
        show.findings(job.found, err=True)
        session.say("nothing was printed: mend the deck first, or print it with --allow-illegal")
        return 1
    show.findings(job.found, err=True, least=Severity.NOT_CHECKABLE)
    if verdict(job.found) == "not_checkable":
        session.say("whether the deck is legal could not be checked; it is printed all the same")
    if not job.copies:
        session.say("no card matches")
        return 1
    if job.wanted.missing:
        job.faults = job.leave_owned(session, job.wanted.missing)
        if has_errors(job.faults):
            session.say(f"nothing was printed: mend {job.wanted.missing} first")
            return 1
        if not job.copies:
            return 0
    of_faces = job.print_sheets(session, asked.sheets) if asked.sheets else make(session, job, asked)
    show.findings(of_faces, err=True)
    job.faults += of_faces
    return exit_code(of_faces)


def _foretell(job: Job) -> int:
    """Says what a job would come to."""
    from carddb.cli.dryrun import as_data, tell
    from carddb.press.print_preview import print_preview

    sheets = print_preview(job.game, job.copies, job.options)
    if job.as_json:
        show.as_json(as_data(job.title, sheets))
    else:
        tell(job.title, sheets)
    return 0
