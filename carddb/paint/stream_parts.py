"""What a sketch is made of: operators, and what a file will give its own names to."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from carddb.layout.display_list import Picture
from carddb.units import Size

DIGITS = 32
"""Of a digest."""
_BETWEEN = "\f"
"""No operator has it."""
MOST_SHARED = 2_000
"""Shared operators that are remembered."""


class SharedStream(NamedTuple):
    """Operators that come again on other faces, with their digest."""

    pieces: StreamParts
    digest: str


class TransparentGroup(NamedTuple):
    """Operators that are seen through as a whole, `opacity` in thousandths."""

    pieces: StreamParts
    opacity: int


Piece = str | Picture | SharedStream | TransparentGroup
StreamParts = tuple[Piece, ...]
Letters = dict[str, set[str]]
"""Characters of ASCII by the key of their font."""


class ContentStream(NamedTuple):
    """A face's size and its operators, which leave the graphics state as it was.

    `pictures` are the keys of those in it; `letters` has what it shows of ASCII, and may have more.
    """

    size: Size
    pieces: StreamParts
    pictures: tuple[str, ...]
    letters: Letters

    @property
    def digest(self) -> str:
        """What it looks like, in short: equal where two faces print the same, whenever and wherever they are drawn.

        How shapes are grouped counts too, so that another version of a template or of this program may give another
        digest for the same look, never the same for another.
        """
        return digest((f"{self.size.width} {self.size.height}", *self.pieces))


def digest(pieces: StreamParts) -> str:
    """Hex digits of SHA-256 over operators; a font counts by its file, for so it is named, a picture by its key."""
    told = _BETWEEN.join([piece if isinstance(piece, str) else _told(piece) for piece in pieces])
    return hashlib.sha256(told.encode()).hexdigest()[:DIGITS]


def _told(piece: Picture | SharedStream | TransparentGroup) -> str:
    if isinstance(piece, SharedStream):
        return piece.digest
    if isinstance(piece, TransparentGroup):
        return f"{piece.opacity} {digest(piece.pieces)}"
    return repr((piece.key, *piece.box, *piece.clip, piece.angle))
