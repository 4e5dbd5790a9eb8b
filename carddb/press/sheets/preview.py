"""What a print job will be, before anything is drawn: sheets, slots, cuts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from carddb.cards.cards import Card
from carddb.core.units import Size
from carddb.games import Game
from carddb.layout.sheets.cut_order import Cut, cut_order
from carddb.layout.sheets.grid import Grid
from carddb.layout.sheets.imposition import Page
from carddb.layout.sheets.print_instructions import has_ruler
from carddb.layout.stock import card_size
from carddb.press.faces.face_templates import reverse_of, templates_of
from carddb.press.sheets.card_sheets import CardCopy, printed_type_sizes, sheet_blocks
from carddb.press.sheets.options import SheetOptions, target_size


@dataclass(frozen=True, slots=True)
class PrintPreview:
    """Sheets of a job that are alike, as `options` have it; `flip` is `none` where nothing comes on the other side.

    They have cards of one size, or are one sheet that several sizes share. `further` are those after them.
    """

    grid: Grid
    cards: int
    flip: str
    options: SheetOptions
    further: tuple[PrintPreview, ...] = ()

    @property
    def parts(self) -> tuple[PrintPreview, ...]:
        """All sheets of the job, these first, in the order in which they are printed."""
        return (self, *self.further)

    @property
    def sizes(self) -> tuple[Size, ...]:
        """The sizes of all cards of the job, each once."""
        return tuple(dict.fromkeys(size for part in self.parts for size in part.grid.cards))

    @property
    def all_cards(self) -> int:
        return sum(part.cards for part in self.parts)

    @property
    def all_sheets(self) -> int:
        return sum(part.sheets for part in self.parts)

    @property
    def numbered_parts(self) -> list[tuple[int, PrintPreview]]:
        """The parts with the number of the first sheet of each, from 1."""
        before = accumulate((part.sheets for part in self.parts), initial=1)
        return list(zip(before, self.parts, strict=False))

    def part_with(self, sheet: int) -> PrintPreview | None:
        """The part that has a sheet, counted from 1; None where there is no such sheet."""
        if sheet > self.all_sheets:
            return None
        return next((part for first, part in reversed(self.numbered_parts) if first <= sheet), None)

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
    two_sided = options.flip != "none" or options.fold
    groups: dict[Size, list[CardCopy]] = {}
    for card, count in copies:
        back = 0 if two_sided and (templates_of(game, card)[1] or reverse_of(game.spec, card)) else None
        groups.setdefault(sizes.get(card.type, usual), []).extend([(0, back)] * count)
    backed = any(back is not None for group in groups.values() for _, back in group)
    flip = options.flip if backed and not options.fold else "none"
    first, *further = sheet_blocks(groups or {usual: []}, options)
    others = tuple(PrintPreview(grid, len(items), flip, options) for grid, items in further)
    return PrintPreview(first[0], len(first[1]), flip, options, others)
