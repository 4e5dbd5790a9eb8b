"""Imposition: the positions of cards on sheets and of their backs on the other side; large faces on several pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from carddb.core.units import Box, Size, mm
from carddb.layout.display_list import Op, Shape, Stroke, line
from carddb.layout.drawing import path
from carddb.layout.drawing.outline import Outline
from carddb.layout.sheets.grid import Grid, Hinge, SlotBand, turn_axis
from carddb.layout.stock import paper_label

Side = Literal["front", "back"]
Matrix = tuple[Fraction, Fraction, Fraction, Fraction, Fraction, Fraction]
Places = tuple[tuple[Box, Box, int, tuple[Op, ...]], ...]
"""The slots of a sheet, each as (trim box, box with bleed, rotation of the face in degrees clockwise, window)."""


class Placed(NamedTuple):
    """A face on a sheet: `box` is its trim, `clip` its trim with bleed, `angle` its rotation in degrees clockwise.

    A piece that is not a rectangle is printed inside its `window`, that is, its outline on the sheet with bleed.
    """

    face: int
    box: Box
    clip: Box
    angle: int
    window: tuple[Op, ...] = ()


class Page(NamedTuple):
    """One side of a sheet.

    `slots` are the grid's slots as they are on this side; the first `filled` belong to cards. `flip` is how the printer
    turns the sheet for its other side, or `none` if the other side stays empty. `furniture` is what is printed around
    the cards: marks, ruler, texts. `adjust` transforms the whole content for a certain printer (a matrix in the page's
    micrometres, as `face_matrix`), and `corrected` are texts about that correction, from long to short.
    """

    grid: Grid
    side: Side
    number: int
    total: int
    slots: tuple[Box, ...]
    filled: int
    placed: tuple[Placed, ...]
    furniture: tuple[Shape, ...] = ()
    flip: str = "none"
    adjust: Matrix | None = None
    corrected: tuple[str, ...] = ()

    @property
    def size(self) -> Size:
        return self.grid.paper

    @property
    def trims(self) -> tuple[Box, ...]:
        """The trims of all cards on this sheet, even of cards without a face on this side; on both sides of a fold."""
        return self._unfolded(self.slots[: self.filled])

    @property
    def block(self) -> Box:
        """The bounding rectangle of all slots, including empty ones."""
        return bounds(self._unfolded(self.slots))

    def _unfolded(self, boxes: tuple[Box, ...]) -> tuple[Box, ...]:
        fold = self.grid.fold
        return boxes if fold is None else (*boxes, *map(fold.mirror, boxes))


@lru_cache(maxsize=64)
def bounds(boxes: tuple[Box, ...]) -> Box:
    """Returns the bounding rectangle of one or more boxes."""
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    return Box(left, top, max(box.right for box in boxes) - left, max(box.bottom for box in boxes) - top)


def adjusted(box: Box, matrix: Matrix | path.Matrix | None) -> Box:
    """Returns the bounding rectangle of `box` after it was transformed by `matrix`; `box` itself if that is None."""
    if matrix is None:
        return box
    a, b, c, d, e, f = matrix
    corners = [(x, y) for x in (box.x, box.right) for y in (box.y, box.bottom)]
    return bounds(tuple(Box(round(a * x + c * y + e), round(b * x + d * y + f), 0, 0) for x, y in corners))


def impose(items: Sequence[tuple[int, int | None]], grid: Grid, flip: str = "long-edge") -> list[Page]:
    """Returns the pages for pairs of face numbers (front, back; None: no back).

    Each page of fronts is followed by the page of their backs, unless no card has a back. Unused slots of the last
    sheet stay empty. With the flip `none`, no backs are printed. On a grid with a fold, backs are beside their fronts,
    whatever the flip is. Raises UsageError for an unknown flip.
    """
    fronts, backs = _places(grid, flip)
    mirrored = tuple(back[0] for back in backs)
    two_sided = not grid.fold and flip != "none" and any(back is not None for _, back in items)
    turned = flip if two_sided else "none"
    per_sheet = len(grid.slots)
    total = -(-len(items) // per_sheet)
    pages: list[Page] = []
    for number in range(1, total + 1):
        sheet = items[(number - 1) * per_sheet : number * per_sheet]
        placed = _put((front for front, _ in sheet), fronts)
        behind = _put((back for _, back in sheet), backs) if grid.fold or two_sided else ()
        if grid.fold:
            placed, behind = (*placed, *behind), ()
        pages.append(Page(grid, "front", number, total, grid.slots, len(sheet), placed, flip=turned))
        if two_sided:
            pages.append(Page(grid, "back", number, total, mirrored, len(sheet), behind, flip=turned))
    return pages


@lru_cache(maxsize=64)
def _places(grid: Grid, flip: str) -> tuple[Places, Places]:
    """Returns the places of all fronts on a sheet, and in the same order the places of their backs."""
    hinge = grid.fold or turn_axis(grid.paper, flip)
    bleeds = grid.bleed, max(grid.bleed, grid.back_bleed)
    angles = [band.angle for band in grid.bands for _ in band.slots]
    front_clips, back_clips = (clips(grid, bleed) for bleed in bleeds)
    windows, back_windows = (_windows(grid, bleed, side) for bleed, side in zip(bleeds, (None, hinge), strict=True))
    fronts = tuple(zip(grid.slots, front_clips, angles, windows, strict=True))
    backs = tuple(
        (hinge.mirror(slot), hinge.mirror(clip), hinge.turned(angle), window)
        for slot, clip, angle, window in zip(grid.slots, back_clips, angles, back_windows, strict=True)
    )
    return fronts, backs


def _windows(grid: Grid, bleed: int, hinge: Hinge | None) -> list[tuple[Op, ...]]:
    """Returns each slot's outline grown by the bleed, empty for a rectangle; the bleed is at most half the gutter."""
    reach = bleed if len(grid.slots) == 1 else min(bleed, *(side // 2 for side in grid.gutter))
    outlines = placed_outlines(grid, hinge)
    return [outline.grown(reach) if outline and not outline.straight else () for outline in outlines]


@lru_cache(maxsize=64)
def placed_outlines(grid: Grid, hinge: Hinge | None = None) -> tuple[Outline | None, ...]:
    """Returns the outline of each slot on the sheet, None for plain rectangles; with `hinge`, as seen from the back."""
    placed: list[Outline | None] = []
    for band in grid.bands:
        for slot in band.slots:
            a, b, c, d, e, f = map(float, face_matrix(band.card, Placed(0, slot, slot, band.angle)))
            into_slot = path.multiply(hinge.matrix, (a, b, c, d, e, f)) if hinge else (a, b, c, d, e, f)
            placed.append(band.outline and band.outline.moved(into_slot))
    return tuple(placed)


def _put(faces: Iterable[int | None], places: Places) -> tuple[Placed, ...]:
    return tuple(Placed(face, *place) for face, place in zip(faces, places, strict=False) if face is not None)


def renumber(pages: Sequence[Page]) -> list[Page]:
    """Returns the sheets of several grids, numbered as one job.

    If a sheet with a back would begin on the second side of the preceding sheet, that sheet gets a blank back, so that
    a printer set to double-sided printing keeps fronts and backs together.
    """
    total = sum(page.side == "front" for page in pages)
    out: list[Page] = []
    number = 0
    for page in pages:
        if page.side == "front" and page.flip != "none" and len(out) % 2:
            out.append(out[-1]._replace(side="back", filled=0, placed=(), furniture=(), flip=page.flip))
        number += page.side == "front"
        out.append(page._replace(number=number, total=total))
    return out


def bled_into_gaps(page: Page) -> Page:
    """Returns the page with full bleed on each side of a face where this side of the sheet has no adjacent face."""
    grid, boxes = page.grid, [placed.box for placed in page.placed]
    bleed = max(grid.bleed, grid.back_bleed) if page.side == "back" else grid.bleed

    def free(beside: Box) -> int:
        return 0 if any(box.overlaps(beside) for box in boxes) else bleed

    def widened(placed: Placed) -> Placed:
        box, clip = placed.box, placed.clip
        left = max(box.x - clip.x, free(Box(box.x - 2 * bleed, box.y, 2 * bleed, box.height)))
        top = max(box.y - clip.y, free(Box(box.x, box.y - 2 * bleed, box.width, 2 * bleed)))
        right = max(clip.right - box.right, free(Box(box.right, box.y, 2 * bleed, box.height)))
        bottom = max(clip.bottom - box.bottom, free(Box(box.x, box.bottom, box.width, 2 * bleed)))
        clip = Box(box.x - left, box.y - top, box.width + left + right, box.height + top + bottom)
        return placed._replace(clip=clip)

    return page._replace(placed=tuple(map(widened, page.placed)))


def face_matrix(face: Size, placed: Placed) -> Matrix:
    """Returns the matrix of a face into its box: (a, b, c, d, e, f) with x' = ax + cy + e, y' = bx + dy + f.

    If the face has another size than the box, it is scaled evenly and centred.
    """
    across, down = (face.width, face.height) if placed.angle % 180 == 0 else (face.height, face.width)
    box = placed.box
    scale = min(Fraction(box.width, across), Fraction(box.height, down))
    left = box.x + (box.width - scale * across) / 2
    top = box.y + (box.height - scale * down) / 2
    right, bottom, none = left + scale * across, top + scale * down, Fraction(0)
    return {
        0: (scale, none, none, scale, left, top),
        90: (none, scale, -scale, none, right, top),
        180: (-scale, none, none, -scale, right, bottom),
        270: (none, -scale, scale, none, left, bottom),
    }[placed.angle]


def clips(grid: Grid, bleed: int) -> tuple[Box, ...]:
    """Returns the slots, each with `bleed` around it; between cards, the bleed is at most half the gutter."""
    across = min(bleed, grid.gutter.width // 2)
    down = min(bleed, grid.gutter.height // 2)
    out: list[Box] = []
    for band in grid.bands:
        block = bounds(band.slots)
        for slot in band.slots:
            left = bleed if slot.x == block.x else across
            top = bleed if slot.y == block.y else down
            right = bleed if slot.right == block.right else across
            bottom = bleed if slot.bottom == block.bottom else down
            out.append(Box(slot.x - left, slot.y - top, slot.width + left + right, slot.height + top + bottom))
    return tuple(out)


OVERLAP = mm(5)
"""The distance by which each part of a divided face reaches beyond the cut, onto the next part."""
_BESIDE = mm(8)
"""The distance between parts of two divided faces on one page."""
_LIFT = mm(3)
_JOIN = Stroke("#1c1a19", 100, dash=(1000, 1000))

Seams = tuple[Sequence[float], Sequence[float]]
"""The positions at which a face should preferably be cut, across and down, in millimetres."""


def tiles(faces: Sequence[int], size: Size, paper: Size, margin: int, seams: Seams = ((), ())) -> list[Page]:
    """Returns the pages that large faces are divided into; the parts overlap, and dashed lines show where to join them.

    The paper is used in the orientation that needs fewer pages. A face that fits on one page is not divided. If a part
    is so narrow that a page has room for two, this part of two faces shares a page; such pages come last.
    """
    across, down = ([mm(cut) for cut in cuts] for cuts in seams)
    plans = (
        (way, _cuts(size.width, across, way.width - 2 * margin), _cuts(size.height, down, way.height - 2 * margin))
        for way in (paper, paper.turned)
    )
    lying, columns, rows = min(plans, key=lambda plan: len(plan[1]) * len(plan[2]))
    parts = [((left, right), (top, bottom)) for top, bottom in pairwise(rows) for left, right in pairwise(columns)]
    label = paper_label(lying)
    if len(parts) == 1:
        return [_page([face], size, lying, margin, parts[0], label) for face in faces]
    join = f"of {len(parts)}: cut and join at the dashed lines"
    labelled = [(part, f"{label}, part {number} {join}") for number, part in enumerate(parts, 1)]
    room = lying.width - 2 * margin
    narrow = [part for part in labelled if len(faces) > 1 and _width_of(*part[0][0], size) * 2 + _BESIDE <= room]
    wide = [part for part in labelled if part not in narrow]
    return [
        *(_page([face], size, lying, margin, *part) for face in faces for part in wide),
        *(_page(faces[n : n + 2], size, lying, margin, *part) for part in narrow for n in range(0, len(faces), 2)),
    ]


def _cuts(length: int, seams: Sequence[int], room: int) -> list[int]:
    """Returns where a face begins, is cut and ends: at the `seams` if all parts then fit into `room`, else evenly."""
    if length <= room:
        return [0, length]
    hinted = [0, *seams, length]
    if seams and all(b - a + 2 * OVERLAP <= room for a, b in pairwise(hinted)):
        return hinted
    parts = -(-length // (room - 2 * OVERLAP))
    return [length * part // parts for part in range(parts + 1)]


def _width_of(left: int, right: int, size: Size) -> int:
    """Returns the width of the part of a face from `left` to `right`, with the overlaps on both sides."""
    return min(size.width, right + OVERLAP) - max(0, left - OVERLAP)


def _page(
    faces: Sequence[int],
    size: Size,
    paper: Size,
    margin: int,
    part: tuple[tuple[int, int], tuple[int, int]],
    label: str,
) -> Page:
    (left, right), (top, bottom) = part
    x, y = max(0, left - OVERLAP), max(0, top - OVERLAP)
    width, height = _width_of(left, right, size), min(size.height, bottom + OVERLAP) - y
    raised = max(margin, (paper.height - height) // 2 - _LIFT)
    first = (paper.width - len(faces) * (width + _BESIDE) + _BESIDE) // 2
    windows = tuple(Box(first + n * (width + _BESIDE), raised, width, height) for n in range(len(faces)))
    grid = Grid(paper, (SlotBand(windows),), True, label, margin=margin, bleed=0)
    placed: list[Placed] = []
    joins: list[Shape] = []
    for face, window in zip(faces, windows, strict=True):
        placed.append(Placed(face, Box(window.x - x, window.y - y, size.width, size.height), window, 0))
        across = [window.x + n - x for n in (left, right) if 0 < n < size.width]
        down = [window.y + n - y for n in (top, bottom) if 0 < n < size.height]
        joins += (line(at, window.y, at, window.bottom, _JOIN) for at in across)
        joins += (line(window.x, at, window.right, at, _JOIN) for at in down)
    return Page(grid, "front", 1, 1, windows, len(windows), tuple(placed), tuple(joins))
