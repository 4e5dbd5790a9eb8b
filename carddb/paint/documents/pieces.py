"""Turns the blocks of a document into the pieces that flow onto its pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from reportlab.lib.enums import TA_LEFT, TA_RIGHT
from reportlab.platypus import Flowable
from reportlab.platypus import Table as Grid

from carddb.core.units import Box, Size, to_points
from carddb.layout.display_list import Face
from carddb.layout.documents.blocks import (
    BOLD,
    HEAVIEST,
    HEAVY,
    Beside,
    Block,
    Code,
    Contents,
    ContentsLine,
    Document,
    Figure,
    Heading,
    Inline,
    Listing,
    Note,
    Paragraph,
    Picture,
    Section,
    Span,
    Table,
    contents,
    is_row_head,
    names_rows,
    pictures,
    plain,
    walk,
)
from carddb.layout.documents.flow import Bookmark, Columns, FlowItem
from carddb.layout.documents.index import heading_terms
from carddb.layout.sheets.grid import whole_page
from carddb.layout.sheets.imposition import Page, Placed
from carddb.layout.text.fonts import FontBook
from carddb.paint.documents.tags import Tag, artifact
from carddb.paint.documents.typography import (
    INK,
    LINE,
    MID,
    NO_BREAK,
    ItemLabel,
    TaggedParagraph,
    Typesetter,
    TypeStyle,
    on_disc,
)
from carddb.paint.pdf import operators
from carddb.paint.pdf.content import PdfContent
from carddb.paint.pdf.content_stream import DrawnPage
from carddb.paint.pdf.images import PdfImages
from carddb.paint.pdf.operators import StreamBuilder
from carddb.paint.pdf.sheets import PageContents
from carddb.paint.pdf.writer import PdfWriter

_CODE = TypeStyle("code", 7.5, 10.2)
_GROUND, _CODE_PAD, _BAR = "#f4f4f1", 6.0, 1.6
_LEAST_LINES, _CODE_WHOLE = 4, 9
"""The fewest lines on either side of a split in a code block, and the most lines of a block that is never split."""
_CONTINUED = "    "
"""The spaces before the rest of a line that is too long, after as many as the line itself begins with."""
_GOES_ON = "(continues)"
"""The last line of code that goes on in the next column or on the next page."""


class CodeLines(Flowable):
    """Lines of code on a tinted background; a line that is too long is continued below.

    If the code `goes_on` in the next column or on the next page, a line at the foot says so.
    """

    def __init__(
        self, code: Code, setter: Typesetter, tag: Tag, lines: Sequence[str] = (), goes_on: bool = False
    ) -> None:
        super().__init__()
        self.code, self.setter, self.tag, self.goes_on = code, setter, tag, goes_on
        self.lines = tuple(lines or code.lines)
        self.set: list[tuple[str, bool]] = []
        self._advance = setter.width("0", _CODE)[0]

    def is_wide(self, column: float) -> bool:
        """Returns whether the code is too wide for a column; plain text never is, because its lines may be broken."""
        fits = max(map(len, self.lines)) * self._advance <= column - 2 * _CODE_PAD - _BAR
        return not fits and self.code.kind != "text"

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width = width
        self._most = max(20, int((width - 2 * _CODE_PAD - _BAR) / self._advance))
        self.set = [piece for line in self.lines for piece in self._broken(line)]
        self.height = (len(self.set) + self.goes_on) * _CODE.leading + 2 * _CODE_PAD
        return width, self.height

    def _broken(self, line: str) -> list[tuple[str, bool]]:
        most, typed, out = self._most, self.code.is_typed(line), []
        indent = (line[: len(line) - len(line.lstrip())] + _CONTINUED)[: most // 2]
        while len(line) > most:
            end = line.rfind(" ", len(indent) + 1, most + 1)
            out.append((line[: end if end > 0 else most], typed))
            line = indent + line[end if end > 0 else most :].lstrip()
        return [*out, (line, typed)]

    def split(self, width: float, height: float) -> list[Any]:
        self.wrap(width, height)
        if len(self.set) <= _CODE_WHOLE:
            return []
        room = int((height - 2 * _CODE_PAD) / _CODE.leading) - 1
        ends = accumulate(len(self._broken(line)) for line in self.lines)
        at = min(sum(end <= room for end in ends), len(self.lines) - _LEAST_LINES)
        while at > 0 and self.code.is_typed(self.lines[at - 1]):
            at -= 1  # a command stays with its answer
        if at < _LEAST_LINES:
            return []
        begun = CodeLines(self.code, self.setter, self.tag, self.lines[:at], goes_on=True)
        return [begun, CodeLines(self.code, self.setter, self.tag, self.lines[at:], self.goes_on)]

    def draw(self) -> None:
        canvas: Any = self.canv
        with artifact(canvas):
            canvas.setFillColor(_GROUND)
            canvas.rect(0, 0, self.width, self.height, stroke=0, fill=1)
            canvas.setFillColor(LINE)
            canvas.rect(0, 0, _BAR, self.height, stroke=0, fill=1)
            if self.goes_on:
                words = self.setter.words(_GOES_ON, _CAPTION)
                words.wrap(self.width, self.height)
                words.drawOn(canvas, _BAR + _CODE_PAD, _CODE_PAD - (_CODE.leading - _CODE.size))
        y = self.height - _CODE_PAD - _CODE.size
        with self.tag.marked(canvas):
            for line, typed in self.set:
                style = replace(_CODE, weight=BOLD) if typed else _CODE
                words = self.setter.words(line.replace(" ", NO_BREAK), style)
                words.wrap(self.width, self.height)
                words.drawOn(canvas, _BAR + _CODE_PAD, y - (_CODE.leading - _CODE.size))
                y -= _CODE.leading


@dataclass(frozen=True, slots=True)
class PlacedDrawing:
    """A picture to be placed: `form`, which returns the name of its form XObject, its size in points, its tag, its
    caption, and whether it gets a frame.
    """

    form: Callable[[], str]
    width: float
    height: float
    tag: Tag
    caption: TaggedParagraph | None
    framed: bool = True

    def draw(self, canvas: Any, box: tuple[float, float, float, float]) -> None:
        """Draws the picture into a box, given as left, foot, width and height, in points."""
        x, y, width, height = box
        with self.tag.marked(canvas):
            canvas.saveState()
            canvas.translate(x, y)
            canvas.scale(width / self.width, height / self.height)
            canvas.doForm(self.form())
            canvas.restoreState()


class FigureRow(Flowable):
    """Pictures side by side with equal height, with captions below.

    They are at most `highest` points high, but may be enlarged by up to the factor `enlarged` if they then span the
    full width. To fit on the rest of a page, they may be reduced, but not below the share `reduced` of their size.
    """

    _apart, _under = 12.0, 3.0

    def __init__(
        self, drawings: Sequence[PlacedDrawing], highest: float, enlarged: float = 1.06, reduced: float = 0.0
    ) -> None:
        super().__init__()
        self.drawings, self.highest, self.enlarged, self.reduced = drawings, highest, enlarged, reduced

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        self.width = width
        room = width - self._apart * (len(self.drawings) - 1)
        high = min(self.highest, max(drawing.height for drawing in self.drawings))
        across = sum(drawing.width / drawing.height for drawing in self.drawings)
        full = room / across
        high = full if full < high * self.enlarged else high
        self.places = [(high * drawing.width / drawing.height, high) for drawing in self.drawings]
        self.captions = [
            drawing.caption.wrap(place[0], height)[1] if drawing.caption else 0.0
            for drawing, place in zip(self.drawings, self.places, strict=True)
        ]
        words = max(self.captions)
        self.height = high + (words + 3 * self._under if words else 0)
        return width, self.height

    def split(self, width: float, height: float) -> list[Any]:
        whole = self.wrap(width, height)[1]
        high = self.places[0][1]
        if height < whole - high * (1 - self.reduced):
            return []
        smaller = FigureRow(self.drawings, high - max(0.0, whole - height), 1.0)
        return [smaller] if smaller.wrap(width, height)[1] <= height else []

    def spare(self) -> float:
        """Returns the width, in points, that is left free beside the pictures."""
        return float(self.width) - sum(width for width, _ in self.places)

    def draw(self) -> None:
        canvas: Any = self.canv
        x = 0.0
        for drawing, (width, height), caption in zip(self.drawings, self.places, self.captions, strict=True):
            y = self.height - height
            drawing.draw(canvas, (x, y, width, height))
            if drawing.framed:
                with artifact(canvas):
                    canvas.setStrokeColor(LINE)
                    canvas.setLineWidth(0.4)
                    canvas.rect(x, y, width, height, stroke=1, fill=0)
            if drawing.caption:
                drawing.caption.drawOn(canvas, x, y - self._under - caption)
            x += width + self._apart


class Figures(NamedTuple):
    """Drawn pages by source name, the fonts and images that they need, and `narrow`, other pages for phones.

    A picture that is the same on phones is not in `narrow`. `least` is, by source name, the share of its size to which
    a composed picture can be reduced and still be readable.
    """

    pages: Mapping[str, DrawnPage] = MappingProxyType({})
    book: FontBook = FontBook(())
    images: Mapping[str, bytes] | PdfImages = MappingProxyType({})
    narrow: Mapping[str, DrawnPage] = MappingProxyType({})
    least: Mapping[str, float] = MappingProxyType({})

    @classmethod
    def of(
        cls, faces: Mapping[str, Face], book: FontBook, images: Mapping[str, bytes] | PdfImages = MappingProxyType({})
    ) -> Figures:
        """Returns the faces, given by source name, as pictures."""
        builder = StreamBuilder(book)
        pages = {}
        for source, face in faces.items():
            box = Box(0, 0, *face.size)
            page = Page(whole_page(face.size), "front", 1, 1, (box,), 1, (Placed(0, box, box, 0),))
            pages[source] = DrawnPage(page, {0: builder.face(face)})
        return cls(pages, book, images)

    def size(self, source: str) -> Size:
        """Returns the size of a picture, in micrometres."""
        return self.pages[source].page.size


NO_FIGURES = Figures()


class FigureForms:
    """The pictures of one ReportLab document, each as a form XObject that is written only once."""

    def __init__(self, document: Any, writer: PdfWriter, figures: Figures) -> None:
        """Takes a ReportLab document, and the `writer` that writes drawings into it."""
        self._document, self._figures = document, figures
        self._writer = writer
        self._painter = PdfContent(writer, figures.book, figures.images)
        self._names: dict[str, str] = {}

    def name(self, source: str) -> str:
        """Returns the name of a picture's form, which draws it at its own size with the lower left corner at 0, 0."""
        name = self._names.get(source)
        if name is None:
            name = self._names[source] = f"figure{len(self._names)}"
            size = self._figures.size(source)
            contents = PageContents(self._painter, self._figures.book)  # the faces of each figure are numbered from 0
            content = contents.of(self._figures.pages[source])
            trim = " ".join(operators.number(to_points(length)) for length in size)
            content = content._replace(code=f"0 0 {trim} re W n\n{content.code}")  # without the bleed
            whole = Box(0, 0, size.width, size.height)  # in points, so larger than the figure
            self._writer.form(self._document.getXObjectName(name), content, whole, blended=False)
        return name


_HEAD, _TITLED = TypeStyle("label", 8.2, 9.8, weight=BOLD, colour=MID), TypeStyle("label", 9.8, 12, weight=BOLD)
_HEADS = (_HEAD, _TITLED, TypeStyle("heading", 12.4, 14.6, weight=HEAVY))
"""The styles of a header row: of columns, of a title, and of a title with an accent."""
_FIRST = TypeStyle("label", 8.8, 10.8, weight=BOLD)
_CELL = TypeStyle("label", 8.8, 10.8)
_TABLE_GUTTER, _PROSE_GUTTER = 9.0, 15.0
"""The gap between two columns of a table, and of one of prose on a whole page, in points."""
_PROSE = 12
"""A table with more rows than this that is too wide for the page counts as prose: its columns share the page in
proportion to the average length of their texts, not to the length of the longest."""
_ROUNDING = 0.01
"""Added to the width of columns, so that rounding does not break a word that is exactly as wide as its column."""
PAD, CLOSE = 2.4, 1.1
"""The padding above and below the text of a table row, in normal and in compact documents, in points."""
_WHOLE = 330.0
"""The height up to which a table or a note is never split, in points: two thirds of a booklet's page."""
_WHOLE_WIDE, _WHOLE_TITLED = 420.0, 200.0
"""The same height for a table that spans the columns of a page, three fifths of a page of Letter, and for one with a
title that is repeated."""
_WHOLE_IN_BOOK = 60.0
"""The same height for a table in a book, where a gap is worse than a table that goes on."""
_KEYS = 2
"""The most columns of a table for looking up keys, which is set in one column of a page, however long its texts are."""
_THICK, _APART = 2.6, 10.0
BESIDE, _CLOSE_BESIDE = 18.0, 6.0
"""The gap between the columns of a Beside block, and the gap after a column as wide as its number, in points."""
BAR = _THICK + _APART
"""The width that a note's bar takes up, in points."""
_LINES: dict[str, tuple[Any, ...]] = {
    "between": ("LINEBEFORE", 0.57, LINE, "butt"),
    "below": ("LINEBELOW", 1, INK, "butt"),
    "above": ("LINEABOVE", 1, INK, "butt"),
    "around": ("BOX", 1.4, INK),
}
"""The lines around columns side by side, by name: (command of a table style, width in points, colour, ends)."""
_NEARLY, _PAGE = 0.85, 400.0
"""On a page of one column, a table of words has its natural width if that is below the share `_NEARLY` of the page, and
spans the page otherwise, as one of figures does; on a page of a booklet, at most `_PAGE` points wide, each spans it."""
_NARROW = 84.0
"""The greatest width, in points, of a column whose texts stay on one line although other columns lack room."""
_AGAIN = " (continued)"
"""The words after the title of a table in the parts after the first."""
_CONDENSED = 0.94
"""The factor by which a table's text is condensed if its longest words do not fit side by side."""
_LONG_KEY = 20
"""The most letters of a key that is never broken: two fifths of a column."""
_WORDY, _MANY, _CROWDED = 2.4, 4, 1.2
"""A table spans all columns of the page if, without line breaks, it would be more than `_WORDY` columns wide; one of
`_MANY` columns or more, if it would be more than `_CROWDED` wide."""
_ALIGN: dict[str, Literal[0, 1, 2]] = {"left": 0, "center": 1, "right": 2}
_MIRRORED: dict[str, Literal[0, 1, 2]] = {"left": 2, "center": 1, "right": 0}
"""The alignment of cells in a right-to-left table."""


class Ruled(Grid):
    """A table that is not split if it is low, and whose lines are marked as artifacts, which screen readers ignore.

    Its columns have fixed widths, so it is measured only once, and split only once at each row. Since many heights of
    a page are tried, a rulebook of C.A.H.R.D. takes 1.6 s instead of 2.0.
    """

    _size: tuple[float, float] | None = None
    _parts: dict[int, list[Any]]
    """The parts into which the table was split, by the number of rows that fit."""
    whole = _WHOLE
    """The height up to which the table is not split, in points."""
    continued: TaggedParagraph | _Narrow | None = None
    """The title that all parts after the first get, in place of the table's own or above its header; None if none."""

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        if self._size is None:
            self._size, self._parts = super().wrap(availWidth, availHeight), {}
        return self._size

    def split(self, availWidth: float, availHeight: float) -> list[Any]:
        height = self.wrap(availWidth, availHeight)[1]
        if height <= self.whole:
            return []
        fitting = sum(height - position <= availHeight for position in vars(self)["_rowpositions"])
        if fitting not in self._parts:
            self._parts[fitting] = super().split(availWidth, availHeight)
            for at, part in enumerate(self._parts[fitting] if self.continued else ()):
                part.continued, rows = self.continued, vars(part)["_cellvalues"]
                if at:
                    header = rows[0][0][-1:] if isinstance(self.continued, _Narrow) else []
                    rows[0] = [[self.continued, *header], *rows[0][1:]]
                    vars(part)["_argH"][0] = None  # so that the header gets the height of its new title
        return self._parts[fitting]

    def _drawCell(self, content: Any, style: Any, *place: Any) -> None:
        self._curcellstyle = style  # so that no font is selected: every text here selects its own
        super()._drawCell(content, style, *place)  # type: ignore[misc]

    def _drawLines(self) -> None:
        with artifact(self.canv):
            super()._drawLines()  # type: ignore[misc]

    def _drawBkgrnd(self) -> None:
        with artifact(self.canv):
            super()._drawBkgrnd()  # type: ignore[misc]


def grid(
    table: Table, setter: Typesetter, column: float, whole: float, tag: Tag, drawn: Callable[[Picture, Tag], Any],
    pad: float, alike: Sequence[Table] = (),
) -> tuple[Ruled, bool]:  # fmt: skip
    """Returns a table as a flowable, and whether it spans the page; `column` and `whole` are the two possible widths.

    `drawn` makes a flowable of a picture, and `pad` is the space above and below texts. The columns are as wide as in
    the tables that are `alike`. All lengths are in points.
    """
    styles = _cell_styles(table)
    rows = [table.head, *table.rows]
    titles = ("left",) * len(table.align) if table.titled else table.align
    cells = [
        [
            [drawn(content, tag_) if isinstance(content, Picture) else _cell(content, style, align, setter, tag_)]
            for content, style, align, tag_ in zip(
                row, styles_, table.align if at else titles, _tags(tag, len(row), not at), strict=True
            )
        ]
        for at, (row, styles_) in enumerate(zip(rows, styles, strict=True))
    ]
    for at, (row, (first, *others)) in enumerate(zip(rows, cells, strict=True)):
        texts = [() if isinstance(content, Picture) else content for content in row]
        if isinstance(first[0], TaggedParagraph):
            first[0].key = plain(texts[0]).replace("\u200b", "") if at else ""
            setter.place_ids(first[0], sum(texts, ()))  # the ids of a row stand together beside its first line
            for cell in others:
                cell[0].ids = None
    sizes = [
        [
            (cell[0].width, cell[0].width) if isinstance(content, Picture) else setter.width(content, style)
            for content, cell, style in zip(row, cells_, styles_, strict=True)
        ]
        for row, cells_, styles_ in list(zip(rows, cells, styles, strict=True))[table.titled :]
    ]
    sizes += [
        [
            (0.0, 0.0) if isinstance(content, Picture) else setter.width(content, style)
            for content, style in zip(row, styles_, strict=True)
        ]
        for each in alike
        for row, styles_ in zip(each.rows, _cell_styles(each)[1:], strict=True)
    ]
    by_column = list(zip(*sizes, strict=True))
    is_prose = len(sizes) > _PROSE and sum(max(size[0] for size in each) for each in by_column) > whole
    gutter = _PROSE_GUTTER if is_prose and whole > _PAGE else _TABLE_GUTTER
    best, least = ([max(size[at] for size in each) + _ROUNDING + gutter for each in by_column] for at in (0, 1))
    best[-1], least[-1] = best[-1] - gutter, least[-1] - gutter
    wide = table.wide or sum(least) > column or sum(best) > (_WORDY if len(best) < _MANY else _CROWDED) * column
    of_figures = table.align[-1] == "right"
    if column == whole > _PAGE and sum(best) < _NEARLY * column and not (table.wide or table.titled or of_figures):
        column = whole = sum(best)
    fixed = [
        align == "right" or bool(alike[1:] and not at) or any(isinstance(row[at], Picture) for row in table.rows)
        for at, align in enumerate(table.align)
    ]
    if is_prose and sum(best) > (whole if wide else column):
        filled = [[size[0] for size in each if size[0]] for each in by_column]
        means = [sum(each) / max(1, len(each)) for each in filled]
        fixed = [each or want <= _NARROW for each, want in zip(fixed, best, strict=True)]
        best = [
            max(need, mean) if want > _NARROW else want for want, need, mean in zip(best, least, means, strict=True)
        ]
    widths = _column_widths(best, least, whole if wide else column, fixed)
    outer, inner = ("LEFTPADDING", "RIGHTPADDING"), (-1, -1)
    if setter.is_right_to_left:
        cells, widths = [row[:: 1 if table.titled and not at else -1] for at, row in enumerate(cells)], widths[::-1]
        outer, inner = ("RIGHTPADDING", "LEFTPADDING"), (0, 0)
    fewest = 2 if table.titled else 3
    heads = [at for at, row in enumerate(rows) if at and is_row_head(row)]
    ruled = Ruled(cells, widths, repeatRows=1, hAlign="LEFT")
    if table.wide:
        ruled.whole = 0.0
    elif wide and whole > _PAGE:
        ruled.whole = _WHOLE_WIDE
    if table.accent:
        ruled.whole = _WHOLE_TITLED
        again = (table.head[0][0], Span(_AGAIN))
        ruled.continued = _cell(again, styles[0][0], "left", setter, _tags(tag, 1, True)[0])
    ruled.setStyle(
        [
            (outer[0], (0, 0), (-1, -1), 0),
            (outer[1], (0, 0), (-1, -1), gutter),
            (outer[1], (inner[0], 0), (inner[1], -1), 0),
            *([(outer[1], (0, 0), (-1, 0), 0)] if table.titled else []),
            ("TOPPADDING", (0, 0), (-1, -1), pad - 0.6 + table.air),
            ("BOTTOMPADDING", (0, 0), (-1, -1), pad + 0.8 + table.air),
            ("TOPPADDING", (0, 0), (-1, 0), pad - 0.6),
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE" if table.titled else "TOP"),
            ("VALIGN", (0, 0), (-1, 0), "BOTTOM"),
            *([("SPAN", (0, 0), (-1, 0))] if table.titled else []),
            *(("SPAN", (0, at), (-1, at)) for at in heads),
            *(("TOPPADDING", (0, at), (-1, at), pad + _PARTED) for at in heads),
            *(("NOSPLIT", (0, at), (-1, at + 1)) for at in heads),
            ("NOSPLIT", (0, 0), (-1, fewest)),
            ("NOSPLIT", (0, -fewest), (-1, -1)),
            ("LINEBELOW", (0, 0), (-1, 0), 1, table.accent or INK, "butt"),
            ("LINEBELOW", (0, 1), (-1, -1), 0.57, LINE, "butt"),
        ]
    )
    return ruled, wide


def fitting(table: Table, setter: Typesetter, width: float) -> list[Table]:
    """Returns one or several tables of which each fits into `width` points without breaking a word.

    The table is condensed if that is enough; otherwise its columns are divided among several tables, each of which
    begins with the first column.
    """
    if table.titled or len(table.head) < 3:
        return [table]
    least = _least_widths(table, setter)
    if sum(least) <= width:
        return [table]
    smaller = replace(table, scale=table.scale * _CONDENSED)
    if sum(_least_widths(smaller, setter)) <= width:
        return [smaller]
    groups: list[list[int]] = [[0]]
    for at in range(1, len(least)):
        if len(groups[-1]) > 1 and sum(least[number] for number in groups[-1]) + least[at] > width:
            groups.append([0])
        groups[-1].append(at)
    return [
        replace(
            table, head=tuple(table.head[at] for at in group), align=tuple(table.align[at] for at in group),
            rows=tuple(tuple(row[at] for at in group) for row in table.rows),
        )
        for group in groups
    ]  # fmt: skip


def _cell_styles(table: Table) -> list[list[TypeStyle]]:
    """Returns the style of every cell of a table, row by row, beginning with the header."""
    head, first, cell = (
        replace(style, size=style.size * table.scale, leading=style.leading * table.scale)
        for style in (_HEADS[table.titled + bool(table.accent)], _FIRST if names_rows(table) else _CELL, _CELL)
    )
    return [[head] * len(table.head), *([first] + [cell] * (len(row) - 1) for row in table.rows)]


def _least_widths(table: Table, setter: Typesetter) -> list[float]:
    """Returns, for each column, the width of its longest word and of the gap, in points; pictures have no width."""
    longest = [
        [
            0.0 if isinstance(content, Picture) else setter.width(content, style)[1]
            for content, style in zip(*row, strict=True)
        ]
        for row in zip([table.head, *table.rows], _cell_styles(table), strict=True)
    ]
    return [max(words) + _ROUNDING + _TABLE_GUTTER for words in zip(*longest, strict=True)]


def aside(blocks: list[Any], setter: Typesetter, width: float, accent: str) -> Ruled:
    """Returns flowables, one below the other, with a bar of the colour `accent` at the side where lines begin."""
    rows, widths = [[[], block] for block in blocks], [_THICK, width - _THICK]
    bar, padding = 0, [("LEFTPADDING", (1, 0), (1, -1), _APART), ("RIGHTPADDING", (0, 0), (-1, -1), 0)]
    if setter.is_right_to_left:
        rows, widths = [row[::-1] for row in rows], widths[::-1]
        bar, padding = 1, [("RIGHTPADDING", (0, 0), (0, -1), _APART), ("LEFTPADDING", (0, 0), (-1, -1), 0)]
    ruled = Ruled(rows, widths, hAlign="LEFT")
    ruled.setStyle(
        [
            ("NOSPLIT", (0, 0), (-1, 1)),
            ("BACKGROUND", (bar, 0), (bar, -1), accent),
            *padding,
            ("TOPPADDING", (0, 0), (-1, -1), 0),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2.4),
        ]
    )
    return ruled


def beside(columns: list[list[Any]], setter: Typesetter, rooms: list[float], block: Beside, gap: float) -> Ruled:
    """Returns flowables in columns of the widths `rooms`, `gap` points apart, with the hairlines of `block`."""
    first, framed, air = 0, "around" in block.lines, 7 if {"above", "around"} & {*block.lines} else 0
    if setter.is_right_to_left:
        columns, rooms, first = columns[::-1], rooms[::-1], -1
    halves = gap / 2 if framed or "between" in block.lines else 0
    table = Ruled([columns], [*(room + gap for room in rooms[:-1]), rooms[-1]], hAlign="RIGHT" if first else "LEFT")
    table.setStyle(
        [
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE" if framed else "TOP"),
            ("LEFTPADDING", (0, 0), (-1, -1), halves if framed else 0),
            ("LEFTPADDING", (1, 0), (-1, -1), halves),
            ("RIGHTPADDING", (0, 0), (-1, -1), halves or gap),
            ("RIGHTPADDING", (-1, 0), (-1, -1), halves if framed else 0),
            ("TOPPADDING", (0, 0), (-1, -1), air),
            *([("TOPPADDING", (1, 0), (-1, -1), _LARGE.size - _LOOKED_UP.size)] if gap == _CLOSE_BESIDE else []),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 5 if "below" in block.lines else air if framed else 0),
            *([("BACKGROUND", (first, 0), (first, -1), block.ground)] if block.ground else []),
            *((_LINES[line][0], (line == "between", 0), (-1, -1), *_LINES[line][1:]) for line in block.lines),
        ]
    )
    return table


def _tags(table: Tag, count: int, head: bool) -> list[Tag]:
    row = table.tag("TR")
    if head:
        return [row.tag("TH", "Column") for _ in range(count)]
    return [row.tag("TD") if number else row.tag("TH", "Row") for number in range(count)]


def _cell(content: Inline, style: TypeStyle, align: str, setter: Typesetter, tag: Tag) -> TaggedParagraph:
    words = setter.words(content, style, tag)
    words.alignment = (_MIRRORED if setter.is_right_to_left else _ALIGN)[align]
    return words


def _broken_key(row: tuple[Inline | Picture, ...]) -> tuple[Inline | Picture, ...]:
    """Returns a row of a table in which the key, if it is long and code, may be broken after an underscore."""
    key, *others = row
    match key:
        case (Span(code=True) as name,) if len(name.text) > _LONG_KEY:
            return (replace(name, text=name.text.replace("_", "_\u200b")),), *others
    return row


def _column_widths(best: list[float], least: list[float], width: float, fixed: list[bool]) -> list[float]:
    """Returns the widths of columns, which add up to `width`.

    If the `best` widths do not fit, narrow columns have their best width, so that short texts are on one line; each
    other column has its `least` width and the same share of the difference from its best width. If space is left over,
    it goes to the columns that are not `fixed`, so that pictures and numbers stay beside their texts.
    """
    spare = width - sum(best)
    brief = min(width / len(best), _NARROW)
    narrow = [want if want <= brief else need for want, need in zip(best, least, strict=True)]
    least = narrow if spare < 0 and sum(narrow) <= width else least
    if spare >= 0:
        shares = [0.0 if each else want for want, each in zip(best, fixed, strict=True)]
        shares = shares if any(shares) else best
        return [want + spare * share / sum(shares) for want, share in zip(best, shares, strict=True)]
    if sum(least) >= width:
        return [need * width / sum(least) for need in least]
    share = (width - sum(least)) / (sum(best) - sum(least))
    return [need + (want - need) * share for want, need in zip(best, least, strict=True)]


MM = 72 / 25.4
_WIDTH, _GUTTER = 177.9 * MM, 7 * MM
"""The text width, which is the same on Letter and A4 (with different margins), and the gap between columns."""
ID_MARGIN = 22 * MM
"""The width of the margins for ids of rules, of which one half is taken from the text on either side."""
_STANDFIRST_WIDTH = 160 * MM
_INDENT, _BESIDE_DISC = 5 * MM, 1 * MM
"""The indent of the text of a list, and what is added to it beside a number on a disc."""
_BEHIND = 7 * MM
"""The indent of a heading's text after its number."""
_FACTS_WIDTH, _LEAST_TITLE = 50 * MM, 0.7

_TITLE = TypeStyle("heading", 30, 32, weight=HEAVIEST)
_FACTS = (TypeStyle("heading", 11, 13, weight=HEAVY), TypeStyle("label", 8.8, 11.4, colour=MID))
_COVER_TITLE = TypeStyle("heading", 38, 41, weight=HEAVIEST)
_POSTER_TITLE = TypeStyle("heading", 84, 88, weight=HEAVIEST, colour="#ffffff")
"""The style of the title of a cover with several pictures."""
_STANDFIRST = TypeStyle("text", 12.2, 16.2, italic=True)
_H2, _NUMBER = TypeStyle("heading", 14, 17, weight=HEAVY), TypeStyle("label", 11, 17, weight=BOLD)
_H3, _LARGE = TypeStyle("label", 9.8, 12, weight=BOLD), TypeStyle("heading", 22, 22.8, weight=HEAVY)
_KEY, _SUBKEY, _DENSE = TypeStyle("heading", 11.5, 13.4, weight=HEAVY), TypeStyle("label", 8.8, 10.8, weight=BOLD), 0.91
"""The styles of headings in a reference chapter, and the scale of its tables."""
_BODY, _SMALL = TypeStyle("text", 10, 13), TypeStyle("text", 9, 11.7)
_LABEL = TypeStyle("label", 8.8, 11.6, weight=BOLD)
_NOTICE, _ASIDE = TypeStyle("label", 7.8, 10.2, colour=MID), TypeStyle("label", 7.6, 10.2, colour=MID)
_CAPTION = TypeStyle("label", 8.2, 10.2, italic=True, colour=MID)
_LOOKED_UP = TypeStyle("label", 8.8, 11.4)
"""The style of paragraphs of a compact document."""
_IN_CONTENTS = (TypeStyle("label", 10, 12.6, weight=BOLD), TypeStyle("text", 8.9, 11.2))

_AIR, _ENTRY, _PARTED = 5.0, 2.6, 8.0
"""The space before a paragraph, before a list item, and before a table or a note, in points."""
_BRIEF = 300
"""The most characters of a paragraph before a wide table that spans all columns too, as its introduction."""
_ALONE = 120
"""The most characters of the last item of a list that stays with the item before it."""
_H2_AIR, _H3_AIR, _TITLE_AIR, _UNDER, _OVER_FIGURE = 14.0, 8.0, 10.0, 3.0, 4 * MM
"""The space before headings of level 2, 3 and tables, and between a heading and the next block or figure, in points."""
_CHAPTER_AIR = 6.5
"""The space before a chapter in a table of contents."""
_FILLING = 2.0
"""The largest factor by which the cover picture of a game is enlarged to fill the width of a page."""
_HIGHEST, _SHEET, _HIGHEST_PLAN, _REDUCED = 70 * MM, 100 * MM, 190 * MM, 0.8
"""The greatest height of a picture, of a sheet in a book and of a composed one, and the least share of its size."""


def columns_of(document: Document) -> Columns:
    """Returns the columns of a document's pages, which are the same on all paper sizes."""
    count = document.columns
    width = _WIDTH - ID_MARGIN if document.ids == "margin" else _WIDTH
    return Columns(count, (width - (count - 1) * _GUTTER) / count, _GUTTER)


class Masthead(Flowable):
    """The title at the side where lines begin, the facts at the other side, and a heavy rule below both."""

    _under = 14.0

    def __init__(self, title: TaggedParagraph, facts: Sequence[TaggedParagraph], is_right_to_left: bool) -> None:
        super().__init__()
        self.title, self.facts, self._is_right_to_left = title, facts, is_right_to_left

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        self.width = width
        self.place = width - _FACTS_WIDTH if self.facts else width
        self.heights = [fact.wrap(_FACTS_WIDTH, height)[1] for fact in self.facts]
        self.height = max(self.title.wrap(self.place, height)[1], sum(self.heights)) + self._under
        return width, self.height

    def draw(self) -> None:
        right_to_left = self._is_right_to_left
        self.title.drawOn(self.canv, self.width - self.place if right_to_left else 0, self._under)
        y = self._under + sum(self.heights)
        for fact, height in zip(self.facts, self.heights, strict=True):
            y -= height
            fact.drawOn(self.canv, 0 if right_to_left else self.place, y)
        rule(self.canv, 0, 1.3, self.width, 0.9 * MM, INK)


class Cover(Flowable):
    """The cover of a booklet: pictures, the title, the lead, and the facts at the foot.

    The title is below a picture, or in a rectangle of the colour `accent` if there are no pictures or several. Several
    pictures fill the page below the rectangle, in two columns; the lead and the facts stand in the last place.
    """

    _ratio, _inside, _under = 90 / 150, 7 * MM, 7 * MM

    def __init__(
        self, plates: Sequence[PlacedDrawing], title: TaggedParagraph, lead: TaggedParagraph,
        facts: Sequence[TaggedParagraph], accent: str, height: float,
    ) -> None:  # fmt: skip
        super().__init__()
        self.plates, self.title, self.lead, self.facts = plates, title, lead, facts
        self.accent, self.height, self.on_ground = accent, height, len(plates) != 1

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width = width
        return width, self.height

    def draw(self) -> None:
        canvas: Any = self.canv
        gap, x, y, room = self._under / 2, 0.0, self.height, self.width
        width = (self.width - gap) / 2 if self.plates[1:] else self.width
        height = width * self._ratio
        rows = len(self.plates) // 2 + 1
        if self.on_ground:
            ground = y - rows * (height + gap) if self.plates else y * 2 / 3
            y -= ground
            with artifact(canvas):
                canvas.setFillColor(self.accent)
                canvas.rect(0, y, self.width, ground, stroke=0, fill=1)
            self.title.wrap(self.width - 2 * self._inside, self.height)
            self.title.drawOn(canvas, self._inside, y + self._inside)
            y -= gap if self.plates else 0
        for at, plate in enumerate(self.plates):
            x = at % 2 * (width + gap)
            plate.draw(canvas, (x, y - height, width, height))
            if self.on_ground:
                with artifact(canvas):
                    canvas.setStrokeColor(LINE)
                    canvas.setLineWidth(0.57)
                    canvas.rect(x, y - height, width, height, stroke=1, fill=0)
            y -= height + gap if at % 2 else 0
        if self.on_ground and self.plates:
            x, room = (width + 2 * gap, width - gap) if len(self.plates) % 2 else (0.0, self.width)
            y += self._under - gap
        elif self.plates:
            y -= height + self._under + self.title.wrap(self.width, self.height)[1]
            self.title.drawOn(canvas, 0, y)
            rule(canvas, 0, y - gap, self.width, 0.9 * MM, INK)
        y -= self._under + self.lead.wrap(room, self.height)[1]
        self.lead.drawOn(canvas, x, y)
        y = 0.0
        for fact in reversed(self.facts):
            fact.wrap(room, self.height)
            fact.drawOn(canvas, x, y)
            y += fact.height


class _Narrow(Flowable):
    """A paragraph of its own width, at the side where lines begin, with `air` above; by default of a readable width."""

    def __init__(self, words: TaggedParagraph, room: float = 0.0, air: float = 0.0) -> None:
        super().__init__()
        self.words, self._room, self._air = words, room, air

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        self.width, self.height = self.words.wrap(self._room or min(width, _STANDFIRST_WIDTH), height)
        self._free = width - self.width
        return width, self.height + self._air

    def draw(self) -> None:
        self.words.drawOn(self.canv, self._free if self.words.alignment == TA_RIGHT else 0, 0)


class _Notice(Flowable):
    """A paragraph below a hairline across the full width."""

    _under = 5.0

    def __init__(self, words: TaggedParagraph) -> None:
        super().__init__()
        self.words = words

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        self.width, self.height = width, self.words.wrap(width, height)[1] + self._under
        return width, self.height

    def draw(self) -> None:
        self.words.drawOn(self.canv, 0, 0)
        rule(self.canv, 0, self.height, self.width, 0.57, LINE)


class _Rule(Flowable):
    """A horizontal hairline across the full width."""

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width = width
        return width, 1

    def draw(self) -> None:
        rule(self.canv, 0, 0.5, self.width, 0.57, LINE)


def rule(canvas: Any, x: float, y: float, length: float, weight: float, colour: str) -> None:
    """Draws a horizontal line, marked as an artifact, that is, not as content."""
    with artifact(canvas):
        canvas.setStrokeColor(colour)
        canvas.setLineWidth(weight)
        canvas.line(x, y, x + length, y)


@dataclass(frozen=True, slots=True)
class _Place:
    """The context in which blocks are placed: text style, the tag around them, both widths for tables, and indent."""

    style: TypeStyle
    tag: Tag
    column: float
    whole: float
    indent: float = 0.0


class Story:
    """One document as pieces in reading order."""

    def __init__(
        self, document: Document, setter: Typesetter, root: Tag, columns: Columns, figures: Figures, forms: FigureForms
    ) -> None:
        self.document, self.setter, self.root, self.columns = document, setter, root, columns
        self.figures, self.forms = figures, forms
        self.air, self.parted = (0.0, _AIR) if document.compact else (_AIR, _PARTED)
        self.air += _ENTRY * document.is_reference
        body = replace(_BODY, size=document.size, leading=document.leading)
        self.body = replace(_LOOKED_UP if document.compact else body, link=document.accent)
        self.h2, self.h3 = (_KEY, _SUBKEY) if document.is_reference else (_H2, _H3)

    def pieces(self) -> Iterator[FlowItem]:
        """Yields the pieces of the title, the lead, the sections and the notice."""
        document = self.document
        if document.has_title:
            yield FlowItem(self._masthead(), wide=True, bookmark=Bookmark(document.title, 0, document.file))
        if plate := self._plate():
            yield FlowItem(FigureRow([plate], _HIGHEST_PLAN, _FILLING), 10, wide=True)
        if document.lead:
            yield FlowItem(_Narrow(self.setter.words(document.lead, _STANDFIRST, self.root.tag("P"))), 10, wide=True)
        yield from self.body_pieces()
        if document.notice:
            notice = _Notice(self.setter.words(document.notice, _NOTICE, self.root.tag("P")))
            yield FlowItem(notice, 18, wide=True, pinned=True)
        if document.closing in self.figures.pages:
            sign = self._picture(Picture(document.closing, document.title, framed=False), self.root.tag("Figure"))
            yield FlowItem(FigureRow([sign], _HIGHEST_PLAN, _FILLING), 18, wide=True, pinned=True)

    def cover(self, height: float) -> FlowItem:
        """Returns the cover of a booklet as one piece of this height."""
        document, setter, plate = self.document, self.setter, self._plate()
        plates = [plate] if plate else [self._picture(it, self.root.tag("Figure")) for it in pictures(document.blocks)]
        style = _POSTER_TITLE if plates[1:] else _COVER_TITLE if plates else replace(_COVER_TITLE, colour="#ffffff")
        share = min(1.0, (self.columns.whole - 14 * MM) / (setter.width(document.title, style)[1] + _ROUNDING))
        style = replace(style, size=style.size * share, leading=style.leading * share)
        title = setter.words(document.title, style, self.root.tag("H1"))
        lead = setter.words(document.lead, _STANDFIRST, self.root.tag("P"))
        facts = [setter.words(fact, _FACTS[min(at, 1)], self.root.tag("P")) for at, fact in enumerate(document.facts)]
        cover = Cover(plates, title, lead, facts, document.accent, height)
        return FlowItem(cover, bookmark=Bookmark(document.title, 0, document.file))

    def _plate(self) -> PlacedDrawing | None:
        """Returns the game's picture for the cover or the first page; None if the document has none."""
        document = self.document
        if document.plate not in self.figures.pages:
            return None
        return self._picture(Picture(document.plate, document.title, framed=False), self.root.tag("Figure"))

    def body_pieces(self) -> Iterator[FlowItem]:
        """Yields the pieces of the sections."""
        for section in self.document.sections:
            if section.heading:
                yield self._section(section, section.heading)
            place = _Place(self.body, self.root, self.columns.width, self.columns.whole)
            yield from self._blocks(section.blocks, place, under=bool(section.heading))

    def _masthead(self) -> Masthead:
        """Returns the title and the facts of a document.

        The title is set smaller if its longest word is too wide, or if a compact document's title needs several lines.
        """
        document, setter = self.document, self.setter
        room = self.columns.whole - (_FACTS_WIDTH if document.facts else 0)
        whole, longest = setter.width(document.title, _TITLE)
        line = max((room - _APART) / max(whole, 1), _LEAST_TITLE) if document.compact else 1.0
        share = min(1.0, room / (longest + _ROUNDING), line)
        style = replace(_TITLE, size=_TITLE.size * share, leading=_TITLE.leading * share)
        title = setter.words(document.title, style, self.root.tag("H1"))
        facts = [setter.words(fact, _FACTS[min(at, 1)], self.root.tag("P")) for at, fact in enumerate(document.facts)]
        for fact in facts:
            fact.alignment = TA_LEFT if setter.is_right_to_left else TA_RIGHT
        return Masthead(title, facts, setter.is_right_to_left)

    def _section(self, section: Section, heading: Heading) -> FlowItem:
        document = self.document
        style = replace(_NUMBER, role=self.h2.role, weight=self.h2.weight, colour=document.accent)
        label = ItemLabel(_BEHIND, text=str(section.number), style=style) if document.numbered else None
        words = self.setter.words(heading.content, self.h2, self.root.tag("H2"), label)
        words.terms = tuple(heading_terms(heading.content))
        bookmark = Bookmark(section.title, 1, f"{document.file}#{section.anchor}" if document.file else "")
        under = section.blocks[0] if section.blocks else None
        wide = isinstance(under, Beside) or (isinstance(under, Table) and under.titled)
        listed = document.is_reference or not document.compact
        air = _TITLE_AIR if document.is_reference else _H2_AIR
        return FlowItem(words, air, keep=True, wide=wide, bookmark=bookmark if listed else None)

    def _blocks(self, blocks: Sequence[Block], place: _Place, under: bool = False) -> Iterator[FlowItem]:
        """Yields the pieces of blocks; `under` says that they follow a heading, which needs less space below it."""
        groups = [list(self._block(block, place)) for block in blocks]
        for above, block, group in zip(blocks, blocks[1:], groups[1:], strict=False):
            if isinstance(above, Heading) and isinstance(block, Table) and block.wide:
                words = self.setter.words((*above.content, Span(_AGAIN)), self.h3, place.tag.tag("P"))
                group[0].flowable.continued = title = _Narrow(words, place.whole, _H3_AIR)
                title.spaceAfter = _UNDER
        for at, (block, group) in enumerate(zip(blocks, groups, strict=True)):
            if under:
                group[0] = replace(group[0], before=_OVER_FIGURE if isinstance(block, Figure) else _UNDER)
            follower = groups[at + 1][0] if at + 1 < len(groups) else None
            is_drawn = isinstance(follower and follower.flowable, FigureRow)
            if isinstance(block, Code) and follower and (under or is_drawn) and len(block.lines) <= _CODE_WHOLE:
                group[-1] = replace(group[-1], keep=True)  # a usage stays with what it does, a drawing with its code
            beside = zip(blocks[max(0, at - 1) : at + 2], groups[max(0, at - 1) : at + 2], strict=True)
            if isinstance(block, Code) and any(isinstance(each, Code) and near[0].wide for each, near in beside):
                group[0] = replace(group[0], wide=True)  # it would stand alone in its column
            if isinstance(block, Paragraph) and follower and follower.wide and len(plain(block.content)) <= _BRIEF:
                yield replace(group[0], flowable=_Narrow(group[0].flowable), keep=True)
            elif isinstance(block, Paragraph) and at == 1 and isinstance(blocks[0], Code):
                yield replace(group[0], keep=at + 1 < len(blocks))  # a command: what it does stays with its options
            elif isinstance(block, Paragraph) and at + 1 < len(blocks) and self._leads_to(block, blocks[at + 1]):
                yield replace(group[0], keep=True)
            else:
                yield from group
            under = isinstance(block, Heading)

    def _block(self, block: Block, place: _Place) -> Iterator[FlowItem]:
        match block:
            case Heading():
                style = {1: _LARGE, 2: self.h2}.get(block.level, self.h3)
                wants = [self.setter.width(each, style)[0] for each in (block.widest, block.content) if block.widest]
                label = ItemLabel(wants[0] - wants[1]) if wants else None
                words = self.setter.words(block.content, style, place.tag.tag("H3"), label)
                words.terms = tuple(heading_terms(block.content))
                yield FlowItem(
                    words, min(_H3_AIR, self.h3.size - 2), keep=True, bookmark=Bookmark(plain(block.content), 2)
                )
            case Paragraph():
                start = place.indent - _INDENT
                label = ItemLabel(place.indent, start, block.label, _ASIDE) if place.indent else None
                tag = place.tag.tag("P")
                words = self.setter.words(block.content, place.style, tag, label)
                again = self.setter.words((*block.under, Span(_AGAIN)), place.style, tag) if block.under else None
                yield FlowItem(words, self.air, keep=plain(block.content).endswith(":"), again=again)
            case Listing():
                yield from self._listing(block, place)
            case Table():
                pad = CLOSE if self.document.compact else PAD
                if self.document.is_reference:
                    block = replace(block, scale=_DENSE, rows=tuple(map(_broken_key, block.rows)))
                whole = place.whole if self._may_span(len(block.head)) else place.column
                drawn = [cell.source for row in block.rows for cell in row if isinstance(cell, Picture)]
                pictured = max((self.figures.size(source).width for source in drawn), default=0)
                for part in fitting(block, self.setter, whole - to_points(pictured)):
                    tag = place.tag.tag("Table")
                    alike = self._alike(part) if self.document.file else []
                    table, wide = grid(part, self.setter, place.column, whole, tag, self._in_cell, pad, alike)
                    wide = wide and whole > place.column
                    if self.document.file:
                        table.whole = _WHOLE_IN_BOOK
                    yield FlowItem(table, _TITLE_AIR if block.accent else self.parted, wide=wide)
            case Beside():
                air = self.parted if "below" in block.lines else _TITLE_AIR if self.document.compact else _H2_AIR
                yield FlowItem(self._beside(block, place), air, wide=True, pinned=block.pinned)
            case Note():
                yield FlowItem(self._note(block, place), self.parted)
            case Code():
                lines = CodeLines(block, self.setter, place.tag.tag("Code"))
                wide = place.whole > place.column and self._may_span() and lines.is_wide(place.column)
                yield FlowItem(lines, self.parted, wide=wide)
            case Figure():
                is_alone = self.columns.count == 1
                plans = (picture.source for picture in block.pictures if picture.plan)
                too_wide = any(to_points(self.figures.size(source).width) > place.column for source in plans)
                # Several pictures span the page, and so does a composed picture that a column would have to reduce.
                is_wide = not is_alone and (len(block.pictures) > 1 or too_wide)
                yield FlowItem(self._figure(block, place.tag), _PARTED, wide=is_wide, floats=is_alone or is_wide)
            case Contents():
                yield from self._contents(block, place.tag)

    def _leads_to(self, paragraph: Paragraph, block: Block) -> bool:
        """Returns whether a block stays with the paragraph before it: a note with a label, a table below a brief line.

        In a chapter for reference code does, and a table does not, because its header says what it is.
        """
        if isinstance(block, Note):
            return bool(block.label)
        if self.document.is_reference:
            return isinstance(block, Code)
        return isinstance(block, Table) and len(plain(paragraph.content)) <= _BRIEF

    def _alike(self, table: Table) -> list[Table]:
        """Returns the tables of the document with the same header, so that their columns line up with this table's."""
        tables = (block for block in walk(self.document.blocks) if isinstance(block, Table))
        alike = (each for each in tables if each.head == table.head)
        return [replace(each, scale=table.scale, rows=tuple(map(_broken_key, each.rows))) for each in alike]

    def _may_span(self, columns: int = 1) -> bool:
        """Returns whether code, or a table with so many columns, may span all columns of the page.

        In a chapter for reference, only larger tables may: whatever spans the page ends the columns above it early.
        """
        return not self.document.is_reference or columns > _KEYS

    def _figure(self, figure: Figure, tag: Tag) -> FigureRow:
        drawings = [self._picture(picture, tag.tag("Figure")) for picture in figure.pictures]
        for drawing in drawings:
            drawing.form()  # so that forms are numbered in the order of the document
        is_sheets = self.document.file and min(drawing.height for drawing in drawings) > _HIGHEST_PLAN
        highest = _HIGHEST_PLAN if any(it.plan for it in figure.pictures) else _SHEET if is_sheets else _HIGHEST
        least = [self.figures.least.get(picture.source, 0.0) for picture in figure.pictures]
        return FigureRow(drawings, highest, reduced=max(_REDUCED, *least))

    def _picture(self, picture: Picture, tag: Tag) -> PlacedDrawing:
        """Returns a picture to be placed, as a form XObject of the file."""
        tag.alternative = picture.text
        size = self.figures.size(picture.source)
        caption = (Span(picture.caption),)
        words = self.setter.words(caption, _CAPTION, tag.parent and tag.parent.tag("P")) if picture.caption else None
        width, height = to_points(size.width), to_points(size.height)
        form = partial(self.forms.name, picture.source)
        return PlacedDrawing(form, width, height, tag, words, picture.framed)

    def _contents(self, block: Contents, tag: Tag) -> Iterator[FlowItem]:
        """Yields a line for each entry; sections are indented below their document, or behind their numbers."""
        numbered = any(line.number for line in block.lines)
        depths = [*(line.depth for line in block.lines), 0, 0]
        for line, *below in zip(block.lines, depths[1:], depths[2:], strict=False):
            style, inside = _IN_CONTENTS[min(line.depth, 1)], tag.tag("P")
            mark = replace(style, colour=self.document.accent)
            indent = _BEHIND if numbered else _INDENT * line.depth
            label = ItemLabel(indent, text=line.number, style=mark) if indent else None
            words = self.setter.words((Span(line.text, link=line.link),), style, inside, label)
            page = self.setter.words((Span(line.page, link=line.link),), style, inside)
            # A document stays with its first section, and the last two sections stay together.
            keep = bool(below[0]) and not (line.depth and below[1])
            yield FlowItem(ContentsEntry(line, words, page), 0.6 if line.depth else _CHAPTER_AIR, keep=keep)

    def _listing(self, listing: Listing, place: _Place) -> Iterator[FlowItem]:
        tag = place.tag.tag("L")
        is_brief = len("".join(map(plain, contents(listing.items[-1])))) <= _ALONE
        accent, wide, least = self.document.accent, bool(listing.disc), len(listing.items) - listing.rings
        for number, item in enumerate(listing.items):
            body = tag.tag("LI").tag("LBody")
            inside = replace(place, tag=body, indent=place.indent + _INDENT + (_BESIDE_DISC if listing.disc else 0))
            label = ItemLabel(inside.indent, place.indent + 1, colour=accent)
            if listing.start is not None:
                style = replace(_NUMBER, size=place.style.size, leading=place.style.leading, colour=accent)
                text, style = on_disc(str(listing.start + number), style, listing.disc, number >= least)
                label = ItemLabel(inside.indent, place.indent + bool(listing.disc), text, style)
            first, rest = (item[0], item[1:]) if item and isinstance(item[0], Paragraph) else (Paragraph(()), item)
            words = self.setter.words(first.content, place.style, body.tag("P"), label)
            if listing.disc and number:
                yield FlowItem(_Rule(), _ENTRY, keep=True, wide=wide)
            keep = plain(first.content).endswith(":") or bool(listing.disc and rest)
            if 0 < number == len(listing.items) - 2 and is_brief and not (self.document.numbered or listing.disc):
                keep = True  # so that a brief last item is not alone at the top of a column
            yield FlowItem(words, _ENTRY if number else _AIR, keep=keep, wide=wide)
            for piece in self._blocks(rest, inside):
                yield replace(piece, before=0 if listing.disc else _ENTRY, wide=wide or piece.wide)

    def _note(self, note: Note, place: _Place) -> Any:
        """Returns a note, with a bar at its side and its label at the top."""
        tag = place.tag.tag("Div")
        label = replace(_LABEL, colour=self.document.accent)
        heading = [self.setter.words(note.label, label, tag.tag("P"))] if note.label else []
        for words in heading:
            words.terms = ()
        room = place.column - BAR
        inside = self._blocks(note.blocks, _Place(_SMALL, tag, column=room, whole=room))
        flowables = [*heading, *(piece.flowable for piece in inside)]
        return aside(flowables, self.setter, place.column, self.document.accent)

    def _beside(self, block: Beside, place: _Place) -> Any:
        """Returns blocks in columns; the first block of each column begins at the top."""
        shares = block.shares or (1,) * len(block.columns)
        gap = BESIDE if all(shares) or block.lines else _CLOSE_BESIDE
        free = place.whole - gap * (len(shares) - 1)
        columns: list[list[Any]] = []
        rooms: list[float] = []
        for blocks, share in zip(block.columns, shares, strict=True):
            room = (free - sum(rooms) * (0 in shares)) * share / sum(shares) if share else free
            own = room - gap / 2 if "between" in block.lines else room
            inside = _Place(_LOOKED_UP, place.tag.tag("Div"), column=own, whole=own)
            columns.append([])
            for piece in self._blocks(blocks, inside):
                piece.flowable.spaceBefore = min(piece.before, _ENTRY)
                piece.flowable.wrap(own, own)
                columns[-1].append(piece.flowable)
            rooms.append(room if share else room - min(each.spare() for each in columns[-1]))
        return beside(columns, self.setter, rooms, block, gap)

    def _in_cell(self, picture: Picture, tag: Tag) -> FigureRow:
        """Returns a picture at its own size, for a table cell."""
        drawing = self._picture(picture, tag.tag("Figure"))
        row = FigureRow([drawing], drawing.height)
        row.wrap(drawing.width, drawing.height)
        return row


class ContentsEntry(Flowable):
    """A line of the table of contents: text on the left, page number on the right, dots between them."""

    _number = 24.0

    def __init__(self, line: ContentsLine, words: TaggedParagraph, page: TaggedParagraph) -> None:
        super().__init__()
        self.line, self.words, self.page = line, words, page
        page.alignment = TA_RIGHT

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        self.width = width
        self.height = self.words.wrap(width - self._number, height)[1]
        self.page.wrap(self._number, height)
        return width, self.height

    def draw(self) -> None:
        canvas: Any = self.canv
        self.words.drawOn(canvas, 0, 0)
        self.page.drawOn(canvas, self.width - self._number, 0)
        start = self.width - self._number - self.words.spare() + 4
        end = self.width - self._number + 8
        if self.line.depth and end > start:
            with artifact(canvas):
                canvas.setStrokeColor(MID)
                canvas.setLineWidth(0.5)
                canvas.setDash(0.5, 3)
                canvas.line(start, 2.6, end, 2.6)
                canvas.setDash()
