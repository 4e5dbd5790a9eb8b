"""Faces as PDF operators in micrometres, before they know the file that they will stand in.

What a file gives its own names to stays open: pictures, groups that are written once, characters beyond ASCII. So
the operators of a face are the same whoever makes them, in whatever order.
"""

from __future__ import annotations

from carddb.layout.display_list import Face, Group, Path, Picture, Run, Shape
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


class StreamBuilder:
    """Builds the content streams of faces set in the fonts of a book; what they share is built once."""

    def __init__(self, book: FontBook) -> None:
        self._book = book
        self._encoders: dict[str, StringEncoder] = {}
        self._shared: dict[int, tuple[Group, StreamItems]] = {}
        self._letters: Letters = {}

    def face(self, face: Face) -> ContentStream:
        """The operators of a face. Raises FontError."""
        return self.stream(face.size, face.shapes)

    def stream(self, size: Size, shapes: tuple[Shape, ...]) -> ContentStream:
        """The operators of some shapes. Raises FontError for a font that cannot be embedded."""
        items = self._items(shapes, within=False)
        return ContentStream(size, items, self._letters)

    def _items(self, shapes: tuple[Shape, ...], *, within: bool) -> StreamItems:
        """`within` others, or on a bare page."""
        writer = OperatorWriter(within=within)
        encoders = self._encoders
        for shape in shapes:
            if type(shape) is Run:
                first = shape.words[0]
                key = first.font
                encoder = encoders.get(key) or self._encoder(key)
                if first.glyphs:
                    writer.glyphs(shape, encoder.font.name)
                else:
                    writer.run(shape, encoder)
            elif type(shape) is Group:
                writer.add(self._group(shape))
            elif type(shape) is Path:
                writer.path(shape)
            elif type(shape) is Picture:
                writer.add((shape,))
        items = writer.items()
        return ("q\n", *items, "Q\n") if items else ()

    def _encoder(self, key: str) -> StringEncoder:
        font = font_of(self._book.fonts, key)
        letters = self._letters.setdefault(key, set())
        encoder = self._encoders[key] = StringEncoder(font, letters)
        return encoder

    def _group(self, group: Group) -> StreamItems:
        if not group.shared:
            return self._inside(group)
        shared = self._shared.get(id(group))
        if shared is None:
            if len(self._shared) >= MOST_SHARED:
                self._shared.clear()
            inside = self._inside(group)
            # The group is kept, so that no other can have its id.
            shared = group, (SharedStream(inside, digest(inside)),) if inside else ()
            self._shared[id(group)] = shared
        return shared[1]

    def _inside(self, group: Group) -> StreamItems:
        inner = self._items(group.shapes, within=True)
        if group.opacity < 1000 and inner:
            inner = (TransparentGroup(inner, max(0, group.opacity)),)
        elif not group.clip or not inner:
            return inner
        window = f"{outline(group.clip)}{'W*' if group.evenodd else 'W'} n\n" if group.clip else ""
        return (f"q\n{window}", *inner, "Q\n")
