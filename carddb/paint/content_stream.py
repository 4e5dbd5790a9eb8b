"""Faces as PDF operators in micrometres, before they know the file that they will stand in.

What a file gives its own names to stays open: pictures, groups that are written once, characters beyond ASCII. So
the operators of a face are the same whoever makes them, in whatever order.
"""

from __future__ import annotations

from carddb.layout.display_list import Face, Group, Path, Picture, Run, Shape
from carddb.layout.fonts import FontBook
from carddb.paint.font_subset import font_of
from carddb.paint.operators import OperatorWriter, outline
from carddb.paint.pdf_strings import StringEncoder
from carddb.paint.stream_parts import (
    MOST_SHARED,
    ContentStream,
    Letters,
    SharedStream,
    StreamParts,
    TransparentGroup,
    digest,
)
from carddb.units import Size


class StreamBuilder:
    """Sketches faces set in the fonts of a book; what they share is looked at once."""

    def __init__(self, book: FontBook) -> None:
        self._book = book
        self._spellings: dict[str, StringEncoder] = {}
        self._shared: dict[int, tuple[Group, StreamParts, tuple[str, ...]]] = {}
        self._letters: Letters = {}
        self._pictures: list[str] = []

    def face(self, face: Face) -> ContentStream:
        """The operators of a face. Raises FontError."""
        return self.sketch(face.size, face.shapes)

    def sketch(self, size: Size, shapes: tuple[Shape, ...]) -> ContentStream:
        """The operators of some shapes. Raises FontError for a font that cannot be embedded."""
        self._pictures = []
        pieces = self._pieces(shapes, within=False)
        return ContentStream(size, pieces, tuple(self._pictures), self._letters)

    def _pieces(self, shapes: tuple[Shape, ...], *, within: bool) -> StreamParts:
        """`within` others, or on a bare page."""
        pen = OperatorWriter(within=within)
        spellings = self._spellings
        for shape in shapes:
            if type(shape) is Run:
                key = shape.words[0].font
                pen.run(shape, spellings.get(key) or self._spelling(key))
            elif type(shape) is Group:
                pen.add(self._group(shape))
            elif type(shape) is Path:
                pen.path(shape)
            elif type(shape) is Picture:
                self._pictures.append(shape.key)
                pen.add((shape,))
        pieces = pen.pieces()
        return ("q\n", *pieces, "Q\n") if pieces else ()

    def _spelling(self, key: str) -> StringEncoder:
        font = font_of(self._book.fonts, key)
        letters = self._letters.setdefault(key, set())
        found = self._spellings[key] = StringEncoder(font, letters)
        return found

    def _group(self, group: Group) -> StreamParts:
        if not group.shared:
            return self._inside(group)
        known = self._shared.get(id(group))
        if known is None:
            if len(self._shared) >= MOST_SHARED:
                self._shared.clear()
            before = len(self._pictures)
            inside = self._inside(group)
            # The group is kept, so that no other can have its id.
            known = group, (SharedStream(inside, digest(inside)),) if inside else (), tuple(self._pictures[before:])
            self._shared[id(group)] = known
        else:
            self._pictures += known[2]
        return known[1]

    def _inside(self, group: Group) -> StreamParts:
        inner = self._pieces(group.shapes, within=True)
        if group.opacity < 1000 and inner:
            inner = (TransparentGroup(inner, max(0, group.opacity)),)
        elif not group.clip or not inner:
            return inner
        window = f"{outline(group.clip)}{'W*' if group.evenodd else 'W'} n\n" if group.clip else ""
        return (f"q\n{window}", *inner, "Q\n")
