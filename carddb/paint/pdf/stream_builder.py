"""Faces as PDF operators in micrometres, before they know the file that they will stand in.

What a file gives its own names to stays open: pictures, what is seen through, characters beyond ASCII. So
the operators of a face are the same whoever makes them, in whatever order.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from carddb.core.units import Size
from carddb.layout.display_list import Face, Group, Path, Picture, Run, Shape, Word
from carddb.layout.text.fonts import FontBook
from carddb.paint.font_subset import font_of
from carddb.paint.pdf.content_stream import OPAQUE, ContentStream, Letters, StreamItems, TransparentGroup
from carddb.paint.pdf.operators import OperatorWriter, outline
from carddb.paint.pdf.strings import StringEncoder


class _Operators(NamedTuple):
    """The operators of some shapes, and what they show of ASCII."""

    items: StreamItems
    letters: Letters


_NOTHING = _Operators((), {})
_HEAVY = 1_000
"""Bytes of operators from which a shared sign is one item, so that a file has it once."""


class StreamBuilder:
    """Builds the content streams of faces set in the fonts of a book."""

    def __init__(self, book: FontBook) -> None:
        self._book = book
        self._encoders: dict[str, StringEncoder] = {}
        self._signs: dict[int, tuple[Group, StreamItems]] = {}
        """Shared signs and their operators, by the id of the sign, which is kept with it; light ones have none."""

    def face(self, face: Face) -> ContentStream:
        """The operators of a face. Raises FontError."""
        return self.stream(face.size, face.shapes)

    def stream(self, size: Size, shapes: tuple[Shape, ...]) -> ContentStream:
        """The operators of some shapes. Raises FontError for a font that cannot be embedded."""
        return ContentStream(size, *self._operators(shapes, within=False))

    def _operators(self, shapes: tuple[Shape, ...], *, within: bool) -> _Operators:
        """`within` others, or on a bare page."""
        writer = OperatorWriter(within=within)
        words: dict[str, list[Word]] = {}
        groups: list[Letters] = []
        self._write(shapes, writer, words, groups)
        items = writer.items()
        if not items:
            return _NOTHING
        own = {key: self._encoders[key].letters(some) for key, some in words.items()}
        return _Operators(("q\n", *items, "Q\n"), _merged([own, *groups]) if groups else own)

    def _write(
        self, shapes: tuple[Shape, ...], writer: OperatorWriter, words: dict[str, list[Word]], groups: list[Letters]
    ) -> None:
        """Writes shapes; `words` takes those that are shown, by font, `groups` the letters of groups."""
        for shape in shapes:
            if type(shape) is Run:
                first = shape.words[0]
                key = first.font
                encoder = self._encoders.get(key) or self._encoder(key)
                if key not in words:
                    words[key] = []
                if first.glyphs:
                    writer.glyphs(shape, encoder.font.name)
                else:
                    writer.run(shape, encoder)
                    words[key] += shape.words
            elif type(shape) is Group:
                if shape.shared and (sign := self._sign(shape)):
                    writer.add(sign)
                    continue
                if shape.is_plain:
                    self._write(shape.shapes, writer, words, groups)
                    continue
                items, letters = self._group(shape)
                writer.add(items)
                if letters:
                    groups.append(letters)
            elif type(shape) is Path:
                writer.path(shape)
            elif type(shape) is Picture:
                writer.add((shape,))

    def _encoder(self, key: str) -> StringEncoder:
        encoder = self._encoders[key] = StringEncoder(font_of(self._book.fonts, key))
        return encoder

    def _sign(self, group: Group) -> StreamItems:
        """The operators of a shared sign, which has no words; none where it is light."""
        known = self._signs.get(id(group))
        if known is None:
            items = self._operators(group.shapes, within=True).items
            is_heavy = sum(len(item) for item in items if isinstance(item, str)) >= _HEAVY
            known = self._signs[id(group)] = group, (TransparentGroup(items, OPAQUE),) if is_heavy else ()
        return known[1]

    def _group(self, group: Group) -> _Operators:
        inner, letters = self._operators(group.shapes, within=True)
        if not inner:
            return _NOTHING
        if group.opacity < OPAQUE:
            inner = (TransparentGroup(inner, max(0, group.opacity)),)
        window = f"{outline(group.clip)}{'W*' if group.evenodd else 'W'} n\n" if group.clip else ""
        return _Operators((f"q\n{window}", *inner, "Q\n"), letters)


def _merged(several: Iterable[Letters]) -> Letters:
    """What all of some operators show."""
    merged: dict[str, int] = {}
    for letters in several:
        for key, characters in letters.items():
            merged[key] = merged.get(key, 0) | characters
    return merged
