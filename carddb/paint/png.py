"""Faces as PNG, drawn by PDFium from their own PDF page, so that both outputs break lines alike."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image, ImageChops

from carddb.errors import UsageError
from carddb.layout.display import Face
from carddb.layout.fonts import FontBook
from carddb.paint.pdf import faces_pdf
from carddb.units import UM_PER_INCH, Size

MOST_PIXELS = 64_000_000
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_UP = b"\x02"
_FLAGS = pdfium.FPDF_ANNOT | pdfium.FPDF_REVERSE_BYTE_ORDER


def png(face: Face, book: FontBook, images: Mapping[str, bytes], dpi: int = 300, bleed: int = 0) -> bytes:
    """One face as PNG bytes, `bleed` in micrometres. Raises UsageError for a size beyond 64 megapixels."""
    return next(pngs([face], book, images, dpi, bleed))


def pngs(
    faces: Sequence[Face], book: FontBook, images: Mapping[str, bytes], dpi: int = 300, bleed: int = 0
) -> Iterator[bytes]:
    """Faces as PNG bytes, in order, one at a time. Raises UsageError, InputError, FontError."""
    sizes = [pixels(Size(face.size.width + 2 * bleed, face.size.height + 2 * bleed), dpi) for face in faces]
    document = pypdfium2.PdfDocument(faces_pdf(faces, book, images, bleed=bleed))
    try:
        for number, size in enumerate(sizes):
            yield encode(_drawn(document, number, size), dpi)
    finally:
        document.close()


def pixels(size: Size, dpi: int) -> tuple[int, int]:
    """Width and height in pixels. Raises UsageError where they are none or too many."""
    width, height = (max(1, round(length * dpi / UM_PER_INCH)) for length in (size.width, size.height))
    if dpi < 1 or width * height > MOST_PIXELS:
        raise UsageError(
            f"a face of {size} at {dpi} dpi is {width} × {height} pixels, and at most {MOST_PIXELS:,} are drawn",
            "Use a --dpi such as 300.",
        )
    return width, height


def encode(image: Image.Image, dpi: int) -> bytes:
    """RGB pixels as PNG with one fixed filter (up): several times faster than trying all, for the same pixels."""
    width, height = image.size
    above = Image.new("RGB", image.size)
    above.paste(image, (0, 1))
    data = ImageChops.subtract_modulo(image, above).tobytes()
    row = 3 * width
    rows = b"".join(_UP + data[start : start + row] for start in range(0, height * row, row))
    packer = zlib.compressobj(1, zlib.DEFLATED, 15, 9, zlib.Z_RLE)
    per_metre = round(dpi / 0.0254)
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
            _chunk(b"sRGB", b"\0"),
            _chunk(b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1)),
            _chunk(b"IDAT", packer.compress(rows) + packer.flush()),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _drawn(document: pypdfium2.PdfDocument, number: int, size: tuple[int, int]) -> Image.Image:
    # Through the raw call, because it takes the size in pixels: a scale would have to be rounded.
    width, height = size
    page = document[number]
    bitmap = pypdfium2.PdfBitmap.new_native(width, height, pdfium.FPDFBitmap_BGRx, rev_byteorder=True)
    try:
        bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, _FLAGS)
        image: Image.Image = bitmap.to_pil()
        return image.convert("RGB")
    finally:
        bitmap.close()
        page.close()
