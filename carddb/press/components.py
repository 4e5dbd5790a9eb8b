"""The things a game prints that are not cards: reference cards, tracks, mats, counters, sheets to write on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from carddb.errors import UsageError
from carddb.game import GameSpec
from carddb.game_parts import ComponentSpec
from carddb.layout.correction import corrected
from carddb.layout.furniture import Caption, furnish
from carddb.layout.grid import plan, whole_page
from carddb.layout.sheet import Page, impose, renumber
from carddb.layout.stock import PAPERS, STOCKS, card_size, paper_size, stock_named
from carddb.layout.tiles import tiles
from carddb.names import did_you_mean
from carddb.paint.pdf import sheets_pdf
from carddb.paint.pictures import Album
from carddb.pool import Deck
from carddb.press.art import undrawn
from carddb.press.faces import FaceBank
from carddb.press.ink import estimate
from carddb.press.sheets import Printed, SheetOptions
from carddb.press.workshop import Workshop
from carddb.units import Box, Size, mm

_TRIMMED = mm(20)
"""What a page-sized face keeps free all round, both sides together."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One face to print: the component it belongs to, its face, its back, how many."""

    component: ComponentSpec
    front: int
    back: int | None
    copies: int


def chosen(spec: GameSpec, names: Sequence[str]) -> dict[str, ComponentSpec]:
    """The components named, by key or id; all of them where none is named. Raises UsageError with the nearest."""
    if not names:
        return dict(spec.components)
    by_id = {component.id.casefold(): key for key, component in spec.components.items() if component.id}
    out: dict[str, ComponentSpec] = {}
    for name in names:
        key = name if name in spec.components else by_id.get(name.casefold(), "")
        if not key:
            raise UsageError(f"{spec.name} has no component {name!r}", did_you_mean(name, spec.components))
        out[key] = spec.components[key]
    return out


def deck_facts(deck: Deck, spec: GameSpec) -> dict[str, str]:
    """What a component may say of a deck: its name, and the commonest value of each text or choice of its cards."""
    facts = {}
    for name, field in spec.all_fields().items():
        values = Counter(e.card.get(name) for e in deck.entries if e.card and e.card.get(name) for _ in range(e.count))
        if field.type in ("text", "choice") and values:
            facts[name] = str(min(values, key=lambda value: (-values[value], str(value))))
    return {**facts, "name": deck.name}


def print_components(
    workshop: Workshop,
    names: Sequence[str],
    options: SheetOptions,
    players: int = 1,
    deck: Mapping[str, Any] | None = None,
) -> Printed:
    """Every chosen component in the number that `players` need. Raises UsageError, TemplateError."""
    bank = FaceBank(workshop, ink=options.ink)
    spec = workshop.game.spec
    pieces = [
        piece
        for key, component in chosen(spec, names).items()
        if component.template
        for piece in _pieces(bank, key, component, players, deck or {}, options)
    ]
    if not pieces:
        raise UsageError(
            f"{spec.name} has no component that is drawn",
            "A deck list is made by `carddb decklist`; see `carddb games KEY`.",
        )
    drawn = [page for group in _by_size(bank, pieces) for page in _pages(bank, group, options)]
    pages = corrected(renumber(drawn), options.printer)
    caption = Caption(spec.name, "components", spec.footer)
    label, aside = workshop.label("label"), workshop.label("aside")
    pages = [bank.inked(furnish(page, caption, label, aside, options.marking)) for page in pages]
    album = Album(workshop.images, options.art_dpi, tight=options.tight)
    data = sheets_pdf(
        pages, bank, workshop.studio.book, album,
        title=f"{spec.name}: components", lang=options.lang, duplex=options.flip,
        two_sided=any(page.side == "back" for page in pages), creation=options.creation,
    )  # fmt: skip
    sheets = sum(page.side == "front" for page in pages)
    faces = [n for piece in pieces for _ in range(piece.copies) for n in (piece.front, piece.back) if n is not None]
    ink = partial(estimate, bank, faces, paper_size(options.paper), len(pages))
    found = (*bank.findings, *undrawn(album, workshop.images))
    count = sum(piece.copies for piece in pieces)
    return Printed(data, len(pages), sheets, count, found, "", ink, album.size, options.art_dpi, album.finest)


def _pieces(
    bank: FaceBank, key: str, component: ComponentSpec, players: int, deck: Mapping[str, Any], options: SheetOptions
) -> Iterable[Piece]:
    """One piece a row of data; a component at the cards' size follows the size that cards are printed at."""
    spec = bank.workshop.game.spec
    card_sized = not component.size or card_size(component.size) == card_size(spec.card_size)
    bank.size = card_size(options.card_size) if card_sized and options.card_size else None
    copies = component.count * (players if component.per == "player" else 1)
    for number, row in enumerate(component.rows or ({},)):
        extra = {**component.data, **row, "deck": deck}
        front = bank.plain(component.template, extra, f"{key} {number}")
        back = None
        if component.back:
            back = front if component.back == "same" else bank.plain(component.back, extra, f"{key} {number}")
        yield Piece(component, front, back, copies)
    bank.size = None


def _by_size(bank: FaceBank, pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Pieces that can share a sheet, in the order of their first."""
    groups: dict[tuple[Size, bool, bool], list[Piece]] = {}
    for piece in pieces:
        size = bank.size_of(piece.front)
        groups.setdefault((size, piece.component.tile, piece.back is None), []).append(piece)
    return list(groups.values())


def _pages(bank: FaceBank, pieces: Sequence[Piece], options: SheetOptions) -> list[Page]:
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
    grid = plan(size, stock, paper, options.margin, options.gutter, bleed=options.bleed, fold=options.fold)
    return impose(items, grid, options.flip)


def _nearly(size: Size, paper: Size) -> bool:
    """Whether a page-sized face stands on this paper with nothing but a little of its margin lost."""
    return size.width <= paper.width + _TRIMMED and size.height <= paper.height + _TRIMMED


def _centred(pages: Sequence[Page], size: Size, paper: Size) -> list[Page]:
    """Bare pages with a page-sized face in their middle."""
    box = Box((paper.width - size.width) // 2, (paper.height - size.height) // 2, size.width, size.height)
    return [page._replace(placed=tuple(placed._replace(box=box) for placed in page.placed)) for page in pages]
