"""Faces, components and documents look as they did: small pictures of them are compared with golden ones.

`pytest tests/golden/test_pictures.py -m "full or not full" --update-goldens` draws anew what differs; look at them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path

import pytest
from PIL import Image

from carddb.cards.cards import Card
from carddb.games import folders, load
from carddb.paint.rasterizer import pngs
from carddb.press.components.components import print_components
from carddb.press.faces.bank import FaceBank
from carddb.press.faces.workshop import Workshop, open_workshop
from carddb.press.sheets.options import SheetOptions
from carddb.read.cards.file import CardReading, read_cards
from tests.conftest import Told
from tests.golden.comparison import FACE_DPI, FOLDER, compared, difference, page_picture, png_picture

GAMES = ["cahrd", "cdg-solo", "empires-and-generals", "guarda", "rishar"]
DAY = "2026-11-01"


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-goldens"))


@lru_cache(maxsize=1)
def opened(game: str) -> tuple[Workshop, list[Card]]:
    """A game with all its faces are drawn with, and its sample cards."""
    loaded, findings = load(folders()[game])
    assert loaded is not None, findings
    folder = loaded.folder
    assert folder.cards_file
    file = read_cards(folder.cards_file, CardReading(loaded.spec, "sample", folder.path))
    cards = [loaded.spec.card(record.ref, record.values) for record in file.records]
    return open_workshop(loaded, cards), cards


def first_of_types(game: str) -> list[Card]:
    """The first sample card of each type."""
    first: dict[str, Card] = {}
    for card in opened(game)[1]:
        first.setdefault(card.type, card)
    return list(first.values())


def drawn(game: str, names: Mapping[int, str], bank: FaceBank) -> dict[str, Image.Image]:
    """Faces of a bank by the names that their numbers have."""
    pictures = pngs([bank[number] for number in names], opened(game)[0].kit.book, {}, FACE_DPI)
    return {f"{game}/{name}": png_picture(picture) for name, picture in zip(names.values(), pictures, strict=True)}


@pytest.mark.parametrize("game", GAMES)
def test_a_face_of_each_game_looks_as_before(game: str, update: bool) -> None:
    """The face of the first sample card is drawn as in its golden picture."""
    bank, card = FaceBank(opened(game)[0]), first_of_types(game)[0]
    assert compared(drawn(game, {bank.front(card): f"face-{card.type}"}, bank), update) == []


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_every_type_of_face_looks_as_before(game: str, update: bool) -> None:
    """A face of each type of cards, and each back, is drawn as in its golden picture."""
    bank, names = FaceBank(opened(game)[0]), dict[int, str]()
    for card in first_of_types(game):
        names[bank.front(card)] = f"face-{card.type}"
        if (back := bank.back(card)) is not None:
            names.setdefault(back, f"back-{card.type}")
    assert compared(drawn(game, names, bank), update) == []


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_every_component_looks_as_before(game: str, update: bool) -> None:
    """The first page of each component is drawn as in its golden picture."""
    workshop, _ = opened(game)
    names = [name for name, part in workshop.game.spec.components.items() if part.template]
    pictures = {
        f"{game}/component-{name}": page_picture(print_components(workshop, [name], SheetOptions()).data)
        for name in names
    }
    assert compared(pictures, update) == []


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_every_document_of_a_game_looks_as_before(game: str, call: Callable[..., Told], update: bool) -> None:
    """The first page of the rule sheet, of the summary and of a deck list is drawn as in its golden picture."""
    deck = str(folders()[game].decks[0])
    assert call("guide", game, "-o", "guide.pdf", "--on", DAY).code == 0
    assert call("guide", game, "--summary", "-o", "summary.pdf", "--on", DAY).code == 0
    assert call("decklist", deck, "--game", game, "-o", "deck-list.pdf", "--on", DAY).code == 0
    pictures = {f"{game}/{file.stem}": page_picture(file.read_bytes()) for file in sorted(Path().glob("*.pdf"))}
    assert len(pictures) == 3
    assert compared(pictures, update) == []


@pytest.mark.full
def test_every_other_document_looks_as_before(call: Callable[..., Told], update: bool) -> None:
    """The first page of sheets, of a proof, of ban lists and of the calibration is drawn as in its golden picture."""
    game, ref = "empires-and-generals", "EG-CAR-001"
    assert call("sheets", "type:general", "--game", game, "-o", "sheets.pdf", "--on", DAY).code == 0
    assert call("proof", ref, "--game", game, "-o", "proof.pdf", "--on", DAY).code == 0
    assert call("bans", "publish", "short", "-o", ".", "--on", DAY).code == 0
    assert call("printer", "calibrate", "home", "-o", "calibration.pdf").code == 0
    pictures = {f"documents/{file.stem}": page_picture(file.read_bytes()) for file in sorted(Path().glob("**/*.pdf"))}
    assert len(pictures) >= 5
    assert compared(pictures, update) == []


def test_golden_pictures_are_small() -> None:
    """All of them together take less than three megabytes."""
    assert sum(path.stat().st_size for path in FOLDER.glob("**/*.png")) < 3_000_000


def test_a_moved_picture_is_told() -> None:
    """A face that is drawn two pixels off, or with another size, differs; the same with a little noise does not."""
    picture = Image.open(FOLDER / "cahrd/face-officer.png").convert("RGB")
    moved = Image.new("RGB", picture.size, "#ffffff")
    moved.paste(picture, (2, 2))
    assert difference(moved, picture)
    assert difference(picture.crop((0, 0, 50, 50)), picture)
    assert not difference(picture.point(lambda level: min(255, level + 2)), picture)
