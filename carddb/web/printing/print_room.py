"""The print room: what a selection comes to on paper, its first sheet, and the file of `carddb sheets`."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carddb.app.printing.card_images import image_file, page_png
from carddb.app.printing.choices import PrintChoices, product_facts
from carddb.app.printing.image_request import ImageRequest
from carddb.app.printing.options import PAPER, unused_options
from carddb.app.printing.preflight import print_proof
from carddb.app.printing.sheet_job import SheetJob, measures, preview_json, total
from carddb.app.workspace.workspace import Notice, Workspace
from carddb.core.errors import CarddbError
from carddb.core.options import declared
from carddb.findings import VERDICTS, Finding, has_errors, verdict
from carddb.web.http.answers import as_file, sent_form, text_of_file
from carddb.web.http.front import Front
from carddb.web.http.pages import front_of, page
from carddb.web.http.refusals import Forbidden, Unknown
from carddb.web.printing.print_form import PrintForm, deck_file_name, seldom_chosen

_DPI = 76
_PROOF_DPI = 300
_SIDES = ("front", "back")
_INKS = {"": "full", "light": "light", "text": "text"}
"""The modes of ink by the values of the form."""


class Drawn(NamedTuple):
    """The facts of a job whose faces are drawn: the ink by mode, faults, and the copies to throw away."""

    inks: Mapping[str, str]
    faults: list[Finding]
    refused: bool
    pulls: list[str]
    notices: tuple[Notice, ...]


def check_printing(front: Front) -> None:
    """Raises Forbidden where a front prints nothing for strangers."""
    if not front.may_print:
        raise Forbidden("this front prints no sheets", "Print them with carddb on your own machine.")


async def _sent(request: Request) -> PrintForm:
    """Reads the form as it was sent; a file of owned cards becomes a part of it, a file of a deck its text."""
    front = front_of(request)
    if request.method == "GET":
        PrintForm(request.query_params)  # an unknown field is refused
        return PrintForm.of(request.query_params, front.public)
    fields, _, files = await sent_form(request)
    if "file" in files:
        fields["deck"] = text_of_file(files["file"][-1])
    if "owned" in files:
        owned = files["owned"][-1]
        fields |= {"owned_name": owned.name, "owned_data": base64.b64encode(owned.data).decode(), "missing": "1"}
    return PrintForm.of(fields, front.public)


async def _asked(request: Request) -> tuple[Front, PrintForm]:
    """Returns the front and the form of a request to print. Raises Forbidden where a front prints nothing."""
    front = front_of(request)
    check_printing(front)
    return front, await _sent(request)


async def room(request: Request) -> Response:
    """Shows the print room with a selection in the address, or a deck in a form."""
    front, form = await _asked(request)
    return await _room(front, form, quick=request.method == "GET" or bool(form.fields.get("quick")))


async def _room(front: Front, form: PrintForm, quick: bool, faults: Sequence[Finding] = ()) -> Response:
    values = await front.run(lambda: _values(front, form, quick))
    if faults:
        values |= {"faults": list(faults), "refused": True}
    return page("printing/print.html", front, "print", **values)


def _values(front: Front, form: PrintForm, quick: bool) -> dict[str, Any]:
    """Returns what the template sees: the choices, and what they come to; `quick` without what takes drawing."""
    project = front.project()
    shown = {name: value for name, value in form.fields.items() if value and name != "quick"}
    values: dict[str, Any] = {
        "fields": form.fields, "choices": PrintChoices(project), "house": form.house_options,
        "more": form.has_measures, "seldom": seldom_chosen(front.public), "paper": PAPER,
        "of_pictures": [declared(ImageRequest)[name] for name in ("dpi", "url")],
        "pictures": urlencode(shown), "inks": {}, "findings": [], "faults": [],
        "job": None, "preview": None, "sizes": [], "all_sizes": [],
        "verdict": "", "kind": None, "refused": False, "fault": None,
    }  # fmt: skip
    if form.is_empty:
        return values
    try:
        return values | _of_job(front, project, form, quick)
    except CarddbError as fault:
        return values | {"fault": fault, "findings": list(fault.findings)}


def _of_job(front: Front, project: Workspace, form: PrintForm, quick: bool) -> dict[str, Any]:
    """Returns what a job comes to. Raises UsageError, InputError, QueryError."""
    kind, job = form.kind, form.job(project)
    illegal = has_errors(job.selection.findings) and not job.allow_illegal
    owned_faulty = has_errors(job.findings)
    lacking, drawn = total(job.copies), None
    preview = job.preview() if job.copies and not kind else None
    unused = [] if kind else filter(None, [unused_options(form.paper, job.options.stock)])
    if not (kind or quick or illegal or owned_faulty or not job.copies):
        drawn = _drawn(front, job, form.since)
    return {
        "job": job,
        "game": job.game,
        "kind": kind,
        "facts": product_facts(form.profile) if form.profile else None,
        "verdict": VERDICTS[verdict(job.selection.findings)] if form.fields.get("deck") else "",
        "illegal": illegal,
        "findings": [*job.selection.findings, *job.findings],
        "refused": illegal or owned_faulty or bool(drawn and drawn.refused) or not job.copies,
        "needed": job.needed,
        "lacking": lacking,
        "preview": preview,
        "all_sizes": [measures(size) for size in preview.sizes] if preview else [],
        "sizes": [(first, preview_json(job.title, part)) for first, part in preview.numbered_parts] if preview else [],
        "drawn": drawn,
        "inks": drawn.inks if drawn else {},
        "faults": drawn.faults if drawn else [],
        "notices": [*unused, *(notice.message for notice in (drawn.notices if drawn else ()))],
        "command": form.command(job.title, None if front.public else project),
    }


def _drawn(front: Front, job: SheetJob, since: str | None) -> Drawn:
    """Draws the faces of a job; with `since` the job has afterwards what is printed alone."""
    result = front.prints.result(job, since)
    job.copies = result.job.copies
    inks = {value: front.prints.ink(job, mode) for value, mode in _INKS.items()} if job.copies else {}
    pulls = [f"{pull.copies} {pull.name} [{pull.ref}]: {pull.why}" for pull in result.pulls]
    return Drawn(inks, list(result.face_findings), not result.data, pulls, result.notices)


async def picture(request: Request) -> Response:
    """Answers with a side of a sheet, the first if none is named, or of the first card of pictures, as PNG."""
    front, form = await _asked(request)
    side, sheet = request.path_params["side"], request.path_params.get("sheet", 1)
    if side not in _SIDES:
        raise Unknown("a sheet has a front and a back")

    def work() -> bytes:
        job, number = form.job(front.project()), _SIDES.index(side)
        if form.kind:
            pictures = front.prints.example(job, form.kind, form.image_request)
            if number < len(pictures):
                return pictures[number]
            raise Unknown("there is no picture of that side")
        if form.since:
            result = front.prints.result(job, form.since)
            job.copies = result.job.copies
        part = job.preview().part_with(sheet) if job.copies else None
        if part is None:
            raise Unknown("there is no such sheet", "Look at what the page says.")
        printed = front.prints.sheet(job, sheet)
        if number >= printed.pages // printed.sheets:
            raise Unknown("nothing was printed there", "Look at what the page says.")
        return page_png(printed.data, number, part.grid.paper, _DPI)

    return Response(await front.run(work), media_type="image/png", headers={"Cache-Control": "no-store"})


async def file(request: Request) -> Response:
    """Answers with the file of the command; on one's own machine what is on paper then is remembered."""
    front, form = await _asked(request)

    def work() -> tuple[bytes, str, Sequence[Finding]]:
        job = form.job(front.project())
        if has_errors(job.findings) or not job.may_print():
            return b"", "", ()
        if form.kind:
            printed = image_file(job, form.kind, form.image_request)
            return printed.data, f"{job.title}.{'pdf' if form.kind == 'pdf' else 'zip'}", printed.findings
        result = front.prints.result(job, form.since)
        if result.data and not front.public and not form.fields.get("no_remember"):
            result.remember()
        return result.data, f"{job.title}.pdf", result.face_findings

    try:
        data, name, faults = await front.run(work)
    except CarddbError:
        return await _room(front, form, quick=False)  # the page says what is wrong
    if not data:
        return await _room(front, form, quick=False, faults=faults)
    return as_file(data, name, "application/pdf" if name.endswith(".pdf") else "application/zip")


async def deck(request: Request) -> Response:
    """Answers with the deck as a file, as the command names it."""
    front = front_of(request)
    form = await _sent(request)
    title = await front.run(lambda: form.job(front.project()).title)
    return as_file(form.fields["deck"].replace("\r\n", "\n").encode(), deck_file_name(title), "text/plain")


async def proof(request: Request) -> Response:
    """Answers with the one card of a selection, its trim and safe lines, as `carddb proof` draws it."""
    front, form = await _asked(request)

    def work() -> tuple[bytes, str]:
        project = front.project()
        job = form.job(project)
        card = job.copies[0][0]
        return print_proof(project, card.ref, job.game.key, job.on, "pdf", _PROOF_DPI, form.paper).data, card.ref

    data, ref = await front.run(work)
    return as_file(data, f"{ref}-proof.pdf", "application/pdf")


ROUTES = [
    Route("/print/proof", proof, methods=["POST"]),
    Route("/print", room, methods=["GET", "POST"]),
    Route("/print/file", file, methods=["POST"]),
    Route("/print/deck", deck, methods=["POST"]),
    Route("/print/{side}.png", picture, methods=["GET", "POST"]),
    Route("/print/{sheet:int}/{side}.png", picture, methods=["GET", "POST"]),
]
