"""A game on a table: nothing on anything else, and in each program's file everything that its importer asks for."""

from __future__ import annotations

import io
import json
import zipfile
from collections import Counter
from collections.abc import Callable
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from PIL import Image

from carddb.core.units import Box, mm
from carddb.door import Project
from carddb.games import folders, load
from carddb.layout.stock import card_size
from carddb.press.shops.playingcards import LARGEST
from carddb.press.shops.table import Part, Seat, Thing, lay_out
from tests.conftest import Told
from tests.press.shops.test_tabletop import SAVED
from tests.shelf import GAMES

Call = Callable[..., Told]
DECKS = [GAMES / "guarda" / "decks" / name for name in ("three-by-three.deck", "four-by-four.deck")]


@pytest.mark.parametrize("key", folders())
def test_nothing_lies_on_anything_else(key: str) -> None:
    """Zones, components and dice of each game are apart, on the table, each player's in his own area."""
    game, _ = load(folders()[key])
    assert game
    seats = [Seat(name, {}) for name in "ABC"[: game.spec.players[1]]]
    sizes = ((5, 20), (120, 7), (300, 400), (60, 60))
    things = [
        Thing(f"part {n}", seat, 0, None, 1, Box(0, 0, mm(wide), mm(high)))
        for n, (wide, high) in enumerate(sizes)
        for seat in range(len(seats) + 1)
    ]
    table = lay_out(game.spec, "Table", seats, things, card_size(game.spec.card_size))
    parts: list[Part] = [*table.stacks, *table.things, *table.dice]
    boxes = [(part.seat, part.box) for part in parts]
    for (_, one), (_, other) in combinations(boxes, 2):
        apart = one.right <= other.x or other.right <= one.x or one.bottom <= other.y or other.bottom <= one.y
        assert apart, (one, other)
    assert all(box.right <= table.size.width and box.bottom <= table.size.height for _, box in boxes)
    areas = {seat: [box for owner, box in boxes if owner == seat] for seat, _ in boxes}
    spans = sorted((min(box.y for box in area), max(box.bottom for box in area)) for area in areas.values())
    assert all(end <= begin for (_, end), (begin, _) in pairwise(spans))


def _room(path: Path) -> tuple[list[dict[str, Any]], dict[str, bytes]]:
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    return json.loads(files.pop("widgets.json")), files


@pytest.mark.door
def test_a_room_has_what_its_importers_read(call: Call) -> None:
    """Ids are unique, parents and decks exist, cards are of a type of their deck, pictures are there and small."""
    assert call("-q", "table", *map(str, DECKS), "--for", "pcio", "-o", "room.pcio").code == 0
    widgets, files = _room(Path("room.pcio"))
    by_id = {widget["id"]: widget for widget in widgets}
    assert len(by_id) == len(widgets)
    kinds = Counter(widget["type"] for widget in widgets)
    assert kinds.keys() <= {"hand", "cardPile", "cardDeck", "card", "board", "spinner", "counter"}
    pictures: set[str] = set()
    for widget in widgets:
        assert {"id", "type", "x", "y", "z"} <= widget.keys()
        assert widget["type"] not in ("card", "cardDeck") or by_id[widget["parent"]]["type"] == "cardPile"
        if widget["type"] == "cardDeck":
            assert all(isinstance(text, str) for look in widget["cardTypes"].values() for text in look.values())
            pictures |= {look[side] for look in widget["cardTypes"].values() for side in ("image", "back")}
            for side in ("faceTemplate", "backTemplate"):
                assert all(isinstance(each["value"], str) for each in widget[side]["objects"])
        if widget["type"] == "card":
            assert widget["cardType"] in by_id[widget["deck"]]["cardTypes"]
        if widget["type"] == "board":
            pictures.add(widget["boardImage"])
    assert {f"package://{name}" for name in files} == pictures
    assert all(len(data) < LARGEST and Image.open(io.BytesIO(data)).format == "PNG" for data in files.values())
    drawn = [widget for widget in widgets if widget["parent" if "parent" in widget else "id"] == "pile1"]
    assert sum(widget["type"] == "card" for widget in drawn) > 5


@pytest.mark.door
def test_a_saved_object_has_the_whole_table(call: Call) -> None:
    """Decks have their usual form; tiles, dice, counters and rules are beside them, pictures in the folder."""
    options = ("--for", "tts", "--url", "https://example.org/t", "-o", "g.json")
    assert call("-q", "table", *map(str, DECKS), *options).code == 0
    saved = json.loads(Path("g.json").read_text("utf-8"))
    objects = saved["ObjectStates"]
    decks = [each for each in objects if each["Name"] in ("DeckCustom", "CardCustom")]
    jsonschema.validate({**saved, "ObjectStates": decks}, SAVED)
    guids = [each["GUID"] for top in objects for each in (top, *top.get("ContainedObjects", ()))]
    assert len(set(guids)) == len(guids)
    kinds = Counter(each["Name"] for each in objects)
    assert kinds["Die_10"] == 2 and kinds["Counter"] == 2 and kinds["Custom_Tile"] > 2 and len(decks) >= 2
    tiles = [each for top in objects for each in (top, *top.get("ContainedObjects", ())) if "CustomImage" in each]
    for tile in tiles:
        for side in ("ImageURL", "ImageSecondaryURL"):
            assert Path(tile["CustomImage"][side].removeprefix("https://example.org/t/")).is_file()
    places = [(each["Transform"]["posX"], each["Transform"]["posZ"]) for each in objects if each["Name"] != "Counter"]
    assert len(set(places)) == len(places) and len(saved["SnapPoints"]) == 11
    assert "title" in saved["TabStates"]["0"] and len(saved["TabStates"]["0"]["body"]) > 1000


def test_an_ending_must_suit_the_program(call: Call) -> None:
    """It is misuse to name another, or something that is neither game nor deck."""
    assert call("table", "guarda", "--for", "tts", "-o", "g.png").code == 2
    told: Told = call("table", "gurda", "-o", "g.png")
    assert told.code == 2 and "Did you mean guarda?" in told.err


@pytest.mark.door
def test_a_plan_is_a_page_or_a_picture(call: Call) -> None:
    """Both show the same page of the chosen paper; a plan is drawn the same twice."""
    for name in ("a.pdf", "b.pdf", "a.png"):
        assert call("-q", "table", "guarda", "-o", name, "--on", "2026-06-20").code == 0
    assert Path("a.pdf").read_bytes() == Path("b.pdf").read_bytes()
    assert Image.open("a.png").size == (2339, 1654)


def test_a_script_lays_the_table_of_the_command(call: Call, folder: Path) -> None:
    """`Project.table` gives the bytes that the command writes."""
    assert call("table", *map(str, DECKS), "-o", "plan.pdf", "--on", "2026-06-20").code == 0
    table = Project(folder).table("other.pdf", *DECKS, on="2026-06-20")
    assert table.data == Path("plan.pdf").read_bytes()
