"""The order in which a sheet is cut, so that every cut goes from one edge of its piece to the other.

First the cuts across, right through the sheet, which leave strips; then the strips are cut down, lying one on the
other or side by side. Of either kind the outer edges come first. A full sheet of r rows and c columns takes
r + c + 2 cuts, and 2(r + c) where a gutter lies between both. Where cards of several sizes lie in bands, the strips of
each band are cut down by themselves. Lengths in micrometres.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from carddb.core.units import Box
from carddb.layout.sheets.grid import Grid

Axis = Literal["across", "down"]


class Cut(NamedTuple):
    """A straight cut: `across` at `position` from the top, or `down` at `position` from the left.

    The cards that it trims lie between `start` and `end`; a cut that goes right `through` cuts the whole sheet, the
    others every strip between `start` and `end`. `frees_before` says that it only trims cards that lie before it.
    """

    number: int
    axis: Axis
    position: int
    start: int
    end: int
    through: bool
    frees_before: bool

    def covers(self, trim: Box) -> bool:
        """Whether a card lies along the cut, between its ends."""
        first, last = (trim.x, trim.right) if self.axis == "across" else (trim.y, trim.bottom)
        return self.start <= first and last <= self.end


def cut_order(grid: Grid, filled: int | None = None) -> tuple[Cut, ...]:
    """The cuts of a sheet of which the first `filled` slots (default: all) have cards; none on stock that is not cut.

    A folded sheet is cut after folding: these are the cuts of its front half.
    """
    trims = grid.slots[:filled]
    if not grid.cut or not trims:
        return ()
    rows = _extents((trim.y, trim.bottom, trim.x, trim.right) for trim in trims)
    left, right = min(trim.x for trim in trims), max(trim.right for trim in trims)
    across = [(at, left, right, before) for at, (_, _, before) in _outer_first(rows)]
    down = [
        (at, start, end, before)
        for band in (grid.blocks if grid.bands else (trims,))
        for columns in [_extents((trim.x, trim.right, trim.y, trim.bottom) for trim in band)]
        for at, (start, end, before) in _outer_first(columns)
    ]
    return (
        *(Cut(n, "across", *cut[:3], True, cut[3]) for n, cut in enumerate(across, start=1)),
        *(Cut(n, "down", *cut[:3], False, cut[3]) for n, cut in enumerate(down, start=len(across) + 1)),
    )


Extent = tuple[int, int, bool]
"""From where to where the cards of a line lie, and whether all of them lie before it."""


def _extents(sides: Iterable[tuple[int, int, int, int]]) -> dict[int, Extent]:
    """Every line on which a card begins or ends, given (begin, end, from, to) of each card."""
    lines: dict[int, Extent] = {}
    for begin, end, start, stop in sides:
        for at, before in ((begin, False), (end, True)):
            first, last, all_before = lines.get(at, (start, stop, True))
            lines[at] = (min(first, start), max(last, stop), all_before and before)
    return lines


def _outer_first(lines: dict[int, Extent]) -> list[tuple[int, Extent]]:
    first, *inner, last = sorted(lines.items())
    return [first, last, *inner]
