"""Measures and builds words; each word of a job is shaped once, whatever sizes and line widths are tried."""

from __future__ import annotations

from functools import cache
from itertools import accumulate, groupby
from typing import NamedTuple

from carddb.core.units import to_points
from carddb.layout.display_list import Glyph, Word
from carddb.layout.text import bidi
from carddb.layout.text.fonts import Font, FontBook, ShapedGlyph
from carddb.layout.text.scripts import needs_shaping, shaped_stretches

_MOST_CACHED = 20_000
"""The most words cached for each style; when there are more, the cache is cleared."""
_OPEN, _OPEN_BELOW, _WIDER = ("Alegreya Sans",), 9.0, 60
"""Families with narrow spaces; the type size (in points) below which these are widened; how much, in 1/1000 em."""
_SMALL_CAPITAL = 780
"""The size of small capitals, in thousandths of the text's size."""


class FontRun(NamedTuple):
    """Characters in one font; `ends` are the positions, in ems, where each of the `glyphs` ends.

    If the characters need no shaping, there are no `glyphs`, and `ends` is where each character ends.
    """

    font: Font
    text: str
    ends: tuple[float, ...]
    glyphs: tuple[ShapedGlyph, ...] = ()


class Measured(NamedTuple):
    """A word measured in ems, for any size: its parts from left to right, and the characters that no font has.

    `letters` is the number of advances to which tracking is added: one per character, but only one for a shaped part,
    whose letters must stay joined.
    """

    parts: tuple[FontRun, ...]
    length: float
    letters: int
    missing: str


class Letters(dict[str, Measured]):
    """The measured words of one font with the fallbacks of its book; each is measured when first looked up."""

    def __init__(self, book: FontBook, font: Font) -> None:
        super().__init__()
        self._book = book
        self.font = font

    def __missing__(self, text: str) -> Measured:
        if len(self) >= _MOST_CACHED:
            self.clear()
        # A no-break space mattered only for line breaking; it is drawn as a space.
        chars = text.replace("\u00a0", " ")
        parts, missing = self._shaped(chars) if is_shaped(chars) else self._parts(chars)
        length = sum([part.ends[-1] for part in parts if part.ends])
        letters = sum([1 if part.glyphs else len(part.text) for part in parts])
        measured = self[text] = Measured(tuple(parts), length, letters, missing)
        return measured

    def _parts(self, text: str) -> tuple[list[FontRun], str]:
        runs, missing = self._book.split(text, self.font)
        return [FontRun(font, chars, tuple(accumulate(font.advances(chars)))) for font, chars in runs], missing

    def _shaped(self, text: str) -> tuple[list[FontRun], str]:
        """Returns the parts of a text of one direction, shaped where needed, and the characters that no font has."""
        is_right_to_left = bidi.first_strong(text) == 1
        parts: list[FontRun] = []
        missing = ""
        for stretch, script in shaped_stretches(text.lstrip(bidi.MARKS)):
            if script:
                more, lacking = self._glyphs(stretch, script, is_right_to_left)
            else:
                more, lacking = self._parts(bidi.reversed_text(stretch) if is_right_to_left else stretch)
            parts = more + parts if is_right_to_left else parts + more
            missing += lacking
        return parts, missing

    def _glyphs(self, text: str, script: str, is_right_to_left: bool) -> tuple[list[FontRun], str]:
        runs, missing = self._book.split_shaped(text, self.font)
        parts: list[FontRun] = []
        for font, chars in runs:
            glyphs = font.glyphs(chars, script, is_right_to_left)
            ends = tuple(accumulate([glyph.advance for glyph in glyphs]))
            parts.append(FontRun(font, chars, ends, tuple(glyphs)))
        return parts[::-1] if is_right_to_left else parts, missing

    def gap(self, size: int, tracking: int) -> int:
        """Returns the width of a space between words, in micrometres, as are `size` and `tracking`."""
        wider = _WIDER if self.font.family in _OPEN and to_points(size) < _OPEN_BELOW else 0
        return self.width(" ", size, tracking) + size * wider // 1000

    def space(self, font: str) -> int:
        """Returns the glyph index of the space in the font with key `font`."""
        return self._book.fonts[font].glyphs(" ", "Latn", is_right_to_left=False)[0].id

    def width(self, text: str, size: int, tracking: int) -> int:
        """Returns the width of a word, the sum of its advances, in micrometres, as are `size` and `tracking`."""
        measured = self[text]
        if len(measured.parts) == 1:
            return round(measured.length * size) + tracking * measured.letters
        return sum(round(part.ends[-1] * size) for part in measured.parts) + tracking * measured.letters


def is_shaped(text: str) -> bool:
    """Returns whether a word needs shaping or runs from right to left."""
    return not text.isascii() and (text[0] in bidi.MARKS or needs_shaping(text))


class Sized(NamedTuple):
    """A word at one size, in several parts if its characters come from several fonts.

    `spaced` is the word with a space before it, or None if the word is not completely in the typeface's own font.
    """

    words: tuple[Word, ...]
    width: int
    missing: str
    spaced: Word | None


class Typeface(dict[str, Sized]):
    """A font at one size, as a cache of words at that size; each word is built when first looked up."""

    def __init__(self, letters: Letters, size: int, tracking: int) -> None:
        super().__init__()
        self.letters = letters
        self.size = size
        self.tracking = tracking
        self.space = letters.gap(size, tracking)
        self.space_in = cache(self._space_in)

    def __missing__(self, text: str) -> Sized:
        if len(self) >= _MOST_CACHED:
            self.clear()
        measured = self.letters[text]
        words = tuple([self._shaped(part) if part.glyphs else self._word(part) for part in measured.parts])
        spaced = None
        is_whole = len(words) == 1 and not measured.missing and not words[0].glyphs
        if is_whole and words[0].font == self.letters.font.key:
            [alone] = words
            advances = (self.space, *alone.advances)
            spaced = Word(f" {alone.text}", alone.font, self.size, advances, self.space + alone.width, self.tracking)
        sized = self[text] = Sized(words, sum([part.width for part in words]), measured.missing, spaced)
        return sized

    def _word(self, part: FontRun) -> Word:
        """Returns a word that needs no shaping; the end of each character is rounded, so that errors do not add up."""
        size, tracking = self.size, self.tracking
        places = [round(end * size) for end in part.ends]
        advances = tuple([end - start + tracking for start, end in zip([0, *places], places, strict=False)])
        return Word(part.text, part.font.key, size, advances, sum(advances), tracking)

    def _shaped(self, part: FontRun) -> Word:
        """Returns a word that needs shaping; tracking is added only after the word, not between its joined letters."""
        size, places = self.size, [round(end * self.size) for end in part.ends]
        advances = [end - start for start, end in zip([0, *places], places, strict=False)]
        advances[-1] += self.tracking
        glyphs = tuple([Glyph(at.id, round(at.dx * size), round(at.dy * size), at.cluster) for at in part.glyphs])
        return Word(part.text, part.font.key, size, tuple(advances), sum(advances), 0, glyphs)

    def space_beside(self, word: Word) -> Word:
        """Returns a space as wide as this typeface's, but in the font of `word`, beside which it stands."""
        return self.space_in(word.font, bool(word.glyphs))

    def _space_in(self, font: str, is_shaped: bool = False) -> Word:
        """Returns a space as wide as this typeface's, but in the font with key `font`, for a run of that font."""
        glyphs = (Glyph(self.letters.space(font), 0, 0, 0),) if is_shaped else ()
        tracking = 0 if is_shaped else self.tracking
        return Word(" ", font, self.size, (self.space,), self.space, tracking, glyphs)


def small_capital_size(size: int) -> int:
    """Returns the size of small capitals in a text of `size`, in micrometres."""
    return size * _SMALL_CAPITAL // 1000


class SmallCapitals(dict[str, Sized]):
    """Words in small capitals, built when first looked up: capitals stay, other letters become smaller capitals."""

    def __init__(self, capitals: Typeface, small: Typeface) -> None:
        super().__init__()
        self._typefaces = {True: small, False: capitals}

    def __missing__(self, text: str) -> Sized:
        groups = ((is_small, "".join(chars)) for is_small, chars in groupby(text, key=str.islower))
        parts = [self._typefaces[is_small][part.upper() if is_small else part] for is_small, part in groups]
        words = tuple(word for part in parts for word in part.words)
        sized = self[text] = Sized(words, sum(part.width for part in parts), "".join(p.missing for p in parts), None)
        return sized
