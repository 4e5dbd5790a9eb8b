"""The page of the owner's printers: test sheets, the form for what was read from them, and the stored corrections."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carddb.app.printing.choices import PrintChoices
from carddb.app.printing.printers import (
    FIRST_TRAY,
    Feed,
    PageReading,
    calibration_page,
    check_name,
    forget_printer,
    open_book,
    readings_of,
    scale_count,
    store_reading,
)
from carddb.core.errors import CarddbError
from carddb.layout.calibration import Correction
from carddb.layout.stock import paper_size
from carddb.press.sheets.proof import lamp_svg, sheet_svg
from carddb.web.http.answers import as_file, form_of
from carddb.web.http.front import Front
from carddb.web.http.pages import front_of, page
from carddb.web.printing.print_room import command_line, option_words

_FLIPS = ("long-edge", "short-edge")
_SCALE = "scale."


class Outcome(NamedTuple):
    """The correction calculated from a reading. `stored` is True if it is in use from now on."""

    feed: Feed
    correction: Correction
    stored: bool
    command: str


def _paper(fields: Mapping[str, str]) -> str:
    return fields.get("paper", "").strip() or "letter"


def _tray(fields: Mapping[str, str]) -> str:
    return check_name(fields.get("tray", "").strip() or FIRST_TRAY)


def _reading(fields: Mapping[str, str]) -> PageReading:
    """Returns the reading that a form contains. Raises UsageError if one of its fields is wrong."""
    count = scale_count(_paper(fields))
    scales = readings_of([fields.get(f"{_SCALE}{number}", "") for number in range(1, count + 1)])
    rulers = [fields.get(name, "").strip() for name in ("across", "down")]
    measured = ",".join(rulers) if any(rulers) else None
    name, code = check_name(fields.get("name", "").strip()), fields.get("code", "").strip() or None
    return PageReading(name, code, scales, measured, _paper(fields), _tray(fields))


def _command(reading: PageReading) -> str:
    """Returns the command line that stores a reading."""
    options = {
        "page": reading.code, "read": reading.scales, "measured": reading.measured,
        "paper": reading.paper if reading.paper != "letter" else None,
        "tray": reading.tray if reading.tray != FIRST_TRAY else None,
    }  # fmt: skip
    return command_line(None, "printer", "set", reading.name, *option_words(options))


async def show(request: Request) -> Response:
    """Shows the printers and the form for readings, for the paper in the URL."""
    return await _page(front_of(request), dict(request.query_params))


async def read(request: Request) -> Response:
    """Shows the correction calculated from a reading. With `store`, also stores it for all later prints."""
    fields = await form_of(request)
    return await _page(front_of(request), fields, outcome=not fields.get("look"))


async def _page(
    front: Front, fields: Mapping[str, str], outcome: bool = False, refusal: CarddbError | None = None
) -> Response:
    def work() -> dict[str, Any]:
        values: dict[str, Any] = {"fields": fields, "fault": refusal, "outcome": None, "count": 0}
        values["papers"] = PrintChoices(front.project()).calibrated_papers
        try:
            values["count"] = scale_count(_paper(fields))
            if outcome:
                reading, stored = _reading(fields), bool(fields.get("store"))
                feed, correction = store_reading(reading) if stored else reading.correction(open_book())
                values["outcome"] = Outcome(feed, correction, stored, _command(reading))
        except CarddbError as fault:
            values["fault"] = fault
        book = open_book()
        values["printers"] = {name: list(book.entries(name)) for name in book.printers}
        return values

    return page("printing/printers.html", front, "print", **await front.run(work))


async def sheet(request: Request) -> Response:
    """Answers with the test sheet as PDF, as `carddb printer calibrate` writes it."""
    front = front_of(request)
    fields = await form_of(request)

    def work() -> tuple[bytes, str]:
        name = fields.get("name", "").strip()
        if name:
            check_name(name)
        flip = fields.get("flip") if fields.get("flip") in _FLIPS else _FLIPS[0]
        printed = calibration_page(front.project(), name or None, _paper(fields), _tray(fields), str(flip))
        return printed.data, name

    try:
        data, name = await front.run(work)
    except CarddbError as fault:
        return await _page(front, fields, refusal=fault)
    return as_file(data, f"{name or 'printer'}-test-sheet.pdf", "application/pdf")


async def forget(request: Request) -> Response:
    """Deletes a printer with all its corrections."""
    front = front_of(request)
    fields = await form_of(request)
    await front.run(lambda: forget_printer(fields.get("printer", "")))
    return await _page(front, {})


async def drawing(request: Request) -> Response:
    """Draws where the scales are on the test sheet, or how a sheet looks when it is held against a lamp."""
    front, paper = front_of(request), _paper(request.query_params)
    lamp = request.path_params["name"] == "lamp"
    text = await front.run(lambda: lamp_svg() if lamp else sheet_svg(paper_size(paper)))
    policy = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; sandbox"
    return Response(text, headers={"Content-Security-Policy": policy}, media_type="image/svg+xml")


ROUTES = [
    Route("/print/printers", show, methods=["GET"]),
    Route("/print/printers", read, methods=["POST"]),
    Route("/print/printers/sheet", sheet, methods=["POST"]),
    Route("/print/printers/forget", forget, methods=["POST"]),
    Route("/print/printers/{name}.svg", drawing, methods=["GET"]),
]
