"""Words for notices, tables and pages: numbers, pieces of HTML, and words looked for in texts."""

from __future__ import annotations

import getpass
import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape

from carddb.cards.cards import Printing
from carddb.core.names import fold
from carddb.findings import Finding, counts
from carddb.game.parts import ComponentSpec

_SINGULAR = {"error": "error", "not_checkable": "not checkable", "warning": "warning", "info": "info"}
_PLURAL = {"error": "errors", "not_checkable": "not checkable", "warning": "warnings", "info": "infos"}

TAGS = {"S": "checked or computed", "P": "printed", "H": "left to the players"}
"""Who acts on a rule, in words."""


def tally(findings: Sequence[Finding]) -> str:
    """Returns `2 errors, 1 warning`, or `no findings`."""
    parts = [f"{n} {_PLURAL[key] if n != 1 else _SINGULAR[key]}" for key, n in counts(findings).items() if n]
    return ", ".join(parts) or "no findings"


def component_need(component: ComponentSpec) -> str:
    """Returns for whom a component is printed: `per player`, `per table, when named`."""
    per = f"per {component.per.removeprefix('row-per-')}"
    return f"{per}, when named" if component.when_named else per


def user() -> str:
    """Returns the name of the user, for the history of the catalogue."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"


def printing_words(printing: Printing) -> str:
    """Returns `core 12, 2026-06-20, 3 in a playset [01012]`."""
    place = f"{printing.set} {printing.position}".rstrip()
    playset = f"{printing.quantity} in a playset" if printing.quantity else ""
    return f"{', '.join(filter(None, (place, printing.released, playset)))} [{printing.code}]"


_TOKEN = re.compile(r"\S+|\s+")
_LONGEST, _BEFORE = 320, 90
"""Characters of an excerpt, and how many of them may stand before the first word that was looked for."""


class WordSearch:
    """Some words; a text fits that has, for each of them, a word that begins with it."""

    def __init__(self, words: str) -> None:
        self.words = tuple(dict.fromkeys(fold(words).split()))

    def count(self, text: str) -> int:
        """Returns how many of the words a text has."""
        folded = f" {fold(text)}"
        return sum(f" {word}" in folded for word in self.words)

    def fits(self, text: str) -> bool:
        """Returns whether a text has every word; False where there are no words."""
        return bool(self.words) and self.count(text) == len(self.words)

    def excerpt(self, text: str) -> list[tuple[str, bool]]:
        """Returns the part of a text round the first word that was looked for, in pieces: each with
        whether it is one.
        """
        pieces = [
            (token, any(part.startswith(word) for part in fold(token).split() for word in self.words))
            for token in _TOKEN.findall(text)
        ]
        first = next((at for at, (_, hit) in enumerate(pieces) if hit), 0)
        start, room = first, _BEFORE
        while start and len(pieces[start - 1][0]) <= room:
            start -= 1
            room -= len(pieces[start][0])
        shown: list[tuple[str, bool]] = [("… ", False)] if start else []
        room = _LONGEST
        for piece, hit in pieces[start:]:
            room -= len(piece)
            if room < 0:
                return [*shown, ("…", False)]
            shown.append((piece, hit))
        return shown


_HEIGHT = 260
"""Pixels of a face in a notebook."""


def image_html(svg: bytes, label: str) -> str:
    """Returns a drawing as an image of its own, so that its ids do not meet those of others."""
    source, words = f"data:image/svg+xml;base64,{b64encode(svg).decode('ascii')}", escape(label, quote=True)
    return f'<img src="{source}" alt="{words}" title="{words}" style="height:{_HEIGHT}px;margin:4px">'


def findings_html(findings: Iterable[Finding]) -> str:
    """Returns a row a finding: severity, code, place, message and fix."""
    rows = [
        (f.severity.value, f.code, str(f.where[0]) if f.where else "", f.message, f.fix, ", ".join(f.rules))
        for f in findings
    ]
    return table_html(("severity", "code", "place", "message", "fix", "rules"), rows) if rows else ""


def table_html(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Returns a table of texts."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
