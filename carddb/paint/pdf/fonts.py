"""The fonts of a PDF: which byte stands for which character, and shaped glyphs by code."""

from __future__ import annotations

import re
from itertools import groupby
from typing import NamedTuple

from carddb.layout.text.fonts import Font
from carddb.paint.pdf.content_stream import GlyphText, characters
from carddb.paint.pdf.operators import ESCAPED, UNKNOWN, outline

_MOST = 0xFFFF


class CodedGlyph(NamedTuple):
    """A glyph, the characters that it stands for, and the width of all glyphs that do, in thousandths of the em."""

    id: int
    text: str
    width: int


class GlyphEncoding(dict[CodedGlyph, int]):
    """The codes of one font of a file, each given when first asked for.

    One glyph has several codes where it stands for several characters, so that each reads as what it is.
    """

    def __init__(self, font: Font) -> None:
        super().__init__()
        self.font = font
        self.resource = f"{font.name}+G"

    def __missing__(self, glyph: CodedGlyph) -> int:
        if len(self) == _MOST:
            return 0
        code = self[glyph] = len(self) + 1
        return code

    def shown(self, item: GlyphText) -> str:
        """The operators that show glyphs, each where its advances say, and leave the graphics state as it was.

        The first wide glyph of a cluster reads as all its characters, and is as wide as the cluster for a reader. The
        others are filled outlines: as text they would part letters that belong together.
        """
        letters: list[str] = []
        outlines: list[str] = []
        scale = 1000 / item.size
        x, rise, drift = 0, 0, 0.0
        for text, glyphs in item.clusters:
            width = sum([self.font.glyph_thousandths(glyph.id) for glyph, _ in glyphs])
            first = next((at for at, (_, advance) in enumerate(glyphs) if advance > 0), 0)
            for at, (glyph, advance) in enumerate(glyphs):
                if at == first:
                    if glyph.dy != rise:
                        letters.append(f"]TJ {glyph.dy} Ts [")
                        rise = glyph.dy
                    step = round(drift - glyph.dx * scale)
                    code = f"<{self[CodedGlyph(glyph.id, text, width)]:04X}>"
                    letters.append(f"{step}{code}" if step else code)
                    drift += width - step
                elif not item.is_invisible:
                    outlines.append(self._outline(glyph.id, item.size, x + glyph.dx, glyph.dy))
                drift -= advance * scale
                x += advance
        mode = 3 if item.is_invisible else 0
        shown = f"BT\n{mode} Tr 0 Tc /{self.resource} {item.size} Tf [{''.join(letters)}]TJ\nET\n"
        return f"q\n{item.matrix} cm\n{shown}{''.join(outlines)}Q\n"

    def _outline(self, glyph: int, size: int, x: int, y: int) -> str:
        ops = tuple(
            (letter, tuple(round(value * size) + (y if at % 2 else x) for at, value in enumerate(points)))
            for letter, points in self.font.outline(glyph)
        )
        return f"{outline(ops)}f\n" if ops else ""


_ESCAPED = {**ESCAPED, "\r": "\\r", "\n": "\\n"}
_FREE = (*range(0x80, 0x100), *range(1, 0x20), 0x7F)
"""Codes of the first font that ASCII leaves free; further fonts use all but 0 and the space."""
_FREE_LATER = tuple(code for code in range(1, 0x100) if code != 0x20)
FONT_CHOSEN = re.compile(r"/(F\d+)\+0 (\d+) Tf\[\(")
"""A font being chosen in operators, and its size. Words never look like it: inside a string a bracket is escaped."""
UNCODED = re.compile(r"[^\x00-\x7f]+")
"""Characters in operators that have no code yet."""


class Glyph(NamedTuple):
    """A character in an embedded font: the number of the simple font, escaped byte."""

    subset: int
    code: str


class FontEncoding(dict[str, Glyph]):
    """The characters of one font of a file, each given a code when first asked for."""

    def __init__(self, font: Font) -> None:
        super().__init__()
        self.font = font
        self.subsets: list[list[int]] = [[0]]
        """Per simple font the code points by code; 0 is a code that is not used."""
        self._free: list[int] = []
        self._last = -1
        """The subset that the free codes belong to."""

    def __missing__(self, char: str) -> Glyph:
        subset, code = self._place(ord(char))
        glyph = self[char] = Glyph(subset, _ESCAPED.get(chr(code), chr(code)))
        return glyph

    def _place(self, point: int) -> tuple[int, int]:
        if 0x20 <= point < 0x7F:
            subset, code = 0, point
        else:
            if not self._free:
                self._last += 1
                self._free = list(reversed(_FREE_LATER if self._last else _FREE))
                if self._last:
                    self.subsets.append([0])
            subset, code = self._last, self._free.pop()
        points = self.subsets[subset]
        points.extend([0] * (code + 1 - len(points)))
        points[code] = point
        return subset, code

    def add(self, letters: int) -> None:
        """Gives codes to characters of ASCII that are in use: those whose bits are set."""
        for char in characters(letters):
            if char != UNKNOWN:
                self[char]

    def encoded(self, chars: str, size: str) -> str:
        """The inside of a string of the first simple font, set in `size`: what others hold is shown between."""
        name = self.font.name
        out: list[str] = []
        for subset, group in groupby((self[char] for char in chars), lambda glyph: glyph.subset):
            code = "".join(glyph.code for glyph in group)
            out.append(f")]TJ\n/{name}+{subset} {size} Tf[({code})]TJ\n/{name}+0 {size} Tf[(" if subset else code)
        return "".join(out)
