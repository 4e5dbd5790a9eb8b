"""Pictures of faces made small: WebP for web pages, JPEG for paper."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

_QUALITY = 82
"""At 82 the letters of a face have no fringes; at 75 they have, and a file is 15 % smaller."""
_EFFORT = 4
"""WebP's own choice: the slowest method takes twice as long and saves 2 % of the bytes."""


_PRINT_QUALITY = 88
"""At 300 pixels per inch no fringe is seen on paper."""


def jpeg(png: bytes) -> bytes:
    """A picture as JPEG, its colours as fine as its lightness, so that coloured letters stay sharp."""
    with Image.open(BytesIO(png), formats=("PNG",)) as image:
        out = BytesIO()
        image.convert("RGB").save(out, "JPEG", quality=_PRINT_QUALITY, subsampling=0)
    return out.getvalue()


def webp(png: bytes, width: int = 0) -> bytes:
    """A picture as WebP, `width` pixels wide (0: as it is)."""
    with Image.open(BytesIO(png), formats=("PNG",)) as image:
        solid = image.convert("RGB")
    if width:
        solid = solid.resize((width, round(solid.height * width / solid.width)), Image.Resampling.LANCZOS)
    out = BytesIO()
    solid.save(out, "WEBP", quality=_QUALITY, method=_EFFORT)
    return out.getvalue()
