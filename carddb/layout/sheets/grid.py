"""The slots of a sheet: how many cards fit on the paper, and where each is on the front and on the back.

A sheet that a machine cuts has registration marks, by which the machine finds the sheet.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

from carddb.core.errors import UsageError
from carddb.core.names import did_you_mean
from carddb.core.units import Box, Size, mm, to_mm
from carddb.layout.display_list import Path, rectangle
from carddb.layout.drawing.outline import Outline, polygon
from carddb.layout.drawing.path import Matrix
from carddb.layout.stock import Stock, describe, paper_label

Flip = Literal["long-edge", "short-edge", "none"]
FLIPS: tuple[Flip, ...] = get_args(Flip)
"""The edges about which a printer can turn the paper; with `none`, only fronts are printed."""


class Hinge(NamedTuple):
    """The line at which paper is turned or folded; `twice` is double its distance from the left (`upright`) or top."""

    upright: bool
    twice: int

    def mirror(self, box: Box) -> Box:
        """Returns the box that is on the other side of the paper behind `box`, as it is seen from that side."""
        if self.upright:
            return Box(self.twice - box.right, box.y, box.width, box.height)
        return Box(box.x, self.twice - box.bottom, box.width, box.height)

    @property
    def matrix(self) -> Matrix:
        """The matrix that does to points what `mirror` does to boxes."""
        return (-1, 0, 0, 1, self.twice, 0) if self.upright else (1, 0, 0, -1, 0, self.twice)

    def turned(self, angle: int) -> int:
        """Returns the rotation of the back behind a front that is rotated by `angle`, both in degrees clockwise.

        A vertical hinge leaves the back upright, a horizontal one rotates it by 180 degrees. Therefore a front rotated
        by 90 needs a back rotated by 270 in the first case and by 90 in the second.
        """
        return ((0 if self.upright else 180) - angle) % 360


def turn_axis(paper: Size, flip: str) -> Hinge:
    """Returns the line about which a printer turns this paper. Raises UsageError for an unknown flip."""
    if flip not in FLIPS:
        raise UsageError(f"there is no --flip {flip!r}", did_you_mean(flip, FLIPS))
    return middle(paper, (flip == "long-edge") == (paper.height >= paper.width))


def middle(paper: Size, upright: bool) -> Hinge:
    """Returns the vertical or horizontal line that halves the paper."""
    return Hinge(upright, paper.width if upright else paper.height)


Machine = Literal["silhouette", "cricut", "generic"]
FEEDER = 15_875
"""The inset of the marks that the sheet feeder of Silhouette machines needs: five eighths of an inch."""
INSET, ARM = mm(10), mm(5)
BLADE = mm(1)
"""The least space between two pieces that a machine cuts out."""
_MARKS: Mapping[str, int] = MappingProxyType({"silhouette": 3, "cricut": 0, "generic": 4})
"""The number of marks for each machine; the program of Cricut machines prints marks of its own."""
_SQUARE, _LINE = mm(5), mm(1)
_CLEAR = mm(2)
"""The least distance of a piece from a mark."""
_INK = "#000000"


class Cutter(NamedTuple):
    """A cutting machine: the number of its registration marks, their distance from the paper's edges, and the length of
    their arms, both in micrometres.
    """

    machine: Machine
    marks: int
    inset: int = INSET
    arm: int = ARM

    @property
    def formats(self) -> tuple[str, ...]:
        """The formats of files with cut lines that the program of the machine opens."""
        return ("svg",) if self.machine == "cricut" else ("svg", "dxf")

    def insets(self, margin: int) -> tuple[Size, ...]:
        """Returns the possible distances of pieces from the paper's edges, as (at the sides, at top and bottom).

        With marks, there are two: pieces keep clear of the marks either at the sides, or above and below.
        """
        edge = max(margin, self.inset if self.marks else 0)
        reach = max(self.arm, _SQUARE if self.marks == 3 else 0)
        beside = max(margin, self.inset + reach + _CLEAR)
        return (Size(beside, edge), Size(edge, beside)) if self.marks else (Size(edge, edge),)

    def boxes(self, paper: Size) -> tuple[Box, ...]:
        """Returns the boxes of the marks: upper left, upper right, lower left and, if there are four, lower right."""
        left, right = self.inset, paper.width - self.inset - self.arm
        top, bottom = self.inset, paper.height - self.inset - self.arm
        places = [(left, top), (right, top), (left, bottom), (right, bottom)][: self.marks]
        boxes = [Box(x, y, self.arm, self.arm) for x, y in places]
        return (boxes[0]._replace(width=_SQUARE, height=_SQUARE), *boxes[1:]) if self.marks == 3 else tuple(boxes)

    def shapes(self, paper: Size) -> tuple[Path, ...]:
        """Returns the shapes of the marks: angles that open inwards; of three marks, the first is a filled square."""
        marks: list[Path] = []
        for box in self.boxes(paper):
            x, inner_x = (box.x, box.right) if 2 * box.x < paper.width else (box.right, box.x)
            y, inner_y = (box.y, box.bottom) if 2 * box.y < paper.height else (box.bottom, box.y)
            end_x, end_y = (x + _LINE if inner_x > x else x - _LINE), (y + _LINE if inner_y > y else y - _LINE)
            corners = [(x, y), (inner_x, y), (inner_x, end_y), (end_x, end_y), (end_x, inner_y), (x, inner_y)]
            is_square = self.marks == 3 and not marks
            marks.append(Path(rectangle(box) if is_square else polygon(corners), _INK))
        return tuple(marks)


def cutter_for(machine: Machine, count: int | None = None, inset: int | None = None, arm: int | None = None) -> Cutter:
    """Returns a cutting machine; `count`, `inset` and `arm`, unless None, replace those of its usual marks.

    Raises UsageError if the machine could not read such marks.
    """
    usual = _MARKS[machine]
    if not usual and (count or inset is not None or arm is not None):
        raise UsageError(f"the program of {machine} prints its own marks", "Leave out all options --mark-….")
    inset, arm = INSET if inset is None else inset, ARM if arm is None else arm
    if arm < 2 * _LINE:
        raise UsageError(f"arms of {arm / 1000:g} mm are too short to be found", "Use --mark-arm 5mm to 20mm.")
    return Cutter(machine, count or usual, inset, arm)


MARGIN = 6350
"""The margin that many home printers leave unprinted: a quarter inch."""
FOOTER = 15240
"""The height that crop marks and a footer below them need between the block and the paper's edge."""
BLEED = 1500
"""The default bleed, that is, how far a face is printed beyond its trim."""
FOLD_CLEAR = 1500
"""The distance between a fold and the bleed beside it, so that cards cut out of the folded sheet are not bent."""
SMALLEST_CARD = 5000
NO_GUTTER = Size(0, 0)


class SlotBand(NamedTuple):
    """Pieces of one size on a sheet: `slots` are their trim boxes row by row, `angle` is the rotation of their fronts.

    Angles are in degrees clockwise. `outline` is None for plain rectangles.
    """

    slots: tuple[Box, ...]
    angle: int = 0
    outline: Outline | None = None

    @property
    def card(self) -> Size:
        """The size of a piece that stands upright."""
        lying = Size(self.slots[0].width, self.slots[0].height)
        return lying.turned if self.angle % 180 else lying

    @property
    def is_nested(self) -> bool:
        """True if the rows or columns of pieces interlock, so that no straight cut separates them."""
        return bool(self.outline and self.outline.nests)


class Grid(NamedTuple):
    """The slots of one sheet, in `bands` from the top, one for each size of cards.

    `gutter` is the space between columns and between rows, `margin` the printer's unprintable margin, `bleed` how far
    faces extend beyond their trim, and `cut` says whether cards must be cut out. With a `fold`, the slots are on one
    side of it and the backs on the other. `cutter` is the machine that cuts the sheet, or None, and `back_bleed` the
    bleed of backs if it is greater than that of fronts. If there are several bands, all their slots are filled.
    """

    paper: Size
    bands: tuple[SlotBand, ...]
    cut: bool
    label: str
    gutter: Size = NO_GUTTER
    margin: int = 0
    bleed: int = BLEED
    fold: Hinge | None = None
    cutter: Cutter | None = None
    back_bleed: int = 0

    @property
    def slots(self) -> tuple[Box, ...]:
        """The slots of all bands."""
        return tuple(slot for band in self.bands for slot in band.slots)

    @property
    def is_shared(self) -> bool:
        """True if cards of several sizes share the sheet."""
        return len(self.bands) > 1

    def without(self, places: Collection[int]) -> Grid:
        """Returns the grid without the slots `places` (from 1). Raises UsageError if one is missing or none is left."""
        count = len(self.slots)
        if not places:
            return self
        if max(places) > count or len(places) == count:
            raise UsageError(f"a sheet has only the places 1 to {count}", "Skip some but not all of them: --skip 3,7.")
        left = tuple(slot for number, slot in enumerate(self.slots, start=1) if number not in places)
        return self._replace(bands=(self.bands[0]._replace(slots=left),))

    @property
    def cards(self) -> tuple[Size, ...]:
        """The size of the cards in each band."""
        return tuple(band.card for band in self.bands)

    @property
    def columns(self) -> int:
        """The number of cards side by side in the band with the most columns."""
        return max(len({slot.x for slot in band.slots}) for band in self.bands)

    @property
    def rows(self) -> int:
        return len({slot.y for slot in self.slots})

    @property
    def bare(self) -> bool:
        """True if the page is the card itself, with nothing around it."""
        return len(self.slots) == 1 and not self.cut


def sheet_grid(
    card: Size,
    stock: Stock,
    paper: Size,
    margin: int = MARGIN,
    gutter: Size = NO_GUTTER,
    bleed: int | None = None,
    fold: bool = False,
    outline: Outline | None = None,
    cutter: Cutter | None = None,
    piece: str = "a card",
) -> Grid:
    """Returns the grid with the most cards in one orientation, upright if both orientations hold as many.

    `margin`, `gutter` and `bleed` are in micrometres; with `fold`, fronts and backs are printed on the same side of the
    paper. A stock with slots determines the paper. Pieces whose `outline` nests interlock; pieces for a `cutter` are
    placed between its marks. Raises UsageError, naming the `piece` and both sizes, if not even one fits.
    """
    _check(card, margin, gutter, bleed, piece)
    if cutter and (fold or not stock.cut):
        what = "a sheet that is folded" if fold else f"the stock {stock.name}"
        raise UsageError(
            f"{what} cannot be cut by a machine", "Leave out --cutter, or print with --stock plain and without --fold."
        )
    if not stock.cut:
        if fold:
            raise UsageError(
                f"cards on the stock {stock.name} cannot be folded", "Leave out --fold, or use --stock plain."
            )
        return _on_slots(card, stock, margin, bleed) if stock.slots else _alone(card, stock, margin, bleed)
    areas = print_areas(paper, margin, gutter, BLEED if bleed is None else bleed, [outline], fold, cutter)
    nests = outline.nests if outline else ""
    places = [
        (area, SlotBand(area.nested(card, nests, angle) if nests else area.slots(card, angle), angle, outline))
        for angle in (0, 270)
        for area in areas
    ]
    area, band = max(places, key=lambda place: len(place[1].slots))
    if not band.slots:
        raise _too_large(card, areas[0], piece)
    return area.grid((band,), f"{stock.label} {paper_label(paper)}, {describe(card)}")


def whole_page(size: Size) -> Grid:
    """Returns the grid of a page that is itself the card, such as a mat or a score sheet."""
    return Grid(size, (SlotBand((Box(0, 0, size.width, size.height),)),), False, paper_label(size))


class PrintArea(NamedTuple):
    """The area for cards: the paper inside its margins, or the half of it that is left of or above a fold.

    On a sheet that the machine `cutter` cuts, cards are centred, and keep the distances `edges` (at the sides, at top
    and bottom) from the paper's edges.
    """

    paper: Size
    margin: int
    gutter: Size
    bleed: int
    fold: Hinge | None = None
    cutter: Cutter | None = None
    edges: Size | None = None

    @property
    def clear(self) -> int:
        """The distance that cards keep from the fold."""
        return max(BLEED, self.bleed) + FOLD_CLEAR

    @property
    def room(self) -> Size:
        """The size of the area for cards and the gutters between them."""
        beside, above = self.edges or (self.margin, self.margin)
        width, height = self.paper.width - 2 * beside, self.paper.height - 2 * above
        if self.fold is None:
            return Size(width, height)
        if self.fold.upright:
            return Size(self.paper.width // 2 - self.margin - self.clear, height)
        return Size(width, self.paper.height // 2 - self.margin - self.clear)

    def grid(self, bands: tuple[SlotBand, ...], label: str) -> Grid:
        """Returns the sheet with these bands of cards, which are to be cut out; `label` names the paper."""
        return Grid(self.paper, bands, True, label, self.gutter, self.margin, self.bleed, self.fold, self.cutter)

    def columns(self, size: Size) -> int:
        """Returns how many cards of a size fit side by side."""
        return max(0, (self.room.width + self.gutter.width) // (size.width + self.gutter.width))

    def left(self, width: int) -> int:
        """Returns the left edge of a block of `width`: centred, or next to a vertical fold."""
        if self.fold is not None and self.fold.upright:
            return self.paper.width // 2 - self.clear - width
        return (self.paper.width - width) // 2

    def top(self, height: int) -> int:
        """Returns the top of a block of `height`: centred, or higher to leave room for a footer, or next to a fold."""
        if self.fold is not None and not self.fold.upright:
            return self.paper.height // 2 - self.clear - height
        if self.edges:
            return (self.paper.height - height) // 2
        return max(self.margin, min((self.paper.height - height) // 2, self.paper.height - height - FOOTER))

    def slots(self, card: Size, angle: int) -> tuple[Box, ...]:
        """Returns slots, row by row, for as many cards of a size as fit, rotated by `angle`."""
        size = card.turned if angle else card
        columns = self.columns(size)
        rows = max(0, (self.room.height + self.gutter.height) // (size.height + self.gutter.height))
        height = rows * (size.height + self.gutter.height) - self.gutter.height
        return self.in_rows(size, columns, columns * rows, self.top(height))

    def nested(
        self, size: Size, nests: str, angle: int, count: int = 0, spares: bool = False, top: int | None = None
    ) -> tuple[Box, ...]:
        """Returns slots for hexagons of a size, rotated by `angle`, whose rows or columns interlock.

        Returns as many slots as fit or, with `count`, that many in as few rows as possible; `spares` fills these rows
        up. The slots are centred in the area, or begin at `top`. Returns none if `count` do not fit.
        """
        lying = size.turned if angle else size
        by_rows = (nests == "rows") == (not angle)

        def within(height: int) -> list[tuple[int, int]]:
            room = Size(self.room.width, height)
            if by_rows:
                return _in_hexagons(room, lying, self.gutter)
            return [(y, x) for x, y in _in_hexagons(room.turned, lying.turned, self.gutter.turned)]

        heights = range(self.room.height + 1)
        lowest = bisect_left(heights, count, key=lambda height: len(within(height))) if count else heights[-1]
        places = sorted(within(lowest), key=lambda place: (place[1], place[0])) if lowest in heights else []
        if count and not spares:
            places = places[:count]
        if not places:
            return ()
        width, height = (max(each) + side for each, side in zip(zip(*places, strict=True), lying, strict=True))
        left, top = self.left(width), self.top(height) if top is None else top
        return tuple(Box(left + x, top + y, lying.width, lying.height) for x, y in places)

    def in_rows(self, size: Size, columns: int, count: int, top: int) -> tuple[Box, ...]:
        """Returns `count` slots of a size in rows of `columns`, from `top` down."""
        step, drop = size.width + self.gutter.width, size.height + self.gutter.height
        left = self.left(min(columns, count) * step - self.gutter.width)
        return tuple(
            Box(left + number % columns * step, top + number // columns * drop, size.width, size.height)
            for number in range(count)
        )


def _in_hexagons(room: Size, piece: Size, gutter: Size) -> list[tuple[int, int]]:
    """Returns the top left corners of hexagons that stand on a corner; every other row is moved by half a hexagon.

    The slanted sides of adjacent hexagons are as far apart as the wider gutter.
    """
    step = piece.width + gutter.width
    slope = math.atan2(piece.height, 2 * piece.width)
    apart = max(gutter) - gutter.width / 2 * math.sin(slope)
    drop = 3 * piece.height // 4 + math.ceil(apart / math.cos(slope))
    rows = 1 + (room.height - piece.height) // drop if room.height >= piece.height else 0
    return [
        (start + column * step, row * drop)
        for row in range(rows)
        for start in [row % 2 * (step // 2)]
        for column in range(max(0, (room.width - start + gutter.width) // step))
    ]


def print_areas(
    paper: Size, margin: int, gutter: Size, bleed: int, outlines: Iterable[Outline | None] = (), fold: bool = False,
    cutter: Cutter | None = None,
) -> list[PrintArea]:  # fmt: skip
    """Returns the possible areas to fill: one, or with `fold` two, for a vertical and for a horizontal fold.

    With the marks of a `cutter` there are two areas, as `Cutter.insets` says. Pieces for a cutter are at least BLADE
    apart, as are pieces if any of `outlines` is not a rectangle; without a `gutter`, these also have room for the bleed
    of two neighbours.
    """
    shaped = any(outline and not outline.straight for outline in outlines)
    if shaped or cutter:
        least = max(BLADE, 2 * bleed) if shaped and gutter == NO_GUTTER else BLADE
        gutter = Size(max(gutter.width, least), max(gutter.height, least))
    area = PrintArea(paper, margin, gutter, bleed, cutter=cutter)
    if cutter:
        return [area._replace(edges=edges) for edges in cutter.insets(margin)]
    return [area._replace(fold=middle(paper, upright)) for upright in (True, False)] if fold else [area]


def _too_large(card: Size, area: PrintArea, piece: str) -> UsageError:
    paper, margin = area.paper, area.margin
    beside, above = area.edges or (margin, margin)
    width, height = paper.width - 2 * beside, paper.height - 2 * above
    room = f"{Size(width, height)}" if min(width, height) > 0 else "nothing"
    what = f"{piece} of {card} does not fit" + (" beside its back" if area.fold else "")
    edge = "registration marks" if area.edges else f"margins of {to_mm(margin):g} mm"
    paper_text = f"{paper_label(paper)} ({paper})" if paper_label(paper) != describe(paper) else str(paper)
    return UsageError(
        f"{what} on {paper_text}, which leaves {room} inside its {edge}",
        f"Choose a larger --paper, or a smaller {'--card-size or ' if piece == 'a card' else ''}--margin.",
    )


def _check(card: Size, margin: int, gutter: Size, bleed: int | None, piece: str) -> None:
    if min(card.width, card.height) < SMALLEST_CARD:
        least = f"Make both sides at least {to_mm(SMALLEST_CARD):g} mm long."
        raise UsageError(f"{piece} of {card} is too small to be cut", least)
    lengths = {"margin": margin, "gutter": min(gutter.width, gutter.height), "bleed": bleed or 0}
    for name, length in lengths.items():
        if length < 0:
            raise UsageError(f"the {name} is {to_mm(length):g} mm, but cannot be negative", "Write 0mm or more.")


def _alone(card: Size, stock: Stock, margin: int, bleed: int | None) -> Grid:
    """Returns the grid of a page with a single card; the page is larger than the card by `bleed` on each side."""
    around = bleed or 0
    paper = Size(card.width + 2 * around, card.height + 2 * around)
    bands = (SlotBand((Box(around, around, card.width, card.height),)),)
    return Grid(paper, bands, False, f"{stock.label}, {describe(card)}", NO_GUTTER, margin, around)


def _on_slots(card: Size, stock: Stock, margin: int, bleed: int | None) -> Grid:
    assert stock.card is not None and stock.paper is not None
    if card not in (stock.card, stock.card.turned):
        raise UsageError(
            f"the stock {stock.name} has cards of {stock.card}, not of {card}",
            "Leave out --card-size, or use --stock plain.",
        )
    slot = stock.slots[0]
    angle = 0 if (card.width > card.height) == (slot.width > slot.height) else 270
    around = BLEED if bleed is None else bleed
    return Grid(stock.paper, (SlotBand(stock.slots, angle),), False, stock.label, NO_GUTTER, margin, around)
