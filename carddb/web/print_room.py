"""The print room: what a selection comes to on paper, its first sheet, and the file of `carddb sheets`."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carddb.app.page_pictures import page_png
from carddb.app.preview_json import preview_json
from carddb.app.project import Project
from carddb.app.sheet_job import PrintResult, SheetJob
from carddb.errors import CarddbError, UsageError
from carddb.findings import has_errors
from carddb.web.answers import Forbidden, Unknown, as_file
from carddb.web.forms import form_of
from carddb.web.front import Front
from carddb.web.pages import front_of, page
from carddb.web.requests import refuse_others
from carddb.web.sheets import job_of

_CHOSEN = ("q", "deck", "game", "on", "format")
_OPTIONS = ("paper", "stock", "card_size", "ink", "flip", "marks", "bleed", "gutter", "margin", "lang", "printer")
_SWITCHES = ("fold", "guides", "outlines", "allow_illegal", "allow_faults")
_FIELDS = (*_CHOSEN, *_OPTIONS, *_SWITCHES, "since")
_DPI = 76
_SIDES = ("front", "back")


class Choice(NamedTuple):
    """A value of an option, what it is called, and a remark."""

    value: str
    label: str
    small: str = ""


CHOICES: Mapping[str, tuple[str, list[Choice]]] = {
    "paper": ("Paper", [Choice("", "Letter", "8.5 × 11 in"), Choice("a4", "A4", "210 × 297 mm")]),
    "stock": ("Stock", [Choice("", "Plain, to cut"), Choice("index-3x5", "Index 3 × 5", "1 a card"),
                        Choice("avery-5388", "Avery 5388", "3 × 5, perforated")]),
    "ink": ("Ink", [Choice("", "Full"), Choice("light", "Light, greys"), Choice("text", "Words alone")]),
    "flip": ("Turning", [Choice("", "Long edge", "both sides"), Choice("short-edge", "Short edge", "both sides"),
                         Choice("none", "Fronts only")]),
    "marks": ("Marks", [Choice("", "At the edges"), Choice("cards", "At every card", "needs a gutter"),
                        Choice("none", "None")]),
}  # fmt: skip
"""The options that the page shows as a choice; the first of each is what carddb does by itself."""


def _values(fields: Mapping[str, str]) -> dict[str, Any]:
    """What was chosen, as the API takes it: empty is left out, a switch is true."""
    texts = {name: fields.get(name, "").strip() for name in (*_CHOSEN, *_OPTIONS)}
    chosen: dict[str, Any] = {name: text for name, text in texts.items() if text}
    return chosen | {name: True for name in _SWITCHES if fields.get(name)}


def command_of(fields: Mapping[str, str]) -> str:
    """The command line that makes the same file."""
    values = _values(fields)
    source = "my.deck" if "deck" in values else values.get("q", "")
    words = ["carddb", "sheets", source]
    for name in ("game", "on", "format", *_OPTIONS):
        if name in values:
            words += [f"--{name.replace('_', '-')}", values[name]]
    words += [f"--{name.replace('_', '-')}" for name in _SWITCHES if name in values]
    return shlex.join([*words, *(["--since", fields["since"]] if fields.get("since") else []), "-o", "sheets.pdf"])


def _allowed(front: Front) -> None:
    if front.public and not front.options.sheets:
        raise Forbidden("this front prints no sheets", "Print them with carddb on your own machine.")


def _printed(front: Front, job: SheetJob, fields: Mapping[str, str]) -> PrintResult:
    """What comes of a job, drawn once for its pictures and its file."""
    cards = [(card.ref, card.values, count) for card, count in job.copies]
    parts = [{name: fields.get(name) for name in _FIELDS}, cards, job.on]
    key = hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()
    if fields.get("since") or key not in front.prints:
        result = job.print_sheets(fields.get("since") or None) if job.may_print() else PrintResult(job, None, [])
        front.prints.keep(key, result)
    return front.prints[key]


async def room(request: Request) -> Response:
    """The print room: a selection in the address, or a deck in a form."""
    front = front_of(request)
    _allowed(front)
    if request.method == "POST":
        fields = await form_of(request)
    else:
        refuse_others(request.query_params, *_FIELDS)
        fields = dict(request.query_params)

    def work() -> dict[str, Any]:
        project = front.project()
        values: dict[str, Any] = {"fields": fields, "choices": CHOICES, "fault": None, "preview": None}
        if not (fields.get("q", "").strip() or fields.get("deck", "").strip()):
            return values
        try:
            return values | _shown(project, fields)
        except CarddbError as fault:
            return values | {"fault": fault}

    values = await front.run(work)
    pictures = urlencode({name: value for name, value in fields.items() if name in _FIELDS and value})
    return page("print.html", front, "print", **values, command=command_of(fields), pictures=pictures)


def _shown(project: Project, fields: Mapping[str, str]) -> dict[str, Any]:
    """What the template sees of a job that can be foreseen."""
    job = job_of(project, _values(fields))
    if not job.copies:
        raise UsageError("no card matches", "Search in the gallery first.")
    preview = job.preview()
    illegal = has_errors(job.selection.findings) and not job.allow_illegal
    return {
        "title": job.title,
        "game": job.game,
        "preview": preview_json(job.title, preview),
        "findings": job.selection.findings if illegal else [],
    }


async def sheet(request: Request) -> Response:
    """A side of the first sheet as PNG."""
    front, side = front_of(request), request.path_params["side"]
    _allowed(front)
    fields = await form_of(request) if request.method == "POST" else dict(request.query_params)
    refuse_others(fields, *_FIELDS)
    if side not in _SIDES:
        raise Unknown("a sheet has a front and a back")

    def work() -> bytes:
        job = job_of(front.project(), _values(fields))
        result = _printed(front, job, fields)
        number = _SIDES.index(side)
        if number >= result.pages:
            raise Unknown("nothing was printed there", "Look at what the page says.")
        return page_png(result.data, number, job.preview().grid.paper, _DPI)

    return Response(await front.run(work), media_type="image/png", headers={"Cache-Control": "no-store"})


async def file(request: Request) -> Response:
    """The PDF, byte for byte that of the command; on one's own machine what is on paper then is remembered."""
    front = front_of(request)
    _allowed(front)
    fields = await form_of(request)

    def work() -> tuple[bytes, str]:
        result = _printed(front, job_of(front.project(), _values(fields)), fields)
        if result.data and not front.public:
            result.remember()
        return result.data, result.job.title

    data, title = await front.run(work)
    if not data:
        return await room(request)
    return as_file(data, f"{title}.pdf", "application/pdf")


ROUTES = [
    Route("/print", room, methods=["GET", "POST"]),
    Route("/print/file", file, methods=["POST"]),
    Route("/print/{side}.png", sheet, methods=["GET", "POST"]),
]
