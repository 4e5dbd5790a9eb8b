"""The pictures of a document: pages that were drawn as for print, put into its PDF as they are, or made a PNG."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from carddb.core.units import Box, Size
from carddb.layout.text.fonts import FontBook
from carddb.paint.pdf.content import PdfContent
from carddb.paint.pdf.content_stream import DrawnPage
from carddb.paint.pdf.sheets import PageContents, sheets_pdf
from carddb.paint.pdf.writer import PdfWriter
from carddb.paint.raster_job import RasterJob, pixels, raster_page
from carddb.paint.rasterizer import png_images


class Figures(NamedTuple):
    """Drawn pages by the source that names them, with the fonts and pictures of all of them."""

    pages: Mapping[str, DrawnPage] = MappingProxyType({})
    book: FontBook = FontBook(())
    images: Mapping[str, bytes] = MappingProxyType({})

    def size(self, source: str) -> Size:
        """The size of a picture, in micrometres."""
        return self.pages[source].page.size

    def png(self, source: str, dpi: int) -> bytes:
        """One picture as PNG bytes. Raises UsageError, InputError, FontError."""
        pdf = sheets_pdf([self.pages[source]], self.book, self.images, title="", two_sided=False)
        return next(png_images(RasterJob(pdf, (raster_page(0, pixels(self.size(source), dpi), dpi),))))


class FigureForms:
    """The pictures of one ReportLab document, each a form XObject that is written once."""

    def __init__(self, document: Any, writer: PdfWriter, figures: Figures) -> None:
        """`writer` writes drawings into the document."""
        self._document, self._figures = document, figures
        self._writer = writer
        self._painter = PdfContent(writer, figures.book, figures.images)
        self._names: dict[str, str] = {}

    def name(self, source: str) -> str:
        """The name under which a canvas draws a picture in its own size, in points, from its lower left corner."""
        name = self._names.get(source)
        if name is None:
            name = self._names[source] = f"figure{len(self._names)}"
            size = self._figures.size(source)
            contents = PageContents(self._painter, self._figures.book)  # each figure counts its faces from 0
            content = contents.of(self._figures.pages[source])
            whole = Box(0, 0, size.width, size.height)
            self._writer.form(self._document.getXObjectName(name), content, whole, blended=False)
        return name

    def close(self) -> None:
        """Names the characters of the pictures, before the fonts are embedded."""
        self._painter.add_characters()
