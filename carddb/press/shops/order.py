"""Prints cards for a print shop according to its profile: as pictures with a manifest, or as a PDF.

With the pictures, there may be `order.xml` for mpc-autofill, and `plan.json` for a shop whose decks have one back.
"""

from __future__ import annotations

import hashlib
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from carddb.cards.cards import Card
from carddb.core.errors import UsageError
from carddb.core.executors import Executor
from carddb.core.plain_text import for_xml, json_bytes
from carddb.core.units import UM_PER_INCH, UM_PER_MM, Box, Size
from carddb.findings import CardCount, Finding
from carddb.layout.drawing.legibility import SafeArea
from carddb.layout.prepress import mask
from carddb.layout.sheets.grid import Grid, SlotBand
from carddb.layout.sheets.imposition import Page, Placed, Side
from carddb.layout.stock import card_size
from carddb.paint.pdf.images import PdfImages
from carddb.paint.pdf.operators import StreamBuilder
from carddb.paint.pdf.prepress import Prepress
from carddb.paint.pdf.sheets import sheets_pdf
from carddb.paint.raster_job import RasterJob, raster_page
from carddb.press import Step, unreported
from carddb.press.faces.art import undrawn
from carddb.press.faces.bank import FaceBank, FaceStreams
from carddb.press.faces.card_pictures import Pages, draw_files, share
from carddb.press.faces.workshop import Workshop, own_sizes
from carddb.press.sheets.options import SheetOptions
from carddb.press.sheets.sheets import PrintedSheets, revision_of
from carddb.press.shops.shops import Autofill, Profile
from carddb.read.documents.manifest_parts import Ordered, OrderManifest

_LOOSE = UM_PER_MM
"""A card is scaled up to the shop's size if it is smaller by at most this: 63 × 88 mm counts as a poker card."""
_UNLIKE = 5
"""The most percent by which the ratio of width to height of a card may differ from that of the shop's card."""


class ShopOrder:
    """An order of cards at a shop's size, with each face drawn once and its safe area checked.

    `cards` has each card with its number of copies, and `backs` the number of its back, by reference in the order of
    the deck. With `prepress`, faces are prepared for a printing press. Raises UsageError if the size of cards is not
    the size of the shop's product.
    """

    def __init__(
        self,
        workshop: Workshop,
        profile: Profile,
        copies: Sequence[tuple[Card, int]],
        options: SheetOptions,
        prepress: Prepress | None = None,
    ) -> None:
        self.workshop, self.profile, self.copies, self.options = workshop, profile, copies, options
        natural = card_size(workshop.game.spec.card_size)
        self.size = self._fitted(natural)
        own = own_sizes(workshop.game.spec)
        fitted = {card.type: self._fitted(own[card.type]) for card, _ in copies if card.type in own}
        misshapen = []
        for kind, size in fitted.items():
            one, two = own[kind].width * size.height, size.width * own[kind].height
            if 100 * abs(one - two) > _UNLIKE * max(one, two):
                misshapen.append(f"{kind} ({own[kind]})")
        if misshapen:
            raise UsageError(
                f"{profile.name} is a card of {profile.trim}, another shape than {', '.join(misshapen)}",
                "Order these types separately, with a profile of their shape; leave them out here with -type:NAME.",
            )
        card = card_size(options.card_size) if options.card_size else self.size
        if not (0 <= self.size.width - card.width <= _LOOSE and 0 <= self.size.height - card.height <= _LOOSE):
            raise UsageError(
                f"{profile.name} is a card of {self.size}, not of {card}",
                "Leave out --card-size: the faces are then drawn in the shop's size, or scaled to it.",
            )
        drawn_size = None if self.size == natural else self.size
        self.bank = FaceBank(workshop, drawn_size, options.ink, lenient=True, type_sizes=fitted, prepress=prepress)
        self.pages = Pages(FaceStreams(self.bank), profile.shop.dpi)
        self._area = SafeArea(profile.safe, profile.label)
        self.cards: dict[str, tuple[Card, int]] = {}
        for each, count in copies:
            self.cards[each.ref] = (each, count + self.cards.get(each.ref, (each, 0))[1])
        self.backs: dict[str, int] = {}
        if options.flip != "none":
            numbers = {ref: self.bank.back(card) for ref, (card, _) in self.cards.items()}
            self.backs = {ref: number for ref, number in numbers.items() if number is not None}

    def _fitted(self, natural: Size) -> Size:
        """Returns the shop's card size, turned by 90° if only one of it and `natural` is in landscape format."""
        trim = self.profile.trim
        return trim.turned if (natural.width > natural.height) != (trim.width > trim.height) else trim

    @property
    def turned(self) -> int:
        """The number of different cards that are turned by 90° to fit the shop's page."""
        sizes = (self.bank.size_of(self.bank.front(card)) for card, _ in self.cards.values())
        return sum(size != self.profile.trim for size in sizes)

    @property
    def findings(self) -> list[Finding]:
        return [*self.pages.findings, *self._area.findings()]

    def inspect(self) -> list[Finding]:
        """Returns the findings about the faces before anything is printed. Raises TemplateError, FontError."""
        self.pages.inspect([*(self.front(card) for card, _ in self.cards.values()), *self.different_backs()])
        return self.findings

    def front(self, card: Card) -> int:
        """Returns the number of a card's front, and checks its safe area."""
        number = self.bank.front(card)
        self._area.check(self.bank[number], CardCount(card.ref, card.name), self.bank.outline_of(number))
        return number

    def different_backs(self) -> list[int]:
        """Returns the numbers of the backs, each once, in the order of the deck, and checks their safe areas."""
        numbers = list(dict.fromkeys(self.backs.values()))
        for number in numbers:
            self._area.check(self.bank[number], CardCount("", self.name_of(number)))
        return numbers

    def name_of(self, number: int) -> str:
        """Returns the title of a back; `back` if it has none."""
        return self.bank[number].title or "back"


def order_pictures(
    order: ShopOrder, folder: Path, title: str, executor: Executor, step: Step = unreported
) -> OrderManifest:
    """Writes the front of each card and each different back once, and masks for the plates of the game's spot colours.

    Returns the manifest of the pictures, without the masks. Raises UsageError for too large pictures, and OutputError.
    """
    profile = order.profile
    backs = order.different_backs()
    entries = _entries(order, backs)
    numbers = chain((order.front(card) for card, _ in order.cards.values()), backs)
    files = [folder / entry["file"] for entry in entries]
    at_once = share(executor, len(files))
    work = order.pages.jobs(numbers, files, at_once, profile.bleed, profile.pixels)
    pictures = []
    for entry, written in zip(entries, draw_files(executor, work), strict=True):
        digest = hashlib.sha256(written.file.read_bytes()).hexdigest()
        pictures.append(Ordered(**entry, pixels=(written.width, written.height), sha256=digest))
        step("")
    for _ in draw_files(executor, _masks(order, backs, files)):
        pass
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


def _masks(order: ShopOrder, backs: Sequence[int], files: Sequence[Path]) -> Iterator[RasterJob]:
    """Yields jobs that draw a mask for each face and spot colour on it: a picture that is black where the ink goes."""
    profile, spots = order.profile, order.workshop.game.spec.spot_colours
    if not spots:
        return
    builder = StreamBuilder(order.workshop.kit.book)
    numbers = chain((order.bank.front(card) for card, _ in order.cards.values()), backs)
    for number, file in zip(numbers, files, strict=True):
        for plate in sorted(set(spots.values())):
            if face := mask(order.bank[number], [colour for colour, name in spots.items() if name == plate]):
                wide, high = profile.pixels
                turned = (face.size.width > face.size.height) != (wide > high)
                canvas = raster_page(0, (wide, high), profile.shop.dpi, file.with_suffix(f".{plate}.png"), int(turned))
                yield RasterJob(order.pages.pdf([builder.face(face)], profile.bleed), (canvas,))


def _entries(order: ShopOrder, backs: Sequence[int]) -> list[dict[str, Any]]:
    """Returns the entries of the manifest without the sizes and digests, which are known only after drawing."""

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
    """Returns a PDF with two pages for each copy: first its back (empty if it has none), then its front.

    Raises UsageError if a shape is invalid, InputError if there are no cards, FontError if a font is missing.
    """
    order.different_backs()
    total = sum(count for _, count in order.copies)
    page, bleed = order.profile.page, order.profile.bleed
    slot = Box(0, 0, page.width, page.height).grown(-bleed)
    trim, label = order.profile.trim, order.profile.label
    grids = {
        size: Grid(page, (SlotBand((slot,), angle),), False, label, bleed=bleed)
        for size, angle in ((trim.turned, 90), (trim, 0))
    }
    album = PdfImages(order.workshop.images, order.options.art_dpi, prepress=order.bank.prepress)
    data = sheets_pdf(
        map(FaceStreams(order.bank).drawn, _pages(order, grids, total)), order.workshop.kit.book, album, title=title,
        lang=order.workshop.lang, duplex="none", creation=order.options.creation, prepress=order.bank.prepress,
    )  # fmt: skip
    findings = (*order.findings, *undrawn(album, order.workshop.images))
    return PrintedSheets(data, 2 * total, total, total, findings, label)


def _pages(order: ShopOrder, grids: Mapping[Size, Grid], total: int) -> Iterator[Page]:
    """Yields the pages of each copy: its back, then its front. `grids` has the grid of a page, by the face's size."""
    page, number = order.profile.page, 0
    whole = Box(0, 0, page.width, page.height)
    for card, count in order.copies:
        front = order.front(card)
        grid = grids[order.bank.size_of(front)]
        sides: tuple[tuple[Side, int | None], ...] = ("back", order.backs.get(card.ref)), ("front", front)
        for _ in range(count):
            number += 1
            for side, face in sides:
                placed = () if face is None else (Placed(face, grid.slots[0], whole, grid.bands[0].angle),)
                yield Page(grid, side, number, total, grid.slots, 1, placed)


XML_FILE, PLAN_FILE = "order.xml", "plan.json"


def order_files(profile: Profile, manifest: OrderManifest) -> Mapping[str, bytes]:
    """Returns the files that help to order these pictures at a shop, by name; empty if there are none."""
    autofill = profile.shop.autofill
    files = {}
    quantity = sum(front.copies for front in _fronts(manifest))
    if autofill and autofill.product == profile.key and quantity <= autofill.brackets[-1]:
        files[XML_FILE] = autofill_order(autofill, manifest)
    if profile.shop.one_back:
        files[PLAN_FILE] = json_bytes(deck_plan(profile, manifest))
    return files


def autofill_order(autofill: Autofill, manifest: OrderManifest) -> bytes:
    """Returns an order file for mpc-autofill, in which the id of a picture is its file name.

    Every copy has a slot, counted from 0. The back that most copies have is the default; slots of others are listed.
    """
    fronts = _fronts(manifest)
    quantity = 0
    slots: dict[str, range] = {}
    for front in fronts:
        slots[front.file] = range(quantity, quantity + front.copies)
        quantity += front.copies
    order = ET.Element("order")
    details = ET.SubElement(order, "details")
    bracket = next(bracket for bracket in autofill.brackets if bracket >= quantity)
    order_values = {"quantity": str(quantity), "bracket": str(bracket), "stock": autofill.stock, "foil": "false"}
    for key, text in order_values.items():
        ET.SubElement(details, key).text = text
    _cards(order, "fronts", ((front, slots[front.file]) for front in fronts))
    backs = [picture for picture in manifest.pictures if picture.side == "back"]
    if backs:
        common = max(backs, key=lambda back: back.copies)
        others = [
            (back, [slot for front in fronts if front.back == back.file for slot in slots[front.file]])
            for back in backs
            if back is not common
        ]
        if others:
            _cards(order, "backs", others)
        ET.SubElement(order, "cardback").text = common.file
    ET.indent(order)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(order, encoding="unicode")}\n'.encode()


def deck_plan(profile: Profile, manifest: OrderManifest) -> dict[str, Any]:
    """Returns, as JSON data, the decks to order from a shop: for each back its cards, with pictures and copies."""
    fronts = _fronts(manifest)
    decks = {back: [front for front in fronts if front.back == back] for back in dict.fromkeys(f.back for f in fronts)}
    return {
        "schema": "carddb.plan/1",
        "shop": profile.shop.name,
        "game": manifest.game,
        "title": manifest.title,
        "revision": manifest.revision,
        "parts": [
            {
                "part": f"{profile.key} deck",
                "trim_mm": [profile.trim.width / 1000, profile.trim.height / 1000],
                "pixels": list(profile.pixels),
                "back": back,
                "count": sum(front.copies for front in cards),
                "cards": [{"name": front.name, "face": front.file, "count": front.copies} for front in cards],
            }
            for back, cards in decks.items()
        ],
    }


def _fronts(manifest: OrderManifest) -> list[Ordered]:
    return [picture for picture in manifest.pictures if picture.side == "front"]


def _cards(order: ET.Element, name: str, pictures: Iterable[tuple[Ordered, Iterable[int]]]) -> None:
    """Adds a list called `name`, of pictures with their slots, to an order for mpc-autofill."""
    listed = ET.SubElement(order, name)
    for picture, slots in pictures:
        card = ET.SubElement(listed, "card")
        ET.SubElement(card, "id").text = picture.file
        ET.SubElement(card, "slots").text = ",".join(map(str, slots))
        ET.SubElement(card, "name").text = picture.file
        ET.SubElement(card, "query").text = for_xml(picture.name)
