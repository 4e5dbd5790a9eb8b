"""Pictures that are wanted of the pages of a PDF: how large, what lies where on them, and the files they become."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from carddb.core.errors import UsageError
from carddb.core.files import write_file
from carddb.core.units import UM_PER_INCH, Size

MOST_PIXELS = 64_000_000


class RasterPlacement(NamedTuple):
    """A page and where on a canvas it is drawn, in pixels; `turn` counts quarter turns, clockwise."""

    page: int
    x: int
    y: int
    width: int
    height: int
    turn: int = 0


class RasterPage(NamedTuple):
    """A picture to be drawn: its size in pixels, what lies on its white from the lowest up, and its file."""

    width: int
    height: int
    dpi: int
    placements: tuple[RasterPlacement, ...]
    file: Path = Path()


class RasterJob(NamedTuple):
    """Canvases that are drawn from the pages of one PDF."""

    pdf: bytes
    pages: tuple[RasterPage, ...]


class PngFile(NamedTuple):
    """A picture that lies on the disk, and its size in pixels."""

    file: Path
    width: int
    height: int


def write_picture(page: RasterPage, data: bytes) -> PngFile:
    """Writes a picture, as PNG bytes, to the file of its page. Raises OutputError.

    One that is lost with the power is drawn again: to wait for the disk took a quarter of the time of a picture.
    """
    write_file(page.file, data, durable=False)
    return PngFile(page.file, page.width, page.height)


def raster_page(page: int, size: tuple[int, int], dpi: int, file: Path = Path(), turn: int = 0) -> RasterPage:
    """Returns one whole page as a picture of its own."""
    return RasterPage(*size, dpi, (RasterPlacement(page, 0, 0, *size, turn),), file)


def pixels(size: Size, dpi: int) -> tuple[int, int]:
    """Returns width and height in pixels. Raises UsageError where they are none or too many."""
    width, height = (max(1, round(length * dpi / UM_PER_INCH)) for length in (size.width, size.height))
    if dpi < 1 or width * height > MOST_PIXELS:
        raise UsageError(
            f"a face of {size} at {dpi} dpi is {width} × {height} pixels, and at most {MOST_PIXELS:,} are drawn",
            "Use a --dpi such as 300.",
        )
    return width, height
