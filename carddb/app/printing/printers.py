"""The printers that a user has calibrated: the calibration page, and the corrections computed from its readings."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from carddb.app.workspace.clock import creation
from carddb.app.workspace.published_folder import PrintedFile
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import InputError, UsageError
from carddb.core.files import locked, reason, settings_folder, write_file
from carddb.core.names import did_you_mean
from carddb.core.options import Option
from carddb.core.plain_text import json_bytes
from carddb.core.units import Size, parse_length, to_mm
from carddb.layout.calibration import (
    NONE,
    Calibration,
    Correction,
    Printer,
    example,
    parse_reading,
    registered,
    ruler_lengths,
    scales,
    with_scale,
)
from carddb.layout.stock import paper_label, paper_name, paper_size, stock_named

if TYPE_CHECKING:
    from carddb.press.sheets.options import SheetOptions

FIRST_TRAY = "1"
KEPT = 12
"""The most corrections stored for a feed; with earlier ones, a page that was drawn with them can still be read."""
_MOST_BYTES = 1_000_000
_LONGEST_NAME = 24
_NAME = re.compile(r"\w[\w.-]*(?: [\w.-]+)*")


def check_name(name: str) -> str:
    """Returns `name` if it can be the name of a printer or tray. Raises UsageError if it cannot."""
    if not name:
        raise UsageError("the printer or its tray has no name", 'Write a name, such as "home".')
    if len(name) > _LONGEST_NAME:
        raise UsageError(f"the name {name!r} has {len(name)} characters", f"Write at most {_LONGEST_NAME} characters.")
    if not _NAME.fullmatch(name):
        wrong = next((letter for letter in name if not re.fullmatch(r"[\w. -]", letter)), "")
        remedy = 'Use letters, digits, points, hyphens, and single spaces between them, such as "Epson at home".'
        raise UsageError(f"{name!r} cannot be a name" + (f": it contains {wrong!r}" if wrong else ""), remedy)
    return name


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class _Numbers(_Strict):
    x: int
    y: int
    angle: int
    back_x: int
    back_y: int
    scale_x: int
    scale_y: int


class _Entry(_Strict):
    tray: str
    paper: str
    flip: Literal["long-edge", "short-edge"]
    corrections: list[_Numbers]


class _File(_Strict):
    schema_: Literal["carddb.printers/1"] = Field(alias="schema")
    printers: dict[str, list[_Entry]]


@dataclass(frozen=True, slots=True)
class Feed:
    """A way of feeding a printer: tray, paper, and the edge over which paper is turned. Each has its own correction."""

    tray: str
    paper: Size
    flip: str

    def __str__(self) -> str:
        return f"tray {self.tray}, {paper_label(self.paper)}, {self.flip}"


@dataclass
class PrinterBook:
    """The calibrated printers with their corrections by feed. The last correction of a feed is the one in use."""

    path: Path
    printers: dict[str, dict[Feed, list[Correction]]] = field(default_factory=dict)

    def feeds(self, name: str) -> Mapping[Feed, list[Correction]]:
        """Returns the corrections of a printer by feed. Raises UsageError if there is no such printer."""
        if name not in self.printers:
            near = did_you_mean(name, self.printers)
            problem = f"there is no printer {name!r}"
            raise UsageError(problem, near or "Calibrate one: carddb printer calibrate NAME -o page.pdf")
        return self.printers[name]

    def past(self, name: str, feed: Feed) -> list[Correction]:
        """Returns the corrections with which a page for a feed may have been drawn, oldest first, from `NONE` on."""
        return [NONE, *self.printers.get(name, {}).get(feed, [])]

    def put(self, name: str, feed: Feed, correction: Correction) -> None:
        """Adds a correction for a feed, which is used from now on."""
        past = [old for old in self.past(name, feed)[1:] if old != correction]
        self.printers.setdefault(name, {})[feed] = [*past, correction][-KEPT:]

    def entries(self, name: str) -> Iterator[tuple[Feed, Correction]]:
        """Yields each feed of a printer with the correction in use. Raises UsageError if there is no such printer."""
        feeds = self.feeds(name)
        for feed in sorted(feeds, key=lambda feed: (feed.tray, paper_name(feed.paper), feed.flip)):
            yield feed, feeds[feed][-1]

    def write(self) -> None:
        """Writes the printers to their file as a whole. Raises OutputError if it cannot be written."""
        printers = {
            name: [
                {"tray": feed.tray, "paper": paper_name(feed.paper), "flip": feed.flip,
                 "corrections": [correction._asdict() for correction in past]}
                for feed, past in feeds.items()
            ]
            for name, feeds in sorted(self.printers.items())
        }  # fmt: skip
        write_file(self.path, json_bytes({"schema": "carddb.printers/1", "printers": printers}))


def settings_path() -> Path:
    """Returns the path of the file of printers: CARDDB_PRINTERS, or one in the user's settings. Raises InputError."""
    explicit = os.environ.get("CARDDB_PRINTERS")
    if explicit:
        return Path(explicit)
    folder = settings_folder()
    if folder is None:
        raise InputError("there is no home folder for the file of printers", "Name a file in CARDDB_PRINTERS.")
    return folder / "printers.json"


def open_book() -> PrinterBook:
    """Reads the calibrated printers; without a file, there are none. Raises InputError if the file cannot be used."""
    path = settings_path()
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        return PrinterBook(path)
    except (OSError, ValueError) as fault:
        remedy = "Check its permissions, or name another file in CARDDB_PRINTERS."
        raise InputError(f"{path} cannot be read: {reason(fault)}", remedy) from fault
    if len(data) > _MOST_BYTES:
        problem = f"{path} has more than {_MOST_BYTES:,} bytes, which is too large for a file of printers"
        raise InputError(problem, "Move the file away, and calibrate the printers again.")
    try:
        read = _File.model_validate_json(data)
        printers = {name: dict(_feed(entry) for entry in entries) for name, entries in read.printers.items()}
    except (ValidationError, UsageError, ValueError) as fault:
        cause = str(fault)
        if isinstance(fault, ValidationError):
            first = fault.errors(include_url=False)[0]
            cause = ": ".join(filter(None, (".".join(map(str, first["loc"])), first["msg"])))
        remedy = "Repair the file, or move it away and calibrate the printers again. It was not changed."
        raise InputError(f"{path} is damaged, or was written by a newer carddb: {cause}", remedy) from fault
    return PrinterBook(path, printers)


@contextmanager
def changed_book() -> Iterator[PrinterBook]:
    """Yields the calibrated printers, and writes them at the end of the block; no other process can change them then.

    Raises InputError if their file cannot be used, OutputError if it cannot be written.
    """
    with locked(settings_path()):
        book = open_book()
        yield book
        book.write()


def _feed(entry: _Entry) -> tuple[Feed, list[Correction]]:
    past = [Correction(**numbers.model_dump()) for numbers in entry.corrections]
    if not past or not all(correction.plausible for correction in past):
        raise ValueError(f"tray {entry.tray}, {entry.paper} has no correction that a printer could need")
    return Feed(entry.tray, paper_size(entry.paper), entry.flip), past


def printer_for(name: str | None, tray: str | None, options: SheetOptions) -> Printer | None:
    """Returns the printer `name` with its corrections for a tray and the flip of the options; None without `name`.

    Raises UsageError if the printer is unknown, or has no correction for the paper.
    """
    if name is None:
        if tray is not None:
            raise UsageError("--tray only works with --printer", "Add --printer NAME, or leave --tray out.")
        return None
    book = open_book()
    tray = tray or FIRST_TRAY
    paper = stock_named(options.stock).paper or paper_size(options.paper)
    flips = (options.flip,) if options.flip != "none" else ("short-edge", "long-edge")
    corrections = {
        feed.paper: correction
        if options.flip != "none"
        else NONE._replace(scale_x=correction.scale_x, scale_y=correction.scale_y)
        for flip in flips
        for feed, correction in book.entries(name)
        if (feed.tray, feed.flip) == (tray, flip)
    }
    if paper not in corrections:
        feeds = "; ".join(str(feed) for feed, _ in book.entries(name))
        raise UsageError(
            f"printer {name} has no correction for {Feed(tray, paper, options.flip)}",
            f"It has corrections for: {feeds}. To add one: {calibrate_command(name, Feed(tray, paper, options.flip))}",
        )
    return Printer(name, tray, corrections)


def calibrate_command(name: str, feed: Feed) -> str:
    """Returns the command that makes a calibration page for a feed of a printer."""
    paper = paper_name(feed.paper)
    parts = (
        f"carddb printer calibrate {shlex.quote(name)} -o page.pdf",
        f"--paper {paper}" if paper != "letter" else "",
        f"--tray {shlex.quote(feed.tray)}" if feed.tray != FIRST_TRAY else "",
        "--flip short-edge" if feed.flip == "short-edge" else "",
    )
    return " ".join(filter(None, parts))


def calibration_page(project: Workspace, name: str | None, paper: str, tray: str, flip: str) -> PrintedFile:
    """Returns a calibration page as PDF, drawn with the correction in use, if the printer `name` has one.

    Raises UsageError for an unknown paper, or one that is too small.
    """
    from carddb.press.sheets.proof import calibration_pdf  # ReportLab, 70 ms, not for the list of printers

    size = paper_size(paper)
    correction = open_book().past(name, Feed(tray, size, flip))[-1] if name else NONE
    data = calibration_pdf(Calibration(size, flip, correction, name or "", tray), creation(None))
    summary = f"{paper_label(size)}, both sides, {flip}; drawn with {correction.full}"
    return PrintedFile(data, 2, 1, summary=summary, project=project)


@dataclass(frozen=True, slots=True)
class PageReading:
    """A reading of a calibration page: the `scales` in order, the `measured` rulers, and the page's `code`.

    What was not read is None. Without `code`, it is the newest page of this printer, paper and tray.
    """

    # fmt: off
    name: str
    code: Annotated[str | None, Option(
        "The four letters printed on the page.  [default: the newest page]", flag="--page", metavar="CODE")] = None
    scales: Annotated[str | None, Option(
        "The readings of all scales, in order; or of the first and the last.",
        flag="--read", metavar="E6,E2,...")] = None
    measured: Annotated[str | None, Option(
        "The measured lengths of the two rulers on paper: 99.6mm,100.2mm.", metavar="X,Y")] = None
    paper: Annotated[str, Option(
        "letter, a4, legal, tabloid, a3, a5, 3x5in or 148x210mm.", "letter")] = "letter"
    tray: str = FIRST_TRAY
    # fmt: on

    def correction(self, book: PrinterBook) -> tuple[Feed, Correction]:
        """Returns the feed of the page, and its correction by the readings. Raises UsageError for invalid readings."""
        size = paper_size(self.paper)
        scales = self.scales.split(",") if self.scales is not None else ()
        readings = [parse_reading(part, f"--read {example(size)}") for part in scales]
        page = _page(book, self.name, self.tray, size, self.code)
        if self.scales is None and self.measured is None:
            raise UsageError("there are no readings", f"Add --read {example(page.size)}, or --measured 99.6mm,100.2mm.")
        correction = page.correction
        if readings:
            correction = registered(readings, page.size, page.flip, correction)
        if self.measured is not None:
            correction = _rescaled(correction, self.measured, page.size)
        return Feed(self.tray, page.size, page.flip), correction


def store_reading(reading: PageReading) -> tuple[Feed, Correction]:
    """Stores and returns the correction that the readings of a page give, with its feed. Raises UsageError."""
    with changed_book() as book:
        feed, correction = reading.correction(book)
        book.put(reading.name, feed, correction)
    return feed, correction


def scale_count(paper: str) -> int:
    """Returns the number of scales on a calibration page. Raises UsageError if the paper is too small for one."""
    return len(scales(paper_size(paper)))


def readings_of(readings: Sequence[str]) -> str | None:
    """Returns the readings in the fields of a form, joined by commas; None if all fields are empty.

    Raises UsageError if some are empty, except if only those of the first and the last scale are filled in.
    """
    filled = [bool(reading.strip()) for reading in readings]
    if not any(filled):
        return None
    ends = [True, *(False for _ in filled[2:]), True]
    if not all(filled) and filled != ends:
        number = filled.index(False) + 1
        raise UsageError(f"scale {number} has no reading", "Read all scales, or only the first and the last.")
    return ",".join(reading.strip() for reading in readings if reading.strip())


def forget_printer(name: str) -> int:
    """Removes a printer, and returns for how many feeds it had corrections. Raises UsageError for an unknown one."""
    with changed_book() as book:
        count = len(book.feeds(name))
        del book.printers[name]
    return count


def correction_json(name: str, feed: Feed, correction: Correction) -> dict[str, Any]:
    """Returns a correction as JSON has it, in micrometres, microradians and parts per million."""
    return {
        "name": name,
        "tray": feed.tray,
        "paper": paper_name(feed.paper),
        "flip": feed.flip,
        "x_um": correction.x,
        "y_um": correction.y,
        "angle_urad": correction.angle,
        "back_ppm": [correction.back_x, correction.back_y],
        "scale_ppm": [correction.scale_x, correction.scale_y],
    }


def _page(book: PrinterBook, name: str, tray: str, size: Size, code: str | None) -> Calibration:
    """Returns the calibration page with the code `code`, or without it the newest page of this printer, tray and paper.

    If the printer has no corrections, this is the page for the long edge. Raises UsageError if no page has the code.
    """
    drawn = {flip: book.past(name, Feed(tray, size, flip)) for flip in ("long-edge", "short-edge")}
    if code is None:
        flip = max(drawn, key=lambda flip: len(drawn[flip]))
        return Calibration(size, flip, drawn[flip][-1], name, tray)
    for flip, corrections in drawn.items():
        pages = [Calibration(size, flip, past, name, tray) for past in corrections]
        for page in reversed([Calibration(size, flip, tray=tray), *pages]):
            if page.code == code.strip().upper():
                return page
    raise UsageError(
        f"no page {code!r} was made for {name}, {Feed(tray, size, 'either edge')}",
        "Type the command that is printed on the page, with its --paper and --tray. To print a new page: "
        + calibrate_command(name, Feed(tray, size, "long-edge")),
    )


def _rescaled(correction: Correction, text: str, size: Size) -> Correction:
    """Returns the correction, scaled by the measured lengths of both rulers, `99.6mm,100.2mm`. Raises UsageError."""
    rulers = ruler_lengths(size)
    if rulers is None:
        raise UsageError("a page on a card has no rulers to measure", "Leave --measured out.")
    across, down = rulers
    right = (
        f"Write both rulers, across and down, like this: --measured {to_mm(across) - 0.4:g}mm,{to_mm(down) + 0.2:g}mm."
    )
    try:
        lengths = [parse_length(part, "mm") for part in text.split(",")]
    except ValueError as fault:
        raise UsageError(f"{fault}", right) from fault
    if len(lengths) != 2:
        raise UsageError(f"{text!r} is not two lengths", right)
    if not all(abs(length - ruler) * 100 <= 3 * ruler for length, ruler in zip(lengths, rulers, strict=True)):
        problem = f"{text!r} differs by more than 3 % from the rulers, {to_mm(across):g} and {to_mm(down):g} mm"
        raise UsageError(problem, f"If the page was scaled to fit the paper, print it again at 100 %. {right}")
    return with_scale(correction, rulers, (lengths[0], lengths[1]))
