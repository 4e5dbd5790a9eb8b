"""What a sketch is made of: operators, and what a file will give its own names to."""

from __future__ import annotations

from typing import NamedTuple

from carddb.layout.display import Picture
from carddb.units import Size

MOST_SHARED = 2_000
"""Shared operators that are remembered."""


class Shared(NamedTuple):
    """Operators that come again on other faces."""

    pieces: Pieces


class Veiled(NamedTuple):
    """Operators that are seen through as a whole, `opacity` in thousandths."""

    pieces: Pieces
    opacity: int


Piece = str | Picture | Shared | Veiled
Pieces = tuple[Piece, ...]
Letters = dict[str, set[str]]
"""Characters of ASCII by the key of their font."""


class Sketch(NamedTuple):
    """A face's size and its operators, which leave the graphics state as it was.

    `pictures` are the keys of those in it; `letters` has what it shows of ASCII, and may have more.
    """

    size: Size
    pieces: Pieces
    pictures: tuple[str, ...]
    letters: Letters
