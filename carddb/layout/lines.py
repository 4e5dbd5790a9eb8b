"""Words in lines: one line as it is, a paragraph broken at the measure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from carddb.layout.display import Word, width_of
from carddb.layout.markup import Token
from carddb.layout.typeface import Sized, Typeface, spaced_of

Paragraph = tuple[Token, ...]


class Line(NamedTuple):
    """Words and spaces, how wide they are together, and the characters that no font has."""

    words: list[Word]
    width: int
    missing: str


class Row(NamedTuple):
    """What of a paragraph stands on one line, from `start` up to `end`, and how wide it is."""

    start: int
    end: int
    width: int


class Broken(NamedTuple):
    """A paragraph in lines; `widths` one per token, `sized` too where its words are known (None for an icon)."""

    paragraph: Paragraph
    widths: list[int]
    rows: list[Row]
    sized: Sequence[Sized | None] = ()


def line_of(typeface: Typeface, text: str) -> Line:
    """The words of a line with the spaces between them."""
    parts = text.split(" ")
    sized = list(map(typeface.__getitem__, parts))
    first, *rest = sized
    even = list(map(spaced_of, rest))
    if first.alone and None not in even:
        words = [first.alone, *(word for word in even if word)]
        return Line(words, sum(map(width_of, words)), "")
    out: list[Word] = []
    for number, word in enumerate(sized):
        if number:
            out.append(typeface.space_in(out[-1].font if out else typeface.letters.font.key))
        out += word.words
    return Line(out, sum(map(width_of, out)), "".join([word.missing for word in sized]))


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


def broken_at(paragraph: Paragraph, widths: Sequence[int], space: int, width: int) -> list[Row]:
    """Greedy breaking: a line ends only before a token that `breaks`."""
    rows: list[Row] = []
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
            rows.append(Row(start, first, used))
            start, used = first, wide
        else:
            used += gap + wide
    rows.append(Row(start, end, used))
    return rows


def evened(part: Broken, space: int, width: int, align: str) -> Broken:
    """Centred lines are balanced; a ragged paragraph does not end in a single word where that can be helped."""
    lines = part.rows
    if len(lines) < 2 or (align != "center" and lines[-1].end - lines[-1].start > 1):
        return part
    floor = width // 2 if align == "center" else width * 4 // 5
    best, narrow = lines, width
    while narrow > floor:
        narrow -= width // 50
        tried = broken_at(part.paragraph, part.widths, space, narrow)
        if len(tried) > len(lines) or any(line.width > width for line in tried):
            break
        best = tried
        if align != "center" and tried[-1].end - tried[-1].start > 1:
            break
    return part._replace(rows=best)
