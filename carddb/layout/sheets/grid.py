"""The slots of a sheet: as many cards of one size as its paper holds, and where each lies on the other side."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import Literal, NamedTuple, get_args

from carddb.core.errors import UsageError
from carddb.core.names import did_you_mean
from carddb.core.units import Box, Size
from carddb.layout.stock import Stock, describe, paper_label

Flip = Literal["long-edge", "short-edge", "none"]
FLIPS: tuple[Flip, ...] = get_args(Flip)
"""How a printer turns the paper; `none` prints fronts only."""


class Hinge(NamedTuple):
    """The line that paper is turned or folded about: upright or level, at half of `twice` from the left or the top."""

    upright: bool
    twice: int

    def mirror(self, box: Box) -> Box:
        """Returns the box of one side as it is seen from the other."""
        if self.upright:
            return Box(self.twice - box.right, box.y, box.width, box.height)
        return Box(box.x, self.twice - box.bottom, box.width, box.height)

    def turned(self, angle: int) -> int:
        """Returns the turn of the back behind a front turned by `angle`, both in degrees clockwise.

        About an upright line art stays upright, about a level one it is turned by 180 degrees; a front turned by 90
        thus takes a back turned by 270 in the first case and by 90 in the second.
        """
        return ((0 if self.upright else 180) - angle) % 360


def turn_axis(paper: Size, flip: str) -> Hinge:
    """Returns the line a printer turns this paper about. Raises UsageError for an unknown flip."""
    if flip not in FLIPS:
        raise UsageError(f"there is no flip {flip!r}", did_you_mean(flip, FLIPS))
    return middle(paper, (flip == "long-edge") == (paper.height >= paper.width))


def middle(paper: Size, upright: bool) -> Hinge:
    """Returns the line that halves the paper."""
    return Hinge(upright, paper.width if upright else paper.height)


MARGIN = 6350
"""The edge that many home printers leave white: a quarter inch."""
FOOTER = 15240
"""What crop marks and a footer below them take from the block to the paper's edge."""
BLEED = 1500
"""How far a face is printed beyond its trim where nobody says otherwise."""
FOLD_CLEAR = 1500
"""What a fold keeps from the bleed beside it: cards are cut out of the folded sheet, and none is bent."""
SMALLEST_CARD = 5000
NO_GUTTER = Size(0, 0)

TURNS = ("auto", "never", "always")


class Grid(NamedTuple):
    """The slots of one sheet: `slots` are trim boxes row by row, `angle` how fronts are turned (clockwise).

    `gutter` lies between columns and between rows, `margin` is what the printer leaves unprinted, `bleed` how far
    faces go on beyond their trim, `cut` whether the cards are cut out. Where there is a `fold`, the slots lie on one
    side of it, and the backs on the other. Cards of several sizes lie in `bands` from the top, one for each size; the
    numbers are those of their slots, and all of them are filled; `band_angles` are how the fronts of each are turned.
    There are none where all cards have one size.
    """

    paper: Size
    card: Size
    slots: tuple[Box, ...]
    angle: int
    cut: bool
    label: str
    gutter: Size = NO_GUTTER
    margin: int = 0
    bleed: int = BLEED
    fold: Hinge | None = None
    bands: tuple[int, ...] = ()
    band_angles: tuple[int, ...] = ()

    @property
    def blocks(self) -> tuple[tuple[Box, ...], ...]:
        """The slots of each band; all of them where there is one size."""
        ends = (0, *accumulate(self.bands or (len(self.slots),)))
        return tuple(self.slots[start:end] for start, end in pairwise(ends))

    @property
    def cards(self) -> tuple[Size, ...]:
        """The size of the cards, or those of the bands."""
        if not self.bands:
            return (self.card,)
        lying = [Size(slots[0].width, slots[0].height) for slots in self.blocks]
        return tuple(size.turned if angle else size for size, angle in zip(lying, self.angles, strict=True))

    @property
    def angles(self) -> tuple[int, ...]:
        """How fronts are turned (clockwise), a number for each of the blocks."""
        return self.band_angles or (self.angle,)

    @property
    def columns(self) -> int:
        """The number of cards side by side, where they are most."""
        return max(len({slot.x for slot in slots}) for slots in self.blocks)

    @property
    def rows(self) -> int:
        return len({slot.y for slot in self.slots})

    @property
    def bare(self) -> bool:
        """Says whether the page is the card, and nothing stands around it."""
        return len(self.slots) == 1 and not self.cut


def sheet_grid(
    card: Size,
    stock: Stock,
    paper: Size,
    margin: int = MARGIN,
    gutter: Size = NO_GUTTER,
    turn: str = "auto",
    bleed: int | None = None,
    fold: bool = False,
) -> Grid:
    """Returns the grid that holds most cards of one orientation on the paper, upright where both hold as many.

    `margin`, `gutter` and `bleed` in micrometres; `turn` is `auto`, `never` or `always`; with `fold` fronts and backs
    lie on one side of the paper. A stock with slots brings its own paper. Raises UsageError where not one card fits,
    with both sizes.
    """
    _check(card, margin, gutter, turn, bleed)
    if not stock.cut:
        if fold:
            raise UsageError(
                f"cards on the stock {stock.name} are not folded", "Fold plain paper, or print both sides."
            )
        return _on_slots(card, stock, margin, bleed) if stock.slots else _alone(card, stock, margin, bleed)
    around = BLEED if bleed is None else bleed
    angles = {"auto": (0, 270), "never": (0,), "always": (270,)}[turn]
    areas = print_areas(paper, margin, gutter, around, fold)
    grids = [(area.slots(card if angle == 0 else card.turned), angle, area.fold) for angle in angles for area in areas]
    slots, angle, hinge = max(grids, key=lambda grid: len(grid[0]))
    if not slots:
        raise _too_large(card, areas[0])
    label = f"{stock.label} {paper_label(paper)}, {describe(card)}"
    return Grid(paper, card, slots, angle, True, label, gutter, margin, around, hinge)


def whole_page(size: Size) -> Grid:
    """Returns a page that is the card: a mat or a score sheet, printed by itself."""
    return Grid(size, size, (Box(0, 0, size.width, size.height),), 0, False, paper_label(size))


def mm_text(length: int) -> str:
    """Returns a length in millimetres, as short as it can be said."""
    return f"{length / 1000:g}"


class PrintArea(NamedTuple):
    """The area to be filled: the paper inside its margins, or the half of it that lies left of a fold or above it.

    Nothing lies nearer to the fold than `clear`.
    """

    paper: Size
    margin: int
    gutter: Size
    fold: Hinge | None = None
    clear: int = 0

    @property
    def room(self) -> Size:
        """The room of the cards, with the gutters between them."""
        width, height = self.paper.width - 2 * self.margin, self.paper.height - 2 * self.margin
        if self.fold is None:
            return Size(width, height)
        if self.fold.upright:
            return Size(self.paper.width // 2 - self.margin - self.clear, height)
        return Size(width, self.paper.height // 2 - self.margin - self.clear)

    def columns(self, size: Size) -> int:
        """Returns how many cards of a size have room side by side."""
        return max(0, (self.room.width + self.gutter.width) // (size.width + self.gutter.width))

    def left(self, width: int) -> int:
        """Returns the left edge of a block so wide: in the middle, or close to an upright fold."""
        if self.fold is not None and self.fold.upright:
            return self.paper.width // 2 - self.clear - width
        return (self.paper.width - width) // 2

    def top(self, height: int) -> int:
        """Returns the top of a block so high: in the middle, higher where a footer needs room, or close to a fold."""
        if self.fold is not None and not self.fold.upright:
            return self.paper.height // 2 - self.clear - height
        return max(self.margin, min((self.paper.height - height) // 2, self.paper.height - height - FOOTER))

    def slots(self, size: Size) -> tuple[Box, ...]:
        """As many cards of a size as have room, row by row."""
        columns = self.columns(size)
        rows = max(0, (self.room.height + self.gutter.height) // (size.height + self.gutter.height))
        height = rows * (size.height + self.gutter.height) - self.gutter.height
        return self.in_rows(size, columns, columns * rows, self.top(height))

    def in_rows(self, size: Size, columns: int, count: int, top: int) -> tuple[Box, ...]:
        """Places so many cards of a size in rows of so many columns, from `top` down."""
        step, drop = size.width + self.gutter.width, size.height + self.gutter.height
        left = self.left(min(columns, count) * step - self.gutter.width)
        return tuple(
            Box(left + number % columns * step, top + number // columns * drop, size.width, size.height)
            for number in range(count)
        )


def print_areas(paper: Size, margin: int, gutter: Size, bleed: int, fold: bool = False) -> list[PrintArea]:
    """Returns the ways to fill a paper: one, or where it is folded two, with an upright fold and with a level one."""
    if not fold:
        return [PrintArea(paper, margin, gutter)]
    clear = max(BLEED, bleed) + FOLD_CLEAR
    return [PrintArea(paper, margin, gutter, middle(paper, upright), clear) for upright in (True, False)]


def _too_large(card: Size, area: PrintArea) -> UsageError:
    paper, margin = area.paper, area.margin
    width, height = paper.width - 2 * margin, paper.height - 2 * margin
    room = f"{mm_text(width)} × {mm_text(height)} mm" if min(width, height) > 0 else "nothing"
    what = f"a card of {card} does not fit" + (" beside its back" if area.fold else "")
    paper_text = f"{paper_label(paper)} ({paper})" if paper_label(paper) != describe(paper) else str(paper)
    return UsageError(
        f"{what} on {paper_text}, which leaves {room} inside its margins of {mm_text(margin)} mm",
        "Choose a larger --paper, a smaller --card-size or --margin.",
    )


def _check(card: Size, margin: int, gutter: Size, turn: str, bleed: int | None) -> None:
    if turn not in TURNS:
        raise UsageError(f"there is no turn {turn!r}", did_you_mean(turn, TURNS))
    if min(card.width, card.height) < SMALLEST_CARD:
        least = f"Use at least {mm_text(SMALLEST_CARD)} mm a side."
        raise UsageError(f"a card of {card} is too small to be cut", least)
    lengths = {"margin": margin, "gutter": min(gutter.width, gutter.height), "bleed": bleed or 0}
    for name, length in lengths.items():
        if length < 0:
            raise UsageError(f"the {name} is {mm_text(length)} mm", "Use 0 or more.")


def _alone(card: Size, stock: Stock, margin: int, bleed: int | None) -> Grid:
    """Returns a page for each card, larger by the bleed where one is asked for."""
    around = bleed or 0
    paper = Size(card.width + 2 * around, card.height + 2 * around)
    slots = (Box(around, around, card.width, card.height),)
    return Grid(paper, card, slots, 0, False, f"{stock.label}, {describe(card)}", NO_GUTTER, margin, around)


def _on_slots(card: Size, stock: Stock, margin: int, bleed: int | None) -> Grid:
    assert stock.card is not None and stock.paper is not None
    if card not in (stock.card, stock.card.turned):
        raise UsageError(
            f"the stock {stock.name} gives cards of {stock.card}, not of {card}",
            "Leave out --card-size, or use --stock plain.",
        )
    slot = stock.slots[0]
    angle = 0 if (card.width > card.height) == (slot.width > slot.height) else 270
    around = BLEED if bleed is None else bleed
    return Grid(stock.paper, card, stock.slots, angle, False, stock.label, NO_GUTTER, margin, around)
