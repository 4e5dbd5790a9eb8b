"""The blocks of a document as the pieces that flow into its pages: what each looks like, and the air between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from reportlab.lib.enums import TA_LEFT, TA_RIGHT
from reportlab.platypus import Flowable

from carddb.core.units import to_points
from carddb.layout.documents.blocks import (
    Beside,
    Block,
    Code,
    Contents,
    ContentsLine,
    Document,
    Figure,
    Heading,
    Listing,
    Note,
    Paragraph,
    Picture,
    Section,
    Span,
    Table,
    plain,
)
from carddb.layout.documents.flow import Bookmark, Columns, Piece
from carddb.layout.documents.fonts import BOLD, HEAVIEST, HEAVY
from carddb.layout.documents.index import heading_terms
from carddb.paint.documents.code import CodeLines
from carddb.paint.documents.figures import Drawing, FigureRow
from carddb.paint.documents.paragraph import INK, LINE, MID, ItemLabel, TaggedParagraph, TypeStyle
from carddb.paint.documents.table import BAR, BESIDE, CLOSE, PAD, aside, beside, grid
from carddb.paint.documents.tags import Tag, artifact
from carddb.paint.documents.typography import Typesetter
from carddb.paint.figures import FigureForms, Figures

MM = 72 / 25.4
_WIDTH, _GUTTER = 177.9 * MM, 7 * MM
"""The same on Letter and A4; the difference goes into the margins."""
_STANDFIRST_WIDTH = 160 * MM
_INDENT = 5 * MM
"""Of the words of a list."""
_BEHIND = 7 * MM
"""Of a heading behind its number."""
_FACTS_WIDTH = 50 * MM

_TITLE = TypeStyle("heading", 34, 36, weight=HEAVIEST)
_FACTS = (TypeStyle("label", 9.8, 12, weight=BOLD), TypeStyle("label", 8.8, 11.4, colour=MID))
_STANDFIRST = TypeStyle("text", 12.2, 16.2, italic=True)
_H2, _NUMBER = TypeStyle("heading", 13.5, 16.5, weight=HEAVY), TypeStyle("label", 11, 16.5, weight=BOLD)
_H3 = TypeStyle("label", 9.8, 12, weight=BOLD)
_BODY, _SMALL = TypeStyle("text", 9.6, 12.9), TypeStyle("text", 8.9, 11.6)
_LABEL = TypeStyle("label", 8.8, 11.6, weight=BOLD)
_NOTICE = TypeStyle("label", 7.8, 10.2, colour=MID)
_CAPTION = TypeStyle("label", 8.2, 10.2, italic=True, colour=MID)
_LOOKED_UP = TypeStyle("label", 8.8, 11.4)
"""TaggedParagraph of a compact document."""
_IN_CONTENTS = (TypeStyle("label", 10, 12.6, weight=BOLD), TypeStyle("text", 8.9, 11.2))

_AIR, _ENTRY, _PARTED = 5.0, 2.6, 8.0
"""Before a paragraph, an entry of a list, a table or a note."""
_BRIEF = 300
"""The letters of a paragraph that only leads to a wide table, and goes across with it."""
_H2_AIR, _H3_AIR, _UNDER = 14.0, 8.0, 3.0
"""Before headings, and between a heading and what it stands over."""
_CHAPTER_AIR = 6.5
"""Before a chapter in a list of contents."""
_HIGHEST, _HIGHEST_PLAN = 70 * MM, 190 * MM
"""Of a picture, and of a composed one."""


def columns_of(document: Document) -> Columns:
    """The columns of a document's pages, of all sizes of paper."""
    count = document.columns
    return Columns(count, (_WIDTH - (count - 1) * _GUTTER) / count, _GUTTER)


class Masthead(Flowable):
    """The title where lines begin, facts where they end, a heavy rule under both."""

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


class _Narrow(Flowable):
    """A paragraph that is not set wider than can be read, at the side where it begins."""

    def __init__(self, words: TaggedParagraph) -> None:
        super().__init__()
        self.words = words

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        self.width, self.height = self.words.wrap(min(width, _STANDFIRST_WIDTH), height)
        self._free = width - self.width
        return width, self.height

    def draw(self) -> None:
        self.words.drawOn(self.canv, self._free if self.words.style.alignment == TA_RIGHT else 0, 0)


class _Rule(Flowable):
    """A hairline across."""

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width = width
        return width, 1

    def draw(self) -> None:
        rule(self.canv, 0, 0.5, self.width, 0.57, LINE)


def rule(canvas: Any, x: float, y: float, length: float, weight: float, colour: str) -> None:
    """A line from left to right that is no content."""
    with artifact(canvas):
        canvas.setStrokeColor(colour)
        canvas.setLineWidth(weight)
        canvas.line(x, y, x + length, y)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where blocks stand: their look, the tag they belong to, how far they are indented, the widths for a table."""

    style: TypeStyle
    tag: Tag
    column: float
    whole: float
    indent: float = 0.0


class Story:
    """One document as pieces in reading order."""

    def __init__(
        self,
        document: Document,
        setter: Typesetter,
        root: Tag,
        columns: Columns,
        figures: Figures | None = None,
        forms: FigureForms | None = None,
    ) -> None:
        self.document, self.setter, self.root, self.columns = document, setter, root, columns
        self.figures, self.forms = figures or Figures(), forms
        self.air, self.parted = (0.0, _AIR) if document.compact else (_AIR, _PARTED)
        self.body = replace(_LOOKED_UP if document.compact else _BODY, link=document.accent)

    def pieces(self) -> Iterator[Piece]:
        """Title, lead, sections, notice."""
        document = self.document
        yield Piece(self._masthead(), wide=True, bookmark=Bookmark(document.title, 0, document.file))
        if document.lead:
            yield Piece(_Narrow(self.setter.words(document.lead, _STANDFIRST, self.root.tag("P"))), 10, wide=True)
        yield from self.body_pieces()
        if document.notice:
            yield Piece(_Rule(), 18, keep=True, wide=True)
            yield Piece(self.setter.words(document.notice, _NOTICE, self.root.tag("P")), 4, wide=True)

    def body_pieces(self) -> Iterator[Piece]:
        """The sections."""
        for section in self.document.sections:
            if section.heading:
                yield self._section(section, section.heading)
            place = _Place(self.body, self.root, self.columns.width, self.columns.whole)
            yield from self._blocks(section.blocks, place, under=bool(section.heading))

    def _masthead(self) -> Masthead:
        """The title as large as its line allows."""
        document, setter = self.document, self.setter
        room = self.columns.whole - (_FACTS_WIDTH if document.facts else 0)
        size = max(20.0, min(_TITLE.size, _TITLE.size * room / setter.width(document.title, _TITLE)[0] * 0.98))
        title = setter.words(document.title, replace(_TITLE, size=size, leading=size * 1.06), self.root.tag("H1"))
        facts = [setter.words(fact, _FACTS[min(at, 1)], self.root.tag("P")) for at, fact in enumerate(document.facts)]
        for fact in facts:
            fact.style.alignment = TA_LEFT if setter.is_right_to_left else TA_RIGHT
        return Masthead(title, facts, setter.is_right_to_left)

    def _section(self, section: Section, heading: Heading) -> Piece:
        document = self.document
        style = replace(_NUMBER, colour=document.accent)
        label = ItemLabel(_BEHIND, text=str(section.number), style=style) if document.numbered else None
        words = self.setter.words(heading.content, _H2, self.root.tag("H2"), label)
        words.terms = tuple(heading_terms(heading.content))
        bookmark = Bookmark(section.title, 1, f"{document.file}#{section.anchor}" if document.file else "")
        under = section.blocks[0] if section.blocks else None
        wide = isinstance(under, Beside) or (isinstance(under, Table) and under.titled)
        return Piece(words, _H2_AIR, keep=True, wide=wide, bookmark=None if document.compact else bookmark)

    def _blocks(self, blocks: Sequence[Block], place: _Place, under: bool = False) -> Iterator[Piece]:
        """Blocks of one place; `under` a heading the first is nearer to it."""
        groups = [list(self._block(block, place)) for block in blocks]
        for at, (block, group) in enumerate(zip(blocks, groups, strict=True)):
            if under:
                group[0] = replace(group[0], before=_UNDER)
            follower = groups[at + 1][0] if at + 1 < len(groups) else None
            if isinstance(block, Paragraph) and follower and follower.wide and len(plain(block.content)) <= _BRIEF:
                yield replace(group[0], flowable=_Narrow(group[0].flowable), keep=True)
            else:
                yield from group
            under = isinstance(block, Heading)

    def _block(self, block: Block, place: _Place) -> Iterator[Piece]:
        match block:
            case Heading():
                words = self.setter.words(block.content, _H3, place.tag.tag("H3"))
                words.terms = tuple(heading_terms(block.content))
                yield Piece(words, _H3_AIR, keep=True, bookmark=Bookmark(plain(block.content), 2))
            case Paragraph():
                label = ItemLabel(place.indent) if place.indent else None
                yield Piece(self.setter.words(block.content, place.style, place.tag.tag("P"), label), self.air)
            case Listing():
                yield from self._listing(block, place)
            case Table():
                tag = place.tag.tag("Table")
                pad = CLOSE if self.document.compact else PAD
                table, wide = grid(block, self.setter, place.column, place.whole, tag, self._in_cell, pad)
                yield Piece(table, self.parted, wide=wide)
            case Beside():
                yield Piece(self._beside(block, place), self.parted if block.ruled else _H2_AIR, wide=True)
            case Note():
                yield Piece(self._note(block, place), self.parted)
            case Code():
                lines = CodeLines(block, self.setter, place.tag.tag("Code"))
                yield Piece(lines, _PARTED, wide=place.whole > place.column and lines.is_wide(place.column))
            case Figure():
                is_alone = self.columns.count == 1
                is_wide = not is_alone and self._is_wide(block, place.column)
                yield Piece(self._figure(block, place.tag), _PARTED, wide=is_wide, floats=is_alone)
            case Contents():
                yield from self._contents(block, place.tag)

    def _figure(self, figure: Figure, tag: Tag) -> FigureRow:
        highest = _HIGHEST_PLAN if any(picture.plan for picture in figure.pictures) else _HIGHEST
        drawings = [self._picture(picture, tag.tag("Figure")) for picture in figure.pictures]
        for drawing in drawings:
            drawing.form()  # forms are numbered in the order of the document
        return FigureRow(drawings, highest)

    def _is_wide(self, figure: Figure, column: float) -> bool:
        """Whether pictures go across the page: several, or a composed one that would be made small in a column."""
        return len(figure.pictures) > 1 or any(
            picture.plan and to_points(self.figures.size(picture.source).width) > column for picture in figure.pictures
        )

    def _picture(self, picture: Picture, tag: Tag) -> Drawing:
        """A picture as a form of the file. Every document with pictures has the pages that draw them."""
        assert self.forms
        tag.alternative = picture.text
        size = self.figures.size(picture.source)
        caption = (Span(picture.caption),)
        words = self.setter.words(caption, _CAPTION, tag.parent and tag.parent.tag("P")) if picture.caption else None
        width, height = to_points(size.width), to_points(size.height)
        form = partial(self.forms.name, picture.source)
        return Drawing(form, width, height, tag, words, framed=not picture.plan)

    def _contents(self, block: Contents, tag: Tag) -> Iterator[Piece]:
        """A line each, those of sections indented below their document."""
        for line, following in zip(block.lines, (*block.lines[1:], None), strict=True):
            style, inside = _IN_CONTENTS[min(line.depth, 1)], tag.tag("P")
            label = ItemLabel(_INDENT * line.depth) if line.depth else None
            words = self.setter.words((Span(line.text, link=line.link),), style, inside, label)
            page = self.setter.words((Span(line.page, link=line.link),), style, inside)
            opens = not line.depth and bool(following and following.depth)
            yield Piece(ContentsEntry(line, words, page), 0.6 if line.depth else _CHAPTER_AIR, keep=opens)

    def _listing(self, listing: Listing, place: _Place) -> Iterator[Piece]:
        tag = place.tag.tag("L")
        accent = self.document.accent
        for number, item in enumerate(listing.items):
            body = tag.tag("LI").tag("LBody")
            inside = replace(place, tag=body, indent=place.indent + _INDENT)
            label = ItemLabel(inside.indent, place.indent + 1, colour=accent)
            if listing.start is not None:
                style = replace(_NUMBER, size=place.style.size, leading=place.style.leading, colour=accent)
                label = ItemLabel(inside.indent, place.indent, str(listing.start + number), style)
            first, rest = (item[0], item[1:]) if item and isinstance(item[0], Paragraph) else (Paragraph(()), item)
            words = self.setter.words(first.content, place.style, body.tag("P"), label)
            yield Piece(words, _ENTRY if number else _AIR)
            for piece in self._blocks(rest, inside):
                yield replace(piece, before=_ENTRY)

    def _note(self, note: Note, place: _Place) -> Any:
        """A note, with a bar at its left and its label above."""
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
        """Blocks in columns; the first of each begins at the top."""
        room = (place.whole + BESIDE) / len(block.columns) - BESIDE
        columns: list[list[Any]] = []
        for blocks in block.columns:
            inside = _Place(_LOOKED_UP, place.tag.tag("Div"), column=room, whole=room)
            columns.append([])
            for piece in self._blocks(blocks, inside):
                piece.flowable.spaceBefore = min(piece.before, _ENTRY)
                columns[-1].append(piece.flowable)
        return beside(columns, self.setter, place.whole, ruled=block.ruled)

    def _in_cell(self, picture: Picture, tag: Tag) -> FigureRow:
        """A picture of its own size for a cell of a table."""
        drawing = self._picture(picture, tag.tag("Figure"))
        row = FigureRow([drawing], drawing.height)
        row.wrap(drawing.width, drawing.height)
        return row


class ContentsEntry(Flowable):
    """A line of the contents: words at the left, the page at the right, dots between."""

    _number = 24.0

    def __init__(self, line: ContentsLine, words: TaggedParagraph, page: TaggedParagraph) -> None:
        super().__init__()
        self.line, self.words, self.page = line, words, page
        page.style.alignment = 2

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
