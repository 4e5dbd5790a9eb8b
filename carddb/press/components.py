"""The things a game prints that are not cards: reference cards, tracks, mats, counters, sheets to write on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from carddb.errors import UsageError
from carddb.game import ComponentSpec, GameSpec
from carddb.layout.display import Path, Stroke, line
from carddb.layout.furniture import Caption, furnish
from carddb.layout.sheet import Grid, Page, Placed, impose, plan, renumber, whole_page
from carddb.layout.stock import PAPERS, STOCKS, card_size, paper_label, paper_size, stock_named
from carddb.names import did_you_mean
from carddb.paint.pdf import sheets_pdf
from carddb.press.faces import FaceBank
from carddb.press.sheets import Printed, SheetOptions
from carddb.press.workshop import Workshop
from carddb.units import Box, Size, mm

_OVERLAP = mm(10)
_JOIN = Stroke("#1c1a19", 100, dash=(1000, 1000))


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


def print_components(
    workshop: Workshop,
    names: Sequence[str],
    options: SheetOptions,
    players: int = 1,
    deck: Mapping[str, Any] | None = None,
) -> Printed:
    """Every chosen component in the number that `players` need. Raises UsageError, TemplateError."""
    bank = FaceBank(workshop)
    spec = workshop.game.spec
    pieces = [
        piece
        for key, component in chosen(spec, names).items()
        if component.template
        for piece in _pieces(bank, key, component, players, deck or {}, options)
    ]
    if not pieces:
        raise UsageError(f"{spec.name} has no component that is drawn", "See `carddb games`.")
    pages = renumber([page for group in _by_size(bank, pieces) for page in _pages(bank, group, options)])
    caption = Caption(spec.name, "components", spec.footer)
    furnished = furnish(pages, caption, workshop.label("label"), workshop.label("aside"))
    pages = [replace(new, furniture=old.furniture + new.furniture) for old, new in zip(pages, furnished, strict=True)]
    data = sheets_pdf(
        pages, bank.faces, workshop.studio.book, workshop.images,
        title=f"{spec.name}: components", lang=options.lang, duplex=options.flip, creation=options.creation,
    )  # fmt: skip
    sheets = sum(page.side == "front" for page in pages)
    return Printed(data, len(pages), sheets, sum(piece.copies for piece in pieces), tuple(bank.findings))


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
            back = front if component.back == "same" else bank.plain(component.back, extra)
        yield Piece(component, front, back, copies)
    bank.size = None


def _by_size(bank: FaceBank, pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Pieces that can share a sheet, in the order of their first."""
    groups: dict[tuple[Size, bool, bool], list[Piece]] = {}
    for piece in pieces:
        size = bank.faces[piece.front].size
        groups.setdefault((size, piece.component.tile, piece.back is None), []).append(piece)
    return list(groups.values())


def _pages(bank: FaceBank, pieces: Sequence[Piece], options: SheetOptions) -> list[Page]:
    size = bank.faces[pieces[0].front].size
    paper = paper_size(options.paper)
    stock = stock_named(options.stock)
    if stock.card and stock.card not in (size, size.turned):
        stock = STOCKS["plain"]
    items = [(piece.front, piece.back) for piece in pieces for _ in range(piece.copies)]
    if size in (paper, paper.turned) or size in PAPERS.values():
        return impose(items, whole_page(size), options.flip)
    if pieces[0].component.tile:
        return [page for front, _ in items for page in tiles(front, size, paper, options.margin)]
    return impose(items, plan(size, stock, paper, options.margin, options.gutter), options.flip)


def tiles(face: int, size: Size, paper: Size, margin: int) -> list[Page]:
    """A face larger than the paper over several pages: windows that overlap by a centimetre, with joining marks.

    The paper is turned where that takes fewer pages.
    """
    turned = min(
        (paper, paper.turned), key=lambda p: _count(size.width, p.width, margin) * _count(size.height, p.height, margin)
    )
    columns, rows = _count(size.width, turned.width, margin), _count(size.height, turned.height, margin)
    width, height = _window(size.width, columns), _window(size.height, rows)
    pages: list[Page] = []
    for row in range(rows):
        for column in range(columns):
            left, top = column * (width - _OVERLAP), row * (height - _OVERLAP)
            window = Box(margin, margin, width, height)
            label = (
                f"{paper_label(paper)}, part {row * columns + column + 1} of {rows * columns}: join at the dashed lines"
            )
            grid = Grid(turned, Size(width, height), (window,), 0, 0, True, label)
            placed = Placed(face, Box(margin - left, margin - top, size.width, size.height), window, 0)
            page = Page(grid, "front", 1, 1, (window,), 1, (placed,))
            pages.append(replace(page, furniture=_joins(window, row, column, rows, columns)))
    return pages


def _count(length: int, paper: int, margin: int) -> int:
    """How many windows cover a length."""
    window = paper - 2 * margin
    return max(1, -(-(length - _OVERLAP) // (window - _OVERLAP)))


def _window(length: int, parts: int) -> int:
    """The length of each of several equal windows."""
    return -(-(length + (parts - 1) * _OVERLAP) // parts)


def _joins(window: Box, row: int, column: int, rows: int, columns: int) -> tuple[Path, ...]:
    """Dashed lines where the next part is laid on."""
    out = []
    if column < columns - 1:
        x = window.right - _OVERLAP
        out.append(line(x, window.y, x, window.bottom, _JOIN))
    if row < rows - 1:
        y = window.bottom - _OVERLAP
        out.append(line(window.x, y, window.right, y, _JOIN))
    return tuple(out)
