"""Decks and tables for Tabletop Simulator: sheets of faces, a picture of each back, and the saved object to load.

The object has the format of the program's own saved objects: a card's number is the number of its sheet times 100, plus
its index on the sheet, counted row by row.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
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
from carddb.press.shops.table import MOST_COPIES, OnlineTable
from carddb.read.decks.programs import NOTE, OBJECTS, notes_of

COLUMNS, ROWS = 10, 7
"""The columns and rows of the largest sheet."""
HIDDEN = COLUMNS * ROWS - 1
"""The index of the last place on a sheet, which has the back that other players see of a card in the hand."""
LARGEST = 4096
"""The most pixels on each side."""
DPI = 300
"""The resolution of the backs in pixels per inch."""
UPLOAD = "Upload the pictures, and name the place with --url, before the game loads the object."
_APART = 4
"""The distance between piles on the table, in the program's units. A card is a little more than two units wide."""
_LONGEST_NAME = 40
_TILE = 2
"""The height of a tile of scale 1 in the program's units."""
_FACE_DOWN = {
    "posX": 0, "posY": 1, "posZ": 0, "rotX": 0, "rotY": 180, "rotZ": 180, "scaleX": 1, "scaleY": 1, "scaleZ": 1
}  # fmt: skip


Piles = Mapping[str, Sequence[tuple[Card, int]]]
"""Cards with their numbers of copies, by the name of their pile."""


@dataclass(frozen=True, slots=True)
class FaceSheet:
    """A sheet of up to 69 cards with the same back.

    `back` is the number of that face, None if an empty back is made.
    """

    number: int
    cards: tuple[Card, ...]
    back: int | None
    faces_file: str
    back_file: str


def tabletop_deck(
    pages: Pages, piles: Piles, folder: Path, title: str, executor: Executor, url: str = "", note: str = "",
    table: OnlineTable | None = None,
) -> tuple[dict[str, Any], list[str]]:  # fmt: skip
    """Writes the sheets and backs. Returns the saved object and the names of the files.

    With a `table`, the piles lie on their places, and everything else of the table is there too. The object looks for
    the files under `url`; without it, it has only the file names. Raises UsageError if a picture is too large,
    OutputError if a file cannot be written.
    """
    cards = {card.ref: card for copies in piles.values() for card, _ in copies}
    stem = file_stem(title)
    sheets = _sheets(pages.bank, list(cards.values()), stem)
    files = [picture.file.name for picture in draw_files(executor, _jobs(pages, sheets, folder))]
    places = {table.name_of(each): _at(table, each.box, each.faces == "up") for each in table.stacks} if table else {}
    value = saved_object(title, piles, sheets, url, note, places)
    if table:
        pictures = thing_pictures(table, stem)
        jobs = pages.jobs(pictures, [folder / name for name in pictures.values()], MOST_AT_ONCE)
        files += [picture.file.name for picture in draw_files(executor, jobs)]
        value[OBJECTS] += _things(table, {number: address(url, name) for number, name in pictures.items()})
        value["SnapPoints"] = [{"Position": _position(table, stack.box)} for stack in table.stacks]
    pages.bank.save_cache()
    return value, files


def thing_pictures(table: OnlineTable, stem: str) -> dict[int, str]:
    """Returns the file name of the picture of each face of the components on a table, by the number of the face."""
    faces = (number for thing in table.things for number in (thing.front, thing.back) if number is not None)
    return {number: f"{stem}-part-{at}.png" for at, number in enumerate(dict.fromkeys(faces), 1)}


def _position(table: OnlineTable, box: Box) -> dict[str, float]:
    """Returns the middle of a box in the program's units, which are inches, from the middle of the table."""
    x, y = box.x + box.width / 2 - table.size.width / 2, box.y + box.height / 2 - table.size.height / 2
    return {"x": round(x / UM_PER_INCH, 3), "y": 1, "z": round(-y / UM_PER_INCH, 3)}


def _at(table: OnlineTable, box: Box, is_up: bool, scale: float = 1) -> dict[str, float]:
    """Returns the transform of an object in the middle of a box."""
    place = {f"pos{axis.upper()}": value for axis, value in _position(table, box).items()}
    scales = {"scaleX": scale, "scaleZ": scale}
    return {**_FACE_DOWN, **place, **scales, "rotZ": 0 if is_up else 180}


def _things(table: OnlineTable, addresses: Mapping[int, str]) -> Iterator[dict[str, Any]]:
    """Yields tiles for components (in a bag, if there are several), dice, and a counter for each player."""
    guids = _guids(f"{table.title} things")
    for thing in table.things:
        front = addresses[thing.front]
        image = {
            "ImageURL": front, "ImageSecondaryURL": front if thing.back is None else addresses[thing.back],
            "ImageScalar": 1, "WidthScale": 0,
            "CustomTile": {"Type": 0, "Thickness": 0.1, "Stackable": True, "Stretch": True},
        }  # fmt: skip
        scale = round(thing.box.height / UM_PER_INCH / _TILE, 3)
        place = _at(table, thing.box, True, scale)
        tiles = [
            {**_thing("Custom_Tile", next(guids), thing.label, ""), "Transform": place, "CustomImage": image}
            for _ in range(min(thing.copies, MOST_COPIES))
        ]
        bag = {**_thing("Bag", next(guids), thing.label, ""), "Transform": _at(table, thing.box, True)}
        yield tiles[0] if len(tiles) == 1 else {**bag, "ContainedObjects": tiles}
    for die in table.dice:
        yield {**_thing(f"Die_{die.sides}", next(guids), die.label, ""), "Transform": _at(table, die.box, True)}
    for seat in range(1, len(table.seats) + 1):
        edge = Box(0, 0 if seat > 1 else table.size.height, 0, 0)
        counter = {"Transform": _at(table, edge, True), "Counter": {"value": 0}}
        yield {**_thing("Counter", next(guids), table.owner(seat), ""), **counter}


def sheet_count(bank: FaceBank, cards: Sequence[Card]) -> int:
    """Returns the number of sheets for these different cards."""
    return len(_sheets(bank, cards, ""))


def file_stem(title: str) -> str:
    """Returns the beginning of the names of all files of a deck, before number and ending."""
    return portable(cut(slug(title), _LONGEST_NAME))


def cell(card: Size) -> tuple[int, int]:
    """Returns the width and height of a card on a sheet in pixels: the most that the largest picture allows."""
    wide, high = LARGEST // COLUMNS, LARGEST // ROWS
    if wide * card.height <= high * card.width:
        return wide, round(wide * card.height / card.width)
    return round(high * card.width / card.height), high


def _sheets(bank: FaceBank, cards: Sequence[Card], stem: str) -> list[FaceSheet]:
    by_back: dict[int | None, list[Card]] = {}
    for card in cards:
        by_back.setdefault(bank.back(card), []).append(card)
    sheets: list[FaceSheet] = []
    for at, (back, group) in enumerate(by_back.items(), 1):
        for start in range(0, len(group), HIDDEN):
            number = len(sheets) + 1
            faces, behind = f"{stem}-faces-{number}.png", f"{stem}-back-{at}.png"
            sheets.append(FaceSheet(number, tuple(group[start : start + HIDDEN]), back, faces, behind))
    return sheets


def _jobs(pages: Pages, sheets: Sequence[FaceSheet], folder: Path) -> Iterator[RasterJob]:
    """Yields a job for each sheet. The first sheet with a back draws the back too."""
    bank, streams = pages.bank, pages.streams
    drawn: set[str] = set()
    for sheet in sheets:
        faces = [streams[bank.front(card)] for card in sheet.cards]
        size = faces[0].size
        faces.append(ContentStream(size, (), {}) if sheet.back is None else streams[sheet.back])
        canvases = [_faces_canvas(size, len(sheet.cards), folder / sheet.faces_file)]
        if sheet.back_file not in drawn:
            drawn.add(sheet.back_file)
            back = raster_page(len(sheet.cards), pixels(size, DPI), DPI, folder / sheet.back_file)
            canvases.append(back)
        yield RasterJob(pages.pdf(faces), tuple(canvases))


def _faces_canvas(card: Size, count: int, file: Path) -> RasterPage:
    """Returns the picture of a sheet: `count` pages in rows, and the page after them, the back, in the last place."""
    width, height = cell(card)
    places = [(page, page) for page in range(count)] + [(count, HIDDEN)]
    spots = tuple(
        RasterPlacement(page, place % COLUMNS * width, place // COLUMNS * height, width, height)
        for page, place in places
    )
    return RasterPage(width * COLUMNS, height * ROWS, round(width * UM_PER_INCH / card.width), spots, file)


def saved_object(
    title: str, piles: Piles, sheets: Sequence[FaceSheet], url: str = "", note: str = "",
    places: Mapping[str, dict[str, float]] = MappingProxyType({}),
) -> dict[str, Any]:  # fmt: skip
    """Returns the piles side by side, in the format of the program's saved objects. A pile is a deck or a single card.

    If there are several piles, their names follow the title. A card's reference and pile are in its game master notes.
    `note` is the object's own note. `places` has the transforms of piles that do not lie side by side.
    """
    grid = {"NumWidth": COLUMNS, "NumHeight": ROWS, "BackIsHidden": True, "UniqueBack": False, "Type": 0}
    decks = {
        sheet.number: {"FaceURL": address(url, sheet.faces_file), "BackURL": address(url, sheet.back_file), **grid}
        for sheet in sheets
    }
    ids = {card.ref: sheet.number * 100 + place for sheet in sheets for place, card in enumerate(sheet.cards)}
    guids = _guids(title)
    objects = []
    for at, (name, copies) in enumerate(piles.items()):
        single = sum(count for _, count in copies) == 1
        cards = [
            _card(card, ids[card.ref], decks, next(guids), "CardCustom" if single else "Card", notes_of(card.ref, name))
            for card, count in copies
            for _ in range(count)
        ]
        pile = cards[0] if single else _deck(f"{title}: {name}" if len(piles) > 1 else title, cards, next(guids))
        objects.append({**pile, "Transform": places.get(name, {**_FACE_DOWN, "posX": at * _APART})})
    empty = ("GameMode", "Date", "Table", "Sky", "Note", "Rules", "PlayerTurn", "LuaScript", "LuaScriptState", "XmlUI")
    return {"SaveName": "", **dict.fromkeys(empty, ""), NOTE: note, OBJECTS: objects}


def _deck(name: str, cards: Sequence[Mapping[str, Any]], guid: str) -> dict[str, Any]:
    """Returns a deck object of cards, with the sheets that they are on."""
    sheets = {number: sheet for card in cards for number, sheet in card["CustomDeck"].items()}
    return {
        **_thing("DeckCustom", guid, name, ""),
        "DeckIDs": [card["CardID"] for card in cards],
        "CustomDeck": dict(sorted(sheets.items(), key=lambda item: int(item[0]))),
        "ContainedObjects": list(cards),
    }


def _card(card: Card, number: int, decks: Mapping[int, Any], guid: str, kind: str, notes: str) -> dict[str, Any]:
    sheet = number // 100
    return {
        **_thing(kind, guid, card.name or card.ref, plain(str(card.get("text") or ""))),
        "GMNotes": notes,
        "CardID": number,
        "CustomDeck": {str(sheet): decks[sheet]},
    }


def address(url: str, file: str) -> str:
    """Returns the URL of a file under `url`. A slash is added unless `url` ends in `/` or `=`."""
    return f"{url}{'' if not url or url[-1] in '/=' else '/'}{file}"


def _thing(name: str, guid: str, nickname: str, description: str) -> dict[str, Any]:
    """Returns the keys that every object has."""
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
