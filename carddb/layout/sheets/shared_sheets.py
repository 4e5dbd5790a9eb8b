"""Sheets that are shared by pieces of several sizes.

The pieces of one size are placed in rows of their own, called a band; the hexagons of a band interlock. Bands are
stacked, with room for crop marks between them, so that horizontal cuts go through the whole sheet, and each band is
then cut separately. The result depends only on sizes and counts; lengths are in micrometres.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, islice
from typing import NamedTuple

from carddb.core.units import Box, Size
from carddb.layout.drawing.outline import Outline
from carddb.layout.sheets.crop_marks import band_gap
from carddb.layout.sheets.grid import BLEED, FOOTER, NO_GUTTER, Cutter, Grid, PrintArea, SlotBand, print_areas
from carddb.layout.sheets.imposition import bounds
from carddb.layout.stock import describe, paper_label

Item = tuple[int, int | None]
"""The front and the back of a piece, as indices of faces; None for no back."""


class Batch(NamedTuple):
    """Pieces of one size; with `spares`, their last row is filled up with further copies.

    `size` is the size of an upright piece, `outline` its outline if it is not a plain rectangle, `angle` its rotation
    in degrees clockwise.
    """

    size: Size
    items: tuple[Item, ...]
    spares: bool = False
    angle: int = 0
    outline: Outline | None = None

    @property
    def lying(self) -> Size:
        """The size of a piece after its rotation."""
        return self.size.turned if self.angle else self.size

    def in_rows(self, columns: int) -> tuple[Item, ...]:
        """Returns the pieces in rows of `columns`, the last row filled up with spares if the batch has them."""
        return self.filled(len(self.items) + (-len(self.items) % columns if self.spares else 0))

    def filled(self, count: int) -> tuple[Item, ...]:
        """Returns `count` pieces: those of the batch, then spares, one of each kind by turns."""
        return (*self.items, *islice(cycle(dict.fromkeys(self.items)), count - len(self.items)))


class SharedSheet(NamedTuple):
    """A sheet and the pieces on it, in the order of its slots."""

    grid: Grid
    batches: tuple[Batch, ...]
    items: tuple[Item, ...]


def share_sheets(
    batches: Sequence[Batch],
    paper: Size,
    margin: int,
    gutter: Size = NO_GUTTER,
    bleed: int | None = None,
    fold: bool = False,
    turn: bool = False,
    cutter: Cutter | None = None,
) -> list[SharedSheet]:
    """Returns as few sheets as possible for all batches.

    The tallest pieces are placed first, each batch on the first sheet with room for all its rows; a batch that does not
    fit on any sheet is left out. The paper is turned if that needs fewer sheets, but not for pieces with backs, because
    it is not known how a printer moves the back of a turned sheet. With `fold`, fronts and backs are printed on the
    same side of the paper. With `turn`, pieces may be rotated by 90 degrees if that saves a sheet.
    """
    around = BLEED if bleed is None else bleed
    backed = any(back is not None for batch in batches for _, back in batch.items)
    ways = [paper] if backed else [paper, paper.turned]
    outlines = [batch.outline for batch in batches]
    areas = [area for way in ways for area in print_areas(way, margin, gutter, around, outlines, fold, cutter)]
    turns = (False, True) if turn else (False,)
    plans = [_plan(batches, _Sheet(area), may_turn) for may_turn in turns for area in areas]
    return min(plans, key=lambda plan: len(plan) - sum(len(sheet.batches) for sheet in plan))


class _Sheet(NamedTuple):
    """An empty sheet, which can be filled with batches."""

    area: PrintArea

    def best_way(self, batch: Batch, may_turn: bool) -> Batch | None:
        """Returns the batch, rotated so that it takes the least height; None if it does not fit on the sheet at all."""
        ways = [batch, batch._replace(angle=270)] if may_turn else [batch]
        fitting = [way for way in ways if self._band(way) and self.height([way]) <= self.area.room.height]
        return min(fitting, key=lambda way: self.height([way]), default=None)

    def height(self, batches: Sequence[Batch]) -> int:
        """Returns the height that the batches take when one is below the other, in micrometres."""
        rows = sum(bounds(self._band(batch)).height for batch in batches)
        return rows + (len(batches) - 1) * band_gap(self.area.bleed)

    def filled(self, batches: tuple[Batch, ...]) -> SharedSheet:
        """Returns the sheet with these batches stacked from its top, so that the rest of the paper is in one piece."""
        items: list[Item] = []
        bands: list[SlotBand] = []
        area, height = self.area, self.height(batches)
        y = max(area.margin, min((area.paper.height - height) // 2, FOOTER))
        if area.edges or (area.fold is not None and not area.fold.upright):
            y = area.top(height)
        for batch in batches:
            slots = self._band(batch, y)
            bands.append(SlotBand(slots, batch.angle, batch.outline))
            items += batch.filled(len(slots))
            y = bounds(slots).bottom + band_gap(area.bleed)
        sizes = ", ".join(dict.fromkeys(describe(batch.size) for batch in batches))
        grid = area.grid(tuple(bands), f"Plain {paper_label(area.paper)}, {sizes}")
        return SharedSheet(grid, batches, tuple(items))

    def _band(self, batch: Batch, top: int = 0) -> tuple[Box, ...]:
        """Returns the slots of a batch in the fewest rows, from `top` down; none if a row has no room for a piece."""
        if batch.outline and batch.outline.nests:
            count, spares = len(batch.items), batch.spares
            return self.area.nested(batch.size, batch.outline.nests, batch.angle, count, spares, top)
        columns = self.area.columns(batch.lying)
        return self.area.in_rows(batch.lying, columns, len(batch.in_rows(columns)), top) if columns else ()


def _plan(batches: Sequence[Batch], sheet: _Sheet, may_turn: bool) -> list[SharedSheet]:
    sheets: list[list[Batch]] = []
    lying = [way for batch in batches if (way := sheet.best_way(batch, may_turn))]
    for batch in sorted(lying, key=lambda each: (-each.lying.height, -each.lying.width)):
        fitting = (each for each in sheets if sheet.height([*each, batch]) <= sheet.area.room.height)
        if first := next(fitting, None):
            first.append(batch)
        else:
            sheets.append([batch])
    return [sheet.filled(tuple(each)) for each in sheets]
