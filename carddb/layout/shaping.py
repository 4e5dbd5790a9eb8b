"""Words measured and made: each word of a job is shaped once, whatever the sizes and lines it is tried in."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from carddb.layout.display_list import Word, word
from carddb.layout.fonts import Font, FontBook

_MOST_CACHED = 20_000
"""Words of one style; then the cache begins anew."""


class Measured(NamedTuple):
    """A word in ems, apart from any size: per font its characters and where each of them ends; what no font has."""

    parts: tuple[tuple[Font, str, tuple[float, ...]], ...]
    length: float
    letters: int
    missing: str


class Letters(dict[str, Measured]):
    """Words of one font, with the fallbacks of its book, measured when first asked for."""

    def __init__(self, book: FontBook, font: Font) -> None:
        super().__init__()
        self._book = book
        self.font = font

    def __missing__(self, text: str) -> Measured:
        if len(self) >= _MOST_CACHED:
            self.clear()
        # A no-break space held the line together; on paper it is a space.
        runs, missing = self._book.split(text.replace("\u00a0", " "), self.font)
        parts = tuple([(font, chars, tuple(accumulate(font.advances(chars)))) for font, chars in runs])
        length = sum([ends[-1] for _, _, ends in parts if ends])
        measured = self[text] = Measured(parts, length, sum([len(chars) for _, chars, _ in parts]), missing)
        return measured

    def width(self, text: str, size: int, tracking: int) -> int:
        """The width of a word at a size, in micrometres: the sum of its advances."""
        measured = self[text]
        if len(measured.parts) == 1:
            return round(measured.length * size) + tracking * measured.letters
        return sum(round(ends[-1] * size) for _, _, ends in measured.parts) + tracking * measured.letters


class Sized(NamedTuple):
    """A word as it is drawn, in parts where characters come from several fonts.

    `spaced` is the word with a space before it; None for one that is not wholly in its typeface's own font.
    """

    words: tuple[Word, ...]
    width: int
    missing: str
    spaced: Word | None


class Typeface(dict[str, Sized]):
    """A font at one size: words as they are drawn, made when first asked for."""

    def __init__(self, letters: Letters, size: int, tracking: int) -> None:
        super().__init__()
        self.letters = letters
        self.size = size
        self.tracking = tracking
        self.space = letters.width(" ", size, tracking)
        self._spaces: dict[str, Word] = {}

    def __missing__(self, text: str) -> Sized:
        if len(self) >= _MOST_CACHED:
            self.clear()
        measured = self.letters[text]
        words = tuple([self._word(*part) for part in measured.parts])
        spaced = None
        if len(words) == 1 and words[0].font == self.letters.font.key and not measured.missing:
            [alone] = words
            advances = (self.space, *alone.advances)
            spaced = Word(f" {alone.text}", alone.font, self.size, advances, self.space + alone.width, self.tracking)
        sized = self[text] = Sized(words, sum([part.width for part in words]), measured.missing, spaced)
        return sized

    def _word(self, font: Font, chars: str, ends: tuple[float, ...]) -> Word:
        """Rounding never adds up over a word."""
        size, tracking = self.size, self.tracking
        places = [round(end * size) for end in ends]
        advances = tuple([end - start + tracking for start, end in zip([0, *places], places, strict=False)])
        return Word(chars, font.key, size, advances, sum(advances), tracking)

    def space_in(self, font: str) -> Word:
        """A space as wide as this typeface's, but in another font: it goes with the word before it."""
        space = self._spaces.get(font)
        if space is None:
            space = self._spaces[font] = word(" ", font, self.size, (self.space,), self.tracking)
        return space
