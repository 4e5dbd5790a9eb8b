"""Pages of a PDF that carddb made, as pictures to look at."""

from __future__ import annotations

from pathlib import Path

from carddb.core.units import Size
from carddb.paint.raster_job import RasterJob, pixels, raster_page
from carddb.paint.rasterizer import page_size, png_images


def page_png(pdf: bytes, page: int, size: Size, dpi: int) -> bytes:
    """A page, counted from 0, of this size in micrometres as PNG."""
    return next(png_images(RasterJob(pdf, (raster_page(page, pixels(size, dpi), dpi, Path("page.png")),))))


def whole_page_png(pdf: bytes, page: int, dpi: int) -> bytes:
    """A page, counted from 0, in its own size as PNG."""
    return page_png(pdf, page, page_size(pdf, page), dpi)
