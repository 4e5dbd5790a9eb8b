"""The words of a document as Platypus flows them: looks, fonts in ReportLab's register, paragraphs that are tagged."""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import count
from types import MappingProxyType
from typing import Any

import uharfbuzz as hb
from reportlab.lib.colors import HexColor
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import freshTTFont
from reportlab.platypus import Paragraph
from reportlab.platypus.paraparser import ParaFrag

from carddb.errors import FontError
from carddb.layout.document_blocks import Inline, RuleIds, Span
from carddb.layout.document_fonts import BOLD, DocumentFonts
from carddb.layout.document_index import terms
from carddb.layout.fonts import Font
from carddb.paint.document_tags import Tag, artifact
from carddb.paint.font_subset import cut, outlined

INK, MID, LINE = "#1a1a1c", "#5e6064", "#b4b6b8"
_MARK_SIZE = 6.4
_FIGURES = {"heading": (), "text": ("lnum",), "label": ("lnum", "tnum"), "code": ()}
"""How numbers are set: of one height in sentences, of one width too in tables. Headings are kerned instead."""
_CODE_SIZE = 0.88
"""Of code within a sentence: its letters are wider than others."""
_NO_BREAK = "\u00a0"
_SHORT = 10
"""A last word of at most so many letters is not left alone on a line."""
_TINY = 5
"""The same where rules are named after it."""


@dataclass(frozen=True, slots=True)
class TypeStyle:
    """How words are set: the voice's role, size and leading in points, weight, slant, colour."""

    role: str
    size: float
    leading: float
    weight: int = 400
    italic: bool = False
    colour: str = INK
    link: str = ""
    """The colour of links; empty: that of other words."""


@dataclass(frozen=True, slots=True)
class ItemLabel:
    """What stands before a paragraph that is indented: a number, or a square where there is none."""

    indent: float
    at: float = 0.0
    """Where it stands, from the left."""
    text: str = ""
    style: TypeStyle | None = None
    colour: str = ""
    """Of a square."""


class TaggedParagraph(Paragraph):
    """A paragraph that is tagged, with a square in place of a bullet."""

    tag: Tag | None = None
    square: ItemLabel | None = None
    terms: tuple[str, ...] = ()
    """What it says to the index of a book."""

    def split(self, width: float, height: float) -> list[Any]:
        parts: list[Any] = super().split(width, height)
        for part in parts:
            part.tag = self.tag
        if parts:
            parts[0].square, parts[0].terms = self.square, self.terms
        return parts

    def draw(self) -> None:
        canvas: Any = self.canv
        broken: Any = vars(self)["blPara"]
        if broken.kind == 1 and broken.lines:
            broken.lines[0].ascent = self.style.fontSize  # the first line's place is that of all others
        if self.square:
            with artifact(canvas):
                side = self.style.fontSize * 0.34
                canvas.setFillColor(self.square.colour)
                y = self.height - self.style.fontSize * 0.66 - side / 2
                canvas.rect(self.square.at, y, side, side, stroke=0, fill=1)
        if self.tag:
            with self.tag.marked(canvas):
                super().draw()
        else:
            super().draw()


class Typesetter:
    """The fonts of one document, each entered into ReportLab's register when it is first used.

    `chars` are all characters that will be set, `targets` the places in the file that links label to, by link.
    """

    def __init__(
        self, fonts: DocumentFonts, chars: Iterable[str], targets: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self.fonts = fonts
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
        frags = self.frags(_without_widow(parts) if style.role == "text" else parts, style)
        paragraph_style = ParagraphStyle(
            "", fontName=self.name(style), fontSize=style.size, leading=style.leading, textColor=HexColor(style.colour),
            allowWidows=0, allowOrphans=0, shaping=int(style.role == "heading" and _of_one_font(frags)),
        )  # fmt: skip
        if label:
            paragraph_style.leftIndent, paragraph_style.bulletIndent = label.indent, label.at
        if label and label.style:
            paragraph_style.bulletFontName, paragraph_style.bulletFontSize = self.name(label.style), label.style.size
            paragraph_style.bulletColor = HexColor(label.style.colour)
        words = TaggedParagraph("", paragraph_style, bulletText=label.text or None if label else None, frags=frags)
        words.tag = tag
        words.terms = tuple(terms(parts))
        words.square = label if label and label.colour else None
        return words

    def frags(self, content: Inline | str, style: TypeStyle) -> list[Any]:
        """Words as ReportLab's fragments, each of one font."""
        parts = (Span(content),) if isinstance(content, str) else content
        out: list[Any] = []
        for part in parts:
            if isinstance(part, RuleIds):
                small = TypeStyle("label", _MARK_SIZE, style.leading, colour=MID)
                out += self._fragments(_NO_BREAK + part.text, small, self.font(small))
            else:
                typed = replace(style, role="code", size=style.size * _CODE_SIZE) if part.code else style
                font = self.font(typed, part.bold, part.italic)
                out += self._fragments(part.text, typed, font, self.targets.get(part.link, ""))
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


def _registered(name: str, data: bytes, figures: tuple[str, ...]) -> Any:
    """A font for ReportLab's register, its numbers drawn with the OpenType features `figures`."""
    entry: Any = freshTTFont(
        name, BytesIO(data), asciiReadable=True
    )  # no character has the code 0, which readers pass over
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
