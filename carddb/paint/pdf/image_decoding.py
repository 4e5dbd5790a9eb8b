"""Decodes an image for a PDF: its pixels become upright and sRGB, at the required size."""

from __future__ import annotations

import warnings
import zlib
from contextlib import suppress
from functools import lru_cache
from io import BytesIO
from typing import Any

from PIL import Image, ImageCms

from carddb.core.errors import DataFault
from carddb.core.units import Box
from carddb.paint.pdf.image_data import ImageData, as_it_is
from carddb.paint.pdf.prepress import Prepress
from carddb.read.pictures import Head, read_head

_LOSSLESS = {"PNG", "GIF", "BMP", "TIFF"}
_FLAT = 4
"""Pixels that deflate shrinks at least by this factor are a drawing, not a photograph, and JPEG would blur them."""
_CLEAR, _EDGES = 16, 10
"""An opacity within _CLEAR of 0 or 255 counts as none or full; at most one in _EDGES pixels may be in between."""
_SAMPLES = 8
_QUALITY = 90
_TURNS = {
    2: "FLIP_LEFT_RIGHT", 3: "ROTATE_180", 4: "FLIP_TOP_BOTTOM",
    5: "TRANSPOSE", 6: "ROTATE_270", 7: "TRANSVERSE", 8: "ROTATE_90",
}  # fmt: skip
"""`{EXIF orientation: operation that makes the image upright}` (CIPA DC-008, 4.6.5)."""


def prepared(
    head: Head, data: bytes, part: Box, scale: float, small: bool = False, prepress: Prepress | None = None
) -> ImageData:
    """Returns `part` of an image, given in pixels of the upright image, reduced by the factor `scale` (1 or less).

    A photograph becomes JPEG, unless it comes from a lossless format and is neither reduced nor `small`; anything else
    is stored without loss. Raises DataFault if the image is invalid, or transparent where `prepress` forbids it.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(BytesIO(data), formats=(head.kind,)) as image:
                if sorted(image.size) != sorted((head.width, head.height)):
                    size = f"{image.size[0]} × {image.size[1]} pixels"
                    raise DataFault("image_invalid", f"has {size}, but its header says {head.width} × {head.height}")
                shown = _resampled(_upright(image, head, scale), head, part, scale)
                pixels = _srgb(shown, image.info.get("icc_profile"))
                return _coded(pixels, small or head.kind not in _LOSSLESS or scale != 1, small, prepress)
    except DataFault:
        raise
    except Exception as fault:  # decoders may raise anything for invalid bytes
        raise DataFault("image_invalid", f"cannot be decoded: {str(fault) or type(fault).__name__}") from fault


def _upright(image: Image.Image, head: Head, scale: float) -> Image.Image:
    """Returns the decoded pixels in 8 bits, upright; to save time, a JPEG is decoded at about twice the final size."""
    if head.kind == "JPEG" and scale < 0.5:
        image.draft(None, (round(head.width * scale * 2), round(head.height * scale * 2)))
    image.load()
    plain = _eight_bits(image)
    # Pillow makes a TIFF upright when loading it.
    turn = None if head.kind == "TIFF" else _TURNS.get(head.orientation)
    return plain.transpose(Image.Transpose[turn]) if turn else plain


def _eight_bits(image: Image.Image) -> Image.Image:
    if image.mode.startswith("I"):
        return image.convert("I").point(lambda value: value * (255 / 65535) + 0.5).convert("L")
    if image.has_transparency_data:
        return image.convert("LA" if image.mode in ("1", "L", "LA", "La") else "RGBA")
    if image.mode in ("1", "F"):
        return image.convert("L")
    return image if image.mode in ("L", "RGB", "CMYK", "LAB") else image.convert("RGB")


def _resampled(image: Image.Image, head: Head, part: Box, scale: float) -> Image.Image:
    width, height = head.upright
    across, down = image.width / width, image.height / height
    window = (part.x * across, part.y * down, part.right * across, part.bottom * down)
    size = max(1, round(part.width * scale)), max(1, round(part.height * scale))
    if image.size == (width, height) and size == (part.width, part.height):
        return image.crop((part.x, part.y, part.right, part.bottom))
    return image.resize(size, Image.Resampling.LANCZOS, window, reducing_gap=2.0)


def _srgb(image: Image.Image, profile: Any) -> Image.Image:
    """Returns pixels converted from their colour profile to sRGB; a broken or unsuitable profile is ignored."""
    alpha = image.getchannel("A") if image.mode in ("LA", "RGBA") else None
    grey = image.mode in ("L", "LA")
    solid = image.convert("L" if grey else "RGB") if alpha else image
    if isinstance(profile, bytes) and profile:
        with suppress(ImageCms.PyCMSError, ValueError, OSError):
            solid = ImageCms.applyTransform(solid, _transform(profile, solid.mode)) or solid
    solid = solid.convert("L" if grey else "RGB")
    if alpha is not None and alpha.getextrema() != (255, 255):
        solid.putalpha(alpha)
    solid.info = {}
    return solid


@lru_cache(maxsize=16)
def _transform(profile: bytes, mode: str) -> Any:
    return ImageCms.buildTransform(
        ImageCms.ImageCmsProfile(BytesIO(profile)), ImageCms.createProfile("sRGB"), mode, "RGB",
        ImageCms.Intent.RELATIVE_COLORIMETRIC, ImageCms.Flags.BLACKPOINTCOMPENSATION,
    )  # fmt: skip


def _coded(image: Image.Image, lossy: bool, small: bool, prepress: Prepress | None = None) -> ImageData:
    """Returns pixels as JPEG if they may be `lossy` (transparent: `small`) and look like a photo, else deflated."""
    if image.mode in ("LA", "RGBA"):
        solid = _coded(image.convert(image.mode[:-1]), small, small, prepress)
        alpha = image.getchannel("A")
        return solid._replace(mask=_deflated(alpha if prepress is None or prepress.blends else _stencil(alpha)))
    photograph = lossy and _is_photograph(image)
    if prepress and image.mode == "RGB":
        image = prepress.pixels(image)
    if not photograph:
        return _deflated(image)
    out = BytesIO()
    image.save(out, "JPEG", quality=_QUALITY, subsampling=0)
    return ImageData(image.width, image.height, len(image.getbands()), "DCTDecode", out.getvalue())


def _stencil(alpha: Image.Image) -> Image.Image:
    """Returns a 1-bit mask in which black pixels are shown. Raises DataFault if too many pixels are translucent."""
    counts = alpha.histogram()
    if sum(counts[_CLEAR:-_CLEAR]) * _EDGES > sum(counts):
        fix = "Save the picture without transparency."
        raise DataFault("image_invalid", "is partly transparent, but PDF/X-1a allows no transparency", fix)
    return alpha.point(lambda value: 255 * (value < 128)).convert("1", dither=Image.Dither.NONE)


def _is_photograph(image: Image.Image) -> bool:
    """Returns whether deflating saves little, judging by some rows of the image."""
    rows = image.height // _SAMPLES**2
    sample = image
    if rows:
        sample = Image.new(image.mode, (image.width, rows * _SAMPLES))
        for band in range(_SAMPLES):
            top = band * image.height // _SAMPLES
            sample.paste(image.crop((0, top, image.width, top + rows)), (0, band * rows))
    size = sample.width * sample.height * len(image.getbands())
    return len(_deflated(sample, 1).data) * _FLAT > size


def _deflated(image: Image.Image, effort: int = 4) -> ImageData:
    if image.mode == "CMYK":  # which no PNG can have
        width = image.width * 4
        pixels = image.tobytes()
        rows = b"".join(b"\0" + pixels[start : start + width] for start in range(0, len(pixels), width))
        return ImageData(image.width, image.height, 4, "FlateDecode", zlib.compress(rows, effort))
    out = BytesIO()
    image.save(out, "PNG", compress_level=effort)
    head = read_head(out.getvalue())
    assert head.coded
    return as_it_is(head, head.coded, out.getvalue())
