"""Which byte stands for which character: the fonts of a file as far as its texts use them.

A simple PDF font holds 256 codes, so a font of many characters is several; ASCII keeps its own codes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from carddb.layout.display import Word
from carddb.layout.fonts import Font

_ESCAPED = {ord("\\"): "\\\\", ord("("): "\\(", ord(")"): "\\)", ord("\r"): "\\r", ord("\n"): "\\n"}
_FREE = (*range(0x80, 0x100), *range(1, 0x20), 0x7F)
"""Codes of the first font that ASCII leaves free; further fonts use all but 0 and the space."""
_FREE_LATER = tuple(code for code in range(1, 0x100) if code != 0x20)
_MOST_KEPT = 50_000
"""Words whose strings are remembered; then it begins anew."""


class Glyph(NamedTuple):
    """A character in an embedded font: resource name, escaped byte, advance in thousandths of the em."""

    resource: str
    code: str
    width: int


class Alphabet(dict[str, Glyph]):
    """The characters of one font of a file, each given a code when first asked for; `name` is its resource name."""

    def __init__(self, font: Font, name: str) -> None:
        super().__init__()
        self.font = font
        self.name = name
        self.subsets: list[list[int]] = []
        """Per simple font the code points by code; 0 is a code that is not used."""
        self._free: list[int] = []
        self._last = -1
        """The subset that the free codes belong to."""
        self._known: dict[int, tuple[Word, list[tuple[str, str]]]] = {}
        self._plain: dict[int, str] = {}
        """The strings of the words that the first font holds, which are most."""
        self.first = f"/{name}+0"

    def __missing__(self, char: str) -> Glyph:
        point = ord(char)
        known = point in self.font.characters
        subset, code = self._place(point) if known else (self._subset(0), 0)
        width = round(self.font.advances(char)[0] * 1000) if known else self.font.blank
        found = self[char] = Glyph(
            f"/{self.name}+{subset}" if subset else self.first, _ESCAPED.get(code) or chr(code), width
        )
        return found

    def _place(self, point: int) -> tuple[int, int]:
        if 0x20 <= point < 0x7F:
            subset, code = self._subset(0), point
        else:
            if not self._free:
                self._last += 1
                self._free = list(reversed(_FREE_LATER if self._last else _FREE))
            subset, code = self._subset(self._last), self._free.pop()
        points = self.subsets[subset]
        points.extend([0] * (code + 1 - len(points)))
        points[code] = point
        return subset, code

    def _subset(self, number: int) -> int:
        while len(self.subsets) <= number:
            self.subsets.append([0])
        return number

    def strings(self, words: tuple[Word, ...]) -> list[tuple[str, str]]:
        """Words as the inside of TJ arrays, per simple font: `H)-20(ello` for `[(H)-20(ello)]TJ`.

        Where the words' advances differ from the font's own, the difference stands between the characters.
        """
        plain = self._plain
        try:
            return [(self.first, "".join([plain[id(word)] for word in words]))]
        except KeyError:
            return self._joined([self._spelt(word) for word in words])

    def _spelt(self, word: Word) -> list[tuple[str, str]]:
        """One word's strings, made once; it is kept with them, so that no other can have its id."""
        known = self._known.get(id(word))
        if known:
            return known[1]
        if len(self._known) >= _MOST_KEPT:
            self._known.clear()
            self._plain.clear()
        strings = self._spell(word)
        self._known[id(word)] = word, strings
        if len(strings) == 1 and strings[0][0] == self.first:
            self._plain[id(word)] = strings[0][1]
        return strings

    @staticmethod
    def _joined(spelt: Iterable[list[tuple[str, str]]]) -> list[tuple[str, str]]:
        out: list[tuple[str, str]] = []
        for strings in spelt:
            for resource, string in strings:
                if out and out[-1][0] == resource:
                    out[-1] = (resource, out[-1][1] + string)
                else:
                    out.append((resource, string))
        return out

    def _spell(self, word: Word) -> list[tuple[str, str]]:
        out: list[tuple[str, str]] = []
        drift = 0.0
        scale = 1000 / word.size
        for char, advance in zip(word.text, word.advances, strict=True):
            glyph = self[char]
            if not out or out[-1][0] != glyph.resource:
                out.append((glyph.resource, ""))
            resource, text = out[-1]
            step = round(drift)
            drift += glyph.width - step - (advance - word.tracking) * scale
            out[-1] = (resource, f"{text}){step}({glyph.code}" if step else text + glyph.code)
        rest = round(drift)
        if rest:
            resource, text = out[-1]
            out[-1] = (resource, f"{text}){rest}(")
        return out
