"""Reading requests (form fields, uploads, JSON bodies) and building answers (JSON, downloads, errors)."""

from __future__ import annotations

import hmac
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import quote

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carddb.app.decks.check import CheckRequest
from carddb.app.events.tournament import Closed, Overtaken
from carddb.app.referee import parse_question
from carddb.app.tables.tables import TooManyTables, UnknownTable
from carddb.app.workspace.clock import to_day
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import CarddbError, CatalogError, GameError, InputError, QueryError, UsageError
from carddb.core.names import did_you_mean
from carddb.read.source import decode
from carddb.web.http.front import Front
from carddb.web.http.guard import FORM_FIELD
from carddb.web.http.modes import Forbidden, HttpError, refused, text_bytes
from carddb.web.http.pages import front_of

_MOST_FIELDS, _MOST_FILES = 200, 3


class Upload(NamedTuple):
    """A file that was uploaded with a form."""

    name: str
    data: bytes


class SentForm(NamedTuple):
    """A form as it was sent: each field's last value, all values of each field, and the uploads of each file field."""

    fields: dict[str, str]
    values: dict[str, list[str]]
    files: dict[str, list[Upload]]


async def read_form(request: Request, token: str, most_fields: int, most_files: int, most_bytes: int) -> SentForm:
    """Reads a form with its uploads. Raises Forbidden if it does not carry `token`, unless that is empty."""
    sent = SentForm({}, {}, {})
    async with request.form(max_files=most_files, max_fields=most_fields, max_part_size=most_bytes) as form:
        for name, value in form.multi_items():
            if not isinstance(value, UploadFile):
                sent.values.setdefault(name, []).append(value)
            elif value.filename:  # a file field in which no file was chosen is sent with an empty name
                sent.files.setdefault(name, []).append(Upload(value.filename, await value.read()))
    own = sent.values.pop(FORM_FIELD, [""])[-1]
    request.state.typed = sent.values  # for the page of an error
    if token and not hmac.compare_digest(own.encode(), token.encode()):
        raise Forbidden("this form is not from a page of this server", "Load the page again, and send its form.")
    sent.fields.update({name: texts[-1] for name, texts in sent.values.items()})
    return sent


async def sent_form(request: Request) -> SentForm:
    """Reads a form of this server's own pages. Raises Forbidden if it lacks the page's token."""
    front = front_of(request)
    token = "" if front.public else front.form_token
    return await read_form(request, token, _MOST_FIELDS, _MOST_FILES, front.mode.most_bytes(request.scope))


class Asked(Request):
    """A request with its form (`sent`) or its raw body (`raw`), for functions that answer in the working thread."""

    def __init__(self, request: Request, sent: SentForm, body: bytes = b"") -> None:
        super().__init__(request.scope)
        self.sent = sent
        self.raw = body

    @cached_property
    def front(self) -> Front:
        return front_of(self)

    @cached_property
    def project(self) -> Workspace:
        return self.front.project()

    @cached_property
    def fields(self) -> dict[str, str]:
        """The fields of the form, with each uploaded file as its text. Raises UsageError if a file is not text."""
        return self.sent.fields | {name: text_of_file(files[-1]) for name, files in self.sent.files.items()}

    def query(self, *allowed: str) -> Mapping[str, str]:
        """Returns the fields in the URL. Raises UsageError for one that is not `allowed`."""
        refuse_others(self.query_params, *allowed)
        return self.query_params


def route(
    path: str,
    answer: Callable[[Asked], Response],
    methods: Sequence[str] = ("GET",),
    read: Callable[[Request], Awaitable[SentForm]] | None = sent_form,
) -> Route:
    """Returns the route of a page that `answer` makes in the working thread, after `read` has read the form.

    Without `read`, the body of the request is kept in `Asked.raw`.
    """

    async def endpoint(request: Request) -> Response:
        is_sent = request.method == "POST"
        sent = await read(request) if is_sent and read else SentForm({}, {}, {})
        asked = Asked(request, sent, await request.body() if is_sent and not read else b"")
        return await asked.front.run(lambda: answer(asked))

    return Route(path, endpoint, methods=methods)


def text_of_file(file: Upload) -> str:
    """Returns the text of an uploaded file. Raises UsageError if it is not text."""
    text, findings = decode(file.data, file.name)
    if findings:
        raise UsageError(findings[0].message, findings[0].fix)
    return text or ""


_STATUS: Mapping[type[CarddbError], int] = {
    UsageError: 400,
    QueryError: 400,
    InputError: 400,
    GameError: 500,
    CatalogError: 503,
    TooManyTables: 503,
    UnknownTable: 404,
    Closed: 403,
    Overtaken: 409,
}
_LATER = {"Retry-After": "5"}


def as_json(value: Any, status: int = 200) -> Response:
    """Answers with `value` as JSON, formatted as `--json` prints it."""
    text = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
    return Response(text_bytes(text), status, media_type="application/json")


_MEDIA_TYPES = {
    "csv": "text/csv", "deck": "text/plain", "json": "application/json", "pcio": "application/zip",
    "pdf": "application/pdf", "png": "image/png", "zip": "application/zip",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}  # fmt: skip


def as_file(data: bytes, name: str, media_type: str = "") -> Response:
    """Answers with a file to be saved as `name`. Without a `media_type`, the ending of the name decides it."""
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}
    return Response(data, media_type=media_type or _MEDIA_TYPES[name.rpartition(".")[2]], headers=headers)


def status_of(fault: CarddbError | None) -> int:
    """Returns the HTTP status for an error: that of an HttpError, or the one for the error's class; 200 for None."""
    if fault is None:
        return 200
    if isinstance(fault, HttpError):
        return fault.status
    return next((status for kind, status in _STATUS.items() if isinstance(fault, kind)), 500)


def as_error(fault: CarddbError) -> Response:
    """Answers with an error as JSON, including its findings if it has any."""
    status = status_of(fault)
    if not fault.findings:
        return refused(status, fault.message, fault.remedy, _LATER if status == 503 else None)
    findings = [finding.to_json() for finding in fault.findings]
    return as_json({"error": fault.message, "remedy": fault.remedy, "findings": findings}, status)


def json_body(asked: Asked) -> dict[str, Any]:
    """Returns the request's JSON object. Raises UsageError if the body is anything else."""
    value = parse_question(asked.raw, "the body")
    if not isinstance(value, dict):
        raise UsageError("the body must be a JSON object", 'Send one in braces, such as {"game": "guarda"}.')
    return value


def refuse_others(fields: Iterable[str], *allowed: str) -> None:
    """Raises UsageError for the first key in `fields` that is not `allowed`, suggesting the nearest one."""
    for name in fields:
        if name not in allowed:
            raise UsageError(f"there is no key {name!r}", did_you_mean(name, allowed))


def text_of(fields: Mapping[str, Any], name: str) -> str | None:
    """Returns the text in the field `name`; None if it is missing or empty. Raises UsageError if it is not text."""
    value = fields.get(name)
    if value is None or isinstance(value, str):
        return value or None
    raise UsageError(f"{name} must be a text", "Write the value in quotation marks.")


def day_of(fields: Mapping[str, Any], name: str) -> date | None:
    """Returns the day in the field `name`, as 2026-06-20; None if it is missing. Raises UsageError for another text."""
    return to_day(text_of(fields, name))


def moment_of(fields: Mapping[str, Any], name: str) -> date | datetime | None:
    """Returns the day or moment, as 2026-06-20T12:00, in a field; None if missing. Raises UsageError for other text."""
    text = text_of(fields, name)
    if text is None or "T" not in text:
        return to_day(text)
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{text!r} is not a date with a time", "Write it as 2026-06-20T12:00.") from None


def deck_of(fields: Mapping[str, Any]) -> str:
    """Returns the deck's text, which is never read as the name of a file. Raises UsageError if it is missing."""
    text = fields.get("deck")
    if not isinstance(text, str):
        raise UsageError("the request has no deck", 'Send the text of the deck: {"deck": "..."}.')
    return text + "\n"


CHECK_FIELDS = ("deck", "game", "format", "on", "event", "editions", "options")


def check_request(fields: Mapping[str, Any]) -> CheckRequest:
    """Returns the request to check a deck in the way that `fields` describe. Raises UsageError for a wrong value."""
    editions, options, own_format = fields.get("editions") or (), fields.get("options") or {}, fields.get("format")
    if not (isinstance(editions, list | tuple) and all(isinstance(name, str) for name in editions)):
        raise UsageError("editions must be a list of names", 'Write ["NAME"].')
    if not isinstance(options, dict):
        raise UsageError("options must be a JSON object", 'Write {"NAME": VALUE}.')
    return CheckRequest(
        text_of(fields, "game"),
        own_format if isinstance(own_format, dict) else text_of(fields, "format"),
        day_of(fields, "on"),
        day_of(fields, "event"),
        tuple(editions),
        options,
        files=False,
    )
