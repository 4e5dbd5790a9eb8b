"""Words as the strings of PDF operators, before a file has given its codes.

ASCII stands as it will in the file; any other character stands for itself, and gets its code in `alphabet`.
"""

from __future__ import annotations

from carddb.layout.display_list import Word
from carddb.layout.fonts import Font

ESCAPED = {"\\": "\\\\", "(": "\\(", ")": "\\)"}
UNKNOWN = "\0"
"""Stands for what the font lacks: the code of the sign for it."""
_MOST_KEPT = 50_000
"""Words whose strings are remembered; then it begins anew."""


class StringEncoder:
    """Spells the words of one font; `met` gathers what it was asked of ASCII."""

    def __init__(self, font: Font, met: set[str]) -> None:
        self.font = font
        self.resource = f"/{font.name}+0"
        self._met = met
        self._letters: dict[str, tuple[str, int]] = {}
        self._words: list[Word] = []
        self._strings: dict[int, str] = {}

    def string(self, words: tuple[Word, ...]) -> str:
        """Words as the inside of a TJ array: `H)-20(ello` for `[(H)-20(ello)]TJ`.

        Where their advances differ from the font's own, the difference stands between the characters.
        """
        strings = self._strings
        try:
            return "".join(map(strings.__getitem__, map(id, words)))
        except KeyError:
            return "".join([self._spelt(word) for word in words])

    def _spelt(self, word: Word) -> str:
        """One word's string, made once; the word is kept with it, so that no other can have its id."""
        known = self._strings.get(id(word))
        if known is not None:
            return known
        if len(self._words) >= _MOST_KEPT:
            self._words.clear()
            self._strings.clear()
        string = self._strings[id(word)] = self._spell(word)
        self._words.append(word)
        return string

    def _spell(self, word: Word) -> str:
        out = []
        drift = 0.0
        scale = 1000 / word.size
        for char, advance in zip(word.text, word.advances, strict=True):
            code, width = self._letters.get(char) or self._letter(char)
            step = round(drift)
            drift += width - step - (advance - word.tracking) * scale
            out.append(f"){step}({code}" if step else code)
        rest = round(drift)
        if rest:
            out.append(f"){rest}(")
        return "".join(out)

    def _letter(self, char: str) -> tuple[str, int]:
        """How a character is written, and its advance in thousandths of the em."""
        written = char if self.font.has(char) else UNKNOWN
        if written.isascii():
            self._met.add(written)
        found = self._letters[char] = ESCAPED.get(written, written), self.font.thousandths(char)
        return found
