"""Refusals: answers that say what is wrong and what to do about it."""

from __future__ import annotations

import json
from collections.abc import Mapping

from starlette.responses import Response

from carddb.web.http.text_bytes import text_bytes


def refused(status: int, error: str, remedy: str, headers: Mapping[str, str] | None = None) -> Response:
    """An answer that says what is wrong and what to do about it."""
    text = json.dumps({"error": error, "remedy": remedy}, ensure_ascii=False, separators=(",", ":"))
    return Response(text_bytes(text), status, headers, media_type="application/json")
