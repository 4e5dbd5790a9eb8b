"""Print sheets of cards, or pictures of each."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import click

from carddb.app.decks.check import CheckRequest
from carddb.app.printing.image_request import ImageRequest
from carddb.app.printing.options import sheet_options, unused_options
from carddb.app.printing.preview_json import preview_json
from carddb.app.printing.selection import select
from carddb.app.printing.sheet_job import PrintResult, SheetJob
from carddb.app.workspace.clock import today
from carddb.cli import show
from carddb.cli.options.arguments import QueryCommand, check_options, pairs, query_argument
from carddb.cli.printing.changed import ChangeOptions, change_options, remember, show_pulls
from carddb.cli.printing.dryrun import show_preview
from carddb.cli.printing.paper import art_options, only_pdf, paper_of, paper_options, printer_options
from carddb.cli.printing.pictures import image_request, picture_options
from carddb.cli.session import Session
from carddb.core.errors import UsageError
from carddb.core.executors import cores
from carddb.findings import exit_code, has_errors


@click.command(cls=QueryCommand)
@query_argument("selection", required=True)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, allow_dash=True, readable=False), metavar="FILE", help="The PDF."
)
@picture_options
@click.option("--game", "key", metavar="G", help="The game of a query or reference.")
@click.option("--dry-run", is_flag=True, help="Say what would be printed: sheets, slots, cuts; draw nothing.")
@change_options
@check_options
@click.option("--allow-illegal", is_flag=True, help="Print a deck that is not legal, and say so on every page.")
@click.option("--allow-faults", is_flag=True, help="Print faces with errors, such as text that does not fit.")
@click.option("--playset", is_flag=True, help="Each card of a query as often as its printing says.")
@click.option("--json", "json_", is_flag=True, help="What was printed, or would be, as JSON.")
@art_options
@paper_options
@printer_options
@click.pass_obj
def sheets(
    session: Session,
    /,
    selection: tuple[str, ...],
    output: Path | None,
    key: str | None,
    dry_run: bool,
    day: date | None,
    allow_illegal: bool,
    allow_faults: bool,
    playset: bool,
    json_: bool,
    **options: Any,
) -> int:
    """Print sheets of a deck, of cards by reference, or of a query: fronts and backs, or pictures of each card.

    A selection that is a file is a deck, and is checked first; one that is a reference is that card; all else is one
    query.
    """
    images = image_request(options, output)
    changes = ChangeOptions(**{name: options.pop(name) for name in ChangeOptions._fields})
    pdf = output if not images.profile else None
    _refuse_contradictions(images, changes, pdf, dry_run, json_, options["max_mb"])
    on = day or today()
    own = paper_of(options)
    paper = sheet_options(session.project, own, on, _processes())
    if remark := unused_options(own, paper.stock, on_sheets=dry_run or bool(pdf)):
        session.project.notify("options_unused", remark)
    request = CheckRequest(
        key, options["format_"], on, None, options["editions"], pairs(options["options"], "--option")
    )
    chosen = select(session.project, selection, on, request, playset)
    job = SheetJob(session.project, chosen, paper, on, allow_illegal, allow_faults)
    if dry_run and not has_errors(chosen.findings) and job.copies:
        return _show_preview(job, json_)
    code, result = _run(session, job, changes, images, pdf, json_)
    if json_:
        show.as_json(result.to_json(images.place))
    return code


def _refuse_contradictions(
    images: ImageRequest, changes: ChangeOptions, pdf: Path | None, dry_run: bool, json_: bool, max_mb: float | None
) -> None:
    """Raises UsageError for options that do not go together."""
    if not dry_run:
        images.check()
    only_pdf(images.pdf)
    if json_ and str(images.pdf) == "-":
        raise UsageError("standard output takes the sheets or the JSON, not both", "Use -o FILE.pdf.")
    changes.check(pdf)
    if max_mb and not (dry_run or pdf):
        raise UsageError("--max-mb limits a PDF of sheets, not pictures", "Choose a lower --dpi for pictures.")


def _run(
    session: Session, job: SheetJob, changes: ChangeOptions, images: ImageRequest, pdf: Path | None, json_: bool
) -> tuple[int, PrintResult]:
    """Does a job; its exit code and what came of it."""
    nothing = PrintResult(job, None, ())
    if not job.may_print():
        return 1, nothing
    if changes.missing:
        if not job.leave_owned(changes.missing):
            return 1, nothing
        if not job.copies:
            return 0, nothing
    if pdf:
        result = job.print_sheets(changes.since)
        _write(session, result, pdf, changes, json_)
    else:
        from carddb.app.printing.card_images import write_images

        result = PrintResult(job, None, write_images(job, images))
    show.findings(result.face_findings, err=True)
    return exit_code(result.face_findings), result


def _write(session: Session, result: PrintResult, pdf: Path, changes: ChangeOptions, json_: bool) -> None:
    """Writes the sheets, says what they are and what to throw away, and remembers them."""
    if result.printed:
        session.write(pdf, result.data)
        session.say(f"{pdf}: {result.summary}")
        if not session.quiet and (ink := result.ink()):
            session.say(str(ink))
    if changes.since and result.record:
        show_pulls(session, result, changes.pull_list, json_ or str(pdf) == "-")
    if result.record:
        remember(session, result, changes)


def _processes() -> int:
    """The processes that may draw sheets: as many as there are cores."""
    return cores()


def _show_preview(job: SheetJob, json_: bool) -> int:
    preview = job.preview()
    if json_:
        show.as_json(preview_json(job.title, preview))
    else:
        show_preview(job.title, preview)
    return 0
