"""A picture a card."""

from __future__ import annotations

import unicodedata
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from carddb.cards.cards import Card, Pool
from carddb.core.executors import InProcess
from carddb.findings import Finding
from carddb.games import Game
from carddb.press import Step, unreported
from carddb.press.faces.bank import FaceStreams
from carddb.press.faces.card_pictures import MOST_AT_ONCE, Pages, card_pngs, card_svgs, file_names
from carddb.press.faces.workshop import Workshop, open_workshop
from carddb.press.sheets.card_sheets import face_bank
from carddb.press.sheets.options import SheetOptions

PLAIN = SheetOptions()


def drawn(
    workshop: Workshop,
    cards: list[Card],
    folder: Path,
    dpi: int,
    options: SheetOptions = PLAIN,
    step: Step = unreported,
) -> list[Finding]:
    """Draws a picture of each card and gives what is wrong with the faces."""
    pages = Pages(FaceStreams(face_bank(workshop, options)), dpi)
    card_pngs(pages, cards, folder, InProcess(), options.bleed or 0, step)
    return pages.findings


@pytest.mark.full
def test_pictures_have_the_size_of_the_card_in_pixels(workshop: Workshop, pool: Pool, tmp_path: Path) -> None:
    """3 × 5 inches at 100 dpi are 300 × 500 pixels; each card has a file, and each file was told of."""
    cards = list(pool)[: MOST_AT_ONCE + 2]
    steps: list[str] = []

    def step(name: str = "", /) -> None:
        steps.append(name)

    assert drawn(workshop, cards, tmp_path, 100, step=step) == []
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == sorted(f"{card.ref}.png" for card in cards) and len(steps) == len(cards)
    assert {Image.open(tmp_path / file).size for file in files} == {(300, 500)}


def test_bleed_is_round_the_card(workshop: Workshop, pool: Pool, tmp_path: Path) -> None:
    """With a bleed asked for, a picture is that much larger on every side, and coloured to its edge."""
    options = SheetOptions(bleed=3_000)
    drawn(workshop, list(pool)[:1], tmp_path, 254, options)
    [file] = tmp_path.glob("*.png")
    with Image.open(file) as image:
        assert image.size == (762 + 60, 1270 + 60)


@pytest.mark.full
def test_a_picture_that_cannot_be_decoded_is_left_out_and_told(game: Game, pool: Pool, tmp_path: Path) -> None:
    """The cards are drawn all the same; the findings name the file, as they do where the faces are only looked at."""
    Image.effect_noise((300, 200), 80).convert("RGB").save(tmp_path / "whole.png")
    (tmp_path / "half.png").write_bytes((tmp_path / "whole.png").read_bytes()[:20_000])
    cards = [Card(c.game, c.ref, {**c.values, "art": "half.png"}) for c in list(pool)[: MOST_AT_ONCE + 1]]
    workshop = open_workshop(game, cards, tmp_path)
    found = drawn(workshop, cards, tmp_path / "out", 60)
    assert {finding.code for finding in found} == {"image_invalid"}
    looked = Pages(FaceStreams(face_bank(open_workshop(game, cards, tmp_path), PLAIN)), 60)
    looked.inspect(map(looked.bank.front, cards))
    assert looked.findings == found
    assert all("half.png" in finding.message for finding in found)
    assert len(list((tmp_path / "out").iterdir())) == MOST_AT_ONCE + 1


def test_drawings_are_called_as_pictures_are(workshop: Workshop, pool: Pool) -> None:
    """An SVG a card, under the name that its PNG would have, at the size asked for."""
    cards = list(pool)[:3]
    bank = face_bank(workshop, SheetOptions(card_size="poker"))
    drawings = dict(card_svgs(bank, cards))
    assert list(drawings) == [f"{card.ref}.svg" for card in cards] and bank.findings == []
    for card in cards:
        root = ElementTree.fromstring(drawings[f"{card.ref}.svg"])
        assert root.get("viewBox") == "0 0 63.5 88.9"


def test_file_names_are_safe_and_differ() -> None:
    """Odd references give plain names, and two that look alike get a number."""
    cards = [Card("g", ref, {}) for ref in ("../a b", "A/B", "a-b", "..")]
    assert file_names(cards, ".png") == ["a-b.png", "A-B-2.png", "a-b-3.png", "card.png"]


def test_every_system_can_write_the_file_names() -> None:
    """Devices of Windows, long references and two forms of one letter give names that differ and fit."""
    refs = [
        "con",
        "AUX",
        "nul.x",
        "r" * 300,
        "r" * 299 + "s",
        "骨" * 300,
        "caf\u00e9",
        "cafe\u0301",
        "a",
        "A",
        "a-2",
        "end. .",
    ]
    names = file_names([Card("g", ref, {}) for ref in refs], ".png")
    assert names[:3] == ["x-con.png", "x-AUX.png", "x-nul.x.png"]
    assert len({unicodedata.normalize("NFD", name).casefold() for name in names}) == len(refs)
    assert all(len(name.encode()) < 100 for name in names)
    assert names[-1] == "end.png"


@given(st.lists(st.text(max_size=12), max_size=12))
def test_no_reference_leaves_the_folder(refs: list[str]) -> None:
    """Whatever a reference holds, its file name is one part of a path."""
    for name in file_names([Card("g", ref, {}) for ref in refs], ".svg"):
        assert name == Path(name).name and not name.startswith(".") and name.endswith(".svg")
