"""How the pieces of components lie on sheets: those of one size together, whole pages and maps by themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from carddb.errors import UsageError
from carddb.game_parts import ComponentSpec
from carddb.layout.imposition import Page, impose
from carddb.layout.sheet_grid import sheet_grid, whole_page
from carddb.layout.stock import PAPERS, STOCKS, card_size, paper_size, stock_named
from carddb.layout.tiling import tiles
from carddb.press.component_selection import SelectedComponent
from carddb.press.face_bank import FaceBank
from carddb.press.sheet_options import SheetOptions
from carddb.units import Box, Size, mm

_TRIMMED = mm(20)
"""What a page-sized face keeps free all round, both sides together."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One face to print: the component it belongs to, its face, its back, how many."""

    key: str
    component: ComponentSpec
    front: int
    back: int | None
    copies: int


def component_pieces(
    bank: FaceBank, part: SelectedComponent, players: int, deck: Mapping[str, Any], options: SheetOptions
) -> Iterable[Piece]:
    """One piece a card or a row of data; what has the cards' size follows the size that cards are printed at."""
    spec, component = bank.workshop.game.spec, part.component
    card_sized = not component.size or card_size(component.size) == card_size(spec.card_size)
    bank.size = card_size(options.card_size) if card_sized and options.card_size else None
    copies = component.count * (players if component.per == "player" else 1)
    for card in part.cards:
        yield Piece(part.key, component, bank.front(card), bank.back(card), copies)
    rows = part.faces[:players] if component.per == "row-per-player" else part.faces
    for number, row in enumerate(rows):
        extra = {**row, "deck": deck}
        front = bank.plain(component.template, extra, f"{part.key} {number}")
        back = None
        if component.back:
            back = front if component.back == "same" else bank.plain(component.back, extra, f"{part.key} {number}")
        yield Piece(part.key, component, front, back, copies)
    bank.size = None


def component_pages(bank: FaceBank, pieces: Iterable[Piece], options: SheetOptions) -> list[Page]:
    """The sheets of all pieces, in the order of the first piece of each size. Raises UsageError."""
    groups: dict[tuple[Size, bool], list[Piece]] = {}
    for piece in pieces:
        groups.setdefault((bank.size_of(piece.front), piece.component.tile), []).append(piece)
    return [page for group in groups.values() for page in _pages(bank, group, options)]


def _pages(bank: FaceBank, pieces: Sequence[Piece], options: SheetOptions) -> list[Page]:
    """The sheets of pieces of one size; what is folded shares none with what has no back."""
    folded = [piece for piece in pieces if piece.back is not None] if options.fold else []
    if folded and len(folded) < len(pieces):
        flat = [piece for piece in pieces if piece.back is None]
        return [*_pages(bank, flat, options), *_pages(bank, folded, options)]
    size = bank.size_of(pieces[0].front)
    paper = paper_size(options.paper)
    stock = stock_named(options.stock)
    if stock.card and stock.card not in (size, size.turned):
        stock = STOCKS["plain"]
    items = [(piece.front, piece.back) for piece in pieces for _ in range(piece.copies)]
    if size in (paper, paper.turned):
        return impose(items, whole_page(size), options.flip)
    if size in PAPERS.values() and _nearly(size, paper):
        return _centred(impose(items, whole_page(paper), options.flip), size, paper)
    if pieces[0].component.tile:
        return [
            page for front, _ in items for page in tiles(front, size, paper, options.margin, pieces[0].component.seams)
        ]
    fold = options.fold and pieces[0].back is not None
    try:
        grid = sheet_grid(size, stock, paper, options.margin, options.gutter, bleed=options.bleed, fold=fold)
    except UsageError as fault:
        label = pieces[0].component.label or pieces[0].key
        raise UsageError(f"{label}: {fault.message}", fault.remedy) from fault
    return impose(items, grid, options.flip)


def _nearly(size: Size, paper: Size) -> bool:
    """Whether a page-sized face stands on this paper with nothing but a little of its margin lost."""
    return size.width <= paper.width + _TRIMMED and size.height <= paper.height + _TRIMMED


def _centred(pages: Sequence[Page], size: Size, paper: Size) -> list[Page]:
    """Bare pages with a page-sized face in their middle."""
    box = Box((paper.width - size.width) // 2, (paper.height - size.height) // 2, size.width, size.height)
    return [page._replace(placed=tuple(placed._replace(box=box) for placed in page.placed)) for page in pages]
