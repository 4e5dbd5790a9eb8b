"""What a print job will be, before anything is drawn: sheets, slots, cuts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from carddb.cards import Card
from carddb.games import Game
from carddb.layout.cut_order import Cut, cut_order
from carddb.layout.imposition import Page
from carddb.layout.print_instructions import has_ruler
from carddb.layout.sheet_grid import Grid, sheet_grid
from carddb.layout.stock import card_size, paper_size, stock_named
from carddb.press.card_sheets import largest_first, printed_type_sizes
from carddb.press.face_templates import templates_of
from carddb.press.reverse_face import reverse_of
from carddb.press.sheet_options import SheetOptions, target_size
from carddb.units import Size


@dataclass(frozen=True, slots=True)
class PrintPreview:
    """The cards of one size of a job, as `options` have it; `flip` is `none` where nothing comes on the other side.

    `further` are those of other sizes, which lie on sheets of their own.
    """

    grid: Grid
    cards: int
    flip: str
    options: SheetOptions
    further: tuple[PrintPreview, ...] = ()

    @property
    def sizes(self) -> tuple[PrintPreview, ...]:
        """The cards of every size, this one first; their sheets follow one another in this order."""
        return (self, *self.further)

    @property
    def all_cards(self) -> int:
        return sum(size.cards for size in self.sizes)

    @property
    def all_sheets(self) -> int:
        return sum(size.sheets for size in self.sizes)

    @property
    def blocks(self) -> list[tuple[int, PrintPreview]]:
        """The sizes with the number of the first sheet of each, from 1."""
        before = accumulate((size.sheets for size in self.sizes), initial=1)
        return list(zip(before, self.sizes, strict=False))

    def size_on(self, sheet: int) -> PrintPreview | None:
        """The cards of the size that lies on a sheet, counted from 1; None where there is no such sheet."""
        if sheet > self.all_sheets:
            return None
        return next((size for first, size in reversed(self.blocks) if first <= sheet), None)

    @property
    def per_sheet(self) -> int:
        return len(self.grid.slots)

    @property
    def sheets(self) -> int:
        return -(-self.cards // self.per_sheet)

    @property
    def on_last(self) -> int:
        """How many cards the last sheet has."""
        return self.cards - (self.sheets - 1) * self.per_sheet

    @property
    def pages(self) -> int:
        return self.sheets * (1 if self.flip == "none" else 2)

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """The cuts of the first sheet."""
        return cut_order(self.grid, min(self.cards, self.per_sheet))

    @property
    def cuts_of_last(self) -> int:
        return len(cut_order(self.grid, self.on_last))

    @property
    def ruler(self) -> bool:
        """Whether there is room for a ruler."""
        filled = min(self.cards, self.per_sheet)
        page = Page(self.grid, "front", 1, self.sheets, self.grid.slots, filled, (), flip=self.flip)
        return has_ruler(page, self.options.marking)


def print_preview(game: Game, copies: Sequence[tuple[Card, int]], options: SheetOptions) -> PrintPreview:
    """What printing so many copies of cards will come to. Raises UsageError for unknown names and cards too large."""
    usual = target_size(card_size(game.spec.card_size), options)
    sizes = printed_type_sizes(game.spec, options)
    counts: Counter[Size] = Counter()
    for card, count in copies:
        counts[sizes.get(card.type, usual)] += count
    stock, paper = stock_named(options.stock), paper_size(options.paper)
    backed = any(templates_of(game, card)[1] or reverse_of(game.spec, card) for card, _ in copies)
    flip = options.flip if backed and not options.fold else "none"

    def preview(size: Size) -> PrintPreview:
        grid = sheet_grid(size, stock, paper, options.margin, options.gutter, bleed=options.bleed, fold=options.fold)
        return PrintPreview(grid, counts[size], flip, options)

    first, *further = map(preview, largest_first(counts) or [usual])
    return replace(first, further=tuple(further))
