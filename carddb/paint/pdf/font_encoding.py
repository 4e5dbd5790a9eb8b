"""Which byte stands for which character: the fonts of a file as far as its texts use them.

A simple PDF font holds 256 codes, so a font of many characters is several; ASCII keeps its own codes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from carddb.layout.text.fonts import Font
from carddb.paint.pdf.content_stream import characters
from carddb.paint.pdf.strings import ESCAPED, UNKNOWN

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
        return "".join(self._shown(subset, code, size) for subset, code in _by_subset(self[char] for char in chars))

    def _shown(self, subset: int, code: str, size: str) -> str:
        if not subset:
            return code
        name = self.font.name
        return f")]TJ\n/{name}+{subset} {size} Tf[({code})]TJ\n/{name}+0 {size} Tf[("


def _by_subset(glyphs: Iterator[Glyph]) -> Iterator[Glyph]:
    for subset, group in groupby(glyphs, lambda glyph: glyph.subset):
        yield Glyph(subset, "".join(glyph.code for glyph in group))
