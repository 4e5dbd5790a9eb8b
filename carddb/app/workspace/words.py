"""Texts for notices, tables and reports, the templates of reports, and the search for words in texts."""

from __future__ import annotations

import getpass
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING

from carddb.cards.cards import Printing
from carddb.core import assets
from carddb.core.names import fold
from carddb.core.plain_text import amount
from carddb.game.parts import ComponentSpec

if TYPE_CHECKING:
    from jinja2 import Environment

TAGS = {"S": "checked or computed", "P": "printed", "H": "left to the players"}
"""The words for how a rule is covered, by its tag."""


def component_need(component: ComponentSpec) -> str:
    """Returns for whom a component is printed, such as `per player`, and `when named` if it is not always printed."""
    per = f"per {component.per.removeprefix('row-per-')}"
    return f"{per}, when named" if component.when_named else per


def user() -> str:
    """Returns the user's name on this machine, for the history of the catalogue; `unknown` if there is none."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"


def printing_words(printing: Printing) -> str:
    """Returns a printing in words, such as `core 12, 2026-06-20, 3 in a playset [01012]`."""
    place = f"{printing.set} {printing.position}".rstrip()
    playset = f"{printing.quantity} in a playset" if printing.quantity else ""
    artist = f"artist {printing.artist}" if printing.artist else ""
    return f"{', '.join(filter(None, (place, printing.released, playset, artist)))} [{printing.code}]"


_TOKEN = re.compile(r"\S+|\s+")
_LONGEST, _BEFORE = 320, 90
"""The most characters of an excerpt, and the most of them before the first search word."""


class WordSearch:
    """A search for words; a text fits if each search word is the beginning of one of the text's words."""

    def __init__(self, words: str) -> None:
        self.words = tuple(dict.fromkeys(fold(words).split()))

    def count(self, text: str) -> int:
        """Returns how many of the search words are the beginning of a word of the text."""
        folded = f" {fold(text)}"
        return sum(f" {word}" in folded for word in self.words)

    def fits(self, text: str) -> bool:
        """Returns whether every search word is the beginning of a word of the text; False without search words."""
        return bool(self.words) and self.count(text) == len(self.words)

    def excerpt(self, text: str) -> list[tuple[str, bool]]:
        """Returns the part of a text around the first search word, in pieces, each with whether it is a search word."""
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


@cache
def report_templates() -> Environment:
    """Returns the Jinja environment with the templates of reports."""
    from carddb.paint.html import house_templates  # imports Jinja, 30 ms, only for a page

    environment = house_templates(assets.templates() / "_reports")
    environment.globals["amount"] = amount
    environment.filters["sha256"] = lambda text: b64encode(sha256(text.encode()).digest()).decode()
    return environment


def notebook(kind: str, *values: object) -> str:
    """Returns what a Jupyter notebook shows, as HTML: the macro `kind` of `notebook.html` called with `values`."""
    macro = getattr(report_templates().get_template("notebook.html").module, kind)
    return str(macro(*values)).strip()
