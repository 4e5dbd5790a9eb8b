"""Words in lines: one line as it is, a paragraph broken at the measure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, groupby
from operator import add
from typing import NamedTuple

from carddb.layout.display_list import Word
from carddb.layout.text.markup import Token
from carddb.layout.text.shaping import Sized, Typeface
from carddb.layout.text.text_direction import directed, runs_right_to_left, visual_items

Paragraph = tuple[Token, ...]


class Line(NamedTuple):
    """Words and spaces, those of one font together, how wide they all are, and the characters that no font has."""

    parts: list[tuple[Word, ...]]
    width: int
    missing: str


class Row(NamedTuple):
    """The tokens of one line of a paragraph, from `start` up to `end`, and their width."""

    start: int
    end: int
    width: int


class MeasuredParagraph:
    """A paragraph at a size: where each token begins and ends if all stood on one line."""

    def __init__(
        self, tokens: Paragraph, widths: Sequence[int], gaps: Sequence[int], words: Sequence[Sized | None] = ()
    ) -> None:
        """The width of each token and of the gap before it; its words where they are drawn (None for an icon)."""
        self.tokens = tokens
        self.words = words
        self._ends = [0, *accumulate(map(add, gaps, widths))]
        self.starts = list(map(add, self._ends, gaps))
        self.widths = widths
        self.gaps = gaps

    def rows(self, width: int) -> list[Row]:
        """Lines as full as they can be, each ending before a token that `breaks`; what is too wide has its own."""
        tokens, ends, starts = self.tokens, self._ends, self.starts
        rows: list[Row] = []
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
            rows.append(Row(start, end, ends[end] - origin))
            start = end
        return rows

    def balanced(self, rows: list[Row], width: int, align: str) -> list[Row]:
        """Centred lines are alike in width; a ragged paragraph does not end in one word where that can be helped."""
        if len(rows) < 2 or (align != "center" and rows[-1].end - rows[-1].start > 1):
            return rows
        floor = width // 2 if align == "center" else width * 4 // 5
        best, narrow = rows, width
        while narrow > floor:
            narrow -= width // 50
            narrower = self.rows(narrow)
            if len(narrower) > len(rows) or any(row.width > width for row in narrower):
                break
            best = narrower
            if align != "center" and narrower[-1].end - narrower[-1].start > 1:
                break
        return best


def line_of(typeface: Typeface, text: str, base: int = 0) -> Line:
    """The words of a line with the spaces between them; `base` is the level of the line where words run both ways."""
    if runs_right_to_left(text):
        return _directed_line(typeface, text, base)
    sized = list(map(typeface.__getitem__, text.split(" ")))
    out: list[Word] = []
    for number, word in enumerate(sized):
        font = out[-1].font if out else typeface.letters.font.key
        if number and word.spaced and word.spaced.font == font:
            out.append(word.spaced)
            continue
        if number:
            out.append(typeface.space_beside(out[-1]) if out else typeface.space_in(font))
        out += word.words
    return _line(out, "".join([word.missing for word in sized]))


def _directed_line(typeface: Typeface, text: str, base: int) -> Line:
    """The words of a line that has some from right to left, as they stand from left to right."""
    words = [Token(word, spaced=number > 0) for number, word in enumerate(text.split(" "))]
    tokens = directed(words, base)
    out: list[Word] = []
    for at, is_space in visual_items(tokens, 0, len(tokens)):
        if is_space:
            out.append(typeface.space_beside(out[-1]) if out else typeface.space_in(typeface.letters.font.key))
        else:
            out += typeface[tokens[at].text].words
    return _line(out, "".join([typeface[token.text].missing for token in tokens]))


def _line(words: list[Word], missing: str) -> Line:
    parts = [tuple(part) for _, part in groupby(words, key=lambda word: (word.font, bool(word.glyphs)))]
    return Line(parts, sum([word.width for word in words]), missing)
