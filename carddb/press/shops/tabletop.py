"""Decks and tables for Tabletop Simulator: sheets of faces, a picture of each back, and the saved object to load.

In the format of Tabletop Simulator's saved objects, a card's number is the number of its sheet times 100, plus its
index on the sheet, counted row by row.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Any

from carddb.cards.cards import Card
from carddb.core.executors import Executor
from carddb.core.names import cut, portable, slug
from carddb.core.units import UM_PER_INCH, Box, Size
from carddb.layout.text.markup import plain
from carddb.paint.pdf.content_stream import ContentStream
from carddb.paint.raster_job import RasterJob, RasterPage, RasterPlacement, pixels, raster_page
from carddb.press.faces.bank import FaceBank
from carddb.press.faces.card_pictures import MOST_AT_ONCE, Pages, draw_files
from carddb.press.faces.workshop import back_of, reverse_of, shape_of
from carddb.press.shops.table import MOST_COPIES, OnlineTable
from carddb.read.decks.programs import NOTE, OBJECTS, notes_of

COLUMNS, ROWS = 10, 7
"""The columns and rows of the largest sheet."""
HIDDEN = COLUMNS * ROWS - 1
"""The index of the last place on a sheet, whose picture other players see in place of a card in a player's hand."""
LARGEST = 4096
"""The greatest width and height of a sheet in pixels."""
DPI = 300
"""The resolution of the backs in pixels per inch."""
UPLOAD = "Upload the pictures, and give their address with --url, before Tabletop Simulator loads the object."
_APART = 4
"""The distance between piles on the table, in Tabletop Simulator's units. A card is a little over two units wide."""
_LONGEST_NAME = 40
_CARD_FORMS: Mapping[str, int] = {"hexagon": 3, "circle": 4}
"""Tabletop Simulator's numbers for shapes of cards, by the first word of a shape in `game.yaml`; others are 0."""
_TILE_FORMS: Mapping[str, int] = {"hexagon": 1, "circle": 2, "rectangle": 3}
"""Tabletop Simulator's numbers for shapes of tiles, by the first word; 3 has rounded corners, and others are 0."""
_TILE = 2
"""The height of a tile of scale 1, in Tabletop Simulator's units."""
_FACE_DOWN = {
    "posX": 0, "posY": 1, "posZ": 0, "rotX": 0, "rotY": 180, "rotZ": 180, "scaleX": 1, "scaleY": 1, "scaleZ": 1
}  # fmt: skip


Piles = Mapping[str, Sequence[tuple[Card, int]]]
"""Cards with their numbers of copies, by the name of their pile."""


@dataclass(frozen=True, slots=True)
class FaceSheet:
    """A sheet of up to 69 cards with the same back, or with backs of their own.

    `back` is the number of the face that all cards have as their back, or None for a blank back. If cards have their
    own backs, `own_backs` has the number of each one's face, by the card's reference, and `reverses` the other face of
    each double-faced card, as a card. `form` is Tabletop Simulator's number for the shape of the cards.
    """

    number: int
    cards: tuple[Card, ...]
    back: int | None
    faces_file: str
    back_file: str
    own_backs: Mapping[str, int] = field(default_factory=dict)
    reverses: Mapping[str, Card] = field(default_factory=dict)
    form: int = 0

    def custom_deck(self, url: str) -> dict[str, Any]:
        """Returns the sheet as Tabletop Simulator describes it; its pictures are at the address `url`."""
        sides = {"FaceURL": address(url, self.faces_file), "BackURL": address(url, self.back_file)}
        unique = bool(self.own_backs)
        grid = {"NumWidth": COLUMNS, "NumHeight": ROWS, "BackIsHidden": True, "UniqueBack": unique, "Type": self.form}
        return {**sides, **grid}


def tabletop_deck(
    pages: Pages, piles: Piles, folder: Path, title: str, executor: Executor, url: str = "", note: str = "",
    table: OnlineTable | None = None,
) -> tuple[dict[str, Any], list[str]]:  # fmt: skip
    """Writes the pictures of sheets and backs. Returns the saved object and the names of the picture files.

    With a `table`, the piles lie on their places, and the object includes everything else on the table. The object
    loads the pictures from the address `url`; if it is empty, the object has only the file names. Raises UsageError if
    a picture is too large, OutputError if a file cannot be written.
    """
    spec = pages.bank.workshop.game.spec
    cards = {card.ref: card for copies in piles.values() for card, _ in copies}
    stem = file_stem(title)
    sheets = _sheets(pages.bank, list(cards.values()), stem)
    files = [picture.file.name for picture in draw_files(executor, _jobs(pages, sheets, folder))]
    places = {name: _at(table, box, is_up) for name, (_, box, is_up) in table.piles.items()} if table else {}
    value = saved_object(title, piles, sheets, url, note, places, spec.label_of)
    if table:
        pictures = {face: f"{stem}-part-{at}.png" for at, face in enumerate(table.thing_faces, 1)}
        jobs = pages.jobs(pictures, [folder / name for name in pictures.values()], MOST_AT_ONCE)
        files += [picture.file.name for picture in draw_files(executor, jobs)]
        next_sheet = max((sheet.number for sheet in sheets), default=0) + 2
        addresses = {number: address(url, name) for number, name in pictures.items()}
        value[OBJECTS] += _things(table, addresses, next_sheet)
        value["SnapPoints"] = [{"Position": _position(table, stack.box)} for stack in table.stacks]
        every = [part for each in value[OBJECTS] for part in (each, *each.get("ContainedObjects", ()))]
        tags = dict.fromkeys(tag for part in every for tag in part.get("Tags", ()))
        value["ComponentTags"] = {"labels": [{"displayed": tag, "normalized": tag.casefold()} for tag in tags]}
    pages.bank.save_cache()
    return value, files


def _position(table: OnlineTable, box: Box) -> dict[str, float]:
    """Returns the position of a box's middle in Tabletop Simulator's units (inches), from the middle of the table."""
    x, y = box.x + box.width / 2 - table.size.width / 2, box.y + box.height / 2 - table.size.height / 2
    return {"x": round(x / UM_PER_INCH, 3), "y": 1, "z": round(-y / UM_PER_INCH, 3)}


def _at(table: OnlineTable, box: Box, is_up: bool, scale: float = 1) -> dict[str, float]:
    """Returns the transform of an object in the middle of a box, face up or down, at this scale."""
    place = {f"pos{axis.upper()}": value for axis, value in _position(table, box).items()}
    scales = {"scaleX": scale, "scaleZ": scale}
    return {**_FACE_DOWN, **place, **scales, "rotZ": 0 if is_up else 180}


def _things(table: OnlineTable, addresses: Mapping[int, str], first_sheet: int) -> Iterator[dict[str, Any]]:
    """Yields components, dice, and a counter for each player. `addresses` has the pictures' URLs by face number.

    Components as large as cards become cards, others tiles. Several cards form a deck; several tiles are in a bag.
    `first_sheet` is the first unused number of a sheet.
    """
    guids = _guids(f"{table.title} things")
    numbers = count(first_sheet)
    for thing in table.things:
        is_card = (thing.box.width, thing.box.height) == table.card
        scale = 1 if is_card else round(thing.box.height / UM_PER_INCH / _TILE, 3)
        common = {"Tags": [thing.label], "Transform": _at(table, thing.box, True, scale)}
        parts: list[dict[str, Any]] = []
        for piece in thing.pieces:
            front, back = (addresses[piece.front if face is None else face] for face in (piece.front, piece.back))
            form = {"Type": _form(piece.shape, _TILE_FORMS), "Thickness": 0.1, "Stackable": True, "Stretch": True}
            sides = {"ImageURL": front, "ImageSecondaryURL": back, "ImageScalar": 1, "WidthScale": 0}
            tile = {"CustomImage": {**sides, "CustomTile": form}}
            number = next(numbers)
            sheet = FaceSheet(number, (), None, front, back, form=_form(piece.shape, _CARD_FORMS))
            deck = {**sheet.custom_deck(""), "NumWidth": 1, "NumHeight": 1}
            card = {"CardID": number * 100, "CustomDeck": {str(number): deck}}
            kind = "Custom_Tile" if not is_card else "CardCustom" if thing.copies == 1 else "Card"
            for _ in range(min(piece.copies, MOST_COPIES)):
                parts.append({**_thing(kind, next(guids), thing.label, ""), **(card if is_card else tile), **common})
        bag = {**_thing("Bag", next(guids), thing.label, ""), "Bag": {"Order": 0}, "ContainedObjects": parts}
        whole = _deck(thing.label, parts, bag["GUID"]) if is_card else bag
        yield parts[0] if len(parts) == 1 else {**whole, "Transform": _at(table, thing.box, True)}
    for die in table.dice:
        yield {**_thing(f"Die_{die.sides}", next(guids), die.label, ""), "Transform": _at(table, die.box, True)}
    for seat in range(1, len(table.seats) + 1):
        edge = Box(0, 0 if seat > 1 else table.size.height, 0, 0)
        counter = {"Transform": _at(table, edge, True), "Counter": {"value": 0}}
        yield {**_thing("Counter", next(guids), table.owner(seat), ""), **counter}


def _form(shape: str, forms: Mapping[str, int]) -> int:
    """Returns Tabletop Simulator's number for a shape in `game.yaml`; 0, a rectangle, if it has no such shape."""
    return forms.get(shape.partition(" ")[0], 0)


def rules_book(table: OnlineTable, address: str) -> dict[str, Any]:
    """Returns an object beside the table in which players can read the rulebook, the PDF at `address`."""
    beside = Box(table.size.width, 0, round(UM_PER_INCH * 8.5), round(UM_PER_INCH * 11))
    book = {"PDFUrl": address, "PDFPassword": "", "PDFPage": 0, "PDFPageOffset": 0}
    thing = _thing("Custom_PDF", next(_guids(f"{table.title} rules")), "Rules", "")
    return {**thing, "Transform": _at(table, beside, True, 3), "CustomPDF": book}


def sheet_count(bank: FaceBank, cards: Sequence[Card]) -> int:
    """Returns the number of sheets for these different cards."""
    return len(_sheets(bank, cards, ""))


def file_stem(title: str) -> str:
    """Returns the beginning of the names of all files of a deck, before a number and the ending."""
    return portable(cut(slug(title), _LONGEST_NAME))


def cell(card: Size) -> tuple[int, int]:
    """Returns the width and height of a card on a sheet in pixels, so that the sheet is as large as allowed."""
    wide, high = LARGEST // COLUMNS, LARGEST // ROWS
    if wide * card.height <= high * card.width:
        return wide, round(wide * card.height / card.width)
    return round(high * card.width / card.height), high


def _sheets(bank: FaceBank, cards: Sequence[Card], stem: str) -> list[FaceSheet]:
    spec = bank.workshop.game.spec
    groups: dict[tuple[int | None, int, bool], list[Card]] = {}
    for card in cards:
        own = back_of(bank.workshop, card)[1] is not None
        form = _form(shape_of(spec, card), _CARD_FORMS)
        groups.setdefault((None if own else bank.back(card), form, own), []).append(card)
    sheets: list[FaceSheet] = []
    for at, ((back, form, own), group) in enumerate(groups.items(), 1):
        for start in range(0, len(group), HIDDEN):
            part = tuple(group[start : start + HIDDEN])
            number = 1 + sum(2 if sheet.own_backs else 1 for sheet in sheets)  # own backs need a second number
            backs = {card.ref: side for card in part if own and (side := bank.back(card)) is not None}
            reverses = {card.ref: reverse for card in part if own and (reverse := reverse_of(spec, card))}
            behind = f"{stem}-backs-{number}.png" if own else f"{stem}-back-{at}.png"
            sheets.append(FaceSheet(number, part, back, f"{stem}-faces-{number}.png", behind, backs, reverses, form))
    return sheets


def _jobs(pages: Pages, sheets: Sequence[FaceSheet], folder: Path) -> Iterator[RasterJob]:
    """Yields a job for each sheet. The first sheet with a back draws the back too."""
    bank, streams = pages.bank, pages.streams
    drawn: set[str] = set()
    for sheet in sheets:
        faces = [streams[bank.front(card)] for card in sheet.cards]
        size, places = faces[0].size, range(len(faces))
        faces.append(ContentStream(size, (), {}) if sheet.back is None else streams[sheet.back])
        canvases = [_canvas(size, [*enumerate(places), (len(places), HIDDEN)], folder / sheet.faces_file)]
        if sheet.own_backs:
            faces += [streams[number] for number in sheet.own_backs.values()]
            shown = zip(range(len(places) + 1, len(faces)), places, strict=False)
            canvases.append(_canvas(size, list(shown), folder / sheet.back_file))
        elif sheet.back_file not in drawn:
            drawn.add(sheet.back_file)
            canvases.append(raster_page(len(places), pixels(size, DPI), DPI, folder / sheet.back_file))
        yield RasterJob(pages.pdf(faces), tuple(canvases))


def _canvas(card: Size, pages: Sequence[tuple[int, int]], file: Path) -> RasterPage:
    """Returns the picture of a sheet. `pages` are pairs of a PDF page's index and its place, counted row by row."""
    width, height = cell(card)
    spots = tuple(
        RasterPlacement(page, place % COLUMNS * width, place // COLUMNS * height, width, height)
        for page, place in pages
    )
    return RasterPage(width * COLUMNS, height * ROWS, round(width * UM_PER_INCH / card.width), spots, file)


def saved_object(
    title: str, piles: Piles, sheets: Sequence[FaceSheet], url: str = "", note: str = "",
    places: Mapping[str, dict[str, float]] = MappingProxyType({}), tag_of: Callable[[str], str] = str,
) -> dict[str, Any]:  # fmt: skip
    """Returns the piles in the format of Tabletop Simulator's saved objects. A pile is a deck or a single card.

    If there are several piles, their names include the title. A card's game master notes have its reference and pile,
    and `tag_of` gives the tag for its type. The other face of a double-faced card is its second state. `note` is the
    note of the saved object. `places` has the transforms of piles by name; other piles lie side by side.
    """
    on = {card.ref: (sheet, place) for sheet in sheets for place, card in enumerate(sheet.cards)}
    guids = _guids(title)

    def made(card: Card, pile: str, kind: str) -> dict[str, Any]:
        sheet, place = on[card.ref]
        deck, common = sheet.custom_deck(url), {"GMNotes": notes_of(card.ref, pile), "Tags": [tag_of(card.type)]}

        def side(shown: Card, number: int, deck: Mapping[str, Any]) -> dict[str, Any]:
            words = shown.name or shown.ref, plain(str(shown.get("text") or ""))
            numbers = {"CardID": number * 100 + place, "CustomDeck": {str(number): deck}}
            return {**_thing(kind, next(guids), *words), **numbers, **common}

        front = side(card, sheet.number, deck)
        if other := sheet.reverses.get(card.ref):
            turned = {**deck, "FaceURL": deck["BackURL"], "BackURL": deck["FaceURL"]}
            front["States"] = {"2": side(other, sheet.number + 1, turned)}
        return front

    objects = []
    for at, (name, copies) in enumerate(piles.items()):
        single = sum(count for _, count in copies) == 1
        kind = "CardCustom" if single else "Card"
        cards = [made(card, name, kind) for card, count in copies for _ in range(count)]
        pile = cards[0] if single else _deck(f"{title}: {name}" if len(piles) > 1 else title, cards, next(guids))
        objects.append({**pile, "Transform": places.get(name, {**_FACE_DOWN, "posX": at * _APART})})
    empty = ("GameMode", "Date", "Table", "Sky", "Note", "Rules", "PlayerTurn", "LuaScript", "LuaScriptState", "XmlUI")
    hands = {"Hands": {"Enable": True, "DisableUnused": False, "Hiding": 0}}  # virtualtabletop.io requires them
    return {"SaveName": title, **dict.fromkeys(empty, ""), NOTE: note, **hands, OBJECTS: objects}


def _deck(name: str, cards: Sequence[Mapping[str, Any]], guid: str) -> dict[str, Any]:
    """Returns a deck of cards as an object, with the sheets that the cards are on."""
    sheets = {number: sheet for card in cards for number, sheet in card["CustomDeck"].items()}
    return {
        **_thing("DeckCustom", guid, name, ""),
        "DeckIDs": [card["CardID"] for card in cards],
        "CustomDeck": dict(sorted(sheets.items(), key=lambda item: int(item[0]))),
        "ContainedObjects": list(cards),
    }


def address(url: str, file: str) -> str:
    """Returns the URL of a file under `url`. A slash is added unless `url` ends in `/` or `=`."""
    return f"{url}{'' if not url or url[-1] in '/=' else '/'}{file}"


def _thing(name: str, guid: str, nickname: str, description: str) -> dict[str, Any]:
    """Returns the keys that every object has, with their usual values."""
    is_set = ("Grid", "Snap", "Autoraise", "Sticky", "Tooltip", "HideWhenFaceDown")
    return {
        "GUID": guid,
        "Name": name,
        "Transform": dict(_FACE_DOWN),
        "Nickname": nickname,
        "Description": description,
        "ColorDiffuse": dict.fromkeys("rgb", 0.713),
        "Locked": False,
        **dict.fromkeys(is_set, True),
        "Hands": name != "DeckCustom",
        "SidewaysCard": False,
    }


def _guids(seed: str) -> Iterator[str]:
    """Yields distinct ids of six hex digits. The same `seed` always gives the same ids."""
    seen = set()
    for number in count():
        guid = hashlib.sha256(f"{seed} {number}".encode()).hexdigest()[:6]
        if guid not in seen:
            seen.add(guid)
            yield guid
