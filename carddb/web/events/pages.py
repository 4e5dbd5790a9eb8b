"""What the pages of events share: the event of an address, its words, and forms that one session or link has opened."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from carddb.app.events import table
from carddb.app.events.table import STATES
from carddb.app.events.tournament import event_called, open_events
from carddb.app.workspace.clock import now
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import CarddbError, UsageError
from carddb.events.store import Event, Events
from carddb.web.http.answers import as_file, status_of
from carddb.web.http.guard import FORM_FIELD
from carddb.web.http.modes import form_token, session_cookie
from carddb.web.http.pages import front_of, page
from carddb.web.http.refusals import Forbidden, Unknown

T = TypeVar("T")

_MOST_FILES, _MOST_FIELDS, _MOST_TEXT = 200, 1000, 10_000_000


@dataclass(frozen=True, slots=True)
class Upload:
    """The fields of a form, those that are there several times, and its files by name."""

    fields: Mapping[str, str]
    values: Mapping[str, list[str]]
    files: list[tuple[str, bytes]]


async def in_event(request: Request, work: Callable[[Workspace, Events, Event], T]) -> T:
    """Does some work with the event of an address. Raises Unknown where there is none, CarddbError."""
    front, key = front_of(request), request.path_params.get("key") or front_of(request).options.event

    def job() -> T:
        project = front.project()
        with open_events(project) as events:
            try:
                event = event_called(events, key)
            except UsageError as fault:
                raise Unknown(fault.message, fault.remedy) from fault
            return work(project, events, event)

    return await front.run(job)


def credential_of(request: Request) -> str:
    """What has opened a page: the session's cookie, or the link; the own front's token stands for itself."""
    link = request.path_params.get("token") or request.path_params.get("code")
    return link or session_cookie(request.headers)


def event_page(template: str, request: Request, *, status: int = 200, **values: Any) -> HTMLResponse:
    """A page about events."""
    front = front_of(request)
    common = {
        "alone": bool(front.options.event),
        "form_token": form_token(front.form_token, credential_of(request)),
        "day_words": table.day_words, "moment_words": table.moment_words, "grouped": table.grouped,
        "left_words": table.left_words, "now": now(), "is_draft": False, "fault": None, "states": STATES,
    }  # fmt: skip
    response = page(template, front, "events", **{**common, **values})
    response.status_code = status
    return response


def fault_page(template: str, request: Request, fault: CarddbError, **values: Any) -> HTMLResponse:
    """The same page with what is wrong, and the status of that."""
    return event_page(template, request, status=status_of(fault), fault=fault, **values)


def event_file(data: bytes, name: str, media_type: str) -> Response:
    """A file of an event to be saved, which no cache keeps."""
    response = as_file(data, name, media_type)
    response.headers["Cache-Control"] = "no-store"
    return response


def base_of(request: Request) -> str:
    """The address of this front, as the browser wrote it."""
    return f"{request.url.scheme}://{request.headers['host']}"


async def upload_of(request: Request) -> Upload:
    """The form of a request. Raises Forbidden without the token of its page, UsageError."""
    front = front_of(request)
    async with request.form(max_files=_MOST_FILES, max_fields=_MOST_FIELDS, max_part_size=_MOST_TEXT) as form:
        upload = Upload(*_texts(form), await _files(form))
    right = form_token(front.form_token, credential_of(request))
    if not hmac.compare_digest(upload.fields.get(FORM_FIELD, "").encode(), right.encode()):
        raise Forbidden("this form is not from a page of this server", "Load the page again.")
    return upload


def seen_version(upload: Upload) -> int:
    """The version that a form was made from; 0 for none."""
    seen = upload.fields.get("seen", "")
    return int(seen) if seen.isdecimal() and len(seen) < 6 else 0


def _texts(form: FormData) -> tuple[dict[str, str], dict[str, list[str]]]:
    values: dict[str, list[str]] = {}
    for name, value in form.multi_items():
        if isinstance(value, str):
            values.setdefault(name, []).append(value)
    return {name: texts[-1] for name, texts in values.items()}, values


async def _files(form: FormData) -> list[tuple[str, bytes]]:
    """The files that were chosen; a field without one sends an empty name."""
    files = [value for _, value in form.multi_items() if isinstance(value, UploadFile)]
    return [(file.filename, await file.read()) for file in files if file.filename]
