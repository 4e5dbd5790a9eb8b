"""Writes content streams into a file, replacing their placeholders by the names and codes of that file.

Form XObjects are used for drawings that are transparent as a whole, and for drawings that should be written only once.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from fractions import Fraction

from carddb.core.errors import InputError
from carddb.core.units import Box, Size
from carddb.layout.display_list import OPAQUE, PlacedImage
from carddb.layout.drawing.path import direction
from carddb.layout.text.fonts import FontBook
from carddb.paint.pdf.content_stream import (
    ContentStream,
    GlyphText,
    GradientFill,
    StreamItem,
    StreamItems,
    TransparentGroup,
)
from carddb.paint.pdf.images import PdfImages
from carddb.paint.pdf.operators import number
from carddb.paint.pdf.writer import FONT_CHOSEN, UNCODED, Content, PdfWriter

_EVERYWHERE = Box(-1_000_000, -1_000_000, 4_000_000, 4_000_000)


def page_matrix(size: Size) -> str:
    """Returns the operators that transform micrometres with y downwards into points with y upwards."""
    return f"0.0028346457 0 0 -0.0028346457 0 {number(Fraction(size.height * 72, 25400))} cm 4 M\n"


class PdfContent:
    """The content streams of one PDF. Raises FontError and InputError for what cannot be embedded.

    Fonts and pictures are added to the file when they are first drawn.
    """

    def __init__(self, writer: PdfWriter, book: FontBook, images: Mapping[str, bytes] | PdfImages) -> None:
        self._writer = writer
        writer.before_embedding.append(self._add_characters)
        self._book = book
        self._images = images if isinstance(images, PdfImages) else PdfImages(images, strict=True)
        self._names: dict[str, str] = {}
        self._letters: dict[str, int] = {}
        self._signs: set[str] = set()
        """The operators of the shared icons that were drawn so far."""
        self.page = 0
        """The index of the page being drawn; a face that recurs on another page may become a form."""

    def content(self, stream: ContentStream) -> Content:
        """Returns the operators of a content stream, with the codes and names that this file uses."""
        for key, letters in stream.letters.items():
            self._letters[key] = self._letters.get(key, 0) | letters
        return self._content(stream.items)

    def finish(self) -> bytes:
        """Returns the bytes of the file. Raises InputError if it has no pages, FontError if a font cannot be used."""
        if not self._writer.pages:
            raise InputError("there is nothing to print", "Choose at least one card.")
        return self._writer.finish()

    def _add_characters(self) -> None:
        """Assigns codes to the ASCII characters that the content streams so far have shown."""
        for key, letters in self._letters.items():
            if letters:
                self._writer.font(self._book.fonts[key]).add(letters)

    def once(self, content: Content, *, blended: bool = False) -> Content:
        """Returns the operators that call a form XObject with this drawing, which is written only once."""
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
            elif isinstance(item, PlacedImage):
                code.append(self._picture(item, names))
            elif isinstance(item, GlyphText):
                fonts = map(self._book.fonts.__getitem__, self._letters)
                font = next(font for font in fonts if font.name == item.font)
                code.append(self._writer.glyph_font(font).shown(item))
            elif isinstance(item, GradientFill):
                code.append(self._gradient(item, names))
            else:
                content = self._transparent(item)
                code.append(content.code)
                names |= content.names
        return Content("".join(code), frozenset(names))

    def _encoded(self, items: StreamItems) -> StreamItems:
        """Returns the operators with non-ASCII characters replaced by their codes in the font then selected."""
        if "".join([item for item in items if type(item) is str]).isascii():
            return items
        fonts = {font.name: font for font in map(self._book.fonts.__getitem__, self._letters)}
        font = size = ""

        def encoded(match: re.Match[str]) -> str:
            return self._writer.font(fonts[font]).encoded(match[0], size)

        out: list[StreamItem] = []
        for item in items:
            if not isinstance(item, str):
                out.append(item)
                continue
            first, *rest = FONT_CHOSEN.split(item)
            code = [first if first.isascii() else UNCODED.sub(encoded, first)]
            for font, size, text in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
                code += [f"/{font}+0 {size} Tf[(", text if text.isascii() else UNCODED.sub(encoded, text)]
            out.append("".join(code))
        return tuple(out)

    def _picture(self, picture: PlacedImage, names: set[str]) -> str:
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

    def _gradient(self, fill: GradientFill, names: set[str]) -> str:
        gradient = fill.gradient
        key = f"gradient {gradient}"
        name = self._names.get(key)
        if name is None:
            name = self._names[key] = f"X{len(self._names)}"
            self._writer.gradient(name, gradient)
        names.add(name)
        return f"q\n{fill.window}{' '.join(map(number, gradient.matrix))} cm /{name} Do\nQ\n"

    def _transparent(self, group: TransparentGroup) -> Content:
        """Returns operators whose drawing is transparent as a whole, so that overlapping shapes do not show through.

        An opaque icon is written directly when it is first drawn, and becomes a form from the second time on.
        """
        if group.opacity == OPAQUE:
            content = self._content(group.items)
            if content.code in self._signs:
                return self.once(content)
            self._signs.add(content.code)
            return content
        if self._writer.prepress and not self._writer.prepress.blends:
            standard = self._writer.prepress.standard
            raise InputError(f"a shape is transparent, which {standard} does not allow", "Give it an opaque colour.")
        state = self._writer.opacity(group.opacity)
        content = self.once(self._content(group.items), blended=True)
        return content._replace(code=f"{state} gs {content.code}")


def picture_matrix(box: Box, angle: int) -> str:
    """Returns the operands of `cm` that move the unit square to `box`, rotated by `angle` degrees clockwise.

    The rotation by the nearest multiple of 90 degrees fills the box; the rest is a rotation about the box's centre.
    """
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
