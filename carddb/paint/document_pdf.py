"""A document as PDF: its words flow into the columns of its pages. Platypus is known in `paint.document_*` alone."""

from __future__ import annotations

import string
from io import BytesIO
from typing import Any

from reportlab.pdfgen.canvas import Canvas

from carddb.layout.document_blocks import Document, Paragraph, contents
from carddb.layout.document_fonts import DocumentFonts
from carddb.paint.document_flow import Band, PlacedPiece, flow
from carddb.paint.document_pieces import COLUMNS, MM, Story, rule
from carddb.paint.document_tags import Tags, artifact
from carddb.paint.document_type import LINE, MID, Typesetter, TypeStyle
from carddb.paint.pdf_writer import VERSION, sign
from carddb.units import Size, to_points

_FIRST_TOP, _LATER_TOP, _BOTTOM = 18 * MM, 22 * MM, 23 * MM
_HEAD, _HEAD_RULE = 13.5 * MM, 15.5 * MM
_FOOT, _FOOT_RULE = 13.2 * MM, 17.8 * MM
_HAIR = 0.57
_FURNISHED = string.digits + "of hash·\u00a0"
"""Characters that heads and feet add to those of the document."""
_FURNITURE, _PAGE = TypeStyle("label", 7.6, 10, colour=MID), TypeStyle("label", 8.6, 10, weight=500)


def document_pdf(
    document: Document, fonts: DocumentFonts, paper: Size, label: str = "", creation: int = 0
) -> tuple[bytes, int]:
    """A document as PDF and the number of its pages: tagged, with a bookmark for each heading.

    The same input gives the same bytes. `label` names the paper in the foot, `creation` is seconds since 1970.
    Raises FontError.
    """
    return _DocumentWriter(document, fonts, paper, label).pdf(creation)


class _DocumentWriter:
    """One document on its way to paper."""

    def __init__(self, document: Document, fonts: DocumentFonts, paper: Size, label: str) -> None:
        self.document = document
        self.width, self.height = to_points(paper.width), to_points(paper.height)
        self.label = label
        self.left = (self.width - COLUMNS.whole) / 2
        self.setter = Typesetter(fonts, _characters(document, label))
        self.level = -1
        """Of the last bookmark; the next may lie one level deeper."""

    def pdf(self, creation: int) -> tuple[bytes, int]:
        """The bytes of the file, and how many pages it has."""
        tags = Tags()
        story = Story(self.document, self.setter, tags.root)
        first, later = self.height - _FIRST_TOP - _BOTTOM, self.height - _LATER_TOP - _BOTTOM
        pages = flow(list(story.pieces()), COLUMNS, first, later)
        out = BytesIO()
        canvas = self._canvas(out, creation)
        for number, page in enumerate(pages, start=1):
            top = self.height - (_FIRST_TOP if number == 1 else _LATER_TOP)
            for placed in page.placed:
                self._put(canvas, placed, top)
            for band in page.bands:
                self._divide(canvas, band, top)
            self._furnish(canvas, number, len(pages))
            canvas.showPage()
        tags.write(canvas._doc)
        canvas.showOutline()
        canvas.save()
        return out.getvalue(), len(pages)

    def _canvas(self, out: BytesIO, creation: int) -> Any:
        name: Any = self.setter.name(_FURNITURE)
        canvas: Any = Canvas(
            out, (self.width, self.height), pageCompression=1, invariant=1, pdfVersion=VERSION,
            lang=self.document.lang, initialFontName=name, initialFontSize=_FURNITURE.size,
        )  # fmt: skip
        sign(canvas._doc, self.document.name, creation)
        canvas.setViewerPreference("DisplayDocTitle", "true")
        return canvas

    def _put(self, canvas: Any, placed: PlacedPiece, top: float) -> None:
        """Draws a piece, and sets its bookmark."""
        x, y = self.left + placed.x, top - placed.y
        if placed.piece.bookmark:
            title, depth = placed.piece.bookmark
            level = self.level = min(depth, self.level + 1)
            key = f"{canvas.getPageNumber()} {x:.2f} {y:.2f}"
            canvas.bookmarkPage(key, fit="XYZ", left=0, top=y + 10, zoom=0)
            canvas.addOutlineEntry(title, key, level, closed=False)
        placed.piece.flowable.wrap(placed.width, placed.height)  # a vain attempt to split it may have undone its lines
        placed.piece.flowable.drawOn(canvas, x, y - placed.height)

    def _divide(self, canvas: Any, band: Band, top: float) -> None:
        """A hairline between columns."""
        if band.columns > 1:
            x = self.left + COLUMNS.width + COLUMNS.gutter / 2
            with artifact(canvas):
                canvas.setStrokeColor(LINE)
                canvas.setLineWidth(_HAIR)
                canvas.line(x, top - band.top - 3, x, top - band.bottom)

    def _furnish(self, canvas: Any, number: int, total: int) -> None:
        """The foot of a page, and the head of all but the first."""
        document = self.document
        right = self.left + COLUMNS.whole
        rule(canvas, self.left, _FOOT_RULE, COLUMNS.whole, _HAIR, LINE)
        self._text_line(canvas, " · ".join((document.title, *document.facts[:1])), self.left, _FOOT)
        self._text_line(canvas, f"{number} of {total}", self.width / 2, _FOOT, 0.5, _PAGE)
        fingerprint = f"hash {document.fingerprint}" if document.fingerprint else ""
        self._text_line(canvas, " · ".join(filter(None, (self.label, fingerprint))), right, _FOOT, 1)
        if number > 1:
            y = self.height - _HEAD
            self._text_line(canvas, document.title, self.left, y)
            self._text_line(canvas, " · ".join(document.facts), right, y, 1)
            rule(canvas, self.left, self.height - _HEAD_RULE, COLUMNS.whole, _HAIR, LINE)

    def _text_line(
        self, canvas: Any, text: str, x: float, y: float, share: float = 0, style: TypeStyle = _FURNITURE
    ) -> None:
        """A line of furniture on the baseline `y`; `share` of it stands left of `x`."""
        words = self.setter.words(text, style)
        width = self.setter.width(text, style)[0]
        words.wrap(width + 5, style.leading)
        with artifact(canvas):
            words.drawOn(canvas, x - share * width, y - (style.leading - style.size))


def _characters(document: Document, label: str) -> set[str]:
    """All that may be set: the document's words, and those of its head and foot."""
    texts = [part.text for content in contents((Paragraph(document.lead), *document.blocks)) for part in content]
    return set(
        "".join((document.title, *document.facts, document.notice, document.fingerprint, label, *texts, _FURNISHED))
    )
