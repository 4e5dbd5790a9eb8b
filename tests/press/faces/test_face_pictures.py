"""Finished pictures as whole fronts: how they lie, what is beyond the cut, what is said of them."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image

from carddb.cards.cards import Card
from carddb.core.units import Box, Size
from carddb.game.frozen import replaced
from carddb.games import Game
from carddb.layout.display_list import Face, Group, PlacedImage, walk
from carddb.layout.drawing.art import spread, with_own_bleed
from carddb.layout.drawing.svg_parser import Art
from carddb.press.faces.workshop import open_workshop
from carddb.press.sheets.card_sheets import face_bank
from carddb.press.sheets.options import SheetOptions
from carddb.press.sheets.proof import preflight
from tests.rows import usually

DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 100"><rect width="80" height="100" fill="#a01e28"/></svg>'
)
INDEX, POKER = Size(76200, 127000), Size(63500, 88900)


@pytest.fixture
def art(tmp_path: Path) -> Path:
    """A folder with a fine picture and a coarse one of 4 to 5, and a drawing."""
    Image.new("RGB", (800, 1000), "#a01e28").save(tmp_path / "fine.png")
    Image.new("RGB", (80, 100), "#a01e28").save(tmp_path / "coarse.jpg")
    (tmp_path / "drawing.svg").write_text(DRAWING, "utf-8")
    return tmp_path


def card(picture: str, fit: str = "") -> Card:
    values = {"name": "Rider", "type": "soldier", "set": "own", "rarity": "common", "strength": 2, "life": 3}
    return Card("empires-and-generals", "M-1", {**values, "face_image": picture, **({"face_fit": fit} if fit else {})})


def front(game: Game, art: Path, subject: Card, **options: str) -> Face:
    bank = face_bank(open_workshop(game, [subject], art), SheetOptions(**options))  # type: ignore[arg-type]
    return bank[bank.front(subject)]


def main_picture(face: Face) -> PlacedImage:
    pictures = [shape for shape in face.shapes if isinstance(shape, PlacedImage)]
    assert len(pictures) == len(face.shapes)
    return pictures[-1]


@usually(
    ("fit", "card_size", "width", "height"),
    [
        ("", "", 76200, 95250),
        ("fit", "poker", 63500, 79375),
        ("fill", "", 101600, 127000),
        ("fill", "poker", 71120, 88900),
        ("stretch", "", 76200, 127000),
        ("stretch", "poker", 63500, 88900),
    ],
)
def test_a_finished_picture_lies_as_its_fit_says(
    game: Game, art: Path, fit: str, card_size: str, width: int, height: int
) -> None:
    """At every size the whole picture lies within the face, over all of it, or is pulled to its shape, centred."""
    face = front(game, art, card("fine.png", fit), **({"card_size": card_size} if card_size else {}))
    picture = main_picture(face)
    assert face.size == (POKER if card_size else INDEX)
    assert (picture.box.width, picture.box.height) == (width, height)
    assert 0 <= face.size.width - (picture.box.x * 2 + width) <= 1
    assert 0 <= face.size.height - (picture.box.y * 2 + height) <= 1
    assert face.title == "Rider"


def test_a_picture_with_its_own_bleed_is_cut_inside_it(game: Game, art: Path) -> None:
    """With `art_bleed: 3mm` the picture reaches 3 mm beyond the trim on every side."""
    bled = Game(game.folder, replaced(game.spec, art_bleed="3mm"))
    picture = main_picture(front(bled, art, card("fine.png", "stretch")))
    assert picture.box == (-3000, -3000, INDEX.width + 6000, INDEX.height + 6000)


def test_a_picture_in_a_window_is_cut_inside_its_own_bleed(game: Game, art: Path) -> None:
    """In a window inside the face, the picture without its bleed covers the window, which shows nothing else of it."""
    subject = card("")
    subject = subject._replace(values={**subject.values, "face_image": "", "art": "fine.png"})
    bled = Game(game.folder, replaced(game.spec, art_bleed="3mm"))
    (plain,), (own,) = ([each for each in walk(front(of, art, subject).shapes) if isinstance(each, PlacedImage)]
                        for of in (game, bled))  # fmt: skip
    assert own.clip == plain.clip and own.box == spread(Art("", 800, 1000), own.clip.grown(3000), (0.5, 0.5))


def test_a_picture_that_reaches_the_cut_goes_on_with_its_own_bleed() -> None:
    """Up to its bleed it is as it was drawn; what a wider bleed needs beyond that is around it, and no part twice."""
    window, clip = Box(0, 0, 40_000, 50_000), Box(0, 0, 40_000, 50_000).grown(5000)
    (whole, seen), *beyond = with_own_bleed(Art("", 800, 1000), window.grown(3000), clip, (0.5, 0.5))
    assert seen.contains(window) and whole.contains(window.grown(3000)) and len(beyond) == 4
    parts = [seen, *(part for _, part in beyond)]
    assert sum(part.width * part.height for part in parts) == clip.width * clip.height
    assert not any(one.overlaps(other) for one, other in combinations(parts, 2))


def test_a_finished_picture_goes_on_beyond_the_cut(game: Game, art: Path) -> None:
    """Beyond each edge that the picture reaches something of it is drawn, and nothing beside one that it does not."""
    stretched = [
        shape.clip for shape in front(game, art, card("fine.png", "stretch")).shapes if isinstance(shape, PlacedImage)
    ]
    assert min(clip.x for clip in stretched) == min(clip.y for clip in stretched) == -5000
    assert max(clip.right for clip in stretched) == INDEX.width + 5000
    fitted = [shape.clip for shape in front(game, art, card("fine.png")).shapes if isinstance(shape, PlacedImage)]
    assert min(clip.x for clip in fitted) == -5000 and min(clip.y for clip in fitted) == (INDEX.height - 95250) // 2


def test_a_drawing_may_be_a_whole_front(game: Game, art: Path) -> None:
    """The grounds of an SVG drawing go on beyond the cut, as those of templates do."""
    (group,) = front(game, art, card("drawing.svg", "stretch")).shapes
    assert isinstance(group, Group)
    xs = [points[0] for _, points in group.clip if points]
    assert (min(xs), max(xs)) == (-5000, INDEX.width + 5000)


@pytest.mark.full
def test_saved_ink_and_backs_leave_the_picture_out(game: Game, art: Path) -> None:
    """With less ink the face is drawn from its card, as where there is no such picture; the back is always drawn."""
    subject = card("fine.png")
    bare = subject._replace(values={name: value for name, value in subject.values.items() if name != "face_image"})
    for ink in ("text", "light"):
        assert front(game, art, subject, ink=ink) == front(game, art, bare, ink=ink)
    bank = face_bank(open_workshop(game, [subject], art), SheetOptions())
    back = bank.back(subject)
    assert back is not None and not any(isinstance(shape, PlacedImage) for shape in bank[back].shapes)


@usually(
    ("picture", "code"),
    [
        ("gone.png", "image_missing"),
        ("../fine.png", "image_outside_project"),
        ("coarse.jpg", "art_low_resolution"),
        ("fine.png", ""),
    ],
)
def test_preflight_looks_at_finished_pictures(game: Game, art: Path, picture: str, code: str) -> None:
    """A picture that is missing, outside the project or too coarse is a finding of the field that names it."""
    subject = card(picture)
    findings = preflight(open_workshop(game, [subject], art), [subject], SheetOptions())
    assert [(f.code, f.data["field"]) for f in findings] == ([(code, "face_image")] if code else [])
    assert front(game, art, subject).shapes
