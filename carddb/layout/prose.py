"""Plain words in a box, the commonest of texts: broken and set by the line, not by the word.

A text is prose where every word has a space before it and a font that has all of its letters. What is not (icons,
words of two styles, ideographs, borrowed letters) is set by `text`, word by word.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from operator import add
from typing import NamedTuple, cast

from carddb.layout.display_list import Run, Word, run_of, width_of
from carddb.layout.line_breaking import Row, row_of
from carddb.layout.markup import MARKUP
from carddb.layout.shaping import Letters, Sized, Typeface, alone_of, spaced_of
from carddb.names import is_ideograph

_BLANKS = " \t"


class Phrase(NamedTuple):
    """Words of one style that follow each other."""

    bold: bool
    italic: bool
    words: list[str]


class Column:
    """A paragraph measured: where each word ends if all stood on one line, each with a space before it."""

    def __init__(self, strides: Iterable[int], spaces: list[int]) -> None:
        """The width of each word with the space before it, and of that space."""
        self._ends = [0, *accumulate(strides)]
        self.begins = list(map(add, self._ends, spaces))
        """Where each word begins if all stood on one line."""

    def rows(self, width: int) -> list[Row]:
        """Lines as full as they can be; a word that is wider than the measure has one of its own."""
        ends, begins = self._ends, self.begins
        rows: list[Row] = []
        start, count = 0, len(begins)
        while start < count:
            origin = begins[start]
            end = bisect_right(ends, origin + width, start + 1) - 1
            if end == start:
                end += 1
            rows.append(row_of((start, end, ends[end] - origin)))
            start = end
        return rows

    def evened(self, rows: list[Row], width: int, align: str) -> list[Row]:
        """Centred lines are balanced; a ragged paragraph does not end in a single word where that can be helped."""
        if len(rows) < 2 or (align != "center" and rows[-1].end - rows[-1].start > 1):
            return rows
        floor = width // 2 if align == "center" else width * 4 // 5
        best, narrow = rows, width
        while narrow > floor:
            narrow -= width // 50
            tried = self.rows(narrow)
            if len(tried) > len(rows) or any(row.width > width for row in tried):
                break
            best = tried
            if align != "center" and tried[-1].end - tried[-1].start > 1:
                break
        return best


class Passage:
    """A paragraph in its words as they are drawn."""

    def __init__(self, phrases: Sequence[Phrase], faces: Sequence[Sequence[Typeface]]) -> None:
        """Raises LookupError where a word is not of one font alone."""
        sized: list[Sized] = []
        spaces: list[int] = []
        self._turns: list[tuple[int, Typeface]] = []
        for bold, italic, words in phrases:
            face = faces[bold][italic]
            self._turns.append((len(sized), face))
            sized += map(face.__getitem__, words)
            spaces += [face.space] * len(words)
        spaced = list(map(spaced_of, sized))
        if not all(spaced):
            raise LookupError("a word of several fonts")
        self._alone = cast("list[Word]", list(map(alone_of, sized)))
        self._spaced = cast("list[Word]", spaced)
        self.column = Column(map(width_of, self._spaced), spaces)

    def runs(self, row: Row, x: int, y: int, colour: str, field: str) -> list[Run]:
        """One line from `x` on: a run a style, each with the space after it, so that readers find it."""
        start, end, _ = row
        begins = self.column.begins
        origin = x - begins[start]
        out: list[Run] = []
        for cut, face in self._turns:
            if start < cut < end:
                first = self._alone[start]
                words = (first, *self._spaced[start + 1 : cut], face.space_in(first.font))
                out.append(run_of((origin + begins[start], y, words, colour, 0, field)))
                start = cut
        last = (self._alone[start], *self._spaced[start + 1 : end])
        out.append(run_of((origin + begins[start], y, last, colour, 0, field)))
        return out


def phrases(text: str) -> list[list[Phrase]] | None:
    """The paragraphs of a text that is prose as far as its marks tell; None for any other."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
        if any(map(is_ideograph, text)):
            return None
    out = []
    for line in text.split("\n"):
        if line and not line.isspace():
            told = _phrases(line)
            if told is None:
                return None
            out.append(told)
    return out


def _phrases(line: str) -> list[Phrase] | None:
    parts = MARKUP.split(line) if "*" in line or "{" in line else [line]
    out: list[Phrase] = []
    last = len(parts) - 1
    for at, part in enumerate(parts):
        if at % 2:
            bold = part.startswith("**")
            inner = part.strip("*")
            if part[0] == "{" or not inner or inner[0] in _BLANKS or inner[-1] in _BLANKS:
                return None
            words = _words(inner)
            if out and out[-1].bold == bold and out[-1].italic != bold:
                out[-1].words.extend(words)
            else:
                out.append(Phrase(bold, not bold, words))
        elif part:
            if (at and part[0] not in _BLANKS) or (at < last and part[-1] not in _BLANKS):
                return None
            words = _words(part)
            if words:
                out.append(Phrase(False, False, words))
        elif 0 < at < last:
            return None
    return out


def _words(text: str) -> list[str]:
    return list(filter(None, text.replace("\t", " ").split(" ")))


def measured(phrases: Sequence[Phrase], letters: Sequence[Sequence[Letters]], size: int, tracking: int) -> Column:
    """A paragraph measured at a size that is only tried: nothing is kept of it."""
    strides: list[int] = []
    spaces: list[int] = []
    for bold, italic, words in phrases:
        face = letters[bold][italic]
        space = face.width(" ", size, tracking)
        strides += [face.width(word, size, tracking) + space for word in words]
        spaces += [space] * len(words)
    return Column(strides, spaces)
