"""The things a game prints that are not cards: reference cards, tracks, mats, counters, sheets to write on."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from carddb.cards import Deck
from carddb.errors import UsageError
from carddb.game import GameSpec
from carddb.game_parts import ComponentSpec
from carddb.games import Game
from carddb.layout.imposition import Page, impose, renumber
from carddb.layout.printer_correction import corrected
from carddb.layout.sheet_furniture import Caption
from carddb.layout.sheet_grid import sheet_grid, whole_page
from carddb.layout.stock import PAPERS, STOCKS, card_size, paper_size, stock_named
from carddb.layout.tiling import tiles
from carddb.paint.pdf_images import PdfImages
from carddb.paint.sheets_pdf import sheets_pdf
from carddb.press.art import undrawn
from carddb.press.component_contents import CONTENTS, ContentsLine, contents_pages
from carddb.press.component_selection import Choice, SelectedComponent, select_components
from carddb.press.face_bank import FaceBank
from carddb.press.face_streams import FaceStreams
from carddb.press.ink_estimate import estimate
from carddb.press.page_furniture import PageFurniture
from carddb.press.sheet_options import SheetOptions
from carddb.press.sheets import PrintedSheets
from carddb.press.workshop import Workshop
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


def deck_facts(deck: Deck, spec: GameSpec) -> dict[str, str]:
    """What a component may show of a deck: name, header, the commonest value of each text or choice of its cards."""
    facts = {}
    for name, field in spec.all_fields().items():
        if field.type not in ("text", "choice"):
            continue
        values = Counter(e.card.get(name) for e in deck.entries if e.card and e.card.get(name) for _ in range(e.count))
        if values:
            facts[name] = str(min(values, key=lambda value: (-values[value], str(value))))
    return {**facts, **deck.headers, "name": deck.name}


def print_components(
    workshop: Workshop,
    names: Sequence[str],
    options: SheetOptions,
    players: int | None = None,
    deck: Mapping[str, Any] | None = None,
    *,
    module: str = "",
    values: Mapping[str, str] = MappingProxyType({}),
    contents: bool = True,
) -> PrintedSheets:
    """Every chosen component in the number that `players` need; names, `module` and `values` choose.

    Without `players` they are as many as a game needs at least, and one where a `deck` is given. Where none is named,
    a list of what is printed comes first, unless `contents` is False. Raises UsageError, TemplateError.
    """
    bank = FaceBank(workshop, ink=options.ink)
    spec, choice = workshop.game.spec, Choice(names, module, values)
    players = players or (1 if deck and deck.get("name") else spec.players[0])
    picked = _picked(workshop.game, choice)
    pieces = [piece for part in picked for piece in _pieces(bank, part, players, deck or {}, options)]
    drawn = [page for group in _by_size(bank, pieces) for page in _pages(bank, group, options)]
    if contents and not names:
        selection = ", ".join([f"{players} player{'s' if players > 1 else ''}", *choice.in_words(spec)])
        drawn = [*_contents(bank, pieces, drawn, selection, choice, options), *drawn]
    pages = corrected(renumber(drawn), options.printer)
    caption = Caption(spec.name, "components", spec.footer)
    furniture = PageFurniture(workshop, options)
    pages = [furniture.around(page, caption) if page.filled else page for page in pages]
    album = PdfImages(workshop.images, options.art_dpi, tight=options.tight)
    data = sheets_pdf(
        map(FaceStreams(bank).drawn, pages), workshop.studio.book, album,
        title=f"{spec.name}: components", lang=options.lang, duplex=options.flip,
        two_sided=any(page.side == "back" for page in pages), creation=options.creation,
    )  # fmt: skip
    sheets = sum(page.side == "front" for page in pages)
    faces = [n for piece in pieces for _ in range(piece.copies) for n in (piece.front, piece.back) if n is not None]
    ink = partial(estimate, bank, faces, paper_size(options.paper), len(pages))
    findings = (*bank.findings, *undrawn(album, workshop.images))
    own = workshop.game.hook("component_findings")
    findings = tuple(own(findings)) if own else findings
    count = sum(piece.copies for piece in pieces)
    return PrintedSheets(data, len(pages), sheets, count, findings, "", ink, album.size, options.art_dpi, album.finest)


def _picked(game: Game, choice: Choice) -> list[SelectedComponent]:
    """The components of a choice that are drawn. Raises UsageError where one is named that is not, or where none is."""
    cards = game.own_cards if any(part.each for part in game.spec.components.values()) else ()
    every = select_components(game.spec, choice, cards)
    drawn = [part for part in every if part.component.drawn]
    lacking = [part.component.label for part in every if not part.component.drawn]
    if not drawn or (lacking and choice.names):
        raise UsageError(
            f"{game.spec.name} has no drawing of {', '.join(lacking) or 'any component'}",
            "A deck list is made by `carddb decklist`; see `carddb games KEY`.",
        )
    return drawn


def _contents(
    bank: FaceBank,
    pieces: Sequence[Piece],
    drawn: Sequence[Page],
    selection: str,
    choice: Choice,
    options: SheetOptions,
) -> list[Page]:
    """The pages that say what is printed; none on paper that is too small for them."""
    numbered = renumber(drawn)
    sheets: defaultdict[int, set[int]] = defaultdict(set)
    for page in numbered:
        for placed in page.placed:
            sheets[placed.face].add(page.number)
    lines = []
    for key, group in groupby(pieces, key=attrgetter("key")):
        same = list(group)
        on = frozenset().union(*(sheets[piece.front] for piece in same))
        count = sum(piece.copies for piece in same)
        sides = "to fold" if options.fold else "both sides" if options.flip != "none" else ""
        backed = any(piece.back is not None for piece in same)
        lines.append(
            ContentsLine(key, same[0].component, bank.size_of(same[0].front), count, on, sides if backed else "")
        )
    paper = paper_size(options.paper)
    pages = contents_pages(bank.workshop, lines, numbered[-1].total, selection, paper, choice)
    return impose([(bank.page(CONTENTS, context), None) for context in pages], whole_page(paper), options.flip)


def _pieces(
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


def _by_size(bank: FaceBank, pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Pieces that can share a sheet, in the order of their first."""
    groups: dict[tuple[Size, bool], list[Piece]] = {}
    for piece in pieces:
        groups.setdefault((bank.size_of(piece.front), piece.component.tile), []).append(piece)
    return list(groups.values())


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
