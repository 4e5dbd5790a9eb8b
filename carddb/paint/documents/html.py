"""Writes a document as one self-contained web page: semantic HTML with embedded fonts and without scripts.

The page is readable on phones, on desktops and on paper. `pages/document.html` is its template.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from string import ascii_letters
from typing import Any

from carddb.core.units import Size
from carddb.game.parts import SIGN
from carddb.layout.documents.blocks import BOLD, HEAVIEST, HEAVY, Document, DocumentFonts, Figure, names_rows, plain
from carddb.layout.text.fonts import Font
from carddb.layout.text.scripts import needs_shaping
from carddb.paint.documents.pieces import NO_FIGURES, Figures
from carddb.paint.font_subset import cut_for_web, outlined
from carddb.paint.html import page_templates, skin_of
from carddb.paint.pdf.sheets import sheets_pdf
from carddb.paint.raster_job import RasterJob, pixels, raster_page
from carddb.paint.rasterizer import png_images

_FEATURES = ("kern", "lnum", "tnum")
_LARGEST = 60_000
"""The most bytes of a font subset that is embedded; in place of a larger one, the browser's own fonts are used."""
_PIXELS = 96 / 25_400
"""CSS pixels per micrometre."""
_FINE = 192
"""The resolution of a figure in pixels per inch, two per CSS pixel."""
_ROOM, _APART = Size(840, 680), 20
"""The largest size of a figure, and the gap between its pictures, in CSS pixels."""
_LARGER = 1.5
"""The largest factor by which pictures on a screen are larger than on paper."""
_ON_PHONES = 1.33
"""The factor by which pictures are larger on phones than on paper."""
_LOWEST = 200
"""The least height of pictures side by side, in CSS pixels; if they would be smaller, they wrap to another row."""

_TEMPLATES = page_templates()
_TEMPLATES.globals |= {"BOLD": BOLD, "HEAVY": HEAVY, "HEAVIEST": HEAVIEST, "SIGN": SIGN}
_TEMPLATES.filters["kind"] = lambda part: type(part).__name__
_TEMPLATES.filters["plain"] = plain
_TEMPLATES.tests["names_rows"] = names_rows


def html_document(
    document: Document, fonts: DocumentFonts, figures: Figures = NO_FIGURES, chapters: Sequence[Document] = ()
) -> bytes:
    """Returns a document as HTML in UTF-8; the same input gives the same bytes.

    `figures` are the pictures in it, and `chapters` the documents of its book, which are pages in the same folder.
    Raises FontError if a font family is unknown.
    """
    used, drawn = _UsedFonts(fonts), _Images(figures)
    return _TEMPLATES.get_template("document.html").render(
        document=document, sections=document.sections, chapters=chapters, fonts=fonts, text=used.text,
        skin=skin_of(fonts, document.accent, document.ground), families=used.families, embedded=used.embedded,
        plate=document.plate if document.plate in figures.pages else "", image=drawn.image,
        narrow=drawn.narrow, height_of=drawn.height_of,
    ).encode()  # fmt: skip


class _UsedFonts:
    """The fonts of a page with the characters used in each, which are recorded while its body is made."""

    def __init__(self, fonts: DocumentFonts) -> None:
        self._fonts = fonts
        self._used: dict[str, tuple[Font, set[str]]] = {}

    def text(self, text: str, role: str, weight: int = 400, italic: bool = False) -> str:
        """Returns `text` unchanged, and records its characters for the font of this role, weight and slant."""
        for font, run in self._fonts.runs(text, self._fonts.font(role, weight, italic))[0]:
            self._used.setdefault(font.key, (font, set()))[1].update(run)
        return text

    def families(self) -> list[str]:
        """Returns the families of the fonts in which the page has letters that need shaping."""
        return [font.family for font, chars in self._used.values() if needs_shaping("".join(chars))]

    def embedded(self) -> list[dict[str, Any]]:
        """Returns the fonts of the page, each cut to its characters and all Latin letters, as values for `skin.css`."""
        faces = []  # all Latin letters, because a server or a site puts a header with other words above the page
        for font, chars in self._used.values():
            data = cut_for_web(outlined(font), chars | set(ascii_letters), _FEATURES)
            if len(data) <= _LARGEST:
                source = f"data:font/ttf;base64,{b64encode(data).decode()}"
                faces.append({"family": font.family, "source": source, "weight": font.weight, "italic": font.italic})
        return faces


class _Images:
    """The pictures of a page."""

    def __init__(self, figures: Figures) -> None:
        self._figures = figures

    def height_of(self, figure: Figure) -> float:
        """Returns the height that all pictures of a figure get, in CSS pixels."""
        sizes = [self._figures.size(picture.source) for picture in figure.pictures]
        width = _ROOM.width - _APART * (len(sizes) - 1)
        beside = max(_LOWEST, width / sum(size.width / size.height for size in sizes))
        return min(_ROOM.height, beside, max(size.height for size in sizes) * _PIXELS * _LARGER)

    def image(self, source: str, height: float | None = None) -> tuple[bytes, int, int]:
        """Returns a picture as PNG, and its width and height in CSS pixels; with `height` None, it has its own."""
        size = self._figures.size(source)
        height = size.height * _PIXELS if height is None else height
        scale = height / size.height
        data = figure_png(self._figures, source, round(_FINE * scale / _PIXELS))
        return data, round(size.width * scale), round(height)

    def narrow(self, source: str) -> tuple[bytes, int, int] | None:
        """Returns the version of a picture for phones, as (PNG, width, height); None if it is the same there."""
        pages = self._figures.narrow
        if source not in pages:
            return None
        images = _Images(self._figures._replace(pages=pages))
        return images.image(source, pages[source].page.size.height * _PIXELS * _ON_PHONES)


def figure_png(figures: Figures, source: str, dpi: int) -> bytes:
    """Returns the picture called `source` as PNG. Raises UsageError, InputError or FontError if that is impossible."""
    pdf = sheets_pdf([figures.pages[source]], figures.book, figures.images, title="", two_sided=False)
    return next(png_images(RasterJob(pdf, (raster_page(0, pixels(figures.size(source), dpi), dpi),))))
