"""The lines along which a machine cuts, scores and perforates a printed sheet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from carddb.core.units import Size
from carddb.layout.drawing.outline import Line, rectangle
from carddb.layout.sheets.imposition import Page, placed_outlines


class CutSheet(NamedTuple):
    """The lines of a sheet in micrometres from its top left corner, seen from its front, in three layers."""

    size: Size
    cut: tuple[Line, ...]
    score: tuple[Line, ...] = ()
    perforate: tuple[Line, ...] = ()

    @property
    def layers(self) -> dict[str, tuple[Line, ...]]:
        """The layers by name, in the order in which a machine works on them."""
        return {"score": self.score, "perforate": self.perforate, "cut": self.cut}


def cut_sheet(page: Page) -> CutSheet:
    """Returns the lines of the pieces on a front, from the places where they are printed.

    A correction for a printer is left out, because it makes the print fit these places.
    """
    outlines = [
        outline or rectangle(Size(slot.width, slot.height), 0).moved((1, 0, 0, 1, slot.x, slot.y))
        for slot, outline in zip(page.slots[: page.filled], placed_outlines(page.grid), strict=False)
    ]
    score = tuple(line for outline in outlines for line in outline.folds)
    perforate = tuple(line for outline in outlines for line in outline.perforations)
    return CutSheet(page.size, tuple(outline.path for outline in outlines), score, perforate)


def cut_sheets(pages: Iterable[Page], by_hand: bool = False) -> dict[CutSheet, list[int]]:
    """Returns the sheets that a machine cuts, each with the numbers of all sheets that have the same lines.

    With `by_hand`, these are also the sheets that no machine was chosen for.
    """
    sheets: dict[CutSheet, list[int]] = {}
    for page in pages:
        if page.side == "front" and (by_hand or page.grid.cutter) and page.filled:
            sheets.setdefault(cut_sheet(page), []).append(page.number)
    return sheets
