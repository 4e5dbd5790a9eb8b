"""The head of a picture file, read from its bytes without decoding a pixel.

JPEG, PNG, WebP (RFC 9649), GIF, BMP and TIFF. Every loop and every length is bounded, so that a hostile file costs no
more than its own size; what cannot be read is answered by `BadPicture` alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from carddb.read.pictures.jpeg_head import jpeg_head
from carddb.read.pictures.picture_bytes import CUT_OFF, DAMAGED, MOST_PARTS, BadPicture, Head, number, turn
from carddb.read.pictures.picture_metadata import tags
from carddb.read.pictures.png_head import png_head

MAX_PIXELS = 64_000_000
"""Of one picture: a card at 1200 dpi needs a third of it."""


def read_head(data: bytes) -> Head:
    """The head of a picture file of the kind of its first bytes, whatever its name.

    Raises BadPicture, with the code image_too_large where there are more pixels than are ever decoded.
    """
    for signature, read in _READERS:
        if signature.match(data):
            head = read(data)
            if not (head.width and head.height):
                raise BadPicture("has no pixels")
            if head.width * head.height > MAX_PIXELS:
                size = f"{head.width:,} × {head.height:,} pixels"
                raise BadPicture(f"has {size}, more than {MAX_PIXELS // 1_000_000} million", "image_too_large")
            return head
    raise BadPicture("is no picture of a known kind")


def _webp(data: bytes) -> Head:
    end = 8 + number(data, 4, 4, "little")
    if end > len(data):
        raise BadPicture(CUT_OFF)
    size: tuple[int, int] | None = None
    orientation, at = 1, 12
    for _ in range(MOST_PARTS):
        if at + 8 > end:
            break
        kind, start = data[at : at + 4], at + 8
        stop = start + number(data, at + 4, 4, "little")
        if stop > end:
            raise BadPicture(CUT_OFF)
        size = size or _webp_size(kind, data[start : min(stop, start + 10)])
        if kind == b"EXIF":
            orientation = turn(data[start:stop].removeprefix(b"Exif\0\0"))
        at = stop + (stop & 1)
    if size is None:
        raise BadPicture(DAMAGED)
    return Head("WEBP", *size, orientation)


def _webp_size(kind: bytes, body: bytes) -> tuple[int, int] | None:
    if kind == b"VP8X":
        return number(body, 4, 3, "little") + 1, number(body, 7, 3, "little") + 1
    if kind == b"VP8L" and body[:1] == b"\x2f":
        bits = number(body, 1, 4, "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 " and body[3:6] == b"\x9d\x01\x2a":
        return number(body, 6, 2, "little") & 0x3FFF, number(body, 8, 2, "little") & 0x3FFF
    return None


def _gif(data: bytes) -> Head:
    return Head("GIF", number(data, 6, 2, "little"), number(data, 8, 2, "little"))


def _bmp(data: bytes) -> Head:
    size = number(data, 14, 4, "little")
    if size == 12:
        return Head("BMP", number(data, 18, 2, "little"), number(data, 20, 2, "little"))
    if not 40 <= size <= 124:
        raise BadPicture("is no picture of a known kind")
    width, height = number(data, 18, 4, "little"), number(data, 22, 4, "little")
    return Head("BMP", width, height if height < 1 << 31 else (1 << 32) - height)


def _tiff(data: bytes) -> Head:
    entries = tags(data)
    return Head("TIFF", entries.get(256, 0), entries.get(257, 0), turn(data))


_READERS: tuple[tuple[re.Pattern[bytes], Callable[[bytes], Head]], ...] = (
    (re.compile(rb"\xff\xd8\xff"), jpeg_head),
    (re.compile(rb"\x89PNG\r\n\x1a\n"), png_head),
    (re.compile(rb"RIFF....WEBP", re.S), _webp),
    (re.compile(rb"GIF8[79]a"), _gif),
    (re.compile(rb"BM"), _bmp),
    (re.compile(rb"II\x2a\0|MM\0\x2a"), _tiff),
)
