"""Content streams put into a file: what they left open gets the file's own names and codes.

Form XObjects hold what is transparent as a whole, and what is to be written once.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from fractions import Fraction

from carddb.layout.display_list import Picture
from carddb.layout.fonts import FontBook
from carddb.layout.path import direction
from carddb.paint.content_stream import (
    MOST_SHARED,
    ContentStream,
    GlyphText,
    SharedStream,
    StreamItems,
    TransparentGroup,
)
from carddb.paint.font_encoding import FOREIGN
from carddb.paint.operators import number
from carddb.paint.pdf_images import PdfImages
from carddb.paint.pdf_writer import Content, PdfWriter
from carddb.units import Box, Size

_EVERYWHERE = Box(-1_000_000, -1_000_000, 4_000_000, 4_000_000)
_FORM_WORTH = 200
"""Bytes of operators above which a group of several pages is smaller as a form."""
_FORM = -1
"""In place of a page: the shared content is a form already."""


def page_matrix(size: Size) -> str:
    """From micrometres, y downwards, to points, y upwards."""
    return f"0.0028346457 0 0 -0.0028346457 0 {number(Fraction(size.height * 72, 25400))} cm 4 M\n"


class PdfContent:
    """Content streams for one PDF; fonts and pictures are put into it when first drawn.

    Raises FontError and InputError for what cannot be embedded.
    """

    def __init__(self, writer: PdfWriter, book: FontBook, images: Mapping[str, bytes]) -> None:
        self._writer = writer
        self._book = book
        self._images = images if isinstance(images, PdfImages) else PdfImages(images, strict=True)
        self._names: dict[str, str] = {}
        self._shared: dict[str, tuple[Content, int]] = {}
        self._letters: dict[str, int] = {}
        self.page = 0
        """The page being drawn: what comes again on another is worth a form."""

    def content(self, stream: ContentStream) -> Content:
        """The operators of a content stream in this file."""
        for key, letters in stream.letters.items():
            self._letters[key] = self._letters.get(key, 0) | letters
        return self._content(stream.items)

    def finish(self) -> bytes:
        """The bytes of the file; nothing can be painted afterwards. Raises FontError."""
        self.add_characters()
        return self._writer.finish()

    def add_characters(self) -> None:
        """Gives codes to the characters of ASCII that were shown."""
        for key, letters in self._letters.items():
            if letters:
                self._writer.font(self._book.fonts[key]).add(letters)

    def once(self, content: Content, *, blended: bool = False) -> Content:
        """The same drawing as a form XObject: written once, however often it is drawn."""
        if not content.code:
            return content
        digest = hashlib.sha256(content.code.encode("latin-1")).hexdigest()
        key = f"{'blended' if blended else 'plain'} {digest}"
        name = self._names.get(key)
        if name is None:
            name = self._names[key] = f"X{len(self._names)}"
            self._writer.form(name, content, _EVERYWHERE, blended=blended)
        return Content(f"/{name} Do\n", frozenset({name}))

    def _content(self, items: StreamItems) -> Content:
        names: set[str] = set()
        code: list[str] = []
        for item in self._encoded(items):
            if isinstance(item, str):
                code.append(item)
            elif isinstance(item, Picture):
                code.append(self._picture(item, names))
            elif isinstance(item, GlyphText):
                code.append(self._glyphs(item))
            else:
                content = self._shared_content(item) if isinstance(item, SharedStream) else self._transparent(item)
                code.append(content.code)
                names |= content.names
        return Content("".join(code), frozenset(names))

    def _encoded(self, items: StreamItems) -> StreamItems:
        """The same with a code for every character, in the font that is selected before it."""
        if "".join([item for item in items if type(item) is str]).isascii():
            return items
        fonts = {font.name: font for font in map(self._book.fonts.__getitem__, self._letters)}
        font = size = ""

        def encoded(match: re.Match[str]) -> str:
            nonlocal font, size
            if match[1]:
                font, size = match.groups()
                return match[0]
            return self._writer.font(fonts[font]).encoded(match[0], size)

        return tuple([FOREIGN.sub(encoded, item) if isinstance(item, str) else item for item in items])

    def _glyphs(self, item: GlyphText) -> str:
        font = next(font for font in map(self._book.fonts.__getitem__, self._letters) if font.name == item.font)
        return self._writer.glyph_font(font).shown(item)

    def _picture(self, picture: Picture, names: set[str]) -> str:
        use = self._images.use(picture)
        if use is None:
            return ""
        name = f"I{use.number}"
        if use.image:
            self._writer.picture(name, use.image)
        names.add(name)
        clip = picture.clip
        window = "" if clip.contains(picture.box) else f"{clip.x} {clip.y} {clip.width} {clip.height} re W n\n"
        return f"q\n{window}{picture_matrix(use.box, picture.angle)} cm /{name} Do\nQ\n"

    def _shared_content(self, shared: SharedStream) -> Content:
        """Shared operators as they are, and from the second page on as a form where that is shorter."""
        cached = self._shared.get(shared.digest)
        if cached is None:
            if len(self._shared) >= MOST_SHARED:
                self._shared.clear()
            cached = self._shared[shared.digest] = self._content(shared.items), self.page
        elif cached[1] not in (self.page, _FORM):
            content = self.once(cached[0]) if len(cached[0].code) > _FORM_WORTH else cached[0]
            cached = self._shared[shared.digest] = content, _FORM
        return cached[0]

    def _transparent(self, group: TransparentGroup) -> Content:
        """Operators that are transparent as a whole, so that its shapes do not show through each other."""
        state = self._writer.opacity(group.opacity)
        content = self.once(self._content(group.items), blended=True)
        return Content(f"{state} gs {content.code}" if content.code else "", content.names)


def picture_matrix(box: Box, angle: int) -> str:
    """The unit square, turned clockwise by quarters, into a box; other angles turn the box round its centre."""
    quarter = round(angle / 90) * 90
    x, y, w, h = box.x, box.y, box.width, box.height
    matrix = {
        0: (w, 0, 0, -h, x, y + h),
        90: (0, h, w, 0, x, y),
        180: (-w, 0, 0, h, x + w, y),
        270: (0, -h, -w, 0, x + w, y + h),
    }[quarter % 360]
    rest = angle - quarter
    placed = " ".join(map(number, matrix))
    if not rest:
        return placed
    cos, sin = direction(rest)
    mx, my = x + w / 2, y + h / 2
    turn = (cos, sin, -sin, cos, mx - cos * mx + sin * my, my - sin * mx - cos * my)
    return f"{' '.join(map(number, turn))} cm {placed}"
