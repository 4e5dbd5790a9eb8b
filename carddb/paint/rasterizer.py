"""Faces and pages of a PDF as pictures: PNG rendered by PDFium, and WebP and JPEG converted from it."""

from __future__ import annotations

import ctypes
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from io import BytesIO
from typing import cast

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image, ImageChops

from carddb.core.units import Size, points
from carddb.layout.display_list import Face
from carddb.layout.text.fonts import FontBook
from carddb.paint.pdf.sheets import faces_pdf
from carddb.paint.raster_job import RasterJob, RasterPage, pixels, raster_page

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_UP = 2
_COUNT = bytes(range(0, 256, _UP))
_STRIPES, _STRIPE = 4, 16
"""The filter of a picture is chosen by this many samples of it, and by this many rows in each."""
_WORTH = 1.1
"""The least factor by which differences must deflate better to be used: they take time, and samples flatter them."""
_DEFLATE = 1
"""The compression level; level 3 saves 5 % of the bytes and takes 5 % more time, level 6 saves 14 % and takes 70 %."""
_FLAGS = pdfium.FPDF_REVERSE_BYTE_ORDER


def png_images(job: RasterJob) -> Iterator[bytes]:
    """Yields the pictures of a job as PNG bytes, in order, one at a time."""
    with closing(pypdfium2.PdfDocument(job.pdf)) as document:
        canvas = _Canvas(document)
        for page in job.pages:
            yield _png(_filtered(canvas.rows(page), page), page)


def page_png(pdf: bytes, page: int, dpi: int, size: Size | None = None) -> bytes:
    """Returns the page with the index `page` of a PDF as PNG; `size`, by default the page's own, is in micrometres."""
    if size is None:
        with closing(pypdfium2.PdfDocument(pdf)) as document:
            width, height = document.get_page_size(page)
        size = Size(points(width), points(height))
    shown = raster_page(page, pixels(size, dpi), dpi)
    return next(png_images(RasterJob(pdf, (shown,))))


class _Canvas:
    """A buffer of rows, used again for each page of a job, because allocating memory takes longer than filling it."""

    def __init__(self, document: pypdfium2.PdfDocument) -> None:
        self._document = document
        self._rows = bytearray()

    def rows(self, page: RasterPage) -> bytearray:
        """Draws a page and returns its rows, each after a byte for the PNG filter, and a row of zeros above them."""
        row = 1 + 3 * page.width
        length = row * (page.height + 1)
        if len(self._rows) != length:
            self._rows = bytearray(length)
        rows = self._rows
        rows[:] = b"\xff" * length
        rows[:row] = bytes(row)
        rows[::row] = bytes(page.height + 1)
        # The raw calls are used because they take position and size in pixels, and rows of any length.
        first = ctypes.byref((ctypes.c_ubyte * length).from_buffer(rows), row + 1)
        bitmap = pdfium.FPDFBitmap_CreateEx(page.width, page.height, pdfium.FPDFBitmap_BGR, first, row)
        try:
            for placement in page.placements:
                pdf_page = self._document[placement.page]
                place = (placement.x, placement.y, placement.width, placement.height, placement.turn)
                pdfium.FPDF_RenderPageBitmap(bitmap, pdf_page, *place, _FLAGS)
                pdf_page.close()
        finally:
            pdfium.FPDFBitmap_Destroy(bitmap)
        return rows


def _filtered(rows: bytearray, page: RasterPage) -> bytes | memoryview:
    """Returns the rows of a page, ready to deflate for PNG: each has a filter byte, then its samples or differences."""
    row = 1 + 3 * page.width
    apart = max(_STRIPE * row, len(rows) // row // _STRIPES * row)
    sample = b"".join([rows[start : start + _STRIPE * row] for start in range(0, len(rows), apart)])
    if len(_deflated(sample)) <= len(_deflated(_differences(sample, row))) * _WORTH:
        return memoryview(rows)[row:]
    # The byte before each row increases by the filter's number, so that the subtraction results in that number.
    rows[::row] = (_COUNT * (page.height // len(_COUNT) + 1))[: page.height + 1]
    return _differences(rows, row)


def _differences(rows: bytes | bytearray, row: int) -> bytes:
    """Returns the difference of each row of `row` bytes, except the first, from the row above."""
    height = len(rows) // row - 1
    parts = (cast("bytes", memoryview(rows)[start:]) for start in (0, row))
    above, below = (Image.frombuffer("L", (row, height), part, "raw", "L", 0, 1) for part in parts)
    return ImageChops.subtract_modulo(below, above).tobytes()


def _deflated(data: bytes | memoryview) -> bytes:
    return zlib.compress(data, _DEFLATE)


def _png(rows: bytes | memoryview, page: RasterPage) -> bytes:
    per_metre = round(page.dpi / 0.0254)
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", struct.pack(">IIBBBBB", page.width, page.height, 8, 2, 0, 0, 0)),
            _chunk(b"sRGB", b"\0"),
            _chunk(b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1)),
            _chunk(b"IDAT", _deflated(rows)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))


_QUALITY = 82
"""WebP quality; at 82, the letters of a face have no fringes, at 75 they have, though files are 15 % smaller."""
_EFFORT = 4
"""WebP's default method; the slowest one takes twice as long and saves 2 % of the bytes."""


_PRINT_QUALITY = 88
"""JPEG quality for print, at which fringes are invisible on paper at 300 pixels per inch."""


def jpeg(png: bytes) -> bytes:
    """Returns a picture, given as PNG, as JPEG without colour subsampling, so that coloured letters stay sharp."""
    with Image.open(BytesIO(png), formats=("PNG",)) as image:
        out = BytesIO()
        image.convert("RGB").save(out, "JPEG", quality=_PRINT_QUALITY, subsampling=0)
    return out.getvalue()


def webp(png: bytes, width: int) -> bytes:
    """Returns a picture, given as PNG, as WebP, reduced to a width of `width` pixels."""
    with Image.open(BytesIO(png), formats=("PNG",)) as image:
        solid = image.convert("RGB")
    solid = solid.resize((width, round(solid.height * width / solid.width)), Image.Resampling.LANCZOS)
    out = BytesIO()
    solid.save(out, "WEBP", quality=_QUALITY, method=_EFFORT)
    return out.getvalue()


def png(face: Face, book: FontBook, images: Mapping[str, bytes], dpi: int = 300) -> bytes:
    """Returns one face as PNG bytes. Raises UsageError if it exceeds 64 megapixels."""
    return next(pngs([face], book, images, dpi))


def pngs(faces: Sequence[Face], book: FontBook, images: Mapping[str, bytes], dpi: int = 300) -> Iterator[bytes]:
    """Yields faces as PNG bytes, in order, one at a time.

    Raises UsageError if a picture is too large, InputError if there are no faces or an image is faulty, and FontError
    if a font cannot be embedded.
    """
    pages = tuple(raster_page(page, pixels(face.size, dpi), dpi) for page, face in enumerate(faces))
    yield from png_images(RasterJob(faces_pdf(faces, book, images), pages))
