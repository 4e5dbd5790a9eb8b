"""Print sheets and pictures of cards: selection in, bytes out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from carddb.findings import Finding
from carddb.layout.display import Face
from carddb.layout.furniture import Caption, furnish
from carddb.layout.sheet import MARGIN, Page, impose, plan, renumber
from carddb.layout.stock import card_on, card_size, paper_size, stock_named
from carddb.paint.pdf import sheets_pdf
from carddb.paint.pictures import Album
from carddb.pool import Card
from carddb.press.art import undrawn
from carddb.press.faces import FaceBank
from carddb.press.workshop import Workshop
from carddb.units import Size


@dataclass(frozen=True, slots=True)
class SheetOptions:
    """How to print: names of the contract, lengths in micrometres, `creation` in seconds since 1970.

    `art_dpi` is the pixels per inch that pictures are printed with, `tight` that none has more; `most_bytes` is the
    largest file that may come of it (0: any).
    """

    paper: str = "letter"
    stock: str = "plain"
    card_size: str = ""
    margin: int = MARGIN
    gutter: int = 0
    flip: str = "long-edge"
    lang: str = "en"
    creation: int = 0
    art_dpi: int = 300
    tight: bool = False
    most_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Printed:
    """What came of a job: the file, its pages and sheets, the cards on them, what is wrong with the faces.

    `art_bytes` of the file are pictures, `art_dpi` was asked of them, `art_finest` is what the finest has.
    """

    data: bytes
    pages: int
    sheets: int
    cards: int
    findings: tuple[Finding, ...] = ()
    label: str = ""
    art_bytes: int = 0
    art_dpi: int = 0
    art_finest: int = 0


def target_size(natural: Size, options: SheetOptions) -> Size:
    """The size a card is printed at. Raises UsageError for unknown names."""
    asked = card_size(options.card_size) if options.card_size else None
    return card_on(stock_named(options.stock), natural, asked)


def face_bank(workshop: Workshop, options: SheetOptions) -> FaceBank:
    """An empty bank that draws faces at the size these options ask for."""
    natural = card_size(workshop.game.spec.card_size)
    size = target_size(natural, options)
    return FaceBank(workshop, None if size == natural else size)


def print_cards(
    workshop: Workshop, copies: Sequence[tuple[Card, int]], options: SheetOptions, title: str, deck: str = ""
) -> Printed:
    """Sheets with every copy of every card, fronts and backs. Raises UsageError, TemplateError, FontError."""
    bank = face_bank(workshop, options)
    fronts = [
        (bank.front(card), bank.back(card) if options.flip != "none" else None) for card, n in copies for _ in range(n)
    ]
    return print_faces(bank, fronts, options, title, deck)


def print_faces(
    bank: FaceBank, items: Sequence[tuple[int, int | None]], options: SheetOptions, title: str, deck: str = ""
) -> Printed:
    """Sheets of faces that are drawn already; faces of one size share their sheets."""
    stock = stock_named(options.stock)
    paper = paper_size(options.paper)
    pages: list[Page] = []
    label = ""
    for size, group in groupby(
        sorted(items, key=lambda item: _order(bank.faces, item)), lambda item: bank.faces[item[0]].size
    ):
        grid = plan(size, stock, paper, options.margin, options.gutter)
        label = label or grid.label
        pages.extend(impose(list(group), grid, options.flip))
    pages = renumber(pages)
    workshop = bank.workshop
    spec = workshop.game.spec
    caption = Caption(spec.name, deck, spec.footer)
    furnished = furnish(pages, caption, workshop.label("label"), workshop.label("aside"))
    album = Album(workshop.images, options.art_dpi, tight=options.tight)
    data = sheets_pdf(
        furnished, bank.faces, workshop.studio.book, album,
        title=title, lang=options.lang, duplex=options.flip, creation=options.creation,
    )  # fmt: skip
    sheets = sum(page.side == "front" for page in pages)
    found = (*bank.findings, *undrawn(album, workshop.images))
    return Printed(data, len(pages), sheets, len(items), found, label, album.size, options.art_dpi, album.finest)


def _order(faces: Sequence[Face], item: tuple[int, int | None]) -> tuple[int, int]:
    """Faces of one size together; the order given is kept within a size (sorting is stable)."""
    size = faces[item[0]].size
    return (-size.width * size.height, size.width)


def pictures(
    workshop: Workshop, cards: Sequence[Card], options: SheetOptions, dpi: int
) -> tuple[Iterator[tuple[str, bytes]], FaceBank]:
    """A PNG file name and its bytes for each card, and the bank with what is wrong. Raises UsageError."""
    from carddb.paint.png import pngs

    bank = face_bank(workshop, options)
    numbers = [bank.front(card) for card in cards]
    data = pngs([bank.faces[n] for n in numbers], workshop.studio.book, workshop.images, dpi)
    return zip(file_names(cards), data, strict=True), bank


def file_names(cards: Sequence[Card]) -> list[str]:
    """One file name a card from its reference; names that differ only in case or odd characters get a number."""
    seen: dict[str, int] = {}
    names = []
    for card in cards:
        stem = re.sub(r"[^\w.-]+", "-", card.ref).strip(".-") or "card"
        number = seen[stem.casefold()] = seen.get(stem.casefold(), 0) + 1
        names.append(f"{stem}-{number}.png" if number > 1 else f"{stem}.png")
    return names
