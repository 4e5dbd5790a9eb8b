"""Pictures in a PDF: untouched where they may be, prepared where they must be, once each."""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageCms

from carddb.core.errors import InputError
from carddb.core.units import Box, mm
from carddb.layout.display_list import Face, PlacedImage
from carddb.layout.sheets.grid import sheet_grid
from carddb.layout.sheets.imposition import Page, impose
from carddb.layout.stock import paper_size, stock_named
from carddb.layout.text.fonts import FontBook
from carddb.paint.pdf.images import PdfImages
from carddb.paint.pdf.operators import StreamBuilder
from carddb.paint.pdf.sheets import sheets_pdf
from tests.paint.content import opened
from tests.paint.samples import drawn_pages, face_pdf
from tests.press.faces.art_samples import (
    BLUE,
    CARD,
    CORNERS,
    GREEN,
    RED,
    WHOLE,
    YELLOW,
    corners,
    key_of,
    linear_profile,
    near,
    page,
    photograph,
    pixel,
    printed,
    quarters,
    saved,
)
from tests.rows import every, usually  # fmt: skip

ORIENTATION = 0x0112
GREY = ((128, 128, 128),) * 4


def used(data: bytes, *boxes: tuple[Box, Box], dpi: int = 0, tight: bool = False) -> tuple[PdfImages, list[Any]]:
    """An album of one picture and what came of its uses in turn."""
    album = PdfImages({"k": data}, dpi, tight=tight)
    return album, [album.use(PlacedImage("k", box, clip)) for box, clip in boxes]


def images(pdf: bytes) -> list[pikepdf.Object]:
    """The pictures in a file, but for masks."""
    every = [thing for thing in opened(pdf).objects if isinstance(thing, pikepdf.Stream)]
    pictures = [thing for thing in every if thing.get("/Subtype") == "/Image"]
    masks = {thing.SMask.objgen for thing in pictures if "/SMask" in thing}
    return [thing for thing in pictures if thing.objgen not in masks]


@every("options", [{}, {"progressive": True}, {"subsampling": 2}, {"restart_marker_rows": 1}])
@every("mode", ["L", "RGB"])
def test_jpeg_bytes_are_kept(mode: str, options: dict[str, object]) -> None:
    """A grey or coloured JPEG, baseline or progressive, is put into the file as it came."""
    data = saved(corners().convert(mode), "JPEG", **options)
    [image] = images(printed(data))
    assert image.read_raw_bytes() == data


@pytest.mark.door
def test_untouched_pictures_need_no_decoder(tmp_path: Path) -> None:
    """JPEGs and PNGs that go in as they are are put in without importing Pillow."""
    for kind in ("JPEG", "PNG"):
        (tmp_path / kind).write_bytes(saved(corners(600, 420), kind))
    code = """if True:
        import sys
        from carddb.layout.display_list import PlacedImage
        from carddb.paint.pdf.images import PdfImages
        from carddb.press.faces.art import ArtFolder
        from carddb.core.units import Box
        from pathlib import Path
        gallery = ArtFolder(Path("."))
        album = PdfImages(gallery.files, 300)
        for name in ("JPEG", "PNG"):
            box = Box(0, 0, 60000, 42000)
            assert album.use(PlacedImage(gallery[name].key, box, box)).image
        assert not any(name.startswith("PIL") for name in sys.modules)
    """
    root = Path(__file__).parents[3]
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, env={"PYTHONPATH": str(root)})


@every("mode, bits", [("1", 1), ("L", 8), ("RGB", 8), *(("P", bits) for bits in (1, 2, 4, 8))])
def test_png_rows_are_kept(mode: str, bits: int) -> None:
    """The rows of a PNG go into the PDF as they are, of every depth up to 8 bits, and look the same."""
    shades = Image.linear_gradient("L").resize((60, 40)).convert("RGB").quantize(2**bits)
    image = shades if mode == "P" else corners().convert(mode, dither=Image.Dither.NONE)
    data = saved(image, "PNG", **({"bits": bits} if mode == "P" else {}))
    pdf = printed(data)
    [shown] = images(pdf)
    assert shown.read_raw_bytes() in data
    assert shown.BitsPerComponent == bits
    flat = image.convert("RGB").resize((120, 80), Image.Resampling.NEAREST)
    assert near(quarters(pdf), tuple(pixel(flat, x, y) for y in (10, 30) for x in (15, 45)), 9)


@every("kind", ["PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF"])
def test_every_kind_of_file_is_printed(kind: str) -> None:
    """The four quarters of a picture have their colours on paper, whatever it was saved as."""
    assert near(quarters(printed(saved(corners(), kind, quality=95))), CORNERS, 14)


@every("mode", ["RGBA", "LA", "PA", "P"])
@every("kind", ["PNG", "WEBP", "GIF", "TIFF"])
def test_what_is_transparent_stays_so(mode: str, kind: str) -> None:
    """A hole in a picture shows the paper; the rest has its colour."""
    solid = corners().convert("L" if mode == "LA" and kind != "GIF" else "RGB")
    image = solid.copy()
    hole = Image.new("L", image.size, 255)
    hole.paste(0, (30, 0, 60, 20))
    image.putalpha(hole)
    if mode in ("P", "PA") and kind == "PNG":
        image = image.quantize(16, Image.Quantize.FASTOCTREE)
    options = {"lossless": True} if kind == "WEBP" else {}
    got = quarters(printed(saved(image, kind, **options)))
    want = quarters(printed(saved(solid, "PNG")))
    assert near((got[0], got[2], got[3]), (want[0], want[2], want[3]), 24)
    assert got[1] == (255, 255, 255)


def test_an_idle_alpha_channel_is_left_out() -> None:
    """A picture that is opaque everywhere gets no mask."""
    opaque = corners().convert("RGBA")
    [image] = images(printed(saved(opaque, "PNG")))
    assert "/SMask" not in image
    opaque.putalpha(120)
    [image] = images(printed(saved(opaque, "PNG")))
    assert "/SMask" in image


@every("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
@every("orientation", range(1, 9))
def test_a_photograph_taken_sideways_is_set_upright(kind: str, orientation: int) -> None:
    """All eight orientations that a camera notes are followed."""
    stored = {
        1: None, 2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180, 4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE, 6: Image.Transpose.ROTATE_90, 7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }[orientation]  # fmt: skip
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    image = corners() if stored is None else corners().transpose(stored)
    assert near(quarters(printed(saved(image, kind, exif=exif))), CORNERS, 14)


_OPAQUE = ("JPEG", "RGBA")
"""No JPEG is see-through."""


@every(
    "kind, mode",
    [(kind, mode) for kind in ("JPEG", "PNG", "WEBP", "TIFF") for mode in ("RGB", "RGBA") if (kind, mode) != _OPAQUE],
)
def test_colour_profiles_are_followed(kind: str, mode: str) -> None:
    """The middle grey of a linear profile is as light as it is meant; without the profile it is darker."""
    image = Image.new(mode, (60, 40), GREY[0] + (255,) * (mode == "RGBA"))
    assert near(quarters(printed(saved(image, kind, icc_profile=linear_profile()))), ((188, 188, 188),) * 4, 3)
    assert near(quarters(printed(saved(image, kind))), GREY, 3)


def test_grey_profiles_are_followed() -> None:
    """A grey picture goes through a grey profile; one of other colours, or a broken one, is passed over."""
    image = Image.new("L", (60, 40), 128)
    for profile, level in ((linear_profile("GRAY"), 188), (linear_profile(), 128), (b"broken" * 50, 128)):
        pdf = printed(saved(image, "PNG", icc_profile=profile))
        assert near(quarters(pdf), ((level, level, level),) * 4, 3)
        assert images(pdf)[0].ColorSpace == "/DeviceGray"


def test_a_named_srgb_profile_costs_nothing() -> None:
    """A JPEG with the sRGB profile goes in as it is, without the profile."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    with_profile, without = saved(corners(), "JPEG", icc_profile=profile), saved(corners(), "JPEG")
    [image] = images(printed(with_profile))
    assert image.read_raw_bytes() == without


@pytest.mark.parametrize("kind", ["JPEG", "TIFF"])
def test_inks_become_colours(kind: str) -> None:
    """CMYK, in a JPEG inverted as Adobe writes it, comes out in its colours and not as their negative."""
    image = Image.merge("CMYK", [Image.new("L", (60, 40), level) for level in (0, 255, 255, 0)])
    got = quarters(printed(saved(image, kind, quality=95)))
    assert near(got, ((254, 0, 0),) * 4, 12)


def test_deep_pixels_become_eight_bits() -> None:
    """Grey of 16 bits keeps its levels."""
    for level in (0, 12_850, 32_896, 65_535):
        image = Image.new("I;16", (60, 40), level)
        assert near(quarters(printed(saved(image, "PNG"))), ((round(level / 257),) * 3,) * 4, 1)


@pytest.mark.parametrize("kind", ["WEBP", "GIF", "PNG"])
def test_of_a_moving_picture_the_first_is_shown(kind: str) -> None:
    """An animation is printed as its first picture."""
    frames = [corners(), Image.new("RGB", (60, 40), "black")]
    data = saved(frames[0], kind, save_all=True, append_images=frames[1:], lossless=True)
    assert near(quarters(printed(data)), CORNERS, 14)


def test_the_name_of_a_file_decides_nothing(tmp_path: Path) -> None:
    """What a file is, is read from its bytes: a JPEG from a camera that writes two pictures is its first."""
    data = saved(corners(), "JPEG") + saved(Image.new("RGB", (60, 40)), "JPEG")
    pdf = printed(data)
    assert near(quarters(pdf), CORNERS, 14)
    assert len(images(pdf)[0].read_raw_bytes()) == len(saved(corners(), "JPEG"))


@usually("side, expected", [(709, 709), (900, 900), (1000, 709), (3000, 709)], (900, 900), (1000, 709))
@usually("kind", ["JPEG", "PNG"])
def test_pixels_that_print_cannot_show_are_left_out(side: int, expected: int, kind: str) -> None:
    """At 300 dpi a picture of 60 mm needs 709 pixels; one up to 1.3 times finer is left alone."""
    data = saved(photograph(side, side * 2 // 3), kind)
    album, [use] = used(data, (WHOLE, WHOLE), dpi=300)
    assert use.image.width == expected
    assert use.box == WHOLE
    assert album.size == use.image.size
    assert album.finest == round(expected / (60 / 25.4))
    assert use.image.coding == ("DCTDecode" if kind == "JPEG" or expected < side else "FlateDecode")


def test_without_a_target_all_pixels_go_in() -> None:
    """An album that was told no resolution makes nothing smaller."""
    data = saved(corners(3000, 2000), "JPEG")
    assert used(data, (WHOLE, WHOLE))[1][0].image.data == data


@usually("kind", ["JPEG", "PNG", "WEBP"])
@usually("orientation", [1, 6], 6)
def test_smaller_is_still_the_same_picture(kind: str, orientation: int) -> None:
    """Made much smaller, turned and coded anew, each quarter has its colour."""
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    image = corners(2400, 1600)
    data = saved(image if orientation == 1 else image.transpose(Image.Transpose.ROTATE_90), kind, exif=exif)
    face = Face(CARD, (PlacedImage(key_of(data), WHOLE, WHOLE),))
    pdf = face_pdf(face, FontBook([]), PdfImages({key_of(data): data}, 100))
    assert int(images(pdf)[0].Width) == 236
    assert near(quarters(pdf), CORNERS, 14)


@pytest.mark.full
def test_drawings_stay_sharp_and_photographs_become_small() -> None:
    """Made smaller, flat colours are deflated, many colours become JPEG; what was given without loss stays without."""
    assert used(saved(corners(3000, 2000), "PNG"), (WHOLE, WHOLE), dpi=300)[1][0].image.coding == "FlateDecode"
    assert used(saved(photograph(3000, 2000), "PNG"), (WHOLE, WHOLE), dpi=300)[1][0].image.coding == "DCTDecode"
    veiled = photograph(700, 466)
    veiled.putalpha(Image.linear_gradient("L").resize(veiled.size))
    album, [use] = used(saved(veiled, "PNG"), (WHOLE, WHOLE), dpi=300)
    assert (use.image.coding, use.image.mask.coding) == ("FlateDecode", "FlateDecode")
    small, [use] = used(saved(veiled, "PNG"), (WHOLE, WHOLE), dpi=300, tight=True)
    assert (use.image.coding, use.image.mask.coding) == ("DCTDecode", "FlateDecode")
    assert small.size < album.size


def test_a_file_that_would_grow_is_left_alone() -> None:
    """A coarse JPEG that coded anew would be larger goes in as it is, however fine."""
    data = saved(photograph(1000, 666), "JPEG", quality=10)
    assert used(data, (WHOLE, WHOLE), dpi=300)[1][0].image.data == data


@pytest.mark.full
def test_what_is_out_of_sight_is_cut_off() -> None:
    """Of a large picture shown in part, the part goes in, and lies where it did."""
    data = saved(corners(6000, 2000), "PNG")
    box = Box(-60_000, 0, 120_000, 40_000)
    [use] = used(data, (box, WHOLE), dpi=100)[1]
    assert use.image.width < 250
    assert abs(use.box.x) < 60 and abs(use.box.right - 60_000) < 60
    face = Face(CARD, (PlacedImage(key_of(data), box, WHOLE),))
    pdf = face_pdf(face, FontBook([]), PdfImages({key_of(data): data}, 100))
    assert near(quarters(pdf), (GREEN, GREEN, YELLOW, YELLOW), 4)


@given(st.integers(-40, 0), st.integers(-30, 0), st.integers(65, 130), st.sampled_from((0, 40, 150)))
@settings(max_examples=15)
def test_cropping_moves_nothing(left: int, top: int, width: int, dpi: int) -> None:
    """However a picture lies behind its window, prepared or not, the page looks the same."""
    data = saved(corners(1200, 800), "PNG")
    box = Box(mm(left), mm(top), mm(width), mm(width) * 2 // 3)
    face = Face(CARD, (PlacedImage(key_of(data), box, WHOLE),))
    one, other = (page(face_pdf(face, FontBook([]), PdfImages({key_of(data): data}, n))) for n in (0, dpi))
    points = [(x, y) for x in (5, 20, 40, 55) for y in (5, 20, 35)]
    middle = box.x / 1000 + width / 2, box.y / 1000 + width / 3
    clear = [p for p in points if abs(p[0] - middle[0]) > 2 and abs(p[1] - middle[1]) > 2]
    assert near(tuple(pixel(one, *p) for p in clear), tuple(pixel(other, *p) for p in clear))


def test_a_picture_is_in_the_file_once() -> None:
    """However many faces show it, and though two files hold the same bytes, a picture is embedded once."""
    data = saved(corners(), "JPEG")
    faces = [Face(CARD, (PlacedImage(key_of(data), WHOLE, WHOLE),), f"card {n}") for n in range(30)]
    pages: list[Page] = impose(
        [(n, None) for n in range(30)], sheet_grid(CARD, stock_named("plain"), paper_size("letter"), mm(6)), "none"
    )
    pdf = sheets_pdf(
        drawn_pages(pages, faces, StreamBuilder(FontBook([]))), FontBook([]), {key_of(data): data}, title="t"
    )
    assert len(pages) > 1 and len(images(pdf)) == 1


@pytest.mark.full
def test_a_larger_print_gets_finer_pixels() -> None:
    """Shown small first and large later, a picture is put in again for the large one, and small ones share either."""
    data = saved(corners(4000, 2667), "JPEG")
    small, large = Box(0, 0, 30_000, 20_000), Box(0, 0, 200_000, 133_333)
    _, uses = used(data, (small, small), (large, large), (small, small), (WHOLE, WHOLE), dpi=300)
    assert [use.number for use in uses] == [0, 1, 0, 1]
    assert [use.image and use.image.width for use in uses] == [354, 2362, None, None]
    _, uses = used(data, (large, large), (small, small), dpi=300)
    assert [use.number for use in uses] == [0, 0]


@pytest.mark.full
def test_another_part_of_a_picture_is_put_in_again() -> None:
    """Cropped on the left for one face and on the right for another, each shows its own part."""
    data = saved(photograph(4000, 1000), "JPEG")
    left, right = Box(0, 0, 160_000, 40_000), Box(-100_000, 0, 160_000, 40_000)
    _, uses = used(data, (left, WHOLE), (right, WHOLE), (left, WHOLE), dpi=150)
    assert [use.number for use in uses] == [0, 1, 0]


@pytest.mark.full
@pytest.mark.door
def test_the_same_input_gives_the_same_bytes() -> None:
    """Two runs prepare a picture alike, to the byte."""
    data = saved(photograph(1500, 1000), "WEBP")
    one, other = (used(data, (WHOLE, WHOLE), dpi=200)[1][0] for _ in range(2))
    assert one == other


def test_turned_pictures_are_not_cropped() -> None:
    """A picture turned by a quarter is measured along its own width."""
    data = saved(corners(700, 467), "PNG")
    box = Box(0, 0, 26_667, 40_000)
    album = PdfImages({"k": data}, 300)
    use = album.use(PlacedImage("k", box, box, 90))
    assert use and use.image and (use.image.width, album.finest) == (472, 300)


@every("data", [b"", b"GIF89a" + bytes(30), saved(Image.new("1", (9000, 9000)), "PNG"), saved(corners(), "WEBP")[:200]])
def test_what_cannot_be_decoded_is_told(data: bytes) -> None:
    """Alone it is an error; in a job it is noted and the rest is printed."""
    with pytest.raises(InputError, match="picture"):
        printed(data)
    album, uses = used(data, (WHOLE, WHOLE), (WHOLE, WHOLE))
    assert uses == [None, None]
    assert list(album.faults) == ["k"]


def test_a_picture_larger_than_its_screen_is_drawn_whole() -> None:
    """A GIF whose first picture is larger than its screen says is neither cut nor squeezed."""
    data = bytearray(saved(corners(), "GIF"))
    data[6:10] = b"\x05\0\x05\0"
    (use,) = used(bytes(data), (WHOLE, WHOLE))[1]
    assert use and use.image and (use.image.width, use.image.height) == corners().size


def test_nothing_is_drawn_where_nothing_shows() -> None:
    """A picture outside its window, or without extent, does not enter the file."""
    data = saved(corners(), "JPEG")
    away, flat = Box(70_000, 0, 1000, 1000), Box(0, 0, 0, 40_000)
    album, uses = used(data, (away, WHOLE), (flat, WHOLE))
    assert (uses, album.size) == ([None, None], 0)


@settings(max_examples=25, deadline=None)
@given(st.binary(max_size=200), st.integers(0, 400), st.sampled_from(("PNG", "JPEG", "WEBP", "GIF", "TIFF")))
def test_broken_pictures_are_told(noise: bytes, keep: int, kind: str) -> None:
    """Noise, and the beginnings of true pictures, are answered with a sentence or read."""
    for data in (noise, saved(corners(), kind)[:keep] + noise):
        album, uses = used(data, (WHOLE, WHOLE), dpi=20)
        assert uses[0] or album.faults["k"]


def test_a_picture_not_at_hand_is_told() -> None:
    """A face that shows a picture nobody has is an error, not a hole."""
    with pytest.raises(InputError, match="needed but missing"):
        PdfImages({}).use(PlacedImage("k", WHOLE, WHOLE))


def test_colours_of_the_sample_differ() -> None:
    """The quarters of the sample can be told apart."""
    assert not any(near((a,), (b,), 40) for a in CORNERS for b in CORNERS if a != b)
    assert (RED, GREEN, BLUE, YELLOW) == CORNERS
    assert Image.open(BytesIO(saved(corners(), "PNG"))).size == (60, 40)
