"""Texts as cells of a spreadsheet that would take some of them for formulas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from carddb.core.plain_text import escaped

_SIGNS = ("=", "+", "-", "@", "\t", "\r", "'")


def escaped_text(text: str) -> str:
    """A text as a cell of a spreadsheet: one that would be taken for a formula gets an apostrophe in front."""
    return "'" + text if text.startswith(_SIGNS) else text


def unescaped_text(text: str) -> str:
    """Takes that apostrophe off again."""
    return text[1:] if text[:1] == "'" and text[1:].startswith(_SIGNS) else text


def csv_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """A table as CSV in UTF-8, its texts escaped for spreadsheet programs and terminals."""
    return _csv([columns]) + csv_rows(rows)


def csv_rows(rows: Iterable[Sequence[str]]) -> bytes:
    """Further rows of such a table."""
    return _csv([escaped_text(escaped(cell)) for cell in row] for row in rows)


def _csv(rows: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()
