"""What a face looks like as a short text: equal where two faces print the same, whenever and wherever they are drawn.

A font counts by its file, and only where a face has words in it. How shapes are grouped counts too, so that another
version of a template or of this program may give another digest for the same look, never the same for another.
"""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Sequence
from typing import Any

from carddb.layout.display import Face, Group, Path, Picture, Run, Shape, Stroke
from carddb.layout.fonts import FontBook
from carddb.units import Box

DIGITS = 32
_MOST_KEPT = 4_000
"""Groups whose digests are remembered."""
_PLAIN = 2
"""The last form of `marshal` that writes a value by what it is, not by how often it was met; no writer is faster."""


class Digester:
    """Gives the digests of faces set in the fonts of a book; what faces share is looked at once."""

    def __init__(self, book: FontBook) -> None:
        self._book = book
        self._fonts: dict[str, str] = {}
        self._groups: dict[int, tuple[Group, str]] = {}

    def face(self, face: Face) -> str:
        """Hex digits of SHA-256 over size and shapes."""
        return _hex((face.size.width, face.size.height), self._told(face.shapes))

    def _told(self, shapes: Sequence[Shape]) -> list[Any]:
        """Shapes as plain tuples, each kind of another length."""
        fonts = self._fonts
        out: list[Any] = []
        for shape in shapes:
            if type(shape) is Run:
                x, y, words, colour, angle, _ = shape
                first = words[0]
                font = fonts.get(first.font) or self._font(first.font)
                text = first.text if len(words) == 1 else "".join([word.text for word in words])
                out.append((x, y, angle, colour, font, first.size, first.tracking, text))
            elif type(shape) is Group:
                out.append(self._shared(shape) if shape.shared else self._group(shape))
            elif type(shape) is Path:
                out.append((shape.ops, shape.fill, _line(shape.stroke), shape.evenodd))
            elif type(shape) is Picture:
                out.append((shape.key, _place(shape.box), _place(shape.clip), shape.angle, "picture"))
        return out

    def _shared(self, group: Group) -> str:
        """By identity: the group is kept with its digest, so that no other takes its place meanwhile."""
        known = self._groups.get(id(group))
        if known is None:
            if len(self._groups) >= _MOST_KEPT:
                self._groups.clear()
            known = self._groups[id(group)] = group, self._group(group)
        return known[1]

    def _group(self, group: Group) -> str:
        return _hex((group.clip, group.evenodd, group.opacity), self._told(group.shapes))

    def _font(self, key: str) -> str:
        font = self._book.fonts[key]
        file = hashlib.sha256(font.data).hexdigest()[:DIGITS]
        told = self._fonts[key] = f"{file} {sorted(font.variations.items())}"
        return told


def _line(stroke: Stroke | None) -> tuple[Any, ...] | None:
    return (stroke.colour, stroke.width, stroke.cap, stroke.join, stroke.dash) if stroke else None


def _place(box: Box) -> tuple[int, int, int, int]:
    return box.x, box.y, box.width, box.height


def _hex(frame: tuple[Any, ...], shapes: list[Any]) -> str:
    return hashlib.sha256(marshal.dumps((frame, shapes), _PLAIN)).hexdigest()[:DIGITS]
