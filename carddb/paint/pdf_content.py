"""Sketches put into a file: what they left open gets the file's own names and codes.

Form XObjects hold what is seen through as a whole, and what a painter is asked to write once.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from fractions import Fraction

from carddb.layout.display_list import Picture
from carddb.layout.fonts import FontBook
from carddb.layout.path import direction
from carddb.paint.font_encoding import FOREIGN
from carddb.paint.operators import number
from carddb.paint.pdf_images import PdfImages
from carddb.paint.pdf_writer import Content, PdfWriter
from carddb.paint.stream_parts import MOST_SHARED, ContentStream, Letters, SharedStream, StreamParts, TransparentGroup
from carddb.units import Box, Size

_EVERYWHERE = Box(-1_000_000, -1_000_000, 4_000_000, 4_000_000)
_FORM_WORTH = 200
"""Bytes of operators above which a group of several pages is smaller as a form."""
_FORM = -1
"""In place of a page: what is shared is as it stays."""


def page_matrix(size: Size) -> str:
    """From micrometres, y downwards, to points, y upwards."""
    return f"0.0028346457 0 0 -0.0028346457 0 {number(Fraction(size.height * 72, 25400))} cm 4 M\n"


class PdfContent:
    """Paints sketches for one PDF; fonts and pictures are put into it when first drawn.

    Raises FontError and InputError for what cannot be embedded.
    """

    def __init__(self, paper: PdfWriter, book: FontBook, images: Mapping[str, bytes]) -> None:
        self._paper = paper
        self._book = book
        self._album = images if isinstance(images, PdfImages) else PdfImages(images, strict=True)
        self._names: dict[str, str] = {}
        self._shared: dict[str, tuple[Content, int]] = {}
        self._letters: Letters = {}
        self.page = 0
        """The page being drawn: what comes again on another is worth a form."""

    def content(self, sketch: ContentStream) -> Content:
        """The operators of a sketch in this file."""
        if sketch.letters is not self._letters:
            self._take()
            self._letters = sketch.letters
        return self._laid(sketch.pieces)

    def finish(self) -> bytes:
        """The bytes of the file; nothing can be painted afterwards. Raises FontError."""
        self._take()
        return self._paper.finish()

    def _take(self) -> None:
        """Gives codes to the letters of the hand that sketched last: it may have met more since it was looked at."""
        for key, chars in self._letters.items():
            self._paper.font(self._book.fonts[key]).take(chars)

    def once(self, content: Content, *, blended: bool = False) -> Content:
        """The same drawing as a form XObject: written once, however often it is drawn."""
        if not content.code:
            return content
        digest = hashlib.sha256(content.code.encode("latin-1")).hexdigest()
        key = f"{'blended' if blended else 'plain'} {digest}"
        name = self._names.get(key)
        if name is None:
            name = self._names[key] = f"X{len(self._names)}"
            self._paper.form(name, content, _EVERYWHERE, blended=blended)
        return Content(f"/{name} Do\n", frozenset({name}))

    def _laid(self, pieces: StreamParts) -> Content:
        names: set[str] = set()
        code: list[str] = []
        for piece in self._lettered(pieces):
            if isinstance(piece, str):
                code.append(piece)
            elif isinstance(piece, Picture):
                code.append(self._picture(piece, names))
            else:
                content = self._again(piece) if isinstance(piece, SharedStream) else self._veiled(piece)
                code.append(content.code)
                names |= content.names
        return Content("".join(code), frozenset(names))

    def _lettered(self, pieces: StreamParts) -> StreamParts:
        """The same with a code for every character, in the fonts that were chosen before it."""
        if "".join([piece for piece in pieces if type(piece) is str]).isascii():
            return pieces
        fonts = {font.name: font for font in map(self._book.fonts.__getitem__, self._letters)}
        font = size = ""

        def coded(match: re.Match[str]) -> str:
            nonlocal font, size
            if match[1]:
                font, size = match.groups()
                return match[0]
            return self._paper.font(fonts[font]).coded(match[0], size)

        return tuple([FOREIGN.sub(coded, piece) if isinstance(piece, str) else piece for piece in pieces])

    def _picture(self, picture: Picture, names: set[str]) -> str:
        use = self._album.use(picture)
        if use is None:
            return ""
        name = f"I{use.number}"
        if use.bitmap:
            self._paper.picture(name, use.bitmap)
        names.add(name)
        clip = picture.clip
        window = "" if clip.contains(picture.box) else f"{clip.x} {clip.y} {clip.width} {clip.height} re W n\n"
        return f"q\n{window}{picture_matrix(use.box, picture.angle)} cm /{name} Do\nQ\n"

    def _again(self, shared: SharedStream) -> Content:
        """Shared operators as they are, and from the second page on as a form where that is shorter."""
        known = self._shared.get(shared.digest)
        if known is None:
            if len(self._shared) >= MOST_SHARED:
                self._shared.clear()
            known = self._shared[shared.digest] = self._laid(shared.pieces), self.page
        elif known[1] not in (self.page, _FORM):
            content = self.once(known[0]) if len(known[0].code) > _FORM_WORTH else known[0]
            known = self._shared[shared.digest] = content, _FORM
        return known[0]

    def _veiled(self, veiled: TransparentGroup) -> Content:
        """Operators seen through as a whole, so that its shapes do not shine through each other."""
        state = self._paper.opacity(veiled.opacity)
        content = self.once(self._laid(veiled.pieces), blended=True)
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
