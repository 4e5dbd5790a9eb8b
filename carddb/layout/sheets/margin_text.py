"""Words in the margins: what to leave out and where to break until they find room.

Lengths in micrometres. A text is pieces joined by a separator; it is broken between pieces only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import NamedTuple

from carddb.layout.display_list import Run
from carddb.layout.sheets.margin_space import MarginSlot, MarginSpace, Where
from carddb.layout.sheets.ruler import Label

TYPE = 2300
PITCH = 2900
ASCENT = 1750
_MOST_LINES = 3

Lines = tuple[tuple[str, ...], ...]


class MarginText(NamedTuple):
    """Pieces to be set by `label`, joined by `join`; `tail` is the room kept after the last of them."""

    label: Label
    join: str
    tail: int = 0

    def width(self, pieces: Sequence[str]) -> int:
        """What some pieces take on one line."""
        return width(self.label, self.join.join(pieces)) if pieces else 0

    def broken(self, pieces: Sequence[str], count: int) -> tuple[int, Lines]:
        """Pieces on so many lines, the longest as short as can be, and how long it is."""
        ends = (len(pieces) + bool(self.tail)) - 1
        ways = (
            tuple(tuple(pieces[a:b]) for a, b in pairwise((0, *cuts, len(pieces))))
            for cuts in combinations(range(1, ends + 1), count - 1)
        )
        return min(((self._longest(lines), lines) for lines in ways), default=(0, ()))

    def _longest(self, lines: Lines) -> int:
        *above, last = (self.width(line) for line in lines)
        return max(*above, last + self.tail) if above else last + self.tail


@lru_cache(maxsize=1024)
def width(label: Label, text: str, size: int = TYPE) -> int:
    """What a text takes on one line."""
    return sum(run.width for run in label(text, 0, 0, size, "start", 0))


class SetText(NamedTuple):
    """A text at its place: `align` says whether its lines begin or end together."""

    text: MarginText
    lines: Lines
    slot: MarginSlot
    length: int
    align: str

    def runs(self) -> tuple[Run, ...]:
        """The words themselves."""
        set_line = self.text.label
        return tuple(
            run
            for number, line in enumerate(self.lines)
            if line
            for run in set_line(self.text.join.join(line), *self._at(number), TYPE, self.align, self.slot.angle)
        )

    def continued(self, words: str) -> tuple[Run, ...]:
        """Further words after the last, in the room that the text's tail keeps."""
        last = self.lines[-1]
        join = self.text.join.lstrip() if last else ""
        after = self.text.width([f"{self.text.join.join(last)} "]) if last else 0
        place = self._at(len(self.lines) - 1, after)
        return self.text.label(f"{join}{words}", *place, TYPE, "start", self.slot.angle)

    def _at(self, number: int, along: int = 0) -> tuple[int, int]:
        """Where the baseline of a line begins, or ends."""
        return self.slot.at(self.length if self.align == "end" else along, ASCENT + number * PITCH)


def place_text(
    text: MarginText,
    choices: Sequence[Sequence[Sequence[str]]],
    room: MarginSpace,
    sides: Mapping[str, Where],
    insets: Sequence[int],
    level: MarginSlot | None = None,
) -> SetText | None:
    """The best of some pieces for which there is room.

    `choices` are groups of pieces, best first: a group is given up only when none of it fits anywhere. The text is put
    on a `level` with another where it can be.
    """
    for group in choices:
        for inset in insets:
            for pieces in group:
                for beside_cards in (True, False):
                    set_text = _placed(text, pieces, room, sides, inset, beside_cards, level)
                    if set_text:
                        return set_text
    return None


def _placed(
    text: MarginText,
    pieces: Sequence[str],
    room: MarginSpace,
    sides: Mapping[str, Where],
    inset: int,
    beside_cards: bool,
    level: MarginSlot | None,
) -> SetText | None:
    for count in range(1, min(_MOST_LINES, len(pieces)) + 1):
        length, lines = text.broken(pieces, count)
        for side, where in sides.items():
            thickness = TYPE + (count - 1) * PITCH
            slot = room.place(side, length, thickness, where, inset, beside_cards=beside_cards, level=level)
            if slot:
                return SetText(text, lines, slot, length, "end" if where == "end" else "start")
    return None
