"""Refusals: answers that say what is wrong and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.responses import JSONResponse


def refused(status: int, error: str, remedy: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """An answer that says what is wrong and what to do about it."""
    return JSONResponse({"error": error, "remedy": remedy}, status_code=status, headers=headers)
