"""Pictures as they go into a PDF: JPEG bytes untouched, everything else as raw pixels with its own mask."""

from __future__ import annotations

import warnings
import zlib
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageOps

from carddb.errors import InputError
from carddb.read.picture_head import MAX_PIXELS

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")
_ORIENTATION = 0x0112


@dataclass(frozen=True, slots=True)
class Bitmap:
    """Pixels of 8 bits, grey or RGB, encoded by the PDF filter `coding`; `alpha` is a deflated grey mask."""

    width: int
    height: int
    grey: bool
    coding: str
    data: bytes
    alpha: bytes = b""


def bitmap(key: str, data: bytes) -> Bitmap:
    """A picture file as pixels, upright. Raises InputError where it cannot be read or is too large."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(BytesIO(data), formats=FORMATS) as image:
                return _bitmap(image, data)
    except InputError:
        raise
    except Exception as fault:  # a hostile file can make a decoder fail in any way
        raise InputError(f"the picture {key[:12]} cannot be read: {fault}", "Save it again as PNG or JPEG.") from fault


def _bitmap(image: Image.Image, data: bytes) -> Bitmap:
    width, height = image.size
    if width * height > MAX_PIXELS:
        raise InputError(
            f"a picture has {width} × {height} pixels, more than the {MAX_PIXELS:,} that are read",
            "Make it smaller: a card at 300 dpi needs about 900 × 1500.",
        )
    upright = image.getexif().get(_ORIENTATION, 1) == 1
    if image.format == "JPEG" and upright and image.mode in ("L", "RGB"):
        image.load()
        return Bitmap(width, height, image.mode == "L", "DCTDecode", data)
    return _pixels(image if upright else ImageOps.exif_transpose(image))


def _pixels(image: Image.Image) -> Bitmap:
    if image.mode.startswith("I;16"):
        image = image.convert("I").point(lambda value: value / 256).convert("L")
    see_through = image.has_transparency_data
    grey = image.mode in ("1", "L", "LA")
    solid = image.convert("RGBA") if see_through else image
    alpha = zlib.compress(solid.getchannel("A").tobytes()) if see_through else b""
    pixels = solid.convert("L" if grey else "RGB").tobytes()
    return Bitmap(image.width, image.height, grey, "FlateDecode", zlib.compress(pixels), alpha)
