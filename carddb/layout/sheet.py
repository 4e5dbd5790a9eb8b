"""Imposition: where each card lies on its sheet, and its back on the other side.

A pure function of sizes and counts: fronts go into the slots of a grid, row by row, and backs are derived
from them by the flip rule. Everything is whole micrometres, y downwards from the top left of the paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import zip_longest
from typing import Literal

from carddb.errors import UsageError
from carddb.layout.display import Shape
from carddb.layout.stock import Stock, describe, paper_label
from carddb.names import did_you_mean
from carddb.units import Box, Size

MARGIN = 6350
"""The edge that many home printers leave white: a quarter inch."""
FOOTER = 15240
"""What crop marks and a footer below them take from the block to the paper's edge."""
BLEED = 1500
"""How far a face may be printed beyond its trim: up to where the crop marks begin."""
SMALLEST_CARD = 5000

TURNS = ("auto", "never", "always")
FLIPS = ("long-edge", "short-edge", "none")

Side = Literal["front", "back"]
Matrix = tuple[Fraction, Fraction, Fraction, Fraction, Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Grid:
    """The slots of one sheet: `slots` are trim boxes row by row, `angle` how fronts are turned (clockwise)."""

    paper: Size
    card: Size
    slots: tuple[Box, ...]
    angle: int
    gutter: int
    cut: bool
    label: str


@dataclass(frozen=True, slots=True)
class Placed:
    """A face on a sheet: `box` its trim, `clip` its trim with bleed, `angle` its turn in degrees clockwise."""

    face: int
    box: Box
    clip: Box
    angle: int


@dataclass(frozen=True, slots=True)
class Page:
    """One side of a sheet.

    `slots` are those of the grid as they lie on this side, of which the first `filled` belong to cards;
    `furniture` is what stands around them: marks, ruler, footer. `adjust` moves the whole content for the printer
    it is meant for (a matrix over the page's micrometres, as `face_matrix`); `corrected` says so, first at length.
    """

    grid: Grid
    side: Side
    number: int
    total: int
    slots: tuple[Box, ...]
    filled: int
    placed: tuple[Placed, ...]
    furniture: tuple[Shape, ...] = ()
    adjust: Matrix | None = None
    corrected: tuple[str, ...] = ()

    @property
    def size(self) -> Size:
        return self.grid.paper

    @property
    def trims(self) -> tuple[Box, ...]:
        """The cards of this sheet, also those that have nothing on this side."""
        return self.slots[: self.filled]

    @property
    def block(self) -> Box:
        """The rectangle round all slots, the empty ones too."""
        return bounds(self.slots)


def bounds(boxes: Sequence[Box]) -> Box:
    """The smallest rectangle round one or more boxes."""
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    return Box(left, top, max(box.right for box in boxes) - left, max(box.bottom for box in boxes) - top)


def adjusted(box: Box, matrix: Matrix | None) -> Box:
    """The rectangle round a box that a matrix has moved."""
    if matrix is None:
        return box
    a, b, c, d, e, f = matrix
    corners = [(x, y) for x in (box.x, box.right) for y in (box.y, box.bottom)]
    return bounds([Box(round(a * x + c * y + e), round(b * x + d * y + f), 0, 0) for x, y in corners])


def plan(card: Size, stock: Stock, paper: Size, margin: int = MARGIN, gutter: int = 0, turn: str = "auto") -> Grid:
    """The grid that holds most cards of one orientation on the paper, upright where both hold as many.

    `margin` and `gutter` in micrometres; `turn` is `auto`, `never` or `always`. A stock with slots brings its own
    paper. Raises UsageError where not one card fits, with both sizes.
    """
    _check(card, margin, gutter, turn)
    if stock.slots:
        return _on_slots(card, stock)
    label = f"{stock.label} {paper_label(paper)}, {describe(card)}"
    ways = {"auto": (0, 270), "never": (0,), "always": (270,)}[turn]
    grids = [_grid(card, angle, paper, margin, gutter) for angle in ways]
    slots, angle = max(zip(grids, ways, strict=True), key=lambda grid: len(grid[0]))
    if not slots:
        room = f"{mm_text(paper.width - 2 * margin)} × {mm_text(paper.height - 2 * margin)} mm"
        raise UsageError(
            f"a card of {card} does not fit on {paper_label(paper)} ({paper}), which leaves {room} inside its margins",
            "Choose a larger --paper, a smaller --card-size or --margin.",
        )
    return Grid(paper, card, slots, angle, gutter, stock.cut, label)


def whole_page(size: Size) -> Grid:
    """A page that is the card: a mat or a score sheet, printed by itself."""
    return Grid(size, size, (Box(0, 0, size.width, size.height),), 0, 0, False, paper_label(size))


def mm_text(length: int) -> str:
    """A length in millimetres, as short as it can be said."""
    return f"{length / 1000:g}"


def _check(card: Size, margin: int, gutter: int, turn: str) -> None:
    if turn not in TURNS:
        raise UsageError(f"there is no turn {turn!r}", did_you_mean(turn, TURNS))
    if min(card.width, card.height) < SMALLEST_CARD:
        least = f"Use at least {mm_text(SMALLEST_CARD)} mm a side."
        raise UsageError(f"a card of {card} is too small to be cut", least)
    for name, length in (("margin", margin), ("gutter", gutter)):
        if length < 0:
            raise UsageError(f"the {name} is {mm_text(length)} mm", "Use 0 or more.")


def _on_slots(card: Size, stock: Stock) -> Grid:
    assert stock.card is not None and stock.paper is not None
    if card not in (stock.card, stock.card.turned):
        raise UsageError(
            f"the stock {stock.name} gives cards of {stock.card}, not of {card}",
            "Leave out --card-size, or use --stock plain.",
        )
    slot = stock.slots[0]
    angle = 0 if (card.width > card.height) == (slot.width > slot.height) else 270
    return Grid(stock.paper, card, stock.slots, angle, 0, stock.cut, stock.label)


def _grid(card: Size, angle: int, paper: Size, margin: int, gutter: int) -> tuple[Box, ...]:
    """Slots of the whole-page grid, row by row: centred, and moved up where a footer needs the room."""
    size = card if angle == 0 else card.turned
    columns = max(0, (paper.width - 2 * margin + gutter) // (size.width + gutter))
    rows = max(0, (paper.height - 2 * margin + gutter) // (size.height + gutter))
    width = columns * (size.width + gutter) - gutter
    height = rows * (size.height + gutter) - gutter
    left = (paper.width - width) // 2
    top = max(margin, min((paper.height - height) // 2, paper.height - height - FOOTER))
    return tuple(
        Box(left + column * (size.width + gutter), top + row * (size.height + gutter), size.width, size.height)
        for row in range(rows)
        for column in range(columns)
    )


def impose(items: Sequence[tuple[int, int | None]], grid: Grid, flip: str = "long-edge") -> list[Page]:
    """Sheets for pairs of (front, back) faces: front, back, front, back; fronts alone where nothing has a back.

    The last sheet keeps its empty slots. With the flip `none` no backs are printed. Raises UsageError for an
    unknown flip.
    """
    if flip not in FLIPS:
        raise UsageError(f"there is no flip {flip!r}", did_you_mean(flip, FLIPS))
    per_sheet = len(grid.slots)
    total = -(-len(items) // per_sheet)
    backs = flip != "none" and any(back is not None for _, back in items)
    clips = _clips(grid)
    pages: list[Page] = []
    for number in range(1, total + 1):
        sheet = items[(number - 1) * per_sheet : number * per_sheet]
        spots = tuple(zip(sheet, grid.slots, clips, strict=False))
        fronts = tuple(Placed(front, slot, clip, grid.angle) for (front, _), slot, clip in spots)
        pages.append(Page(grid, "front", number, total, grid.slots, len(sheet), fronts))
        if backs:
            turned = tuple(
                turn_over(Placed(back, slot, clip, grid.angle), grid.paper, flip)
                for (_, back), slot, clip in spots
                if back is not None
            )
            slots = tuple(mirror(slot, grid.paper, flip) for slot in grid.slots)
            pages.append(Page(grid, "back", number, total, slots, len(sheet), turned))
    return pages


def renumber(pages: Sequence[Page]) -> list[Page]:
    """Sheets of several grids as one job: counted through, and each with a back, if a blank one, where any has one.

    A printer that prints both sides would else put the next front on the back of a sheet that has none.
    """
    total = sum(page.side == "front" for page in pages)
    two_sided = total < len(pages)
    out: list[Page] = []
    number = 0
    for page, after in zip_longest(pages, pages[1:]):
        number += page.side == "front"
        out.append(replace(page, number=number, total=total))
        if two_sided and page.side == "front" and (after is None or after.side == "front"):
            out.append(replace(out[-1], side="back", filled=0, placed=(), furniture=()))
    return out


def turns_sideways(paper: Size, flip: str) -> bool:
    """Whether the sheet is turned like a leaf in a book: over an upright axis, as the page is seen."""
    return (flip == "long-edge") == (paper.height >= paper.width)


def mirror(box: Box, paper: Size, flip: str) -> Box:
    """Where a box lies as seen from the other side of the turned sheet."""
    if turns_sideways(paper, flip):
        return Box(paper.width - box.right, box.y, box.width, box.height)
    return Box(box.x, paper.height - box.bottom, box.width, box.height)


def turn_over(placed: Placed, paper: Size, flip: str) -> Placed:
    """A back put where its front will lie: columns mirrored, or rows mirrored and the art turned by 180 degrees.

    A front turned by 90 degrees thus takes a back turned by 270 in the first case and by 90 in the second.
    """
    half = 0 if turns_sideways(paper, flip) else 180
    box, clip = mirror(placed.box, paper, flip), mirror(placed.clip, paper, flip)
    return Placed(placed.face, box, clip, (half - placed.angle) % 360)


def face_matrix(face: Size, placed: Placed) -> Matrix:
    """How a face of that size gets into its box: (a, b, c, d, e, f) with x' = ax + cy + e, y' = bx + dy + f.

    A face of another size is scaled evenly and centred.
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


def _clips(grid: Grid) -> tuple[Box, ...]:
    """Trim with bleed: all of it outwards, between cards no more than half the gutter."""
    block = bounds(grid.slots)
    inner = min(BLEED, grid.gutter // 2)
    return tuple(_bled(slot, block, inner) for slot in grid.slots)


def _bled(slot: Box, block: Box, inner: int) -> Box:
    left = BLEED if slot.x == block.x else inner
    top = BLEED if slot.y == block.y else inner
    right = BLEED if slot.right == block.right else inner
    bottom = BLEED if slot.bottom == block.bottom else inner
    return Box(slot.x - left, slot.y - top, slot.width + left + right, slot.height + top + bottom)
