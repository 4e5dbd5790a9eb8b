import zlib
from io import BytesIO
from random import Random

import pypdfium2
import pytest
from PIL import Image

from carddb.core.errors import UsageError
from carddb.core.units import Box, Size
from carddb.layout.display_list import Face, Path, PlacedImage, rectangle
from carddb.paint.pdf.sheets import faces_pdf
from carddb.paint.raster_job import RasterJob, RasterPage, RasterPlacement, pixels, raster_page
from carddb.paint.rasterizer import page_png, png, png_images, pngs
from tests.paint.samples import CARD, bled_pdf, book, face, images, run
from tests.rows import every

SPOT = Box(10_000, 10_000, 30_000, 50_000)


def test_a_card_has_exactly_its_pixels() -> None:
    """A 3 × 5 in card at 300 dpi is 900 × 1500 pixels, and says so."""
    image = Image.open(BytesIO(png(face(), book(), images(), 300)))
    assert image.size == (900, 1500)
    assert image.info["dpi"] == pytest.approx((300, 300), abs=0.01)
    assert pixels(Size(63_000, 88_000), 300) == (744, 1039)


def test_bleed_is_drawn_round_the_card() -> None:
    """With bleed the picture grows, and what lies beyond the trim is seen."""
    shapes = (Path(rectangle(Box(-3000, -3000, 82_200, 133_000)), fill="#0000ff"),)
    image = Image.open(BytesIO(page_png(bled_pdf(Face(CARD, shapes, "t"), book(), {}, 3000), 0, 100)))
    assert image.size == (324, 524)
    assert image.getpixel((0, 0)) == image.getpixel((323, 523)) == (0, 0, 255)


@pytest.mark.door
def test_the_same_face_gives_the_same_bytes() -> None:
    """Two pictures of one face are equal to the byte, alone or in a row."""
    one = png(face(), book(), images(), 150)
    assert one == png(face(), book(), images(), 150)
    assert list(pngs([face(), face()], book(), images(), 150)) == [one, one]


def test_the_encoder_keeps_every_pixel() -> None:
    """What is decoded is what PDFium draws by itself, at odd sizes too."""
    data = bled_pdf(face(), book(), images(), 1500)
    (canvas,) = made = (raster_page(0, (79, 130), 25),)
    page = pypdfium2.PdfDocument(data)[0]
    bitmap = pypdfium2.PdfBitmap.new_native(canvas.width, canvas.height, pypdfium2.raw.FPDFBitmap_BGR)
    bitmap.fill_rect((255, 255, 255, 255), 0, 0, canvas.width, canvas.height)
    pypdfium2.raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, canvas.width, canvas.height, 0, 0)
    (drawn_here,) = png_images(RasterJob(data, made))
    assert Image.open(BytesIO(drawn_here)).tobytes() == bitmap.to_pil().convert("RGB").tobytes()


def photograph(size: Size) -> tuple[Face, dict[str, bytes]]:
    """A face that is one picture without an even spot."""
    noise = Image.frombytes("RGB", (12, 20), Random(7).randbytes(720)).resize((240, 400), Image.Resampling.BICUBIC)
    file = BytesIO()
    noise.save(file, "PNG")
    box = Box(0, 0, size.width, size.height)
    return Face(size, (PlacedImage("noise", box, box),), "t"), {"noise": file.getvalue()}


def test_a_photograph_is_deflated_as_differences_and_words_as_they_are() -> None:
    """The filter is chosen by what is smaller; either way every pixel comes back."""
    words = Face(CARD, tuple(run("Hannibal crossed the Alps", 6000, y) for y in range(5_000, 125_000, 4_000)), "t")
    for each, files, number in ((words, {}, 0), (*photograph(CARD), 2)):
        data = faces_pdf([each], book(), files)
        canvas = raster_page(0, (240, 400), 80)
        (made,) = png_images(RasterJob(data, (canvas,)))
        image = Image.open(BytesIO(made))
        with pypdfium2.PdfDocument(data) as document:
            seen = document[0].render(scale=80 / 72).to_pil().convert("RGB").resize(image.size)
        assert filters(made, image.width) == {number} and image.tobytes() == seen.tobytes()


def filters(png: bytes, width: int) -> set[int]:
    """The numbers of the filters that the rows of a picture have."""
    start = png.index(b"IDAT") + 4
    rows = zlib.decompressobj().decompress(png[start:])
    return set(rows[:: 1 + 3 * width])


@every("turn", [0, 1, 2, 3])
def test_a_page_may_be_turned_by_quarters(turn: int) -> None:
    """What is in the upper left corner goes round clockwise."""
    corner = Face(Size(20_000, 20_000), (Path(rectangle(Box(0, 0, 8_000, 8_000)), fill="#ff0000"),), "t")
    job = RasterJob(faces_pdf([corner], book(), {}), (raster_page(0, (40, 40), 51, turn=turn),))
    image = Image.open(BytesIO(next(png_images(job))))
    red = [spot for spot in ((4, 4), (36, 4), (36, 36), (4, 36)) if image.getpixel(spot) == (255, 0, 0)]
    assert red == [((4, 4), (36, 4), (36, 36), (4, 36))[turn]]


def test_pages_lie_where_they_are_put() -> None:
    """A canvas holds several pages, each in its own place; what is free stays white."""
    faces = [
        Face(Size(20_000, 20_000), (Path(rectangle(Box(-9_000, -9_000, 40_000, 40_000)), fill=colour),), "t")
        for colour in ("#ff0000", "#0000ff")
    ]
    spots = (RasterPlacement(0, 0, 0, 10, 10), RasterPlacement(1, 20, 10, 10, 10))
    image = Image.open(
        BytesIO(next(png_images(RasterJob(faces_pdf(faces, book(), {}), (RasterPage(30, 20, 72, spots),)))))
    )
    assert image.getpixel((9, 9)) == (255, 0, 0) and image.getpixel((20, 10)) == (0, 0, 255)
    assert {image.getpixel(spot) for spot in ((10, 9), (9, 10), (19, 19), (20, 9))} == {(255, 255, 255)}


@pytest.mark.parametrize("dpi", [0, -300, 100_000])
def test_an_impossible_resolution_is_misuse(dpi: int) -> None:
    """No pixels, or more than there is room for, are refused before anything is drawn."""
    with pytest.raises(UsageError, match="dpi"):
        png(face(), book(), images(), dpi)
