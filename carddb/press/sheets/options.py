"""The options that a caller chooses for printing sheets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from carddb.core.units import Size
from carddb.layout.calibration import Printer
from carddb.layout.drawing.outline import Outline, rectangle
from carddb.layout.sheets.crop_marks import EDGES, Marking
from carddb.layout.sheets.grid import MARGIN, NO_GUTTER, Cutter, Grid, sheet_grid
from carddb.layout.sheets.shared_sheets import Batch, SharedSheet, share_sheets
from carddb.layout.stock import Stock, card_on, card_size, paper_size, stock_named
from carddb.paint.pdf.prepress import Standard


class PieceKind(NamedTuple):
    """A kind of pieces that share sheets: their size, and their outline, None for plain rectangles."""

    size: Size
    outline: Outline | None = None


class Press(NamedTuple):
    """A printing press: its ICC colour profile, the standard of files for it, and the greatest total ink in percent.

    If `standard` or `ink_limit` is None, the value of the print shop is used, or else the usual value.
    """

    profile: bytes
    standard: Standard | None = None
    ink_limit: int | None = None


class SheetOptions(NamedTuple):
    """The options for printing. Lengths are in micrometres, and `creation` is in seconds since 1970.

    `gutter` is the space between columns and between rows. `bleed` is None if the stock decides it; `back_bleed` is the
    bleed of backs if it is greater than that. `cutter` is the machine that cuts the sheets, and `corner` the radius of
    the corners that it cuts, None for a radius that suits the size. The places in `skip`, counted from 1, stay empty.
    `unprinted` is the width of the edge on which the printer cannot print, 0 if unknown. `lang` is the language of the
    texts, empty for the game's own. `art_dpi` is the resolution of pictures; with `tight`, no picture has a higher one.
    `most_bytes` is the greatest size of the file, 0 for any. `stamp` is a text in the margin of every page. `processes`
    is the number of processes that may draw the faces of a large job, on systems where a process can be forked safely;
    the file is the same with any number. With a `press`, colours are in the inks of its profile instead of RGB.
    """

    paper: str = "letter"
    stock: str = "plain"
    card_size: str = ""
    margin: int = MARGIN
    unprinted: int = 0
    gutter: Size = NO_GUTTER
    bleed: int | None = None
    fold: bool = False
    marking: Marking = EDGES
    flip: str = "long-edge"
    lang: str = ""
    creation: int = 0
    art_dpi: int = 300
    tight: bool = False
    most_bytes: int = 0
    printer: Printer | None = None
    ink: str = "full"
    stamp: str = ""
    processes: int = 1
    back_bleed: int = 0
    cutter: Cutter | None = None
    corner: int | None = None
    skip: tuple[int, ...] = ()
    press: Press | None = None

    def outline(self, size: Size, own: Outline | None) -> Outline | None:
        """Returns the outline to cut along: `own` if given, a rounded rectangle for a cutter, otherwise None."""
        return own or (rectangle(size, self.corner) if self.cutter else None)

    def grid(self, kind: PieceKind, stock: Stock, fold: bool, piece: str = "a card") -> Grid:
        """Returns the places for pieces of one kind. Raises UsageError if none fits; it calls the pieces `piece`."""
        grid = sheet_grid(
            kind.size, stock, paper_size(self.paper), self.margin, self.gutter, bleed=self.bleed, fold=fold,
            outline=kind.outline, cutter=self.cutter, piece=piece,
        )  # fmt: skip
        return grid.without(self.skip)._replace(back_bleed=self.back_bleed)

    def shared(self, batches: Sequence[Batch], fold: bool = False, turn: bool = False) -> list[SharedSheet]:
        """Returns sheets on which several kinds of pieces lie to save paper; none if `skip` names places."""
        if self.skip:  # the numbers of places mean other positions for each kind
            return []
        sheets = share_sheets(
            batches, paper_size(self.paper), self.margin, self.gutter, self.bleed, fold, turn, self.cutter
        )
        return [sheet._replace(grid=sheet.grid._replace(back_bleed=self.back_bleed)) for sheet in sheets]


def target_size(natural: Size, options: SheetOptions) -> Size:
    """Returns the size at which a card is printed. Raises UsageError for unknown names."""
    chosen = card_size(options.card_size) if options.card_size else None
    return card_on(stock_named(options.stock), natural, chosen)
