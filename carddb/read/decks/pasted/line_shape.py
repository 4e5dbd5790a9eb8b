"""What one line of a deck looks like, whatever game it is of and whatever stands beside it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from carddb.read.decks import heading as deck_heading
from carddb.read.decks import line as deck_line
from carddb.read.decks.heading import Heading
from carddb.read.decks.pasted import markup as deck_markup

SHOWN = 200
"""The characters of a line that findings show."""


@dataclass(frozen=True, slots=True)
class LineShape:
    """A line as it was typed (`raw`) and tidied (`text`), what findings show of it, and the kinds of line it may be.

    `pair` is the key and the value of a header line; the value is as it was typed, for a deck's name may have smart
    quotes.
    """

    raw: str
    text: str
    column: int
    shown: str
    heading: Heading | None
    is_comment: bool
    is_struck: bool
    pair: tuple[str, str] | None


@lru_cache(maxsize=1024)  # the same headings and header lines come in deck after deck
def line_shape(raw: str) -> LineShape:
    """The shape of a line without what mail and chat programs do to it."""
    return shape_of(raw, deck_line.tidy(raw))


def shape_of(raw: str, text: str) -> LineShape:
    """The shape of a line that is tidied already."""
    pair = deck_line.key_value(text)
    if pair and ":" in raw:
        pair = pair[0], raw.partition(":")[2].strip()
    return LineShape(
        raw,
        text,
        column=len(raw) - len(raw.lstrip()) + 1,
        shown=shown(raw),
        heading=deck_heading.heading(text),
        is_comment=deck_line.is_comment(text),
        is_struck=deck_markup.is_struck(text),
        pair=pair,
    )


def shown(raw: str) -> str:
    """What findings show of a line."""
    return raw.strip()[:SHOWN]
