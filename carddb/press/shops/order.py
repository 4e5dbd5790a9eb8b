"""Cards for a print shop by its profile: pictures with a manifest, or one PDF a deck."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from carddb.cards.cards import Card
from carddb.core.errors import UsageError
from carddb.core.executors import Executor
from carddb.core.units import UM_PER_INCH, UM_PER_MM, Box, Size
from carddb.findings import CardCount, Finding
from carddb.layout.drawing.legibility import SafeArea
from carddb.layout.sheets.grid import Grid
from carddb.layout.sheets.imposition import Page, Placed, Side
from carddb.layout.stock import card_size
from carddb.paint.pdf.images import PdfImages
from carddb.paint.pdf.sheets import sheets_pdf
from carddb.press.faces.art import undrawn
from carddb.press.faces.bank import FaceBank, FaceStreams
from carddb.press.faces.card_pictures import Pages, draw_files, share
from carddb.press.faces.workshop import Workshop
from carddb.press.progress import Step, unreported
from carddb.press.sheets.options import SheetOptions
from carddb.press.sheets.sheets import PrintedSheets, revision_of
from carddb.press.shops.shops import Profile
from carddb.read.documents.manifest_parts import Ordered, OrderManifest

_LOOSE = UM_PER_MM
"""How much smaller than its slot a card may be, so that it is scaled into it: 63 × 88 mm is a poker card."""


class ShopOrder:
    """Cards in a shop's slots: each face drawn once at the shop's size, and looked at for its safe area.

    `cards` has each card once with all its copies, by reference in the order of the deck, `backs` the numbers of their
    backs. Raises UsageError for a card size that does not go into the slot.
    """

    def __init__(
        self, workshop: Workshop, profile: Profile, copies: Sequence[tuple[Card, int]], options: SheetOptions
    ) -> None:
        self.workshop, self.profile, self.copies, self.options = workshop, profile, copies, options
        natural = card_size(workshop.game.spec.card_size)
        self.lying = natural.width > natural.height
        self.size = profile.trim.turned if self.lying else profile.trim
        _check_size(self.size, options.card_size, profile.name)
        size = None if self.size == natural else self.size
        self.bank = FaceBank(workshop, size, options.ink, lenient=True, type_sizes={})
        self.pages = Pages(FaceStreams(self.bank), profile.shop.dpi)
        self._area = SafeArea(profile.safe, profile.label)
        self.cards: dict[str, tuple[Card, int]] = {}
        for card, count in copies:
            self.cards[card.ref] = (card, count + self.cards.get(card.ref, (card, 0))[1])
        self.backs: dict[str, int] = {}
        if options.flip != "none":
            for card, _ in self.cards.values():
                number = self.bank.back(card)
                if number is not None:
                    self.backs[card.ref] = number

    @property
    def findings(self) -> list[Finding]:
        return [*self.pages.findings, *self._area.findings()]

    def inspect(self) -> list[Finding]:
        """What is wrong with its faces, before anything is printed. Raises TemplateError, FontError."""
        self.pages.inspect([*(self.front(card) for card, _ in self.cards.values()), *self.different_backs()])
        return self.findings

    def front(self, card: Card) -> int:
        """The number of a card's front."""
        number = self.bank.front(card)
        self._area.check(self.bank[number], CardCount(card.ref, card.name))
        return number

    def different_backs(self) -> list[int]:
        """Each back once, in the order of the deck."""
        numbers = list(dict.fromkeys(self.backs.values()))
        for number in numbers:
            self._area.check(self.bank[number], CardCount("", self.name_of(number)))
        return numbers

    def name_of(self, number: int) -> str:
        """What a back is in words."""
        return self.bank[number].title or "back"


def _check_size(slot: Size, card_size_name: str, name: str) -> None:
    card = card_size(card_size_name) if card_size_name else slot
    if not (0 <= slot.width - card.width <= _LOOSE and 0 <= slot.height - card.height <= _LOOSE):
        raise UsageError(
            f"{name} is a card of {slot}, not of {card}",
            "Leave out --card-size: the faces are drawn, or evenly scaled, to the shop's size.",
        )


def order_pictures(
    order: ShopOrder, folder: Path, title: str, executor: Executor, step: Step = unreported
) -> OrderManifest:
    """Writes the front of each card and each different back once, and gives the list of them.

    Raises UsageError, OutputError.
    """
    profile = order.profile
    backs = order.different_backs()
    entries = _entries(order, backs)
    numbers = chain((order.front(card) for card, _ in order.cards.values()), backs)
    files = [folder / entry["file"] for entry in entries]
    at_once = share(executor, len(files))
    work = order.pages.jobs(numbers, files, at_once, profile.bleed, profile.pixels, int(order.lying))
    pictures = []
    for entry, written in zip(entries, draw_files(executor, work), strict=True):
        digest = hashlib.sha256(written.file.read_bytes()).hexdigest()
        pictures.append(Ordered(**entry, pixels=(written.width, written.height), sha256=digest))
        step("")
    dpi = profile.shop.dpi
    return OrderManifest(
        profile=profile.name,
        game=order.workshop.game.key,
        title=title,
        revision=revision_of(card for card, _ in order.copies),
        dpi=dpi,
        trim=(profile.trim.width * dpi // UM_PER_INCH, profile.trim.height * dpi // UM_PER_INCH),
        pictures=pictures,
    )


def _entries(order: ShopOrder, backs: Sequence[int]) -> list[dict[str, Any]]:
    """The files of an order as the manifest lists them, without what only their drawing gives."""

    def file(side: str, at: int, name: str) -> str:
        return f"{order.profile.file_stem(side, at, name)}.png"

    names = {number: file("back", at, order.name_of(number)) for at, number in enumerate(backs, 1)}
    needed = dict.fromkeys(backs, 0)
    fronts: list[dict[str, Any]] = []
    for at, (card, count) in enumerate(order.cards.values(), 1):
        entry = {"file": file("front", at, card.name), "side": "front", "ref": card.ref, "name": card.name}
        back = order.backs.get(card.ref)
        if back is not None:
            needed[back] += count
            entry["back"] = names[back]
        fronts.append({**entry, "copies": count})
    return fronts + [
        {"file": names[number], "side": "back", "name": order.name_of(number), "copies": count}
        for number, count in needed.items()
    ]


def order_pdf(order: ShopOrder, title: str) -> PrintedSheets:
    """One PDF of single cards: for each copy its back, a blank page where it has none, and its front.

    Raises UsageError, InputError, FontError.
    """
    order.different_backs()
    total = sum(count for _, count in order.copies)
    grid = _one_card(order)
    album = PdfImages(order.workshop.images, order.options.art_dpi)
    data = sheets_pdf(
        map(FaceStreams(order.bank).drawn, _pages(order, grid, total)), order.workshop.kit.book, album, title=title,
        lang=order.workshop.lang, duplex="none", creation=order.options.creation,
    )  # fmt: skip
    findings = (*order.findings, *undrawn(album, order.workshop.images))
    return PrintedSheets(data, 2 * total, total, total, findings, grid.label)


def _pages(order: ShopOrder, grid: Grid, total: int) -> Iterator[Page]:
    number = 0
    for card, count in order.copies:
        front, back = order.front(card), order.backs.get(card.ref)
        for _ in range(count):
            number += 1
            yield _page(grid, "back", number, total, back)
            yield _page(grid, "front", number, total, front)


def _one_card(order: ShopOrder) -> Grid:
    page, bleed = order.profile.page, order.profile.bleed
    slot = Box(0, 0, page.width, page.height).grown(-bleed)
    return Grid(page, order.size, (slot,), 90 if order.lying else 0, False, order.profile.label, bleed=bleed)


def _page(grid: Grid, side: Side, number: int, total: int, face: int | None) -> Page:
    whole = Box(0, 0, grid.paper.width, grid.paper.height)
    placed = () if face is None else (Placed(face, grid.slots[0], whole, grid.angle),)
    return Page(grid, side, number, total, grid.slots, 1, placed)
