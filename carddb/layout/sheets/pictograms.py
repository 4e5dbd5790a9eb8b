"""Small drawings that say what to do with a sheet: turn it, fold it, which way its cards lie.

Lengths in micrometres. A sign shows the sheet as it lies before the reader, whichever way the words beside it run.
"""

from __future__ import annotations

from carddb.core.units import Box, Size
from carddb.layout.display_list import Path, Shape, Stroke
from carddb.layout.sheets.flip import Hinge
from carddb.layout.sheets.grid import Grid

_INK = "#000000"
_THIN = Stroke(_INK, 150)
_BOUND = Stroke(_INK, 500)
_DASHED = Stroke(_INK, 150, dash=(600, 400))
_PARTS = 100
"""The sign's own measure: hundredths of its sheet."""

Point = tuple[int, int]


def turn_sign(box: Box, paper: Size, hinge: Hinge) -> tuple[Shape, ...]:
    """A sheet with the edge it is bound at in bold, and an arrow from one side to the other."""
    sheet = _SmallSheet(_sheet_in(box, paper), hinge.upright)
    return (
        sheet.line(((0, 0), (100, 0), (100, 100), (0, 100)), _THIN, closed=True),
        sheet.line(((0, 0), (0, 100)), _BOUND),
        *sheet.arrow(),
    )


def fold_sign(box: Box, grid: Grid) -> tuple[Shape, ...]:
    """A sheet with its fold, and an arrow from one half to the other."""
    assert grid.fold is not None
    sheet = _SmallSheet(_sheet_in(box, grid.paper), grid.fold.upright)
    return (
        sheet.line(((0, 0), (100, 0), (100, 100), (0, 100)), _THIN, closed=True),
        sheet.line(((50, 0), (50, 100)), _DASHED),
        *sheet.arrow(),
    )


def head_arrow(x: int, y: int, away: int) -> Path:
    """An arrow that points to the left (`away` = -1) or to the right, to the head of a turned card."""
    corners = ((0, -250), (1700, -250), (1700, -900), (3300, 0), (1700, 900), (1700, 250), (0, 250))
    points = [(x + away * dx, y + dy) for dx, dy in corners]
    return Path((("M", points[0]), *(("L", point) for point in points[1:]), ("Z", ())), fill=_INK)


class _SmallSheet:
    """A small sheet, drawn as if its hinge were upright: across and along it, in hundredths."""

    def __init__(self, box: Box, upright: bool) -> None:
        self.box = box
        self.upright = upright

    def point(self, across: int, along: int) -> Point:
        if not self.upright:
            across, along = along, across
        return self.box.x + self.box.width * across // _PARTS, self.box.y + self.box.height * along // _PARTS

    def line(self, points: tuple[Point, ...], stroke: Stroke, closed: bool = False) -> Path:
        first, *rest = (self.point(*point) for point in points)
        ops = [("M", first), *(("L", point) for point in rest)]
        return Path((*ops, ("Z", ())) if closed else tuple(ops), stroke=stroke)

    def arrow(self) -> tuple[Path, ...]:
        """An arc over the hinge, with its head on the near side."""
        curve = (*self.point(80, 18), *self.point(24, 18), *self.point(24, 62))
        arc = Path((("M", self.point(80, 62)), ("C", curve)), stroke=_THIN)
        corners = [self.point(*point) for point in ((11, 56), (37, 56), (24, 80))]
        head = Path((("M", corners[0]), ("L", corners[1]), ("L", corners[2]), ("Z", ())), fill=_INK)
        return arc, head


def _sheet_in(box: Box, paper: Size) -> Box:
    """A sheet of the paper's proportions in the middle of a box."""
    longest = max(paper.width, paper.height)
    width, height = box.width * paper.width // longest, box.height * paper.height // longest
    return Box(box.x + (box.width - width) // 2, box.y + (box.height - height) // 2, width, height)
