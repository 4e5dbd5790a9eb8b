"""Refusals: answers that say what is wrong and what to do about it; text as bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping

from starlette.responses import Response


def text_bytes(text: str) -> bytes:
    """Text as UTF-8; half a character (a lone surrogate) as an escape, which JSON reads as that half."""
    return text.encode("utf-8", "backslashreplace")


def refused(status: int, error: str, remedy: str, headers: Mapping[str, str] | None = None) -> Response:
    """An answer that says what is wrong and what to do about it."""
    text = json.dumps({"error": error, "remedy": remedy}, ensure_ascii=False, separators=(",", ":"))
    return Response(text_bytes(text), status, headers, media_type="application/json")
