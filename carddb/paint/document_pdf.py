"""A document as PDF: its words flow into the columns of its pages. Platypus is known in `paint.document_*` alone."""

from __future__ import annotations

import string
from collections.abc import Sequence
from io import BytesIO
from typing import Any

from reportlab.pdfgen.canvas import Canvas

from carddb.layout.document_blocks import Document, Paragraph, contents
from carddb.layout.document_fonts import DocumentFonts
from carddb.paint.document_flow import Band, FlowPage, PlacedPiece, flow
from carddb.paint.document_pieces import COLUMNS, MM, Story, rule
from carddb.paint.document_tags import Tag, Tags, artifact
from carddb.paint.document_type import LINE, MID, Typesetter, TypeStyle
from carddb.paint.figures import FigureForms, Figures
from carddb.paint.pdf_writer import VERSION, sign
from carddb.sheet_parts import SIGN
from carddb.units import Size, to_points

_FIRST_TOP, _LATER_TOP, _BOTTOM = 18 * MM, 22 * MM, 23 * MM
_HEAD, _HEAD_RULE = 13.5 * MM, 15.5 * MM
_FOOT, _FOOT_RULE = 13.2 * MM, 17.8 * MM
_FOOTNOTE = 9.6 * MM
_HAIR = 0.57
_FURNISHED = string.digits + f"of hash·\u00a0{SIGN}"
"""Characters that heads and feet add to those of the document."""
_FURNITURE, _PAGE = TypeStyle("label", 7.6, 10, colour=MID), TypeStyle("label", 8.6, 10, weight=500)


def document_pdf(
    document: Document,
    fonts: DocumentFonts,
    paper: Size,
    label: str = "",
    creation: int = 0,
    figures: Figures | None = None,
) -> tuple[bytes, int]:
    """A document as PDF and the number of its pages: tagged, with a bookmark for each heading.

    The same input gives the same bytes. `label` names the paper in the foot, `creation` is seconds since 1970,
    `figures` are the pictures that the document shows. Raises FontError.
    """
    texts = characters(document, label)
    writer = DocumentWriter(document, Typesetter(fonts, texts), paper, label, creation, figures)
    pages = writer.flowed(document, writer.tags.root)
    return writer.finish([(document, pages)]), len(pages)


class DocumentWriter:
    """One PDF on its way to paper: `document` gives its name, language and fingerprint."""

    def __init__(
        self,
        document: Document,
        setter: Typesetter,
        paper: Size,
        label: str,
        creation: int,
        figures: Figures | None = None,
    ) -> None:
        self.document, self.setter = document, setter
        self.width, self.height = to_points(paper.width), to_points(paper.height)
        self.label = label
        self.left = (self.width - COLUMNS.whole) / 2
        self.level = -1
        """Of the last bookmark; the next may lie one level deeper."""
        self.tags = Tags()
        self.figures = figures
        self._out = BytesIO()
        self._canvas = self._opened(creation)
        self.forms = FigureForms(self._canvas._doc, figures) if figures else None

    def flowed(self, document: Document, tag: Tag) -> list[FlowPage]:
        """The pages of a document, which begins a new one."""
        first, later = self.height - _FIRST_TOP - _BOTTOM, self.height - _LATER_TOP - _BOTTOM
        story = Story(document, self.setter, tag, self.figures, self.forms)
        return flow(list(story.pieces()), COLUMNS, first, later)

    def finish(self, documents: Sequence[tuple[Document, Sequence[FlowPage]]]) -> bytes:
        """The bytes of the file with these documents, one after the other; nothing can be added afterwards."""
        canvas, number = self._canvas, 0
        total = sum(len(pages) for _, pages in documents)
        for document, pages in documents:
            for at, page in enumerate(pages):
                number += 1
                top = self.height - (_LATER_TOP if at else _FIRST_TOP)
                for placed in page.placed:
                    self._put(canvas, placed, top)
                for band in page.bands:
                    self._divide(canvas, band, top)
                self._furnish(canvas, document, number, total, head=bool(at))
                canvas.showPage()
        if self.forms:
            self.forms.embed()
        self.tags.write(canvas._doc)
        canvas.showOutline()
        canvas.save()
        return self._out.getvalue()

    def _opened(self, creation: int) -> Any:
        name: Any = self.setter.name(_FURNITURE)
        canvas: Any = Canvas(
            self._out, (self.width, self.height), pageCompression=1, invariant=1, pdfVersion=VERSION,
            lang=self.document.lang, initialFontName=name, initialFontSize=_FURNITURE.size,
        )  # fmt: skip
        sign(canvas._doc, self.document.name, creation)
        canvas.setViewerPreference("DisplayDocTitle", "true")
        return canvas

    def _put(self, canvas: Any, placed: PlacedPiece, top: float) -> None:
        """Draws a piece, and sets its bookmark."""
        x, y = self.left + placed.x, top - placed.y
        if placed.piece.bookmark:
            title, depth, link = placed.piece.bookmark
            level = self.level = min(depth, self.level + 1)
            key = f"{canvas.getPageNumber()} {x:.2f} {y:.2f}"
            canvas.bookmarkPage(key, fit="XYZ", left=0, top=y + 10, zoom=0)
            if target := self.setter.targets.get(link):
                canvas.bookmarkPage(target, fit="XYZ", left=0, top=y + 10, zoom=0)
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

    def _furnish(self, canvas: Any, document: Document, number: int, total: int, head: bool) -> None:
        """The foot of a page, and the head of all but the first of a document."""
        right = self.left + COLUMNS.whole
        rule(canvas, self.left, _FOOT_RULE, COLUMNS.whole, _HAIR, LINE)
        self._text_line(canvas, " · ".join((document.title, *document.facts[:1])), self.left, _FOOT)
        self._text_line(canvas, f"{number} of {total}", self.width / 2, _FOOT, 0.5, _PAGE)
        fingerprint = f"hash {self.document.fingerprint}" if self.document.fingerprint else ""
        self._text_line(canvas, " · ".join(filter(None, (self.label, fingerprint))), right, _FOOT, 1)
        if document.footnote:
            self._text_line(canvas, f"{SIGN} {document.footnote}", self.left, _FOOTNOTE)
        if head:
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


def characters(document: Document, label: str) -> set[str]:
    """All that may be set: the document's words, and those of its head and foot."""
    texts = [part.text for content in contents((Paragraph(document.lead), *document.blocks)) for part in content]
    return set(
        "".join((document.title, *document.facts, document.notice, document.footnote, document.fingerprint, label,
                 *texts, _FURNISHED))
    )  # fmt: skip
