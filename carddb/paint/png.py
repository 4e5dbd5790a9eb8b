"""Faces as PNG, drawn from their own PDF page, so that both outputs break lines alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from carddb.core.units import Size
from carddb.layout.display_list import Face
from carddb.layout.text.fonts import FontBook
from carddb.paint.pdf.sheets import faces_pdf
from carddb.paint.raster_job import RasterJob, pixels, raster_page
from carddb.paint.rasterizer import png_images


def png(face: Face, book: FontBook, images: Mapping[str, bytes], dpi: int = 300, bleed: int = 0) -> bytes:
    """One face as PNG bytes, `bleed` in micrometres. Raises UsageError for a size beyond 64 megapixels."""
    return next(pngs([face], book, images, dpi, bleed))


def pngs(
    faces: Sequence[Face], book: FontBook, images: Mapping[str, bytes], dpi: int = 300, bleed: int = 0
) -> Iterator[bytes]:
    """Faces as PNG bytes, in order, one at a time. Raises UsageError, InputError, FontError."""
    sizes = [pixels(Size(face.size.width + 2 * bleed, face.size.height + 2 * bleed), dpi) for face in faces]
    pages = tuple(raster_page(page, size, dpi) for page, size in enumerate(sizes))
    yield from png_images(RasterJob(faces_pdf(faces, book, images, bleed=bleed), pages))
