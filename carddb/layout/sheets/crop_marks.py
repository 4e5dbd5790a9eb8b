"""Crop marks, the order of cuts by hand (each from edge to edge of a sheet or strip), and the lines a machine cuts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import cycle, pairwise
from typing import Literal, NamedTuple, get_args

from carddb.core.errors import UsageError
from carddb.core.groups import grouped
from carddb.core.names import did_you_mean
from carddb.core.units import Box, Size
from carddb.layout.display_list import Path, Stroke, line
from carddb.layout.drawing.outline import Line, rectangle
from carddb.layout.sheets.grid import Grid, turn_axis
from carddb.layout.sheets.imposition import Page, bounds, placed_outlines

Axis = Literal["across", "down"]


class SheetCut(NamedTuple):
    """A straight cut: `across` at `position` from the top, or `down` at `position` from the left.

    The cards that it trims are between `start` and `end`. A cut that goes `through` divides the whole sheet; the others
    divide the strips between `start` and `end`. `frees_before` says that all cards it trims are above or left of it.
    """

    number: int
    axis: Axis
    position: int
    start: int
    end: int
    through: bool
    frees_before: bool

    def along(self, trim: Box) -> tuple[int, int]:
        """Returns where a card begins and ends, measured in the direction in which the cut runs."""
        return (trim.x, trim.right) if self.axis == "across" else (trim.y, trim.bottom)

    def covers(self, trim: Box) -> bool:
        """Returns whether a card lies wholly between the two ends of the cut."""
        first, last = self.along(trim)
        return self.start <= first and last <= self.end

    def trims(self, trim: Box) -> bool:
        """Returns whether a card begins or ends at the cut."""
        sides = (trim.y, trim.bottom) if self.axis == "across" else (trim.x, trim.right)
        return self.position in sides and self.covers(trim)


def cut_order(grid: Grid, filled: int | None = None) -> tuple[SheetCut, ...]:
    """Returns the cuts of a sheet whose first `filled` slots (default: all) have cards, or no cuts on pre-cut stock.

    A folded sheet is cut after folding, so these are the cuts of its front half. A sheet for a machine has no cuts, nor
    has a sheet on which all pieces interlock.
    """
    trims = grid.slots[:filled]
    if not grid.cut or not trims or grid.cutter or (grid.bands[0].is_nested and not grid.is_shared):
        return ()
    blocks = [trims]
    if grid.is_shared:  # no straight cut separates pieces that interlock: their band is cut out as a whole
        blocks = [(bounds(band.slots),) if band.is_nested else band.slots for band in grid.bands]
    whole = bounds(trims)
    rows = _lines((trim.y, trim.bottom, trim.x, trim.right) for block in blocks for trim in block)
    cuts = [SheetCut(0, "across", at, whole.x, whole.right, True, before) for at, _, _, before in rows]
    for block in blocks:
        columns = _lines((trim.x, trim.right, trim.y, trim.bottom) for trim in block)
        cuts += [SheetCut(0, "down", at, start, end, False, before) for at, start, end, before in columns]
    return tuple(cut._replace(number=number) for number, cut in enumerate(cuts, start=1))


def _lines(sides: Iterable[tuple[int, int, int, int]]) -> list[tuple[int, int, int, bool]]:
    """Returns the lines on which cards begin or end: the first and the last, then those between them in order.

    `sides` has for each card (begin, end, start, stop), measured across and along the lines. Each line is (position,
    where its cards start, where they stop, whether all of them are before it, that is, above or left of it).
    """
    lines: dict[int, tuple[int, int, int, bool]] = {}
    for begin, end, start, stop in sides:
        for at, before in ((begin, False), (end, True)):
            _, low, high, all_before = lines.get(at, (at, start, stop, True))
            lines[at] = (at, min(low, start), max(high, stop), all_before and before)
    first, *inner, last = sorted(lines.values())
    return [first, last, *inner]


Marks = Literal["edges", "cards", "none"]
MARKS: tuple[Marks, ...] = get_args(Marks)
INK = "#000000"
HAIRLINE = Stroke(INK, 150)
OUTLINE = Stroke("#8c8c8c", 100)
FOLD = Stroke(INK, 150, dash=(2000, 1000))
_CREASE = OUTLINE._replace(dash=(1000, 1000))
OFFSET = 1500
LENGTH = 4000
_SHORTEST = 1000
_IN_GAP = 2250
_APART = 500
"""_IN_GAP is the length of crop marks in the gap between two bands, _APART the least distance between two of them."""
_FROM_FOLD = 400
_DIGIT = 1350
_NUMBER_HEIGHT = 2200
_NUMBER_GAP = 400


@dataclass(frozen=True, slots=True)
class Marking:
    """The marks that are printed to show where to cut.

    `marks` are crop marks at the `edges` of the block, at all `cards` (if the gutter leaves room), or `none`; `guides`
    extend them to the paper's edges; `outlines` are thin lines on the trims themselves. Raises UsageError for any other
    value of `marks`.
    """

    marks: str = "edges"
    guides: bool = False
    outlines: bool = False

    def __post_init__(self) -> None:
        if self.marks not in MARKS:
            raise UsageError(f"there are no crop marks {self.marks!r}", did_you_mean(self.marks, MARKS))


EDGES = Marking()
"""Crop marks at the edges of the block only."""


def crop_marks(page: Page, marking: Marking = EDGES) -> tuple[Path, ...]:
    """Returns the marks, guides, outlines and fold line of one side of a sheet; none on pre-cut stock.

    The folds of pieces, and the outlines of pieces that are not rectangles, are drawn on fronts that no machine cuts.
    """
    grid = page.grid
    outlines = _outlines(page) if marking.outlines and grid.cut else []
    hinge = turn_axis(grid.paper, page.flip) if page.side == "back" else None
    pieces = [each for each in placed_outlines(grid, hinge)[: page.filled] if each]
    by_hand = not grid.cutter and not hinge
    return (
        *(_path(box, OUTLINE) for box in outlines),
        *(Path(each.path, stroke=OUTLINE) for each in pieces if not each.straight and (marking.outlines or by_hand)),
        *(Path(fold, stroke=_CREASE) for each in pieces if by_hand for fold in each.folds),
        *(grid.cutter.shapes(grid.paper) if grid.cutter and not hinge else ()),
        *(_path(box, HAIRLINE) for box in segments(page, marking)),
        *(_path(box, FOLD) for box in fold_lines(page)),
    )


def segments(page: Page, marking: Marking) -> tuple[Box, ...]:
    """Returns the marks and guides on one side of a sheet, each as a box of zero width or zero height."""
    if marking.marks == "none" and not marking.guides:
        return ()
    grid = page.grid
    boxes = [box for cut in cut_order(grid, page.filled) for box in _along(cut, page, marking)]
    if page.side == "back":
        boxes = [turn_axis(grid.paper, page.flip).mirror(box) for box in boxes]
    if grid.fold:
        boxes += [grid.fold.mirror(box) for box in boxes]
    return tuple(dict.fromkeys(boxes))


def fold_lines(page: Page) -> tuple[Box, ...]:
    """Returns the line at which a sheet is folded, from edge to edge, as a box of zero width or height."""
    fold = page.grid.fold
    if fold is None or not page.trims:
        return ()
    at = fold.twice // 2
    return (Box(at, 0, 0, page.size.height) if fold.upright else Box(0, at, page.size.width, 0),)


def numbers(page: Page, marking: Marking) -> dict[str, Box]:
    """Returns `{number of a cut: box of the printed number}` for a front.

    A number is beside the mark at which its cut begins, on the side of the cards that the cut trims. It is left out if
    there is no room for it; a sheet with a single card has no numbers.
    """
    marks = segments(page, marking) if page.side == "front" and page.filled > 1 else ()
    if not marks:
        return {}
    whole = Box(0, 0, page.size.width, page.size.height)
    taken = [*marks, *page.trims]
    number_boxes: dict[str, Box] = {}
    for cut in cut_order(page.grid, page.filled):
        box = _beside(cut, page.grid)
        if whole.contains(box) and not any(box.overlaps(other) for other in (*taken, *number_boxes.values())):
            number_boxes[str(cut.number)] = box
    return number_boxes


def offset(grid: Grid) -> int:
    """Returns the distance from a trim to the crop mark that points at it, which is outside the bleed."""
    return max(OFFSET, grid.bleed, grid.back_bleed)


def band_gap(bleed: int) -> int:
    """Returns the gap between two bands of a sheet, which has room for the bleed and crop marks of both bands."""
    return 2 * (max(OFFSET, bleed) + _IN_GAP) + _APART


def _along(cut: SheetCut, page: Page, marking: Marking) -> Iterator[Box]:
    """Yields the marks of a cut: before its first card, after its last card, and in the gutters between cards."""
    grid = page.grid
    gap = offset(grid)
    length = max(grid.paper.width, grid.paper.height) if marking.guides else LENGTH
    first, last = _limits(grid, cut)
    spans = [
        (max(first, cut.start - gap - length), cut.start - gap),
        (cut.end + gap, min(last, cut.end + gap + length)),
    ]
    if marking.guides or marking.marks == "cards":
        spans += _gutters(cut, page)
    for start, end in spans:
        if end - start >= _SHORTEST:
            across = cut.axis == "across"
            yield Box(start, cut.position, end - start, 0) if across else Box(cut.position, start, 0, end - start)


def _gutters(cut: SheetCut, page: Page) -> list[tuple[int, int]]:
    """Returns (start, end) of each free interval along a cut, in the gutters between the cards that it trims."""
    grid = page.grid
    space = grid.gutter.width if cut.axis == "across" else grid.gutter.height
    gap = max(OFFSET, min(grid.bleed, space // 2))
    sides = sorted({cut.along(trim) for trim in grid.slots[: page.filled] if cut.trims(trim)})
    return [(one[1] + gap, other[0] - gap) for one, other in pairwise(sides)]


def _limits(grid: Grid, cut: SheetCut) -> tuple[int, int]:
    """Returns the interval within which a cut's marks stay: up to the sheet's edges, or half-way to the next band.

    A folded sheet is cut up to its fold, which is at the right or the bottom.
    """
    across = cut.axis == "across"
    first, last = 0, grid.paper.width if across else grid.paper.height
    if grid.fold and grid.fold.upright == across:
        last = grid.fold.twice // 2 - _FROM_FOLD
    if not across:
        boxes = [bounds(band.slots) for band in grid.bands]
        above = max((box.bottom for box in boxes if box.bottom <= cut.start), default=None)
        below = min((box.y for box in boxes if box.y >= cut.end), default=None)
        first = first if above is None else (above + cut.start + _APART) // 2
        last = last if below is None else (below + cut.end - _APART) // 2
    return first, last


def _beside(cut: SheetCut, grid: Grid) -> Box:
    """Returns the box of a cut's number: beside the cut's first mark, on the side of the cards that it trims."""
    width = _DIGIT * len(str(cut.number))
    end = cut.start - offset(grid)
    middle = (max(_limits(grid, cut)[0], end - LENGTH) + end) // 2
    if cut.axis == "across":
        y = cut.position + (-_NUMBER_GAP - _NUMBER_HEIGHT if cut.frees_before else _NUMBER_GAP)
        return Box(middle - width // 2, y, width, _NUMBER_HEIGHT)
    x = cut.position + (-_NUMBER_GAP - width if cut.frees_before else _NUMBER_GAP)
    return Box(x, middle - _NUMBER_HEIGHT // 2, width, _NUMBER_HEIGHT)


def _outlines(page: Page) -> list[Box]:
    """Returns the edges of all rectangular cards, each once, as boxes of zero width or height."""
    edges: dict[Box, None] = {}
    shaped = [each is not None and not each.straight for each in placed_outlines(page.grid)]
    for trim, is_shaped in zip(page.trims, cycle(shaped[: page.filled])):
        if is_shaped:
            continue
        above, left = trim._replace(height=0), trim._replace(width=0)
        edges.update(dict.fromkeys((above, above._replace(y=trim.bottom), left, left._replace(x=trim.right))))
    return list(edges)


def _path(box: Box, stroke: Stroke) -> Path:
    return line(box.x, box.y, box.right, box.bottom, stroke)


class CutSheet(NamedTuple):
    """The lines of a sheet in micrometres from its top left corner, seen from its front, in three layers."""

    size: Size
    cut: tuple[Line, ...]
    score: tuple[Line, ...] = ()
    perforate: tuple[Line, ...] = ()

    @property
    def layers(self) -> dict[str, tuple[Line, ...]]:
        """The lines in layers by name, in the order in which a machine works on them."""
        return {"score": self.score, "perforate": self.perforate, "cut": self.cut}


def cut_sheet(page: Page) -> CutSheet:
    """Returns the lines of the pieces on a front, at the positions where the pieces are printed.

    A correction for a printer is not applied, because it makes the print match these positions.
    """
    outlines = [
        outline or rectangle(Size(slot.width, slot.height), 0).moved((1, 0, 0, 1, slot.x, slot.y))
        for slot, outline in zip(page.slots[: page.filled], placed_outlines(page.grid), strict=False)
    ]
    score = tuple(line for outline in outlines for line in outline.folds)
    perforate = tuple(line for outline in outlines for line in outline.perforations)
    return CutSheet(page.size, tuple(outline.path for outline in outlines), score, perforate)


def cut_sheets(pages: Iterable[Page], by_hand: bool = False) -> dict[CutSheet, list[int]]:
    """Returns the sheets for a machine to cut, each with the numbers of all sheets that have the same lines.

    With `by_hand`, sheets for which no machine was chosen are included.
    """
    fronts = (page for page in pages if page.side == "front" and (by_hand or page.grid.cutter) and page.filled)
    return grouped((cut_sheet(page), page.number) for page in fronts)
