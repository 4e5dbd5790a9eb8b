"""The margins of a page: what is free round its cards, marks and numbers, and how near the paper's edge to print.

Lengths in micrometres. Things keep their places on all sheets of a grid, also on the last one, which has fewer cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from carddb.core.units import Box
from carddb.layout.sheets.crop_marks import Marking, fold_lines, numbers, segments
from carddb.layout.sheets.flip import turn_axis
from carddb.layout.sheets.grid import Grid
from carddb.layout.sheets.imposition import Page, bounds, clips
from carddb.layout.sheets.margin_space import MarginSpace, Where

GAP = 1000
GAP_AT_PERFORATIONS = 3000
_INSETS = (4200, 3000)
"""What nearly every printer, and what a good one, leaves unprinted: tried where the margin itself has no room."""


def room_of(page: Page, marking: Marking) -> MarginSpace:
    """The margins of a page, clear of the marks and numbers of this sheet and of a full one."""
    sheets = dict.fromkeys((page, page._replace(filled=len(page.slots))))
    marks = [box for sheet in sheets for box in segments(sheet, marking)]
    figures = [number.box for sheet in sheets for number in numbers(sheet, marking)]
    others = [*figures, *fold_lines(page), *_perforations(page)]
    gap = GAP if page.grid.cut else GAP_AT_PERFORATIONS
    return MarginSpace(page.size, page.block, _bleed(page), marks, others, gap)


def insets(grid: Grid) -> list[int]:
    """How near the paper's edge things may stand, what is sure to be printed first."""
    return sorted({max(grid.margin, _INSETS[-1]), *_INSETS}, reverse=True)


def sides_for(page: Page, places: Mapping[str, Where]) -> Mapping[str, Where]:
    """The margins a thing may stand in: on stock that is not cut only below, where there is nothing to tear."""
    return places if page.grid.cut else {"bottom": places["bottom"]}


def _bleed(page: Page) -> Box:
    """What all slots take on this side, with their bleed."""
    boxes = clips(page.grid)
    if page.side == "back":
        boxes = tuple(map(turn_axis(page.size, page.flip).mirror, boxes))
    if page.grid.fold:
        boxes += tuple(map(page.grid.fold.mirror, boxes))
    return bounds(boxes)


def _perforations(page: Page) -> Iterator[Box]:
    """Where stock that is not cut comes apart, and the margin above, which has a heading."""
    if page.grid.cut:
        return
    size = page.size
    for slot in page.slots:
        yield from (Box(x, 0, 0, size.height) for x in (slot.x, slot.right))
        yield from (Box(0, y, size.width, 0) for y in (slot.y, slot.bottom))
    yield Box(0, 0, size.width, page.block.y)
