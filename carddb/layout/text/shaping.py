"""Words measured and made: each word of a job is shaped once, whatever the sizes and lines it is tried in."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, groupby
from typing import NamedTuple

from carddb.layout.display_list import Glyph, Word
from carddb.layout.text import bidi
from carddb.layout.text.fonts import Font, FontBook, ShapedGlyph
from carddb.layout.text.scripts import needs_shaping, shaped_stretches

_MOST_CACHED = 20_000
"""Words of one style; then the cache begins anew."""
_SMALL_CAPITAL = 780
"""The size of a small capital, in thousandths of the size of the text."""


class FontRun(NamedTuple):
    """Characters of one font: where each of them ends, in ems; or where each of their glyphs does, where it has any."""

    font: Font
    text: str
    ends: tuple[float, ...]
    glyphs: tuple[ShapedGlyph, ...] = ()


class Measured(NamedTuple):
    """A word in ems, apart from any size: its parts from left to right, and what no font has.

    `letters` are the advances that tracking is added to: one of each part that is shaped, whose letters stay joined.
    """

    parts: tuple[FontRun, ...]
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
        """Returns the parts of a text that runs one way, those that are shaped and others."""
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

    def space(self, font: str) -> int:
        """Returns the glyph of the space in a font of the book."""
        return self._book.fonts[font].glyphs(" ", "Latn", is_right_to_left=False)[0].id

    def width(self, text: str, size: int, tracking: int) -> int:
        """Returns the width of a word at a size, in micrometres: the sum of its advances."""
        measured = self[text]
        if len(measured.parts) == 1:
            return round(measured.length * size) + tracking * measured.letters
        return sum(round(part.ends[-1] * size) for part in measured.parts) + tracking * measured.letters


def is_shaped(text: str) -> bool:
    """Says whether a word needs more than one glyph for each character, from left to right."""
    return not text.isascii() and (text[0] in bidi.MARKS or needs_shaping(text))


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
        self._spaces: dict[tuple[str, bool], Word] = {}

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
        """Returns a word of characters; each end is rounded by itself, so that rounding never adds up."""
        size, tracking = self.size, self.tracking
        places = [round(end * size) for end in part.ends]
        advances = tuple([end - start + tracking for start, end in zip([0, *places], places, strict=False)])
        return Word(part.text, part.font.key, size, advances, sum(advances), tracking)

    def _shaped(self, part: FontRun) -> Word:
        """Returns a word of glyphs; what follows keeps away by the tracking, its own letters do not."""
        size, places = self.size, [round(end * self.size) for end in part.ends]
        advances = [end - start for start, end in zip([0, *places], places, strict=False)]
        advances[-1] += self.tracking
        glyphs = tuple([Glyph(at.id, round(at.dx * size), round(at.dy * size), at.cluster) for at in part.glyphs])
        return Word(part.text, part.font.key, size, tuple(advances), sum(advances), 0, glyphs)

    def space_beside(self, word: Word) -> Word:
        """Returns a space as wide as this typeface's, in the font of a word that it stands beside."""
        return self.space_in(word.font, bool(word.glyphs))

    def space_in(self, font: str, is_shaped: bool = False) -> Word:
        """Returns a space as wide as this typeface's, but in another font: it goes with the word before it."""
        space = self._spaces.get((font, is_shaped))
        if space is None:
            glyphs = (Glyph(self.letters.space(font), 0, 0, 0),) if is_shaped else ()
            tracking = 0 if is_shaped else self.tracking
            space = Word(" ", font, self.size, (self.space,), self.space, tracking, glyphs)
            self._spaces[font, is_shaped] = space
        return space


def small_capital_size(size: int) -> int:
    """Returns the size of small capitals in a text of a size, in micrometres."""
    return size * _SMALL_CAPITAL // 1000


def small_capitals_width(letters: Letters, text: str, size: int, tracking: int) -> int:
    """Returns the width of a word in small capitals, in micrometres."""
    sizes = {True: small_capital_size(size), False: size}
    return sum(letters.width(part, sizes[is_small], tracking) for is_small, part in _capital_parts(text))


class SmallCapitals(dict[str, Sized]):
    """Words in small capitals, made when first asked for: capitals as they are, small letters in a smaller typeface."""

    def __init__(self, capitals: Typeface, small: Typeface) -> None:
        super().__init__()
        self._typefaces = {True: small, False: capitals}

    def __missing__(self, text: str) -> Sized:
        parts = [self._typefaces[is_small][part] for is_small, part in _capital_parts(text)]
        words = tuple(word for part in parts for word in part.words)
        sized = self[text] = Sized(words, sum(part.width for part in parts), "".join(p.missing for p in parts), None)
        return sized


def _capital_parts(text: str) -> Iterator[tuple[bool, str]]:
    """Yields the parts of a word, as they are set, and whether they are small."""
    for is_small, chars in groupby(text, key=str.islower):
        part = "".join(chars)
        yield is_small, part.upper() if is_small else part
