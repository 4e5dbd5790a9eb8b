"""A face larger than the paper, cut over several pages; lengths in micrometres."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from carddb.core.units import Box, Size, mm
from carddb.layout.display_list import Path, Stroke, line
from carddb.layout.sheets.grid import Grid
from carddb.layout.sheets.imposition import Page, Placed
from carddb.layout.stock import paper_label

OVERLAP = mm(5)
"""How far a part goes on beyond its cut."""
_LIFT = mm(3)
_JOIN = Stroke("#1c1a19", 100, dash=(1000, 1000))

Seams = tuple[Sequence[float], Sequence[float]]
"""Where a face may be cut: positions across and down, in millimetres."""


def tiles(face: int, size: Size, paper: Size, margin: int, seams: Seams = ((), ())) -> list[Page]:
    """Pages whose parts overlap at dashed lines, or one without; the paper lies as needs fewer of them."""
    lying, columns, rows = min(
        (_plan(size, way, margin, seams) for way in (paper, paper.turned)), key=lambda plan: len(plan[1]) * len(plan[2])
    )
    parts = [((left, right), (top, bottom)) for top, bottom in pairwise(rows) for left, right in pairwise(columns)]
    return [
        _page(face, size, lying, margin, part, f"{paper_label(lying)}{_part(number, len(parts))}")
        for number, part in enumerate(parts, 1)
    ]


def _part(number: int, parts: int) -> str:
    return f", part {number} of {parts}: cut and join at the dashed lines" if parts > 1 else ""


def _plan(size: Size, paper: Size, margin: int, seams: Seams) -> tuple[Size, list[int], list[int]]:
    across, down = ([mm(cut) for cut in cuts] for cuts in seams)
    return (
        paper,
        _cuts(size.width, across, paper.width - 2 * margin),
        _cuts(size.height, down, paper.height - 2 * margin),
    )


def _cuts(length: int, seams: Sequence[int], room: int) -> list[int]:
    """Both ends and the cuts between: at the seams where the parts then have room, else evenly."""
    if length <= room:
        return [0, length]
    hinted = [0, *seams, length]
    if seams and all(b - a + 2 * OVERLAP <= room for a, b in pairwise(hinted)):
        return hinted
    parts = -(-length // (room - 2 * OVERLAP))
    return [length * part // parts for part in range(parts + 1)]


def _page(
    face: int, size: Size, paper: Size, margin: int, part: tuple[tuple[int, int], tuple[int, int]], label: str
) -> Page:
    (left, right), (top, bottom) = part
    x, y = max(0, left - OVERLAP), max(0, top - OVERLAP)
    width, height = min(size.width, right + OVERLAP) - x, min(size.height, bottom + OVERLAP) - y
    raised = max(margin, (paper.height - height) // 2 - _LIFT)
    window = Box((paper.width - width) // 2, raised, width, height)
    grid = Grid(paper, Size(width, height), (window,), 0, True, label, margin=margin, bleed=0)
    placed = Placed(face, Box(window.x - x, window.y - y, size.width, size.height), window, 0)
    across = [n - x for n in (left, right) if 0 < n < size.width]
    down = [n - y for n in (top, bottom) if 0 < n < size.height]
    return Page(grid, "front", 1, 1, (window,), 1, (placed,), _joins(window, across, down))


def _joins(window: Box, across: Sequence[int], down: Sequence[int]) -> tuple[Path, ...]:
    """Dashed lines where two parts meet."""
    upright = (line(window.x + n, window.y, window.x + n, window.bottom, _JOIN) for n in across)
    level = (line(window.x, window.y + n, window.right, window.y + n, _JOIN) for n in down)
    return (*upright, *level)
