"""Sets words in lines: breaking, fitting and positioning; every advance is in whole micrometres."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import accumulate, groupby
from operator import add
from typing import NamedTuple

from carddb.core.units import Box
from carddb.layout.display_list import UNSEEN, Run, Word
from carddb.layout.text.bidi import (
    directed,
    directed_paragraphs,
    directed_parts,
    paragraph_level,
    runs_right_to_left,
    visual_items,
)
from carddb.layout.text.fonts import FontBook
from carddb.layout.text.scripts import clusters
from carddb.layout.text.shaping import Letters, Sized, SmallCapitals, Typeface, small_capital_size
from carddb.layout.text.words import Paragraphs, Token, plain_tokens, tokens

Paragraph = tuple[Token, ...]


class TextLine(NamedTuple):
    """A line of words and spaces, in parts of one font each; its width, and the characters that no font has."""

    parts: list[tuple[Word, ...]]
    width: int
    missing: str


class LineSpan(NamedTuple):
    """One line of a paragraph: its tokens are those from index `start` up to `end`; `width` is in micrometres."""

    start: int
    end: int
    width: int


class MeasuredParagraph:
    """A paragraph at one size, with the positions of all tokens as if they were on one line."""

    def __init__(
        self, tokens: Paragraph, widths: Sequence[int], gaps: Sequence[int], words: Sequence[Sized | None]
    ) -> None:
        """Takes, for each token, its width, the width of the gap before it, and its word (None for an icon)."""
        self.tokens = tokens
        self.words = words
        self._ends = [0, *accumulate(map(add, gaps, widths))]
        self.starts = list(map(add, self._ends, gaps))
        self.widths = widths
        self.gaps = gaps

    def rows(self, width: int) -> list[LineSpan]:
        """Returns the lines, each as full as possible; only text in which no line may end is wider than `width`."""
        tokens, ends, starts = self.tokens, self._ends, self.starts
        rows: list[LineSpan] = []
        start, count = 0, len(tokens)
        while start < count:
            origin = starts[start]
            end = bisect_right(ends, origin + width, start + 1) - 1
            while start < end < count and not tokens[end].breaks:
                end -= 1
            if end == start:
                end += 1
                while end < count and not tokens[end].breaks:
                    end += 1
            rows.append(LineSpan(start, end, ends[end] - origin))
            start = end
        return rows

    def balanced(self, rows: list[LineSpan], width: int, align: str) -> list[LineSpan]:
        """Returns the lines with better breaks, without adding a line.

        Centred lines become similar in width; other paragraphs avoid a last line of one word if possible.
        """
        if len(rows) < 2 or (align != "center" and not self._ends_alone(rows)):
            return rows
        floor = width // 2 if align == "center" else width * 4 // 5
        best, narrow = rows, width
        while narrow > floor:
            narrow -= width // 50
            narrower = self.rows(narrow)
            if len(narrower) > len(rows) or any(row.width > width for row in narrower):
                break
            best = narrower
            if align != "center" and not self._ends_alone(narrower):
                break
        return best

    def _ends_alone(self, rows: list[LineSpan]) -> bool:
        """Returns whether the last line is one word; joined words count as one only in a paragraph of two lines."""
        last = rows[-1]
        return last.end - last.start == 1 and (len(rows) == 2 or "\u00a0" not in self.tokens[last.start].text)


def line_of(typeface: Typeface, text: str, base: int = 0) -> TextLine:
    """Returns a line of words and spaces in visual order; `base` is its bidi level if words run in both directions."""
    tokens: Paragraph = tuple([Token(word, spaced=number > 0) for number, word in enumerate(text.split(" "))])
    if runs_right_to_left(text):
        tokens = directed(tokens, base)
    out: list[Word] = []
    for at, is_space in visual_items(tokens, 0, len(tokens)):
        if is_space:
            out.append(typeface.space_beside(out[-1]) if out else typeface.space_in(typeface.letters.font.key))
        elif spaced := _with_space(out, typeface[tokens[at].text]):
            out[-1] = spaced
        else:
            out += typeface[tokens[at].text].words
    parts = [tuple(part) for _, part in groupby(out, key=lambda word: (word.font, bool(word.glyphs)))]
    missing = "".join([typeface[token.text].missing for token in tokens])
    return TextLine(parts, sum([word.width for word in out]), missing)


def _with_space(words: Sequence[Word], word: Sized) -> Word | None:
    """Returns `word` with a space before it, to replace the space that ends `words`; None if that is not possible."""
    spaced = word.spaced
    return spaced if spaced and words and words[-1].text == " " and _look(words[-1]) == _look(spaced) else None


class IconSize(NamedTuple):
    """The size of an icon in text: its advance in thousandths of the em; and the text in place of which it stands."""

    advance: int = 920
    word: str = ""


class PlacedIcon(NamedTuple):
    """An icon in a line; (`x`, `y`) is its centre and `em` the type size."""

    name: str
    x: int
    y: int
    em: int
    colour: str


class LineSetting:
    """Converts lines into runs, each of words and spaces in one font, so that a text can be read aloud and copied."""

    def __init__(
        self, typefaces: list[list[Typeface]], icons: Mapping[str, IconSize], size: int, colour: str, field: str
    ) -> None:
        """Takes typefaces as `[bold][italic]`, the sizes of icons by name, and the text's size, colour and field."""
        self._typefaces = typefaces
        self._icon_sizes = icons
        self._size = size
        self._colour = colour
        self._field = field
        self.runs: list[Run] = []
        self.icons: list[PlacedIcon] = []
        self.missing = ""

    def set(self, paragraph: MeasuredParagraph, row: LineSpan, x: int, y: int) -> None:
        """Sets one line, starting at `x`, with its baseline at `y`."""
        words: list[Word] = []
        start = x
        for at, is_space in visual_items(paragraph.tokens, row.start, row.end):
            token, sized = paragraph.tokens[at], paragraph.words[at]
            if is_space:
                if words:
                    words.append(self._space(token, words[-1], paragraph.gaps[at]))
                x += paragraph.gaps[at]
                continue
            if sized is None:
                self._end(words, start, y)
                words = []
                self._icon(token.text, x, y, paragraph.widths[at])
                x += paragraph.widths[at]
                continue
            self.missing += sized.missing
            if spaced := _with_space(words, sized):
                words[-1] = spaced
                x += sized.width
                continue
            for word in sized.words:
                if not words or _look(word) != _look(words[-1]):
                    self._end(words, start, y)
                    words, start = [], x
                words.append(word)
                x += word.width
        self._end(words, start, y)

    def _space(self, token: Token, before: Word, width: int) -> Word:
        """Returns a space of the given width before the token with this index, in the font of the word before it."""
        space = self._typefaces[token.bold][token.italic].space_beside(before)
        if (before.size, width) == (space.size, space.width):
            return space
        return space._replace(size=before.size, width=width, advances=(width,))

    def _icon(self, name: str, x: int, y: int, width: int) -> None:
        """Adds an icon, and its text, invisible and as wide as the icon, for reading aloud, searching and copying."""
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
    """Returns the properties that all words of one run share: font, size, and whether they have glyphs."""
    return word.font, word.size, bool(word.glyphs)


_OPTICAL = 470
"""The share of the free space, in thousandths, that is above a text which looks centred: a bit less than half."""
_STEP = 35
"""The step in which a text shrinks: a tenth of a point, in micrometres."""


class Style(NamedTuple):
    """The style of characters; `size` and `tracking` are in micrometres, `tabular` means digits of equal width."""

    family: str
    size: int
    weight: int = 400
    italic: bool = False
    colour: str = "#000000"
    tracking: int = 0
    tabular: bool = False


class Setting(NamedTuple):
    """The way a text fills its box; `leading` and `gap` (between paragraphs) are in thousandths of the type size.

    `align` is left, center or right, or start or end with respect to the paragraph's direction. In a `plain` text,
    markup is not interpreted. `direction` is `ltr` or `rtl`, or empty to let the text decide. `sizes` are the sizes to
    which the text may shrink, in descending order; if empty, it may shrink to any size down to `smallest`.
    """

    align: str = "start"
    valign: str = "top"
    leading: int = 1200
    gap: int = 400
    smallest: int = 0
    shrink: bool = False
    plain: bool = False
    direction: str = ""
    sizes: tuple[int, ...] = ()


LEVELS: Mapping[str, int] = {"ltr": 0, "rtl": 1}
"""The bidi level of a line or paragraph by its direction; if the direction is empty, the text decides."""


class Block(NamedTuple):
    """A set text: runs and icons at their positions, the type size, by how many micrometres the text is too wide and
    too high, and the characters that no font has.
    """

    runs: tuple[Run, ...]
    icons: tuple[PlacedIcon, ...]
    size: int
    over_width: int = 0
    over_height: int = 0
    missing: str = ""


class _TextStyle:
    """The fonts in which one text is set, by bold and italic."""

    def __init__(self, setter: Setter, style: Style) -> None:
        self._setter = setter
        self.icons = setter.icons
        self.style = style
        weights, slants = (style.weight, 700), (style.italic, not style.italic)
        self.letters = [
            [setter.letters(style.family, weight, italic, style.tabular) for italic in slants] for weight in weights
        ]
        self.typefaces = cache(self._typefaces_at)
        self.small = cache(self._small_capitals_at)

    def _typefaces_at(self, size: int) -> list[list[Typeface]]:
        """Returns the typefaces at `size`, as `[bold][italic]`."""
        tracking = self.style.tracking
        return [[self._setter.typeface(letters, size, tracking) for letters in row] for row in self.letters]

    def _small_capitals_at(self, size: int) -> list[list[SmallCapitals]]:
        """Returns the small capitals for a text of `size`, as `[bold][italic]`."""
        pairs = zip(self.typefaces(size), self.typefaces(small_capital_size(size)), strict=True)
        return [[SmallCapitals(*both) for both in zip(*rows, strict=True)] for rows in pairs]

    def sized(self, paragraphs: Paragraphs, size: int) -> list[MeasuredParagraph]:
        """Returns the paragraphs, measured at the type size `size`."""
        typefaces = self.typefaces(size)
        spaces = [[each.space for each in row] for row in typefaces]
        out = []
        for paragraph in paragraphs:
            words = [
                None if icon else (self.small(size) if small else typefaces)[bold][italic][text]
                for text, bold, italic, icon, _, _, small, _, _ in paragraph
            ]
            widths = [
                word.width if word else self.icons.get(token.text, IconSize()).advance * size // 1000
                for word, token in zip(words, paragraph, strict=True)
            ]
            gaps = [  # after an icon, the space is that of the plain style
                (spaces[0][0] if before.icon else spaces[token.bold][token.italic]) if token.spaced else 0
                for before, token in zip(paragraph[:1] + paragraph, paragraph, strict=False)
            ]
            out.append(MeasuredParagraph(paragraph, widths, gaps, words))
        return out


class Setter:
    """Sets texts in the fonts of a book, in a language of the given direction; `icons` is `{name: size}`."""

    def __init__(
        self, book: FontBook, icons: Mapping[str, IconSize] | None = None, is_right_to_left: bool = False
    ) -> None:
        self.book = book
        self.icons = icons or {}
        self._is_right_to_left = is_right_to_left
        self._typefaces: dict[tuple[str, int, int], Typeface] = {}
        self.letters = cache(self._letters_of)
        self._text_style = cache(partial(_TextStyle, self))

    def _letters_of(self, family: str, weight: int, italic: bool, tabular: bool = False) -> Letters:
        """Returns the measured words of the nearest style of a family. Raises FontError for an unknown family."""
        return Letters(self.book, self.book.pick(family, weight, italic, tabular))

    def typeface(self, letters: Letters, size: int, tracking: int) -> Typeface:
        """Returns the typeface of a font at `size`."""
        key = (letters.font.key, size, tracking)
        if key not in self._typefaces:
            self._typefaces[key] = Typeface(letters, size, tracking)
        return self._typefaces[key]

    def typeface_of(self, style: Style) -> Typeface:
        """Returns the typeface of a style. Raises FontError for an unknown family."""
        letters = self.letters(style.family, style.weight, style.italic, style.tabular)
        return self.typeface(letters, style.size, style.tracking)

    def style_for(self, text: str, style: Style) -> Style:
        """Returns `style`, in its family's alternative if that has all letters of `text` that the family lacks."""
        family = self.book.family_for(text, style.family)
        return style if family == style.family else style._replace(family=family)

    def width(self, text: str, style: Style) -> int:
        """Returns the width of a text on one line, in micrometres."""
        return self.words(text, style).width

    def words(self, text: str, style: Style, level: int | None = None) -> TextLine:
        """Returns a text as one line. Raises FontError for an unknown family.

        `level` is the line's bidi level; if it is None, the language or the first letter decides.
        """
        if level is None and runs_right_to_left(text):
            level = paragraph_level(text, self._is_right_to_left)
        return line_of(self.typeface_of(self.style_for(text, style)), text, level or 0)

    def line(
        self, text: str, style: Style, x: int, y: int, align: str = "start", angle: int = 0, field: str = ""
    ) -> tuple[Run, ...]:
        """Returns a line of text at (`x`, `y`) of its baseline; `align` is start, middle or end, `angle` in degrees."""
        parts, width, _ = self.words(unicodedata.normalize("NFC", text), style)
        ink = width - style.tracking if width else 0
        offset = {"start": 0, "middle": -(ink // 2), "end": -ink}[align]
        dx, dy = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}.get(angle, (1, 0))
        runs: list[Run] = []
        for part in parts:
            runs.append(Run(x + dx * offset, y + dy * offset, part, style.colour, angle, field))
            offset += runs[-1].width
        return tuple(runs)

    def fit(self, text: str, style: Style, box: Box, setting: Setting, field: str = "") -> Block:
        """Returns a text set in its box at the largest size that fits.

        If the text fits at no size, the smallest is used, and the block says by how much it is too wide or too high.
        """
        fonts = self._text_style(self.style_for(text, style))
        paragraphs = self._paragraphs(text, setting)
        size = style.size
        sized, rows, over = _laid_out(fonts, paragraphs, size, box, setting)
        if setting.shrink and over != (0, 0):
            size = _fitting_size(fonts, paragraphs, box, setting)
            sized, rows, over = _laid_out(fonts, paragraphs, size, box, setting)
        rows = [each.balanced(lines, box.width, setting.align) for each, lines in zip(sized, rows, strict=True)]
        lines = LineSetting(fonts.typefaces(size), fonts.icons, size, style.colour, field)
        for number, row, x, y in _places(fonts, paragraphs, rows, size, box, setting):
            lines.set(sized[number], row, x, y)
        return Block(tuple(lines.runs), tuple(lines.icons), size, *over, missing=lines.missing)

    def count_lines(self, text: str, style: Style, width: int) -> int:
        """Returns the number of lines of a text with markup in a column of `width` micrometres."""
        measured = self._text_style(self.style_for(text, style)).sized(self._paragraphs(text, Setting()), style.size)
        return sum(len(paragraph.rows(width)) for paragraph in measured)

    def height(self, text: str, style: Style, width: int, setting: Setting) -> int:
        """Returns a text's height in a column, in micrometres like `width`; a `plain` setting turns markup off."""
        paragraphs = self._paragraphs(text, setting)
        measured = self._text_style(self.style_for(text, style)).sized(paragraphs, style.size)
        rows = [paragraph.rows(width) for paragraph in measured]
        return _height(paragraphs, rows, style.size, setting)

    def _paragraphs(self, text: str, setting: Setting) -> Paragraphs:
        paragraphs = plain_tokens(text) if setting.plain else tokens(text)
        if setting.direction == "rtl" or runs_right_to_left(text):
            return directed_paragraphs(paragraphs, LEVELS.get(setting.direction), self._is_right_to_left)
        return paragraphs


Rows = list[list[LineSpan]]
"""The lines of each paragraph."""


def _places(
    fonts: _TextStyle, paragraphs: Paragraphs, rows: Rows, size: int, box: Box, setting: Setting
) -> Iterator[tuple[int, LineSpan, int, int]]:
    """Yields (index of its paragraph, line, x, y of the baseline) for each line."""
    font, tracking = fonts.letters[0][0].font, fonts.style.tracking
    leading = size * setting.leading // 1000
    gap = size * setting.gap // 1000
    height = _height(paragraphs, rows, size, setting)
    if setting.valign == "optical":
        seen = height - leading + font.capital * size // 1000
        baseline = box.y + (box.height - seen) * _OPTICAL // 1000 + font.capital * size // 1000
    else:
        spare = {"top": 0, "middle": 1, "bottom": 2}[setting.valign] * (box.height - height) // 2
        ascent, descent = font.ascent * size // 1000, font.descent * size // 1000
        baseline = box.y + spare + (leading - ascent - descent) // 2 + ascent
    for number, lines in enumerate(rows):
        halves = _HALVES[paragraphs[number][0].levels.paragraph][setting.align]
        baseline += gap if number and not paragraphs[number][0].starts_line else 0
        for row in lines:
            yield number, row, box.x + (box.width - (row.width - tracking)) * halves // 2, baseline
            baseline += leading


_HALVES = (
    {"left": 0, "start": 0, "center": 1, "right": 2, "end": 2},
    {"left": 0, "start": 2, "center": 1, "right": 2, "end": 0},
)
"""`[level of the paragraph][align]`: how many halves of the free space beside a line are to its left."""


def _height(paragraphs: Paragraphs, rows: Rows, size: int, setting: Setting) -> int:
    """Returns the height of lines and gaps, in micrometres; there is no gap before a line after `{br}`."""
    gaps = sum([not paragraph[0].starts_line for paragraph in paragraphs[1:]])
    leading = size * setting.leading // 1000
    return sum(map(len, rows)) * leading + gaps * (size * setting.gap // 1000)


def _laid_out(
    fonts: _TextStyle, paragraphs: Paragraphs, size: int, box: Box, setting: Setting
) -> tuple[list[MeasuredParagraph], Rows, tuple[int, int]]:
    """Returns the paragraphs at a size, their lines, and the excess width and height of these, 0 if the text fits."""
    sized = fonts.sized(paragraphs, size)
    rows = [paragraph.rows(box.width) for paragraph in sized]
    widest = max([row.width - fonts.style.tracking for lines in rows for row in lines], default=0)
    height = _height(paragraphs, rows, size, setting)
    return sized, rows, (max(0, widest - box.width), max(0, height - box.height))


def _fitting_size(fonts: _TextStyle, paragraphs: Paragraphs, box: Box, setting: Setting) -> int:
    """Returns the largest size below the style's size at which the text fits, or else the smallest allowed size."""
    style = fonts.style

    def fits(size: int) -> bool:
        return _laid_out(fonts, paragraphs, size, box, setting)[2] == (0, 0)

    if setting.sizes:
        return next(filter(fits, setting.sizes), setting.sizes[-1])
    least = min(setting.smallest or style.size, style.size)
    too_large, small = 0, -(-(style.size - least) // _STEP)
    while small - too_large > 1:
        middle = (too_large + small) // 2
        if fits(style.size - middle * _STEP):
            small = middle
        else:
            too_large = middle
    return max(least, style.size - small * _STEP)


class Fragment(NamedTuple):
    """A text in one typeface and colour, with its link target and the colour of the disc behind it (empty for none)."""

    text: str
    typeface: Typeface
    colour: str
    target: str = ""
    disc: str = ""


class WordPiece(NamedTuple):
    """A word or a part of one, with two fragments: the one in whose style it is, and that of the space before it."""

    token: Token
    look: Fragment
    blank: Fragment


class MixedParagraph:
    """A paragraph of words in several styles, in reading order and with known directions."""

    def __init__(self, pieces: Sequence[WordPiece]) -> None:
        self._pieces = pieces
        self._tokens = tuple(piece.token for piece in pieces)
        words = [piece.look.typeface[piece.token.text] for piece in pieces]
        gaps = [piece.blank.typeface.space if piece.token.spaced else 0 for piece in pieces]
        self._measured = MeasuredParagraph(self._tokens, [word.width for word in words], gaps, words)

    @classmethod
    def of(cls, fragments: Sequence[Fragment], is_right_to_left: bool) -> MixedParagraph:
        """Returns the paragraph made of `fragments`, in a language written in the given direction."""
        words = list(_words(fragments))
        text = "".join([fragment.text for fragment in fragments])
        if not runs_right_to_left(text):
            return cls(words)
        parts = directed_parts([word.token for word in words], paragraph_level(text, is_right_to_left))
        return cls([words[place]._replace(token=token) for place, token in parts])

    @property
    def is_right_to_left(self) -> bool:
        return bool(self._tokens) and self._tokens[0].levels.paragraph == 1

    def rows(self, width: int) -> list[LineSpan]:
        """Returns the lines for a column of `width` micrometres, the last of more than one word if possible."""
        return self._measured.balanced(self._measured.rows(width), width, "start")

    def cut(self, width: int) -> MixedParagraph:
        """Returns the paragraph with each word that is wider than a column, such as a long address, cut into parts."""
        return MixedParagraph([part for piece in self._pieces for part in _cut(piece, width)])

    def part(self, start: int, end: int) -> MixedParagraph:
        """Returns the part of the paragraph with the words from index `start` up to `end`."""
        return MixedParagraph(self._pieces[start:end])

    def longest(self) -> int:
        """Returns the width of the longest word, in micrometres."""
        return max([row.width for row in self.rows(0)], default=0)

    def runs(self, row: LineSpan, x: int, y: int) -> Iterator[tuple[Run, Fragment]]:
        """Yields the runs of a line from left to right, each with the fragment whose style its words have."""
        words: list[Word] = []
        look: tuple[object, ...] = ()
        start, owner = x, self._pieces[row.start].look
        for at, is_space in visual_items(self._tokens, row.start, row.end):
            fragment = self._pieces[at].blank if is_space else self._pieces[at].look
            for word in self._space(fragment, words) if is_space else fragment.typeface[self._tokens[at].text].words:
                own = (word.font, word.size, bool(word.glyphs), *fragment[2:])
                if own != look and words:
                    yield Run(start, y, tuple(words), owner.colour), owner
                    words = []
                if not words:
                    look, start, owner = own, x, fragment
                words.append(word)
                x += word.width
        if words and row.end < len(self._tokens) and not self.is_right_to_left:
            # Without this invisible space, PDF readers may join the last word to the first of the next line.
            words.append(self._pieces[row.end - 1].look.typeface.space_beside(words[-1]))
        if words:
            yield Run(start, y, tuple(words), owner.colour), owner

    @staticmethod
    def _space(fragment: Fragment, before: list[Word]) -> tuple[Word]:
        typeface = fragment.typeface
        is_near = bool(before) and before[-1].size == typeface.size
        return (typeface.space_beside(before[-1]) if is_near else typeface.space_in(typeface.letters.font.key),)


def _cut(piece: WordPiece, width: int) -> Iterator[WordPiece]:
    text, whole = piece.token.text, piece.look.typeface[piece.token.text].width
    most = max(1, len(text) * width // max(whole, 1) if whole > width else len(text))
    for start in range(0, len(text), most):
        token = piece.token._replace(text=text[start : start + most])
        yield piece._replace(token=token._replace(spaced=False, breaks=True) if start else token)


def _words(fragments: Sequence[Fragment]) -> Iterator[WordPiece]:
    """Yields the words of `fragments`, split where a line may end or the style changes."""
    begun = False
    blank: Fragment | None = None
    for fragment in fragments:
        for number, word in enumerate(fragment.text.split(" ")):
            blank = blank or (fragment if number else None)
            for at, cluster in enumerate(clusters(word) if word else ()):
                leads = blank is not None and begun and not at
                yield WordPiece(Token(cluster, spaced=leads, breaks=leads or at > 0), fragment, blank or fragment)
                blank, begun = None, True
