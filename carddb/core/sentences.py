"""Words as the beginning of a sentence."""

from __future__ import annotations


def capital(text: str) -> str:
    """The words with a capital first letter, all others as they are."""
    return text[:1].upper() + text[1:]
