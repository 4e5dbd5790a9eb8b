"""Words as the strings of PDF operators, before a file has given its codes.

ASCII stands as it will in the file; any other character stands for itself, and gets its code in `alphabet`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

from carddb.layout.display_list import Word
from carddb.layout.text.fonts import Font

ESCAPED = {"\\": "\\\\", "(": "\\(", ")": "\\)"}
UNKNOWN = "\0"
"""Stands for what the font lacks: the code of the sign for it."""
_MOST_CACHED = 50_000
"""Words whose strings are cached; then the cache begins anew."""


class _Character(NamedTuple):
    """How a character is written, its advance in thousandths of the em, and its bit; 0 for one beyond ASCII."""

    code: str
    width: int
    bit: int


class _EncodedWord(NamedTuple):
    """A word as the inside of a TJ array, and the bits of its characters of ASCII."""

    string: str
    letters: int


class StringEncoder:
    """Encodes the words of one font."""

    def __init__(self, font: Font) -> None:
        self.font = font
        self.resource = f"/{font.name}+0"
        self._characters: dict[str, _Character] = {}
        self._words: list[Word] = []
        self._strings: dict[int, str] = {}
        self._letters: dict[int, int] = {}

    def string(self, words: Sequence[Word]) -> str:
        """Words as the inside of a TJ array: `H)-20(ello` for `[(H)-20(ello)]TJ`.

        Where their advances differ from the font's own, the difference stands between the characters.
        """
        strings = self._strings
        try:
            return "".join(map(strings.__getitem__, map(id, words)))
        except KeyError:
            return "".join([self._encoded(word).string for word in words])

    def letters(self, words: Sequence[Word]) -> int:
        """The characters of ASCII in the strings of words: a number with a bit for each of them."""
        letters = self._letters
        try:
            return reduce(or_, map(letters.__getitem__, map(id, words)), 0)
        except KeyError:
            return reduce(or_, [self._encoded(word).letters for word in words], 0)

    def _encoded(self, word: Word) -> _EncodedWord:
        """One word, encoded once; the word is kept with it, so that no other can have its id."""
        number = id(word)
        if number in self._strings:
            return _EncodedWord(self._strings[number], self._letters[number])
        if len(self._words) >= _MOST_CACHED:
            self._words.clear()
            self._strings.clear()
            self._letters.clear()
        encoded = self._encode(word)
        self._strings[number], self._letters[number] = encoded
        self._words.append(word)
        return encoded

    def _encode(self, word: Word) -> _EncodedWord:
        out = []
        letters = 0
        drift = 0.0
        scale = 1000 / word.size
        for char, advance in zip(word.text, word.advances, strict=True):
            code, width, bit = self._characters.get(char) or self._character(char)
            letters |= bit
            step = round(drift)
            drift += width - step - (advance - word.tracking) * scale
            out.append(f"){step}({code}" if step else code)
        rest = round(drift)
        if rest:
            out.append(f"){rest}(")
        return _EncodedWord("".join(out), letters)

    def _character(self, char: str) -> _Character:
        code = char if self.font.has(char) else UNKNOWN
        bit = 1 << ord(code) if code.isascii() else 0
        character = _Character(ESCAPED.get(code, code), self.font.thousandths(char), bit)
        self._characters[char] = character
        return character
