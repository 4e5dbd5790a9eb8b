"""A print job: the sheets with the selected cards, or with those that changed since an earlier print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated, Any

from carddb.app.decks.check import CheckRequest
from carddb.app.printing.options import PaperOptions, sheet_options, unused_options
from carddb.app.printing.selection import Selection, previous_job, select, selection_in_language, since_words, stamp_of
from carddb.app.workspace.clock import now, today
from carddb.app.workspace.published_folder import write_printed
from carddb.app.workspace.workspace import Notice, Workspace
from carddb.cards.cards import Card
from carddb.cards.print_history import PrintDifference, PrintedCard, PrintJob, Pull, difference, some_of
from carddb.core.errors import CatalogError, InputError
from carddb.core.files import NamedBytes
from carddb.core.options import Option
from carddb.core.plain_text import amount
from carddb.core.units import Size, to_mm
from carddb.findings import Finding, Severity, has_errors, verdict
from carddb.games import Game
from carddb.layout.sheets.grid import SlotBand
from carddb.layout.sheets.imposition import bounds
from carddb.layout.stock import paper_label
from carddb.press import Step, unreported
from carddb.press.faces.bank import FaceStreams
from carddb.press.faces.cache import FaceCache
from carddb.press.faces.workshop import Workshop, open_workshop
from carddb.press.sheets.card_sheets import Ink, PrintPreview, face_bank, print_preview
from carddb.press.sheets.options import SheetOptions
from carddb.press.sheets.sheets import (
    CutFile,
    PrintedSheets,
    look_of,
    missing,
    print_cards,
    print_job,
    size_name,
    within_budget,
)
from carddb.read.decks.owned import read_owned

Copies = Sequence[tuple["Card", int]]


@dataclass(frozen=True, slots=True)
class PrintRequest:
    """The cards to print (deck files, references and one query), how decks are checked, and how to print."""

    # fmt: off
    selection: Sequence[str]
    check: CheckRequest
    paper: PaperOptions
    allow_illegal: Annotated[bool, Option("Print a deck that is not legal, and say so on every page.")] = False
    allow_faults: Annotated[bool, Option("Print faces with errors, such as text that does not fit.")] = False
    playset: Annotated[bool, Option("Print each card of a query as many times as its printing says.")] = False
    processes: int = 1
    # fmt: on


@dataclass
class SheetJob:
    """A print job. With `allow_illegal` it prints illegal decks with a stamp, with `allow_faults` faces with errors."""

    project: Workspace
    selection: Selection
    options: SheetOptions
    on: date
    allow_illegal: bool = False
    allow_faults: bool = False
    copies: Copies = field(init=False)
    needed: int | None = field(default=None, init=False)
    """The number of selected cards, with all copies, before owned cards were left out; None if this was not done."""
    findings: list[Finding] = field(default_factory=list, init=False)
    """The findings about the file of owned cards."""

    def __post_init__(self) -> None:
        self.selection = selection_in_language(self.project, self.selection, self.options.lang, self.on)
        self.copies = self.selection.copies
        if self.allow_illegal:
            self.options = self.options._replace(stamp=stamp_of(self.selection.findings, self.on))

    @property
    def game(self) -> Game:
        return self.selection.game

    @property
    def title(self) -> str:
        return self.selection.title

    @property
    def cards(self) -> list[Card]:
        """The cards to print, each once."""
        return list({card.ref: card for card, _ in self.copies}.values())

    @property
    def piles(self) -> dict[str, list[tuple[Card, int]]]:
        """The copies by label of section, in the game's order; a card without a section is in that of its type."""
        spec, sections = self.game.spec, self.selection.sections
        of_type = {
            card_type: spec.section_label(key) for key, part in spec.sections.items() for card_type in part.types
        }
        piles: dict[str, list[tuple[Card, int]]] = {spec.section_label(key): [] for key in spec.sections}
        for card, count in self.copies:
            piles.setdefault(sections.get(card.ref) or of_type.get(spec.shown_type(card), ""), []).append((card, count))
        return {name: copies for name, copies in piles.items() if copies}

    @cached_property
    def workshop(self) -> Workshop:
        """The workshop with which the cards are drawn."""
        return open_workshop(self.game, self.cards, self.project.art_folder, self.options.lang)

    @cached_property
    def streams(self) -> FaceStreams:
        """The faces of the cards, which are drawn when they are needed, and their digests."""
        cache = FaceCache(self.workshop, self.options.ink)
        return FaceStreams(face_bank(self.workshop, self.options, lenient=True, cache=cache), with_digests=True)

    def may_print(self) -> bool:
        """Returns whether there are cards that may be printed; if there are none, a notice says why."""
        findings, notify = self.selection.findings, self.project.notify
        if has_errors(findings) and not self.allow_illegal:
            refusal = "nothing was printed, because the deck is not legal: correct it, or add --allow-illegal"
            notify("deck_illegal", refusal, findings)
            return False
        if grave := [f for f in findings if f.severity in (Severity.ERROR, Severity.NOT_CHECKABLE)]:
            unchecked = "it could not be checked whether the deck is legal; it is printed all the same"
            notify("deck_not_legal", unchecked if verdict(findings) == "not_checkable" else "", grave)
        if not self.copies:
            notify("no_card_matches", "no card matches, and nothing was printed")
        return bool(self.copies)

    def preview(self) -> list[PrintPreview]:
        """Returns previews of the sheets, one for each kind. Raises UsageError if an option or a size is invalid."""
        return print_preview(self.game, self.copies, self.options)

    def leave_owned(self, file: Path | NamedBytes) -> bool:
        """Leaves out the copies that `file` lists as owned. Raises InputError if the file cannot be read.

        Returns whether the job may be printed; it may not if the file has errors, and a notice then says so.
        """
        spec = self.game.spec
        with self.project.catalog() as catalog:
            pool = catalog.pool(spec, day=self.on)
        if isinstance(file, Path):
            self.project.protect(file)
        owned, findings = read_owned(file, spec, pool)
        self.needed = total(self.copies)
        self.copies = missing(spec, self.copies, owned)
        self.findings += findings
        lacking = total(self.copies)
        sums = f"{amount(self.needed, 'card')} needed, {self.needed - lacking} of them owned, {lacking} missing"
        self.project.notify("owned_left_out", sums, findings)
        if has_errors(findings):
            name = file if isinstance(file, Path) else file.name
            self.project.notify("owned_unusable", f"nothing was printed, because {name} has errors: correct it first")
            return False
        return True

    def faces_refused(self, inspect: Callable[[], list[Finding]]) -> list[Finding]:
        """Returns what `inspect` finds if it forbids drawing the faces, else nothing; `allow_faults` skips this."""
        if self.allow_faults:
            return []
        with self.project.working(f"looking at {amount(len(self.cards), 'card')}"):
            findings = inspect()
        return findings if self._refuses(findings) else []

    def print_sheets(self, since: str | None = None) -> PrintResult:
        """Prints all sheets, or only what changed since the print `since`. Raises TemplateError, FontError."""
        pulls, after = self._leave_unchanged(since) if since else ((), None)

        def record() -> PrintJob:
            return self.record() if after is None else self.record()._replace(cards=after)

        if not self.copies:
            words = f"nothing changed since {since_words(since or '')}, so nothing is printed"
            self.project.notify("nothing_changed", words)
            return PrintResult(self, None, self.streams.bank.findings, pulls, record if pulls else None)
        with self.project.working(f"drawing {len(self.copies)} cards") as step:
            printed = within_budget(self.options, lambda options: self._print(options, step))
        if self._refuses(printed.findings):
            return PrintResult(self, None, printed.findings)
        return PrintResult(self, printed, printed.findings, pulls, record)

    def sheet(self, number: int) -> PrintedSheets:
        """Returns the sheet `number` (from 1) of the file of all sheets. Raises UsageError, TemplateError."""
        return self._print(self.options, only_sheet=number)

    def _print(self, options: SheetOptions, step: Step | None = None, only_sheet: int | None = None) -> PrintedSheets:
        return print_cards(
            self.workshop, self.copies, options, f"{self.game.spec.name}: {self.title}", self.title, self.streams,
            self.selection.sections, step or unreported, only_sheet,
        )  # fmt: skip

    def _refuses(self, findings: Sequence[Finding]) -> bool:
        if self.allow_faults or not has_errors(findings):
            return False
        refusal = "nothing was printed, because faces have errors: correct them, or add --allow-faults"
        self.project.notify("faces_faulty", refusal)
        return True

    def record(self) -> PrintJob:
        """Returns the record of printing all copies. Faces that are not drawn yet are drawn for it."""
        return print_job(self.streams, self.copies, self.options, self.title)

    def changes_since(self, old: PrintJob) -> tuple[PrintDifference, Copies]:
        """Returns the changes since the print `old`, and the copies to print again."""
        changes = difference(old, self.record().cards)
        return changes, some_of(self.copies, changes.copies, partial(look_of, self.streams))

    def _leave_unchanged(self, since: str) -> tuple[tuple[Pull, ...], tuple[PrintedCard, ...] | None]:
        """Leaves out the copies that an earlier print has already (see `previous_job`).

        Returns the cards to throw away, and all cards that are on paper afterwards (None if no such print is recorded).
        """
        size = size_name(self.game.spec, self.options)
        old = previous_job(self.project, since, self.game, self.title, size)
        if old is None:
            words = f"no earlier print of cards of {size} is recorded (since {since}), so all cards are printed"
            self.project.notify("print_unknown", words)
            return (), None
        if not old.whole:
            words = f"{self.title} was not printed before, so each card is compared with its own last print"
            self.project.notify("title_unknown", words)
        with self.project.working(f"comparing {len(self.copies)} cards"):
            changes, self.copies = self.changes_since(old)
        return changes.pulls, changes.after


@dataclass(frozen=True)
class PrintResult:
    """The result of a print job: the sheets (None if not printed), findings about faces, and cards to throw away."""

    job: SheetJob
    printed: PrintedSheets | None
    face_findings: Sequence[Finding]
    pulls: tuple[Pull, ...] = ()
    record: Callable[[], PrintJob] | None = None
    """Returns the record of all cards that are on paper now; None if nothing changed."""
    notices: tuple[Notice, ...] = ()

    @property
    def data(self) -> bytes:
        """The PDF; empty if nothing was printed."""
        return self.printed.data if self.printed else b""

    @property
    def cut_files(self) -> tuple[CutFile, ...]:
        """The files with cut lines for a cutting machine."""
        return self.printed.cut_files if self.printed else ()

    @property
    def pages(self) -> int:
        return self.printed.pages if self.printed else 0

    @property
    def sheets(self) -> int:
        return self.printed.sheets if self.printed else 0

    @property
    def cards(self) -> int:
        """The number of cards on the sheets, with all copies."""
        return self.printed.cards if self.printed else 0

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings about the decks, the file of owned cards, and the faces."""
        return (*self.job.selection.findings, *self.job.findings, *self.face_findings)

    def ink(self) -> Ink | None:
        """Returns an estimate, from some of the faces, of the ink needed; None if nothing was printed."""
        return self.printed.ink() if self.printed and self.printed.ink else None

    @property
    def summary(self) -> str:
        """A summary such as `60 cards on 7 sheets, both sides; letter, 9 a sheet`, with reduced pictures if any are."""
        printed = self.printed
        if printed is None:
            return "nothing was printed"
        faces = "both sides" if printed.pages > printed.sheets else "one side"
        text = f"{amount(printed.cards, 'card')} on {amount(printed.sheets, 'sheet')}, {faces}; {printed.label}"
        return text + coarser(self.job.options, printed)

    def write(self, path: Path | str, *, remember: bool = True) -> None:
        """Writes the PDF and files with cut lines beside it; if `remember`, records the print. Raises OutputError."""
        write_printed(self.job.project, Path(path), self.data, self.cut_files)
        if remember:
            self.remember()

    def remember(self) -> None:
        """Records the print in the catalogue. If the catalogue cannot be written, a notice says so."""
        if self.record:
            printed = self.record()
            try:
                with self.job.project.catalog() as catalog:
                    catalog.add_print_job(printed, on=today(), recorded_at=now())
            except CatalogError as fault:
                self.job.project.notify("not_remembered", f"this print is not recorded: {fault.message}")

    def to_json(self, file: Path | None = None) -> dict[str, Any]:
        """Returns what `sheets --json` shows, with `file` as the path of the PDF."""
        job = self.job
        missing = None
        if job.needed is not None:
            lacking = total(job.copies)
            missing = {"needed": job.needed, "owned": job.needed - lacking, "missing": lacking}
        copies, cut_files = job.copies if self.printed else [], self.cut_files
        return {
            "schema": "carddb.sheets/1",
            "game": job.game.key,
            "title": job.title,
            "on": job.on.isoformat(),
            "verdict": verdict(job.selection.findings),
            "stamp": job.options.stamp,
            "file": str(file) if self.printed and file else None,
            **({"cut": [str(each.beside(file)) for each in cut_files]} if file and cut_files else {}),
            "sheets": self.sheets,
            "pages": self.pages,
            "cards": [{"ref": card.ref, "name": card.name, "count": count} for card, count in copies],
            "missing": missing,
            "pull": [pull._asdict() for pull in self.pulls],
            "findings": [finding.to_json() for finding in self.findings],
        }


def open_job(project: Workspace, request: PrintRequest, *, on_sheets: bool = True) -> SheetJob:
    """Returns the print job of a request. A notice names the options that have no effect.

    `on_sheets` is False for pictures of single cards. Raises what `select` raises.
    """
    day = request.check.on or today()
    options = sheet_options(project, request.paper, day, request.processes)
    if remark := unused_options(request.paper, options.stock, on_sheets):
        project.notify("options_unused", remark)
    chosen = select(project, request.selection, replace(request.check, on=day), request.playset)
    return SheetJob(project, chosen, options, day, request.allow_illegal, request.allow_faults)


def print_sheets(project: Workspace, request: PrintRequest) -> PrintResult:
    """Prints the cards of a request on sheets. An illegal deck is not printed, unless the request allows it."""
    with project.recording() as notices:
        job = open_job(project, request)
        result = job.print_sheets() if job.may_print() else PrintResult(job, None, [])
    if result.printed and (words := coarser(job.options, result.printed)):
        notices.append(Notice("pictures_coarser", words.removeprefix("; ")))
    return replace(result, notices=tuple(notices))


def total(copies: Copies) -> int:
    """Returns the number of cards in a selection, with all copies."""
    return sum(count for _, count in copies)


def coarser(options: SheetOptions, printed: PrintedSheets) -> str:
    """Returns how pictures were reduced to keep a file small, as `; pictures at 120 dpi, for 5 MB`; empty if not."""
    if printed.art_dpi == options.art_dpi:
        return ""
    return f"; pictures at {printed.art_dpi} dpi, for {options.most_bytes / 1e6:g} MB"


def refuse_for_press(options: SheetOptions, printed: PrintedSheets) -> None:
    """Raises InputError, with the findings, if faces for a printing press have errors."""
    if options.press and has_errors(printed.findings):
        raise InputError("faces with errors cannot go to a press", "Correct the errors listed above.", printed.findings)


def preview_json(title: str, previews: Sequence[PrintPreview]) -> dict[str, Any]:
    """Returns previews as `sheets --dry-run --json` shows them: the first, with the others under its key `further`.

    A sheet that cards of several sizes share has `bands`, one for each size, from the top.
    """
    job, *further = previews
    grid, options = job.grid, job.options
    block, fold = bounds(grid.slots), grid.fold
    return {
        "schema": "carddb.sheets/1",
        "title": title,
        "cards": job.cards,
        "sheets": job.sheets,
        "pages": job.pages,
        "paper": {"name": paper_label(grid.paper), **measures(grid.paper)},
        "stock": options.stock,
        "card": _card(grid.bands[0]),
        **({"bands": [*map(_band, grid.bands)]} if grid.is_shared else {}),
        "slots": {
            "columns": grid.columns,
            "rows": grid.rows,
            "per_sheet": job.per_sheet,
            "on_last_sheet": job.on_last,
            "left": to_mm(block.x),
            "top": to_mm(block.y),
        },
        "margin": to_mm(grid.margin),
        "gutter": {"columns": to_mm(grid.gutter.width), "rows": to_mm(grid.gutter.height)},
        "bleed": to_mm(grid.bleed),
        "marks": {
            "at": options.marking.marks if grid.cut else "none",
            "guides": options.marking.guides,
            "outlines": options.marking.outlines,
        },
        **({"cutter": {"machine": grid.cutter.machine, "marks": grid.cutter.marks}} if grid.cutter else {}),
        "ruler": job.ruler,
        "flip": job.flip,
        "fold": {"axis": "down" if fold.upright else "across", "at": to_mm(fold.twice) / 2} if fold else None,
        "cuts": [
            {
                "number": cut.number,
                "axis": cut.axis,
                "at": to_mm(cut.position),
                "from": to_mm(cut.start),
                "to": to_mm(cut.end),
                "through": cut.through,
            }
            for cut in job.cuts
        ],
        "cuts_on_last_sheet": job.cuts_of_last,
        **({"further": [preview_json(title, [each]) for each in further]} if further else {}),
    }


def _card(band: SlotBand) -> dict[str, Any]:
    return {**measures(band.card), "turned": band.angle != 0}


def _band(band: SlotBand) -> dict[str, Any]:
    """Returns the band of one size on a shared sheet as JSON: its card, number of cards, columns, rows, corner."""
    block = bounds(band.slots)
    return {
        "card": _card(band),
        "cards": len(band.slots),
        "columns": len({slot.x for slot in band.slots}),
        "rows": len({slot.y for slot in band.slots}),
        "left": to_mm(block.x),
        "top": to_mm(block.y),
    }


def measures(size: Size) -> dict[str, float]:
    """Returns a size as JSON has it: `width` and `height` in millimetres."""
    return {"width": to_mm(size.width), "height": to_mm(size.height)}
