"""Print sheets of cards as PDF: faces drawn page by page, with what stands around them, within a limit of bytes."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple

from carddb.cards.cards import Card
from carddb.core.errors import OutputError
from carddb.core.units import mm, points
from carddb.findings import Finding
from carddb.layout.display_list import Group
from carddb.layout.drawing.legibility import outside_printable
from carddb.layout.sheets.furniture import Caption, furnish
from carddb.layout.sheets.imposition import Page
from carddb.paint.pdf.content_stream import DrawnPage
from carddb.paint.pdf.images import PdfImages
from carddb.press import Step, unreported
from carddb.press.faces.art import undrawn
from carddb.press.faces.bank import FaceStreams, ink_saver
from carddb.press.faces.workshop import Workshop
from carddb.press.sheets.card_sheets import Ink, card_sheets, estimate, face_bank
from carddb.press.sheets.options import SheetOptions

_AT_ONCE = 500
"""Cards that are written down together, to tell their revision."""


class PrintedSheets(NamedTuple):
    """The result of a job: the file, its pages and sheets, the cards on them, the findings of the faces.

    `art_bytes` of the file are pictures, printed with `art_dpi` at most; `art_finest` is what the finest has. `runs`
    say which pages to print on what, where that is not the same for all.
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
    runs: tuple[str, ...] = ()


def print_cards(
    workshop: Workshop,
    copies: Sequence[tuple[Card, int]],
    options: SheetOptions,
    title: str,
    deck: str = "",
    streams: FaceStreams | None = None,
    sections: Mapping[str, str] = MappingProxyType({}),
    step: Step = unreported,
    only_sheet: int | None = None,
) -> PrintedSheets:
    """Sheets with every copy of every card, fronts and backs, bookmarked by type.

    Cards that stand in a section, by reference, are bookmarked by that first. With `only_sheet` the file has
    the sheet of this number alone, as it is in the whole file. Raises UsageError, TemplateError, FontError.
    """
    streams = streams or FaceStreams(face_bank(workshop, options))
    bank, spec = streams.bank, workshop.game.spec
    sheets = card_sheets(bank, copies, options)
    faces, bare_faces = sheets.faces, sheets.bare_faces
    headings = {
        bank.front(card): tuple(filter(None, (sections.get(card.ref), spec.label_of(card.type)))) for card, _ in copies
    }
    album = PdfImages(workshop.images, options.art_dpi, tight=options.tight)
    # Bare faces are looked at below, so that it would not help if others drew them; one sheet has few.
    ahead = [] if bare_faces or only_sheet else list(dict.fromkeys(faces))
    with streams.drawn_ahead(ahead, options.processes):
        from carddb.paint.pdf.sheets import sheets_pdf  # while the others draw already

        revision = revision_of(card for card, _ in copies)
        caption = Caption(spec.name, deck, spec.footer, revision, stamp=options.stamp)
        placed = (page for page in sheets.pages() if only_sheet in (None, page.number))
        pages = _captioned(map(streams.drawn, placed), caption, PageFurniture(workshop, options), streams, step)
        data = sheets_pdf(
            pages, workshop.kit.book, album, title=title, lang=workshop.lang, duplex=options.flip,
            two_sided=sheets.two_sided, creation=options.creation, headings=headings,
        )  # fmt: skip

    bank.save_cache()

    def ink() -> Ink:
        return estimate(bank, faces, sheets.paper, sheets.page_count)

    unprinted = outside_printable((bank[number] for number in bare_faces), options.unprinted)
    findings = (*bank.findings, *([unprinted] if unprinted else []), *undrawn(album, workshop.images))
    return PrintedSheets(
        data, sheets.page_count, sheets.sheet_count, len(sheets.copies), findings, sheets.label, ink,
        album.size, options.art_dpi, album.finest,
    )  # fmt: skip


def _captioned(
    pages: Iterable[DrawnPage], caption: Caption, furniture: PageFurniture, streams: FaceStreams, step: Step
) -> Iterator[DrawnPage]:
    """Yields drawn pages with what stands around their cards."""
    for page, faces in pages:
        step(f"sheet {page.number} of {page.total}")
        fingerprint = ""
        if digests := streams.digests:  # the same for the same faces in the same places
            looks = "".join(f"{placed.box.x} {placed.box.y} {digests[placed.face]}\n" for placed in page.placed)
            fingerprint = hashlib.sha256(looks.encode()).hexdigest()[:6]
        yield DrawnPage(furniture.around(page, caption._replace(fingerprint=fingerprint)), faces)


def revision_of(cards: Iterable[Card]) -> str:
    """Returns eight hex digits that change with any field of any of some cards."""
    digest = hashlib.sha256()
    encode = json.JSONEncoder(sort_keys=True, default=str).encode
    cards = iter(cards)
    while some := [(card.ref, card.values) for card in islice(cards, _AT_ONCE)]:
        digest.update(encode(some).encode())
    return digest.hexdigest()[:8]


_LINE, _TYPE = mm(5), points(6.5)
"""The line of a bare page: above the paper's lower edge, and its size."""


class PageFurniture:
    """Puts marks, ruler and words around cards. One serves all pages of a job: what they share is made once."""

    def __init__(self, workshop: Workshop, options: SheetOptions) -> None:
        self._label, self._aside = workshop.label("label"), workshop.label("aside")
        self._marking = options.marking
        self._ink_saver = ink_saver(options.ink)

    def around(self, page: Page, caption: Caption, bare: str = "") -> Page:
        """Returns the page with its furniture; `bare` is the one line of a page that is itself the card.

        Raises UsageError where a stamp has no room.
        """
        page = furnish(page, caption, self._label, self._aside, self._marking)
        if bare and page.grid.bare:
            line = self._aside(bare, page.size.width // 2, page.size.height - _LINE, _TYPE, "middle", 0)
            page = page._replace(furniture=(*page.furniture, Group(line)))
        if not self._ink_saver:
            return page
        return page._replace(furniture=self._ink_saver.shapes(page.furniture, page.size))


LEAST_DPI = 72
_TRIES = 6
_CLOSE = 0.85
"""A file that fills this much of what is allowed is not tried to be made finer again."""


def within_budget(options: SheetOptions, print_with: Callable[[SheetOptions], PrintedSheets]) -> PrintedSheets:
    """Prints within `options.most_bytes`, with pictures as fine as a few tries find; `print_with` prints once.

    Raises OutputError where it is too large with pictures at 72 pixels per inch.
    """
    printed = print_with(options)
    most = options.most_bytes
    if not most or len(printed.data) <= most:
        return printed
    best: PrintedSheets | None = None
    dpi, fine = options.art_dpi, options.art_dpi
    for left in reversed(range(_TRIES)):
        if not printed.art_bytes:
            break
        printed = print_with(options._replace(art_dpi=dpi, tight=True))
        if len(printed.data) <= most:
            best = printed
            if dpi == options.art_dpi or len(printed.data) > most * _CLOSE:
                break
        else:
            fine = dpi
        coarse = best.art_dpi + 1 if best else LEAST_DPI
        if fine <= coarse:
            break
        dpi = LEAST_DPI if left == 1 and not best else min(max(_next(printed, most), coarse), fine - 1)
    if best is None:
        size, art = len(printed.data), printed.art_bytes
        message = (
            f"the file would have {size:,} bytes, more than the {most:,} allowed: "
            f"its pictures take {art:,} at {printed.art_dpi} dpi, its words and lines {size - art:,}"
        )
        raise OutputError(message, "Allow more with --max-mb, or print fewer cards into one file.")
    return best


def _next(printed: PrintedSheets, most: int) -> int:
    """Returns the resolution at which the pictures would just fit, their bytes growing with its square."""
    room = most - (len(printed.data) - printed.art_bytes)
    finest = min(printed.art_dpi, printed.art_finest)
    return round(finest * math.sqrt(max(0, room) * 0.97 / max(1, printed.art_bytes)))
