"""Refusals: errors with their HTTP status, answers that say what to do about them; text as bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from starlette.responses import Response

from carddb.core.errors import CarddbError, UsageError


class HttpError(CarddbError):
    """A request that the front does not serve; `status` is that of the answer, 503 where it may come again."""

    status = 503

    def __init__(self, message: str, remedy: str = "", status: int = 0) -> None:
        super().__init__(message, remedy)
        if status:
            self.status = status


class Unknown(HttpError):
    """An error: the thing that an address names is not there."""

    status = 404


class Forbidden(HttpError):
    """An error: this front does not do that for whoever asks."""

    status = 403


@contextmanager
def unknown() -> Iterator[None]:
    """Answers 404, not 400, where an address names something that is not there: UsageError becomes Unknown."""
    try:
        yield
    except UsageError as fault:
        raise Unknown(fault.message, fault.remedy) from fault


def text_bytes(text: str) -> bytes:
    """Encodes text as UTF-8; half a character (a lone surrogate) as an escape, which JSON reads as that half."""
    return text.encode("utf-8", "backslashreplace")


def refused(status: int, error: str, remedy: str, headers: Mapping[str, str] | None = None) -> Response:
    """Answers with what is wrong and what to do about it."""
    text = json.dumps({"error": error, "remedy": remedy}, ensure_ascii=False, separators=(",", ":"))
    return Response(text_bytes(text), status, headers, media_type="application/json")
