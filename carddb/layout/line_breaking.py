"""Words in lines: one line as it is, a paragraph broken at the measure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple, cast

from carddb.layout.display_list import Word, width_of
from carddb.layout.markup import Token
from carddb.layout.shaping import Sized, Typeface, spaced_of

Paragraph = tuple[Token, ...]


class Line(NamedTuple):
    """Words and spaces, those of one font together, how wide they all are, and the characters that no font has."""

    parts: list[tuple[Word, ...]]
    width: int
    missing: str


class Row(NamedTuple):
    """What of a paragraph stands on one line, from `start` up to `end`, and how wide it is."""

    start: int
    end: int
    width: int


# As `run_of` is made.
row_of: Callable[[tuple[int, int, int]], Row] = partial(tuple.__new__, Row)


class Broken(NamedTuple):
    """A paragraph in lines; `widths` one per token, `sized` too where its words are known (None for an icon)."""

    paragraph: Paragraph
    widths: list[int]
    rows: list[Row]
    sized: Sequence[Sized | None] = ()


def line_of(typeface: Typeface, text: str) -> Line:
    """The words of a line with the spaces between them."""
    sized = list(map(typeface.__getitem__, text.split(" ")))
    first, *rest = sized
    words = (first.alone, *map(spaced_of, rest))
    if all(words):
        even = cast("tuple[Word, ...]", words)
        return Line([even], sum(map(width_of, even)), "")
    out: list[Word] = []
    for number, word in enumerate(sized):
        if number:
            out.append(typeface.space_in(out[-1].font if out else typeface.letters.font.key))
        out += word.words
    parts = [tuple(part) for _, part in groupby(out, key=attrgetter("font"))]
    return Line(parts, sum(map(width_of, out)), "".join([word.missing for word in sized]))


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
