"""Answers: JSON as the command line writes it, files to be saved, and errors with what to do about them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from starlette.responses import Response

from carddb.app.events.gate import Closed, Overtaken
from carddb.app.tables.tables import TooManyTables, UnknownTable
from carddb.core.errors import CarddbError, CatalogError, GameError, InputError, QueryError, UsageError
from carddb.web.http.refusals import HttpError, refused, text_bytes

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
    """A value as `--json` prints it."""
    text = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
    return Response(text_bytes(text), status, media_type="application/json")


def as_file(data: bytes, name: str, media_type: str) -> Response:
    """Something to be saved under a name."""
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}
    return Response(data, media_type=media_type, headers=headers)


def status_of(fault: CarddbError) -> int:
    """The HTTP status of an error of the library."""
    if isinstance(fault, HttpError):
        return fault.status
    return next((status for kind, status in _STATUS.items() if isinstance(fault, kind)), 500)


def as_error(fault: CarddbError) -> Response:
    """An error of the library, with its findings where it has any."""
    status = status_of(fault)
    if not fault.findings:
        return refused(status, fault.message, fault.remedy, _LATER if status == 503 else None)
    findings = [finding.to_json() for finding in fault.findings]
    return as_json({"error": fault.message, "remedy": fault.remedy, "findings": findings}, status)
