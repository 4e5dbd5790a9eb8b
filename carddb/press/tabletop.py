"""Decks for Tabletop Simulator: sheets of faces, one picture of each back, and the object to be loaded.

The object has the shape of the game's own saved objects: a card's number is its sheet's number times a hundred and its
place there, counted row by row.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from carddb.cards import Card
from carddb.layout.display_list import Face
from carddb.layout.markup import plain
from carddb.names import slug
from carddb.paint.raster_job import RasterJob, RasterPage, RasterPlacement, pixels, raster_page
from carddb.press.card_pictures import Pages
from carddb.press.face_bank import FaceBank
from carddb.press.worker_pool import worker_count, worker_pool
from carddb.units import UM_PER_INCH, Size

COLUMNS, ROWS = 10, 7
"""The largest grid of a sheet."""
HIDDEN = COLUMNS * ROWS - 1
"""The last place, which has the back that others see while a player holds a card."""
LARGEST = 4096
"""The most pixels a side."""
DPI = 300
"""Of the backs."""
_LONGEST_NAME = 40
_FACE_DOWN = {
    "posX": 0, "posY": 1, "posZ": 0, "rotX": 0, "rotY": 180, "rotZ": 180, "scaleX": 1, "scaleY": 1, "scaleZ": 1
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class FaceSheet:
    """Up to 69 cards of one back; `back` is its number in the bank, None where a blank one is made."""

    number: int
    cards: tuple[Card, ...]
    back: int | None
    faces_file: str
    back_file: str


def tabletop_deck(
    pages: Pages, copies: Sequence[tuple[Card, int]], folder: Path, title: str, jobs: int | None = 1, url: str = ""
) -> tuple[dict[str, Any], list[str]]:
    """Writes the sheets and backs; gives the object, and the names of the files.

    The object looks for the files under `url`, without one for their bare names. Raises UsageError, OutputError.
    """
    sheets = _sheets(pages.bank, list({card.ref: card for card, _ in copies}.values()), file_stem(title))
    with worker_pool(worker_count(jobs, len(sheets), at_once=1)) as workers:
        files = [picture.file.name for picture in workers.press(_jobs(pages, sheets, folder))]
    return saved_object(title, copies, sheets, url), files


def file_stem(title: str) -> str:
    """What all files of a deck are called, before their number and ending."""
    return slug(title)[:_LONGEST_NAME].rstrip("-")


def cell(card: Size) -> tuple[int, int]:
    """The pixels of one card on a sheet: as many as the largest picture gives, in the card's proportions."""
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
    """A job a sheet; the first of each back draws the back too."""
    bank = pages.bank
    drawn: set[str] = set()
    for sheet in sheets:
        faces = [bank[bank.front(card)] for card in sheet.cards]
        size = faces[0].size
        faces.append(Face(size, ()) if sheet.back is None else bank[sheet.back])
        canvases = [_faces_canvas(size, len(sheet.cards), folder / sheet.faces_file)]
        if sheet.back_file not in drawn:
            drawn.add(sheet.back_file)
            back = raster_page(len(sheet.cards), pixels(size, DPI), DPI, folder / sheet.back_file)
            canvases.append(back)
        yield RasterJob(pages.pdf(faces), tuple(canvases))


def _faces_canvas(card: Size, count: int, file: Path) -> RasterPage:
    """The first pages side by side in rows, the page after them in the last place."""
    width, height = cell(card)
    places = [(page, page) for page in range(count)] + [(count, HIDDEN)]
    spots = tuple(
        RasterPlacement(page, place % COLUMNS * width, place // COLUMNS * height, width, height)
        for page, place in places
    )
    return RasterPage(width * COLUMNS, height * ROWS, round(width * UM_PER_INCH / card.width), spots, file)


def saved_object(
    title: str, copies: Sequence[tuple[Card, int]], sheets: Sequence[FaceSheet], url: str = ""
) -> dict[str, Any]:
    """The deck, or the card where it is one alone, as it lies in the folder of saved objects."""
    decks = {sheet.number: _custom_deck(sheet, url) for sheet in sheets}
    ids = {card.ref: sheet.number * 100 + place for sheet in sheets for place, card in enumerate(sheet.cards)}
    guids = _guids(title)
    single = sum(count for _, count in copies) == 1
    cards = [
        _card(card, ids[card.ref], decks, next(guids), "CardCustom" if single else "Card")
        for card, count in copies
        for _ in range(count)
    ]
    deck = {
        **_thing("DeckCustom", next(guids), title, ""),
        "DeckIDs": [card["CardID"] for card in cards],
        "CustomDeck": {str(number): deck for number, deck in decks.items()},
        "ContainedObjects": cards,
    }
    empty = ("GameMode", "Date", "Table", "Sky", "Note", "Rules", "PlayerTurn", "LuaScript", "LuaScriptState", "XmlUI")
    return {"SaveName": "", **dict.fromkeys(empty, ""), "ObjectStates": cards if single else [deck]}


def _card(card: Card, number: int, decks: Mapping[int, Any], guid: str, kind: str) -> dict[str, Any]:
    sheet = number // 100
    return {
        **_thing(kind, guid, card.name or card.ref, plain(str(card.get("text") or ""))),
        "CardID": number,
        "CustomDeck": {str(sheet): decks[sheet]},
    }


def _custom_deck(sheet: FaceSheet, url: str) -> dict[str, Any]:
    return {
        "FaceURL": address(url, sheet.faces_file),
        "BackURL": address(url, sheet.back_file),
        "NumWidth": COLUMNS,
        "NumHeight": ROWS,
        "BackIsHidden": True,
        "UniqueBack": False,
        "Type": 0,
    }


def address(url: str, file: str) -> str:
    """Where a file is looked for: under `url`, which may end in what the name is put after."""
    return f"{url}{'' if not url or url[-1] in '/=' else '/'}{file}"


def _thing(name: str, guid: str, nickname: str, description: str) -> dict[str, Any]:
    """What every object has."""
    tone = {"r": 0.713, "g": 0.713, "b": 0.713}
    return {
        "GUID": guid,
        "Name": name,
        "Transform": dict(_FACE_DOWN),
        "Nickname": nickname,
        "Description": description,
        "ColorDiffuse": tone,
        "Locked": False,
        "Grid": True,
        "Snap": True,
        "Autoraise": True,
        "Sticky": True,
        "Tooltip": True,
        "HideWhenFaceDown": True,
        "Hands": name != "DeckCustom",
        "SidewaysCard": False,
    }


def _guids(seed: str) -> Iterator[str]:
    """Six hex digits an object, no two alike, the same for the same title."""
    seen = set()
    number = 0
    while True:
        guid = hashlib.sha256(f"{seed} {number}".encode()).hexdigest()[:6]
        number += 1
        if guid not in seen:
            seen.add(guid)
            yield guid
