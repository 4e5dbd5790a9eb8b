"""Prints sheets of cards as PDF, with marks and captions, within a limit of file size, and records what was printed."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from carddb.cards.cards import Card
from carddb.cards.print_history import Look, PrintedCard, PrintJob
from carddb.core.errors import OutputError
from carddb.core.groups import totals
from carddb.core.plain_text import as_ranges
from carddb.core.units import mm, points
from carddb.deck.context import identity
from carddb.findings import Finding
from carddb.game.game import GameSpec
from carddb.layout.display_list import Group
from carddb.layout.drawing.legibility import outside_printable
from carddb.layout.ink import InkSaver
from carddb.layout.sheets.crop_marks import cut_sheets
from carddb.layout.sheets.furniture import Caption, furnish
from carddb.layout.sheets.grid import Cutter
from carddb.layout.sheets.imposition import Page
from carddb.layout.stock import card_size
from carddb.paint.cut_lines import CUT_FORMATS
from carddb.paint.pdf.content_stream import DrawnPage
from carddb.paint.pdf.images import PdfImages
from carddb.press import Step, unreported
from carddb.press.faces.art import undrawn
from carddb.press.faces.bank import FaceStreams
from carddb.press.faces.workshop import Workshop
from carddb.press.sheets.card_sheets import Ink, card_sheets, estimate, face_bank, sides
from carddb.press.sheets.options import SheetOptions, target_size

_AT_ONCE = 500
"""The number of cards that are encoded at once to compute their revision."""


class PrintedSheets(NamedTuple):
    """The result of printing: the file, the numbers of pages, sheets and cards, and the findings about faces.

    `art_bytes` is the total size of the pictures in the file, `art_dpi` the highest resolution allowed for them, and
    `art_finest` the highest that occurs. `runs` say which pages to print on which material, if there are several.
    """

    data: bytes
    pages: int
    sheets: int
    cards: int
    findings: tuple[Finding, ...] = ()
    label: str = ""
    ink: Callable[[], Ink] | None = None
    """Estimates the ink of the job. As this takes time, it is called only when the estimate is shown."""
    art_bytes: int = 0
    art_dpi: int = 0
    art_finest: int = 0
    runs: tuple[str, ...] = ()
    cut_files: tuple[CutFile, ...] = ()


class CutFile(NamedTuple):
    """A file with the cut lines of some sheets. `ending`, such as `.cut-2.dxf`, replaces `.pdf` in the file name."""

    ending: str
    data: bytes
    sheets: str
    """The numbers of the sheets, as text."""

    def beside(self, printed: Path) -> Path:
        """Returns the path of the file beside the printed one."""
        return printed.with_suffix(self.ending)


def cut_files(pages: Iterable[Page], cutter: Cutter | None, by_hand: bool = False) -> tuple[CutFile, ...]:
    """Returns the files with the cut lines of all sheets that a machine cuts.

    Sheets with the same lines share the files; unless the lines are those of the first sheet, the name has the number
    of the first sheet that has them. With `by_hand`, sheets without a chosen machine have files too, in every format.
    """
    if cutter is None and not by_hand:
        return ()
    formats = cutter.formats if cutter else tuple(CUT_FORMATS)
    return tuple(
        CutFile(f".cut{f'-{numbers[0]}' if at else ''}.{kind}", CUT_FORMATS[kind](sheet), as_ranges(numbers))
        for at, (sheet, numbers) in enumerate(cut_sheets(pages, by_hand).items())
        for kind in formats
    )


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
    """Prints every copy of every card on sheets, fronts and backs, with bookmarks by type.

    `sections` has the sections of cards by reference; these cards are bookmarked by section, then by type. If `streams`
    has digests, each sheet shows a fingerprint of its faces. With `only_sheet`, the file has only the sheet with this
    number, as it is in the whole file. Raises UsageError for unknown names and for cards that do not fit the paper,
    TemplateError or FontError if a face cannot be drawn.
    """
    streams = streams or FaceStreams(face_bank(workshop, options))
    bank, spec = streams.bank, workshop.game.spec
    sheets = card_sheets(bank, copies, options)
    faces, bare_faces = sheets.faces, sheets.bare_faces
    headings = {
        bank.front(card): tuple(filter(None, (sections.get(card.ref), spec.kind_of(card)))) for card, _ in copies
    }
    album = PdfImages(workshop.images, options.art_dpi, tight=options.tight, prepress=bank.prepress)
    # Worker processes do not help with bare faces, which this process needs below, nor with the few of a single sheet.
    ahead = [] if bare_faces or only_sheet else list(dict.fromkeys(faces))
    with streams.drawn_ahead(ahead, options.processes):
        from carddb.paint.pdf.sheets import sheets_pdf  # imported while worker processes already draw

        revision = revision_of(card for card, _ in copies)
        caption = Caption(spec.name, deck, spec.footer, revision, stamp=options.stamp)
        placed = (page for page in sheets.pages() if only_sheet in (None, page.number))
        pages = _captioned(map(streams.drawn, placed), caption, PageFurniture(workshop, options), streams, step)
        data = sheets_pdf(
            pages, workshop.kit.book, album, title=title, lang=workshop.lang, duplex=options.flip,
            two_sided=sheets.two_sided, creation=options.creation, headings=headings, prepress=bank.prepress,
        )  # fmt: skip

    bank.save_cache()

    def ink() -> Ink:
        return estimate(bank, faces, sheets.paper, sheets.page_count)

    label = f"{sheets.label}, {bank.prepress.label}" if bank.prepress else sheets.label
    unprinted = outside_printable((bank[number] for number in bare_faces), options.unprinted)
    findings = (*bank.findings, *([unprinted] if unprinted else []), *undrawn(album, workshop.images))
    return PrintedSheets(
        data, sheets.page_count, sheets.sheet_count, len(sheets.copies), findings, label, ink,
        album.size, options.art_dpi, album.finest,
        cut_files=() if only_sheet else cut_files(sheets.pages(), options.cutter),
    )  # fmt: skip


def _captioned(
    pages: Iterable[DrawnPage], caption: Caption, furniture: PageFurniture, streams: FaceStreams, step: Step
) -> Iterator[DrawnPage]:
    """Yields the drawn pages with marks and captions around their cards."""
    for page, faces in pages:
        step(f"sheet {page.number} of {page.total}")
        fingerprint = ""
        if digests := streams.digests:  # the same for the same faces in the same places
            looks = "".join(f"{placed.box.x} {placed.box.y} {digests[placed.face]}\n" for placed in page.placed)
            fingerprint = hashlib.sha256(looks.encode()).hexdigest()[:6]
        yield DrawnPage(furniture.around(page, caption._replace(fingerprint=fingerprint)), faces)


def revision_of(cards: Iterable[Card]) -> str:
    """Returns eight hex digits that change whenever any field of any of the cards changes."""
    digest = hashlib.sha256()
    encode = json.JSONEncoder(sort_keys=True, default=str).encode
    cards = iter(cards)
    while some := [(card.ref, card.values) for card in islice(cards, _AT_ONCE)]:
        digest.update(encode(some).encode())
    return digest.hexdigest()[:8]


_LINE, _TYPE = mm(5), points(6.5)
"""The distance of the line on a bare page from the lower edge, and its type size."""


class PageFurniture:
    """Adds marks, a ruler and captions around the cards on the pages of a job."""

    def __init__(self, workshop: Workshop, options: SheetOptions) -> None:
        self._label, self._aside = workshop.label("label"), workshop.label("aside")
        self._marking = options.marking
        self._ink_saver = InkSaver(options.ink)

    def around(self, page: Page, caption: Caption, bare: str = "") -> Page:
        """Returns the page with marks and captions. `bare` is the text for a page that is itself the card.

        Raises UsageError if there is no room for a stamp.
        """
        page = furnish(page, caption, self._label, self._aside, self._marking)
        if bare and page.grid.bare:
            line = self._aside(bare, page.size.width // 2, page.size.height - _LINE, _TYPE, "middle", 0)
            page = page._replace(furniture=(*page.furniture, Group(line)))
        return page._replace(furniture=self._ink_saver.shapes(page.furniture, page.size))


LEAST_DPI = 72
_TRIES = 6
_CLOSE = 0.85
"""If a file uses at least this share of the allowed size, no file with finer pictures is tried."""


def within_budget(options: SheetOptions, print_with: Callable[[SheetOptions], PrintedSheets]) -> PrintedSheets:
    """Returns the sheets of at most `options.most_bytes` with the finest pictures found in a few tries of `print_with`.

    Raises OutputError if the file is too large even with pictures at 72 dpi.
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
    """Returns the resolution at which the pictures would just fit, if their size grows with its square."""
    room = most - (len(printed.data) - printed.art_bytes)
    finest = min(printed.art_dpi, printed.art_finest)
    return round(finest * math.sqrt(max(0, room) * 0.97 / max(1, printed.art_bytes)))


def size_name(spec: GameSpec, options: SheetOptions) -> str:
    """Returns the printed size of cards as records of printing name it. Raises UsageError for unknown names.

    Cards in the inks of a press, which look different from others, have a name of their own.
    """
    size = target_size(card_size(spec.card_size), options)
    return f"{size}, CMYK" if options.press else str(size)


def print_job(streams: FaceStreams, copies: Sequence[tuple[Card, int]], options: SheetOptions, title: str) -> PrintJob:
    """Returns the record of printing a selection; draws missing faces. `streams` must have `with_digests=True`."""
    spec = streams.bank.workshop.game.spec
    printed: dict[Look, PrintedCard] = {}
    for card, count in copies:
        look = look_of(streams, card)
        if look in printed:
            printed[look] = printed[look]._replace(copies=printed[look].copies + count)
            continue
        back = sides(streams.bank, card, options)[1]
        digest = "" if back is None else streams.digest(back)
        printed[look] = PrintedCard(card.ref, card.name, count, look[1], digest)
    return PrintJob(spec.key, title, size_name(spec, options), tuple(printed.values()))


def look_of(streams: FaceStreams, card: Card) -> Look:
    """Returns a card's reference and the digest of its front. `streams` must have `with_digests=True`."""
    return card.ref, streams.digest(streams.bank.front(card))


def missing(
    spec: GameSpec, copies: Sequence[tuple[Card, int]], owned: Iterable[tuple[Card, int]]
) -> list[tuple[Card, int]]:
    """Returns the copies of a selection that a player does not own. The game decides which cards count as the same."""
    left = totals((identity(spec, card, None) or card.ref, count) for card, count in owned)
    out: list[tuple[Card, int]] = []
    for card, count in copies:
        key = identity(spec, card, None) or card.ref
        have = min(count, left[key])
        left[key] -= have
        if count > have:
            out.append((card, count - have))
    return out
