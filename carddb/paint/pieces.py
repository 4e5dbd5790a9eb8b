"""What a sketch is made of: operators, and what a file will give its own names to."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from carddb.layout.display import Picture
from carddb.units import Size

DIGITS = 32
"""Of a digest."""
_BETWEEN = "\f"
"""No operator has it."""
MOST_SHARED = 2_000
"""Shared operators that are remembered."""


class Shared(NamedTuple):
    """Operators that come again on other faces, with their digest."""

    pieces: Pieces
    digest: str


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

    @property
    def digest(self) -> str:
        """What it looks like, in short: equal where two faces print the same, whenever and wherever they are drawn.

        How shapes are grouped counts too, so that another version of a template or of this program may give another
        digest for the same look, never the same for another.
        """
        return digest((f"{self.size.width} {self.size.height}", *self.pieces))


def digest(pieces: Pieces) -> str:
    """Hex digits of SHA-256 over operators; a font counts by its file, for so it is named, a picture by its key."""
    told = _BETWEEN.join([piece if isinstance(piece, str) else _told(piece) for piece in pieces])
    return hashlib.sha256(told.encode()).hexdigest()[:DIGITS]


def _told(piece: Picture | Shared | Veiled) -> str:
    if isinstance(piece, Shared):
        return piece.digest
    if isinstance(piece, Veiled):
        return f"{piece.opacity} {digest(piece.pieces)}"
    return repr((piece.key, *piece.box, *piece.clip, piece.angle))
