"""Arranges the pieces of components on sheets, grouped by material and by printed sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal, NamedTuple

from carddb.core.errors import UsageError
from carddb.core.groups import grouped, totals
from carddb.core.units import Box, Size, mm, to_mm
from carddb.game.parts import ComponentSpec
from carddb.layout.drawing.outline import Outline
from carddb.layout.sheets.grid import BLEED, NO_GUTTER, Grid, SlotBand, whole_page
from carddb.layout.sheets.imposition import Page, bled_into_gaps, impose, tiles
from carddb.layout.sheets.shared_sheets import Batch, Item
from carddb.layout.stock import PAPERS, STOCKS, card_size, paper_label, paper_size, stock_named
from carddb.press.components.selection import SelectedComponent
from carddb.press.faces.bank import FaceBank
from carddb.press.sheets.card_sheets import in_mosaics
from carddb.press.sheets.options import PieceKind, SheetOptions

_TRIMMED = mm(20)
"""The total width of the two opposite margins that a page-sized face leaves empty."""
TOKEN, _CARD = mm(40), mm(210)
"""The greatest width of pieces cut from thick card, and the greatest length of pieces cut from card."""

PAPER = "paper"


Sides = Literal["one side", "to fold", "both sides"]
"""The ways to print a sheet. A sheet to fold is printed on one side."""
_ORDER: Sequence[Sides] = ("one side", "to fold", "both sides")


@dataclass(frozen=True, slots=True)
class PrintedPiece:
    """A piece to print: its component with the key, the numbers of its front and back faces, and the number of copies.

    `mosaic` is how many pieces across and down form one picture.
    """

    key: str
    component: ComponentSpec
    front: int
    back: int | None
    copies: int
    outline: Outline | None = None
    mosaic: tuple[int, int] = (1, 1)


class PrintRun(NamedTuple):
    """Sheets that are printed in one go, on one material and with the same sides."""

    material: str
    sides: Sides
    pages: tuple[Page, ...]

    @property
    def sheets(self) -> int:
        """The number of sheets of paper or card."""
        return _sheets(self.pages)


def component_pieces(
    bank: FaceBank, part: SelectedComponent, players: int, deck: Mapping[str, Any], options: SheetOptions
) -> Iterable[PrintedPiece]:
    """Yields a piece for each card or face of a component. Pieces of the game's card size get `options.card_size`."""
    spec, component = bank.workshop.game.spec, part.component
    card_sized = not component.size or card_size(component.size) == card_size(spec.card_size)
    bank.size = card_size(options.card_size) if card_sized and options.card_size else None
    copies = part.copies(players)
    for card in part.cards:
        front = bank.front(card)
        mosaic = spec.types[card.type].mosaic
        yield PrintedPiece(part.key, component, front, bank.back(card), copies, bank.outline_of(front), mosaic)
    for number, row in enumerate(part.rows(players)):
        extra = {**row, "deck": deck, "paper_width": to_mm(paper_size(options.paper).width)}
        front = bank.plain(component.template, extra, f"{part.key} {number}", shape=component.shape)
        back = None
        if component.back:
            back = front if component.back == "same" else bank.plain(component.back, extra, f"{part.key} {number}")
        yield PrintedPiece(part.key, component, front, back, copies, bank.outline_of(front))
    bank.size = None


def material_of(component: ComponentSpec, size: Size) -> str:
    """Returns the material of a component: the one that it specifies, otherwise one that suits its `size`."""
    if component.on:
        return component.on
    short, long = sorted((size.width, size.height))
    return "thick card" if short <= TOKEN else "card" if long <= _CARD else PAPER


def print_runs(bank: FaceBank, pieces: Iterable[PrintedPiece], options: SheetOptions) -> list[PrintRun]:
    """Returns sheets for all pieces, one-sided first, and paper before others. Raises UsageError if one is too big."""
    by_material = grouped((material_of(piece.component, bank.size_of(piece.front)), piece) for piece in pieces)
    runs = [
        PrintRun(material, sides, tuple(pages))
        for material in dict.fromkeys((PAPER, *by_material))
        for sides, pages in _by_sides(bank, by_material[material], options).items()
        if pages
    ]
    return sorted(runs, key=lambda run: _ORDER.index(run.sides))


def spares(runs: Iterable[PrintRun], pieces: Sequence[PrintedPiece]) -> Counter[int]:
    """Returns, by number, how many spare copies of each front fill places on sheets that would otherwise be empty."""
    fronts = (page for run in runs for page in run.pages if page.side == "front" and run.sides != "to fold")
    placed = Counter(each.face for page in fronts for each in page.placed if each.clip.contains(each.box))
    return placed - totals((piece.front, piece.copies) for piece in pieces)


def _by_sides(bank: FaceBank, pieces: Sequence[PrintedPiece], options: SheetOptions) -> dict[Sides, list[Page]]:
    """Returns the pages for pieces of one material, by the way in which their sheets are printed.

    Pieces with and without a back share sheets only if that saves a sheet.
    """
    with_back = [piece for piece in pieces if piece.back is not None]
    folded = with_back if options.fold else []
    backed = with_back if options.flip != "none" and not options.fold else []
    plain = [piece for piece in pieces if piece not in backed and piece not in folded]
    apart = [*_pages(bank, plain, options), *_pages(bank, backed, options)]
    together = _pages(bank, [*backed, *plain], options)
    chosen = together if _sheets(together) < _sheets(apart) else apart
    return {
        "one side": [page for page in chosen if page.flip == "none"],
        "to fold": _pages(bank, folded, options, fold=True),
        "both sides": [page for page in chosen if page.flip != "none"],
    }


def _sheets(pages: Iterable[Page]) -> int:
    return sum(page.side == "front" for page in pages)


def _pages(bank: FaceBank, pieces: Sequence[PrintedPiece], options: SheetOptions, fold: bool = False) -> list[Page]:
    """Returns the pages for pieces: page-sized pieces and maps on pages of their own, all others on sheets to cut.

    A sheet whose back would be empty is printed on one side.
    """
    by_size = grouped(((bank.size_of(piece.front), piece.component.tile), piece) for piece in pieces)
    pages: list[Page] = []
    cut: list[tuple[PieceKind, PrintedPiece]] = []
    for (size, _), group in by_size.items():
        whole = _whole_pages(size, group, options)
        if whole is None:
            cut += [(PieceKind(size, options.outline(size, piece.outline)), piece) for piece in group]
        else:
            pages += whole
    kept: list[Page] = []
    for page in (*pages, *_cut_pages(bank, grouped(cut), options, fold)):
        if page.side == "front" or page.placed:
            kept.append(page)
        else:
            kept[-1] = kept[-1]._replace(flip="none")
    return kept


def _whole_pages(size: Size, pieces: Sequence[PrintedPiece], options: SheetOptions) -> list[Page] | None:
    """Returns the pages for pieces of one size that are not cut from sheets; None if they are.

    Page-sized pieces are printed one or two on a page, a larger map as tiles on several pages.
    """
    paper, component = paper_size(options.paper), pieces[0].component
    if size in (paper, paper.turned):
        return impose(_items(pieces), whole_page(size), options.flip)
    if size in PAPERS.values() and (grid := _two_up(size, paper)):
        return impose(Batch(size, tuple(_items(pieces)), spares=True).in_rows(2), grid, options.flip)
    if size in PAPERS.values() and _nearly(size, paper):
        middle = Box((paper.width - size.width) // 2, (paper.height - size.height) // 2, size.width, size.height)
        pages = impose(_items(pieces), whole_page(paper), options.flip)
        return [page._replace(placed=tuple(each._replace(box=middle) for each in page.placed)) for page in pages]
    if component.tile:
        return tiles([front for front, _ in _items(pieces)], size, paper, options.margin, component.seams)
    return None


def _cut_pages(
    bank: FaceBank, by_kind: Mapping[PieceKind, Sequence[PrintedPiece]], options: SheetOptions, fold: bool
) -> list[Page]:
    """Returns full sheets of each kind, then sheets of remaining pieces, which several kinds share if that saves paper.

    If a piece is coloured up to its edge, all pieces get a gutter for the bleed.
    """
    numbers = {number for pieces in by_kind.values() for piece in pieces for number in (piece.front, piece.back)}
    if options.gutter == NO_GUTTER and any(number is not None and bank.has_tinted_edge(number) for number in numbers):
        gutter = 2 * (BLEED if options.bleed is None else options.bleed)
        options = options._replace(gutter=Size(gutter, gutter))
    pages: list[Page] = []
    rests: dict[PieceKind, tuple[Grid, Batch]] = {}
    for kind, pieces in by_kind.items():
        grid = _grid(kind, pieces[0], options, fold)
        items = in_mosaics(_items(pieces), {piece.front: piece.mosaic for piece in pieces}, grid)
        shared = grid.cut and not fold
        whole = len(items) - len(items) % len(grid.slots) if shared else len(items)
        pages += impose(items[:whole], grid, options.flip)
        if items[whole:]:
            rests[kind] = grid, Batch(kind.size, tuple(items[whole:]), min(kind.size) <= TOKEN, outline=kind.outline)
    for sheet in options.shared([batch for _, batch in rests.values()]):
        if sheet.grid.is_shared:
            pages += impose(sheet.items, sheet.grid, options.flip)
            rests = {kind: rest for kind, rest in rests.items() if rest[1] not in sheet.batches}
    for kind, (grid, batch) in rests.items():
        two_up = grid.cut and not fold and len(grid.slots) == 2
        rows = batch._replace(spares=True).in_rows(2) if two_up else _in_rows(batch, by_kind[kind], grid)
        pages += impose(rows[: len(grid.slots)], grid, options.flip)
    return [bled_into_gaps(page) if page.grid.cut else page for page in pages]


def _in_rows(batch: Batch, pieces: Iterable[PrintedPiece], grid: Grid) -> tuple[Item, ...]:
    """Returns a batch's pieces with spares, which fill the last row of each component or, for lack of room, of all."""
    keys = {piece.front: piece.key for piece in pieces}
    parts = (batch._replace(items=tuple(some)) for _, some in groupby(batch.items, lambda item: keys[item[0]]))
    rows = tuple(item for part in parts for item in part.in_rows(grid.columns))
    return rows if len(rows) <= len(grid.slots) else batch.in_rows(grid.columns)


def _grid(kind: PieceKind, piece: PrintedPiece, options: SheetOptions, fold: bool) -> Grid:
    """Returns the grid of a sheet for pieces of one kind. Raises UsageError if not even one piece fits."""
    stock = stock_named(options.stock)
    if stock.card and stock.card not in (kind.size, kind.size.turned):
        stock = STOCKS["plain"]
    try:
        return options.grid(kind, stock, fold, "a piece" if piece.component.size else "a card")
    except UsageError as fault:
        label = piece.component.label or piece.key
        raise UsageError(f"{label}: {fault.message}", fault.remedy) from fault


def _items(pieces: Iterable[PrintedPiece]) -> list[Item]:
    return [(piece.front, piece.back) for piece in pieces for _ in range(piece.copies)]


def _two_up(size: Size, paper: Size) -> Grid | None:
    """Returns the grid for two page-sized pieces on paper about twice as large; None if they do not fit."""
    sheet = paper if paper.height >= paper.width else paper.turned
    lying = size if size.width >= size.height else size.turned
    if not _nearly(Size(lying.width, 2 * lying.height), sheet):
        return None
    x, y = (sheet.width - lying.width) // 2, sheet.height // 2
    slots = tuple(Box(x, top, lying.width, lying.height) for top in (y - lying.height, y))
    band = SlotBand(slots, 0 if lying == size else 270)
    return Grid(sheet, (band,), True, f"{paper_label(sheet)}, two up", bleed=0)


def _nearly(size: Size, paper: Size) -> bool:
    """Returns True if a page-sized face, printed on `paper`, loses at most its empty margins."""
    return size.width <= paper.width + _TRIMMED and size.height <= paper.height + _TRIMMED
