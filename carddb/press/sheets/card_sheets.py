"""How copies of cards lie on sheets, before any face is drawn.

Those of one size lie together, sheet by sheet. What is left of several sizes shares sheets where that saves some.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from carddb.cards.cards import Card
from carddb.core.units import Size
from carddb.game.game import GameSpec
from carddb.layout.sheets.grid import Grid, sheet_grid
from carddb.layout.sheets.imposition import Page, bled_into_gaps, impose
from carddb.layout.sheets.shared_sheets import Batch, share_sheets
from carddb.layout.stock import card_size, describe, paper_size, stock_named
from carddb.press.faces.bank import FaceBank
from carddb.press.faces.cache import FaceCache
from carddb.press.faces.face_templates import own_sizes
from carddb.press.faces.workshop import Workshop
from carddb.press.sheets.options import SheetOptions, target_size

CardCopy = tuple[int, int | None]
"""A copy of a card: the numbers of its front and its back."""

Block = tuple[Grid, Sequence[CardCopy]]
"""Sheets that are alike: their grid, and the copies that fill them."""


@dataclass(frozen=True, slots=True)
class CardSheets:
    """The sheets of a job: `copies` in the order of the selection, `blocks` in the order in which they are printed."""

    copies: Sequence[CardCopy]
    blocks: Sequence[Block]
    options: SheetOptions

    @property
    def two_sided(self) -> bool:
        return not self.options.fold and any(back is not None for _, back in self.copies)

    @property
    def sheet_count(self) -> int:
        return sum(-(-len(copies) // len(grid.slots)) for grid, copies in self.blocks)

    @property
    def page_count(self) -> int:
        return self.sheet_count * (2 if self.two_sided else 1)

    @property
    def paper(self) -> Size:
        """What is printed on: that of the options, or the stock's own."""
        return self.blocks[0][0].paper

    @property
    def label(self) -> str:
        """Stock, paper and card size; where cards have several sizes, all of them."""
        if not self.blocks:
            return ""
        first, *others = (grid for grid, _ in self.blocks)
        sizes = dict.fromkeys(size for grid in others for size in grid.cards if size not in first.cards)
        return ", ".join([first.label, *map(describe, sizes)])

    @property
    def faces(self) -> list[int]:
        """The numbers of all faces that are printed, each as often as it is."""
        return _faces(self.copies)

    @property
    def bare_faces(self) -> list[int]:
        """The numbers of faces that are a page of their own, each once."""
        return sorted({face for grid, copies in self.blocks if grid.bare for face in _faces(copies)})

    def pages(self) -> Iterator[Page]:
        """Sheet by sheet, counted through; each has a back, if a blank one, where any has one.

        A printer that prints both sides would else put the next front on the back of a sheet that has none.
        """
        printer, two_sided = self.options.printer, self.two_sided
        flip = self.options.flip if two_sided else "none"
        number, total = 0, self.sheet_count
        for grid, copies in self.blocks:
            for start in range(0, len(copies), len(grid.slots)):
                number += 1
                sides = impose(copies[start : start + len(grid.slots)], grid, self.options.flip)
                if two_sided and len(sides) == 1:
                    sides.append(sides[0]._replace(side="back", filled=0, placed=()))
                for side in map(bled_into_gaps, sides) if grid.bands else sides:
                    page = side._replace(number=number, total=total, flip=flip)
                    yield printer.corrected(page) if printer else page


def _faces(copies: Sequence[CardCopy]) -> list[int]:
    return [number for copy in copies for number in copy if number is not None]


def card_sheets(bank: FaceBank, copies: Sequence[tuple[Card, int]], options: SheetOptions) -> CardSheets:
    """The sheets with every copy of every card; the selection's order is kept within a size.

    Raises UsageError for unknown names and for cards that do not fit the paper.
    """
    numbered = [copy for card, count in copies for copy in [sides(bank, card, options)] * count]
    groups: dict[Size, list[CardCopy]] = {}
    for copy in numbered:
        groups.setdefault(bank.size_of(copy[0]), []).append(copy)
    return CardSheets(numbered, sheet_blocks(groups, options), options)


def sheet_blocks(groups: Mapping[Size, Sequence[CardCopy]], options: SheetOptions) -> list[Block]:
    """The sheets of each size, the largest cards first, then those that several sizes share.

    Raises UsageError for unknown names and for cards that do not fit the paper.
    """
    apart: list[Block] = [(_grid(size, options), groups[size]) for size in largest_first(groups)]
    rests = [Batch(grid.card, tuple(copies[_filling(grid, copies) :])) for grid, copies in apart if grid.cut]
    sheets = share_sheets(
        [rest for rest in rests if rest.items],
        paper_size(options.paper), options.margin, options.gutter, options.bleed, options.fold, turn=True,
    )  # fmt: skip
    shared = [sheet for sheet in sheets if len(sheet.batches) > 1]
    sharing = {batch.size for sheet in shared for batch in sheet.batches}
    own = [(grid, copies[: _filling(grid, copies)] if grid.card in sharing else copies) for grid, copies in apart]
    return [
        *(block for block in own if block[1] or block[0].card not in sharing),
        *((sheet.grid, sheet.items) for sheet in shared),
    ]


def _filling(grid: Grid, copies: Sequence[CardCopy]) -> int:
    """How many copies fill whole sheets."""
    return len(copies) - len(copies) % len(grid.slots)


def largest_first(sizes: Iterable[Size]) -> list[Size]:
    """Sizes in the order in which their sheets are printed."""
    return sorted(sizes, key=lambda size: (-size.width * size.height, size.width))


def sides(bank: FaceBank, card: Card, options: SheetOptions) -> CardCopy:
    """The faces of a card that are printed."""
    both = options.fold or options.flip != "none"
    return bank.front(card), bank.back(card) if both else None


def face_bank(
    workshop: Workshop, options: SheetOptions, *, lenient: bool = False, cache: FaceCache | None = None
) -> FaceBank:
    """An empty bank that draws faces at the size these options ask for. Raises UsageError for unknown names."""
    natural = card_size(workshop.game.spec.card_size)
    size = target_size(natural, options)
    own = printed_type_sizes(workshop.game.spec, options)
    natural_or_none = None if size == natural else size
    return FaceBank(workshop, natural_or_none, options.ink, lenient=lenient, type_sizes=own, cache=cache)


def printed_type_sizes(spec: GameSpec, options: SheetOptions) -> dict[str, Size]:
    """The sizes at which cards of types with a size of their own are printed; that of the options is for the others."""
    natural = options._replace(card_size="")
    return {key: target_size(size, natural) for key, size in own_sizes(spec).items()}


def _grid(size: Size, options: SheetOptions) -> Grid:
    return sheet_grid(
        size, stock_named(options.stock), paper_size(options.paper), options.margin, options.gutter,
        bleed=options.bleed, fold=options.fold,
    )  # fmt: skip
