"""Words as the strings of PDF operators, before a file has given its codes.

ASCII stands as it will in the file; any other character stands for itself, and gets its code in `alphabet`.
"""

from __future__ import annotations

from carddb.layout.display_list import Word
from carddb.layout.fonts import Font

ESCAPED = {"\\": "\\\\", "(": "\\(", ")": "\\)"}
UNKNOWN = "\0"
"""Stands for what the font lacks: the code of the sign for it."""
_MOST_CACHED = 50_000
"""Words whose strings are cached; then the cache begins anew."""


class StringEncoder:
    """Encodes the words of one font; `characters` collects those of ASCII that it shows."""

    def __init__(self, font: Font, characters: set[str]) -> None:
        self.font = font
        self.resource = f"/{font.name}+0"
        self._characters = characters
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
            return "".join([self._cached(word) for word in words])

    def _cached(self, word: Word) -> str:
        """One word's string, encoded once; the word is kept with it, so that no other can have its id."""
        string = self._strings.get(id(word))
        if string is not None:
            return string
        if len(self._words) >= _MOST_CACHED:
            self._words.clear()
            self._strings.clear()
        string = self._strings[id(word)] = self._encode(word)
        self._words.append(word)
        return string

    def _encode(self, word: Word) -> str:
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
        code = char if self.font.has(char) else UNKNOWN
        if code.isascii():
            self._characters.add(code)
        letter = self._letters[char] = ESCAPED.get(code, code), self.font.thousandths(char)
        return letter
