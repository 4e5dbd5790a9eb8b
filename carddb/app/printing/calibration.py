"""Calibrating a printer: the page of scales, and what its reading says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from carddb.app.printing.printers import FIRST_TRAY, Feed, PrinterBook, calibrate_command, changed_book, open_book
from carddb.app.workspace.clock import creation
from carddb.app.workspace.print_files import PrintedFile
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError
from carddb.core.units import Size, parse_length, to_mm
from carddb.layout.calibration.page_value import Calibration, ruler_lengths
from carddb.layout.calibration.printer_correction import NONE, Correction, with_scale
from carddb.layout.calibration.registration import example, registered, scales
from carddb.layout.calibration.vernier import parse_reading
from carddb.layout.stock import paper_label, paper_name, paper_size


def calibration_page(project: Workspace, name: str | None, paper: str, tray: str, flip: str) -> PrintedFile:
    """The page of scales as PDF, drawn with the correction that the printer has already. Raises UsageError."""
    from carddb.press.sheets.calibration import (
        calibration_pdf,  # ReportLab, 70 ms, which the list of printers does without
    )

    size = paper_size(paper)
    correction = open_book().past(name, Feed(tray, size, flip))[-1] if name else NONE
    data = calibration_pdf(Calibration(size, flip, correction, name or "", tray), creation(None))
    summary = f"{paper_label(size)}, both sides, {flip}; drawn with {correction.full}"
    return PrintedFile(data, 2, 1, summary=summary, project=project)


@dataclass(frozen=True, slots=True)
class PageReading:
    """What was read of a page: `scales` in their order, `measured` lengths of its rulers, and the code of the page.

    None is what was not read; without a code it is the newest page of this printer, paper and tray.
    """

    name: str
    code: str | None = None
    scales: str | None = None
    measured: str | None = None
    paper: str = "letter"
    tray: str = FIRST_TRAY

    def correction(self, book: PrinterBook) -> tuple[Feed, Correction]:
        """What follows from it. Raises UsageError."""
        page = _page(book, self.name, self.tray, paper_size(self.paper), self.code)
        if self.scales is None and self.measured is None:
            raise UsageError("nothing was read", f"Add --read {_example(page.size)}, or --measured 99.6mm,100.2mm.")
        correction = page.correction
        if self.scales is not None:
            readings = [parse_reading(part, f"--read {_example(page.size)}") for part in self.scales.split(",")]
            correction = registered(readings, page.size, page.flip, correction)
        if self.measured is not None:
            correction = _rescaled(correction, self.measured, page.size)
        return Feed(self.tray, page.size, page.flip), correction


def store_reading(reading: PageReading) -> tuple[Feed, Correction]:
    """Puts in force what a page reads. Raises UsageError."""
    with changed_book() as book:
        feed, correction = reading.correction(book)
        book.put(reading.name, feed, correction)
    return feed, correction


def scale_count(paper: str) -> int:
    """How many scales a page of that paper has. Raises UsageError for one that is too small."""
    return len(scales(paper_size(paper)))


def readings_of(readings: Sequence[str]) -> str | None:
    """The readings of all scales, or of the first and the last alone, in one text. Raises UsageError for others."""
    filled = [bool(reading.strip()) for reading in readings]
    if not any(filled):
        return None
    ends = [True, *(False for _ in filled[2:]), True]
    if not all(filled) and filled != ends:
        number = filled.index(False) + 1
        raise UsageError(f"scale {number} has no reading", "Read all of them, or the first and the last alone.")
    return ",".join(reading.strip() for reading in readings if reading.strip())


def forget_printer(name: str) -> int:
    """Forgets a printer; how many corrections it had. Raises UsageError."""
    with changed_book() as book:
        count = len(book.feeds(name))
        del book.printers[name]
    return count


def correction_json(name: str, feed: Feed, correction: Correction) -> dict[str, Any]:
    """A correction as JSON: micrometres, microradians, parts in a million."""
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
    """The page with that code, or the newest, turned on the long edge where no correction says otherwise.

    Raises UsageError where none of this printer, tray and paper has the code.
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
        "Type the command as the page has it, with its --paper and --tray. A new page: "
        + calibrate_command(name, Feed(tray, size, "long-edge")),
    )


def _example(size: Size) -> str:
    return example(size)


def _rescaled(correction: Correction, text: str, size: Size) -> Correction:
    """The correction with the scale that two measured rulers ask for. Raises UsageError."""
    rulers = ruler_lengths(size)
    if rulers is None:
        raise UsageError("a card has no rulers to measure", "Leave --measured out.")
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
        raise UsageError(
            f"{text!r} is more than 3 % off rulers of {to_mm(across):g} and {to_mm(down):g} mm",
            f"Was the page printed to fit? Print it at 100 %. {right}",
        )
    return with_scale(correction, rulers, (lengths[0], lengths[1]))
