"""Forms: their fields as texts, uploaded files, and the token that shows whose page they come from."""

from __future__ import annotations

import hmac
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
    """The fields of a form: the last value of each, all values of each, and the files by field."""

    fields: dict[str, str]
    values: dict[str, list[str]]
    files: dict[str, list[Upload]]


async def read_form(request: Request, token: str, most_fields: int, most_files: int, most_bytes: int) -> SentForm:
    """Reads a form with its files.

    Raises Forbidden where it does not carry the token of its page; an empty token stands for none.
    """
    sent = SentForm({}, {}, {})
    async with request.form(max_files=most_files, max_fields=most_fields, max_part_size=most_bytes) as form:
        for name, value in form.multi_items():
            if not isinstance(value, UploadFile):
                sent.values.setdefault(name, []).append(value)
            elif value.filename:  # a field without a file sends an empty name
                sent.files.setdefault(name, []).append(Upload(value.filename, await value.read()))
    own = sent.values.pop(FORM_FIELD, [""])[-1] if token else ""
    if not hmac.compare_digest(own.encode(), token.encode()):
        raise Forbidden("this form is not from a page of this server", "Load the page again.")
    sent.fields.update({name: texts[-1] for name, texts in sent.values.items()})
    return sent


async def sent_form(request: Request) -> SentForm:
    """Reads a form of the front's own pages. Raises Forbidden without the page's token."""
    front = front_of(request)
    token = "" if front.public else front.form_token
    return await read_form(request, token, _MOST_FIELDS, _MOST_FILES, front.mode.most_bytes(request.scope))


async def form_of(request: Request) -> dict[str, str]:
    """Reads the fields of a form, with the text of each file.

    Raises Forbidden without the page's token, UsageError.
    """
    form = await sent_form(request)
    return form.fields | {name: text_of_file(files[-1]) for name, files in form.files.items()}


def text_of_file(file: Upload) -> str:
    """Returns the text of a file. Raises UsageError for one that is no text."""
    text, findings = decode(file.data, file.name)
    if findings:
        raise UsageError(findings[0].message, findings[0].fix)
    return text or ""
