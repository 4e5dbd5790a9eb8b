"""Words to lines: breaking, fitting and placing; every advance in whole micrometres."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from carddb.layout.display import UNSEEN, Run, Word
from carddb.layout.fonts import FontBook
from carddb.layout.lines import Broken, Paragraph, Stretch, broken_at, by_font, even_words, evened, line_of
from carddb.layout.markup import tokens
from carddb.layout.typeface import Letters, Typeface
from carddb.units import Box

_STEP = 35
"""The step by which a text shrinks: a tenth of a point, in micrometres."""


@dataclass(frozen=True, slots=True)
class Style:
    """How characters look; `size` and `tracking` in micrometres."""

    family: str
    size: int
    weight: int = 400
    italic: bool = False
    colour: str = "#000000"
    tracking: int = 0


@dataclass(frozen=True, slots=True)
class IconSize:
    """How an icon sits in text: its advance in thousandths of the em, and the word it stands for."""

    advance: int = 920
    word: str = ""


@dataclass(frozen=True, slots=True)
class PlacedIcon:
    """An icon in its line: `x`, `y` its centre, `em` the type size."""

    name: str
    x: int
    y: int
    em: int
    colour: str


@dataclass(frozen=True, slots=True)
class Setting:
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
        self.style = style
        self._letters = [
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
            found = [[self._setter.typeface(letters, size, tracking) for letters in row] for row in self._letters]
            self._typefaces[size] = found
        return found

    def icon(self, name: str, size: int) -> int:
        """How wide an icon is."""
        return self._setter.icons.get(name, IconSize()).advance * size // 1000

    def space(self, size: int) -> int:
        return self._letters[0][0].width(" ", size, self.style.tracking)

    def tried(self, paragraphs: Sequence[Paragraph], size: int, width: int) -> list[Broken]:
        """Paragraphs in lines no wider than `width`, where words allow it; nothing is kept of a size only tried."""
        letters, tracking = self._letters, self.style.tracking
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
        words, width, missing = line_of(self.typeface_of(style), unicodedata.normalize("NFC", text))
        ink = width - style.tracking if width else 0
        offset = {"start": 0, "middle": -(ink // 2), "end": -ink}[align]
        dx, dy = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}.get(angle, (1, 0))
        runs: list[Run] = []
        for part in by_font(words):
            runs.append(Run(x + dx * offset, y + dy * offset, part, style.colour, angle, field))
            offset += runs[-1].width
        return Block(tuple(runs), (), style.size, style.size, missing=missing)

    def fit(self, text: str, style: Style, box: Box, setting: Setting, field: str = "") -> Block:
        """A text in its box, at the largest size that fits; where none does, the smallest and what it lacks."""
        paragraphs = tokens(text)
        hand = self._hand(style)
        size = style.size
        broken = hand.broken(paragraphs, size, box.width)
        over = _excess(broken, size, style.tracking, box, setting)
        if setting.shrink and over != (0, 0):
            size = _smaller(hand, paragraphs, box, setting)
            broken = hand.broken(paragraphs, size, box.width)
            over = _excess(broken, size, style.tracking, box, setting)
        space = hand.space(size)
        broken = [evened(part, space, box.width, setting.align) for part in broken]
        return self._put(hand, broken, size, box, setting, over, field)

    def count_lines(self, text: str, style: Style, width: int) -> int:
        """How many lines a marked-up text takes in a column."""
        return sum(len(part.lines) for part in self._hand(style).tried(tokens(text), style.size, width))

    def _put(
        self, hand: _Hand, broken: list[Broken], size: int, box: Box, setting: Setting, over: tuple[int, int],
        field: str,
    ) -> Block:  # fmt: skip
        style = hand.style
        font = self.letters(style.family, style.weight, style.italic).font
        leading = size * setting.leading // 1000
        gap = size * setting.gap // 1000
        height = _height(broken, size, setting)
        spare = {"top": 0, "middle": (box.height - height) // 2, "bottom": box.height - height}[setting.valign]
        ascent, descent = font.ascent * size // 1000, font.descent * size // 1000
        baseline = box.y + spare + (leading - ascent - descent) // 2 + ascent
        pen = _Placing(hand.typefaces(size)[0][0], self.icons, size, style.colour, field)
        for number, part in enumerate(broken):
            baseline += gap if number else 0
            for line in part.lines:
                left = box.width - (line.width - style.tracking)
                x = box.x + {"left": 0, "center": left // 2, "right": left}[setting.align]
                pen.put(part, line, x, baseline)
                baseline += leading
        return Block(tuple(pen.runs), tuple(pen.icons), size, height, *over, missing=pen.missing)


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

    def put(self, part: Broken, line: Stretch, x: int, y: int) -> None:
        """Sets one line from `x` on."""
        words = even_words(part, line)
        if words:
            self.runs.append(Run(x, y, words, self._colour, 0, self._field))
            return
        self._put_mixed(part, line, x, y)

    def _put_mixed(self, part: Broken, line: Stretch, x: int, y: int) -> None:
        """A line of several fonts or with icons."""
        base = self._base
        words: list[Word] = []
        font, start = "", x
        for at in range(line.start, line.end):
            token, sized = part.paragraph[at], part.sized[at]
            if token.spaced and at > line.start:
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
            unseen = line_of(Typeface(letters, min(size, self._size), 0), told).words
            self.runs.extend(Run(x, y, part, UNSEEN, 0, self._field) for part in by_font(unseen)[:1])

    def _end(self, words: list[Word], x: int, y: int) -> list[Word]:
        if words:
            self.runs.append(Run(x, y, tuple(words), self._colour, 0, self._field))
        return []


def _height(broken: Sequence[Broken], size: int, setting: Setting) -> int:
    leading = size * setting.leading // 1000
    gaps = max(0, len(broken) - 1) * (size * setting.gap // 1000)
    return sum([len(part.lines) for part in broken]) * leading + gaps


def _excess(broken: Sequence[Broken], size: int, tracking: int, box: Box, setting: Setting) -> tuple[int, int]:
    widest = max([line.width - tracking for part in broken for line in part.lines], default=0)
    return max(0, widest - box.width), max(0, _height(broken, size, setting) - box.height)


def _smaller(hand: _Hand, paragraphs: Sequence[Paragraph], box: Box, setting: Setting) -> int:
    """The largest step below the wanted size, down to the smallest, at which the text fits; else the smallest."""
    wanted, tracking = hand.style.size, hand.style.tracking
    least = min(setting.smallest or wanted, wanted)
    too_large, small = 0, -(-(wanted - least) // _STEP)
    while small - too_large > 1:
        middle = (too_large + small) // 2
        size = wanted - middle * _STEP
        if _excess(hand.tried(paragraphs, size, box.width), size, tracking, box, setting) == (0, 0):
            small = middle
        else:
            too_large = middle
    return max(least, wanted - small * _STEP)
