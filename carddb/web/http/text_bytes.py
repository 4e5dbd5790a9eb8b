"""Text of an answer as bytes."""

from __future__ import annotations


def text_bytes(text: str) -> bytes:
    """Text as UTF-8; half a character (a lone surrogate) as an escape, which JSON reads as that half."""
    return text.encode("utf-8", "backslashreplace")
