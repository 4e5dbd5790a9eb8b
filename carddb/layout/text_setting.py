"""Words to lines: breaking, fitting and placing; every advance in whole micrometres."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from carddb.layout.display_list import UNSEEN, Run, Word
from carddb.layout.fonts import FontBook
from carddb.layout.line_breaking import Broken, Paragraph, Row, broken_at, evened, line_of
from carddb.layout.markup import tokens
from carddb.layout.prose import Passage, Phrase, measured, phrases
from carddb.layout.shaping import Letters, Typeface
from carddb.units import Box

_STEP = 35
"""The step by which a text shrinks: a tenth of a point, in micrometres."""


class Style(NamedTuple):
    """How characters look; `size` and `tracking` in micrometres."""

    family: str
    size: int
    weight: int = 400
    italic: bool = False
    colour: str = "#000000"
    tracking: int = 0


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


class Setting(NamedTuple):
    """How a text fills its box; `leading` in thousandths of the size, `gap` between paragraphs likewise."""

    align: str = "left"
    valign: str = "top"
    leading: int = 1200
    gap: int = 400
    smallest: int = 0
    shrink: bool = False


class Block(NamedTuple):
    """A set text: runs and icons at their places, the size used, and what went wrong."""

    runs: tuple[Run, ...]
    icons: tuple[PlacedIcon, ...]
    size: int
    height: int
    over_width: int = 0
    over_height: int = 0
    missing: str = ""


class _Hand:
    """The faces that one text is set in: upright and slanted, regular and bold."""

    def __init__(self, setter: Setter, style: Style) -> None:
        self._setter = setter
        self.icons = setter.icons
        self.style = style
        self.letters = [
            [
                setter.letters(style.family, 700 if bold else style.weight, style.italic != slanted)
                for slanted in (False, True)
            ]
            for bold in (False, True)
        ]
        self._typefaces: dict[int, list[list[Typeface]]] = {}

    def typefaces(self, size: int) -> list[list[Typeface]]:
        """By bold and italic, at a size."""
        found = self._typefaces.get(size)
        if found is None:
            tracking = self.style.tracking
            found = [[self._setter.typeface(letters, size, tracking) for letters in row] for row in self.letters]
            self._typefaces[size] = found
        return found

    def icon(self, name: str, size: int) -> int:
        """How wide an icon is."""
        return self.icons.get(name, IconSize()).advance * size // 1000

    def space(self, size: int) -> int:
        return self.letters[0][0].width(" ", size, self.style.tracking)

    def tried(self, paragraphs: Sequence[Paragraph], size: int, width: int) -> list[Broken]:
        """Paragraphs in lines no wider than `width`, where words allow it; nothing is kept of a size only tried."""
        letters, tracking = self.letters, self.style.tracking
        space = self.space(size)
        out = []
        for paragraph in paragraphs:
            widths = [
                self.icon(token.text, size)
                if token.icon
                else letters[token.bold][token.italic].width(token.text, size, tracking)
                for token in paragraph
            ]
            out.append(Broken(paragraph, widths, broken_at(paragraph, widths, space, width)))
        return out

    def broken(self, paragraphs: Sequence[Paragraph], size: int, width: int) -> list[Broken]:
        """The same for a size that words are set in."""
        typefaces = self.typefaces(size)
        space = typefaces[0][0].space
        out = []
        for paragraph in paragraphs:
            sized = [None if icon else typefaces[bold][italic][text] for text, bold, italic, icon, _, _ in paragraph]
            widths = [
                word.width if word else self.icon(token.text, size)
                for word, token in zip(sized, paragraph, strict=True)
            ]
            out.append(Broken(paragraph, widths, broken_at(paragraph, widths, space, width), sized))
        return out


class Setter:
    """Sets text in the fonts of a book; `icons` gives the width of each icon."""

    def __init__(self, book: FontBook, icons: Mapping[str, IconSize] | None = None) -> None:
        self.book = book
        self.icons = icons or {}
        self._letters: dict[tuple[str, int, bool], Letters] = {}
        self._typefaces: dict[tuple[str, int, int], Typeface] = {}
        self._hands: dict[Style, _Hand] = {}

    def letters(self, family: str, weight: int, italic: bool) -> Letters:
        """The words of the style nearest to what is asked. Raises FontError for an unknown family."""
        found = self._letters.get((family, weight, italic))
        if found is None:
            found = self._letters[family, weight, italic] = Letters(self.book, self.book.pick(family, weight, italic))
        return found

    def typeface(self, letters: Letters, size: int, tracking: int) -> Typeface:
        """A font at a size."""
        key = (letters.font.key, size, tracking)
        found = self._typefaces.get(key)
        if found is None:
            found = self._typefaces[key] = Typeface(letters, size, tracking)
        return found

    def typeface_of(self, style: Style) -> Typeface:
        """The typeface of a style. Raises FontError."""
        return self.typeface(self.letters(style.family, style.weight, style.italic), style.size, style.tracking)

    def _hand(self, style: Style) -> _Hand:
        found = self._hands.get(style)
        if found is None:
            found = self._hands[style] = _Hand(self, style)
        return found

    def width(self, text: str, style: Style) -> int:
        """How wide a line is, in micrometres."""
        return line_of(self.typeface_of(style), text).width

    def line(
        self, text: str, style: Style, x: int, y: int, align: str = "start", angle: int = 0, field: str = ""
    ) -> Block:
        """One line on a baseline; `align` is start, middle or end, `angle` 0, 90, 180 or 270 degrees clockwise."""
        parts, width, missing = line_of(self.typeface_of(style), unicodedata.normalize("NFC", text))
        ink = width - style.tracking if width else 0
        offset = {"start": 0, "middle": -(ink // 2), "end": -ink}[align]
        dx, dy = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}.get(angle, (1, 0))
        runs: list[Run] = []
        for part in parts:
            runs.append(Run(x + dx * offset, y + dy * offset, part, style.colour, angle, field))
            offset += runs[-1].width
        return Block(tuple(runs), (), style.size, style.size, missing=missing)

    def fit(self, text: str, style: Style, box: Box, setting: Setting, field: str = "") -> Block:
        """A text in its box, at the largest size that fits; where none does, the smallest and what it lacks."""
        hand = self._hand(style)
        told = phrases(text)
        if told is not None:
            try:
                return _fit_prose(hand, told, box, setting, field)
            except LookupError:  # a letter comes from another font
                pass
        return _fit_tokens(hand, tokens(text), box, setting, field)

    def count_lines(self, text: str, style: Style, width: int) -> int:
        """How many lines a marked-up text takes in a column."""
        return sum(len(part.rows) for part in self._hand(style).tried(tokens(text), style.size, width))


Rows = list[list[Row]]
"""The lines of each paragraph."""


def _fit_prose(hand: _Hand, told: list[list[Phrase]], box: Box, setting: Setting, field: str) -> Block:
    """Plain words, by the line. Raises LookupError where they are not as plain as that."""
    style = hand.style

    def tried(size: int) -> Rows:
        columns = [measured(paragraph, hand.letters, size, style.tracking) for paragraph in told]
        return [column.rows(box.width) for column in columns]

    def put(size: int) -> tuple[list[Passage], Rows]:
        passages = [Passage(paragraph, hand.typefaces(size)) for paragraph in told]
        return passages, [passage.column.rows(box.width) for passage in passages]

    size = style.size
    passages, rows = put(size)
    over = _excess(rows, size, style.tracking, box, setting)
    if setting.shrink and over != (0, 0):
        size = _smaller(tried, style, box, setting)
        passages, rows = put(size)
        over = _excess(rows, size, style.tracking, box, setting)
    runs: list[Run] = []
    even = [p.column.evened(some, box.width, setting.align) for p, some in zip(passages, rows, strict=True)]
    for number, row, x, y in _places(hand, even, size, box, setting):
        runs += passages[number].runs(row, x, y, style.colour, field)
    return Block(tuple(runs), (), size, _height(even, size, setting), *over)


def _fit_tokens(hand: _Hand, paragraphs: Sequence[Paragraph], box: Box, setting: Setting, field: str) -> Block:
    """Any text, word by word."""
    style = hand.style

    def tried(size: int) -> Rows:
        return [part.rows for part in hand.tried(paragraphs, size, box.width)]

    size = style.size
    broken = hand.broken(paragraphs, size, box.width)
    over = _excess([part.rows for part in broken], size, style.tracking, box, setting)
    if setting.shrink and over != (0, 0):
        size = _smaller(tried, style, box, setting)
        broken = hand.broken(paragraphs, size, box.width)
        over = _excess([part.rows for part in broken], size, style.tracking, box, setting)
    space = hand.space(size)
    broken = [evened(part, space, box.width, setting.align) for part in broken]
    rows = [part.rows for part in broken]
    pen = _Placing(hand.typefaces(size)[0][0], hand.icons, size, style.colour, field)
    for number, row, x, y in _places(hand, rows, size, box, setting):
        pen.put(broken[number], row, x, y)
    return Block(tuple(pen.runs), tuple(pen.icons), size, _height(rows, size, setting), *over, missing=pen.missing)


def _places(hand: _Hand, rows: Rows, size: int, box: Box, setting: Setting) -> Iterator[tuple[int, Row, int, int]]:
    """Each line with the number of its paragraph, where it begins, and its baseline."""
    font, tracking = hand.letters[0][0].font, hand.style.tracking
    leading = size * setting.leading // 1000
    gap = size * setting.gap // 1000
    spare = {"top": 0, "middle": 1, "bottom": 2}[setting.valign] * (box.height - _height(rows, size, setting)) // 2
    ascent, descent = font.ascent * size // 1000, font.descent * size // 1000
    baseline = box.y + spare + (leading - ascent - descent) // 2 + ascent
    halves = {"left": 0, "center": 1, "right": 2}[setting.align]
    for number, some in enumerate(rows):
        baseline += gap if number else 0
        for row in some:
            yield number, row, box.x + (box.width - (row.width - tracking)) * halves // 2, baseline
            baseline += leading


class _Placing:
    """Puts the lines of a text into runs: words of one font together, each with the space after it, for readers."""

    def __init__(self, base: Typeface, icons: Mapping[str, IconSize], size: int, colour: str, field: str) -> None:
        self._base = base
        self._icons = icons
        self._size = size
        self._colour = colour
        self._field = field
        self.runs: list[Run] = []
        self.icons: list[PlacedIcon] = []
        self.missing = ""

    def put(self, part: Broken, row: Row, x: int, y: int) -> None:
        """Sets one line from `x` on."""
        base = self._base
        words: list[Word] = []
        font, start = "", x
        for at in range(row.start, row.end):
            token, sized = part.paragraph[at], part.sized[at]
            if token.spaced and at > row.start:
                if words:
                    words.append(base.space_in(font))
                x += base.space
            if sized is None:
                words = self._end(words, start, y)
                self._tell(token.text, x, y, part.widths[at])
                centre = x + part.widths[at] // 2
                self.icons.append(PlacedIcon(token.text, centre, y - self._size * 31 // 100, self._size, self._colour))
                x += part.widths[at]
                continue
            self.missing += sized.missing
            for word in sized.words:
                if word.font != font or not words:
                    words = self._end(words, start, y)
                    font, start = word.font, x
                words.append(word)
                x += word.width
        self._end(words, start, y)

    def _tell(self, icon: str, x: int, y: int, width: int) -> None:
        """The icon's word, unseen and as wide as the icon: what is read aloud, searched and copied."""
        letters = self._base.letters
        told = self._icons.get(icon, IconSize()).word
        size = width * self._size // max(1, letters.width(told, self._size, 0)) if told else 0
        if size:
            unseen = line_of(Typeface(letters, min(size, self._size), 0), told).parts
            self.runs.extend(Run(x, y, part, UNSEEN, 0, self._field) for part in unseen[:1])

    def _end(self, words: list[Word], x: int, y: int) -> list[Word]:
        if words:
            self.runs.append(Run(x, y, tuple(words), self._colour, 0, self._field))
        return []


def _height(rows: Rows, size: int, setting: Setting) -> int:
    leading = size * setting.leading // 1000
    gaps = max(0, len(rows) - 1) * (size * setting.gap // 1000)
    return sum([len(some) for some in rows]) * leading + gaps


def _excess(rows: Rows, size: int, tracking: int, box: Box, setting: Setting) -> tuple[int, int]:
    """By how much a text is too wide and too high."""
    widest = max([row.width - tracking for some in rows for row in some], default=0)
    return max(0, widest - box.width), max(0, _height(rows, size, setting) - box.height)


def _smaller(tried: Callable[[int], Rows], style: Style, box: Box, setting: Setting) -> int:
    """The largest step below the wanted size, down to the smallest, at which the text fits; else the smallest."""
    least = min(setting.smallest or style.size, style.size)
    too_large, small = 0, -(-(style.size - least) // _STEP)
    while small - too_large > 1:
        middle = (too_large + small) // 2
        size = style.size - middle * _STEP
        if _excess(tried(size), size, style.tracking, box, setting) == (0, 0):
            small = middle
        else:
            too_large = middle
    return max(least, style.size - small * _STEP)
