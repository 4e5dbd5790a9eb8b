"""Pictures by pattern, sizes of types, double-faced cards: what a game of one's own says of its faces."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pypdfium2
import pytest
from PIL import Image

from carddb.games import Game, folders, load
from carddb.layout.stock import card_size
from carddb.press.faces.art import art_names
from carddb.press.faces.bank import FaceBank
from carddb.press.faces.workshop import open_workshop
from carddb.press.sheets.card_sheets import card_sheets, face_bank, print_preview
from carddb.press.sheets.options import SheetOptions
from tests.conftest import OUTSIDE, Told

Call = Callable[..., Told]


@pytest.fixture
def lanterns(folder: Path) -> Path:
    """A copy of the small game outside, in the working folder."""
    return Path(copytree(OUTSIDE / "lanterns", folder / "lanterns"))


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def game_in(path: Path) -> Game:
    game, findings = load(folders([(path, True)])[path.name])
    assert game is not None, findings
    return game


def picture(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (700, 500), "#884422").save(path)


def with_pattern(lanterns: Path, pattern: str = "art/{ref}.png") -> Game:
    """The game with a pattern for pictures, and a place for them on its faces."""
    change(lanterns / "game.yaml", "card_size: poker\n", f'card_size: poker\nart: "{pattern}"\n')
    image = '{% if card.art %}<image href="{{ card.art }}" x="5" y="24" width="50" height="30"/>{% endif %}</svg>'
    change(lanterns / "templates" / "card.svg", "</svg>", image)
    return game_in(lanterns)


def shown(game: Game, project: Path) -> set[str]:
    """The references of the cards whose fronts show a picture."""
    bank = FaceBank(open_workshop(game, (), project))
    return {card.ref for card in game.own_cards if "PlacedImage(" in repr(bank[bank.front(card)].shapes)}


def test_a_picture_is_found_by_the_pattern(lanterns: Path, tmp_path: Path) -> None:
    """In the project or the game's folder, as PNG, WebP or JPEG; the project's goes first, a card's own before all."""
    game = with_pattern(lanterns)
    for name in ("lanterns/art/L-01.webp", "lanterns/art/L-02.jpg", "art/L-03.png"):
        picture(tmp_path / name)
    assert shown(game, tmp_path) == {"L-01", "L-02", "L-03"}
    names = art_names(game.spec, next(iter(game.own_cards)))
    assert names == ["art/L-01.png", "art/L-01.webp", "art/L-01.jpg", "art/L-01.jpeg", "art/L-01.svg"]


def test_a_pattern_leads_nowhere_else(lanterns: Path) -> None:
    """What a field holds cannot lead out of the folder; a field that the game lacks is a fault of its file."""
    game = with_pattern(lanterns, "art/{type}/{name}.png")
    card = game.spec.card("L-9", {"name": "../../x/y", "type": "lamp"})
    assert art_names(game.spec, card)[0] == "art/lamp/..-..-x-y.png"
    assert art_names(game.spec, game.spec.card("L-9", {"name": "No type"})) == []
    change(lanterns / "game.yaml", "{name}", "{nmae}")
    _, findings = load(folders([(lanterns, True)])["lanterns"])
    assert any("nmae" in finding.message and "Did you mean name?" in finding.fix for finding in findings)


@pytest.mark.full
def test_missing_pictures_are_one_warning(call: Call, lanterns: Path, tmp_path: Path) -> None:
    """Preflight and sheets name the cards without a picture together, with the places where one is looked for."""
    with_pattern(lanterns)
    picture(tmp_path / "art" / "L-02.png")
    games = ("--games", "lanterns")
    assert call(*games, "load", "lanterns/cards.csv", "--game", "lanterns").code == 0
    for told in (call(*games, "preflight", "game:lanterns"), call(*games, "sheets", "game:lanterns", "-o", "a.pdf")):
        said = " ".join((told.out + told.err).split())
        assert told.code == 0 and said.count("pictures_missing") == 1
        assert "3 of 4 cards have no picture: L-01, L-03, L-04" in said and "art/L-01.png in" in said


def test_each_type_has_a_size_of_its_own(lanterns: Path) -> None:
    """A landscape or small type keeps its size in a job, backs too; a size that is named is for the others."""
    change(lanterns / "game.yaml", "wind: {", "wind: {size: 3.5x2.5in, ")
    game = game_in(lanterns)
    copies = [(card, 1) for card in game.own_cards]
    landscape = card_size("3.5x2.5in")
    for name, blocks in (
        ("", [((card_size("poker"), landscape), 4)]),
        ("tarot", [((card_size("tarot"),), 3), ((landscape,), 1)]),
    ):
        options = SheetOptions(card_size=name)
        bank = face_bank(open_workshop(game), options)
        sheets = card_sheets(bank, copies, options)
        assert [(grid.cards, len(numbers)) for grid, numbers in sheets.blocks] == blocks
        for _, numbers in sheets.blocks:
            for front, back in numbers:
                assert back is not None and bank[front].size == bank[back].size
        previews = print_preview(game, copies, options)
        assert [(each.grid.cards, each.cards) for each in previews] == blocks
        assert sum(each.sheets for each in previews) == sheets.sheet_count
        assert [each.first for each in previews] == [1, 2][: len(blocks)]
        assert [each.grid for each in previews] == [grid for grid, _ in sheets.blocks]


def test_a_double_faced_card_has_two_faces(call: Call, lanterns: Path) -> None:
    """Its other face shows the fields that the type says, by the same template; other cards have the usual back."""
    change(lanterns / "game.yaml", "  text: {type: text}\n", "  text: {type: text}\n  dark_name: {}\n  dark_text: {}\n")
    change(lanterns / "game.yaml", "lamp: {", "lamp: {reverse: {name: dark_name, text: dark_text}, ")
    change(lanterns / "cards.csv", "light,colours,text", "light,colours,text,dark_name,dark_text")
    change(lanterns / "cards.csv", "red,Shines.", "red,Shines.,Broken Lamp,Smokes.")
    games = ("--games", "lanterns")
    assert call(*games, "load", "lanterns/cards.csv", "--game", "lanterns").code == 0
    assert call(*games, "sheets", "game:lanterns", "-o", "a.pdf").code == 0
    with pypdfium2.PdfDocument("a.pdf") as document:
        front, back = (re.sub(r"\s+", " ", page.get_textpage().get_text_bounded()) for page in document)
    assert "Red Lamp" in front and "Shines." in front and "Broken" not in front
    assert "Broken Lamp" in back and "Smokes." in back and "Red Lamp" not in back and "Blue Lamp" not in back
    change(lanterns / "game.yaml", "text: dark_text}", "txet: dark_text}")
    _, findings = load(folders([(lanterns, True)])["lanterns"])
    assert any("txet" in finding.message and "Did you mean text?" in finding.fix for finding in findings)


@pytest.mark.full
def test_a_card_without_a_picture_on_purpose(call: Call, lanterns: Path, tmp_path: Path) -> None:
    """A card whose `art` is a dash, by its row or its type, is not missed, and its face has no picture."""
    with_pattern(lanterns)
    for ref in ("L-01", "L-02", "L-04"):
        picture(tmp_path / "art" / f"{ref}.png")
    change(lanterns / "game.yaml", "wind: {label: Wind,", 'wind: {implies: {art: "-"}, label: Wind,')
    change(lanterns / "cards.csv", "light,colours,text", "light,colours,text,art")
    change(lanterns / "cards.csv", "Shines.\n", "Shines.,-\n")
    change(lanterns / "cards.csv", "Seen from afar.", "Seen from afar.,-")
    assert shown(game_in(lanterns), tmp_path) == {"L-02"}
    assert "image_missing" not in call("--games", "lanterns", "load", "lanterns/cards.csv", "--game", "lanterns").err
    assert "pictures_missing" not in call("--games", "lanterns", "preflight", "game:lanterns").out
