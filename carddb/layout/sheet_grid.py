"""The slots of a sheet: as many cards of one size as its paper holds.

A pure function of sizes. Everything is whole micrometres, y downwards from the top left of the paper; no length is
rounded, so a grid that exactly fills its paper keeps its last column.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import NamedTuple

from carddb.errors import UsageError
from carddb.layout.flip import Hinge, middle
from carddb.layout.stock import Stock, describe, paper_label
from carddb.names import did_you_mean
from carddb.units import Box, Size

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
    numbers are those of their slots, and all of them are filled. There are none where all cards have one size.
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

    @property
    def blocks(self) -> tuple[tuple[Box, ...], ...]:
        """The slots of each band; all of them where there is one size."""
        ends = (0, *accumulate(self.bands or (len(self.slots),)))
        return tuple(self.slots[start:end] for start, end in pairwise(ends))

    @property
    def columns(self) -> int:
        return len({slot.x for slot in self.slots})

    @property
    def rows(self) -> int:
        return len({slot.y for slot in self.slots})

    @property
    def bare(self) -> bool:
        """Whether the page is the card, and nothing stands around it."""
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
    """The grid that holds most cards of one orientation on the paper, upright where both hold as many.

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
    parts = [_PrintArea(paper, margin, gutter)]
    if fold:
        clear = max(BLEED, around) + FOLD_CLEAR
        parts = [_PrintArea(paper, margin, gutter, middle(paper, upright), clear) for upright in (True, False)]
    grids = [(part.slots(card if angle == 0 else card.turned), angle, part.fold) for angle in angles for part in parts]
    slots, angle, hinge = max(grids, key=lambda grid: len(grid[0]))
    if not slots:
        raise _too_large(card, parts[0])
    label = f"{stock.label} {paper_label(paper)}, {describe(card)}"
    return Grid(paper, card, slots, angle, True, label, gutter, margin, around, hinge)


def whole_page(size: Size) -> Grid:
    """A page that is the card: a mat or a score sheet, printed by itself."""
    return Grid(size, size, (Box(0, 0, size.width, size.height),), 0, False, paper_label(size))


def mm_text(length: int) -> str:
    """A length in millimetres, as short as it can be said."""
    return f"{length / 1000:g}"


class _PrintArea(NamedTuple):
    """What is to be filled: the paper inside its margins, or the half of it that lies left of a fold or above it."""

    paper: Size
    margin: int
    gutter: Size
    fold: Hinge | None = None
    clear: int = 0

    def slots(self, size: Size) -> tuple[Box, ...]:
        """Row by row: centred, moved up where a footer needs the room, and close to a fold where there is one."""
        across = self.fold is not None and self.fold.upright
        down = self.fold is not None and not self.fold.upright
        paper, gutter = self.paper, self.gutter
        columns, width = self._fill(paper.width, size.width, gutter.width, across)
        rows, height = self._fill(paper.height, size.height, gutter.height, down)
        left = paper.width // 2 - self.clear - width if across else (paper.width - width) // 2
        top = max(self.margin, min((paper.height - height) // 2, paper.height - height - FOOTER))
        if down:
            top = paper.height // 2 - self.clear - height
        step, drop = size.width + gutter.width, size.height + gutter.height
        return tuple(
            Box(left + column * step, top + row * drop, size.width, size.height)
            for row in range(rows)
            for column in range(columns)
        )

    def _fill(self, paper: int, card: int, gutter: int, halved: bool) -> tuple[int, int]:
        """How many cards stand side by side, and what they take."""
        room = paper // 2 - self.margin - self.clear if halved else paper - 2 * self.margin
        count = max(0, (room + gutter) // (card + gutter))
        return count, count * (card + gutter) - gutter


def _too_large(card: Size, part: _PrintArea) -> UsageError:
    paper, margin = part.paper, part.margin
    room = f"{mm_text(paper.width - 2 * margin)} × {mm_text(paper.height - 2 * margin)} mm"
    what = f"a card of {card} does not fit" + (" beside its back" if part.fold else "")
    paper_text = f"{paper_label(paper)} ({paper})" if paper_label(paper) != describe(paper) else str(paper)
    return UsageError(
        f"{what} on {paper_text}, which leaves {room} inside its margins",
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
    """A page for each card, larger by the bleed where one is asked for."""
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
