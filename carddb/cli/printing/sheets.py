"""The command `sheets`, which prints sheets of cards, or writes a picture of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import click

from carddb.app.decks.check import CheckRequest
from carddb.app.printing.options import ImageRequest
from carddb.app.printing.selection import manifest, pull_list
from carddb.app.printing.sheet_job import PrintRequest, PrintResult, SheetJob, open_job, preview_json
from carddb.cli import show
from carddb.cli.decks.check import BY
from carddb.cli.options import (
    QUERY_GAME,
    QueryCommand,
    declared_options,
    executor_options,
    executor_request,
    query_argument,
    taken,
    verb,
)
from carddb.cli.printing.paper import only_pdf, paper_of, paper_options, print_options
from carddb.cli.session import Session
from carddb.core.errors import UsageError
from carddb.core.executors import cores
from carddb.core.options import Option
from carddb.core.plain_text import amount
from carddb.core.units import Size, to_mm
from carddb.findings import exit_code, has_errors
from carddb.layout.sheets.crop_marks import SheetCut
from carddb.layout.sheets.imposition import bounds
from carddb.layout.stock import describe, paper_label
from carddb.press.sheets.card_sheets import PrintPreview


@dataclass(frozen=True, slots=True)
class ChangeOptions:
    """The options that choose which cards of a selection are printed, and what is recorded about the print."""

    # fmt: off
    missing: Annotated[Path | None, Option(
        "Print only cards missing from FILE: a table with ref or name, and count; or a deck file.", metavar="FILE")]
    since: Annotated[str | None, Option(
        "Print only cards that look different from an earlier print: last, a day, or a manifest file.", metavar="WHEN")]
    pull_list: Annotated[Path | None, Option("Write a list of printed cards to throw away, as text.", metavar="FILE")]
    manifest: Annotated[Path | None, Option(
        "Write a manifest of the printed cards, for a later --since.", metavar="FILE")]
    no_remember: Annotated[bool, Option("Do not remember this print in the catalogue.")]
    # fmt: on

    def check(self, output: Path | None) -> None:
        """Raises UsageError if the options contradict each other or `output`, the PDF of sheets (None: pictures)."""
        if output is None and (self.since or self.manifest):
            raise UsageError("--since and --manifest only work with sheets", "Add -o FILE.pdf, which prints sheets.")
        if self.pull_list and not self.since:
            raise UsageError("--pull-list needs --since", "Add --since with `last`, a day or a manifest file.")
        files = [path.absolute() for path in (output, self.manifest, self.pull_list) if path]
        if len(set(files)) < len(files):
            message = "two of -o, --manifest and --pull-list would be written to the same file"
            raise UsageError(message, "Name a different file for each.")


@verb(cls=QueryCommand)
@query_argument("selection", required=True)
@show.output_option("The PDF.", required=False)
@declared_options(ImageRequest)
@executor_options("draw pictures")
@QUERY_GAME
@click.option("--dry-run", is_flag=True, help="Show what would be printed (sheets, places, cuts), without drawing.")
@declared_options(ChangeOptions)
@declared_options(CheckRequest, BY)
@declared_options(PrintRequest)
@click.option("--json", "json_", is_flag=True, help="Report what is printed, or would be, as JSON.")
@print_options("pictures")
@paper_options
@print_options("press", "printer")
def sheets(
    session: Session,
    /,
    selection: tuple[str, ...],
    output: Path | None,
    key: str | None,
    dry_run: bool,
    day: date | None,
    json_: bool,
    **options: Any,
) -> int:
    """Print sheets of cards, fronts and backs, or write a picture of each card.

    The selection is a deck file, which is checked first, or references of cards; all other words form one query.
    """
    images = ImageRequest(pdf=output, executor=executor_request(options), **taken(ImageRequest, options))
    changes = ChangeOptions(**taken(ChangeOptions, options))
    pdf = output if not images.profile else None
    _refuse_contradictions(images, changes, pdf, dry_run, json_, options["max_mb"])
    check, paper = CheckRequest(key, on=day, **taken(CheckRequest, options)), paper_of(options, pdf)
    request = PrintRequest(selection, check, paper, processes=cores(), **taken(PrintRequest, options))
    job = open_job(session.project, request, on_sheets=dry_run or bool(pdf))
    if dry_run and not has_errors(job.selection.findings) and job.copies:
        preview = job.preview()
        if json_:
            show.as_json(preview_json(job.title, preview))
        else:
            for number, sheets in enumerate(preview):
                if number:
                    show.echo()
                _show_preview(job.title, sheets)
        return 0
    code, result = _run(session, job, changes, images, pdf, json_)
    if json_:
        (place,) = images.places.values()
        show.as_json(result.to_json(place))
    return code


def _refuse_contradictions(
    images: ImageRequest, changes: ChangeOptions, pdf: Path | None, dry_run: bool, json_: bool, max_mb: float | None
) -> None:
    """Raises UsageError if options contradict each other."""
    if not dry_run:
        images.check()
    only_pdf(images.pdf)
    if json_ and str(images.pdf) == "-":
        message = "--json and -o - would both write to standard output"
        raise UsageError(message, "Write the sheets to a file: -o sheets.pdf.")
    changes.check(pdf)
    if max_mb and not (dry_run or pdf):
        message = "--max-mb limits a PDF of sheets, not pictures"
        raise UsageError(message, "Leave --max-mb out; a lower --dpi makes pictures smaller.")


def _run(
    session: Session, job: SheetJob, changes: ChangeOptions, images: ImageRequest, pdf: Path | None, json_: bool
) -> tuple[int, PrintResult]:
    """Prints the sheets or pictures of a job, and returns the exit code and the result."""
    nothing = PrintResult(job, None, ())
    if not job.may_print() or (changes.missing and not job.leave_owned(changes.missing)):
        return 1, nothing
    if changes.missing and not job.copies:
        return 0, nothing
    if pdf:
        result = job.print_sheets(changes.since)
        _write(session, result, pdf, changes, json_)
    else:
        from carddb.app.printing.card_images import write_images  # imports print shops and the drawing of pictures

        result = PrintResult(job, None, write_images(job, images))
    show.findings(result.face_findings, err=True)
    return exit_code(result.face_findings), result


def _write(session: Session, result: PrintResult, pdf: Path, changes: ChangeOptions, json_: bool) -> None:
    """Writes the sheets, lists the printed cards to throw away, and records what was printed."""
    if result.printed:
        session.write_sheets(pdf, result)
        if not session.quiet and (ink := result.ink()):
            session.say(str(ink))
    if not result.record:
        return
    if changes.since:
        text = pull_list(result.pulls, result.job.title)
        if result.pulls:
            show.echo(text, err=json_ or str(pdf) == "-")
        if changes.pull_list:
            session.write(changes.pull_list, f"{text}\n".encode())
    if file := changes.manifest:
        session.write(file, manifest(session.project, result.record(), result.job.on))
        session.say(f"{file}: the cards that are on paper now, for a later --since {file}")
    if not changes.no_remember:
        result.remember()


def _show_preview(title: str, job: PrintPreview) -> None:
    """Prints facts about the sheets of a job that have the same grid, then the order of the cuts."""
    shared = f", with cards of {len(job.grid.bands)} sizes" if job.grid.is_shared else ""
    show.echo(f"{title}: {amount(job.cards, 'card')} on {amount(job.sheets, 'sheet')}{shared}")
    for name, fact in _facts(job):
        show.echo(f"  {name:<9}{fact}")
    cuts = job.cuts
    if cuts:
        show.echo()
        show.table(("cut", "where", "how"), ((cut.number, _place(cut), _manner(cut, cuts)) for cut in cuts))


def _facts(job: PrintPreview) -> Iterator[tuple[str, str]]:
    grid = job.grid
    block = bounds(grid.slots)
    yield "paper", _sized(paper_label(grid.paper), grid.paper)
    yield from (("cards", words) for words in _cards(job))
    if not grid.bare:
        wide, high = grid.gutter
        gutters = f"gutter {to_mm(wide):g} mm between columns, {to_mm(high):g} mm between rows"
        gutter = gutters if wide or high else "no gutter"
        place = f"{to_mm(block.x):g} mm from the left, {to_mm(block.y):g} mm from the top"
        yield "block", f"{place}; margin {to_mm(grid.margin):g} mm, {gutter}, bleed {to_mm(grid.bleed):g} mm"
        yield "marks", _marks(job)
        yield (
            "ruler",
            "50 mm and 2 in, on every face" if job.ruler else f"no room for one: measure a card, {grid.bands[0].card}",
        )
    yield "print", _print(job)
    if job.cuts:
        last = f", {job.cuts_of_last} on the last" if job.cuts_of_last < len(job.cuts) else ""
        yield "cuts", f"{len(job.cuts)} a sheet{last}"


def _cards(job: PrintPreview) -> Iterator[str]:
    """Yields a line for each size of cards on the sheet, with the size and the layout of these cards."""
    grid = job.grid
    last = f", {job.on_last} on the last" if job.sheets > 1 and job.on_last < job.per_sheet else ""
    each = "" if grid.is_shared else " a sheet"
    for band in grid.bands:
        size, way = band.card, "turned by a quarter" if band.angle else "upright"
        columns, rows = len({slot.x for slot in band.slots}), len({slot.y for slot in band.slots})
        layout = f"{len(band.slots)}{each} in {amount(columns, 'column')} and {amount(rows, 'row')}{last}"
        yield f"{_sized(describe(size), size)}, {way}; {layout}"


def _marks(job: PrintPreview) -> str:
    marking = job.options.marking
    if not job.grid.cut:
        return "none: the stock is not cut"
    if cutter := job.grid.cutter:
        place = f"{to_mm(cutter.inset):g} mm from the paper's edges"
        return f"{cutter.marks} registration marks, {place}" if cutter.marks else f"none: {cutter.machine} has its own"
    words = {"edges": "at the edges of the block", "cards": "at all cards", "none": "none"}
    also = [word for word, is_drawn in (("guides", marking.guides), ("outlines", marking.outlines)) if is_drawn]
    return ", ".join([words[marking.marks], *also])


def _print(job: PrintPreview) -> str:
    if job.grid.fold:
        where = f"{to_mm(job.grid.fold.twice // 2):g} mm from the {'left' if job.grid.fold.upright else 'top'}"
        return f"actual size (100 %), one side; fold {where} with the print outwards, glue, then cut"
    if job.flip == "none":
        return "actual size (100 %), one side"
    return f"actual size (100 %), both sides, flip on the {job.flip.replace('-', ' ')}"


def _place(cut: SheetCut) -> str:
    edge = "top" if cut.axis == "across" else "left"
    return f"{cut.axis}, {to_mm(cut.position):g} mm from the {edge}"


def _manner(cut: SheetCut, cuts: tuple[SheetCut, ...]) -> str:
    """Returns in words whether a cut goes through the whole sheet, or through which strips."""
    if cut.through:
        return "right through"
    if sum(other.through for other in cuts) == 2:  # one row
        return "the strip"
    if len({(other.start, other.end) for other in cuts if not other.through}) == 1:
        return "all strips"
    return f"the strips from {to_mm(cut.start):g} to {to_mm(cut.end):g} mm"


def _sized(name: str, size: Size) -> str:
    return str(size) if name == str(size) else f"{name} ({size})"
