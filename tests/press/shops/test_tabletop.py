"""Decks for Tabletop Simulator."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from carddb.cards.cards import Card
from carddb.core.units import Size
from carddb.games import folders
from carddb.press.shops.tabletop import COLUMNS, HIDDEN, LARGEST, ROWS, FaceSheet, address, cell, saved_object
from tests.conftest import GAME, Told

CAHRD_DECK = folders()["cahrd"].path / "decks" / "grain-roads.deck"
NUMBERS = ("posX", "posY", "posZ", "rotX", "rotY", "rotZ", "scaleX", "scaleY", "scaleZ")
CUSTOM_DECK = {
    "type": "object",
    "minProperties": 1,
    "patternProperties": {
        "^[1-9][0-9]*$": {
            "type": "object",
            "required": ["FaceURL", "BackURL", "NumWidth", "NumHeight", "BackIsHidden", "UniqueBack"],
            "properties": {
                "FaceURL": {"type": "string", "minLength": 1},
                "BackURL": {"type": "string", "minLength": 1},
                "NumWidth": {"type": "integer", "minimum": 1, "maximum": 10},
                "NumHeight": {"type": "integer", "minimum": 1, "maximum": 7},
                "BackIsHidden": {"type": "boolean"},
                "UniqueBack": {"type": "boolean"},
                "Type": {"type": "integer", "minimum": 0, "maximum": 4},
            },
        }
    },
    "additionalProperties": False,
}
THING = {
    "type": "object",
    "required": ["GUID", "Name", "Transform", "Nickname", "Description", "CustomDeck"],
    "properties": {
        "GUID": {"type": "string", "pattern": "^[0-9a-f]{6}$"},
        "Transform": {
            "type": "object",
            "required": list(NUMBERS),
            "additionalProperties": {"type": "number"},
        },
        "Nickname": {"type": "string"},
        "Description": {"type": "string"},
        "CustomDeck": CUSTOM_DECK,
    },
}
CARD = {"allOf": [THING, {"required": ["CardID"], "properties": {"CardID": {"type": "integer", "minimum": 100}}}]}
DECK = {
    "allOf": [
        THING,
        {
            "required": ["DeckIDs", "ContainedObjects"],
            "properties": {
                "Name": {"const": "DeckCustom"},
                "DeckIDs": {"type": "array", "minItems": 2, "items": {"type": "integer", "minimum": 100}},
                "ContainedObjects": {
                    "type": "array",
                    "items": {"allOf": [CARD, {"properties": {"Name": {"const": "Card"}}}]},
                },
            },
        },
    ]
}
SAVED = {
    "type": "object",
    "required": ["SaveName", "ObjectStates"],
    "properties": {
        "ObjectStates": {
            "type": "array",
            "minItems": 1,
            "items": {"oneOf": [DECK, {"allOf": [CARD, {"properties": {"Name": {"const": "CardCustom"}}}]}]},
        }
    },
}
"""The shape of a saved object, as its readers and writers know it."""


def saved(folder: str) -> dict[str, Any]:
    """The one object in a folder, of a good shape."""
    (path,) = Path(folder).glob("*.json")
    value: dict[str, Any] = json.loads(path.read_text("utf-8"))
    jsonschema.validate(value, SAVED)
    return value


def sheets_of(count: int) -> tuple[list[Card], list[FaceSheet]]:
    """Cards of one back on as many sheets as they take."""
    cards = [Card("g", f"R-{at}", {"name": f"Card {at}", "text": "**Once:** draw *two*"}) for at in range(count)]
    parts = [tuple(cards[start : start + HIDDEN]) for start in range(0, count, HIDDEN)]
    return cards, [FaceSheet(at, part, 0, f"faces-{at}.png", "back-1.png") for at, part in enumerate(parts, 1)]


@given(st.lists(st.integers(1, 4), min_size=1, max_size=150))
def test_every_copy_finds_its_face(counts: list[int]) -> None:
    """A card's number is its sheet's times a hundred and its place; no card takes the last place."""
    cards, sheets = sheets_of(len(counts))
    value = saved_object("T", {"": list(zip(cards, counts, strict=True))}, sheets)
    jsonschema.validate(value, SAVED)
    (thing,) = value["ObjectStates"]
    contained = thing.get("ContainedObjects", [thing])
    assert [card["Nickname"] for card in contained] == [
        card.name for card, count in zip(cards, counts, strict=True) for _ in range(count)
    ]
    for card in contained:
        number, place = divmod(card["CardID"], 100)
        assert place < HIDDEN
        assert sheets[number - 1].cards[place].name == card["Nickname"]
        assert card["CustomDeck"][str(number)]["FaceURL"] == f"faces-{number}.png"
        assert card["Description"] == "Once: draw two"
    if len(contained) > 1:
        assert thing["DeckIDs"] == [card["CardID"] for card in contained]
    guids = [card["GUID"] for card in contained] + [thing["GUID"]] * (len(contained) > 1)
    assert len(set(guids)) == len(guids)


@given(st.integers(5_000, 200_000), st.integers(5_000, 200_000))
def test_no_sheet_is_larger_than_the_game_takes(width: int, height: int) -> None:
    """Ten by seven cards of any shape stay within 4096 pixels a side, and fill one of the sides."""
    across, down = cell(Size(width, height))
    assert across * COLUMNS <= LARGEST and down * ROWS <= LARGEST
    assert across == LARGEST // COLUMNS or down == LARGEST // ROWS
    assert abs(across * height - down * width) <= max(width, height)


def test_a_poker_sheet_has_the_pixels_that_are_known() -> None:
    """409 × 573 pixels a card, 4090 × 4011 a sheet."""
    assert cell(Size(63_500, 88_900)) == (409, 573)


@pytest.mark.parametrize(
    ("url", "whole"),
    [("", "a.png"), ("https://x.org/y", "https://x.org/y/a.png"), ("https://x.org/?f=", "https://x.org/?f=a.png")],
)
def test_an_address_is_put_before_the_names(url: str, whole: str) -> None:
    """By default the names alone; a folder gets its stroke."""
    assert address(url, "a.png") == whole


@pytest.mark.full
def test_a_deck_is_laid_out_in_sheets(call: Callable[..., Told]) -> None:
    """More than 69 cards take several sheets; each different back is one picture and hides in the last place."""
    told = call("sheets", "set:sample", "--game", GAME, "--tts", "out", "--jobs", "1")
    assert told.code == 0 and "as PNG" in told.err
    decks = saved("out")["ObjectStates"]
    assert [deck["Nickname"].partition(": ")[2] for deck in decks] == ["Playing deck", "Resource deck"]
    entries = list({number: entry for deck in decks for number, entry in deck["CustomDeck"].items()}.values())
    assert {path.name for path in Path("out").glob("*.png")} == {
        entry[side] for entry in entries for side in ("FaceURL", "BackURL")
    }
    assert len({entry["BackURL"] for entry in entries}) == 2 and len(entries) >= 3
    for entry in entries:
        sheet, back = Image.open(Path("out") / entry["FaceURL"]), Image.open(Path("out") / entry["BackURL"])
        assert sheet.mode == back.mode == "RGB" and max(sheet.size) <= LARGEST
        wide, high = sheet.width // COLUMNS, sheet.height // ROWS
        hidden = sheet.crop((wide * 9, high * 6, wide * 10, high * 7))
        shown = back.resize(hidden.size, Image.Resampling.BOX)
        small = (9, 15), Image.Resampling.BOX
        worst = ImageChops.difference(hidden.resize(*small), shown.resize(*small))
        assert max(worst.tobytes()) < 28
        assert min(hidden.tobytes()) < 200


@pytest.mark.full
def test_one_card_alone_is_a_card(call: Callable[..., Told]) -> None:
    """A single copy is no deck; the address is where it was said to be."""
    assert call("sheets", "EG-CAR-001", "--tts", "out", "--url", "https://example.org/cards/").code == 0
    (card,) = saved("out")["ObjectStates"]
    assert (card["Name"], card["CardID"], card["Nickname"]) == ("CardCustom", 100, "Hannibal Barca")
    assert card["CustomDeck"]["1"]["FaceURL"] == "https://example.org/cards/hannibal-barca-faces-1.png"


@pytest.mark.full
@pytest.mark.door
def test_the_same_deck_gives_the_same_bytes(call: Callable[..., Told]) -> None:
    """Object and sheets of two runs are equal, whoever draws them."""
    query = ("empire:mali type:general,resource", "--game", GAME)
    for folder, jobs in (("one", "1"), ("two", "2")):
        assert call("sheets", *query, "--tts", folder, "--jobs", jobs).code == 0
    made = [{path.name: path.read_bytes() for path in Path(folder).iterdir()} for folder in ("one", "two")]
    assert made[0] == made[1]


@pytest.mark.full
def test_piles_that_the_rules_keep_apart_are_decks_of_their_own(call: Callable[..., Told], folder: Path) -> None:
    """A deck becomes one pile a section, side by side; strategies have a back of their own, which is black."""
    told = call(
        "sheets",
        str(CAHRD_DECK),
        "--game",
        "cahrd",
        "--allow-faults",
        "--tts",
        "table",
        "--on",
        "2026-06-20",
        "--allow-illegal",
    )
    assert told.code == 0, told.err
    main, strategies = saved("table")["ObjectStates"]
    assert main["Nickname"].endswith(": Main deck") and strategies["Nickname"].endswith(": Strategy deck")
    assert main["Transform"]["posX"] != strategies["Transform"]["posX"]
    backs = [{sheet["BackURL"] for sheet in pile["CustomDeck"].values()} for pile in (main, strategies)]
    assert len(backs[0]) == len(backs[1]) == 1 and backs[0] != backs[1]
    guids = [card["GUID"] for pile in (main, strategies) for card in (pile, *pile["ContainedObjects"])]
    assert len(set(guids)) == len(guids)
    with Image.open(folder / "table" / backs[1].pop()) as picture:
        shades = picture.convert("L").histogram()
    assert sum(shades[:40]) > sum(shades[40:])
