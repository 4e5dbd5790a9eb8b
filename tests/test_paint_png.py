from io import BytesIO

import pytest
from paint_samples import CARD, book, face, images
from PIL import Image

from carddb.errors import UsageError
from carddb.layout.display import Face, Path, rectangle
from carddb.paint.png import encode, pixels, png, pngs
from carddb.units import Box, Size


def test_a_card_has_exactly_its_pixels() -> None:
    """A 3 × 5 in card at 300 dpi is 900 × 1500 pixels, and says so."""
    image = Image.open(BytesIO(png(face(), book(), images(), 300)))
    assert image.size == (900, 1500)
    assert image.info["dpi"] == pytest.approx((300, 300), abs=0.01)
    assert pixels(Size(63_000, 88_000), 300) == (744, 1039)


def test_bleed_is_drawn_round_the_card() -> None:
    """With bleed the picture grows, and what lies beyond the trim is seen."""
    shapes = (Path(rectangle(Box(-3000, -3000, 82_200, 133_000)), fill="#0000ff"),)
    image = Image.open(BytesIO(png(Face(CARD, shapes, "t"), book(), {}, 100, bleed=3000)))
    assert image.size == (324, 524)
    assert image.getpixel((0, 0)) == image.getpixel((323, 523)) == (0, 0, 255)


def test_the_same_face_gives_the_same_bytes() -> None:
    """Two pictures of one face are equal to the byte, alone or in a row."""
    one = png(face(), book(), images(), 150)
    assert one == png(face(), book(), images(), 150)
    assert list(pngs([face(), face()], book(), images(), 150)) == [one, one]


def test_the_encoder_keeps_every_pixel() -> None:
    """What is decoded is what was encoded."""
    image = Image.effect_noise((61, 47), 90).convert("RGB")
    assert Image.open(BytesIO(encode(image, 300))).tobytes() == image.tobytes()


@pytest.mark.parametrize("dpi", [0, -300, 100_000])
def test_an_impossible_resolution_is_misuse(dpi: int) -> None:
    """No pixels, or more than there is room for, are refused before anything is drawn."""
    with pytest.raises(UsageError, match="dpi"):
        png(face(), book(), images(), dpi)
