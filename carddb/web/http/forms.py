"""Forms: their fields as texts, uploaded files, and the token that shows whose page they come from."""

from __future__ import annotations

import hmac
from collections.abc import Collection
from typing import NamedTuple

from starlette.datastructures import UploadFile
from starlette.requests import Request

from carddb.core.errors import UsageError
from carddb.read.source import decode
from carddb.web.http.guard import FORM_FIELD
from carddb.web.http.pages import front_of
from carddb.web.http.refusals import Forbidden

_MOST_FIELDS, _MOST_FILES = 200, 2


class Upload(NamedTuple):
    """A file that was chosen in a form."""

    name: str
    data: bytes


class SentForm(NamedTuple):
    """The fields of a form, the last value of each, and its files by field."""

    fields: dict[str, str]
    files: dict[str, Upload]


async def sent_form(request: Request, joined: Collection[str] = ()) -> SentForm:
    """A form with its files; all values of the fields that are `joined`, with blanks between.

    Raises Forbidden without the page's token.
    """
    front = front_of(request)
    sent = SentForm({}, {})
    most = front.mode.most_bytes(request.scope)
    async with request.form(max_files=_MOST_FILES, max_fields=_MOST_FIELDS, max_part_size=most) as form:
        for name, value in form.multi_items():
            if not isinstance(value, UploadFile):
                sent.fields[name] = f"{sent.fields[name]} {value}" if name in joined and name in sent.fields else value
            elif value.filename:
                sent.files[name] = Upload(value.filename, await value.read())
    if not front.public and not hmac.compare_digest(
        sent.fields.pop(FORM_FIELD, "").encode(), front.form_token.encode()
    ):
        raise Forbidden("this form is not from a page of this server", "Load the page again.")
    return sent


async def form_of(request: Request, joined: Collection[str] = ()) -> dict[str, str]:
    """The fields of a form, with the text of each file; those that are `joined` as in `sent_form`.

    Raises Forbidden without the page's token, UsageError.
    """
    fields, files = await sent_form(request, joined)
    return fields | {name: text_of_file(file) for name, file in files.items()}


def text_of_file(file: Upload) -> str:
    """The text of a file. Raises UsageError for one that is none."""
    text, findings = decode(file.data, file.name)
    if findings:
        raise UsageError(findings[0].message, findings[0].fix)
    return text or ""
