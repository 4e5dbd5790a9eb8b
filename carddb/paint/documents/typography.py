"""The words of a document as Platypus flows them: looks, fonts in ReportLab's register, paragraphs that are tagged."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import count
from types import MappingProxyType
from typing import Any

import uharfbuzz as hb
from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_LEFT, TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus.paraparser import ParaFrag

from carddb.core.errors import FontError
from carddb.core.languages import is_right_to_left
from carddb.core.units import points, to_points
from carddb.layout.documents.blocks import Inline, RuleIds, Span, Squares
from carddb.layout.documents.fonts import BOLD, DocumentFonts
from carddb.layout.documents.index import terms
from carddb.layout.text.fonts import Font
from carddb.layout.text.mixed_paragraph import Fragment, MixedParagraph
from carddb.layout.text.scripts import needs_shaping
from carddb.layout.text.shaping import Letters, Typeface
from carddb.paint.documents.drawing import DocumentDrawing
from carddb.paint.documents.paragraph import (
    APART,
    INK,
    MID,
    ItemLabel,
    ShapedParagraph,
    TaggedParagraph,
    TypeStyle,
)
from carddb.paint.documents.tags import Tag
from carddb.paint.font_subset import cut, outlined

_MARK_SIZE = 6.4
_FIGURES = {"heading": (), "text": ("lnum",), "label": ("lnum", "tnum"), "code": ()}
"""How numbers are set: of one height in sentences, of one width too in tables. Headings are kerned instead."""
_CODE_SIZE = 0.88
"""Of code within a sentence: its letters are wider than others."""
_QUIET = 0.86
"""Of words that are smaller than those beside them."""
_SQUARE, _BEHIND = 0.68, 0.3
"""The side of a square before words, and the air behind the last of them, in ems."""
_ENDLESS = 1 << 40
"""A width that every line has room in, in micrometres."""
_NO_BREAK = "\u00a0"
_SHORT = 10
"""A last word of at most so many letters is not left alone on a line."""
_TINY = 5
"""The same where rules are named after it."""


class Typesetter:
    """The fonts of one document, each entered into ReportLab's register when it is first used.

    `chars` are all characters that will be set, `targets` the places in the file that links label to, by link, `lang`
    is the language of the document.
    """

    def __init__(
        self,
        fonts: DocumentFonts,
        chars: Iterable[str],
        targets: Mapping[str, str] = MappingProxyType({}),
        lang: str = "en",
    ) -> None:
        self.fonts = fonts
        self.drawing = DocumentDrawing(fonts.book)
        self.is_right_to_left = is_right_to_left(lang)
        self._letters: dict[str, Letters] = {}
        self.targets = targets
        self._links = count()
        self.chars = frozenset(chars)
        self._names: dict[str, str] = {}

    def name(self, style: TypeStyle, font: Font | None = None) -> str:
        """The name in the register of a look's font, or of another in its place. Raises FontError."""
        font = font or self.font(style)
        figures = _FIGURES[style.role]
        key = " ".join((font.key, *figures))
        if key not in self._names:
            outlined(font)
            chars = [char for char in self.chars if ord(char) in font.characters]
            name = "-".join(key.split())
            try:
                pdfmetrics.registerFont(_registered(name, cut(font, chars, figures or ("kern",)), figures))
            except Exception as fault:  # a broken font can make its reader fail in any way
                raise FontError(f"the font {font.key} cannot be embedded: {fault}", "Use another font file.") from fault
            self._names[key] = name
        return self._names[key]

    def font(self, style: TypeStyle, bold: bool = False, italic: bool = False) -> Font:
        return self.fonts.font(style.role, max(style.weight, BOLD) if bold else style.weight, italic != style.italic)

    def words(
        self, content: Inline | str, style: TypeStyle, tag: Tag | None = None, label: ItemLabel | None = None
    ) -> TaggedParagraph:
        """A paragraph; in running text a last short word stays with the word before it, and so do rule ids anywhere."""
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
        words.terms = tuple(terms(parts))
        words.square = label if label and label.colour else None
        return words

    def _paragraph(self, parts: Inline, style: TypeStyle, label: ItemLabel | None) -> TaggedParagraph:
        """A paragraph that ReportLab sets."""
        frags = self.frags(parts, style)
        look = ParagraphStyle(
            "", fontName=self.name(style), fontSize=style.size, leading=style.leading, textColor=HexColor(style.colour),
            allowWidows=0, allowOrphans=0, shaping=int(style.role == "heading" and _of_one_font(frags)),
        )  # fmt: skip
        if label and label.style:
            look.bulletFontName, look.bulletFontSize = self.name(label.style), label.style.size
            look.bulletColor = HexColor(label.style.colour)
        return TaggedParagraph("", look, bulletText=label.text or None if label else None, frags=frags)

    def _shaped(self, parts: Inline, style: TypeStyle, label: ItemLabel | None) -> ShapedParagraph:
        """A paragraph with letters that are shaped, in fonts that ReportLab's register does not know."""
        content = self._mixed(parts, style)
        alignment: Any = TA_RIGHT if content.is_right_to_left else TA_LEFT
        look = ParagraphStyle("", fontSize=style.size, leading=style.leading, alignment=alignment)
        mark = None
        if label and label.style and label.text:
            mark = MixedParagraph.of([self._fragment(label.text, label.style)], False)
        return ShapedParagraph(look, content, mark, self.drawing)

    def _mixed(self, parts: Inline, style: TypeStyle) -> MixedParagraph:
        """Words as fragments of their looks."""
        return MixedParagraph.of([self._fragment(*each) for each in self._looks(parts, style)], self.is_right_to_left)

    def _fragment(
        self, text: str, style: TypeStyle, bold: bool = False, italic: bool = False, target: str = ""
    ) -> Fragment:
        font = self.font(style, bold, italic)
        letters = self._letters.setdefault(font.key, Letters(self.fonts.book, font))
        return Fragment(text, Typeface(letters, points(style.size), 0), (target and style.link) or style.colour, target)

    def _looks(self, parts: Inline, style: TypeStyle) -> Iterator[tuple[str, TypeStyle, bool, bool, str]]:
        """The text of each part with its look, whether it is bold and italic, and the target of its link."""
        for part in parts:
            if isinstance(part, RuleIds):
                look = TypeStyle("label", _MARK_SIZE, style.leading, colour=MID)
                yield _NO_BREAK + part.text, look, False, False, ""
            elif isinstance(part, Span):
                typed = replace(style, role="code", size=style.size * _CODE_SIZE) if part.code else style
                if part.quiet:
                    typed = replace(typed, role="label", size=style.size * _QUIET, weight=400, colour=MID)
                yield part.text, typed, part.bold, part.italic, self.targets.get(part.link, "")

    def frags(self, content: Inline | str, style: TypeStyle) -> list[Any]:
        """Words as ReportLab's fragments, each of one font."""
        parts = (Span(content),) if isinstance(content, str) else content
        out: list[Any] = []
        for text, look, bold, italic, target in self._looks(parts, style):
            out += self._fragments(text, look, self.font(look, bold, italic), target)
        return out

    def _fragments(self, text: str, style: TypeStyle, font: Font, target: str = "") -> list[Any]:
        runs, _ = self.fonts.runs(text, font)
        link = [(next(self._links), f"#{target}")] if target else []
        colour = HexColor((target and style.link) or style.colour)
        return [
            ParaFrag(
                text=piece, fontName=self.name(style, owner), fontSize=style.size, textColor=colour,
                bold=0, italic=0, rise=0, greek=0, link=link, us_lines=[],
            )
            for owner, piece in runs
        ]  # fmt: skip

    def width(self, content: Inline | str, style: TypeStyle) -> tuple[float, float]:
        """How wide words are on one line, and how wide their longest word is."""
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
    """How far words stand behind squares."""
    return style.size * (_SQUARE * (APART * (squares.count - 1) + 1) + _BEHIND)


def _registered(name: str, data: bytes, figures: tuple[str, ...]) -> Any:
    """A font for ReportLab's register, its numbers drawn with the OpenType features `figures`."""
    # Asked for a font that it does not know, ReportLab reads all AFM files of the system: 1.0 s of 2.6 for a sheet.
    if name in pdfmetrics.getRegisteredFontNames():
        former: Any = pdfmetrics.getFont(name)
        former.unregister()
    # With `asciiReadable` no character has the code 0, which readers pass over.
    entry: Any = TTFont(name, BytesIO(data), asciiReadable=True)
    entry.face.name = name.encode("ascii", "replace")  # objects are filed by it
    if figures:
        font = hb.Font(hb.Face(data))
        buffer = hb.Buffer()
        buffer.add_str(string.digits)
        buffer.guess_segment_properties()
        hb.shape(font, buffer, dict.fromkeys(figures, True))
        scale = 1000 / font.face.upem
        for digit, info, place in zip(string.digits, buffer.glyph_infos, buffer.glyph_positions, strict=True):
            if info.codepoint:
                entry.face.charToGlyph[ord(digit)] = info.codepoint
                entry.face.charWidths[ord(digit)] = place.x_advance * scale
    return entry


def _is_shaped(parts: Inline) -> bool:
    """Whether some of the words have letters that are shaped."""
    return any(needs_shaping(part.text) for part in parts if part.text)


def _of_one_font(frags: Sequence[Any]) -> bool:
    """ReportLab kerns words, but not those of two fonts."""
    return len({frag.fontName for frag in frags}) == 1


def _without_widow(parts: Inline) -> Inline:
    """A line whose last short word does not stand alone, nor with nothing but the rules it tells."""
    marked = bool(parts) and isinstance(parts[-1], RuleIds)
    last = parts[-2:-1] if marked else parts[-1:]
    match last:
        case (Span() as span,):
            before, space, word = span.text.rpartition(" ")
            if space and before and len(word) <= (_TINY if marked else _SHORT):
                joined = replace(span, text=before + _NO_BREAK + word)
                return (*parts[:-2], joined, parts[-1]) if marked else (*parts[:-1], joined)
    return parts
