"""Words to lines: breaking, fitting and placing; every advance in whole micrometres."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from carddb.layout.display import Run, Word
from carddb.layout.fonts import FontBook
from carddb.layout.markup import Token, tokens
from carddb.layout.typeface import Letters, Typeface
from carddb.units import Box

_STEP = 35
"""The step by which a text shrinks: a tenth of a point, in micrometres."""

Paragraph = tuple[Token, ...]


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
    """How an icon sits in text: its advance in thousandths of the em."""

    advance: int = 920


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


class _Line(NamedTuple):
    """The tokens of a paragraph from `start` up to `end`, and how wide they are together."""

    start: int
    end: int
    width: int


class _Broken(NamedTuple):
    """A paragraph in lines; `widths` one per token."""

    paragraph: Paragraph
    widths: list[int]
    lines: list[_Line]


class _Hand:
    """The faces that one text is set in: upright and slanted, regular and bold."""

    def __init__(self, setter: Setter, style: Style) -> None:
        self.style = style
        self.icons = setter.icons
        self._variants = [
            [
                setter.letters(style.family, 700 if bold else style.weight, style.italic != slanted)
                for slanted in (False, True)
            ]
            for bold in (False, True)
        ]

    def letters(self, token: Token) -> Letters:
        return self._variants[token.bold][token.italic]

    def width(self, token: Token, size: int) -> int:
        if token.icon:
            return self.icons.get(token.text, IconSize()).advance * size // 1000
        return self._variants[token.bold][token.italic].width(token.text, size, self.style.tracking)

    def space(self, size: int) -> int:
        return self._variants[0][0].width(" ", size, self.style.tracking)

    def broken(self, paragraphs: Sequence[Paragraph], size: int, width: int) -> list[_Broken]:
        """Paragraphs in lines no wider than `width`, where words allow it."""
        space = self.space(size)
        out = []
        for paragraph in paragraphs:
            widths = [self.width(token, size) for token in paragraph]
            out.append(_Broken(paragraph, widths, _lines(paragraph, widths, space, width)))
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

    def _typeface(self, letters: Letters, size: int, tracking: int) -> Typeface:
        key = (letters.font.key, size, tracking)
        found = self._typefaces.get(key)
        if found is None:
            found = self._typefaces[key] = Typeface(letters, size, tracking)
        return found

    def _hand(self, style: Style) -> _Hand:
        found = self._hands.get(style)
        if found is None:
            found = self._hands[style] = _Hand(self, style)
        return found

    def words(self, text: str, style: Style) -> tuple[list[Word], int, str]:
        """The words of a line and the spaces between them, their width, and the characters that no font has."""
        letters = self.letters(style.family, style.weight, style.italic)
        face = self._typeface(letters, style.size, style.tracking)
        out: list[Word] = []
        missing = ""
        for number, word in enumerate(text.split(" ")):
            if number:
                out.append(face.space_in(out[-1].font if out else letters.font.key))
            if word:
                out.extend(face.words(word))
                missing += letters[word].missing
        return out, sum([word.width for word in out]), missing

    def width(self, text: str, style: Style) -> int:
        """How wide a line is, in micrometres."""
        return self.words(text, style)[1]

    def line(
        self, text: str, style: Style, x: int, y: int, align: str = "start", angle: int = 0, field: str = ""
    ) -> Block:
        """One line on a baseline; `align` is start, middle or end, `angle` 0, 90, 180 or 270 degrees clockwise."""
        words, width, missing = self.words(unicodedata.normalize("NFC", text), style)
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
        size = self._size(hand, paragraphs, box, setting)
        broken = hand.broken(paragraphs, size, box.width)
        over = _excess(broken, size, style.tracking, box, setting)
        space = hand.space(size)
        broken = [_evened(part, space, box.width, setting.align) for part in broken]
        return self._put(hand, broken, size, box, setting, over, field)

    @staticmethod
    def _size(hand: _Hand, paragraphs: Sequence[Paragraph], box: Box, setting: Setting) -> int:
        """The largest step from the wanted size down to the smallest at which the text fits; else the smallest."""
        wanted, tracking = hand.style.size, hand.style.tracking
        least = min(setting.smallest or wanted, wanted)

        def fits(size: int) -> bool:
            return _excess(hand.broken(paragraphs, size, box.width), size, tracking, box, setting) == (0, 0)

        if not setting.shrink or wanted == least or fits(wanted):
            return wanted
        too_large, small = 0, -(-(wanted - least) // _STEP)
        while small - too_large > 1:
            middle = (too_large + small) // 2
            if fits(wanted - middle * _STEP):
                small = middle
            else:
                too_large = middle
        return max(least, wanted - small * _STEP)

    def count_lines(self, text: str, style: Style, width: int) -> int:
        """How many lines a marked-up text takes in a column."""
        return sum(len(part.lines) for part in self._hand(style).broken(tokens(text), style.size, width))

    def _put(
        self, hand: _Hand, broken: list[_Broken], size: int, box: Box, setting: Setting, over: tuple[int, int],
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
        runs: list[Run] = []
        icons: list[PlacedIcon] = []
        missing = ""
        for number, part in enumerate(broken):
            baseline += gap if number else 0
            for line in part.lines:
                left = box.width - (line.width - style.tracking)
                x = box.x + {"left": 0, "center": left // 2, "right": left}[setting.align]
                self._put_line(hand, part, line, size, x, baseline, field, runs, icons)
                baseline += leading
            missing += "".join([hand.letters(token)[token.text].missing for token in part.paragraph if not token.icon])
        return Block(tuple(runs), tuple(icons), size, height, *over, missing=missing)

    def _put_line(
        self, hand: _Hand, part: _Broken, line: _Line, size: int, x: int, y: int, field: str, runs: list[Run],
        icons: list[PlacedIcon],
    ) -> None:  # fmt: skip
        """The runs of a line: words of one font together, each with the space after it, so that readers find it."""
        style = hand.style
        base = self._typeface(hand.letters(_PLAIN), size, style.tracking)
        words: list[Word] = []
        start = x
        for at in range(line.start, line.end):
            token = part.paragraph[at]
            if token.spaced and at > line.start:
                if words:
                    words.append(base.space_in(words[-1].font))
                x += base.space
            if token.icon:
                icons.append(PlacedIcon(token.text, x + part.widths[at] // 2, y - size * 31 // 100, size, style.colour))
                if words:
                    runs.append(Run(start, y, tuple(words), style.colour, 0, field))
                    words = []
                x += part.widths[at]
                continue
            for word in self._typeface(hand.letters(token), size, style.tracking).words(token.text):
                if words and words[-1].font != word.font:
                    runs.append(Run(start, y, tuple(words), style.colour, 0, field))
                    words = []
                if not words:
                    start = x
                words.append(word)
                x += word.width
        if words:
            runs.append(Run(start, y, tuple(words), style.colour, 0, field))


_PLAIN = Token("")


def by_font(words: Sequence[Word]) -> list[tuple[Word, ...]]:
    """Words in their order, those of one font together."""
    out: list[list[Word]] = []
    for word in words:
        if out and out[-1][-1].font == word.font:
            out[-1].append(word)
        else:
            out.append([word])
    return [tuple(part) for part in out]


def _lines(paragraph: Paragraph, widths: Sequence[int], space: int, width: int) -> list[_Line]:
    """Greedy breaking: a line ends only before a token that `breaks`."""
    lines: list[_Line] = []
    start = used = at = 0
    end = len(paragraph)
    while at < end:
        first = at
        wide = widths[at]
        at += 1
        while at < end and not paragraph[at].breaks:
            wide += widths[at] + (space if paragraph[at].spaced else 0)
            at += 1
        if first == start:
            used = wide
            continue
        gap = space if paragraph[first].spaced else 0
        if used + gap + wide > width:
            lines.append(_Line(start, first, used))
            start, used = first, wide
        else:
            used += gap + wide
    lines.append(_Line(start, end, used))
    return lines


def _height(broken: Sequence[_Broken], size: int, setting: Setting) -> int:
    leading = size * setting.leading // 1000
    gaps = max(0, len(broken) - 1) * (size * setting.gap // 1000)
    return sum([len(part.lines) for part in broken]) * leading + gaps


def _excess(broken: Sequence[_Broken], size: int, tracking: int, box: Box, setting: Setting) -> tuple[int, int]:
    widest = max([line.width - tracking for part in broken for line in part.lines], default=0)
    return max(0, widest - box.width), max(0, _height(broken, size, setting) - box.height)


def _evened(part: _Broken, space: int, width: int, align: str) -> _Broken:
    """Centred lines are balanced; a ragged paragraph does not end in a single word where that can be helped."""
    lines = part.lines
    if len(lines) < 2 or (align != "center" and lines[-1].end - lines[-1].start > 1):
        return part
    floor = width // 2 if align == "center" else width * 4 // 5
    best, narrow = lines, width
    while narrow > floor:
        narrow -= width // 50
        tried = _lines(part.paragraph, part.widths, space, narrow)
        if len(tried) > len(lines) or any(line.width > width for line in tried):
            break
        best = tried
        if align != "center" and tried[-1].end - tried[-1].start > 1:
            break
    return part._replace(lines=best)
