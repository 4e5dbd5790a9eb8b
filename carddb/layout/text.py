"""Words to lines: breaking, fitting and placing; every advance in whole micrometres."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from carddb.layout.display import Run, Word
from carddb.layout.fonts import FontBook
from carddb.layout.markup import Token, tokens
from carddb.layout.typeface import Letters, Sized, Typeface
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


class Line(NamedTuple):
    """Words and spaces, how wide they are together, and the characters that no font has."""

    words: list[Word]
    width: int
    missing: str


class _Line(NamedTuple):
    """The tokens of a paragraph from `start` up to `end`, and how wide they are together."""

    start: int
    end: int
    width: int


class _Broken(NamedTuple):
    """A paragraph in lines; `widths` one per token, `sized` too where its words are known (None for an icon)."""

    paragraph: Paragraph
    widths: list[int]
    lines: list[_Line]
    sized: Sequence[Sized | None] = ()


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

    def tried(self, paragraphs: Sequence[Paragraph], size: int, width: int) -> list[_Broken]:
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
            out.append(_Broken(paragraph, widths, _lines(paragraph, widths, space, width)))
        return out

    def broken(self, paragraphs: Sequence[Paragraph], size: int, width: int) -> list[_Broken]:
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
            out.append(_Broken(paragraph, widths, _lines(paragraph, widths, space, width), sized))
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
        broken = [_evened(part, space, box.width, setting.align) for part in broken]
        return self._put(hand, broken, size, box, setting, over, field)

    def count_lines(self, text: str, style: Style, width: int) -> int:
        """How many lines a marked-up text takes in a column."""
        return sum(len(part.lines) for part in self._hand(style).tried(tokens(text), style.size, width))

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
        pen = _Placing(hand.typefaces(size)[0][0], size, style.colour, field)
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

    def __init__(self, base: Typeface, size: int, colour: str, field: str) -> None:
        self._base = base
        self._size = size
        self._colour = colour
        self._field = field
        self.runs: list[Run] = []
        self.icons: list[PlacedIcon] = []
        self.missing = ""

    def put(self, part: _Broken, line: _Line, x: int, y: int) -> None:
        """Sets one line from `x` on."""
        words = _even(part, line)
        if words:
            self.runs.append(Run(x, y, words, self._colour, 0, self._field))
            return
        self._put_mixed(part, line, x, y)

    def _put_mixed(self, part: _Broken, line: _Line, x: int, y: int) -> None:
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

    def _end(self, words: list[Word], x: int, y: int) -> list[Word]:
        if words:
            self.runs.append(Run(x, y, tuple(words), self._colour, 0, self._field))
        return []


def _even(part: _Broken, line: _Line) -> tuple[Word, ...]:
    """The words of a line where all are of one font, each with the space before it; else nothing."""
    head, *rest = part.sized[line.start : line.end] or (None,)
    first = head.alone if head else None
    words = [word.spaced for word in rest if word]
    if first is None or len(words) < len(rest):
        return ()
    for word, token in zip(words, part.paragraph[line.start + 1 : line.end], strict=True):
        if word is None or word.font != first.font or not token.spaced:
            return ()
    return (first, *[word for word in words if word])


def line_of(typeface: Typeface, text: str) -> Line:
    """The words of a line with the spaces between them."""
    parts = text.split(" ")
    sized = [typeface[part] for part in parts]
    first, *rest = sized
    even = [word.spaced for word in rest]
    if first.alone and None not in even:
        words = [first.alone, *(word for word in even if word)]
        return Line(words, sum([word.width for word in words]), "")
    out: list[Word] = []
    for number, word in enumerate(sized):
        if number:
            out.append(typeface.space_in(out[-1].font if out else typeface.letters.font.key))
        out += word.words
    return Line(out, sum([word.width for word in out]), "".join([word.missing for word in sized]))


def by_font(words: Sequence[Word]) -> list[tuple[Word, ...]]:
    """Words in their order, those of one font together."""
    if len({word.font for word in words}) == 1:
        return [tuple(words)]
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
