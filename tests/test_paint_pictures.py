import zlib
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paint_samples import picture
from PIL import Image

from carddb.errors import InputError
from carddb.paint.pictures import bitmap


def saved(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    out = BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def test_jpeg_bytes_are_kept() -> None:
    """A JPEG is put into the file as it came."""
    key, data = picture("JPEG")
    found = bitmap(key, data)
    assert (found.coding, found.data, found.width, found.height) == ("DCTDecode", data, 30, 20)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16", "CMYK"])
def test_every_kind_of_pixel_becomes_grey_or_rgb(mode: str) -> None:
    """Palettes, bitmaps, deep greys and inks come out as 8-bit pixels of the same size."""
    kind = "TIFF" if mode == "CMYK" else "PNG"
    found = bitmap("k", saved(Image.new(mode, (7, 5)), kind))
    assert len(zlib.decompress(found.data)) == 7 * 5 * (1 if found.grey else 3)
    assert bool(found.alpha) == (mode in ("LA", "RGBA"))


def test_a_photograph_taken_sideways_is_set_upright() -> None:
    """The orientation a camera noted is followed."""
    exif = Image.Exif()
    exif[0x0112] = 6
    found = bitmap("k", saved(Image.new("RGB", (30, 20)), "JPEG", exif=exif))
    assert (found.width, found.height) == (20, 30)


def test_a_picture_beyond_all_measure_is_refused() -> None:
    """A small file that unpacks into too many pixels is not unpacked."""
    with pytest.raises(InputError, match="pixels"):
        bitmap("k", saved(Image.new("1", (9000, 9000))))


@settings(max_examples=25, deadline=None)
@given(st.binary(max_size=200), st.integers(0, 400))
def test_broken_pictures_are_told(noise: bytes, keep: int) -> None:
    """Noise, and the beginnings of true pictures, are answered with a sentence or read."""
    for data in (noise, picture()[1][:keep] + noise, picture("JPEG")[1][:keep] + noise):
        try:
            bitmap("k", data)
        except InputError as fault:
            assert fault.remedy
