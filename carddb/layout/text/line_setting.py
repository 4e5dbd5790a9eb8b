"""Words and icons of a text put into the places of a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from carddb.layout.display_list import UNSEEN, Run, Word
from carddb.layout.text.line_breaking import MeasuredParagraph, Row, line_of
from carddb.layout.text.markup import LEFT_TO_RIGHT, Token
from carddb.layout.text.shaping import Typeface
from carddb.layout.text.text_direction import visual_items


class IconSize(NamedTuple):
    """How an icon sits in text: its advance in thousandths of the em, and the word it stands for."""

    advance: int = 920
    word: str = ""


class PlacedIcon(NamedTuple):
    """An icon in its line: `x`, `y` its centre, `em` the type size."""

    name: str
    x: int
    y: int
    em: int
    colour: str


class LineSetting:
    """Puts the lines of a text into runs: words of one font together, each with the space after it, for readers."""

    def __init__(
        self, typefaces: list[list[Typeface]], icons: Mapping[str, IconSize], size: int, colour: str, field: str
    ) -> None:
        """The typefaces by bold and italic, the sizes of icons by name, and the look and the field of the text."""
        self._typefaces = typefaces
        self._icon_sizes = icons
        self._size = size
        self._colour = colour
        self._field = field
        self.runs: list[Run] = []
        self.icons: list[PlacedIcon] = []
        self.missing = ""

    def set(self, paragraph: MeasuredParagraph, row: Row, x: int, y: int) -> None:
        """Sets one line from `x` on."""
        if paragraph.tokens[row.start].levels is not LEFT_TO_RIGHT:
            self._set_directed(paragraph, row, x, y)
            return
        tokens, starts = paragraph.tokens, paragraph.starts
        origin = x - starts[row.start]
        words: list[Word] = []
        font, size, start = "", self._size, x
        for at, sized in enumerate(paragraph.words[row.start : row.end], row.start):
            token = tokens[at]
            if words and token.spaced:
                if sized and (spaced := sized.spaced) and spaced.font == font and size == self._size:
                    words.append(spaced)
                    continue
                words.append(self._space(token, words[-1]))
            x = origin + starts[at]
            if sized is None:
                self._end(words, start, y)
                words = []
                self._icon(token.text, x, y, paragraph.widths[at])
                continue
            self.missing += sized.missing
            for word in sized.words:
                if word.font != font or word.size != size or not words or bool(word.glyphs) != bool(words[-1].glyphs):
                    self._end(words, start, y)
                    words, font, size, start = [], word.font, word.size, x
                words.append(word)
                x += word.width
        self._end(words, start, y)

    def _set_directed(self, paragraph: MeasuredParagraph, row: Row, x: int, y: int) -> None:
        """Sets one line with words that run from right to left."""
        words: list[Word] = []
        start = x
        for at, is_space in visual_items(paragraph.tokens, row.start, row.end):
            token, sized = paragraph.tokens[at], paragraph.words[at]
            if is_space:
                gap = paragraph.gaps[at]
                if words:
                    words.append(self._space(token, words[-1])._replace(width=gap, advances=(gap,)))
                x += gap
                continue
            if sized is None:
                self._end(words, start, y)
                words = []
                self._icon(token.text, x, y, paragraph.widths[at])
                x += paragraph.widths[at]
                continue
            self.missing += sized.missing
            for word in sized.words:
                if not words or _look(word) != _look(words[-1]):
                    self._end(words, start, y)
                    words, start = [], x
                words.append(word)
                x += word.width
        self._end(words, start, y)

    def _space(self, token: Token, before: Word) -> Word:
        """A space as wide as the token has it, which goes with the word before it."""
        space = self._typefaces[token.bold][token.italic].space_beside(before)
        return space if before.size == self._size else space._replace(size=before.size)

    def _icon(self, name: str, x: int, y: int, width: int) -> None:
        """An icon, and its word, unseen and as wide as the icon: what is read aloud, searched and copied."""
        letters = self._typefaces[0][0].letters
        text = self._icon_sizes.get(name, IconSize()).word
        size = width * self._size // max(1, letters.width(text, self._size, 0)) if text else 0
        if size:
            unseen = line_of(Typeface(letters, min(size, self._size), 0), text).parts
            self.runs.extend(Run(x, y, part, UNSEEN, 0, self._field) for part in unseen[:1])
        centre = y - self._size * 31 // 100
        self.icons.append(PlacedIcon(name, x + width // 2, centre, self._size, self._colour))

    def _end(self, words: list[Word], x: int, y: int) -> None:
        if words:
            self.runs.append(Run(x, y, tuple(words), self._colour, 0, self._field))


def _look(word: Word) -> tuple[str, int, bool]:
    """What words of one run have in common."""
    return word.font, word.size, bool(word.glyphs)
