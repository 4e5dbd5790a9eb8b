"""Words to lines: breaking, fitting and placing; every advance in whole micrometres."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from carddb.layout.display import Run
from carddb.layout.fonts import Font, FontBook
from carddb.layout.markup import Token, groups, tokens
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


@dataclass(frozen=True, slots=True)
class Block:
    """A set text: runs and icons at their places, the size used, and what went wrong."""

    runs: tuple[Run, ...]
    icons: tuple[PlacedIcon, ...]
    size: int
    height: int
    over_width: int = 0
    over_height: int = 0
    missing: str = ""


class Setter:
    """Sets text in the fonts of a book; `icons` gives the width of each icon."""

    def __init__(self, book: FontBook, icons: Mapping[str, IconSize] | None = None) -> None:
        self.book = book
        self.icons = icons or {}
        self._pieces: dict[tuple[str, Style], tuple[list[tuple[Font, str, tuple[int, ...]]], int, str]] = {}

    def pieces(self, text: str, style: Style) -> tuple[list[tuple[Font, str, tuple[int, ...]]], int, str]:
        """`text` as (font, characters, advances), its width, and the characters that no font has."""
        text = text.replace("\u00a0", " ")  # it held the line together; on paper it is a space
        key = (text, style)
        found = self._pieces.get(key)
        if found is None:
            font = self.book.pick(style.family, style.weight, style.italic)
            runs, missing = self.book.split(text, font)
            pieces = [(font, chars, _advances(font, chars, style)) for font, chars in runs]
            found = self._pieces[key] = (pieces, sum(sum(a) for _, _, a in pieces), missing)
        return found

    def line(
        self, text: str, style: Style, x: int, y: int, align: str = "start", angle: int = 0, field: str = ""
    ) -> Block:
        """One line on a baseline; `align` is start, middle or end, `angle` 0, 90, 180 or 270 degrees clockwise."""
        pieces, width, missing = self.pieces(unicodedata.normalize("NFC", text), style)
        ink = width - style.tracking if width else 0
        offset = {"start": 0, "middle": -(ink // 2), "end": -ink}[align]
        dx, dy = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}.get(angle, (1, 0))
        runs: list[Run] = []
        for font, chars, advances in pieces:
            runs.append(
                Run(x + dx * offset, y + dy * offset, chars, font.key, style.size, advances, style.colour, angle, field)
            )
            offset += sum(advances)
        return Block(tuple(runs), (), style.size, style.size, missing=missing)

    def fit(self, text: str, style: Style, box: Box, setting: Setting, field: str = "") -> Block:
        """A text in its box, at the largest size that fits; where none does, the smallest and what it lacks."""
        paragraphs = tokens(text)
        least = min(setting.smallest or style.size, style.size)
        size = style.size
        lines = self._break(paragraphs, style, box.width)
        while (
            setting.shrink and size > least and self._excess(lines, replace(style, size=size), box, setting) != (0, 0)
        ):
            size = max(least, size - _STEP)
            lines = self._break(paragraphs, replace(style, size=size), box.width)
        style = replace(style, size=size)
        over = self._excess(lines, style, box, setting)
        lines = [
            self._even(p, lines_, style, box.width, setting.align) for p, lines_ in zip(paragraphs, lines, strict=True)
        ]
        return self._put(lines, style, box, setting, over, field)

    def count_lines(self, text: str, style: Style, width: int) -> int:
        """How many lines a marked-up text takes in a column."""
        return sum(len(lines) for lines in self._break(tokens(text), style, width))

    def _style_of(self, token: Token, style: Style) -> Style:
        if not token.bold and not token.italic:
            return style
        return replace(style, weight=700 if token.bold else style.weight, italic=style.italic != token.italic)

    def _width(self, token: Token, style: Style) -> int:
        if token.icon:
            return self.icons.get(token.text, IconSize()).advance * style.size // 1000
        return self.pieces(token.text, self._style_of(token, style))[1]

    def _space(self, style: Style) -> int:
        return self.pieces(" ", style)[1]

    def _break(self, paragraphs: Sequence[Sequence[Token]], style: Style, width: int) -> list[list[list[Token]]]:
        return [self._lines(paragraph, style, width) for paragraph in paragraphs]

    def _lines(self, paragraph: Sequence[Token], style: Style, width: int) -> list[list[Token]]:
        """Greedy breaking: a line ends only before a token that `breaks`."""
        space = self._space(style)
        lines: list[list[Token]] = [[]]
        used = 0
        for group in groups(paragraph):
            gap = space if group[0].spaced and lines[-1] else 0
            wide = sum(
                self._width(token, style) + (space if i and token.spaced else 0) for i, token in enumerate(group)
            )
            if lines[-1] and used + gap + wide > width:
                lines.append([])
                used = gap = 0
            lines[-1].extend(group)
            used += gap + wide
        return lines

    def _line_width(self, line: Sequence[Token], style: Style) -> int:
        space = self._space(style)
        return sum(self._width(token, style) + (space if i and token.spaced else 0) for i, token in enumerate(line))

    def _height(self, lines: Sequence[Sequence[object]], style: Style, setting: Setting) -> int:
        leading = style.size * setting.leading // 1000
        return sum(len(paragraph) for paragraph in lines) * leading + max(0, len(lines) - 1) * (
            style.size * setting.gap // 1000
        )

    def _excess(self, lines: list[list[list[Token]]], style: Style, box: Box, setting: Setting) -> tuple[int, int]:
        widest = max((self._line_width(line, style) - style.tracking for p in lines for line in p), default=0)
        return max(0, widest - box.width), max(0, self._height(lines, style, setting) - box.height)

    def _even(
        self, paragraph: Sequence[Token], lines: list[list[Token]], style: Style, width: int, align: str
    ) -> list[list[Token]]:
        """Centred lines are balanced; a ragged paragraph does not end in a single word where that can be helped."""
        if len(lines) < 2 or (align != "center" and len(lines[-1]) > 1):
            return lines
        floor = width // 2 if align == "center" else width * 4 // 5
        best, narrow = lines, width
        while narrow > floor:
            narrow -= width // 50
            tried = self._lines(paragraph, style, narrow)
            if len(tried) > len(lines) or any(self._line_width(line, style) > width for line in tried):
                break
            best = tried
            if align != "center" and len(tried[-1]) > 1:
                break
        return best

    def _put(
        self,
        lines: list[list[list[Token]]],
        style: Style,
        box: Box,
        setting: Setting,
        over: tuple[int, int],
        field: str,
    ) -> Block:
        font = self.book.pick(style.family, style.weight, style.italic)
        leading = style.size * setting.leading // 1000
        gap = style.size * setting.gap // 1000
        height = self._height(lines, style, setting)
        spare = {"top": 0, "middle": (box.height - height) // 2, "bottom": box.height - height}[setting.valign]
        ascent, descent = font.ascent * style.size // 1000, font.descent * style.size // 1000
        baseline = box.y + spare + (leading - ascent - descent) // 2 + ascent
        runs: list[Run] = []
        icons: list[PlacedIcon] = []
        missing = ""
        for number, paragraph in enumerate(lines):
            baseline += gap if number else 0
            for line in paragraph:
                left = box.width - (self._line_width(line, style) - style.tracking)
                x = box.x + {"left": 0, "center": left // 2, "right": left}[setting.align]
                missing += self._put_line(line, style, x, baseline, field, runs, icons)
                baseline += leading
        return Block(tuple(runs), tuple(icons), style.size, height, *over, missing=missing)

    def _put_line(
        self, line: Sequence[Token], style: Style, x: int, y: int, field: str, runs: list[Run], icons: list[PlacedIcon]
    ) -> str:
        missing = ""
        space = self._space(style)
        for i, token in enumerate(line):
            if i and token.spaced:
                _append_space(runs, style, x, y, space)
                x += space
            if token.icon:
                width = self._width(token, style)
                icons.append(
                    PlacedIcon(token.text, x + width // 2, y - style.size * 31 // 100, style.size, style.colour)
                )
                x += width
                continue
            pieces, _, lost = self.pieces(token.text, self._style_of(token, style))
            missing += lost
            for font, chars, advances in pieces:
                _append(runs, Run(x, y, chars, font.key, style.size, advances, style.colour, 0, field))
                x += sum(advances)
        return missing


def _advances(font: Font, text: str, style: Style) -> tuple[int, ...]:
    """Advances in micrometres; rounding never adds up over a word."""
    ends = [round(total * style.size) for total in accumulate(font.advances(text))]
    return tuple(end - start + style.tracking for start, end in zip([0, *ends], ends, strict=False))


def _append(runs: list[Run], run: Run) -> None:
    """Adds a run, joined to the one before where it goes straight on in the same font."""
    last = runs[-1] if runs else None
    if (
        last
        and (last.font, last.y, last.colour, last.size) == (run.font, run.y, run.colour, run.size)
        and last.x + last.width == run.x
    ):
        runs[-1] = replace(last, text=last.text + run.text, advances=last.advances + run.advances)
    else:
        runs.append(run)


def _append_space(runs: list[Run], style: Style, x: int, y: int, width: int) -> None:
    """A space goes with the run before it, so that extracted text has it."""
    last = runs[-1] if runs else None
    if last and last.y == y and last.x + last.width == x:
        runs[-1] = replace(last, text=last.text + " ", advances=(*last.advances, width))
