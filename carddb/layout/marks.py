"""Crop marks: where to cut, drawn outside the block of cards.

Lengths in micrometres. A mark stands at every trim line of a card that is on the sheet, once, at the block's
edges; the slots on both sides of a sheet being mirrored, so are the marks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from carddb.layout.display import Path, Stroke, line
from carddb.layout.sheet import Page
from carddb.units import Box

INK = "#000000"
HAIRLINE = Stroke(INK, 150)
OFFSET = 1500
LENGTH = 4000
REACH = OFFSET + LENGTH
"""How far a mark reaches from the block."""
_SHORTEST = 1000
_CROSS = 1350


def crop_marks(page: Page) -> tuple[Path, ...]:
    """The marks of one side; none on stock that needs no cutting."""
    if not page.grid.cut or not page.trims:
        return ()
    columns = sorted({x for trim in page.trims for x in (trim.x, trim.right)})
    rows = sorted({y for trim in page.trims for y in (trim.y, trim.bottom)})
    block, size = page.block, page.size
    upright = _spans(block.y, block.bottom, size.height)
    level = _spans(block.x, block.right, size.width)
    return (
        *(line(x, start, x, end, HAIRLINE) for x in columns for start, end in upright),
        *(line(start, y, end, y, HAIRLINE) for y in rows for start, end in level),
        *(_cross(x, y) for x, y in _meetings(page)),
    )


def _spans(first: int, last: int, paper: int) -> list[tuple[int, int]]:
    """From where to where the marks before and after the block run, kept on the paper."""
    before = (max(0, first - REACH), first - OFFSET)
    after = (last + OFFSET, min(paper, last + REACH))
    return [span for span in (before, after) if span[1] - span[0] >= _SHORTEST]


def _meetings(page: Page) -> list[tuple[int, int]]:
    """Where four cards meet; with a gutter they do not."""
    corners = Counter(corner for trim in page.trims for corner in _corners(trim))
    return sorted(corner for corner, cards in corners.items() if cards == 4)


def _corners(trim: Box) -> Iterable[tuple[int, int]]:
    return ((x, y) for x in (trim.x, trim.right) for y in (trim.y, trim.bottom))


def _cross(x: int, y: int) -> Path:
    ops = (("M", (x - _CROSS, y)), ("L", (x + _CROSS, y)), ("M", (x, y - _CROSS)), ("L", (x, y + _CROSS)))
    return Path(ops, stroke=HAIRLINE)
