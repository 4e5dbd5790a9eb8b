"""Pictures to be made from the pages of a PDF: their sizes, the pages drawn on them, and their files."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from carddb.core.errors import UsageError
from carddb.core.files import write_file
from carddb.core.units import UM_PER_INCH, Size

MOST_PIXELS = 64_000_000


class RasterPlacement(NamedTuple):
    """A page, and the position and size that it gets on a canvas, in pixels; `turn` is in clockwise quarter turns."""

    page: int
    x: int
    y: int
    width: int
    height: int
    turn: int = 0


class RasterPage(NamedTuple):
    """A picture to draw: its size in pixels, the pages on its white canvas from bottom to top, and its file name."""

    width: int
    height: int
    dpi: int
    placements: tuple[RasterPlacement, ...]
    file: Path = Path()


class RasterJob(NamedTuple):
    """Pictures to be drawn from the pages of one PDF."""

    pdf: bytes
    pages: tuple[RasterPage, ...]


def write_picture(page: RasterPage, data: bytes) -> None:
    """Writes a picture, given as PNG bytes, to the file of its page. Raises OutputError if it cannot be written."""
    write_file(page.file, data, durable=False)  # waiting for the disk took a quarter of the time per picture


def raster_page(page: int, size: tuple[int, int], dpi: int, file: Path = Path(), turn: int = 0) -> RasterPage:
    """Returns a picture that consists of one whole page."""
    return RasterPage(*size, dpi, (RasterPlacement(page, 0, 0, *size, turn),), file)


def pixels(size: Size, dpi: int) -> tuple[int, int]:
    """Returns `size` as (width, height) in pixels. Raises UsageError if `dpi` is below 1 or the picture too large."""
    width, height = (max(1, round(length * dpi / UM_PER_INCH)) for length in (size.width, size.height))
    if dpi < 1 or width * height > MOST_PIXELS:
        raise UsageError(
            f"a picture of {size} at {dpi} dpi has {width} × {height} pixels, but at most {MOST_PIXELS:,} can be drawn",
            "Use another --dpi, such as 300.",
        )
    return width, height
