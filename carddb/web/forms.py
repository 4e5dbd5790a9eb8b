"""Forms: their fields as texts, an uploaded file among them, and the token that shows whose page they come from."""

from __future__ import annotations

import hmac

from starlette.datastructures import UploadFile
from starlette.requests import Request

from carddb.errors import UsageError
from carddb.read.source import decode
from carddb.web.answers import Forbidden
from carddb.web.guard import FORM_FIELD
from carddb.web.pages import front_of

_MOST_FIELDS = 200


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a form, the last value of each. Raises Forbidden without the page's token, UsageError."""
    front = front_of(request)
    fields: dict[str, str] = {}
    async with request.form(max_files=1, max_fields=_MOST_FIELDS, max_part_size=front.most_bytes) as form:
        for name, value in form.multi_items():
            if isinstance(value, UploadFile):
                text, findings = decode(await value.read(), value.filename or "the file")
                if findings:
                    raise UsageError(findings[0].message, findings[0].fix)
                fields[name] = text or ""
            else:
                fields[name] = value
    if not front.public and not hmac.compare_digest(fields.pop(FORM_FIELD, "").encode(), front.form_token.encode()):
        raise Forbidden("this form is not from a page of this server", "Load the page again.")
    return fields
