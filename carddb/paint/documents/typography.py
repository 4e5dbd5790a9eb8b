"""The texts of a document as Platypus lays them out: styles, fonts registered with ReportLab, and paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import count
from types import MappingProxyType
from typing import Any, NamedTuple

import uharfbuzz as hb
from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_CENTER, TA_LEFT, TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Paragraph
from reportlab.platypus.paraparser import ParaFrag

from carddb.core.errors import FontError
from carddb.core.plain_text import is_right_to_left
from carddb.core.units import Size, points, to_points
from carddb.game.parts import marked
from carddb.layout.display_list import Run
from carddb.layout.documents.blocks import BOLD, DocumentFonts, IdPlace, Inline, RuleIds, Span, Squares
from carddb.layout.documents.index import terms
from carddb.layout.text.fonts import Font, FontBook, shaped_digits
from carddb.layout.text.scripts import needs_shaping
from carddb.layout.text.shaping import Letters, Typeface, wider_space
from carddb.layout.text.text_setting import Fragment, MixedParagraph
from carddb.paint.documents.tags import Tag, artifact
from carddb.paint.font_subset import cut, outlined
from carddb.paint.pdf.content import PdfContent
from carddb.paint.pdf.operators import StreamBuilder, number
from carddb.paint.pdf.writer import PdfWriter

_BEYOND_ASCII = re.compile(r"[\x80-\xff]")
"""Byte codes in PDF strings, which must be escaped because ReportLab would encode them as letters."""


class DocumentDrawing:
    """Draws runs into one document, after that has been opened."""

    def __init__(self, book: FontBook) -> None:
        self._book = book
        self._builder = StreamBuilder(book)
        self._painter: PdfContent | None = None

    def open(self, writer: PdfWriter) -> None:
        """Sets the writer into whose document runs are drawn from now on."""
        self._painter = PdfContent(writer, self._book, {})

    def close(self) -> None:
        """Records the characters that were drawn; must be called before the fonts are embedded."""
        if self._painter:
            self._painter.add_characters()

    def draw(self, canvas: Any, height: float, runs: Sequence[tuple[Run, str]], leading: float) -> None:
        """Draws runs, each with its link target; their y is measured downwards from `height` points."""
        assert self._painter
        stream = self._builder.stream(Size(1, 1), tuple(run for run, _ in runs))
        code = _BEYOND_ASCII.sub(lambda char: f"\\{ord(char[0]):03o}", self._painter.content(stream).code)
        canvas._code.append(f"q 0.0028346457 0 0 -0.0028346457 0 {number(height)} cm\n{code}Q")
        for run, target in runs:
            if target:
                left, foot = to_points(run.x), height - to_points(run.y + run.size // 8)
                area = (left, foot, left + to_points(run.width), foot + leading)
                canvas.linkRect("", target.removeprefix("#"), area, relative=1, thickness=0)


INK, MID, LINE = "#1a1a1c", "#5e6064", "#b4b6b8"
APART = 1.2
"""The distance from one square to the next, as a multiple of a square's side."""
_FEWEST = 2
"""The fewest lines on either side when a paragraph is split between two pages."""


@dataclass(frozen=True, slots=True)
class TypeStyle:
    """A text style: the font's role, size and leading in points, weight, slant, and colour."""

    role: str
    size: float
    leading: float
    weight: int = 400
    italic: bool = False
    colour: str = INK
    link: str = ""
    """The colour of links; if empty, links have the colour of other text."""


@dataclass(frozen=True, slots=True)
class ItemLabel:
    """A label before an indented paragraph: a number, or squares if there is no number."""

    indent: float
    at: float = 0.0
    """The distance of the label from the left, in points."""
    text: str = ""
    style: TypeStyle | None = None
    colour: str = ""
    """The colour of squares."""
    squares: tuple[int, int] = (1, 1)
    """The number of squares, and the number of filled squares."""
    side: float = 0.34
    """The side of a square, in ems."""


class MarginIds(NamedTuple):
    """Ids of rules beside a paragraph, whose first baseline begins at (`x`, `y`) on the page, in points."""

    ids: str
    x: float
    y: float
    tag: Tag | None


_SHORTER = (0.97, 0.94, 0.91, 0.88)
"""The widths to which lines are shortened in turn, as shares of the column, so that no last word stands alone."""


class TaggedParagraph(Paragraph):
    """A paragraph with a PDF tag, and optionally squares in place of a bullet."""

    tag: Tag | None = None
    square: ItemLabel | None = None
    terms: tuple[str, ...] = ()
    """The terms for the index of a book."""
    ids: str = ""
    """The ids of rules that stand in the margin beside the paragraph."""
    margin: list[MarginIds] | None = None
    """The ids beside the paragraphs of the page that is being drawn."""

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        """Breaks the lines, the first ones a little shorter if otherwise the last word stood alone on the last line."""
        size = super().wrap(availWidth, availHeight)
        if self._has_lone_word():
            for share in _SHORTER:
                narrower = super().wrap(availWidth * share, availHeight)
                if narrower[1] == size[1] and not self._has_lone_word():
                    self.width = availWidth
                    return size
            super().wrap(availWidth, availHeight)
        return size

    def _has_lone_word(self) -> bool:
        broken: Any = vars(self).get("blPara")
        if broken is None or len(broken.lines) < 2 or self.style.alignment != TA_LEFT:
            return False
        last = broken.lines[-1]
        words = " ".join(last[1]) if broken.kind == 0 else "".join(frag.text for frag in last.words)
        return len(words.split()) == 1

    def split(self, width: float, height: float) -> list[Any]:
        parts: list[Any] = super().split(width, height)
        for part in parts:
            part.tag = self.tag
        if parts:
            parts[0].square, parts[0].terms = self.square, self.terms
            parts[0].ids, parts[0].margin = self.ids, self.margin
        return parts

    def draw(self) -> None:
        canvas: Any = self.canv
        if self.ids and self.margin is not None:
            x, y = canvas.absolutePosition(0, self.height - self.style.fontSize)
            self.margin.append(MarginIds(self.ids, x, y, self.tag))
        if self.square:
            with artifact(canvas):
                self._draw_squares(canvas, self.square)
        with self.tag.marked(canvas) if self.tag else nullcontext():
            self._draw_words()

    def _draw_squares(self, canvas: Any, label: ItemLabel) -> None:
        side = self.style.fontSize * label.side
        hair = side * 0.1
        canvas.setFillColor(label.colour)
        y = self.height - self.style.fontSize * 0.66 - side / 2
        count, filled = label.squares
        for place in range(count):
            x = self._square_left(label.at + place * side * APART, side)
            if place < filled:
                canvas.rect(x, y, side, side, stroke=0, fill=1)
            else:
                canvas.setStrokeColor(label.colour)
                canvas.setLineWidth(hair)
                canvas.rect(x + hair / 2, y + hair / 2, side - hair, side - hair, stroke=1, fill=0)

    def _square_left(self, at: float, side: float) -> float:
        """Returns the left edge of a square of width `side` that is `at` points from where lines begin."""
        return at

    def _draw_words(self) -> None:
        broken: Any = vars(self)["blPara"]
        if broken.kind == 1 and broken.lines:
            broken.lines[0].ascent = self.style.fontSize  # position the first line like all others
        # Smaller text gets the same baseline as the text in adjacent cells.
        lower = self.style.fontSize - broken.fontSize if broken.kind == 0 and broken.lines else 0
        if lower:
            self.canv.translate(0, -lower)
        super().draw()
        if lower:
            self.canv.translate(0, lower)

    def spare(self) -> float:
        """Returns the free space at the end of its last line, in points."""
        broken: Any = vars(self)["blPara"]
        last = broken.lines[-1]
        return float(last[0] if isinstance(last, tuple) else last.extraSpace)


class ShapedParagraph(TaggedParagraph):
    """A paragraph with letters that need shaping, which ReportLab cannot set."""

    def __init__(
        self, style: ParagraphStyle, content: MixedParagraph, label: MixedParagraph | None, drawing: DocumentDrawing
    ) -> None:
        super().__init__("", style, frags=[])
        self._content, self._label, self._drawing = content, label, drawing

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        self.width = availWidth
        self._rows = self._content.rows(points(availWidth - self.style.leftIndent))
        self.height = len(self._rows) * self.style.leading
        return availWidth, self.height

    def minWidth(self) -> float:
        return to_points(self._content.longest()) + float(self.style.leftIndent)

    def split(self, width: float, height: float) -> list[Any]:
        self.wrap(width, height)
        fitting = int((height + 0.01) / self.style.leading)
        if fitting >= len(self._rows):
            return [self]
        fitting = min(fitting, len(self._rows) - _FEWEST)
        if fitting < _FEWEST:
            return []
        parts: list[Any] = []
        for rows in (self._rows[:fitting], self._rows[fitting:]):
            content = self._content.part(rows[0].start, rows[-1].end)
            parts.append(ShapedParagraph(self.style, content, None if parts else self._label, self._drawing))
            parts[-1].tag = self.tag
        parts[0].square, parts[0].terms = self.square, self.terms
        parts[0].ids, parts[0].margin = self.ids, self.margin
        return parts

    def spare(self) -> float:
        return float(self.width - self.style.leftIndent) - to_points(self._rows[-1].width)

    def _square_left(self, at: float, side: float) -> float:
        return float(self.width - at - side) if self._content.is_right_to_left else at

    def _draw_words(self) -> None:
        backward = self._content.is_right_to_left
        style = self.style
        alignment: Any = style.alignment
        indent, halves = points(style.leftIndent), {TA_LEFT: 0, TA_CENTER: 1}.get(alignment, 2)
        runs: list[tuple[Run, str]] = []
        for line, row in enumerate(self._rows):
            room = points(self.width) - indent - row.width
            x = (0 if backward else indent) + room * halves // 2
            runs += self._content.runs(row, x, points(style.fontSize + line * style.leading))
        if self._label:
            [row] = self._label.rows(points(self.width) * 9)
            at = points(style.bulletIndent)
            x = points(self.width) - at - row.width if backward else at
            runs += self._label.runs(row, x, points(style.fontSize))
        self._drawing.draw(self.canv, self.height, runs, style.leading)


_MARK_SIZE = 6.5
_FIGURES = {"heading": (), "text": ("lnum",), "label": ("lnum", "tnum"), "code": ()}
"""OpenType features of digits by role: equal height in text, also equal width in labels; headings are kerned."""
_CODE_SIZE = 0.88
"""The relative size of code within a sentence, which is reduced because its letters are wider than others."""
_QUIET = 0.86
"""The relative size of text that is marked as quiet."""
_SQUARE, _BEHIND = 0.68, 0.3
"""The side of a square before a text, and the space after the last square, in ems."""
_ENDLESS = 1 << 40
"""A width in which every text fits on one line, in micrometres."""
_NO_BREAK = "\u00a0"
_SHORT = 10
"""The most letters of a last word that is kept on the same line as the word before it."""
_TINY = 5
"""That limit if rule ids follow the word."""


class Typesetter:
    """The fonts of one document, each registered with ReportLab when first used.

    `chars` are all characters that will be set, `targets` is `{link: name of the destination in the file}`, `lang` is
    the language of the document, and `ids` says where the ids of rules stand.
    """

    def __init__(
        self,
        fonts: DocumentFonts,
        chars: Iterable[str],
        targets: Mapping[str, str] = MappingProxyType({}),
        lang: str = "en",
        ids: IdPlace = "text",
    ) -> None:
        self.fonts = fonts
        self.drawing = DocumentDrawing(fonts.book)
        self.is_right_to_left = is_right_to_left(lang)
        self._letters: dict[str, Letters] = {}
        self.targets = targets
        self._links = count()
        self.chars = frozenset(chars)
        self._names: dict[str, str] = {}
        self._ids = ids
        self.margin: list[MarginIds] = []
        """The ids in the margin of the page that is being drawn."""

    def name(self, style: TypeStyle, font: Font | None = None) -> str:
        """Returns the registered name of a style's font, or of `font` if it is given.

        Raises FontError if the font cannot be embedded.
        """
        font = font or self.font(style)
        figures = _FIGURES[style.role]
        wider = wider_space(font, style.size)
        key = " ".join((font.key, *figures, *(["open"] if wider else [])))
        if key not in self._names:
            outlined(font)
            chars = [char for char in self.chars if ord(char) in font.characters]
            name = "-".join(key.split())
            try:
                entry = _registered(name, cut(font, chars, figures or ("kern",)), figures)
                for space in (" ", _NO_BREAK) if wider else ():
                    entry.face.charWidths[ord(space)] = entry.face.getCharWidth(ord(space)) + wider
                pdfmetrics.registerFont(entry)
            except Exception as fault:  # a broken font can make its reader fail in any way
                raise FontError(f"the font {font.key} cannot be embedded: {fault}", "Use another font file.") from fault
            self._names[key] = name
        return self._names[key]

    def font(self, style: TypeStyle, bold: bool = False, italic: bool = False) -> Font:
        return self.fonts.font(style.role, max(style.weight, BOLD) if bold else style.weight, italic != style.italic)

    def words(
        self, content: Inline | str, style: TypeStyle, tag: Tag | None = None, label: ItemLabel | None = None
    ) -> TaggedParagraph:
        """Returns a paragraph; rule ids, and in running text a short last word, stay with the word before."""
        parts = (Span(content),) if isinstance(content, str) else content
        if parts and isinstance(parts[0], Squares):
            squares, parts = parts[0], parts[1:]
            indent = _indent(squares, style)
            label = ItemLabel(indent, colour=INK, squares=(squares.count, squares.filled), side=_SQUARE)
        inside = _without_widow(parts) if style.role == "text" else parts
        words = (self._shaped if _is_shaped(parts) else self._paragraph)(inside, style, label)
        if label:
            words.style.leftIndent, words.style.bulletIndent = label.indent, label.at
        words.tag = tag
        if self._ids == "margin":
            words.margin = self.margin
            ids = (
                marked(id_, id_ in part.decided) for part in parts if isinstance(part, RuleIds) for id_ in part.rules
            )
            words.ids = ", ".join(dict.fromkeys(ids))
        words.terms = tuple(terms(parts))
        words.square = label if label and label.colour else None
        return words

    def _paragraph(self, parts: Inline, style: TypeStyle, label: ItemLabel | None) -> TaggedParagraph:
        """Returns a paragraph that ReportLab sets."""
        frags = self.frags(parts, style)
        is_of_one_font = len({frag.fontName for frag in frags}) == 1  # ReportLab cannot kern across fonts
        look = ParagraphStyle(
            "", fontName=self.name(style), fontSize=style.size, leading=style.leading, textColor=HexColor(style.colour),
            allowWidows=0, allowOrphans=0, shaping=int(style.role == "heading" and is_of_one_font),
        )  # fmt: skip
        if label and label.style:
            look.bulletFontName, look.bulletFontSize = self.name(label.style), label.style.size
            look.bulletColor = HexColor(label.style.colour)
        return TaggedParagraph("", look, bulletText=label.text or None if label else None, frags=frags)

    def _shaped(self, parts: Inline, style: TypeStyle, label: ItemLabel | None) -> ShapedParagraph:
        """Returns a paragraph with letters that need shaping, whose fonts are not registered with ReportLab."""
        content = self._mixed(parts, style)
        alignment: Any = TA_RIGHT if content.is_right_to_left else TA_LEFT
        look = ParagraphStyle("", fontSize=style.size, leading=style.leading, alignment=alignment)
        mark = None
        if label and label.style and label.text:
            mark = MixedParagraph.of([self._fragment(label.text, label.style)], False)
        return ShapedParagraph(look, content, mark, self.drawing)

    def _mixed(self, parts: Inline, style: TypeStyle) -> MixedParagraph:
        """Returns `parts` as a paragraph of fragments, each in its own style."""
        return MixedParagraph.of([self._fragment(*each) for each in self._looks(parts, style)], self.is_right_to_left)

    def _fragment(
        self, text: str, style: TypeStyle, bold: bool = False, italic: bool = False, target: str = ""
    ) -> Fragment:
        font = self.font(style, bold, italic)
        letters = self._letters.setdefault(font.key, Letters(self.fonts.book, font))
        return Fragment(text, Typeface(letters, points(style.size), 0), (target and style.link) or style.colour, target)

    def _looks(self, parts: Inline, style: TypeStyle) -> Iterator[tuple[str, TypeStyle, bool, bool, str]]:
        """Yields (text, style, is bold, is italic, link target) for each part."""
        for part in parts:
            if isinstance(part, RuleIds) and self._ids != "text":
                yield part.sign, replace(style, role="text", colour=MID), False, False, ""
            elif isinstance(part, RuleIds):
                look = TypeStyle("label", _MARK_SIZE, style.leading, colour=MID)
                yield _NO_BREAK + part.text, look, False, False, ""
            elif isinstance(part, Span):
                typed = replace(style, role="code", size=style.size * _CODE_SIZE) if part.code else style
                if part.quiet:
                    typed = replace(typed, role="label", size=style.size * _QUIET, weight=400, colour=MID)
                yield part.text, typed, part.bold, part.italic, self.targets.get(part.link, "")

    def frags(self, content: Inline | str, style: TypeStyle) -> list[Any]:
        """Returns the content as ReportLab fragments, each in one font."""
        parts = (Span(content),) if isinstance(content, str) else content
        out: list[Any] = []
        for text, look, bold, italic, target in self._looks(parts, style):
            runs, _ = self.fonts.runs(text, self.font(look, bold, italic))
            link = [(next(self._links), f"#{target}")] if target else []
            colour = HexColor((target and look.link) or look.colour)
            out += [
                ParaFrag(
                    text=piece, fontName=self.name(look, owner), fontSize=look.size, textColor=colour,
                    bold=0, italic=0, rise=0, greek=0, link=link, us_lines=[],
                )
                for owner, piece in runs
            ]  # fmt: skip
        return out

    def width(self, content: Inline | str, style: TypeStyle) -> tuple[float, float]:
        """Returns the width of the content on one line, and the width of its longest word, in points."""
        parts = (Span(content),) if isinstance(content, str) else content
        if parts and isinstance(parts[0], Squares):
            indent = _indent(parts[0], style)
            whole, longest = self.width(parts[1:], style)
            return whole + indent, longest + indent
        if _is_shaped(parts):
            mixed = self._mixed(parts, style)
            return sum(to_points(row.width) for row in mixed.rows(_ENDLESS)), to_points(mixed.longest())
        whole = word = longest = 0.0
        for frag in self.frags(content, style):
            for at, piece in enumerate(frag.text.split(" ")):
                if at:
                    whole += pdfmetrics.stringWidth(" ", frag.fontName, frag.fontSize)
                    word = 0.0
                width = pdfmetrics.stringWidth(piece, frag.fontName, frag.fontSize)
                whole, word = whole + width, word + width
                longest = max(longest, word)
        return whole, longest


def _indent(squares: Squares, style: TypeStyle) -> float:
    """Returns the indent of a text after its squares, in points."""
    return style.size * (_SQUARE * (APART * (squares.count - 1) + 1) + _BEHIND)


def _registered(name: str, data: bytes, figures: tuple[str, ...]) -> Any:
    """Returns a font for registration with ReportLab, with digits drawn by the OpenType features `figures`."""
    # Looking up an unknown font makes ReportLab read all AFM files of the system, which took 1.0 of 2.6 s for a sheet.
    if name in pdfmetrics.getRegisteredFontNames():
        former: Any = pdfmetrics.getFont(name)
        former.unregister()
    # With `asciiReadable`, no character gets the code 0, which PDF readers skip.
    entry: Any = TTFont(name, BytesIO(data), asciiReadable=True)
    entry.face.name = name.encode("ascii", "replace")  # ReportLab stores objects by this name
    if figures:
        font = hb.Font(hb.Face(data))
        scale = 1000 / font.face.upem
        for digit, glyph, advance in shaped_digits(font, figures):
            if glyph:
                entry.face.charToGlyph[ord(digit)] = glyph
                entry.face.charWidths[ord(digit)] = advance * scale
    return entry


def _is_shaped(parts: Inline) -> bool:
    """Says whether any part has letters that need shaping."""
    return any(needs_shaping(part.text) for part in parts if part.text)


def _without_widow(parts: Inline) -> Inline:
    """Joins a short last word to the word before it, so that it is not alone on a line, or alone with rule ids."""
    marked = bool(parts) and isinstance(parts[-1], RuleIds)
    last = parts[-2:-1] if marked else parts[-1:]
    match last:
        case (Span() as span,):
            before, space, word = span.text.rpartition(" ")
            if space and before and len(word) <= (_TINY if marked else _SHORT):
                joined = replace(span, text=before + _NO_BREAK + word)
                return (*parts[:-2], joined, parts[-1]) if marked else (*parts[:-1], joined)
    return parts
