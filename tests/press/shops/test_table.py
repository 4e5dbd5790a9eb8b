"""A game on a table: nothing on anything else, and in each program's file everything that its importer asks for."""

from __future__ import annotations

import io
import json
import zipfile
from collections import Counter
from collections.abc import Callable
from itertools import combinations, pairwise
from pathlib import Path
from shutil import rmtree
from typing import Any

import jsonschema
import pytest
from PIL import Image

from carddb.core.units import Box, mm
from carddb.door import Project
from carddb.games import folders, load
from carddb.layout.stock import card_size
from carddb.press.shops.playingcards import LARGEST
from carddb.press.shops.table import Part, Seat, TablePiece, Thing, lay_out
from tests.conftest import Told
from tests.games.shoals_game import write_game
from tests.press.shops.test_tabletop import SAVED
from tests.rows import every
from tests.shelf import GAMES

Call = Callable[..., Told]
SIDES = ("ImageURL", "ImageSecondaryURL")
DECKS = [GAMES / "guarda" / "decks" / name for name in ("three-by-three.deck", "four-by-four.deck")]


@every("key", folders())
def test_nothing_lies_on_anything_else(key: str) -> None:
    """Zones, components and dice of each game are apart, on the table, each player's in his own area."""
    game, _ = load(folders()[key])
    assert game
    seats = [Seat(name, {}) for name in "ABC"[: game.spec.players[1]]]
    sizes = ((5, 20), (120, 7), (300, 400), (60, 60))
    things = [
        Thing(f"part {n}", seat, (TablePiece(0, None),), Box(0, 0, mm(wide), mm(high)))
        for n, (wide, high) in enumerate(sizes)
        for seat in range(len(seats) + 1)
    ]
    table = lay_out(game.spec, "Table", seats, things, card_size(game.spec.card_size), 1.5)
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


@pytest.mark.full
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


def _parts(saved: dict[str, Any]) -> list[dict[str, Any]]:
    """All objects of a saved object, with what decks and bags contain."""
    return [each for top in saved["ObjectStates"] for each in (top, *top.get("ContainedObjects", ()))]


@pytest.mark.full
@pytest.mark.door
def test_a_saved_object_has_the_whole_table(call: Call) -> None:
    """Decks have their usual form; tiles, dice, counters and rules are beside them, pictures in the folder."""
    options = ("--for", "tts", "--url", "https://example.org/t", "-o", "g.json")
    assert call("-q", "table", *map(str, DECKS), *options).code == 0
    saved = json.loads(Path("g.json").read_text("utf-8"))
    objects = saved["ObjectStates"]
    decks = [each for each in objects if each["Name"] in ("DeckCustom", "CardCustom")]
    jsonschema.validate({**saved, "ObjectStates": decks}, SAVED)
    parts = _parts(saved)
    assert len({each["GUID"] for each in parts}) == len(parts)
    kinds = Counter(each["Name"] for each in objects)
    assert kinds["Die_10"] == 2 and kinds["Counter"] == 2 and kinds["Custom_Tile"] > 2 and len(decks) >= 2
    images = [each["CustomImage"][side] for each in parts if "CustomImage" in each for side in SIDES]
    images += [
        sheet[side] for each in decks for sheet in each["CustomDeck"].values() for side in ("FaceURL", "BackURL")
    ]
    (book,) = (each for each in objects if each["Name"] == "Custom_PDF")
    images.append(book["CustomPDF"]["PDFUrl"])
    assert all(Path(image.removeprefix("https://example.org/t/")).is_file() for image in images)
    places = [(each["Transform"]["posX"], each["Transform"]["posZ"]) for each in objects if each["Name"] != "Counter"]
    assert len(set(places)) == len(places) and len(saved["SnapPoints"]) == 11
    assert "title" in saved["TabStates"]["0"] and len(saved["TabStates"]["0"]["body"]) > 1000


@pytest.mark.door
@pytest.mark.full
def test_a_saved_object_has_what_its_readers_ask_for(call: Call) -> None:
    """Reference cards are cards on sheets of their own; tags are listed; shapes of cards and tiles are known numbers.

    A field of cards lies there once, card by card. virtualtabletop.io reads whether there are hands.
    """
    assert call("-q", "table", "guarda", "--for", "tts", "-o", "g.zip").code == 0
    with zipfile.ZipFile("g.zip") as archive:
        names = set(archive.namelist())
        saved = json.loads(archive.read("g.json"))
    parts = _parts(saved)
    tags = {label["displayed"]: label["normalized"] for label in saved["ComponentTags"]["labels"]}
    assert {tag for each in parts for tag in each.get("Tags", ())} == tags.keys() >= {"Pattern card", "Mapping aid"}
    assert all(normalized == tag.casefold() for tag, normalized in tags.items()) and saved["Hands"]["Enable"] is True
    references = [each for each in parts if each["Nickname"] == "Mapping aid"]
    for card in references:
        ((key, sheet),) = card["CustomDeck"].items()
        assert card["Name"] == "CardCustom" and card["CardID"] == int(key) * 100
        assert (sheet["NumWidth"], sheet["NumHeight"]) == (1, 1) and {sheet["FaceURL"], sheet["BackURL"]} <= names
    assert len(references) == 2
    fields = [each["Transform"] for each in saved["ObjectStates"] if each.get("Tags") == ["Grid card"]]
    assert len({place["posX"] for place in fields}) == 3 and len({place["posZ"] for place in fields}) == 2
    sheets = [sheet for each in parts for sheet in each.get("CustomDeck", {}).values()]
    tiles = [each["CustomImage"]["CustomTile"]["Type"] for each in parts if each["Name"] == "Custom_Tile"]
    assert {sheet["Type"] for sheet in sheets} <= {0, 1, 2, 3, 4} and set(tiles) <= {0, 1, 2, 3}


@pytest.mark.door
@pytest.mark.full
def test_shapes_and_other_faces_reach_the_program(call: Call, folder: Path) -> None:
    """A round token is a round tile, a round card a round card; a card's other face is its second state.

    A game without decks has a table too.
    """
    shoals = write_game(folder / "shoals")
    spec = shoals / "game.yaml"
    coin = "token: {label: Coin, template: coin.svg, size: 20x20mm, shape: circle, count: 3}"
    (shoals / "templates" / "coin.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"/>')
    text = spec.read_text("utf-8").replace("label: Captain\n", "label: Captain\n    shape: circle\n")
    spec.write_text(f"{text}\ncomponents:\n  {coin}\n", "utf-8")
    given = ("-q", "--games", str(shoals), "table", "shoals", "--for", "tts", "-o", "s.json")
    assert call("-q", "--games", str(shoals), "load", str(shoals / "cards.csv"), "--game", "shoals").code == 0
    assert call(*given).code == 0
    saved = json.loads(Path("s.json").read_text("utf-8"))
    captains = [each for each in saved["ObjectStates"] if each.get("Tags") == ["Captain"]]
    assert len(captains) == 2
    for captain in captains:
        (front,), (back,) = (each["CustomDeck"].values() for each in (captain, captain["States"]["2"]))
        assert front["UniqueBack"] and front["Type"] == 4 and captain["States"]["2"]["Nickname"].endswith("ashore")
        assert (front["FaceURL"], front["BackURL"]) == (back["BackURL"], back["FaceURL"])
        assert captain["CardID"] % 100 == captain["States"]["2"]["CardID"] % 100
        assert captain["CustomDeck"].keys() != captain["States"]["2"]["CustomDeck"].keys()
        assert Image.open(front["FaceURL"]).size == Image.open(front["BackURL"]).size
    coins = [each for each in _parts(saved) if each["Name"] == "Custom_Tile"]
    assert len(coins) == 6 and {each["CustomImage"]["CustomTile"]["Type"] for each in coins} == {2}
    rmtree(shoals / "decks")
    assert call(*given[:-1], "bare.json").code == 0
    bare = json.loads(Path("bare.json").read_text("utf-8"))["ObjectStates"]
    assert {each["Nickname"] for each in bare} == {"Coin", "Player 1", "Player 2"}


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


@pytest.mark.full
def test_a_script_lays_the_table_of_the_command(call: Call, folder: Path) -> None:
    """`Project.table` gives the bytes that the command writes."""
    assert call("table", *map(str, DECKS), "-o", "plan.pdf", "--on", "2026-06-20").code == 0
    table = Project(folder).table("other.pdf", *DECKS, on="2026-06-20")
    assert table.data == Path("plan.pdf").read_bytes()
