"""Words to lines: breaking, fitting and placing; every advance in whole micrometres."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from carddb.core.units import Box
from carddb.layout.display_list import Run
from carddb.layout.text.fonts import FontBook
from carddb.layout.text.line_breaking import Line, MeasuredParagraph, Paragraph, Row, line_of
from carddb.layout.text.line_setting import IconSize, LineSetting, PlacedIcon
from carddb.layout.text.markup import Paragraphs, plain_tokens, tokens
from carddb.layout.text.shaping import Letters, SmallCapitals, Typeface, small_capital_size, small_capitals_width
from carddb.layout.text.text_direction import directed_paragraphs, paragraph_level, runs_right_to_left

_OPTICAL = 470
"""Where the middle of a box seems to be, in thousandths of the room over and under the words: a little higher."""
_STEP = 35
"""The step by which a text shrinks: a tenth of a point, in micrometres."""


class Style(NamedTuple):
    """How characters look; `size` and `tracking` in micrometres. `tabular` figures are all of one width."""

    family: str
    size: int
    weight: int = 400
    italic: bool = False
    colour: str = "#000000"
    tracking: int = 0
    tabular: bool = False


class Setting(NamedTuple):
    """How a text fills its box; `leading` in thousandths of the size, `gap` between paragraphs likewise.

    `align` is left, center, right, or start or end of the way that a paragraph runs. In a `plain` text every character
    stands for itself. `direction` is `ltr` or `rtl`; empty, the text decides. `sizes` are those that a text may shrink
    to, falling; without them it is any down to `smallest`.
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

    @property
    def level(self) -> int | None:
        """The level of the paragraphs where the setting decides it."""
        return _LEVELS.get(self.direction)


_LEVELS = {"ltr": 0, "rtl": 1}


class Block(NamedTuple):
    """A set text: runs and icons at their places, the size used, and what went wrong."""

    runs: tuple[Run, ...]
    icons: tuple[PlacedIcon, ...]
    size: int
    height: int
    over_width: int = 0
    over_height: int = 0
    missing: str = ""


class _TextStyle:
    """The fonts that one text is set in, by bold and italic."""

    def __init__(self, setter: Setter, style: Style) -> None:
        self._setter = setter
        self.icons = setter.icons
        self.style = style
        self.letters = [
            [
                setter.letters(style.family, 700 if bold else style.weight, style.italic != slanted, style.tabular)
                for slanted in (False, True)
            ]
            for bold in (False, True)
        ]
        self._typefaces: dict[int, list[list[Typeface]]] = {}
        self._small: dict[int, list[list[SmallCapitals]]] = {}

    def typefaces(self, size: int) -> list[list[Typeface]]:
        """By bold and italic, at a size."""
        typefaces = self._typefaces.get(size)
        if typefaces is None:
            tracking = self.style.tracking
            typefaces = [[self._setter.typeface(letters, size, tracking) for letters in row] for row in self.letters]
            self._typefaces[size] = typefaces
        return typefaces

    def small(self, size: int) -> list[list[SmallCapitals]]:
        """Small capitals by bold and italic, in a text of a size."""
        small = self._small.get(size)
        if small is None:
            pairs = zip(self.typefaces(size), self.typefaces(small_capital_size(size)), strict=True)
            small = [[SmallCapitals(*both) for both in zip(*rows, strict=True)] for rows in pairs]
            self._small[size] = small
        return small

    def measured(self, paragraphs: Paragraphs, size: int) -> list[MeasuredParagraph]:
        """Paragraphs at a size that is only tried: their words are measured, and not made."""
        letters, tracking = self.letters, self.style.tracking
        spaces = [[each.width(" ", size, tracking) for each in row] for row in letters]
        return [
            MeasuredParagraph(
                paragraph,
                [
                    self._icon(text, size)
                    if icon
                    else small_capitals_width(letters[bold][italic], text, size, tracking)
                    if small
                    else letters[bold][italic].width(text, size, tracking)
                    for text, bold, italic, icon, _, _, small, _, _ in paragraph
                ],
                _gaps(paragraph, spaces),
            )
            for paragraph in paragraphs
        ]

    def sized(self, paragraphs: Paragraphs, size: int) -> list[MeasuredParagraph]:
        """Paragraphs at a size, with their words as they are drawn."""
        typefaces = self.typefaces(size)
        spaces = [[each.space for each in row] for row in typefaces]
        out = []
        for paragraph in paragraphs:
            words = [
                None if icon else (self.small(size) if small else typefaces)[bold][italic][text]
                for text, bold, italic, icon, _, _, small, _, _ in paragraph
            ]
            widths = [
                word.width if word else self._icon(token.text, size)
                for word, token in zip(words, paragraph, strict=True)
            ]
            out.append(MeasuredParagraph(paragraph, widths, _gaps(paragraph, spaces), words))
        return out

    def _icon(self, name: str, size: int) -> int:
        """How wide an icon is."""
        return self.icons.get(name, IconSize()).advance * size // 1000


def _gaps(paragraph: Paragraph, spaces: list[list[int]]) -> list[int]:
    """The space before each token: as wide as its style has it, after an icon as the text has it."""
    upright = spaces[0][0]
    return [
        (upright if before.icon else spaces[token.bold][token.italic]) if token.spaced else 0
        for before, token in zip(paragraph[:1] + paragraph, paragraph, strict=False)
    ]


class Setter:
    """Sets text in the fonts of a book; `icons` gives the width of each icon.

    `is_right_to_left` says that the language of the texts is written so.
    """

    def __init__(
        self, book: FontBook, icons: Mapping[str, IconSize] | None = None, is_right_to_left: bool = False
    ) -> None:
        self.book = book
        self.icons = icons or {}
        self._is_right_to_left = is_right_to_left
        self._letters: dict[tuple[str, int, bool, bool], Letters] = {}
        self._typefaces: dict[tuple[str, int, int], Typeface] = {}
        self._text_styles: dict[Style, _TextStyle] = {}

    def letters(self, family: str, weight: int, italic: bool, tabular: bool = False) -> Letters:
        """The words of the nearest style. Raises FontError for an unknown family."""
        key = (family, weight, italic, tabular)
        letters = self._letters.get(key)
        if letters is None:
            letters = self._letters[key] = Letters(self.book, self.book.pick(*key))
        return letters

    def typeface(self, letters: Letters, size: int, tracking: int) -> Typeface:
        """A font at a size."""
        key = (letters.font.key, size, tracking)
        typeface = self._typefaces.get(key)
        if typeface is None:
            typeface = self._typefaces[key] = Typeface(letters, size, tracking)
        return typeface

    def typeface_of(self, style: Style) -> Typeface:
        """The typeface of a style. Raises FontError."""
        letters = self.letters(style.family, style.weight, style.italic, style.tabular)
        return self.typeface(letters, style.size, style.tracking)

    def style_for(self, text: str, style: Style) -> Style:
        """The style, in another family where the alternative of its own has letters of `text` that it lacks."""
        if text.isascii():
            return style
        family = self.book.family_for(text, style.family)
        return style if family == style.family else style._replace(family=family)

    def _text_style(self, style: Style) -> _TextStyle:
        fonts = self._text_styles.get(style)
        if fonts is None:
            fonts = self._text_styles[style] = _TextStyle(self, style)
        return fonts

    def width(self, text: str, style: Style) -> int:
        """How wide a line is, in micrometres."""
        return self.words(text, style).width

    def words(self, text: str, style: Style, level: int | None = None) -> Line:
        """One line; `level` says which way it runs, else the language or its first letter does. Raises FontError."""
        return self.words_in(self.typeface_of(self.style_for(text, style)), text, level)

    def words_in(self, typeface: Typeface, text: str, level: int | None = None) -> Line:
        """One line in a typeface; see `words`."""
        if level is None and runs_right_to_left(text):
            level = paragraph_level(text, self._is_right_to_left)
        return line_of(typeface, text, level or 0)

    def line(
        self, text: str, style: Style, x: int, y: int, align: str = "start", angle: int = 0, field: str = ""
    ) -> Block:
        """One line on a baseline; `align` is start, middle or end, `angle` 0, 90, 180 or 270 degrees clockwise."""
        parts, width, missing = self.words(unicodedata.normalize("NFC", text), style)
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
        fonts = self._text_style(self.style_for(text, style))
        paragraphs = self._paragraphs(text, setting)
        gaps = _gaps_between(paragraphs)
        size = style.size
        sized = fonts.sized(paragraphs, size)
        rows = [paragraph.rows(box.width) for paragraph in sized]
        over = _excess(rows, gaps, size, style.tracking, box, setting)
        if setting.shrink and over != (0, 0):
            size = _fitting_size(fonts, paragraphs, box, setting)
            sized = fonts.sized(paragraphs, size)
            rows = [paragraph.rows(box.width) for paragraph in sized]
            over = _excess(rows, gaps, size, style.tracking, box, setting)
        rows = [each.balanced(lines, box.width, setting.align) for each, lines in zip(sized, rows, strict=True)]
        lines = LineSetting(fonts.typefaces(size), fonts.icons, size, style.colour, field)
        for number, row, x, y in _places(fonts, paragraphs, rows, size, box, setting):
            lines.set(sized[number], row, x, y)
        height = _height(rows, gaps, size, setting)
        return Block(tuple(lines.runs), tuple(lines.icons), size, height, *over, missing=lines.missing)

    def count_lines(self, text: str, style: Style, width: int) -> int:
        """How many lines a marked-up text takes in a column."""
        measured = self._text_style(self.style_for(text, style)).measured(self._paragraphs(text, Setting()), style.size)
        return sum(len(paragraph.rows(width)) for paragraph in measured)

    def height(self, text: str, style: Style, width: int, setting: Setting) -> int:
        """How high a marked-up text is in a column."""
        paragraphs = self._paragraphs(text, setting)
        measured = self._text_style(self.style_for(text, style)).measured(paragraphs, style.size)
        rows = [paragraph.rows(width) for paragraph in measured]
        return _height(rows, _gaps_between(paragraphs), style.size, setting)

    def _paragraphs(self, text: str, setting: Setting) -> Paragraphs:
        paragraphs = plain_tokens(text) if setting.plain else tokens(text)
        if setting.direction == "rtl" or runs_right_to_left(text):
            return directed_paragraphs(paragraphs, setting.level, self._is_right_to_left)
        return paragraphs


Rows = list[list[Row]]
"""The lines of each paragraph."""


def _places(
    fonts: _TextStyle, paragraphs: Paragraphs, rows: Rows, size: int, box: Box, setting: Setting
) -> Iterator[tuple[int, Row, int, int]]:
    """Each line with the number of its paragraph, where it begins, and its baseline."""
    font, tracking = fonts.letters[0][0].font, fonts.style.tracking
    leading = size * setting.leading // 1000
    gap = size * setting.gap // 1000
    height = _height(rows, _gaps_between(paragraphs), size, setting)
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
"""By the level of a paragraph: how many halves of the room beside a line stand before it."""


def _gaps_between(paragraphs: Paragraphs) -> int:
    """How many paragraphs stand under another; a line that its author began is none."""
    return sum([not paragraph[0].starts_line for paragraph in paragraphs[1:]])


def _height(rows: Rows, gaps: int, size: int, setting: Setting) -> int:
    leading = size * setting.leading // 1000
    return sum(map(len, rows)) * leading + gaps * (size * setting.gap // 1000)


def _excess(rows: Rows, gaps: int, size: int, tracking: int, box: Box, setting: Setting) -> tuple[int, int]:
    """By how much a text is too wide and too high."""
    widest = max([row.width - tracking for lines in rows for row in lines], default=0)
    return max(0, widest - box.width), max(0, _height(rows, gaps, size, setting) - box.height)


def _fitting_size(fonts: _TextStyle, paragraphs: Paragraphs, box: Box, setting: Setting) -> int:
    """The largest step below the style's size, down to the smallest, at which the text fits; else the smallest."""
    style = fonts.style
    gaps = _gaps_between(paragraphs)

    def fits(size: int) -> bool:
        rows = [paragraph.rows(box.width) for paragraph in fonts.measured(paragraphs, size)]
        return _excess(rows, gaps, size, style.tracking, box, setting) == (0, 0)

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
