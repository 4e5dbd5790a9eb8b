"""A document as PDF: its words flow into the columns of its pages. Platypus is known in `paint.document_*` alone."""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from typing import Any, Literal, NamedTuple

from reportlab.lib.enums import TA_LEFT
from reportlab.pdfgen.canvas import Canvas

from carddb.core.units import Size, points, to_points
from carddb.game.sheet_parts import SIGN
from carddb.layout.documents.blocks import Document, Paragraph, contents
from carddb.layout.documents.fonts import DocumentFonts
from carddb.paint.documents.flow import Band, Columns, FlowPage, PlacedPiece, flow
from carddb.paint.documents.paragraph import LINE, MID, TypeStyle
from carddb.paint.documents.pieces import COLUMNS, MM, Story, rule
from carddb.paint.documents.tags import Tag, Tags, artifact
from carddb.paint.documents.typography import Typesetter
from carddb.paint.figures import FigureForms, Figures
from carddb.paint.pdf.writer import VERSION, PdfWriter, sign

BLANK = 0
Edge = Literal["left", "right"]
"""Where a booklet has its fold: on the left, on the right in languages that are written from right to left."""


_FIRST_TOP, _LATER_TOP, _BOTTOM = 18 * MM, 22 * MM, 23 * MM
_HEAD, _HEAD_RULE = 13.5 * MM, 15.5 * MM
_FOOT, _FOOT_RULE = 13.2 * MM, 17.8 * MM
_FOOTNOTE = 9.6 * MM
_HAIR = 0.57
_BOOKLET_MARGIN = 14 * MM
"""At the left and the right of a page of a booklet."""
_FURNISHED = string.digits + f"of hash·\u00a0{SIGN}"
"""Characters that heads and feet add to those of the document."""
_FURNITURE, _PAGE = TypeStyle("label", 7.6, 10, colour=MID), TypeStyle("label", 8.6, 10, weight=500)


class Side(NamedTuple):
    """One side of a sheet: the numbers of the pages on its left and on its right, BLANK where there is none."""

    left: int
    right: int


def sides(pages: int, fold: Edge = "left") -> list[Side]:
    """The sides of the sheets of a booklet in the order in which they are printed, fronts and backs by turns.

    The sheets lie in one another: the outermost has the first page and the last. The sheet is turned over its short
    edge, so that the page behind a right one stands on the left. With its fold on the right left and right change.
    """
    last = -(-pages // 4) * 4
    pairs = [(last - at, at + 1) if at % 2 == 0 else (at + 1, last - at) for at in range(last // 2)]
    placed = [Side(*(number if number <= pages else BLANK for number in pair)) for pair in pairs]
    return placed if fold == "left" else [Side(side.right, side.left) for side in placed]


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
    writer = DocumentWriter(document, Typesetter(fonts, texts, lang=document.lang), paper, label, creation, figures)
    pages = writer.flowed(document, writer.tags.root)
    return writer.finish([(document, pages)]), len(pages)


def booklet_pdf(
    documents: Sequence[Document],
    fonts: DocumentFonts,
    paper: Size,
    label: str = "",
    creation: int = 0,
    figures: Figures | None = None,
    fold: Edge = "left",
) -> tuple[bytes, int]:
    """Documents as a booklet and the number of its pages: two on each side of a sheet, to be folded and stapled.

    Each document begins a page; `paper` is that of the sheet, upright, and `fold` the edge of a page that is folded.
    Raises FontError.
    """
    texts = set[str]().union(*(characters(document, label) for document in documents))
    page = _half(paper)
    setter = Typesetter(fonts, texts, lang=documents[0].lang)
    writer = DocumentWriter(documents[0], setter, page, label, creation, figures, fold)
    parts = [(document, writer.flowed(document, writer.tags.root)) for document in documents]
    return writer.finish(parts), sum(len(pages) for _, pages in parts)


def booklet_room(paper: Size) -> Size:
    """The room between the margins of a page of a booklet; `paper` is that of the sheet, upright."""
    page = _half(paper)
    across, along = 2 * _BOOKLET_MARGIN, _LATER_TOP + _BOTTOM
    return Size(page.width - points(across), page.height - points(along))


def _half(paper: Size) -> Size:
    """A page of a booklet."""
    return Size(paper.height // 2, paper.width)


class _NumberedPage(NamedTuple):
    """A page of a file: `at` is its place in its document, `number` that in the file of `total` pages."""

    document: Document
    page: FlowPage
    at: int
    number: int
    total: int


class DocumentWriter:
    """One PDF on its way to paper: `document` gives its name, language and fingerprint.

    `paper` is that of a page; a booklet has two of them on each side of a sheet, in one column.
    """

    def __init__(
        self,
        document: Document,
        setter: Typesetter,
        paper: Size,
        label: str,
        creation: int,
        figures: Figures | None = None,
        fold: Edge | None = None,
    ) -> None:
        self.document, self.setter = document, setter
        self.width, self.height = to_points(paper.width), to_points(paper.height)
        self.label = label
        self.fold = fold
        columns = Columns(1, self.width - 2 * _BOOKLET_MARGIN, 0) if fold else COLUMNS
        self.columns = replace(columns, is_right_to_left=setter.is_right_to_left)
        self.left = (self.width - self.columns.whole) / 2
        self.level = -1
        """Of the last bookmark; the next may lie one level deeper."""
        self.tags = Tags()
        self.figures = figures
        self._out = BytesIO()
        self._canvas = self._opened(creation)
        self._writer = PdfWriter.within(self._canvas._doc)
        self.forms = FigureForms(self._canvas._doc, self._writer, figures) if figures else None
        setter.drawing.open(self._writer)

    def flowed(self, document: Document, tag: Tag) -> list[FlowPage]:
        """The pages of a document, which begins a new one."""
        first, later = self.height - _FIRST_TOP - _BOTTOM, self.height - _LATER_TOP - _BOTTOM
        story = Story(document, self.setter, tag, self.figures, self.forms, self.columns)
        return flow(list(story.pieces()), self.columns, first, later)

    def finish(self, documents: Sequence[tuple[Document, Sequence[FlowPage]]]) -> bytes:
        """The bytes of the file with these documents, one after the other; nothing can be added afterwards."""
        canvas = self._canvas
        total = sum(len(pages) for _, pages in documents)
        placed = [(document, page, at) for document, pages in documents for at, page in enumerate(pages)]
        sheets = [_NumberedPage(*each, number, total) for number, each in enumerate(placed, start=1)]
        if self.fold:
            self._bind(canvas, sheets, self.fold)
        else:
            for sheet in sheets:
                self._draw(canvas, sheet)
                canvas.showPage()
        self.setter.drawing.close()
        if self.forms:
            self.forms.close()
        self._writer.embed()
        self.tags.write(canvas._doc)
        canvas.showOutline()
        canvas.save()
        return self._out.getvalue()

    def _bind(self, canvas: Any, sheets: Sequence[_NumberedPage], fold: Edge) -> None:
        """Two pages on each side of a sheet."""
        for side in sides(len(sheets), fold):
            for number, x in ((side.left, 0.0), (side.right, self.width)):
                if number != BLANK:
                    canvas.saveState()
                    canvas.translate(x, 0)
                    self._draw(canvas, sheets[number - 1])
                    canvas.restoreState()
            canvas.showPage()

    def _draw(self, canvas: Any, sheet: _NumberedPage) -> None:
        top = self.height - (_LATER_TOP if sheet.at else _FIRST_TOP)
        for placed in sheet.page.placed:
            self._put(canvas, placed, top)
        for band in sheet.page.bands:
            self._divide(canvas, band, top)
        self._furnish(canvas, sheet.document, sheet.number, sheet.total, head=bool(sheet.at))

    def _opened(self, creation: int) -> Any:
        name: Any = self.setter.name(_FURNITURE)
        size = (self.width * (2 if self.fold else 1), self.height)
        canvas: Any = Canvas(
            self._out, size, pageCompression=1, invariant=1, pdfVersion=VERSION,
            lang=self.document.lang, initialFontName=name, initialFontSize=_FURNITURE.size,
        )  # fmt: skip
        sign(canvas._doc, self.document.name, creation)
        canvas.setViewerPreference("DisplayDocTitle", "true")
        if self.fold:
            canvas.setViewerPreference("Duplex", "DuplexFlipShortEdge")
            canvas.setViewerPreference("PrintScaling", "None")
        return canvas

    def _put(self, canvas: Any, placed: PlacedPiece, top: float) -> None:
        """Draws a piece, and sets its bookmark."""
        x, y = self.left + placed.x, top - placed.y
        if placed.piece.bookmark and not self.fold:  # its pages are not in their order
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
            x = self.left + self.columns.width + self.columns.gutter / 2
            with artifact(canvas):
                canvas.setStrokeColor(LINE)
                canvas.setLineWidth(_HAIR)
                canvas.line(x, top - band.top - 3, x, top - band.bottom)

    def _furnish(self, canvas: Any, document: Document, number: int, total: int, head: bool) -> None:
        """The foot of a page, and the head of all but the first of a document."""
        right = self.left + self.columns.whole
        rule(canvas, self.left, _FOOT_RULE, self.columns.whole, _HAIR, LINE)
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
            rule(canvas, self.left, self.height - _HEAD_RULE, self.columns.whole, _HAIR, LINE)

    def _text_line(
        self, canvas: Any, text: str, x: float, y: float, share: float = 0, style: TypeStyle = _FURNITURE
    ) -> None:
        """A line of furniture on the baseline `y`; `share` of it stands left of `x`."""
        words = self.setter.words(text, style)
        width = self.setter.width(text, style)[0]
        words.style.alignment = TA_LEFT
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
