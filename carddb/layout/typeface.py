"""Words measured and made: each word of a job is shaped once, whatever the sizes and lines it is tried in."""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from carddb.layout.display import Word
from carddb.layout.fonts import Font, FontBook

_MOST_KEPT = 20_000
"""Words of one style that are remembered; then it begins anew."""


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
        if len(self) >= _MOST_KEPT:
            self.clear()
        # A no-break space held the line together; on paper it is a space.
        runs, missing = self._book.split(text.replace("\u00a0", " "), self.font)
        parts = tuple((font, chars, tuple(accumulate(font.advances(chars)))) for font, chars in runs)
        length = sum(ends[-1] for _, _, ends in parts if ends)
        found = self[text] = Measured(parts, length, sum(len(chars) for _, chars, _ in parts), missing)
        return found

    def width(self, text: str, size: int, tracking: int) -> int:
        """The width of a word at a size, in micrometres: the sum of its advances."""
        measured = self[text]
        if len(measured.parts) == 1:
            return round(measured.length * size) + tracking * measured.letters
        return sum(round(ends[-1] * size) for _, _, ends in measured.parts) + tracking * measured.letters


class Typeface:
    """A font at one size: words as they are drawn."""

    def __init__(self, letters: Letters, size: int, tracking: int) -> None:
        self.letters = letters
        self.size = size
        self.tracking = tracking
        self._words: dict[str, tuple[Word, ...]] = {}
        self._spaces: dict[str, Word] = {}

    def words(self, text: str) -> tuple[Word, ...]:
        """A word, in parts where characters come from several fonts; rounding never adds up over it."""
        found = self._words.get(text)
        if found is None:
            if len(self._words) >= _MOST_KEPT:
                self._words.clear()
            parts = self.letters[text].parts
            found = self._words[text] = tuple(self._word(font, chars, ends) for font, chars, ends in parts)
        return found

    def _word(self, font: Font, chars: str, ends: tuple[float, ...]) -> Word:
        places = [round(end * self.size) for end in ends]
        advances = [end - start + self.tracking for start, end in zip([0, *places], places, strict=False)]
        return Word(chars, font.key, self.size, tuple(advances), self.tracking)

    @cached_property
    def space(self) -> int:
        """The width of a space."""
        return self.letters.width(" ", self.size, self.tracking)

    def space_in(self, font: str) -> Word:
        """A space as wide as this typeface's, said in another font: it goes with the word before it."""
        found = self._spaces.get(font)
        if found is None:
            found = self._spaces[font] = Word(" ", font, self.size, (self.space,), self.tracking)
        return found
