"""Pages of a PDF to PNG files: drawn by PDFium, filtered and deflated here. Knows nothing of faces.

One fixed filter (up) is several times faster than trying all, for the same pixels, and ISA-L several times faster than
zlib. PDFium draws straight into rows that begin with a byte for the filter, so that one subtraction of the rows above
gives what is deflated.
"""

from __future__ import annotations

import ctypes
import hashlib
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pypdfium2
import pypdfium2.raw as pdfium
from isal import isal_zlib
from PIL import Image, ImageChops

from carddb.errors import UsageError
from carddb.paint.files import write_file
from carddb.units import UM_PER_INCH, Size

MOST_PIXELS = 64_000_000
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_UP = 2
_COUNT = bytes(range(0, 256, _UP))
_DEFLATE = 2
"""The level; the next is slower and saves little."""
_FLAGS = pdfium.FPDF_REVERSE_BYTE_ORDER


@dataclass(frozen=True, slots=True)
class Spot:
    """A page and where on a canvas it is drawn, in pixels; `turn` counts quarter turns, clockwise."""

    page: int
    x: int
    y: int
    width: int
    height: int
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Canvas:
    """A picture to be drawn: its size in pixels, what lies on its white, and the file it is written to."""

    width: int
    height: int
    dpi: int
    spots: tuple[Spot, ...]
    file: Path = Path()


@dataclass(frozen=True, slots=True)
class Job:
    """Canvases that are drawn from the pages of one PDF."""

    pdf: bytes
    canvases: tuple[Canvas, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """A picture that lies on the disk: its size in pixels and the SHA-256 of the file."""

    file: Path
    width: int
    height: int
    sha256: str


def page_canvas(page: int, size: tuple[int, int], dpi: int, file: Path = Path(), turn: int = 0) -> Canvas:
    """One whole page as a picture of its own."""
    return Canvas(*size, dpi, (Spot(page, 0, 0, *size, turn),), file)


def pixels(size: Size, dpi: int) -> tuple[int, int]:
    """Width and height in pixels. Raises UsageError where they are none or too many."""
    width, height = (max(1, round(length * dpi / UM_PER_INCH)) for length in (size.width, size.height))
    if dpi < 1 or width * height > MOST_PIXELS:
        raise UsageError(
            f"a face of {size} at {dpi} dpi is {width} × {height} pixels, and at most {MOST_PIXELS:,} are drawn",
            "Use a --dpi such as 300.",
        )
    return width, height


def drawn(job: Job) -> Iterator[bytes]:
    """The pictures of a job as PNG bytes, in order, one at a time."""
    with _opened(job.pdf) as document:
        for canvas in job.canvases:
            yield _png(_filtered_rows(document, canvas), canvas)


def write(job: Job) -> Iterator[Written]:
    """Draws and writes the pictures of a job. Raises OutputError."""
    for canvas, data in zip(job.canvases, drawn(job), strict=True):
        write_file(canvas.file, data)
        yield Written(canvas.file, canvas.width, canvas.height, hashlib.sha256(data).hexdigest())


@contextmanager
def _opened(pdf: bytes) -> Iterator[pypdfium2.PdfDocument]:
    document = pypdfium2.PdfDocument(pdf)
    try:
        yield document
    finally:
        document.close()


def _filtered_rows(document: pypdfium2.PdfDocument, canvas: Canvas) -> bytes:
    """The rows of a canvas as PNG deflates them: a byte for the filter, then the differences from the row above.

    The byte before each row counts up by the filter's number, so that the subtraction leaves just that number.
    """
    row = 1 + 3 * canvas.width
    rows = bytearray(b"\xff") * (row * (canvas.height + 1))
    rows[:row] = bytes(row)
    rows[::row] = (_COUNT * (canvas.height // len(_COUNT) + 1))[: canvas.height + 1]
    _draw(document, canvas, (ctypes.c_ubyte * len(rows)).from_buffer(rows), row)
    buffers = (cast("bytearray", memoryview(rows)[start:]) for start in (0, row))
    above, below = (Image.frombuffer("L", (row, canvas.height), buffer, "raw", "L", 0, 1) for buffer in buffers)
    return ImageChops.subtract_modulo(below, above).tobytes()


def _draw(document: pypdfium2.PdfDocument, canvas: Canvas, rows: ctypes.Array[ctypes.c_ubyte], row: int) -> None:
    # Through the raw calls, because they take place and size in pixels, and rows of any length.
    first = ctypes.byref(rows, row + 1)
    bitmap = pdfium.FPDFBitmap_CreateEx(canvas.width, canvas.height, pdfium.FPDFBitmap_BGR, first, row)
    try:
        for spot in canvas.spots:
            page = document[spot.page]
            place = (spot.x, spot.y, spot.width, spot.height, spot.turn)
            pdfium.FPDF_RenderPageBitmap(bitmap, page, *place, _FLAGS)
            page.close()
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)


def _png(rows: bytes, canvas: Canvas) -> bytes:
    per_metre = round(canvas.dpi / 0.0254)
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", struct.pack(">IIBBBBB", canvas.width, canvas.height, 8, 2, 0, 0, 0)),
            _chunk(b"sRGB", b"\0"),
            _chunk(b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1)),
            _chunk(b"IDAT", isal_zlib.compress(rows, level=_DEFLATE)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", isal_zlib.crc32(data, isal_zlib.crc32(kind)))
