"""The words of a document as Platypus flows them: looks, fonts in ReportLab's register, paragraphs that are tagged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any

from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Paragraph
from reportlab.platypus.paraparser import ParaFrag

from carddb.errors import FontError
from carddb.layout.blocks import Inline, Marks, Span
from carddb.layout.fonts import Font
from carddb.layout.voice import BOLD, Voice
from carddb.paint.document_tags import Tag, artifact
from carddb.paint.subset import cut, outlined

INK, MID, LINE = "#1a1a1c", "#5e6064", "#b4b6b8"
_MARK_SIZE = 6.4
_NO_BREAK = "\u00a0"
_SHORT = 10
"""A last word of at most so many letters is not left alone on a line."""


@dataclass(frozen=True, slots=True)
class Look:
    """How words are set: the voice's role, size and leading in points, weight, slant, colour."""

    role: str
    size: float
    leading: float
    weight: int = 400
    italic: bool = False
    colour: str = INK


@dataclass(frozen=True, slots=True)
class Lead:
    """What stands before a paragraph that is indented: a number, or a square where there is none."""

    indent: float
    at: float = 0.0
    """Where it stands, from the left."""
    text: str = ""
    look: Look | None = None
    colour: str = ""
    """Of a square."""


class Words(Paragraph):
    """A paragraph that is tagged, with a square in place of a bullet."""

    tag: Tag | None = None
    square: Lead | None = None

    def split(self, width: float, height: float) -> list[Words]:
        parts: list[Words] = super().split(width, height)
        for part in parts:
            part.tag = self.tag
        if parts:
            parts[0].square = self.square
        return parts

    def draw(self) -> None:
        canvas: Any = self.canv
        if self.blPara.kind == 1:
            self.blPara.lines[0].ascent = self.style.fontSize  # the first line's place is that of all others
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

    `chars` are all characters that will be set.
    """

    def __init__(self, voice: Voice, chars: Iterable[str]) -> None:
        self.voice = voice
        self.chars = frozenset(chars)
        self._names: dict[str, str] = {}

    def name(self, font: Font) -> str:
        """The font's name in the register. Raises FontError where it cannot be embedded."""
        if font.key not in self._names:
            outlined(font)
            wanted = [char for char in self.chars if ord(char) in font.characters]
            name = "-".join(font.key.split())
            try:
                entry: Any = TTFont(name, BytesIO(cut(font, wanted, ("kern",))), asciiReadable=False)
            except IndexError as fault:  # a broken font can make its reader fail in any way
                raise FontError(f"the font {font.key} cannot be embedded: {fault}", "Use another font file.") from fault
            pdfmetrics.registerFont(entry)
            self._names[font.key] = name
        return self._names[font.key]

    def font(self, look: Look, bold: bool = False, italic: bool = False) -> Font:
        return self.voice.font(look.role, max(look.weight, BOLD) if bold else look.weight, italic != look.italic)

    def words(self, content: Inline | str, look: Look, tag: Tag | None = None, lead: Lead | None = None) -> Words:
        """A paragraph; a last short word and rule ids stay with the word before them."""
        frags = self.frags(content, look)
        style = ParagraphStyle(
            "", fontName=self.name(self.font(look)), fontSize=look.size, leading=look.leading, textColor=look.colour,
            allowWidows=0, allowOrphans=0, shaping=int(len({frag.fontName for frag in frags}) == 1),
        )  # fmt: skip
        if lead:
            style.leftIndent, style.bulletIndent = lead.indent, lead.at
        if lead and lead.look:
            style.bulletFontName, style.bulletFontSize = self.name(self.font(lead.look)), lead.look.size
            style.bulletColor = lead.look.colour
        words = Words("", style, bulletText=lead.text or None if lead else None, frags=frags)
        words.tag = tag
        words.square = lead if lead and lead.colour else None
        return words

    def frags(self, content: Inline | str, look: Look) -> list[Any]:
        """Words as ReportLab's fragments, each of one font."""
        parts = (Span(content),) if isinstance(content, str) else content
        out: list[Any] = []
        for part in _held(parts):
            if isinstance(part, Marks):
                look_, text = Look("label", _MARK_SIZE, look.leading, colour=MID), _NO_BREAK + _unbroken(part.text)
                out += self._set(text, look_, self.font(look_))
            else:
                out += self._set(part.text, look, self.font(look, part.bold, part.italic))
        return out

    def _set(self, text: str, look: Look, font: Font) -> list[Any]:
        runs, _ = self.voice.runs(text, font)
        return [
            ParaFrag(
                text=piece, fontName=self.name(owner), fontSize=look.size, textColor=look.colour, bold=0, italic=0,
                rise=0, greek=0, link=[], us_lines=[],
            )
            for owner, piece in runs
        ]  # fmt: skip

    def width(self, content: Inline | str, look: Look) -> tuple[float, float]:
        """How wide words are on one line, and how wide their longest word is."""
        whole = word = longest = 0.0
        for frag in self.frags(content, look):
            for at, piece in enumerate(frag.text.split(" ")):
                if at:
                    whole += pdfmetrics.stringWidth(" ", frag.fontName, frag.fontSize)
                    word = 0.0
                width = pdfmetrics.stringWidth(piece, frag.fontName, frag.fontSize)
                whole, word = whole + width, word + width
                longest = max(longest, word)
        return whole, longest


def _unbroken(text: str) -> str:
    return text.replace(" ", _NO_BREAK)


def _held(parts: Sequence[Span | Marks]) -> list[Span | Marks]:
    """A line whose last short word does not stand alone."""
    out = list(parts)
    for at in range(len(out) - 1, -1, -1):
        part = out[at]
        if isinstance(part, Span):
            before, space, word = part.text.rpartition(" ")
            if space and before and len(word) <= _SHORT:
                out[at] = replace(part, text=before + _NO_BREAK + word)
            break
    return out
