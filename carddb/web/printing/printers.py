"""The page of the owner's printers: test sheets, the form for what was read from them, and the stored corrections."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from carddb.app.printing import printers
from carddb.app.printing.print_room import calibrated_papers
from carddb.core.errors import CarddbError
from carddb.layout.stock import paper_size
from carddb.press.sheets.proof import lamp_svg, sheet_svg
from carddb.web.http.answers import Asked, as_file, route
from carddb.web.http.pages import page
from carddb.web.printing.print_room import command_line, option_words

_FLIPS = ("long-edge", "short-edge")
_SCALE = "scale."


def _paper(fields: Mapping[str, str]) -> str:
    return fields.get("paper", "").strip() or "letter"


def _tray(fields: Mapping[str, str]) -> str:
    return printers.check_name(fields.get("tray", "").strip() or printers.FIRST_TRAY)


def _reading(fields: Mapping[str, str]) -> printers.PageReading:
    """Returns the reading of a calibration page that a form contains. Raises UsageError if a field is wrong."""
    count = printers.scale_count(_paper(fields))
    scales = printers.readings_of([fields.get(f"{_SCALE}{number}", "") for number in range(1, count + 1)])
    rulers = [fields.get(name, "").strip() for name in ("across", "down")]
    measured = ",".join(rulers) if any(rulers) else None
    name, code = printers.check_name(fields.get("name", "").strip()), fields.get("code", "").strip() or None
    return printers.PageReading(name, code, scales, measured, _paper(fields), _tray(fields))


def _command(reading: printers.PageReading) -> str:
    """Returns the command line that stores a reading."""
    options = {
        "page": reading.code, "read": reading.scales, "measured": reading.measured,
        "paper": reading.paper if reading.paper != "letter" else None,
        "tray": reading.tray if reading.tray != printers.FIRST_TRAY else None,
    }  # fmt: skip
    return command_line(None, "printer", "set", reading.name, *option_words(options))


def read(asked: Asked) -> Response:
    """Shows the correction that follows from a reading. With `store`, also stores it for all later prints."""
    return show(asked, asked.fields, outcome=not asked.fields.get("look"))


def show(
    asked: Asked, fields: Mapping[str, str] | None = None, outcome: bool = False, refusal: CarddbError | None = None
) -> Response:
    """Shows printers and the form, filled in with `fields` (default: the URL's); with `outcome`, also the result."""
    fields = asked.query_params if fields is None else fields
    values: dict[str, Any] = {"fields": fields, "fault": refusal, "outcome": None, "count": 0}
    values["papers"] = calibrated_papers()
    try:
        values["count"] = printers.scale_count(_paper(fields))
        if outcome:
            reading, stored = _reading(fields), bool(fields.get("store"))
            feed, correction = printers.store_reading(reading) if stored else reading.correction(printers.open_book())
            command = _command(reading)
            values["outcome"] = {"feed": feed, "correction": correction, "stored": stored, "command": command}
    except CarddbError as fault:
        values["fault"] = fault
    book = printers.open_book()
    values["printers"] = {name: list(book.entries(name)) for name in book.printers}
    return page("printing/printers.html", asked.front, "print", **values)


def sheet(asked: Asked) -> Response:
    """Answers with the test sheet as PDF, as `carddb printer calibrate` writes it."""
    fields = asked.fields
    name, flip = fields.get("name", "").strip(), fields.get("flip", "")
    try:
        if name:
            printers.check_name(name)
        flip = flip if flip in _FLIPS else _FLIPS[0]
        printed = printers.calibration_page(asked.project, name or None, _paper(fields), _tray(fields), flip)
    except CarddbError as fault:
        return show(asked, fields, refusal=fault)
    return as_file(printed.data, f"{name or 'printer'}-test-sheet.pdf")


def forget(asked: Asked) -> Response:
    """Deletes a printer with all its corrections."""
    printers.forget_printer(asked.fields.get("printer", ""))
    return show(asked, {})


def drawing(asked: Asked) -> Response:
    """Draws where the scales are on the test sheet, or how a sheet looks when it is held against a lamp."""
    lamp, size = asked.path_params["name"] == "lamp", paper_size(_paper(asked.query_params))
    policy = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; sandbox"
    headers = {"Content-Security-Policy": policy}
    return Response(lamp_svg() if lamp else sheet_svg(size), headers=headers, media_type="image/svg+xml")


ROUTES = [
    route("/print/printers", show),
    route("/print/printers", read, ["POST"]),
    route("/print/printers/sheet", sheet, ["POST"]),
    route("/print/printers/forget", forget, ["POST"]),
    route("/print/printers/{name}.svg", drawing),
]
