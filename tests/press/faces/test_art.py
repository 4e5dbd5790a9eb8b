"""Pictures of a project on whole sheets: read once, embedded once, and told where they cannot be shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from carddb.cards.cards import Card, Pool
from carddb.core.errors import InputError
from carddb.core.units import Box
from carddb.findings import Finding
from carddb.games import Game
from carddb.layout.display_list import PlacedImage
from carddb.layout.drawing.art import Flaw, Vector
from carddb.layout.drawing.svg_parser import Art
from carddb.paint.pdf.images import PdfImages
from carddb.press.faces import art
from carddb.press.faces.art import ArtFolder, PictureFiles, undrawn
from carddb.press.faces.workshop import open_workshop
from carddb.press.sheets.options import SheetOptions
from carddb.press.sheets.sheets import PrintedSheets, print_cards
from carddb.read import pictures
from tests.conftest import Calls
from tests.paint.pdf.test_images import images
from tests.press.faces.art_samples import colour, corners, near, page, photograph, pixel, saved
from tests.rows import usually

SHIP = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 2"><rect width="3" height="2" fill="#3366cc"/></svg>'


def soldiers(pool: Pool, *names: str) -> list[tuple[Card, int]]:
    """One soldier for each picture."""
    cards = [card for card in pool if card.type == "soldier"]
    return [
        (Card(c.game, c.ref, {**c.values, "art": name}), 1) for c, name in zip(cards[: len(names)], names, strict=True)
    ]


def sheets(game: Game, pool: Pool, folder: Path, *names: str, dpi: int = 300) -> PrintedSheets:
    """Cards with these pictures, fronts only."""
    options = SheetOptions(flip="none", art_dpi=dpi)
    return print_cards(open_workshop(game, art_folder=folder), soldiers(pool, *names), options, "t")


def codes(findings: tuple[Finding, ...]) -> list[str]:
    return [finding.code for finding in findings]


def test_two_files_of_the_same_bytes_are_one_picture(game: Game, pool: Pool, tmp_path: Path) -> None:
    """Nine cards over three sheets, and two names of one file, put one picture into the PDF."""
    for name in ("a.jpg", "b.jpg"):
        (tmp_path / name).write_bytes(saved(corners(600, 420), "JPEG"))
    printed = sheets(game, pool, tmp_path, *["a.jpg", "b.jpg", "a.jpg"] * 3)
    assert printed.pages == 3 and printed.findings == ()
    [image] = images(printed.data)
    assert image.read_raw_bytes() == (tmp_path / "a.jpg").read_bytes()
    assert printed.art_bytes == len(image.read_raw_bytes())


def test_pictures_lie_on_the_plates_of_their_cards(game: Game, pool: Pool, tmp_path: Path) -> None:
    """On the printed sheet each plate has its picture, upright and in its colours, pixels and drawing alike."""
    (tmp_path / "a.png").write_bytes(saved(corners(900, 600), "PNG"))
    (tmp_path / "ship.svg").write_text(SHIP)
    printed = sheets(game, pool, tmp_path, "a.png", "ship.svg")
    assert printed.findings == ()
    shown = page(printed.data)
    first = [pixel(shown, x, y) for y in (45, 80) for x in (45, 95)]
    assert near(tuple(first), tuple(colour(corners(), *at) for at in ((9, 9), (50, 9), (9, 30), (50, 30))))
    assert near((pixel(shown, 145, 60),), ((0x33, 0x66, 0xCC),))
    assert len(images(printed.data)) == 1


def test_a_picture_is_read_when_it_is_shown_and_then_kept(tmp_path: Path, calls_to: Calls) -> None:
    """Opening an art folder reads nothing; a picture asked for twice is read once."""
    (tmp_path / "a.png").write_bytes(saved(corners(), "PNG"))
    read = calls_to(pictures, "read_picture")
    gallery = ArtFolder(tmp_path)
    assert read == []
    shown = gallery["a.png"]
    assert gallery["a.png"] is shown and isinstance(shown, Art)
    assert gallery.files[shown.key] == (tmp_path / "a.png").read_bytes()
    assert [name for _, name in read] == ["a.png"]
    assert (list(gallery), list(gallery.files), len(gallery)) == (["a.png"], [shown.key], 1)


def test_what_is_pushed_out_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No more bytes are held than allowed; a file that changed in the meantime is told, not printed."""
    monkeypatch.setattr(art, "_MOST_BYTES", 1000)
    gallery = ArtFolder(tmp_path)
    keys: list[str] = []
    for name in ("a.jpg", "b.jpg"):
        (tmp_path / name).write_bytes(saved(photograph(90, 60).rotate(len(keys)), "JPEG"))
        shown = gallery[name]
        assert isinstance(shown, Art)
        keys.append(shown.key)
    assert len(gallery.files._recent) == 1
    assert gallery.files[keys[0]] == (tmp_path / "a.jpg").read_bytes()
    (tmp_path / "b.jpg").write_bytes(saved(corners(), "JPEG"))
    with pytest.raises(InputError, match=r"b\.jpg changed"):
        gallery.files[keys[1]]
    (tmp_path / "a.jpg").unlink()
    gallery.files.add("c.jpg", b"c" * 999)
    with pytest.raises(InputError, match=r"no picture a\.jpg"):
        gallery.files[keys[0]]


@usually(
    ("name", "data", "code"),
    [
        ("absent.png", None, "image_missing"),
        ("../a.png", None, "image_outside_project"),
        ("/etc/passwd", None, "image_outside_project"),
        ("noise.png", b"noise", "image_invalid"),
        ("half.jpg", saved(corners(600, 400), "JPEG")[:900], "image_invalid"),
        ("page.svg", b"<html/>", "image_invalid"),
        ("latin.svg", SHIP.replace("svg", "svg \xe9", 1).encode("latin-1"), "image_invalid"),
        ("long.svg", b"<" + bytes(2_000_001), "image_too_large"),
        ("open.svg", b"<svg", "art_unsupported"),
        ("soft.svg", SHIP.replace("<rect", "<filter/><rect").encode(), "art_unsupported"),
    ],
)
def test_a_card_whose_picture_cannot_be_shown_is_printed_without(
    game: Game, pool: Pool, tmp_path: Path, name: str, data: bytes | None, code: str
) -> None:
    """Each has a code of its own, names the card and the file, and stops nothing."""
    if data is not None:
        (tmp_path / name).write_bytes(data)
    printed = sheets(game, pool, tmp_path, name)
    assert codes(printed.findings) == [code]
    assert soldiers(pool, name)[0][0].ref in printed.findings[0].message
    assert name in printed.findings[0].message
    assert printed.findings[0].fix
    assert images(printed.data) == []


def test_a_picture_without_measure_is_never_decoded(game: Game, pool: Pool, tmp_path: Path) -> None:
    """A hundred thousand pixels square in a small file are refused by the head, with both numbers."""
    data = bytearray(saved(corners(), "GIF"))
    data[6:10] = b"\xff\xff\xff\xff"
    (tmp_path / "bomb.gif").write_bytes(bytes(data))
    [finding] = sheets(game, pool, tmp_path, "bomb.gif").findings
    assert finding.code == "image_too_large"
    assert "65,535 × 65,535" in finding.message and "64 million" in finding.message


def test_a_picture_that_breaks_while_it_is_decoded_is_told(game: Game, pool: Pool, tmp_path: Path) -> None:
    """The head of a TIFF is sound, its pixels are cut off: the sheet is printed, the file named once."""
    (tmp_path / "broken.tif").write_bytes(saved(photograph(900, 600), "TIFF")[:9000])
    printed = sheets(game, pool, tmp_path, *["broken.tif"] * 3)
    assert codes(printed.findings) == ["image_invalid"]
    assert "broken.tif cannot be decoded" in printed.findings[0].message
    assert printed.cards == 3


def test_a_picture_called_by_another_ending_is_what_its_bytes_say(game: Game, pool: Pool, tmp_path: Path) -> None:
    """A PNG called .jpg and a drawing called .png are shown."""
    (tmp_path / "a.jpg").write_bytes(saved(corners(600, 400), "PNG"))
    (tmp_path / "b.png").write_text("\ufeff" + SHIP, "utf-8")
    assert sheets(game, pool, tmp_path, "a.jpg", "b.png").findings == ()
    gallery = ArtFolder(tmp_path)
    assert isinstance(gallery["a.jpg"], Art) and isinstance(gallery["b.png"], Vector)


@pytest.mark.full
def test_the_target_decides_how_fine_pictures_are(game: Game, pool: Pool, tmp_path: Path) -> None:
    """The same card at 300 and at 100 dpi: a ninth of the pixels, the words untouched."""
    (tmp_path / "a.jpg").write_bytes(saved(photograph(3000, 2000), "JPEG"))
    fine, coarse = (sheets(game, pool, tmp_path, "a.jpg", dpi=dpi) for dpi in (300, 100))
    wide, small = (int(images(printed.data)[0].Width) for printed in (fine, coarse))
    assert wide == pytest.approx(3 * small, abs=3)
    assert (fine.art_finest, coarse.art_finest) == (300, 100)
    assert len(fine.data) - fine.art_bytes == pytest.approx(len(coarse.data) - coarse.art_bytes, abs=200)


def test_without_a_folder_there_are_no_pictures() -> None:
    """An art folder of nothing answers every name alike."""
    shown = ArtFolder(None)["a.png"]
    assert isinstance(shown, Flaw) and shown.code == "image_missing"
    with pytest.raises(KeyError):
        PictureFiles()["k"]


def test_faults_are_told_by_file_or_by_key() -> None:
    """Where the file is not known, the beginning of the key stands for it."""
    album = PdfImages({"k" * 64: b""})
    box = Box(0, 0, 10, 10)
    assert album.use(PlacedImage("k" * 64, box, box)) is None
    [finding] = undrawn(album, PictureFiles())
    assert "kkkkkkkkkkkk is not a picture" in finding.message
