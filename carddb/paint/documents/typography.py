"""The texts of a document: styles, and paragraphs that flow onto its pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from copy import copy
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, NamedTuple

from reportlab.lib.enums import TA_CENTER, TA_LEFT, TA_RIGHT
from reportlab.platypus import Flowable

from carddb.core.plain_text import is_right_to_left
from carddb.core.units import Size, mm, points, to_points
from carddb.game.parts import SIGN, marked
from carddb.layout.display_list import Run
from carddb.layout.documents.blocks import BOLD, TAB, DocumentFonts, IdPlace, Inline, RuleIds, Span, Squares
from carddb.layout.documents.index import terms
from carddb.layout.text.fonts import FontBook
from carddb.layout.text.scripts import needs_shaping
from carddb.layout.text.shaping import Letters, Typeface
from carddb.layout.text.text_setting import Fragment, MixedParagraph
from carddb.paint.documents.tags import Tag, artifact
from carddb.paint.pdf.content import PdfContent
from carddb.paint.pdf.operators import StreamBuilder, number
from carddb.paint.pdf.writer import PdfWriter

_BEYOND_ASCII = re.compile(r"[\x80-\xff]")
"""Byte codes in PDF strings, which must be escaped because ReportLab would encode them as letters."""


class DocumentDrawing:
    """Draws runs into the document of a writer."""

    def __init__(self, book: FontBook, writer: PdfWriter) -> None:
        self._builder = StreamBuilder(book)
        self._painter = PdfContent(writer, book, {})
        self.is_signed = False
        """True once the sign of a ruling was drawn on the page."""

    def draw(self, canvas: Any, height: float, runs: Sequence[tuple[Run, Fragment]], leading: float) -> None:
        """Draws runs, each with its disc and its link target; y 0 of runs is `height` points above the origin."""
        self.is_signed = self.is_signed or any(SIGN in run.text for run, _ in runs)
        for run, look in runs:
            if look.disc:
                x, y, size = to_points(run.x + run.width // 2), height - to_points(run.y), to_points(run.size)
                is_ring = look.colour == look.disc
                canvas.setFillColor(look.disc)
                canvas.setStrokeColor(look.disc)
                canvas.setLineWidth(size * _RING)
                canvas.circle(x, y + size * _CAPITAL, size * (_DISC - _RING / 2), stroke=1, fill=not is_ring)
        stream = self._builder.stream(Size(1, 1), tuple(run for run, _ in runs))
        code = _BEYOND_ASCII.sub(lambda char: f"\\{ord(char[0]):03o}", self._painter.content(stream).code)
        canvas._code.append(f"q 0.0028346457 0 0 -0.0028346457 0 {number(height)} cm\n{code}Q")
        for run, look in runs:
            if look.target:
                left, foot = to_points(run.x), height - to_points(run.y + run.size // 8)
                area = (left, foot, left + to_points(run.width), foot + leading)
                canvas.linkRect("", look.target.removeprefix("#"), area, relative=1, thickness=0)


INK, MID, LINE = "#1a1a1c", "#5e6064", "#b4b6b8"
_DISC, _CAPITAL, _RING = 0.85, 0.34, 0.14
"""The radius of a disc behind a number, the height of its middle above the baseline, and the width of a ring's line, in
ems of the number."""
APART = 1.2
"""The distance from one square to the next, as a multiple of a square's side."""
_FEWEST = 2
"""The fewest lines on either side when a paragraph is split between two pages."""


@dataclass(frozen=True, slots=True)
class TypeStyle:
    """A text style: the font's role, size and leading in points, weight, slant, and colours of text and of a disc."""

    role: str
    size: float
    leading: float
    weight: int = 400
    italic: bool = False
    colour: str = INK
    link: str = ""
    """The colour of links; if empty, links have the colour of other text."""
    disc: str = ""


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
    """The number of squares, and how many of them are filled."""
    side: float = 0.34
    """The side of a square, in ems."""


class MarginIds(NamedTuple):
    """The ids of the rules that a paragraph states, and the point of the page at which their first line begins."""

    words: TaggedParagraph
    x: float
    y: float


_OVERHANG = 200
"""A line may be wider than its column by the share 1/200: nobody sees it at a ragged edge, and it saves lines."""


class TaggedParagraph(Flowable):
    """A paragraph with a PDF tag, and optionally a text or squares before its first line as a label."""

    def __init__(
        self, content: MixedParagraph, style: TypeStyle, drawing: DocumentDrawing,
        label: ItemLabel | None = None, mark: MixedParagraph | None = None, ending: MixedParagraph | None = None,
    ) -> None:  # fmt: skip
        """Takes the words, the label before them and its text `mark`, and the text at the far end of the first line."""
        super().__init__()
        self.content, self.style, self.mark, self.ending = content, style, mark, ending
        self._kept = to_points(ending.rows(_ENDLESS)[0].width) + style.size if ending else 0.0
        self._drawing = drawing
        self.alignment: int = TA_RIGHT if content.is_right_to_left else TA_LEFT
        self.indent, self.label_at = (label.indent, label.at) if label else (0.0, 0.0)
        self.square = label if label and label.colour else None
        self.tag: Tag | None = None
        self.terms: tuple[str, ...] = ()
        """The terms for the index of a book."""
        self.key = ""
        """The text by which readers find a row of a table, if the paragraph begins the row."""
        self.ids: TaggedParagraph | None = None
        """The ids of rules in the margin beside the paragraph, which is at least as high as they are."""
        self.rules: tuple[str, ...] = ()
        """The ids of rules in the margin as they are written in the text, for the index of ids."""
        self.margin: list[MarginIds] = []
        """The ids beside the paragraphs of the page that is being drawn."""
        # If paragraphs were set again for each height of a page that is tried, the handbook would take 16 s, not 15.
        self.width, self._parts = 0.0, dict[int, list[Any]]()
        """The width at which it was set, and the parts into which it was split, by the number of lines in the first."""

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        if width == self.width:
            return width, self.height
        self.width, self._parts = width, {}
        room = points(width - self.indent - self._kept)
        room += room // _OVERHANG
        self._rows = self.content.rows(room)
        if any(row.width > room for row in self._rows):
            self.content = self.content.cut(room)
            self._rows = self.content.rows(room)
        self.height = max(1, len(self._rows)) * self.style.leading
        if self.ids:
            self.height = max(self.height, self.ids.wrap(IDS_WIDTH, _height)[1] - _IDS_BELOW)
        return width, self.height

    def split(self, width: float, height: float) -> list[Any]:
        self.wrap(width, height)
        fitting = int((height + 0.01) / self.style.leading)
        if fitting >= len(self._rows):
            return [self]
        fitting = min(fitting, len(self._rows) - _FEWEST)
        beside = self.ids.height - _IDS_BELOW if self.ids else 0.0  # all ids stand beside the first part
        if fitting < _FEWEST or fitting * self.style.leading < beside:
            return []
        if fitting not in self._parts:
            parts = [copy(self), copy(self)]
            for part, rows in zip(parts, (self._rows[:fitting], self._rows[fitting:]), strict=True):
                part.width, part.content = 0.0, self.content.part(rows[0].start, rows[-1].end)
            parts[1].square, parts[1].mark, parts[1].ending, parts[1].terms, parts[1].ids = None, None, None, (), None
            parts[1].rules = ()
            self._parts[fitting] = parts
        return self._parts[fitting]

    def draw(self) -> None:
        canvas: Any = self.canv
        if self.ids:
            x, y = canvas.absolutePosition(0, self.height - self.style.size + _IDS.size)
            self.margin.append(MarginIds(self.ids, x, y))
        if self.square:
            with artifact(canvas):
                self._draw_squares(canvas, self.square)
        with self.tag.marked(canvas) if self.tag else nullcontext():
            self._draw_words(canvas)

    def _draw_squares(self, canvas: Any, label: ItemLabel) -> None:
        side = self.style.size * label.side
        hair = side * 0.1
        canvas.setFillColor(label.colour)
        y = self.height - self.style.size * 0.66 - side / 2
        count, filled = label.squares
        shift = self.spare() if self.alignment == TA_RIGHT and not self.content.is_right_to_left else 0.0
        for place in range(count):
            at = label.at + shift + place * side * APART
            x = self.width - at - side if self.content.is_right_to_left else at
            if place < filled:
                canvas.rect(x, y, side, side, stroke=0, fill=1)
            else:
                canvas.setStrokeColor(label.colour)
                canvas.setLineWidth(hair)
                canvas.rect(x + hair / 2, y + hair / 2, side - hair, side - hair, stroke=1, fill=0)

    def _draw_words(self, canvas: Any) -> None:
        backward, style = self.content.is_right_to_left, self.style
        indent, halves = points(self.indent), {TA_LEFT: 0, TA_CENTER: 1}.get(self.alignment, 2)
        runs: list[tuple[Run, Fragment]] = []
        if self.mark:
            [row] = self.mark.rows(_ENDLESS)
            at = points(self.label_at)
            x = points(self.width) - at - row.width if backward else at
            runs += self.mark.runs(row, x, points(style.size))
        if self.ending:
            [row] = self.ending.rows(_ENDLESS)
            x = 0 if self.alignment == TA_RIGHT else points(self.width) - row.width
            runs += self.ending.runs(row, x, points(style.size))
        for line, row in enumerate(self._rows):
            room = points(self.width) - indent - row.width
            x = (0 if backward else indent) + room * halves // 2
            runs += self.content.runs(row, x, points(style.size + line * style.leading))
        self._drawing.draw(canvas, self.height, runs, style.leading)

    def spare(self) -> float:
        """Returns the free space at the end of its last line, in points."""
        return float(self.width - self.indent) - (to_points(self._rows[-1].width) if self._rows else 0.0)


_MARK_SIZE = 6.5
_IDS = TypeStyle("label", 7.5, 8.8)
IDS_WIDTH = to_points(mm(19))
_IDS_BELOW = 2.0
"""The height by which ids in the margin may reach below their paragraph, into the space after it, in points."""
_CODE_SIZE = 0.88
"""The relative size of code within a sentence, which is reduced because its letters are wider than others."""
_QUIET, _LEAST_QUIET = 0.86, 7.0
"""The relative size of quiet text, and the size in points below which it is not reduced."""
_SQUARE, _BEHIND = 0.68, 0.3
"""The side of a square before a text, and the space after the last square, in ems."""
NO_BREAK = "\u00a0"
_UNBROKEN = re.compile(
    r"(?<=\d) (?=[-+−×÷=](?: |\d))|(?<=[-+−×÷=]) (?=\d)|(?<=\d) (?=per )|(?<=\d per) |"
    r"(?<=\d) (?=(?:mm|cm|pt|points?|inch(?:es)?|%)(?!\w))"
)
"""The spaces in sums and before units, at which no line ends."""
_ON_DISC, _FAR = 0.74, 9.0
"""The relative size of a number on a disc, and the largest size of a text at the far end of a line, in points."""
_ENDLESS = 1 << 40
"""A width in which every text fits on one line, in micrometres."""
_SHORT = 10
"""The most letters of a last word that stays on one line with the word before it."""
_TINY = 5
"""The same limit if rule ids follow the word."""


class Typesetter:
    """Sets the texts of one document in its fonts; `writer` writes them into its file.

    `targets` is `{link: name of the destination in the file}`, `lang` is the language of the document, and `ids` the
    place of the ids of rules.
    """

    def __init__(
        self, fonts: DocumentFonts, writer: PdfWriter, targets: Mapping[str, str], lang: str, ids: IdPlace
    ) -> None:
        self.fonts = fonts
        self.drawing = DocumentDrawing(fonts.book, writer)
        self.is_right_to_left = is_right_to_left(lang)
        self._letters = cache(partial(Letters, fonts.book))
        self._typeface = cache(lambda font, size: Typeface(self._letters(font), points(size), 0))
        self.targets = targets
        self._ids = ids
        self.margin: list[MarginIds] = []
        """The ids in the margin of the page that is being drawn."""

    def words(
        self, content: Inline | str, style: TypeStyle, tag: Tag | None = None, label: ItemLabel | None = None
    ) -> TaggedParagraph:
        """Returns a paragraph; rule ids, and in running text a short last word, stay on the line of the word before."""
        parts = (Span(content),) if isinstance(content, str) else content
        if parts and isinstance(parts[0], Squares):
            squares, parts = parts[0], parts[1:]
            indent = _indent(squares, style, bool(parts))
            label = ItemLabel(indent, colour=INK, squares=(squares.count, squares.filled), side=_SQUARE * squares.size)
        end = parts.index(TAB) if TAB in parts else len(parts)
        inside = _without_widow(parts[:end]) if style.role == "text" else parts[:end]
        mark = None
        if label and label.style and label.text:
            mark = MixedParagraph.of(self._fragments(label.text, label.style), False)
        aside = replace(style, role="label", size=min(style.size, _FAR))
        far = self._mixed(parts[end:], aside) if end < len(parts) else None
        words = TaggedParagraph(self._mixed(inside, style), style, self.drawing, label, mark, far)
        words.tag = tag
        self.place_ids(words, parts)
        words.terms = tuple(terms(parts))
        return words

    def place_ids(self, words: TaggedParagraph, parts: Inline) -> None:
        """Moves the rule ids in `parts` to the margin beside the paragraph `words`, if that is their place."""
        rules = [part for part in parts if isinstance(part, RuleIds) and self._ids == "margin"]
        ids = ", ".join(dict.fromkeys(marked(id_, id_ in part.decided) for part in rules for id_ in part.rules))
        words.rules = tuple(id_ for part in rules for id_ in part.rules)
        words.ids, words.margin = self.words(ids, _IDS, words.tag) if ids else None, self.margin

    def _mixed(self, parts: Inline, style: TypeStyle) -> MixedParagraph:
        """Returns `parts` as one paragraph of fragments, each of which has its own style."""
        fragments = [each for look in self._looks(parts, style) for each in self._fragments(*look)]
        return MixedParagraph.of(fragments, self.is_right_to_left)

    def _fragments(
        self, text: str, style: TypeStyle, bold: bool = False, italic: bool = False, target: str = ""
    ) -> list[Fragment]:
        """Returns a text as fragments, each in a font that has its letters; `target` is the link's destination."""
        weight = max(style.weight, BOLD) if bold else style.weight
        font = self.fonts.font(style.role, weight, italic != style.italic)
        font = font.for_columns if style.role == "label" else font
        runs = [(font, text)] if needs_shaping(text) else self.fonts.runs(text, font)[0]
        colour = (target and style.link) or style.colour
        return [Fragment(piece, self._typeface(owner, style.size), colour, target, style.disc) for owner, piece in runs]

    def _looks(self, parts: Inline, style: TypeStyle) -> Iterator[tuple[str, TypeStyle, bool, bool, str]]:
        """Yields (text, style, is bold, is italic, link target) for each part."""
        for part in parts:
            if isinstance(part, RuleIds) and self._ids != "text":
                yield part.sign, replace(style, role="text", colour=MID), False, False, ""
            elif isinstance(part, RuleIds):
                look = TypeStyle("label", _MARK_SIZE, style.leading, colour=MID)
                yield NO_BREAK + part.text, look, False, False, ""
            elif isinstance(part, Span):
                typed = replace(style, role="code", size=style.size * _CODE_SIZE) if part.code else style
                if part.quiet:
                    quiet = max(style.size * _QUIET, min(style.size, _LEAST_QUIET))
                    typed = replace(typed, role="label", size=quiet, weight=400, colour=MID)
                text, typed = on_disc(
                    part.text if part.code else _UNBROKEN.sub(NO_BREAK, part.text), typed, part.disc, part.is_ring
                )
                yield text, typed, part.bold, part.italic, self.targets.get(part.link, "")

    def width(self, content: Inline | str, style: TypeStyle) -> tuple[float, float]:
        """Returns the width of the content on one line and the width of its longest word, both in points."""
        parts = (Span(content),) if isinstance(content, str) else content
        if parts and isinstance(parts[0], Squares):
            indent = _indent(parts[0], style, len(parts) > 1)
            whole, longest = self.width(parts[1:], style)
            return whole + indent, longest + indent
        mixed = self._mixed(parts, style)
        return sum(to_points(row.width) for row in mixed.rows(_ENDLESS)), to_points(mixed.longest())


def on_disc(text: str, style: TypeStyle, disc: str, is_ring: bool) -> tuple[str, TypeStyle]:
    """Returns a number and its style: white on a `disc` or, `is_ring`, in the colour of a ring; if empty, unchanged."""
    colour = disc if is_ring else "#ffffff"
    look = TypeStyle("label", min(style.size, _FAR) * _ON_DISC, style.leading, BOLD, colour=colour, disc=disc)
    beside = NO_BREAK * (2 if len(text) < 2 else 1)
    return (f"{beside}{text}{beside}", look) if disc else (text, style)


def _indent(squares: Squares, style: TypeStyle, is_followed: bool) -> float:
    """Returns the width, in points, of squares, including the space after them if text follows."""
    return style.size * (_SQUARE * squares.size * (APART * (squares.count - 1) + 1) + _BEHIND * is_followed)


def _without_widow(parts: Inline) -> Inline:
    """Joins a short last word to the word before it, so that it is not alone on a line, or with rule ids only."""
    marked = bool(parts) and isinstance(parts[-1], RuleIds)
    last = parts[-2:-1] if marked else parts[-1:]
    match last:
        case (Span() as span,):
            before, space, word = span.text.rpartition(" ")
            if space and before and len(word) <= (_TINY if marked else _SHORT):
                joined = replace(span, text=before + NO_BREAK + word)
                return (*parts[:-2], joined, parts[-1]) if marked else (*parts[:-1], joined)
    return parts
