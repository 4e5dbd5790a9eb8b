"""Writes documents as PDF: on pages with columns, as a booklet to fold, as cards, or as a book."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import chain, pairwise
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from reportlab.lib.enums import TA_LEFT, TA_RIGHT
from reportlab.pdfgen.canvas import Canvas

from carddb.core.errors import UsageError
from carddb.core.groups import grouped
from carddb.core.units import Size, mm, to_points
from carddb.game.parts import SIGN
from carddb.layout.documents.blocks import BOLD, HEAVY, Block, Contents, ContentsLine, Document, DocumentFonts
from carddb.layout.documents.flow import Balance, Columns, FlowPage, PlacedPiece, balanced, flow
from carddb.layout.documents.index import Mention, index, rule_index
from carddb.paint.documents.pieces import MM, NO_FIGURES, FigureForms, Figures, Ruled, Story, columns_of, rule
from carddb.paint.documents.tags import Tag, Tags, artifact
from carddb.paint.documents.typography import IDS_WIDTH, LINE, MID, TaggedParagraph, Typesetter, TypeStyle
from carddb.paint.pdf.writer import VERSION, PdfWriter, sign

BLANK = 0
Binding = Literal["none", "booklet", "booklet-test"]
"""The binding of pages: none, a booklet, or a sheet for testing how the printer prints a booklet."""
Edge = Literal["left", "right"]
"""The edge at which a booklet is folded: left, or right for languages that are written from right to left."""
SIDE, TOP, BOTTOM = 14, 22, 23
"""The margins of a page in millimetres: at both sides, at the top of all pages but the first, and at the bottom."""
_CAPTION = 12
"""The height of a caption of two lines with the space around it, in millimetres."""


def page_of(paper: Size) -> Size:
    """Returns the size of a booklet's page; `paper` is the size of the sheet, upright."""
    return Size(paper.height // 2, paper.width)


def booklet_room(paper: Size) -> Size:
    """Returns the room for a figure above its caption on a booklet's page; `paper` is the sheet, upright."""
    page = page_of(paper)
    return Size(page.width - mm(2 * SIDE), page.height - mm(TOP + BOTTOM + _CAPTION))


class SheetSide(NamedTuple):
    """One side of a sheet: the numbers (from 0) of the pages on its left and right half, BLANK for no page."""

    left: int
    right: int


def sides(pages: int, fold: Edge = "left") -> list[SheetSide]:
    """Returns the sides of a booklet's sheets in printing order, that is, front and back of each sheet in turn.

    The sheets are nested, so the outermost one has the first and the last page. Each sheet is turned about its short
    edge, so the page behind a right one is on the left. If the fold is on the right, left and right are swapped.
    """
    last = -(-pages // 4) * 4
    pairs = [(last - at, at + 1) if at % 2 == 0 else (at + 1, last - at) for at in range(last // 2)]
    placed = [SheetSide(*(number if number <= pages else BLANK for number in pair)) for pair in pairs]
    return placed if fold == "left" else [SheetSide(side.right, side.left) for side in placed]


_FIRST_TOP, _LATER_TOP, _BOTTOM = 18 * MM, TOP * MM, BOTTOM * MM
_HEAD, _HEAD_RULE = 13.5 * MM, 15.5 * MM
_FOOT, _FOOT_RULE = 13.2 * MM, 17.8 * MM
_FOOTNOTE = 9.6 * MM
_HAIR = 0.57
_LEAST_SIZE = 6.5
"""The least size of type, in points; a line in a head or foot is not reduced further, but shortened."""
_ROUNDING = 0.01
_ROOMY = 1.08
"""The largest factor by which the lines of a booklet are set further apart to fill its pages."""
_FULL = Balance(opened=0.25, filled=0.3, amid=0.004)
"""The balance of a chapter of a book: equal space matters more than equal page ends, full pages more than a full last
page or pages that begin with a section."""
_SETTLED = 4
"""The most times that a document with an index of rule ids is laid out, until the page numbers in it are right."""
_FEW, _SOME_ROWS = 2, 180.0
"""The most pages for which more generous layouts of a document are tried; and the height, in points, below which the
last of several pages has only some rows."""
_CARDS_MARGIN, _CARD_SIDE, _CARD_TOP, _CARD_FOOT, _CARD_SIGN = 6 * MM, 4.3 * MM, 17.2 * MM, 13.2 * MM, 10 * MM
_CARD_FRAME = ((1.9 * MM, 0.7 * MM), (2.7 * MM, 0.16 * MM))
"""The two lines of a card's frame, each as (distance from the card's edge, width), in points."""
_CUT, _BEYOND = 0.1 * MM, 4 * MM
"""The width of cutting lines, and how far they extend beyond the cards."""
_CARD_TITLE, _CARD_LINE = TypeStyle("heading", 12, 14, weight=BOLD), TypeStyle("label", 7, 8)
_BOOKLET_MARGIN = SIDE * MM
"""The left and right margin of a booklet's page, in points."""
_END, _END_SIDE = 9 * MM, 1.3 * MM
"""The distance from the last line of a document to the mark of its end, and the side of its squares, in points."""
_BESIDE = 3 * MM
"""The gap between a column and the ids in the margin beside it."""
_FURNITURE, _PAGE = TypeStyle("label", 7.6, 10, colour=MID), TypeStyle("label", 8.6, 10, weight=500)


class PdfResources(NamedTuple):
    """The fonts, paper and pictures that documents are printed with.

    `paper` is the size of the paper in portrait, even if it is used in landscape, and `label` its name for the footer.
    `creation` is in seconds since 1970, and `figures` are the pictures in the documents. A booklet has a `fold`, the
    edge at which its pages are folded.
    """

    fonts: DocumentFonts
    paper: Size
    label: str = ""
    creation: int = 0
    figures: Figures = NO_FIGURES
    fold: Edge | None = None


def document_pdf(document: Document, printing: PdfResources) -> tuple[bytes, int]:
    """Returns a document as PDF, tagged and with a bookmark for each heading, and its number of pages.

    The same input gives the same bytes. Raises FontError if a font family is unknown.
    """
    return fitted_pdf([[document]], printing)


def fitted_pdf(documents: Sequence[Sequence[Document]], printing: PdfResources) -> tuple[bytes, int]:
    """Returns several documents as one PDF, and the number of its pages; `documents` has all layouts of each.

    The layouts are ordered from the best to the most compact. The first that takes no more pages than the last is used,
    or the last if that takes more than a few pages. The pages of each document are numbered separately. Raises
    FontError if a font family is unknown.
    """
    writer = DocumentWriter(documents[0][0], printing)
    for layouts in documents:
        writer.add(writer.fitted(layouts))
    return writer.finish(apart=True)


def booklet_pdf(documents: Sequence[Document], printing: PdfResources) -> tuple[bytes, int]:
    """Returns documents as one PDF with two pages on each side of a sheet, and the number of these pages.

    Each document begins on a new page. Raises FontError if a font family is unknown.
    """
    writer = DocumentWriter(documents[0], printing)
    for document in documents:
        writer.add(writer.tried(document))
    return writer.finish()


class BoundBook(NamedTuple):
    """A document as a booklet with a cover.

    A table of contents with the title `contents` follows the cover. A booklet has a multiple of four pages: if any are
    left over, `back`, a short document on the same subject, and the `imprint` are printed at the end. Otherwise the
    imprint is below the contents if there is room.
    """

    cover: Document
    body: Document
    contents: str
    back: Document | None = None
    imprint: tuple[Block, ...] = ()


def bound_pdf(book: BoundBook, printing: PdfResources) -> tuple[bytes, int]:
    """Returns a booklet with a cover as PDF, and its number of pages. Raises FontError if a font family is unknown."""
    writer = DocumentWriter(book.body, printing)
    least, cover = writer.tried(book.body), writer.tried(book.cover)
    listed = int(any(section.heading for section in book.body.sections))
    free = -(1 + listed + len(least.pages)) % 4
    leaf = replace(book.cover, is_cover=False, plate="", closing="", lead=(), numbered=False)
    imprint = replace(leaf, blocks=book.imprint, closing=book.cover.closing) if book.imprint else None
    ends: list[_Layout] = []
    for end in filter(None, (book.back, imprint)):
        layout = writer.tried(end)
        if len(layout.pages) <= free:
            ends.append(layout)
            free -= len(layout.pages)
    below = () if ends and ends[-1].document is imprint else book.imprint
    if free:  # the pages left over go to the body, whose lines are set further apart
        most = len(least.pages) + free
        leading = book.body.leading * min(most / len(least.pages), _ROOMY)
        roomy = writer.tried(replace(book.body, leading=leading), most)
        least = roomy if len(roomy.pages) == most else writer.tried(book.body, most)
    contents: list[_Layout] = []
    if listed:
        numbers = {section.title: str(section.number) for section in book.body.sections if book.body.numbered}
        sections = [
            ContentsLine(mark.title, mark.level - 1, str(number), mark.link, numbers.get(mark.title, ""))
            for number, page in enumerate(least.pages, start=3)
            for mark in (placed.piece.bookmark for placed in page.placed)
            if mark and mark.level in (1, 2)
        ]
        full, brief = Contents(tuple(sections)), Contents(tuple(line for line in sections if not line.depth))
        choices = ((full, *below), (full,), (brief, *below), (brief,))
        tried = (writer.tried(replace(leaf, title=book.contents, blocks=blocks)) for blocks in choices)
        contents = [next(each for each in tried if len(each.pages) == 1 or each.document.blocks == (brief,))]
    for part in ([cover], contents, [least], ends):
        tag = writer.tags.root.tag("Part")
        for layout in part:
            writer.add(layout, tag)
    return writer.finish()


def cards_pdf(documents: Sequence[Document], card: Size, printing: PdfResources) -> bytes:
    """Returns a document as cards to be cut out; `documents` has its layouts, ordered as in `fitted_pdf`.

    As many copies are printed as fit on the paper. Raises UsageError if the paper is too small, and FontError if a font
    family is unknown.
    """
    writer = CardWriter(documents[0], card, printing)
    writer.add(writer.fitted(documents))
    return writer.finish()[0]


class _Canvas(Canvas):
    """A canvas whose pages do not begin with a font, because every text selects its own."""

    def _make_preamble(self) -> None:
        self._preamble = "1 0 0 1 0 0 cm"


class NumberedPage(NamedTuple):
    """A page of a file: `at` is its index in its document, and `number` its number, of `total` pages, from 1."""

    document: Document
    page: FlowPage
    at: int
    number: int
    total: int
    is_last: bool
    """True for the last page of its document."""


class _Layout(NamedTuple):
    """The pages of a document, and the tag that contains the tags of its pieces."""

    document: Document
    pages: list[FlowPage]
    tag: Tag

    @property
    def extent(self) -> tuple[int, list[int]]:
        """The number of pages, and for each piece that is pinned to the foot of a page the index of that page."""
        pinned = [at for at, page in enumerate(self.pages) for placed in page.placed if placed.piece.pinned]
        return len(self.pages), pinned

    @property
    def is_torn(self) -> bool:
        """True if a table goes on under a repeated title, or if the last of several pages has only some rows."""
        titles = ({getattr(each.piece.flowable, "continued", None) for each in page.placed} for page in self.pages)
        is_cut = any((one & other) - {None} for one, other in pairwise(titles))
        return is_cut or (len(self.pages) > 1 and self.pages[-1].bottom < _SOME_ROWS)


class DocumentWriter:
    """Writes one PDF, whose name, language and fingerprint are those of `document`.

    `targets` is `{link: name of its destination in the file}`. `page` is the size of a page, by default that of the
    paper. A booklet has two pages on each side of a sheet, each with one column.
    """

    def __init__(
        self, document: Document, printing: PdfResources, targets: Mapping[str, str] = MappingProxyType({}),
        page: Size | None = None,
    ) -> None:  # fmt: skip
        self.document, self.label, self.fold = document, printing.label, printing.fold
        page = page or (page_of(printing.paper) if self.fold else printing.paper)
        self.width, self.height = to_points(page.width), to_points(page.height)
        self.level = -1
        """The level of the last bookmark; the next bookmark can be at most one level deeper."""
        self.tags = Tags()
        self._layouts: list[_Layout] = []
        self.figures = printing.figures
        self._out = BytesIO()
        self._canvas = self._opened(printing.creation)
        self._writer = PdfWriter(self._canvas._doc)
        self.setter = Typesetter(printing.fonts, self._writer, targets, document.lang, document.ids)
        self.left = (self.width - self.columns(document).whole) / 2
        self.forms = FigureForms(self._canvas._doc, self._writer, self.figures)

    def columns(self, document: Document) -> Columns:
        """Returns the columns that a document has on each page."""
        columns = Columns(1, self.width - 2 * _BOOKLET_MARGIN, 0) if self.fold else columns_of(document)
        return replace(columns, is_right_to_left=self.setter.is_right_to_left)

    def flowed(self, document: Document, tag: Tag, count: int = 0) -> list[FlowPage]:
        """Returns the pages of a document, if possible at least `count`; the tags of its pieces are added to `tag`.

        Blank space is spread over the last pages, unless the document is compact and not a chapter of a book.
        """
        story = Story(document, self.setter, tag, self.columns(document), self.figures, self.forms)
        pieces = [story.cover(self.height - 2 * _FIRST_TOP)] if document.is_cover else list(story.pieces())
        later = self.height - _LATER_TOP - _BOTTOM
        first = self.height - _FIRST_TOP - _BOTTOM if document.has_title else later
        if document.compact and not document.is_reference:
            return flow(pieces, self.columns(document), first, later)
        if document.file:
            return balanced(pieces, self.columns(document), first, later, aim=_FULL)
        return balanced(pieces, self.columns(document), self.height if document.is_cover else first, later, count)

    def fitted(self, layouts: Sequence[Document]) -> _Layout:
        """Returns the first layout that takes no more pages than the last (or the last, if that takes many).

        Of all that do, the first with no table on two pages and no last page of only some rows is preferred.
        """
        *better, last = layouts
        least = self.tried(last)
        tries = (self.tried(each) for each in better if len(least.pages) <= _FEW)
        fits = chain((each for each in tries if each.extent <= least.extent), [least])
        best = next(fits)
        return next((each for each in chain([best], fits) if not each.is_torn), best)

    def tried(self, document: Document, count: int = 0) -> _Layout:
        """Returns the layout of a document, if possible with `count` pages; its tags do not belong to the file yet.

        A document with an index of rule ids is laid out again until the page numbers in the index are right.
        """
        places: dict[str, str] = {}
        for _ in range(_SETTLED if document.indexed else 1):
            tag = Tag(self.tags, "Document")
            whole = replace(document, blocks=(*document.blocks, *rule_index(document, places)))
            pages = self.flowed(whole, tag, count)
            earlier, places = places, _rule_pages(pages)
            if places == earlier:
                break
        return _Layout(document, pages, tag)

    def add(self, layout: _Layout, tag: Tag | None = None) -> None:
        """Adds a document to the end of the file, and its tags to `tag` or, if None, to the root of the tag tree."""
        self._layouts.append(layout)
        (tag or self.tags.root).inside += layout.tag.inside

    def finish(self, *, apart: bool = False) -> tuple[bytes, int]:
        """Returns the bytes of the file and the number of its pages; after that, nothing can be added.

        Pages are numbered through the whole file or, with `apart`, in each document separately.
        """
        canvas = self._canvas
        total = sum(len(layout.pages) for layout in self._layouts)
        sheets: list[NumberedPage] = []
        for document, pages, _ in self._layouts:
            for at, page in enumerate(pages):
                number, of = (at + 1, len(pages)) if apart else (len(sheets) + 1, total)
                sheets.append(NumberedPage(document, page, at, number, of, at + 1 == len(pages)))
        self.place(canvas, sheets)
        self._writer.embed()
        self.tags.write(canvas._doc)
        canvas.showOutline()
        canvas.save()
        return self._out.getvalue(), total

    def place(self, canvas: Any, sheets: Sequence[NumberedPage]) -> None:
        """Draws the pages in order, or for a booklet two pages on each side of a sheet."""
        if not self.fold:
            for sheet in sheets:
                self.draw(canvas, sheet)
                canvas.showPage()
            return
        for side in sides(len(sheets), self.fold):
            for number, x in ((side.left, 0.0), (side.right, self.width)):
                if number != BLANK:
                    self.draw_at(canvas, sheets[number - 1], x, 0)
            canvas.showPage()

    def draw_at(self, canvas: Any, sheet: NumberedPage, x: float, y: float) -> None:
        """Draws a page with its lower left corner at (`x`, `y`), in points."""
        canvas.saveState()
        canvas.translate(x, y)
        self.draw(canvas, sheet)
        canvas.restoreState()

    def draw(self, canvas: Any, sheet: NumberedPage) -> None:
        """Draws a page with its head and foot."""
        opens = sheet.document.has_title and not sheet.at
        top = self.height - (_FIRST_TOP if opens else _LATER_TOP)
        self.left = (self.width - self.columns(sheet.document).whole) / 2
        self._draw_words(canvas, sheet, top)
        if not sheet.document.is_cover:
            keys = _keys(sheet.page) if sheet.document.is_reference else []
            extent = " – ".join(dict.fromkeys((keys[0], keys[-1]))) if keys else ""
            self._furnish(canvas, sheet.document, sheet.number, sheet.total, extent, head=not opens)
            y = top - sheet.page.bottom - _END
            is_listing = any(isinstance(block, Contents) for block in sheet.document.blocks)
            if sheet.is_last and sheet.page.bands and not is_listing and y > _BOTTOM + sheet.page.foot:
                self._end(canvas, sheet.document, y)

    def _end(self, canvas: Any, document: Document, y: float) -> None:
        """Draws the mark at the end of a document, three squares in the middle of the page."""
        with artifact(canvas):
            canvas.setFillColor(document.accent)
            for place in (-1, 0, 1):
                x = self.width / 2 + place * 3 * _END_SIDE - _END_SIDE / 2
                canvas.rect(x, y, _END_SIDE, _END_SIDE, stroke=0, fill=1)

    def _draw_words(self, canvas: Any, sheet: NumberedPage, top: float) -> None:
        for placed in sheet.page.placed:
            self._put(canvas, placed, top)
        columns = self.columns(sheet.document)
        for band in sheet.page.bands:  # hairlines between columns
            for number in range(1, sum(map(bool, band.columns))):
                x = self.left + number * (columns.width + columns.gutter) - columns.gutter / 2
                with artifact(canvas):
                    canvas.setStrokeColor(LINE)
                    canvas.setLineWidth(_HAIR)
                    canvas.line(x, top - band.top - 3, x, top - band.bottom)
        self._draw_ids(canvas)

    def _draw_ids(self, canvas: Any) -> None:
        """Draws the ids of rules in the margins, level with the paragraphs and rows that state the rules.

        Ids that would overlap, which happens only beside paragraphs side by side, are drawn one below the other.
        """
        lowest = {True: self.height, False: self.height}
        for words, x, y in sorted(self.setter.margin, key=lambda each: -each.y):
            is_left = x < self.width / 2 - 1
            words.alignment = TA_RIGHT if is_left else TA_LEFT
            lowest[is_left] = min(y, lowest[is_left]) - words.wrap(IDS_WIDTH, self.height)[1]
            left = self.left - _BESIDE - IDS_WIDTH if is_left else self.width - self.left + _BESIDE
            words.drawOn(canvas, left, lowest[is_left])
        self.setter.margin.clear()

    def _opened(self, creation: int) -> Any:
        canvas: Any = _Canvas(
            self._out, self.sheet_size(), pageCompression=1, invariant=1, pdfVersion=VERSION, lang=self.document.lang
        )
        sign(canvas._doc, self.document.name, creation)
        canvas.setViewerPreference("DisplayDocTitle", "true")
        if self.fold:
            canvas.setViewerPreference("Duplex", "DuplexFlipShortEdge")
            canvas.setViewerPreference("PrintScaling", "None")
        return canvas

    def sheet_size(self) -> tuple[float, float]:
        """Returns width and height of a sheet, in points."""
        return (self.width * (2 if self.fold else 1), self.height)

    def _put(self, canvas: Any, placed: PlacedPiece, top: float) -> None:
        """Draws a piece, whose y is measured downwards from `top`, in points from the page's foot, and its bookmark."""
        x, y = self.left + placed.x, top - placed.y
        if placed.piece.bookmark and not self.fold:  # a booklet's pages are not in reading order
            title, depth, link = placed.piece.bookmark
            level = self.level = min(depth, self.level + 1)
            key = f"{canvas.getPageNumber()} {x:.2f} {y:.2f}"
            canvas.bookmarkPage(key, fit="XYZ", left=0, top=y + 10, zoom=0)
            if target := self.setter.targets.get(link):
                canvas.bookmarkPage(target, fit="XYZ", left=0, top=y + 10, zoom=0)
            canvas.addOutlineEntry(title, key, level, closed=False)
        placed.piece.flowable.wrap(placed.width, placed.height)  # a failed split may have discarded the piece's lines
        placed.piece.flowable.drawOn(canvas, x, y - placed.height)

    def _furnish(self, canvas: Any, document: Document, number: int, total: int, extent: str, head: bool) -> None:
        """Draws the foot of a page and, with `head`, its head, which names the first and last key (`extent`)."""
        whole = self.columns(document).whole
        right = self.left + whole
        rule(canvas, self.left, _FOOT_RULE, whole, _HAIR, LINE)
        room = whole / 2 - _HEAD
        self._text_line(canvas, " · ".join((document.title, *document.facts[:1])), self.left, _FOOT, room=room)
        self._text_line(canvas, f"{number} of {total}", self.width / 2, _FOOT, 0.5, _PAGE)
        fingerprint = document.fingerprint or self.document.fingerprint
        self._text_line(canvas, " · ".join(filter(None, (self.label, fingerprint))), right, _FOOT, 1)
        if document.footnote and self.setter.drawing.is_signed:
            self._text_line(canvas, f"{SIGN} {document.footnote}", self.left, _FOOTNOTE)
        self.setter.drawing.is_signed = False
        if head:
            y = self.height - _HEAD
            self._text_line(canvas, " · ".join(filter(None, (document.title, extent))), self.left, y, room=whole * 0.7)
            self._text_line(canvas, " · ".join(document.facts), right, y, 1)
            rule(canvas, self.left, self.height - _HEAD_RULE, whole, _HAIR, LINE)

    def _text_line(
        self, canvas: Any, text: str, x: float, y: float, share: float = 0, style: TypeStyle = _FURNITURE,
        room: float = 0,
    ) -> None:  # fmt: skip
        """Draws a line of a head or foot with its baseline at `y`; the fraction `share` of its width is left of `x`.

        If the line is wider than `room` (0: unlimited), it is set smaller and, if that is not enough, shortened.
        """
        width = self.setter.width(text, style)[0]
        if room and width > room:
            size = max(min(style.size, _LEAST_SIZE), style.size * room / width)
            style = replace(style, size=size)
            shorter = (f"{text[:at].rstrip()}…" for at in range(len(text) - 1, 0, -1))
            fits = (each for each in (text, *shorter) if self.setter.width(each, style)[0] <= room + _ROUNDING)
            text = next(fits, "")
            width = self.setter.width(text, style)[0]
        words = self.setter.words(text, style)
        words.alignment = TA_LEFT
        words.wrap(width + 5, style.leading)
        with artifact(canvas):
            words.drawOn(canvas, x - share * width, y - (style.leading - style.size))


class CardWriter(DocumentWriter):
    """Writes one PDF of cards side by side, each with the title, the facts and the fingerprint of the document."""

    def __init__(self, document: Document, card: Size, printing: PdfResources) -> None:
        paper = printing.paper
        self.paper = to_points(paper.width), to_points(paper.height)
        super().__init__(document, printing, page=card)
        self.across, self.down = (
            int((length - 2 * _CARDS_MARGIN) // size)
            for length, size in zip(self.paper, (self.width, self.height), strict=True)
        )
        if not self.across or not self.down:
            raise UsageError(f"a card of {card} does not fit on paper of {paper}", "Choose a larger --paper.")

    def sheet_size(self) -> tuple[float, float]:
        return self.paper

    def columns(self, document: Document) -> Columns:
        return Columns(1, self.width - 2 * _CARD_SIDE, 0, self.setter.is_right_to_left)

    def flowed(self, document: Document, tag: Tag, count: int = 0) -> list[FlowPage]:
        columns, height = self.columns(document), self.height - _CARD_TOP - _CARD_FOOT
        story = Story(document, self.setter, tag, columns, self.figures, self.forms)
        return balanced(list(story.body_pieces()), columns, height, height)

    def place(self, canvas: Any, sheets: Sequence[NumberedPage]) -> None:
        """Draws as many copies of the cards as fit on the paper, whole sets in each row, and lines to cut along."""
        self.across = self.across // len(sheets) * len(sheets) or self.across
        left, foot = (self.paper[0] - self.across * self.width) / 2, (self.paper[1] - self.down * self.height) / 2
        places = [
            (left + column * self.width, foot + row * self.height)
            for row in reversed(range(self.down))
            for column in range(self.across)
        ]
        for start in range(0, len(sheets), len(places)):
            part = sheets[start : start + len(places)]
            for sheet, (x, y) in zip([*part] * (len(places) // len(part)), places, strict=False):
                self.draw_at(canvas, sheet, x, y)
            right, top = left + self.across * self.width, foot + self.down * self.height
            with artifact(canvas):
                canvas.setStrokeColor(LINE)
                canvas.setLineWidth(_CUT)
                for number in range(self.across + 1):
                    x = left + number * self.width
                    canvas.line(x, foot - _BEYOND, x, top + _BEYOND)
                for number in range(self.down + 1):
                    y = foot + number * self.height
                    canvas.line(left - _BEYOND, y, right + _BEYOND, y)
            canvas.showPage()

    def draw(self, canvas: Any, sheet: NumberedPage) -> None:
        document, top = sheet.document, self.height
        with artifact(canvas):
            canvas.setStrokeColor(document.accent)
            for inset, line in _CARD_FRAME:
                canvas.setLineWidth(line)
                canvas.rect(inset, inset, self.width - 2 * inset, top - 2 * inset)
            if document.plate in self.figures.pages:
                canvas.saveState()
                canvas.translate(_CARD_SIDE, top - _CARD_SIDE - _CARD_SIGN)
                canvas.doForm(self.forms.name(document.plate))
                canvas.restoreState()
        left, right, whole = _CARD_SIDE, self.width - _CARD_SIDE, self.width - 2 * _CARD_SIDE
        beside = left + _CARD_SIGN + 2 * MM if document.plate in self.figures.pages else left
        self._draw_words(canvas, sheet, top - _CARD_TOP)
        first, second = (*document.facts, "", "")[:2]
        room = right - beside
        game = replace(_CARD_LINE, role="heading", size=8.2, weight=HEAVY, colour=document.accent)
        self._text_line(canvas, first, beside, top - 7.2 * MM, 0, game, room * 0.55)
        self._text_line(canvas, second, right, top - 7.2 * MM, 1, replace(_CARD_LINE, colour=MID), room * 0.45)
        self._text_line(canvas, document.title, beside, top - 12.8 * MM, 0, _CARD_TITLE, room)
        rule(canvas, left, top - 15.8 * MM, whole, 0.4 * MM, document.accent)
        rule(canvas, left, 10.9 * MM, whole, _HAIR, LINE)
        self._text_line(canvas, document.notice, left, 7.8 * MM, 0, replace(_CARD_LINE, colour=MID), whole)
        bold = replace(_CARD_LINE, weight=BOLD)
        self._text_line(canvas, document.fingerprint, left, 5 * MM, 0, bold, whole * 0.28)
        pages = f"{sheet.number} of {sheet.total}" if sheet.total > 1 else ""
        ends = " · ".join(filter(None, (document.footnote, pages)))
        self._text_line(canvas, ends, right, 5 * MM, 1, bold, whole * 0.7)


_CONTENTS, _INDEX = "Contents", "Index"
_MANY = 20
"""The most sections of a chapter that the table of contents lists; a longer chapter is listed without its sections."""


class Book(NamedTuple):
    """A title page and the documents that follow it, in order; each has its own `file`. A `cover` may precede them."""

    title: Document
    chapters: tuple[Document, ...]
    cover: Document | None = None

    @property
    def documents(self) -> tuple[Document, ...]:
        return (self.title, *self.chapters)

    @property
    def targets(self) -> tuple[str, ...]:
        """Every valid link target: the documents and all their sections."""
        return tuple(
            link
            for document in self.documents
            for link in (document.file, *(f"{document.file}#{s.anchor}" for s in document.sections if s.anchor))
        )


def book_pdf(book: Book, printing: PdfResources) -> tuple[bytes, int]:
    """Returns a book as PDF and its number of pages. Raises FontError if a font family is unknown."""
    writer = DocumentWriter(book.title, printing, {link: link for link in book.targets})
    front = [writer.tried(document) for document in (book.cover, book.title) if document]
    chapters = [writer.tried(document) for document in book.chapters]
    sheets = [sheet for chapter in chapters for sheet in chapter.pages]
    listed = writer.tried(_contents(book, [(0, sheet) for sheet in sheets], 0))
    first = sum(len(each.pages) for each in (*front, listed)) + 1
    pages = list(enumerate(sheets, start=first))
    contents = writer.tried(_contents(book, pages, first + len(pages)))
    last = writer.tried(replace(index(_INDEX, _mentions(pages)), accent=book.title.accent))
    for layout in (*front, contents, *chapters, last):
        writer.add(layout, writer.tags.root.tag("Part"))
    return writer.finish()


def _contents(book: Book, pages: Iterable[tuple[int, FlowPage]], index_page: int) -> Document:
    """Returns the table of contents of a book: chapters and their sections, with page numbers."""
    long = {document.file for document in book.chapters if len(document.sections) > _MANY}
    lines = [
        ContentsLine(mark.title, mark.level, str(number), mark.link)
        for number, sheet in pages
        for placed in sheet.placed
        if (mark := placed.piece.bookmark)
        if mark.level == 0 or (mark.level == 1 and mark.link.partition("#")[0] not in long)
    ]
    lines.append(ContentsLine(_INDEX, 0, str(index_page), ""))
    return Document(_CONTENTS, (Contents(tuple(lines)),), facts=book.title.facts, accent=book.title.accent)


def _mentions(pages: Sequence[tuple[int, FlowPage]]) -> Iterator[Mention]:
    """Yields a mention for every term, with its page number and a link to the last heading before the term."""
    link = ""
    for number, sheet in pages:
        for placed in sheet.placed:
            if placed.piece.bookmark and placed.piece.bookmark.link:
                link = placed.piece.bookmark.link
            for words in _words(placed.piece.flowable):
                yield from (Mention(term, str(number), link) for term in words.terms)


def _rule_pages(pages: Sequence[FlowPage]) -> dict[str, str]:
    """Returns `{rule id: numbers of the pages in whose margin it is, as text}`."""
    pages_of = grouped(
        (name, str(number))
        for number, page in enumerate(pages, start=1)
        for placed in page.placed
        for words in _words(placed.piece.flowable)
        for name in words.rules
    )
    return {name: ", ".join(dict.fromkeys(numbers)) for name, numbers in pages_of.items()}


def _keys(page: FlowPage) -> list[str]:
    """Returns the keys on a page: its headings, or if there are at most two, the first texts of table rows, if any."""
    titles = [placed.piece.bookmark.title for placed in page.placed if placed.piece.bookmark]
    tables = (placed.piece.flowable for placed in page.placed if isinstance(placed.piece.flowable, Ruled))
    cells = (row[0] for table in tables for row in vars(table)["_cellvalues"])
    keys = [key for cell in cells for words in cell if (key := getattr(words, "key", "")) and key == key.strip("-")]
    return titles if len(titles) > 2 or not keys else keys


def _words(flowable: Any) -> Iterator[TaggedParagraph]:
    """Yields the paragraphs inside a flowable, including those in the cells of a table."""
    match flowable:
        case TaggedParagraph():
            yield flowable
        case Ruled():
            for row in vars(flowable)["_cellvalues"]:
                for cell in row:
                    for inside in cell if isinstance(cell, list | tuple) else [cell]:
                        yield from _words(inside)
        case _:
            if isinstance(inside := getattr(flowable, "words", None), TaggedParagraph):
                yield inside
