"""Texts as cells of a spreadsheet that would take some of them for formulas."""

from __future__ import annotations

_SIGNS = ("=", "+", "-", "@", "\t", "\r", "'")


def escaped_text(text: str) -> str:
    """A text as a cell of a spreadsheet: one that would be taken for a formula gets an apostrophe in front."""
    return "'" + text if text.startswith(_SIGNS) else text


def unescaped_text(text: str) -> str:
    """Takes that apostrophe off again."""
    return text[1:] if text[:1] == "'" and text[1:].startswith(_SIGNS) else text
