"""Faces as PDF operators in micrometres, before they know the file that they will stand in.

What a file gives its own names to stays open: pictures, groups that are written once, characters beyond ASCII. So
the operators of a face are the same whoever makes them, in whatever order.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from carddb.layout.display_list import Face, Group, Path, Picture, Run, Shape, Word
from carddb.layout.fonts import FontBook
from carddb.paint.content_stream import (
    MOST_SHARED,
    ContentStream,
    Letters,
    SharedStream,
    StreamItems,
    TransparentGroup,
    digest,
)
from carddb.paint.font_subset import font_of
from carddb.paint.operators import OperatorWriter, outline
from carddb.paint.pdf_strings import StringEncoder
from carddb.units import Size


class _Operators(NamedTuple):
    """The operators of some shapes, and what they show of ASCII."""

    items: StreamItems
    letters: Letters


_NOTHING = _Operators((), {})


class StreamBuilder:
    """Builds the content streams of faces set in the fonts of a book; what they share is built once."""

    def __init__(self, book: FontBook) -> None:
        self._book = book
        self._encoders: dict[str, StringEncoder] = {}
        self._shared: dict[int, tuple[Group, _Operators]] = {}

    def face(self, face: Face) -> ContentStream:
        """The operators of a face. Raises FontError."""
        return self.stream(face.size, face.shapes)

    def stream(self, size: Size, shapes: tuple[Shape, ...]) -> ContentStream:
        """The operators of some shapes. Raises FontError for a font that cannot be embedded."""
        return ContentStream(size, *self._operators(shapes, within=False))

    def _operators(self, shapes: tuple[Shape, ...], *, within: bool) -> _Operators:
        """`within` others, or on a bare page."""
        writer = OperatorWriter(within=within)
        encoders = self._encoders
        words: dict[str, list[Word]] = {}
        groups: list[Letters] = []
        for shape in shapes:
            if type(shape) is Run:
                first = shape.words[0]
                key = first.font
                encoder = encoders.get(key) or self._encoder(key)
                if key not in words:
                    words[key] = []
                if first.glyphs:
                    writer.glyphs(shape, encoder.font.name)
                else:
                    writer.run(shape, encoder)
                    words[key] += shape.words
            elif type(shape) is Group:
                items, letters = self._group(shape)
                writer.add(items)
                if letters:
                    groups.append(letters)
            elif type(shape) is Path:
                writer.path(shape)
            elif type(shape) is Picture:
                writer.add((shape,))
        items = writer.items()
        if not items:
            return _NOTHING
        own = {key: encoders[key].letters(some) for key, some in words.items()}
        return _Operators(("q\n", *items, "Q\n"), _merged([own, *groups]) if groups else own)

    def _encoder(self, key: str) -> StringEncoder:
        encoder = self._encoders[key] = StringEncoder(font_of(self._book.fonts, key))
        return encoder

    def _group(self, group: Group) -> _Operators:
        if not group.shared:
            return self._inside(group)
        shared = self._shared.get(id(group))
        if shared is None:
            if len(self._shared) >= MOST_SHARED:
                self._shared.clear()
            inside, letters = self._inside(group)
            operators = _Operators((SharedStream(inside, digest(inside)),), letters) if inside else _NOTHING
            # The group is kept, so that no other can have its id.
            shared = self._shared[id(group)] = group, operators
        return shared[1]

    def _inside(self, group: Group) -> _Operators:
        inner, letters = self._operators(group.shapes, within=True)
        if group.opacity < 1000 and inner:
            inner = (TransparentGroup(inner, max(0, group.opacity)),)
        elif not group.clip or not inner:
            return _Operators(inner, letters)
        window = f"{outline(group.clip)}{'W*' if group.evenodd else 'W'} n\n" if group.clip else ""
        return _Operators((f"q\n{window}", *inner, "Q\n"), letters)


def _merged(several: Iterable[Letters]) -> Letters:
    """What all of some operators show."""
    merged: dict[str, int] = {}
    for letters in several:
        for key, characters in letters.items():
            merged[key] = merged.get(key, 0) | characters
    return merged
