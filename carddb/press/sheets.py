"""Print sheets of cards: selection in, bytes out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from carddb.cards import Card
from carddb.findings import Finding
from carddb.layout.crop_marks import EDGES, Marking
from carddb.layout.imposition import Page, impose
from carddb.layout.printable_area import outside_printable
from carddb.layout.printer_correction import Printer, corrected
from carddb.layout.sheet_furniture import Caption, furnish
from carddb.layout.sheet_grid import MARGIN, NO_GUTTER, Grid, sheet_grid
from carddb.layout.stock import card_on, card_size, paper_size, stock_named
from carddb.paint.pdf_images import PdfImages
from carddb.press.art import undrawn
from carddb.press.face_bank import FaceBank
from carddb.press.workshop import Workshop
from carddb.units import Size

if TYPE_CHECKING:
    from carddb.press.ink_estimate import Ink

_AT_ONCE = 500
"""Cards that are written down together, to tell their revision."""
Item = tuple[int, int | None]
"""A copy of a card: the numbers of its front and its back."""


class SheetOptions(NamedTuple):
    """How to print: names of the contract, lengths in micrometres, `creation` in seconds since 1970.

    `gutter` lies between columns and between rows; `bleed` is None where the stock decides it; `unprinted` is what the
    printer is known to leave white, 0 where nobody says;
    `art_dpi` is the pixels per inch that pictures are printed with, `tight` that none has more; `most_bytes` is the
    largest file that may come of it, 0 where any may; `stamp`
    is what every page says across its margin.
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
    lang: str = "en"
    creation: int = 0
    art_dpi: int = 300
    tight: bool = False
    most_bytes: int = 0
    printer: Printer | None = None
    ink: str = "full"
    stamp: str = ""


class PrintResult(NamedTuple):
    """What came of a job: the file, its pages and sheets, the cards on them, what is wrong with the faces.

    `art_bytes` of the file are pictures, `art_dpi` was asked of them, `art_finest` is what the finest has.
    """

    data: bytes
    pages: int
    sheets: int
    cards: int
    findings: tuple[Finding, ...] = ()
    label: str = ""
    ink: Callable[[], Ink] | None = None
    """Estimates the ink it takes, for who wants to know."""
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
    return FaceBank(workshop, None if size == natural else size, options.ink)


def sides(bank: FaceBank, card: Card, options: SheetOptions) -> Item:
    """The faces of a card that are printed."""
    both = options.fold or options.flip != "none"
    return bank.front(card), bank.back(card) if both else None


def print_cards(
    workshop: Workshop,
    copies: Sequence[tuple[Card, int]],
    options: SheetOptions,
    title: str,
    deck: str = "",
    bank: FaceBank | None = None,
    sections: Mapping[str, str] = MappingProxyType({}),
) -> PrintResult:
    """Sheets with every copy of every card, fronts and backs, bookmarked by type.

    Cards that stand in a section, by reference, are bookmarked by that first. Raises UsageError, TemplateError,
    FontError.
    """
    bank = face_bank(workshop, options) if bank is None else bank
    items: list[Item] = []
    headings: dict[int, tuple[str, ...]] = {}
    for card, count in copies:
        front, back = sides(bank, card, options)
        kind = workshop.game.spec.label_of(card.type)
        headings[front] = (sections[card.ref], kind) if card.ref in sections else (kind,)
        items.extend([(front, back)] * count)
    return _print_faces(bank, items, [card for card, _ in copies], options, title, deck, headings)


def _print_faces(
    bank: FaceBank,
    items: Sequence[Item],
    cards: Sequence[Card],
    options: SheetOptions,
    title: str,
    deck: str,
    headings: Mapping[int, tuple[str, ...]],
) -> PrintResult:
    """Sheets of the faces of cards; faces of one size share their sheets."""
    workshop = bank.workshop
    spec = workshop.game.spec
    blocks = [(_grid(size, options), group) for size, group in _by_size(bank, items)]
    two_sided = not options.fold and any(back is not None for _, back in items)
    label, aside = workshop.label("label"), workshop.label("aside")
    bare = (page for side in _pages(blocks, options.flip, two_sided) for page in corrected([side], options.printer))
    single: set[int] = set()

    def furnished() -> Iterator[Page]:
        caption = Caption(spec.name, deck, spec.footer, revision_of(cards), stamp=options.stamp)
        for page in bare:
            if page.grid.bare:
                single.update(placed.face for placed in page.placed)
            own = caption._replace(fingerprint=_fingerprint(bank, page))
            yield bank.inked(furnish(page, own, label, aside, options.marking))

    album = PdfImages(workshop.images, options.art_dpi, tight=options.tight)
    faces = [number for item in items for number in item if number is not None]
    with bank.helped(() if any(grid.bare for grid, _ in blocks) else list(dict.fromkeys(faces))):
        from carddb.paint.sheets_pdf import sheets_pdf  # while the others draw already

        data = sheets_pdf(
            furnished(), bank, workshop.studio.book, album,
            title=title, lang=options.lang, duplex=options.flip, two_sided=two_sided, creation=options.creation,
            heading=lambda number: headings.get(number, ()), sketched=bank.sketch,
        )  # fmt: skip
    sheets = _sheets(blocks)
    pages_made = sheets * (2 if two_sided else 1)

    def ink() -> Ink:
        from carddb.press.ink_estimate import estimate

        return estimate(bank, faces, paper_size(options.paper), pages_made)

    printed_on = blocks[0][0].label if blocks else ""
    white = outside_printable((bank[number] for number in sorted(single)), options.unprinted)
    findings = (*bank.findings, *([white] if white else []), *undrawn(album, workshop.images))
    return PrintResult(
        data, pages_made, sheets, len(items), findings, printed_on, ink, album.size, options.art_dpi, album.finest
    )


def revision_of(cards: Iterable[Card]) -> str:
    """What a catalogue says of some cards, in short: eight hex digits that change with any field of any of them."""
    told = hashlib.sha256()
    write = json.JSONEncoder(sort_keys=True, default=str).encode
    left = iter(cards)
    while some := [(card.ref, card.values) for card in islice(left, _AT_ONCE)]:
        told.update(write(some).encode())
    return told.hexdigest()[:8]


def _fingerprint(bank: FaceBank, page: Page) -> str:
    """A sheet's looks in short, where the bank takes digests; the same for the same faces in the same places."""
    if not bank.digesting:
        return ""
    told = "".join(f"{placed.box.x} {placed.box.y} {bank.digest(placed.face)}\n" for placed in page.placed)
    return hashlib.sha256(told.encode()).hexdigest()[:6]


def _grid(size: Size, options: SheetOptions) -> Grid:
    return sheet_grid(
        size, stock_named(options.stock), paper_size(options.paper), options.margin, options.gutter,
        bleed=options.bleed, fold=options.fold,
    )  # fmt: skip


def _sheets(blocks: Sequence[tuple[Grid, Sequence[Item]]]) -> int:
    return sum(-(-len(items) // len(grid.slots)) for grid, items in blocks)


def _pages(blocks: Sequence[tuple[Grid, Sequence[Item]]], flip: str, two_sided: bool) -> Iterator[Page]:
    """Sheet by sheet, counted through; each has a back, if a blank one, where any has one.

    A printer that prints both sides would else put the next front on the back of a sheet that has none.
    """
    number, total = 0, _sheets(blocks)
    for grid, items in blocks:
        for start in range(0, len(items), len(grid.slots)):
            number += 1
            sides = impose(items[start : start + len(grid.slots)], grid, flip)
            if two_sided and len(sides) == 1:
                sides.append(sides[0]._replace(side="back", filled=0, placed=()))
            turned = flip if two_sided else "none"
            yield from (page._replace(number=number, total=total, flip=turned) for page in sides)


def _by_size(bank: FaceBank, items: Sequence[Item]) -> list[tuple[Size, list[Item]]]:
    """Faces of one size together, the largest first; the order given is kept within a size."""
    groups: dict[Size, list[Item]] = {}
    for item in items:
        groups.setdefault(bank.size_of(item[0]), []).append(item)
    return sorted(groups.items(), key=lambda group: (-group[0].width * group[0].height, group[0].width))
